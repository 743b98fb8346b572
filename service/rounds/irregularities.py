"""Irregularities that can be declared in two taps, each with its title, its steps and the sentence it rests on."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from service.rounds.commands import CallSupervisor, CheckStep, CloseIrregularity, DeclareIrregularity
from service.rounds.errors import AlreadyDoneError, RoundError
from service.rounds.facts import IrregularityClosed, IrregularityDeclared, StepChecked
from service.rounds.outcome import By, Outcome, the_seat, with_alert
from service.rounds.state import Irregularity, TableState

_WASHINGTON = "Washington rules of play"
_HANDOUT = "the casino handout"


@dataclass(frozen=True)
class Kind:
    """One kind of irregularity."""

    title: str
    rule: str
    steps: tuple[str, ...] = ()


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "shuffler_malfunction": Kind(
            "Shuffler malfunction",
            f"{_WASHINGTON}, Irregularities 2: refer to the trouble shooting guide on the back of the shuffler, or "
            "replace it when it has continually malfunctioned.",
            (
                "Refer to the trouble shooting guide on the back of the shuffler",
                "If it goes on: turn off the shuffler",
                "Unplug the power cord",
                "Replace the shuffler with the backup shuffler",
                "Plug in the power cord and the data cable",
                "Turn the shuffler on",
                "Call the shuffler's maker to service it",
                "Resume play",
            ),
        ),
        "progressive_system": Kind(
            "Progressive system",
            f"{_WASHINGTON}, progressive 8: once an award is logged, it is backed out by the manual adjustment.",
            (
                "Stop: no progressive award is paid meanwhile",
                "Call the supervisor",
                "Compare the meter on the table's display with the one shown here",
                "Adjust the meter by hand where they differ",
                "Resume play",
            ),
        ),
        "cards_touched": Kind(
            "Cards touched by another person",
            f"{_HANDOUT}: no person other than the dealer and the player to whom the cards were dealt may touch them.",
            ("Call the supervisor", "The supervisor decides about the hand"),
        ),
        "side_bet": Kind(
            "Side bet between players",
            f"{_WASHINGTON}, Overview: side bets between players are prohibited.",
            ("Stop the side bet", "Call the supervisor"),
        ),
        "player_left": Kind(
            "Player left the table",
            f"{_HANDOUT}: a player who has wagered and received cards must remain seated until the completion of the "
            "round.",
            ("Leave the hand and the wagers where they are", "Call the supervisor"),
        ),
        "card_exposed": Kind(
            "Card exposed",
            f"{_WASHINGTON}, Irregularities 3: follow procedures approved by the local regulatory body.",
            ("Leave the card where it lies", "Call the supervisor"),
        ),
        "late_wager": Kind(
            "Wager after no more bets",
            f"{_HANDOUT}: wagers must be placed before the dealer announces \"No more bets\".",
            ("Move the chips off the spot", "Call the supervisor where the player objects"),
        ),
        "other": Kind("Something else", "House procedures."),
    }
)  # fmt: skip


def declare_irregularity(state: TableState, command: DeclareIrregularity, by: By) -> Outcome:
    """Enter it in the record."""
    if command.seat is not None:
        the_seat(state, command.seat)
    number = state.counted + 1
    entry = Irregularity(number, command.kind, command.seat, command.note, by.name, by.now)
    fact = IrregularityDeclared(
        round=state.round.number, by=by.label, number=number, kind=command.kind, seat=command.seat, note=command.note
    )
    return Outcome(replace(state, irregularities=(*state.irregularities, entry), counted=number), (fact,))


def check_step(state: TableState, command: CheckStep, by: By) -> Outcome:
    """Tick a step, or take the tick back."""
    entry = _open(state, command.irregularity)
    steps = KINDS[entry.kind].steps
    if command.step >= len(steps):
        raise RoundError(f"that checklist has {len(steps)} steps, numbered from 0", field="step")
    kept = tuple(each for each in entry.done if each[0] != command.step)
    done = (*kept, (command.step, by.name)) if command.done else kept
    fact = StepChecked(round=state.round.number, by=by.label, number=entry.number, step=command.step, done=command.done)
    return Outcome(_with(state, replace(entry, done=tuple(sorted(done)))), (fact,))


def close_irregularity(state: TableState, command: CloseIrregularity, by: By) -> Outcome:
    """It is dealt with."""
    entry = _open(state, command.irregularity)
    fact = IrregularityClosed(round=state.round.number, by=by.label, number=entry.number, note=command.note)
    return Outcome(_with(state, replace(entry, closed=True)), (fact,))


def call_supervisor(state: TableState, command: CallSupervisor, by: By) -> Outcome:
    """Ask the floor to come; the supervisor's page shows it until it is acknowledged."""
    where = "" if command.seat is None else f" at seat {the_seat(state, command.seat).seat}"
    words = f"{by.name} asks for a supervisor{where}" + (f": {command.note}" if command.note else "")
    return with_alert(Outcome(state), by, "supervisor_called", "stop", words, zone=_zone(command.seat))


def _zone(seat: int | None) -> str | None:
    return None if seat is None else f"seat-{seat}"


def _open(state: TableState, number: int) -> Irregularity:
    entry = next((each for each in state.irregularities if each.number == number), None)
    if entry is None:
        raise RoundError(f"there is no irregularity {number} in this round", field="irregularity")
    if entry.closed:
        raise AlreadyDoneError(f"irregularity {number} is closed already")
    return entry


def _with(state: TableState, entry: Irregularity) -> TableState:
    entries = tuple(entry if each.number == entry.number else each for each in state.irregularities)
    return replace(state, irregularities=entries)
