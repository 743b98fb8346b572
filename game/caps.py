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
Profits = dict[tuple[int, str], Fraction]  # by seat and wager, in the order of settling


def cap_seats(seats: Seats, order: Sequence[int], rules: HouseRules, posted: Fraction | None = None) -> Seats:
    """The seats' wagers with both caps applied; `order` is the order of settling.

    `posted` is the table's own maximum aggregate for a round; the lower of it and the house's cap holds.
    """
    profits: Profits = {
        (seat, name): seats[seat][name].profit
        for seat in order
        for name in _BONUS_ORDER
        if name in seats[seat] and _is_capped(name, seats[seat][name])
    }
    for seat in order:
        hand = {place: profit for place, profit in profits.items() if place[0] == seat}
        profits |= _capped(hand, rules.cap_per_hand, rules)
    profits = _capped(profits, _lower(rules.cap_per_round, posted), rules)
    return {
        seat: {name: _with_profit(wager, profits.get((seat, name))) for name, wager in wagers.items()}
        for seat, wagers in seats.items()
    }


def _lower(cap: int | None, posted: Fraction | None) -> Fraction | None:
    return min((Fraction(each) for each in (cap, posted) if each is not None), default=None)


def _is_capped(name: str, wager: WagerResult) -> bool:
    return wager.outcome in ("win", "bad_beat") and (name != "ante" or wager.outcome == "bad_beat")


def _capped(profits: Profits, cap: Fraction | int | None, rules: HouseRules) -> Profits:
    """Profits lowered so that together they do not exceed the cap."""
    total = sum(profits.values(), Fraction(0))
    if cap is None or total <= cap:
        return profits
    if rules.cap_method == "pro_rata":
        return {place: profit * cap / total for place, profit in profits.items()}
    lowered: Profits = {}
    left = Fraction(cap)
    for place, profit in profits.items():
        lowered[place] = min(profit, left)
        left -= lowered[place]
    return lowered


def _with_profit(wager: WagerResult, profit: Fraction | None) -> WagerResult:
    if profit is None or profit == wager.profit:
        return wager
    return replace(wager, profit=profit, uncapped_profit=wager.profit)
