"""One round as plain data: cards by hand, wagers, decisions, how the dealer works, faults, settlement, payments.

Nothing here has a place or a time, and nothing is random: `rounds` deals such rounds, `choreography` plays them out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from datasets.footage.faults import Fault
from datasets.footage.houses import House
from game.cards import Card


@dataclass(frozen=True, slots=True)
class TableCard:
    """One piece of pasteboard on the table; two can show the same face."""

    number: int  # unique in the round
    face: Card | None  # None: a joker or a blank, see `made_of`
    made_of: str = "deck"  # "other-deck", "joker", "blank": foreign

    @property
    def text(self) -> str:
        """As in a settlement input: `As`, or what it is where it is none of the 52."""
        return str(self.face) if self.face else self.made_of

    @property
    def is_foreign(self) -> bool:
        """Whether it does not belong to the table's deck."""
        return self.made_of != "deck"


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """One seat's part in a round."""

    seat: int
    player: str
    cards: tuple[TableCard, ...]
    wagers: Mapping[str, int]  # cents, names of the rules: ante, aces_up, ...; placed before the deal
    decision: str  # play, fold, none (no ante)
    play: int  # cents of the Play or Raise wager
    arrangement: str  # how the dealer spreads it, one of ARRANGEMENTS

    @property
    def name(self) -> str:
        """Its zone: `seat-4`."""
        return f"seat-{self.seat}"


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """One fault of a round: where it is, and what the choreography needs to show it."""

    kind: Fault
    zone: str | None = None
    cards: tuple[TableCard, ...] = ()
    detail: str = ""  # late wager: its spot; hidden card: "spread" when the dealer then spreads the hand

    def to_json(self) -> dict[str, Any]:
        """Its part of the truth's round line."""
        return {
            "kind": str(self.kind),
            "zone": self.zone,
            "cards": [card.text for card in self.cards],
            "detail": self.detail,
        }


@dataclass(frozen=True, slots=True)
class Manner:
    """How this dealer works."""

    deal: str = "packets"  # or "cards": card by card
    apart: bool = False  # cards dealt one by one lie side by side, so that they can be counted
    settle: str = "pick-and-pay"  # or "lay-and-pay": every hand is laid out before the first is paid
    unused: str = "behind"  # where the dealer's two unused cards lie; or "beside"
    dealer_row: str = "row"  # or "overlap"


@dataclass(frozen=True, slots=True)
class Round:
    """Everything about one round except when and where."""

    number: int  # from 1
    house: House
    seats: tuple[SeatPlan, ...]  # in order of seat
    dealer: tuple[TableCard, ...]  # the last is the up card
    in_front: tuple[TableCard, ...]  # the four the dealer sets, highest first; empty in a round stopped before
    rest: tuple[TableCard, ...]  # not dealt to anybody
    manner: Manner
    faults: tuple[FaultPlan, ...]
    settlement: Mapping[str, Any]
    paying: tuple[Mapping[str, Any], ...]  # by seat: what the dealer hands back while nothing seems wrong
    paid: tuple[Mapping[str, Any], ...]  # by seat: what came back in the end for every wager, stake included

    @property
    def up_card(self) -> TableCard:
        """The dealer's card dealt face up."""
        return self.dealer[-1]

    def fault(self, *kinds: Fault) -> FaultPlan | None:
        """The first fault of one of these kinds."""
        return next((fault for fault in self.faults if fault.kind in kinds), None)

    def seat_plan(self, seat: int) -> SeatPlan:
        """The plan of one seat by its number."""
        return next(plan for plan in self.seats if plan.seat == seat)

    @property
    def settlement_input(self) -> dict[str, Any]:
        """The round in the rules' `input` form."""
        return settlement_input(self.house, self.seats, self.dealer)

    @property
    def envy_seats(self) -> frozenset[int]:
        """Seats whose hand stays face up until envy is paid."""
        seats = self.settlement["seats"] if self.is_settled else ()
        return frozenset(row["from_seat"] for seat in seats for row in seat.get("envy", ()))

    @property
    def is_settled(self) -> bool:
        """Whether the round can be paid; otherwise it is void or invalid."""
        return bool(self.settlement["status"] == "settled")


def settlement_input(house: House, seats: Sequence[SeatPlan], dealer: Sequence[TableCard]) -> dict[str, Any]:
    """The `input` object of the rules for these hands and wagers."""
    case: dict[str, Any] = {
        "game": house.game,
        "tables": dict(house.tables),
        "house_rules": dict(house.house_rules),
        "dealer": {"cards": [card.text for card in dealer], "up": dealer[-1].text},
        "seats": [
            {
                "seat": plan.seat,
                "player": plan.player,
                "cards": [card.text for card in plan.cards],
                "wagers": dict(plan.wagers),
                "decision": plan.decision,
                "play": plan.play,
            }
            for plan in seats
        ],
    }
    if house.game == "FCP":
        case["progressive"] = dict(house.progressive) if house.progressive else None
    return case
