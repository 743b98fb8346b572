"""Profiles: which game, pay tables and house rules apply under one set of rules of play.

>>> profile = bundled_profiles()["south-dakota"]
>>> profile.offers["bad_beat_bonus"], profile.house_rules.fcpp_basis
((), 'five_cards')
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import MappingProxyType

from game.errors import GameError
from game.house_rules import HouseRules
from game.limits import TableLimits
from game.paytables import PayTable, bundled_paytables

DATA = Path(__file__).parent / "data" / "profiles"
# The roles a table plays in a round's input, by game, and the kinds of pay table that can play them.
ROLES: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "FCP": {
            "fcp": ("four-card-poker",),
            "bad_beat_bonus": ("bad-beat-bonus",),
            "progressive": ("progressive", "progressive-by-house-rule"),
        },
        "PRIME": {"bad_beat": ("prime-bad-beat",), "aces_baby": ("aces-baby",), "prime": ("prime",)},
    }
)
_KEYS = {
    "name",
    "title",
    "source",
    "game",
    "offers",
    "choice",
    "house_rules",
    "limits",
    "legal",
    "meter_linked_with",
}


class ProfileError(GameError):
    """A profile that cannot be used; the message names file and key."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One set of rules of play."""

    name: str
    title: str
    source: str
    game: str  # "FCP" or "PRIME"
    offers: Mapping[str, tuple[str, ...]]  # pay tables to choose from, by role
    choice: Mapping[str, str | None]  # the ones a new table starts with
    house_rules: HouseRules
    limits: TableLimits
    legal_maximum: Fraction | None  # cents for one wager
    legal_source: str
    meter_linked_with: tuple[str, ...] = ()  # other games that feed the same meter

    def verify_offers(self, role: str, table: str | None) -> None:
        """Raise `ProfileError` unless this profile offers the table."""
        if table is not None and table not in self.offers.get(role, ()):
            offered = ", ".join(self.offers.get(role, ())) or "none"
            raise ProfileError(f"{self.title} does not offer {table} as {role}; it offers {offered}")


def load_profile(path: Path, tables: Mapping[str, PayTable]) -> Profile:
    """Read and check one file."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ProfileError(f"{path.name}: cannot be read: {error}") from error
    try:
        return _profile_from(content, tables)
    except GameError as error:
        raise ProfileError(f"{path.name}: {error}") from error


def _profile_from(content: Mapping[str, object], tables: Mapping[str, PayTable]) -> Profile:
    if unknown := sorted(content.keys() - _KEYS):
        raise ProfileError(f"unknown key {unknown[0]!r}; a profile has {', '.join(sorted(_KEYS))}")
    name, title, source, game = (_text(content, key) for key in ("name", "title", "source", "game"))
    if game not in ROLES:
        raise ProfileError(f"game is {game!r}; use {' or '.join(ROLES)}")
    offers = {role: _offered(content, role, kinds, tables) for role, kinds in ROLES[game].items()}
    choice = {role: _chosen(content, role, offers[role]) for role in offers}
    legal = _section(content, "legal")
    maximum = legal.get("maximum_wager")
    if maximum is not None and (isinstance(maximum, bool) or not isinstance(maximum, int)):
        raise ProfileError(f"legal maximum_wager is {maximum!r}; write a whole number of cents")
    profile = Profile(
        name, title, source, game, MappingProxyType(offers), MappingProxyType(choice),
        HouseRules.from_mapping(_section(content, "house_rules")),
        TableLimits.from_mapping(_section(content, "limits")),
        None if maximum is None else Fraction(maximum), str(legal.get("source", "")),
        _names("meter_linked_with", content.get("meter_linked_with", [])),
    )  # fmt: skip
    profile.limits.verify_within(profile.legal_maximum, profile.legal_source)
    return profile


def _text(content: Mapping[str, object], key: str) -> str:
    value = content.get(key)
    if not isinstance(value, str) or not value:
        raise ProfileError(f"{key} is {value!r}; it must be text")
    return value


def _section(content: Mapping[str, object], key: str) -> Mapping[str, object]:
    section = content.get(key, {})
    if not isinstance(section, dict):
        raise ProfileError(f"{key} is {section!r}; write it as a table, [{key}]")
    return section


def _names(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ProfileError(f"{key} is {value!r}; write a list of names")
    return tuple(value)


def _offered(
    content: Mapping[str, object], role: str, kinds: tuple[str, ...], tables: Mapping[str, PayTable]
) -> tuple[str, ...]:
    names = _names(f"offers.{role}", _section(content, "offers").get(role, []))
    for name in names:
        if name not in tables:
            raise ProfileError(f"offers.{role} names {name!r}, which is no pay table")
        if tables[name].kind not in kinds:
            raise ProfileError(f"offers.{role} names {name}, a table of kind {tables[name].kind}")
    return names


def _chosen(content: Mapping[str, object], role: str, offered: tuple[str, ...]) -> str | None:
    name = _section(content, "choice").get(role)
    if name is None:
        return None
    if not isinstance(name, str) or name not in offered:
        raise ProfileError(f"choice.{role} is {name!r}, which is not among its offers")
    return name


def load_profiles(folders: Iterable[Path], tables: Mapping[str, PayTable]) -> Mapping[str, Profile]:
    """Every profile of the folders by name."""
    profiles: dict[str, Profile] = {}
    for path in sorted(path for folder in folders for path in folder.glob("*.toml")):
        profile = load_profile(path, tables)
        if profile.name in profiles:
            raise ProfileError(f"{path.name}: a profile named {profile.name} is there already")
        profiles[profile.name] = profile
    return MappingProxyType(profiles)


@cache
def bundled_profiles() -> Mapping[str, Profile]:
    """The profiles of the rule documents."""
    return load_profiles([DATA], bundled_paytables())
