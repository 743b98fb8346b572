"""Pay tables: data files, one readable table each, checked when they are loaded.

A file names its kind; the kind says which schedules it holds and which hands a row may name. A casino adds a table by
adding a file, to `game/data/paytables/` or to a folder of its own that is passed to `load_paytables`.

>>> table = bundled_paytables()["FCP-05"]
>>> table.schedules["aces_up"].row_for({"three_of_a_kind"}).odds.text
'8 to 1'
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Literal, Self

from game.errors import GameError
from game.money import parse_dollars, parse_exact
from game.payable_hands import BY_COLOUR, BY_FIVE_CARDS, BY_FOUR_CARDS

DATA = Path(__file__).parent / "data" / "paytables"
OddsKind = Literal["to", "for", "percent"]
HandFrom = Literal["five_cards", "house_rule"]  # house_rule: the key `fcpp_basis` decides


class PayTableError(GameError):
    """A pay table that cannot be used; the message names file, row and fault."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What a row pays: `to` gives the stake back besides, `for` does not, `percent` is of the meter.

    >>> Odds.parse("3 to 2").ratio, Odds.parse("10%").kind
    (Fraction(3, 2), 'percent')
    """

    text: str
    kind: OddsKind
    ratio: Fraction

    @classmethod
    def parse(cls, text: object) -> Self:
        """Read `25 to 1`, `300 for 1` or `10%`."""
        if isinstance(text, str):
            if found := re.fullmatch(r"([\d,]+) (to|for) ([1-9]\d*)", text):
                kind: OddsKind = "to" if found[2] == "to" else "for"
                times = int(found[1].replace(",", ""))
                return cls(f"{times} {kind} {found[3]}", kind, Fraction(times, int(found[3])))
            if (found := re.fullmatch(r"(\d+)%", text)) and 0 < int(found[1]) <= 100:
                return cls(text, "percent", Fraction(int(found[1]), 100))
        raise PayTableError(f"{text!r} are no odds; write '25 to 1', '300 for 1' or '10%'")


EVEN_MONEY = Odds.parse("1 to 1")


@dataclass(frozen=True, slots=True)
class PayRow:
    """One line of a schedule."""

    hand: str
    odds: Odds


@dataclass(frozen=True, slots=True)
class Schedule:
    """The rows of one wager, highest hand first; only the highest that fits is paid."""

    rows: tuple[PayRow, ...]

    def row_for(self, hands: Set[str]) -> PayRow | None:
        """The row that pays a hand, given every name the hand goes by; None if it pays nothing."""
        return next((row for row in self.rows if row.hand in hands), None)


@dataclass(frozen=True, slots=True)
class ProgressiveTerms:
    """What a progressive pay table says besides its rows."""

    hand_from: HandFrom
    base_wager: Fraction  # cents; fixed envy amounts are printed for this wager
    envy: Mapping[str, Fraction]  # cents by hand
    reserve_rate: Fraction  # of each wager
    contribution_rate: Fraction | None  # pre-configured by the maker, where the table states it


@dataclass(frozen=True, slots=True)
class PayTable:
    """One table as a file holds it."""

    name: str
    kind: str
    source: str
    schedules: Mapping[str, Schedule]
    printed: Mapping[str, str] = field(default_factory=dict)  # house edges and hit rates the documents print
    progressive: ProgressiveTerms | None = None


@dataclass(frozen=True, slots=True)
class _Kind:
    schedules: tuple[str, ...]
    hands: tuple[str, ...]  # rows it may have, highest first; equals are joined by "/"
    odds: tuple[OddsKind, ...] = ("to",)


KINDS: Mapping[str, _Kind] = MappingProxyType(
    {
        "four-card-poker": _Kind(("automatic_bonus", "aces_up"), BY_FOUR_CARDS),
        "bad-beat-bonus": _Kind(("bad_beat_bonus",), BY_FOUR_CARDS),
        "progressive": _Kind(("pays",), BY_FIVE_CARDS, ("for", "percent")),
        "progressive-by-house-rule": _Kind(("pays",), BY_FOUR_CARDS, ("for", "percent")),
        "prime-win-bonus": _Kind(("win_bonus",), BY_FOUR_CARDS),
        "prime-bad-beat": _Kind(("bad_beat",), BY_FOUR_CARDS),
        "aces-baby": _Kind(("aces_baby",), BY_FOUR_CARDS),
        "prime": _Kind(("prime",), BY_COLOUR),
    }
)
_PLAIN_KEYS = {"name", "kind", "source", "printed"}
_PROGRESSIVE_KEYS = {"base_wager", "envy", "reserve_rate", "contribution_rate"}


def load_paytable(path: Path) -> PayTable:
    """Read and check one file; the error names file, row and fault."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PayTableError(f"{path.name}: cannot be read: {error}") from error
    try:
        return paytable_from(content)
    except GameError as error:
        raise PayTableError(f"{path.name}: {error}") from error


def paytable_from(content: Mapping[str, object]) -> PayTable:
    """A table from the content of its file."""
    name, kind_name, source = (_text(content, key) for key in ("name", "kind", "source"))
    kind = KINDS.get(kind_name)
    if kind is None:
        raise PayTableError(f"kind {kind_name!r} is unknown; use one of {', '.join(KINDS)}")
    is_progressive = kind.schedules == ("pays",)
    known = _PLAIN_KEYS | set(kind.schedules) | (_PROGRESSIVE_KEYS if is_progressive else set())
    if unknown := sorted(content.keys() - known):
        raise PayTableError(f"unknown key {unknown[0]!r}; a table of kind {kind_name} has {', '.join(sorted(known))}")
    schedules = {key: _schedule(key, content.get(key), kind) for key in kind.schedules}
    progressive = _progressive(content, kind_name, schedules["pays"]) if is_progressive else None
    printed = content.get("printed", {})
    if not isinstance(printed, dict) or not all(isinstance(value, str) for value in printed.values()):
        raise PayTableError("[printed] holds text alone, like aces_up_edge = '3.89 %'")
    return PayTable(name, kind_name, source, MappingProxyType(schedules), MappingProxyType(printed), progressive)


def _text(content: Mapping[str, object], key: str) -> str:
    value = content.get(key)
    if not isinstance(value, str) or not value:
        raise PayTableError(f"{key} is {value!r}; it must be text")
    return value


def _rows(section: str, content: object) -> dict[str, object]:
    if not isinstance(content, dict) or not content:
        raise PayTableError(f"[{section}] has no rows; write hand = 'odds', highest hand first")
    return content


def _schedule(section: str, content: object, kind: _Kind) -> Schedule:
    place = {hand: index for index, hands in enumerate(kind.hands) for hand in hands.split("/")}
    rows = []
    for hand, text in _rows(section, content).items():
        if hand not in place:
            raise PayTableError(f"[{section}] row {hand!r}: no such hand; use one of {', '.join(place)}")
        try:
            odds = Odds.parse(text)
        except PayTableError as error:
            raise PayTableError(f"[{section}] row {hand!r}: {error}") from None
        if odds.kind not in kind.odds:
            raise PayTableError(f"[{section}] row {hand!r}: {odds.text!r} is not paid by this kind of table")
        rows.append(PayRow(hand, odds))
    for above, below in pairwise(rows):
        if place[above.hand] >= place[below.hand]:
            raise PayTableError(f"[{section}] row {below.hand!r}: must stand above {above.hand!r}, once")
        if above.odds.kind == below.odds.kind and above.odds.ratio < below.odds.ratio:
            raise PayTableError(f"[{section}] row {below.hand!r}: pays more than {above.hand!r} above it")
    return Schedule(tuple(rows))


def _progressive(content: Mapping[str, object], kind_name: str, pays: Schedule) -> ProgressiveTerms:
    hands = {row.hand for row in pays.rows}
    envy = _rows("envy", content["envy"]) if "envy" in content else {}
    if strange := sorted(envy.keys() - hands):
        raise PayTableError(f"[envy] row {strange[0]!r}: not a row of [pays]")
    contribution = content.get("contribution_rate")
    return ProgressiveTerms(
        hand_from="five_cards" if kind_name == "progressive" else "house_rule",
        base_wager=parse_dollars(content.get("base_wager")),
        envy=MappingProxyType({hand: parse_dollars(text) for hand, text in envy.items()}),
        reserve_rate=parse_exact(content.get("reserve_rate", 0)),
        contribution_rate=None if contribution is None else parse_exact(contribution),
    )


def _files(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        if not folder.is_dir():
            raise PayTableError(f"{folder} is no folder; name one that holds pay tables, one TOML file each")
        yield from sorted(folder.glob("*.toml"))


def load_paytables(folders: Iterable[Path]) -> Mapping[str, PayTable]:
    """Every table of the folders by name; a name used twice is refused, with both files."""
    tables: dict[str, PayTable] = {}
    files: dict[str, Path] = {}
    for path in _files(folders):
        table = load_paytable(path)
        if table.name in tables:
            raise PayTableError(f"{path.name}: {table.name} is already the name of {files[table.name].name}")
        tables[table.name], files[table.name] = table, path
    return MappingProxyType(tables)


@cache
def bundled_paytables() -> Mapping[str, PayTable]:
    """The tables of the rule documents."""
    return load_paytables([DATA])
