"""What happened at a table, for the record: typed, frozen, each with who did it; store and audit log write these.

A fact says what was before and what is after, in values that JSON can hold; amounts are exact text in cents.
"""

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from service.rounds.view import LineView

Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One thing that happened. `action` is its name in the audit log."""

    action: ClassVar[str] = ""
    audited: ClassVar[bool] = True

    round: int
    by: str  # label of the person, program or part of the system

    def content(self) -> Json:
        """Its fields for the record, without the round and the actor, which the record has of its own."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name not in ("by", "round")}


@dataclass(frozen=True, kw_only=True)
class RoundOpened(Fact):
    """A round began to take wagers."""

    action: ClassVar[str] = "round_opened"
    rules_version: int


@dataclass(frozen=True, kw_only=True)
class WagerSet(Fact):
    """A wager was placed, changed or taken away."""

    action: ClassVar[str] = "wager_set"
    seat: int
    wager: str
    before: int
    after: int
    source: str
    late: bool
    reason: str


@dataclass(frozen=True, kw_only=True)
class WagersClosed(Fact):
    """No more bets."""

    action: ClassVar[str] = "wagers_closed"


@dataclass(frozen=True, kw_only=True)
class WagersReopened(Fact):
    """Bets again."""

    action: ClassVar[str] = "wagers_reopened"
    reason: str


@dataclass(frozen=True, kw_only=True)
class ProgressiveLocked(Fact):
    """The sensors locked the progressive bets."""

    action: ClassVar[str] = "progressive_locked"
    seats: tuple[int, ...]
    late: bool


@dataclass(frozen=True, kw_only=True)
class MeterMoved(Fact):
    """The meter changed; `kind` is coin_in, award, reset, undone or set."""

    action: ClassVar[str] = "meter_moved"
    kind: str
    amount_before: str
    amount_after: str
    reserve_before: str
    reserve_after: str
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class PlayersLinked(Fact):
    """Seats belong to one player, or no longer."""

    action: ClassVar[str] = "players_linked"
    seats: tuple[int, ...]
    player: str


@dataclass(frozen=True, kw_only=True)
class DecisionSet(Fact):
    """A seat folded or played, as a person or the camera says."""

    action: ClassVar[str] = "decision_set"
    seat: int
    before: Json | None
    after: Json | None
    source: str
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class ReadingMade(Fact):
    """The machine saw something: the event as it came."""

    action: ClassVar[str] = "reading_made"
    audited: ClassVar[bool] = False  # the readings have a table of their own; what rests on them is audited
    event: Json
    evidence: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class CardCorrected(Fact):
    """A person says what a card is."""

    action: ClassVar[str] = "card_corrected"
    zone: str
    position: int
    before: str
    after: str
    machine: tuple[str, ...]
    person: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class HandEntered(Fact):
    """A person typed in a whole hand."""

    action: ClassVar[str] = "hand_entered"
    zone: str
    machine: tuple[str, ...]
    person: tuple[str, ...]
    up_card: str | None


@dataclass(frozen=True, kw_only=True)
class HandSetAside(Fact):
    """A hand is to be counted and read again."""

    action: ClassVar[str] = "recount"
    zone: str
    before: Json


@dataclass(frozen=True, kw_only=True)
class PayoutConfirmed(Fact):
    """A person confirmed a payout. `basis` is everything it rests on."""

    action: ClassVar[str] = "payout_confirmed"
    seat: int
    part: str
    payout: str
    digest: str
    lines: tuple[LineView, ...]
    total: str | None
    taken: str | None
    basis: Json


@dataclass(frozen=True, kw_only=True)
class PayoutTakenBack(Fact):
    """A confirmed payout was undone."""

    action: ClassVar[str] = "payout_taken_back"
    seat: int
    part: str
    payout: str
    total: str | None
    reason: str


@dataclass(frozen=True, kw_only=True)
class SeatSkipped(Fact):
    """A seat was left for later, or taken up again."""

    action: ClassVar[str] = "seat_skipped"
    seat: int
    skipped: bool
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class HandButtonPressed(Fact):
    """The winner's hand button of a seat."""

    action: ClassVar[str] = "hand_button"
    seat: int
    pressed: bool


@dataclass(frozen=True, kw_only=True)
class AwardVerified(Fact):
    """A supervisor verified the hand behind an award from the meter."""

    action: ClassVar[str] = "award_verified"
    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class RoundVoided(Fact):
    """Every hand is void. `undo` is what had been paid or taken and goes back."""

    action: ClassVar[str] = "round_voided"
    reason: str
    words: str
    note: str
    undo: tuple[Json, ...]
    returns: tuple[Json, ...]


@dataclass(frozen=True, kw_only=True)
class RoundClosed(Fact):
    """The round is over. `case` is what it was settled from, in the form that `foursight settle` reads."""

    action: ClassVar[str] = "round_closed"
    status: str  # closed, void
    reason: str
    unsettled: tuple[int, ...]
    case: Json
    settlement: Json | None


@dataclass(frozen=True, kw_only=True)
class RoundMissed(Fact):
    """The camera saw a round that nobody handled, because the one before was never ended."""

    action: ClassVar[str] = "round_missed"
    events: int


@dataclass(frozen=True, kw_only=True)
class DealerRelieved(Fact):
    """Another dealer deals."""

    action: ClassVar[str] = "dealer_relieved"
    before: str | None
    after: str


@dataclass(frozen=True, kw_only=True)
class IrregularityDeclared(Fact):
    """Something out of the ordinary."""

    action: ClassVar[str] = "irregularity_declared"
    number: int
    kind: str
    seat: int | None
    note: str


@dataclass(frozen=True, kw_only=True)
class StepChecked(Fact):
    """A step of an irregularity's checklist."""

    action: ClassVar[str] = "step_checked"
    number: int
    step: int
    done: bool


@dataclass(frozen=True, kw_only=True)
class IrregularityClosed(Fact):
    """It is dealt with."""

    action: ClassVar[str] = "irregularity_closed"
    number: int
    note: str


@dataclass(frozen=True, kw_only=True)
class AlertRaised(Fact):
    """Something wants attention."""

    action: ClassVar[str] = "alert_raised"
    number: int
    kind: str
    level: str
    words: str
    zone: str | None
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class AlertAcknowledged(Fact):
    """It was seen."""

    action: ClassVar[str] = "alert_acknowledged"
    number: int
    kind: str


@dataclass(frozen=True, kw_only=True)
class AlertDropped(Fact):
    """Nobody saw it, and it gave way to newer ones: a table keeps so many open alerts at most."""

    action: ClassVar[str] = "alert_dropped"
    number: int
    kind: str


@dataclass(frozen=True, kw_only=True)
class RulesApplied(Fact):
    """A version of the rules is in effect for the round, or will be with the next."""

    action: ClassVar[str] = "rules_applied"
    version: int
    at_once: bool
