"""Kept counts of all deals, in data files that `foursight odds --recompute` writes: nothing is typed in by hand.

`deals.csv` has a line for each strength a player's five cards can have: how many hands have it, and the deals by the
dealer's category, with those of the player's own category that are lower and that tie. `optimal.csv` has the deals and
the wins by the player's category under the best decision for each hand and up card.
"""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from pathlib import Path
from typing import Literal

from game.errors import GameError
from game.hands import Category, Strength

DATA = Path(__file__).parent / "data" / "odds"
PLAYER_HANDS = comb(52, 5)
DEALER_HANDS = comb(47, 6)
DECISIONS: tuple["PlayDecision", ...] = (0, 1, 3)
PlayDecision = Literal[0, 1, 3]  # the play wager as a multiple of the ante; 0 is a fold
_REMEDY = "write it with 'foursight odds --recompute'"
_DEAL_HEADER = ["category", "ranks", "hands", *(f"dealer_{each.key}" for each in Category), "lower_in_category", "ties"]
_OPTIMAL_HEADER = ["category", "play", "deals", "won"]


class OddsError(GameError):
    """Kept counts that are missing or do not add up."""


@dataclass(frozen=True, slots=True)
class DealRow:
    """The deals in which the player holds one strength."""

    strength: Strength
    hands: int
    by_category: tuple[int, ...]  # deals by the dealer's category
    lower_in_category: int
    ties: int

    @property
    def deals(self) -> int:
        """All of them."""
        return self.hands * DEALER_HANDS

    @property
    def beaten(self) -> Mapping[Category, int]:
        """Deals that the player wins outright, by the category of the dealer's beaten hand."""
        own = self.strength.category
        return {each: self.by_category[each] for each in Category if each < own} | {own: self.lower_in_category}

    @property
    def won(self) -> int:
        """Deals that the player wins, ties included."""
        return sum(self.beaten.values()) + self.ties

    @property
    def lost(self) -> int:
        """Deals that the dealer wins."""
        return self.deals - self.won


@dataclass(frozen=True, slots=True)
class OptimalRow:
    """Deals of one category in which one decision is best; `deals` counts every up card."""

    category: Category
    play: PlayDecision
    deals: int
    won: int


def _read(path: Path, header: list[str]) -> list[list[str]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file))
    except OSError as error:
        raise OddsError(
            f"{path.name} cannot be read ({error.strerror}); write it with 'foursight odds --recompute'"
        ) from error
    if not lines or lines[0] != header:
        raise OddsError(f"{path.name} is not of this version; write it with 'foursight odds --recompute'")
    return lines[1:]


@cache
def kept_deals(folder: Path = DATA) -> tuple[DealRow, ...]:
    """The counts of `deals.csv`, checked to add up to all deals."""
    rows = tuple(
        DealRow(
            Strength(Category[category.upper()], tuple(map(int, ranks.split("-")))),
            int(hands), tuple(map(int, counts[:8])), int(counts[8]), int(counts[9]),
        )
        for category, ranks, hands, *counts in _read(folder / "deals.csv", _DEAL_HEADER)
    )  # fmt: skip
    if sum(row.hands for row in rows) != PLAYER_HANDS or any(sum(row.by_category) != row.deals for row in rows):
        raise OddsError(f"deals.csv does not add up to all deals; {_REMEDY}")
    return rows


@cache
def kept_optimal(folder: Path = DATA) -> tuple[OptimalRow, ...]:
    """The counts of `optimal.csv`."""
    by_play = {str(play): play for play in DECISIONS}
    return tuple(
        OptimalRow(Category[category.upper()], by_play[play], int(deals), int(won))
        for category, play, deals, won in _read(folder / "optimal.csv", _OPTIMAL_HEADER)
    )


def write_counts(deals: Iterable[DealRow], optimal: Iterable[OptimalRow], folder: Path = DATA) -> bool:
    """Write both files; whether anything changed."""
    folder.mkdir(parents=True, exist_ok=True)
    deal_lines = [
        [row.strength.category.key, "-".join(map(str, row.strength.ranks)), row.hands, *row.by_category,
         row.lower_in_category, row.ties]
        for row in deals
    ]  # fmt: skip
    optimal_lines = [[row.category.key, row.play, row.deals, row.won] for row in optimal]
    changed = [
        _write(folder / "deals.csv", [_DEAL_HEADER, *deal_lines]),
        _write(folder / "optimal.csv", [_OPTIMAL_HEADER, *optimal_lines]),
    ]
    kept_deals.cache_clear()
    kept_optimal.cache_clear()
    return any(changed)


def _write(path: Path, lines: Sequence[Sequence[object]]) -> bool:
    text = "".join(",".join(map(str, line)) + "\n" for line in lines)
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.write_text(text, encoding="utf-8")
    return True
