"""The progressive meter during a round: what the round did to it so far, always worked out by `game`.

Other tables may move the same meter meanwhile; so a round keeps what it moved, and the meter before it is what stands
there now less that.
"""

from dataclasses import replace
from fractions import Fraction

from game.meter import Meter, coin_in
from game.meter import adjust as adjusted
from game.money import money_text
from game.open_round import settle_open
from game.results import Settlement
from service.rounds.cases import Json, case_of, seat_case, to_round
from service.rounds.commands import AdjustMeter
from service.rounds.errors import RoundError, WrongPhaseError
from service.rounds.facts import MeterMoved
from service.rounds.outcome import By, Outcome
from service.rounds.state import MeterState, TableState


def move_meter(outcome: Outcome, by: By, kind: str, *, at_end: bool = False) -> Outcome:
    """The table with its meter where the locked bets and the confirmed awards put it."""
    state = outcome.state
    if state.meter is None or state.round.version.rules.terms is None or not state.round.locked:
        return outcome
    return _moved_to(outcome, _where_it_stands(state, at_end=at_end), by, kind)


def meter_after_void(outcome: Outcome, settlement: Settlement, by: By) -> Outcome:
    """The table with its meter where a void leaves it: awards undone, and the coin-in unless it is carried."""
    state = outcome.state
    if state.meter is None or settlement.progressive is None or not state.round.locked:
        return outcome
    return _moved_to(outcome, settlement.progressive.end, by, "undone")


def adjust_meter(state: TableState, command: AdjustMeter, by: By) -> Outcome:
    """The manual adjustment."""
    if state.meter is None:
        raise RoundError(f"{state.name} has no progressive meter")
    if state.round.locked:
        raise WrongPhaseError("the meter is in play: progressive bets are locked; adjust it between rounds")
    meter = adjusted(Meter(state.meter.amount, state.meter.reserve), Fraction(command.change), command.reason)
    after = MeterState(meter.amount, meter.reserve)
    return Outcome(replace(state, meter=after), (_fact(state, after, by, "set", command.reason),))


def _where_it_stands(state: TableState, *, at_end: bool) -> Meter:
    assert state.meter is not None
    case = case_of(state, [_confirmed_case(state, number) for number in _bettors(state)], limits=False)
    round_ = to_round(case)
    assert round_.progressive is not None
    is_counted = round_.rules.coin_in_before_payout or at_end
    if not any(seat.cards for seat in round_.seats):
        wagered = sum((seat.staked.get("progressive", Fraction(0)) for seat in round_.seats), Fraction(0))
        return coin_in(round_.progressive.meter, round_.progressive.terms, wagered if is_counted else Fraction(0))
    if not is_counted:
        case["progressive"] |= {"contribution_rate": "0", "reserve_rate": "0"}
    result = settle_open(to_round(case)).progressive
    return Meter(state.meter.amount, state.meter.reserve) if result is None else result.end


def _bettors(state: TableState) -> list[int]:
    return [seat.seat for seat in state.round.seats if seat.amount("progressive")]


def _confirmed_case(state: TableState, number: int) -> Json:
    """A bettor: with its hand when its payout stands, else for its coin-in alone."""
    seat = state.seat(number)
    assert seat is not None
    return seat_case(seat, cards=None if seat.standing("hand") is not None else ())


def _moved_to(outcome: Outcome, meter: Meter, by: By, kind: str) -> Outcome:
    state = outcome.state
    assert state.meter is not None
    change = (meter.amount - state.meter.amount, meter.reserve - state.meter.reserve)
    if not any(change):
        return outcome
    after = MeterState(meter.amount, meter.reserve)
    amount, reserve = state.round.moved
    moved = state.with_round(moved=(amount + change[0], reserve + change[1]))
    return outcome.then(replace(moved, meter=after), _fact(state, after, by, kind, ""))


def _fact(state: TableState, after: MeterState, by: By, kind: str, reason: str) -> MeterMoved:
    assert state.meter is not None
    return MeterMoved(
        round=state.round.number, by=by.label, kind=kind, reason=reason,
        amount_before=money_text(state.meter.amount), amount_after=money_text(after.amount),
        reserve_before=money_text(state.meter.reserve), reserve_after=money_text(after.reserve),
    )  # fmt: skip
