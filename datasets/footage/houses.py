"""The house a simulated round is played in: one profile's game, pay tables, house rules and progressive meter.

In comes a profile's name; out goes a `House`, which knows the wagers of its game and the spots they lie on.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from datasets.errors import DatasetError
from game.paytables import bundled_paytables
from game.profiles import bundled_profiles

# Wager by wager, the spot of the table it lies on; in the order in which a dealer settles them.
SPOTS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "FCP": {
            "play": "play",
            "ante": "ante",
            "aces_up": "aces-up",
            "bad_beat_bonus": "bad-beat",
            "progressive": "sensor",
        },
        "PRIME": {"raise": "raise", "ante": "ante", "aces_baby": "aces-baby", "prime": "prime"},
    }
)
# Bonuses that are paid on another wager's spot.
PAID_ON: Mapping[str, str] = MappingProxyType({"automatic_bonus": "ante", "win_bonus": "ante"})
TABLE_GAMES: Mapping[str, str] = MappingProxyType({"FCP": "four-card-poker", "PRIME": "four-card-prime"})


@dataclass(frozen=True, slots=True)
class House:
    """What is the same for every round at a table; the meter is as the round begins."""

    profile: str
    game: str  # FCP or PRIME
    tables: Mapping[str, str | None]
    house_rules: Mapping[str, Any]
    progressive: Mapping[str, Any] | None

    @property
    def spots(self) -> Mapping[str, str]:
        """The spot of every wager of this game."""
        return SPOTS[self.game]

    @property
    def play_names(self) -> tuple[str, ...]:
        """What the wager made after looking at the cards is called."""
        return ("play",) if self.game == "FCP" else ("raise",)

    @property
    def play_spot(self) -> str:
        """Where that wager is put."""
        return self.spots[self.play_names[0]]

    @property
    def bonus_spots(self) -> tuple[str, ...]:
        """Wagers of the pay table, that stay live on a fold."""
        return ("aces-up",) if self.game == "FCP" else ("aces-baby", "prime")

    @property
    def play_whole_multiple(self) -> bool:
        """Whether the Play wager is one, two or three antes exactly."""
        key = "fcp_play_whole_multiple" if self.game == "FCP" else "prime_raise_whole_multiple"
        return bool(self.house_rules[key])


def random_house(profile_name: str, rng: np.random.Generator) -> House:
    """A house under one profile: some of the tables it offers, and a meter that stands somewhere."""
    profiles = bundled_profiles()
    if profile_name not in profiles:
        raise DatasetError(f"{profile_name!r} is no profile; the profiles are {', '.join(profiles)}")
    profile = profiles[profile_name]
    tables: dict[str, str | None] = {
        role: offers[rng.integers(len(offers))] if offers else None for role, offers in profile.offers.items()
    }
    for optional in ("bad_beat_bonus", "progressive"):
        if optional in tables and rng.random() < 0.25:
            tables[optional] = None
    rules = {key: value for key, value in asdict(profile.house_rules).items() if key != "wager_order"}
    return House(profile.name, profile.game, tables, rules, _meter(tables.get("progressive"), rng))


def _meter(table: str | None, rng: np.random.Generator) -> dict[str, Any] | None:
    if table is None:
        return None
    terms = bundled_paytables()[table].progressive
    if terms is None:
        raise DatasetError(f"{table} is no progressive table: it has no base wager")
    return {
        "meter": 250_000 + int(rng.integers(2_000_000)),
        "seed": 250_000,
        "reserve": int(rng.integers(50_000)),
        "denomination": int(terms.base_wager),
        "contribution_rate": "13/50",
        "reserve_rate": str(terms.reserve_rate),
    }
