"""Wagers: placed, copied, closed, locked."""

from collections.abc import Iterable
from dataclasses import replace

from service.rounds.commands import (
    ClearWagers,
    CopyWagers,
    LastBet,
    LinkPlayer,
    NoMoreBets,
    ReopenWagers,
    SetWager,
    StartGame,
)
from service.rounds.errors import NeedsReasonError, RoundError, WrongPhaseError
from service.rounds.facts import Fact, PlayersLinked, ProgressiveLocked, WagersClosed, WagerSet, WagersReopened
from service.rounds.meter import move_meter
from service.rounds.outcome import By, Outcome, refuse_settled, refuse_unpayable, the_seat
from service.rounds.state import Seat, TableState, Wager
from service.rounds.view import Source
from service.rounds.words import WAGER_TITLES, seats_words


def set_wager(state: TableState, command: SetWager, by: By) -> Outcome:
    """One spot of one seat."""
    _verify_offered(state, command.wager)
    seat = the_seat(state, command.seat)
    refuse_unpayable(state, command.amount, "amount")
    if command.wager == "progressive":
        _verify_progressive(state, seat, command.amount)
    return _change(state, seat, {command.wager: command.amount}, _source(by), command.reason, by)


def clear_wagers(state: TableState, command: ClearWagers, by: By) -> Outcome:
    """The seat bets nothing; a locked progressive bet stays."""
    seat = the_seat(state, command.seat)
    names = [wager.name for wager in seat.wagers or () if not _is_fixed(state, seat, wager.name)]
    return _change(state, seat, dict.fromkeys(names, 0), _source(by), command.reason, by)


def last_bet(state: TableState, command: LastBet, by: By) -> Outcome:
    """What the seat, or every seat, bet in the round before."""
    last = dict(state.last_wagers)
    numbers = [command.seat] if command.seat is not None else [seat for seat in last if _is_untouched(state, seat)]
    if not numbers or any(number not in last for number in numbers):
        where = f"seat {command.seat}" if command.seat else "no seat"
        raise RoundError(f"{where} has a bet of the round before to repeat", field="seat")
    outcome = Outcome(state)
    for number in numbers:
        seat = the_seat(outcome.state, number)
        step = _replace_all(outcome.state, seat, last[number], "last_bet", command.reason, by)
        outcome = outcome.then(step.state, *step.facts)
    return outcome


def copy_wagers(state: TableState, command: CopyWagers, by: By) -> Outcome:
    """What another seat bets."""
    source = the_seat(state, command.from_seat)
    if not source.wagers:
        raise RoundError(f"seat {command.from_seat} has no wagers to copy", field="from_seat")
    return _replace_all(state, the_seat(state, command.seat), source.wagers, "copied", command.reason, by)


def link_player(state: TableState, command: LinkPlayer, by: By) -> Outcome:
    """Seats of one player; whoever held some of them with others keeps the others."""
    numbers = tuple(sorted(set(command.seats)))
    before = dict.fromkeys(the_seat(state, number).player for number in numbers)
    left = [
        tuple(seat.seat for seat in state.round.seats if seat.player == player and seat.seat not in numbers)
        for player in before
    ]
    outcome = Outcome(state)
    for seats in (numbers, *filter(None, left)):
        held = [replace(the_seat(state, number), player=seats_words(seats)) for number in seats]
        fact = PlayersLinked(round=state.round.number, by=by.label, seats=seats, player=seats_words(seats))
        outcome = outcome.then(outcome.state.with_seats(held), fact)
    return outcome


def no_more_bets(state: TableState, command: NoMoreBets, by: By) -> Outcome:
    """Close the wagers."""
    if state.round.closed_by is not None:
        raise WrongPhaseError(f"the wagers were closed by {state.round.closed_by} already")
    return close_wagers(state, by, by.name)


def close_wagers(state: TableState, by: By, closed_by: str) -> Outcome:
    """Close them, said by a person or by the first card."""
    fact = WagersClosed(round=state.round.number, by=by.label)
    return Outcome(state.with_round(closed_by=closed_by), (fact,))


def reopen_wagers(state: TableState, command: ReopenWagers, by: By) -> Outcome:
    """Bets again, as long as no card was dealt."""
    round_ = state.round
    if round_.closed_by is None:
        raise WrongPhaseError("the wagers are open")
    if round_.dealing or round_.locked:
        why = "cards were dealt" if round_.dealing else "progressive bets are locked"
        raise WrongPhaseError(f"{why}; a wager can still be put right on its own, with a reason")
    fact = WagersReopened(round=round_.number, by=by.label, reason=command.reason)
    return Outcome(state.with_round(closed_by=None), (fact,))


def start_game(state: TableState, command: StartGame, by: By) -> Outcome:
    """Lock the progressive bets: the sensors light up, the meter takes its share."""
    if state.round.version.rules.terms is None:
        raise RoundError(f"{state.name} has no progressive")
    if state.round.locked:
        raise WrongPhaseError("progressive bets are locked already")
    outcome = Outcome(state)
    if state.round.closed_by is None:
        outcome = close_wagers(state, by, by.name)
    lit = tuple(seat.seat for seat in state.round.seats if seat.amount("progressive"))
    fact = ProgressiveLocked(round=state.round.number, by=by.label, seats=lit, late=state.round.dealing)
    outcome = outcome.then(outcome.state.with_round(locked=True), fact)
    return move_meter(outcome, by, "coin_in")


# --- shared


def _source(by: By) -> Source:
    return "api" if by.is_program else "dealer"


def _verify_offered(state: TableState, wager: str) -> None:
    offered = state.round.version.rules.offered
    if wager not in offered:
        titles = ", ".join(WAGER_TITLES[name] for name in offered)
        raise RoundError(f"{state.name} does not offer {WAGER_TITLES[wager]}; it offers {titles}", field="wager")


def _verify_progressive(state: TableState, seat: Seat, amount: int) -> None:
    terms = state.round.version.rules.terms
    if state.round.locked or seat.carried:
        raise WrongPhaseError(f"the progressive bet of seat {seat.seat} is locked; void the round to give it back")
    if terms is not None and amount not in (0, int(terms.denomination)):
        raise RoundError(f"a progressive bet is {int(terms.denomination)} cents or none", field="amount")


def _is_fixed(state: TableState, seat: Seat, wager: str) -> bool:
    return wager == "progressive" and (state.round.locked or seat.carried)


def _is_untouched(state: TableState, number: int) -> bool:
    seat = state.seat(number)
    return seat is not None and not seat.wagers


def _is_taken(state: TableState, wager: Wager) -> bool:
    """Whether the table still takes it as it is: the meter's denomination may have changed with the rules."""
    terms = state.round.version.rules.terms
    return wager.name != "progressive" or terms is None or wager.amount == terms.denomination


def _replace_all(
    state: TableState, seat: Seat, wagers: Iterable[Wager], source: Source, reason: str, by: By
) -> Outcome:
    """Every spot of a seat, as far as this table offers it and it may still change."""
    offered = state.round.version.rules.offered
    amounts = {wager.name: 0 for wager in seat.wagers or ()}
    amounts |= {wager.name: wager.amount for wager in wagers if wager.name in offered and _is_taken(state, wager)}
    amounts = {name: amount for name, amount in amounts.items() if not _is_fixed(state, seat, name)}
    return _change(state, seat, amounts, source, reason, by)


def _change(state: TableState, seat: Seat, amounts: dict[str, int], source: Source, reason: str, by: By) -> Outcome:
    """New amounts; after the wagers were closed each is marked, and needs a reason."""
    refuse_settled(seat)
    is_late = state.round.closed_by is not None
    changed = {name: amount for name, amount in amounts.items() if amount != seat.amount(name) or seat.wagers is None}
    if is_late and changed and not reason:
        raise NeedsReasonError(
            f"the wagers were closed by {state.round.closed_by}; say why seat {seat.seat} is changed", field="reason"
        )
    wagers = {wager.name: wager for wager in seat.wagers or ()}
    facts: list[Fact] = []
    for name, amount in changed.items():
        before = seat.amount(name)
        if amount == 0 and not is_late:
            wagers.pop(name, None)
        else:
            wagers[name] = Wager(name, amount, source, is_late, reason if is_late else "")
        facts.append(
            WagerSet(
                round=state.round.number, by=by.label, seat=seat.seat, wager=name, before=before, after=amount,
                source=source, late=is_late, reason=reason,
            )
        )  # fmt: skip
    offered = state.round.version.rules.offered
    ordered = tuple(sorted(wagers.values(), key=lambda wager: offered.index(wager.name)))
    return Outcome(state.with_seat(replace(seat, wagers=ordered)), tuple(facts))
