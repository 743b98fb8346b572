"""Prime's maximum aggregate: a cap on what the bonus schedules pay, per hand first, then per round.

It touches the profits of Appendices A to D alone, and what it leaves is not rounded again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from game.house_rules import HouseRules
from game.results import WagerResult

# The order in which a sequential cap is used up within a seat.
_BONUS_ORDER = ("win_bonus", "ante", "aces_baby", "prime")
Seats = Mapping[int, Mapping[str, WagerResult]]
_Place = tuple[int, str]


def cap_seats(seats: Seats, order: Sequence[int], rules: HouseRules) -> Seats:
    """The seats' wagers with both caps applied; `order` is the order of settling."""
    profits: dict[_Place, Fraction] = {
        (seat, name): seats[seat][name].profit
        for seat in order
        for name in _BONUS_ORDER
        if name in seats[seat] and _is_capped(name, seats[seat][name])
    }
    for seat in order:
        _cap(
            {place: profit for place, profit in profits.items() if place[0] == seat},
            rules.cap_per_hand,
            rules,
            profits,
        )
    _cap(dict(profits), rules.cap_per_round, rules, profits)
    return {
        seat: {name: _with_profit(wager, profits.get((seat, name))) for name, wager in wagers.items()}
        for seat, wagers in seats.items()
    }


def _is_capped(name: str, wager: WagerResult) -> bool:
    return wager.outcome in ("win", "bad_beat") and (name != "ante" or wager.outcome == "bad_beat")


def _cap(group: dict[_Place, Fraction], cap: int | None, rules: HouseRules, profits: dict[_Place, Fraction]) -> None:
    """Lower the profits of a group, in `profits`, so that they do not exceed the cap together."""
    total = sum(group.values(), Fraction(0))
    if cap is None or total <= cap:
        return
    left = Fraction(cap)
    for place, profit in group.items():
        profits[place] = min(profit, left) if rules.cap_method == "sequential" else profit * cap / total
        left -= profits[place]


def _with_profit(wager: WagerResult, profit: Fraction | None) -> WagerResult:
    if profit is None or profit == wager.profit:
        return wager
    return replace(wager, profit=profit, uncapped_profit=wager.profit)
