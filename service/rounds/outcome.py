"""What a command or event makes of a table: the next state and the facts for the record."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from game.money import spoken_money
from service.rounds.errors import AlreadyDoneError, RoundError, WrongPhaseError
from service.rounds.facts import AlertDropped, AlertRaised, Fact
from service.rounds.state import Alert, Hand, Level, Seat, TableState

MOST_ALERTS = 50


@dataclass(frozen=True)
class By:
    """Who does something, and when."""

    label: str  # for the record: account/ann, token/chips, system/observer
    name: str  # for people: Ann
    now: str  # ISO 8601, UTC

    @property
    def is_program(self) -> bool:
        """Whether it came through the API with a token."""
        return self.label.startswith("token/")


@dataclass(frozen=True)
class Outcome:
    """The next state, and what happened."""

    state: TableState
    facts: tuple[Fact, ...] = ()

    def then(self, state: TableState, *facts: Fact) -> "Outcome":
        """One more step."""
        return Outcome(state, (*self.facts, *facts))


def the_seat(state: TableState, number: int) -> Seat:
    """A seat, or a refusal."""
    seat = state.seat(number)
    if seat is None:
        most = len(state.round.seats)
        raise RoundError(f"{state.name} has no seat {number}; seats are 1 to {most}", field="seat")
    return seat


def the_hand(state: TableState, zone: str) -> Hand:
    """A hand, or a refusal."""
    hand = state.hand(zone)
    if hand is None:
        raise RoundError(f"{state.name} has no {zone}", field="zone")
    return hand


def refuse_unpayable(state: TableState, amount: int, field: str) -> None:
    """Refuse money that cannot lie on a spot of a live table: a slip, or dollars sent as cents."""
    rules = state.round.version.rules
    smallest = min(rules.chips)
    if rules.live and amount % smallest:
        raise RoundError(
            f"{spoken_money(amount)} cannot be made of this table's chips, the smallest of which is "
            f"{spoken_money(smallest)}; amounts are in cents",
            field=field,
        )


def refuse_settled(seat: Seat) -> None:
    """Refuse to change what a standing payout rests on."""
    payout = seat.standing("hand")
    if payout is not None:
        raise AlreadyDoneError(
            f"seat {seat.seat} was confirmed by {payout.by} at {payout.at[11:19]}; take the payout back first"
        )


def refuse_void(state: TableState) -> None:
    """Refuse in a void round."""
    if state.round.void is not None:
        raise WrongPhaseError(f"round {state.round.number} is void; end the game to go on")


def with_alert(
    outcome: Outcome,
    by: By,
    kind: str,
    level: Level,
    words: str,
    *,
    advice: str | None = None,
    zone: str | None = None,
    evidence: Iterable[str] = (),
) -> Outcome:
    """Raise an alert; the oldest notices give way when there are too many."""
    state = outcome.state
    number = state.counted + 1
    alert = Alert(number, kind, level, words, by.now, advice, zone, tuple(evidence))
    if len(state.alerts) >= MOST_ALERTS:
        outcome = _without_least(outcome, by)
    fact = AlertRaised(
        round=state.round.number, by=by.label, number=number, kind=kind, level=level, words=words, zone=zone,
        evidence=alert.evidence,
    )  # fmt: skip
    return outcome.then(replace(outcome.state, alerts=(*outcome.state.alerts, alert), counted=number), fact)


def _without_least(outcome: Outcome, by: By) -> Outcome:
    """The oldest notice gives way, or else the oldest of all."""
    state = outcome.state
    least = min(state.alerts, key=lambda alert: (alert.level != "notice", alert.number))
    fact = AlertDropped(round=state.round.number, by=by.label, number=least.number, kind=least.kind)
    return outcome.then(replace(state, alerts=tuple(each for each in state.alerts if each is not least)), fact)
