"""The fold: a table's state and a command, or an event of the observer, give the next state and facts for the record.

Pure: time and identity come in, nothing goes out but the value. What cannot be done raises and changes nothing.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from service.rounds.assess import assess
from service.rounds.commands import (
    Acknowledge,
    AdjustMeter,
    AnyCommand,
    CallSupervisor,
    CheckStep,
    ClearWagers,
    CloseIrregularity,
    ComeBack,
    Confirm,
    CopyWagers,
    CorrectCard,
    DeclareIrregularity,
    EndGame,
    EnterHand,
    HandButton,
    LastBet,
    LinkPlayer,
    NoMoreBets,
    Recount,
    RelieveDealer,
    ReopenWagers,
    SetDecision,
    SetWager,
    Skip,
    StartGame,
    TakeBack,
    VerifyAward,
    VoidRound,
)
from service.rounds.ending import end_game, void_round
from service.rounds.errors import AlreadyDoneError, RoundError, StaleError
from service.rounds.facts import AlertAcknowledged, DealerRelieved
from service.rounds.irregularities import call_supervisor, check_step, close_irregularity, declare_irregularity
from service.rounds.meter import adjust_meter
from service.rounds.outcome import By, Outcome, refuse_void
from service.rounds.paying import (
    come_back,
    confirm,
    hand_button,
    remember_shown,
    skip,
    take_back,
    verify_award,
)
from service.rounds.playing import correct_card, enter_hand, recount, set_decision
from service.rounds.state import Duty, TableState
from service.rounds.wagering import (
    clear_wagers,
    copy_wagers,
    last_bet,
    link_player,
    no_more_bets,
    reopen_wagers,
    set_wager,
    start_game,
)
from service.rounds.watching import take_up_waiting, watch
from vision.events import Event

OBSERVER = "system/observer"
_WAGERING = (SetWager, ClearWagers, LastBet, CopyWagers, LinkPlayer, NoMoreBets, ReopenWagers, StartGame)


def apply(state: TableState, command: AnyCommand, by: By) -> Outcome:
    """Carry out a command."""
    if command.round is not None and command.round != state.round.number:
        raise StaleError(
            f"round {command.round} is over, round {state.round.number} is open; look again", field="round"
        )
    if isinstance(command, _WAGERING):
        refuse_void(state)
    outcome = _HANDLERS[type(command)](state, command, by)
    if isinstance(command, EndGame):
        outcome = take_up_waiting(outcome, replace(by, label=OBSERVER))
    return _remembered(outcome)


def observe(state: TableState, event: Event, by: By, evidence: Iterable[str] = ()) -> Outcome:
    """Take in an event of the observer."""
    return _remembered(watch(state, event, by, evidence))


def _remembered(outcome: Outcome) -> Outcome:
    return Outcome(remember_shown(outcome.state, assess(outcome.state)), outcome.facts)


def _relieve_dealer(state: TableState, command: RelieveDealer, by: By) -> Outcome:
    """Another dealer, whatever stage the round is at."""
    before = state.on_duty
    if before is not None and before.name == by.name:
        raise AlreadyDoneError(f"{by.name} deals at {state.name} already")
    fact = DealerRelieved(round=state.round.number, by=by.label, before=before.name if before else None, after=by.name)
    return Outcome(replace(state, on_duty=Duty(by.name, by.now)), (fact,))


def _acknowledge(state: TableState, command: Acknowledge, by: By) -> Outcome:
    """An alert was seen."""
    alert = next((each for each in state.alerts if each.number == command.alert), None)
    if alert is None:
        raise RoundError(f"there is no alert {command.alert}, or it was acknowledged already", field="alert")
    fact = AlertAcknowledged(round=state.round.number, by=by.label, number=alert.number, kind=alert.kind)
    return Outcome(replace(state, alerts=tuple(each for each in state.alerts if each is not alert)), (fact,))


# A command and what carries it out; each takes its own kind.
_HANDLERS: dict[type, Callable[[TableState, Any, By], Outcome]] = {
    SetWager: set_wager,
    ClearWagers: clear_wagers,
    LastBet: last_bet,
    CopyWagers: copy_wagers,
    LinkPlayer: link_player,
    NoMoreBets: no_more_bets,
    ReopenWagers: reopen_wagers,
    StartGame: start_game,
    SetDecision: set_decision,
    CorrectCard: correct_card,
    EnterHand: enter_hand,
    Recount: recount,
    Confirm: confirm,
    TakeBack: take_back,
    Skip: skip,
    ComeBack: come_back,
    HandButton: hand_button,
    VerifyAward: verify_award,
    AdjustMeter: adjust_meter,
    VoidRound: void_round,
    EndGame: end_game,
    RelieveDealer: _relieve_dealer,
    CallSupervisor: call_supervisor,
    DeclareIrregularity: declare_irregularity,
    CheckStep: check_step,
    CloseIrregularity: close_irregularity,
    Acknowledge: _acknowledge,
}
