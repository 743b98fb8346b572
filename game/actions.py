"""What the dealer does with a settled round, in order: seat by seat, wager by wager, envy at the end.

>>> from game.settlement import settle_json
>>> seat = {"seat": 4, "cards": ["9s", "9h", "9d", "Kc", "4d"], "wagers": {"ante": 1000}}
>>> seat |= {"decision": "play", "play": 3000}
>>> dealer = {"cards": ["Ks", "Kh", "Ad", "Tc", "5c", "2d"]}
>>> case = {"game": "FCP", "tables": {"fcp": "FCP-05"}, "dealer": dealer, "seats": [seat]}
>>> for action in dealer_actions(settle_json(case)):
...     print(action)
seat 4: pay $30 on play ($30 at 1 to 1)
seat 4: pay $10 on ante ($10 at 1 to 1)
seat 4: pay $20 on automatic bonus (2 to 1)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from game.money import money_text, spoken_money
from game.paytables import Odds
from game.references import Reference, reference
from game.results import Comparison, Json, SeatResult, Settlement, WagerResult

Move = Literal["pay", "take", "push", "return", "leave"]
_MOVES: dict[str, Move] = {
    "win": "pay",
    "bad_beat": "pay",
    "lose": "take",
    "forfeit": "take",
    "push": "push",
    "void": "return",
    "carried": "leave",
}
_BY_COMPARISON: dict[Comparison | None, str] = {
    "player_wins": "win",
    "tie_player_wins": "tie",
    "dealer_wins": "lose",
    "folded": "fold",
}


@dataclass(frozen=True, slots=True)
class Action:
    """One move of the dealer's hand."""

    seat: int
    wager: str
    move: Move
    stake: Fraction
    odds: Odds | None
    amount: Fraction  # what is paid besides the stake, taken, or given back
    rule: Reference

    def __str__(self) -> str:
        stake = spoken_money(self.stake)
        terms = " at ".join(part for part in (stake if self.stake else "", self.odds.text if self.odds else "") if part)
        return f"seat {self.seat}: {self.move} {spoken_money(self.amount)} on {self.wager.replace('_', ' ')} ({terms})"

    def to_json(self) -> Json:
        """Its form beside a result."""
        return {
            "seat": self.seat,
            "wager": self.wager,
            "move": self.move,
            "stake": money_text(self.stake),
            "odds": self.odds.text if self.odds else None,
            "amount": money_text(self.amount),
            "rule": str(self.rule),
        }


def dealer_actions(settlement: Settlement) -> tuple[Action, ...]:
    """Every action of a settled or void round; an invalid one has none."""
    seats = {seat.seat: seat for seat in settlement.seats}
    order = settlement.settle_order or tuple(seats)
    return (
        *(action for number in order for action in _seat_actions(seats[number], settlement.game)),
        *(action for number in order for action in _envy_actions(seats[number], settlement.game)),
    )


def _seat_actions(seat: SeatResult, game: str) -> Iterator[Action]:
    for name, wager in seat.wagers.items():
        move = _MOVES[wager.outcome]
        amount = {"pay": wager.profit, "take": wager.stake}.get(move, wager.stake)
        yield Action(
            seat.seat,
            name,
            move,
            wager.stake,
            wager.odds,
            amount,
            reference(game, _rule_of(name, wager, seat)),
        )


def _rule_of(name: str, wager: WagerResult, seat: SeatResult) -> str:
    if wager.outcome in ("void", "carried"):
        return "miscount"
    if wager.outcome == "bad_beat":
        return "bad_beat"
    if name == "progressive" and seat.comparison == "folded" and wager.outcome == "lose":
        return "progressive_fold"
    return _BY_COMPARISON[seat.comparison] if name in ("ante", "play", "raise") else name


def _envy_actions(seat: SeatResult, game: str) -> Iterator[Action]:
    for envy in seat.envy:
        yield Action(seat.seat, "envy", "pay", Fraction(0), None, envy.amount, reference(game, "envy"))
