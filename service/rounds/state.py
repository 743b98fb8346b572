"""The state of one table: plain frozen values, stored as JSON after every change, so that a restart goes on from here.

In: nothing but what events and commands brought. Out: the one value that proposals, view and record are made of.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from pydantic import TypeAdapter

from service.rounds.commands import Part
from service.rounds.money import Cents
from service.rounds.rules import RulesVersion
from service.rounds.view import LineView, Source

Level = Literal["notice", "warning", "stop"]


@dataclass(frozen=True)
class Hand:
    """A hand on the felt: what the machine read, and beside it what a person says."""

    machine: tuple[str, ...] = ()
    confidence: float | None = None
    confidences: tuple[float, ...] = ()  # by card, where the observer states them
    person: tuple[str, ...] | None = None  # the whole hand as a person has it
    entered: bool = False  # typed in whole, not corrected card by card
    up_card: str | None = None  # the dealer's
    here: bool = False  # cards lie or lay here
    dealt: int | None = None  # how many, where they could be counted
    problem: str | None = None  # why it cannot be read or settled
    advice: str | None = None
    evidence: tuple[str, ...] = ()  # names of crops

    @property
    def cards(self) -> tuple[str, ...]:
        """What counts: the person's word before the machine's."""
        return self.machine if self.person is None else self.person

    @property
    def is_known(self) -> bool:
        """Whether there are cards to settle, and nothing wrong with them that nobody has put right."""
        return bool(self.cards) and (self.person is not None or self.problem is None)


@dataclass(frozen=True)
class Wager:
    """What lies on one spot."""

    name: str
    amount: int  # cents
    source: Source
    late: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Payout:
    """A payout that a person confirmed; it never changes but for being taken back."""

    id: str  # of the command that confirmed it
    part: Part
    digest: str  # of the proposal it was confirmed with
    settled: str  # digest of what it rests on, to see when that changes afterwards
    lines: tuple[LineView, ...]
    total: Cents | None  # paid out of the tray; None: only odds were known
    taken: Cents | None
    by: str
    at: str
    taken_back: bool = False


@dataclass(frozen=True)
class Shown:
    """A proposal that stood on the screens: what a late tap is compared with."""

    digest: str
    words: str


@dataclass(frozen=True)
class Seat:
    """One betting position in this round."""

    seat: int
    player: str
    wagers: tuple[Wager, ...] | None = None  # None: nobody said what lies there
    carried: bool = False  # its progressive bet was carried over from a void round
    decision: Literal["play", "fold"] | None = None
    decision_from: Source | None = None
    play: int | None = None
    left: str = ""  # what became of a folded hand's cards, as the observer saw: taken, sensor, bonus, kept
    hand: Hand = Hand()
    skipped: bool = False
    hand_button: bool = False
    verified_by: str | None = None
    payouts: tuple[Payout, ...] = ()
    shown: tuple[Shown, ...] = ()

    @property
    def zone(self) -> str:
        """Its name at the table."""
        return f"seat-{self.seat}"

    @property
    def is_dealt(self) -> bool:
        """Whether cards came here."""
        return self.hand.here or bool(self.hand.cards)

    @property
    def takes_part(self) -> bool:
        """Whether it has to be settled."""
        return self.is_dealt or any(wager.amount for wager in self.wagers or ())

    def amount(self, name: str) -> int:
        """What lies on a spot, 0 where nothing does."""
        return next((wager.amount for wager in self.wagers or () if wager.name == name), 0)

    def standing(self, part: Part) -> Payout | None:
        """The confirmed payout that was not taken back."""
        return next((each for each in self.payouts if each.part == part and not each.taken_back), None)


@dataclass(frozen=True)
class Doubt:
    """The machine says that the deal is void; a person decides."""

    reason: str
    words: str
    zone: str | None = None
    expected: int | None = None
    seen: int | None = None
    advice: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class Undo:
    """What a void gives back of one wager of a seat that had been settled."""

    seat: int
    wager: str
    paid: Cents | None
    taken: Cents | None


@dataclass(frozen=True)
class Void:
    """A void round."""

    doubt: Doubt
    note: str
    by: str
    at: str
    undo: tuple[Undo, ...] = ()
    settled: tuple[int, ...] = ()  # seats whose hands had been settled


@dataclass(frozen=True)
class Irregularity:
    """One entry of the record, with the steps that were done."""

    number: int
    kind: str
    seat: int | None
    note: str
    by: str
    at: str
    done: tuple[tuple[int, str], ...] = ()  # step and who did it
    closed: bool = False


@dataclass(frozen=True)
class Alert:
    """Something that wants attention."""

    number: int
    kind: str
    level: Level
    words: str
    at: str
    advice: str | None = None
    zone: str | None = None
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class Round:
    """The open round; there always is one."""

    number: int
    opened_at: str
    version: RulesVersion
    seats: tuple[Seat, ...]
    dealer: Hand = Hand()
    observer_round: int | None = None  # the observer's own number, once it saw something of this round
    dealing: bool = False  # a card was dealt
    closed_by: str | None = None  # who closed the wagers: a person, or the deal itself
    locked: bool = False  # progressive bets
    doubt: Doubt | None = None
    void: Void | None = None
    moved: tuple[Cents, Cents] = (Fraction(0), Fraction(0))  # what this round did to meter and reserve so far


@dataclass(frozen=True)
class MeterState:
    """The meter as it stands now."""

    amount: Cents
    reserve: Cents


@dataclass(frozen=True)
class Duty:
    """Who deals, since when."""

    name: str
    since: str


@dataclass(frozen=True)
class Camera:
    """What events said of the camera."""

    status: Literal["none", "live", "lost", "moved"] = "none"
    words: str = "no camera yet"
    since: str | None = None


@dataclass(frozen=True)
class TableState:
    """Everything of one table."""

    table: str
    name: str
    round: Round
    next_version: RulesVersion | None = None  # takes effect with the next round
    last_observer_round: int | None = None  # of the round before: what still comes of it is over
    last_wagers: tuple[tuple[int, tuple[Wager, ...]], ...] = ()  # by seat, of the round before
    meter: MeterState | None = None
    on_duty: Duty | None = None
    irregularities: tuple[Irregularity, ...] = ()  # of this round, and any still open
    alerts: tuple[Alert, ...] = ()
    counted: int = 0  # numbers given to irregularities and alerts
    camera: Camera = Camera()
    waiting: tuple[str, ...] = ()  # events of the next round, as lines of JSON

    def seat(self, number: int) -> Seat | None:
        """A seat of this table."""
        return next((seat for seat in self.round.seats if seat.seat == number), None)

    def with_seat(self, seat: Seat) -> "TableState":
        """The table with one seat changed."""
        return self.with_seats([seat])

    def with_seats(self, changed: Iterable[Seat]) -> "TableState":
        """The table with seats changed."""
        by_number = {seat.seat: seat for seat in changed}
        seats = tuple(by_number.get(seat.seat, seat) for seat in self.round.seats)
        return self.with_round(seats=seats)

    def with_round(self, **changes: Any) -> "TableState":  # noqa: ANN401  # fields of Round, of any type
        """The table with its round changed."""
        return replace(self, round=replace(self.round, **changes))

    def hand(self, zone: str) -> Hand | None:
        """The hand of a zone; None where the table has no such zone."""
        if zone == "dealer":
            return self.round.dealer
        seat = self.seat(int(zone.removeprefix("seat-")))
        return None if seat is None else seat.hand

    def with_hand(self, zone: str, hand: Hand) -> "TableState":
        """The table with one hand changed."""
        if zone == "dealer":
            return self.with_round(dealer=hand)
        seat = self.seat(int(zone.removeprefix("seat-")))
        return self if seat is None else self.with_seat(replace(seat, hand=hand))


def new_round(number: int, version: RulesVersion, seats: Iterable[int], at: str) -> Round:
    """An empty round."""
    return Round(number, at, version, tuple(Seat(seat, f"seat {seat}") for seat in sorted(seats)))


def new_table(table: str, name: str, seats: int, version: RulesVersion, at: str) -> TableState:
    """A table before its first round; its meter, where it has one, starts at the seed."""
    terms = version.rules.terms
    meter = None if terms is None else MeterState(terms.seed, Fraction(0))
    return TableState(table, name, new_round(1, version, range(1, seats + 1), at), meter=meter)


_ADAPTER: TypeAdapter[TableState] = TypeAdapter(TableState)


def state_to_json(state: TableState) -> dict[str, Any]:
    """The whole state for the store."""
    content: dict[str, Any] = _ADAPTER.dump_python(state, mode="json")
    return content


def state_from_json(content: object) -> TableState:
    """The state again."""
    return _ADAPTER.validate_python(content)
