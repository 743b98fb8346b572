"""What a person sees of a table: one JSON document, whole, each time something changed.

`service.rounds.show.table_view` makes it from the table's state. Everything a page needs is here in words as well as in
values, so that a page lays things out and decides nothing.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

Phase = Literal["betting", "closed", "dealing", "decisions", "settling", "envy", "finished", "void"]
SeatStatus = Literal[
    "empty",  # no wager and no cards
    "betting",  # has wagers, the deal has not begun
    "waiting",  # dealt in, the hand has not been turned yet
    "unreadable",  # turned and cannot be read: spread the cards, or enter the hand
    "needs_play",  # the amount of the play wager is not known
    "fault",  # a wager or card breaks a rule; `problem` says which and what to do
    "blocked",  # read, but something comes first: an earlier seat, the supervisor; `problem` says what
    "ready",  # can be confirmed
    "confirmed",
    "skipped",
    "folded",  # folded, and nothing to settle yet
    "void",
]
Move = Literal["pay", "take", "push", "return", "leave"]
Source = Literal["dealer", "api", "last_bet", "copied", "camera", "person"]


@dataclass(frozen=True, slots=True)
class Amount:
    """Money: exact cents as text (`"1500"`, `"1875/2"`), and for people (`"$15"`)."""

    cents: Annotated[str, Field(description="exact cents", examples=["1500", "1875/2"])]
    text: Annotated[str, Field(description="for people", examples=["$15"])]


@dataclass(frozen=True, slots=True)
class ChipView:
    """A chip button."""

    cents: int
    text: Annotated[str, Field(examples=["$25"])]


@dataclass(frozen=True, slots=True)
class SpotView:
    """A wager that this table offers, and what it may be."""

    wager: Annotated[str, Field(description="`ante`, `aces_up`, `bad_beat_bonus`, `progressive`, `aces_baby`, `prime`")]
    title: Annotated[str, Field(description="`Aces Up`")]
    minimum: Amount | None
    maximum: Amount | None
    fixed: Annotated[Amount | None, Field(description="the progressive: this amount or nothing")]


@dataclass(frozen=True, slots=True)
class WagerView:
    """One wager of a seat."""

    wager: str
    title: str
    amount: Amount | None
    source: Source | None
    late: Annotated[bool, Field(description="placed or changed after `No more bets`")]
    reason: Annotated[str, Field(description="why it was changed late")]
    fault: Annotated[str | None, Field(description="why it may not be, in words")]


@dataclass(frozen=True, slots=True)
class CardView:
    """One card of a hand, in the order it was read; `position` is what `correct_card` takes."""

    position: int
    card: Annotated[str | None, Field(description="what counts: the person's word before the machine's")]
    machine: Annotated[str | None, Field(description="what the machine read here")]
    corrected: bool
    confidence: float | None
    plays: Annotated[bool, Field(description="among the four that play")]
    spoken: Annotated[str | None, Field(description="`nine of clubs`")]


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand on the felt."""

    zone: str
    cards: tuple[CardView, ...]
    dealt: Annotated[int | None, Field(description="how many cards were counted there")]
    words: Annotated[str | None, Field(description="`three of a kind, nines`")]
    source: Literal["camera", "corrected", "entered"] | None
    machine: Annotated[
        tuple[str, ...], Field(description="the machine's whole reading, also where a person entered another hand")
    ]
    confidence: float | None
    problem: Annotated[str | None, Field(description="why it cannot be read")]
    advice: str | None
    up_card: Annotated[str | None, Field(description="the dealer's")]
    kept: Annotated[bool, Field(description="stays face up until envy is paid")]
    evidence: Annotated[tuple[str, ...], Field(description="names of the crops that were kept")]


@dataclass(frozen=True, slots=True)
class LineView:
    """One wager of a proposal."""

    wager: str
    title: str
    stake: Amount | None
    result: Annotated[str, Field(description="`win`, `lose`, `forfeit`, `push`, `bad_beat`, `void`, `carried`")]
    result_words: Annotated[str, Field(description="`wins`, `loses`")]
    move: Move
    move_words: Annotated[str, Field(description="`PAY`, `TAKE`")]
    odds: Annotated[str | None, Field(description="`2 to 1`")]
    amount: Annotated[
        Amount | None,
        Field(description="what is paid besides the stake, taken, or given back; null: only the odds are known"),
    ]
    hand: Annotated[str | None, Field(description="the row that pays: `three of a kind`")]
    note: Annotated[str | None, Field(description="an envy line: `seat 3's royal flush`")]
    rule: str


@dataclass(frozen=True, slots=True)
class ProposalView:
    """What a seat is paid. `digest` goes with `confirm`."""

    part: Literal["hand", "envy"]
    digest: str
    lines: tuple[LineView, ...]
    comparison: Annotated[
        str | None, Field(description="`beats dealer`, `ties dealer: player wins`, `dealer wins`, `folded`")
    ]
    total: Annotated[Amount | None, Field(description="all that is paid out of the tray; null: only odds are known")]
    taken: Annotated[Amount | None, Field(description="all that is taken")]
    chips: Annotated[str | None, Field(description="the total as chips: `4×$25 + 1×$5`")]
    odds_only: bool
    can_confirm: bool
    blocked: Annotated[str | None, Field(description="what has to happen first")]
    needs_supervisor: Annotated[bool, Field(description="an award from the meter: the supervisor verifies the hand")]


@dataclass(frozen=True, slots=True)
class PayoutView:
    """A confirmed payout, as it was confirmed."""

    id: str
    part: Literal["hand", "envy"]
    lines: tuple[LineView, ...]
    total: Amount | None
    chips: str | None
    by: str
    at: Annotated[str, Field(description="ISO 8601, UTC")]
    differs: Annotated[
        str | None, Field(description="set when the table now says otherwise: take it back and confirm again")
    ]
    taken_back: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat."""

    seat: int
    zone: str
    player: Annotated[str, Field(description="seats with the same player are linked")]
    linked_with: tuple[int, ...]
    status: SeatStatus
    status_words: Annotated[
        str, Field(description="for the strip of seats: `6 ✓`, `5 folded`, `4 ▶`, `3 ready`, `1 reading…`")
    ]
    problem: str | None
    is_current: bool
    wagers_known: bool
    wagers: tuple[WagerView, ...]
    sensor_lit: Annotated[bool, Field(description="a locked progressive bet")]
    hand_button: bool
    award_verified: bool
    decision: Literal["play", "fold"] | None
    decision_from: Source | None
    play: Amount | None
    play_choices: Annotated[tuple[ChipView, ...], Field(description="one, two, three times the ante")]
    hand: HandView
    proposal: Annotated[ProposalView | None, Field(description="the next thing to confirm at this seat")]
    payouts: tuple[PayoutView, ...]


@dataclass(frozen=True, slots=True)
class UndoView:
    """After a void: what goes back, one line a wager of a seat that had been paid."""

    seat: int
    wager: str
    title: str
    paid: Annotated[Amount | None, Field(description="was paid: take it back from the player")]
    taken: Annotated[Amount | None, Field(description="was taken: give it back to the player")]
    words: Annotated[str, Field(description="`take back $30 paid on play`")]


@dataclass(frozen=True, slots=True)
class VoidView:
    """The void screen. `pending`: the machine says so and nobody has decided yet."""

    pending: bool
    reason: Annotated[str, Field(description="`wrong_card_count`")]
    words: Annotated[str, Field(description="`seat-4 has 6 cards, not 5`")]
    zone: str | None
    expected: int | None
    seen: int | None
    rule: str
    advice: str
    evidence: tuple[str, ...]
    undo: tuple[UndoView, ...]
    returns: Annotated[
        tuple[LineView, ...], Field(description="every wager that goes back, of seats that were not paid")
    ]
    undo_total: Annotated[Amount | None, Field(description="net of all undo lines: above 0 comes back to the tray")]
    by: str | None
    at: str | None


@dataclass(frozen=True, slots=True)
class StepView:
    """A step of a checklist."""

    step: int
    text: Annotated[str, Field(examples=["Turn the shuffler on"])]
    done: bool
    by: str | None


@dataclass(frozen=True, slots=True)
class IrregularityView:
    """An irregularity of this round that is in the record."""

    number: int
    kind: str
    title: Annotated[str, Field(examples=["Shuffler malfunction"])]
    seat: int | None
    note: str
    steps: tuple[StepView, ...]
    rule: Annotated[str, Field(description="the sentence it rests on")]
    by: str
    at: str
    closed: bool


@dataclass(frozen=True, slots=True)
class AlertView:
    """Something that wants attention until it is acknowledged."""

    number: int
    kind: Annotated[
        str,
        Field(
            description="an event's kind (`duplicate_card`, …), `supervisor_called`, `reading_changed`, `round_missed`"
        ),
    ]
    level: Literal["notice", "warning", "stop"]
    words: str
    advice: str | None
    zone: str | None
    at: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KindView:
    """A kind of irregularity that can be declared."""

    kind: str
    title: Annotated[str, Field(examples=["Shuffler malfunction"])]


@dataclass(frozen=True, slots=True)
class CameraView:
    """What the events say of the camera; its frame rate comes with the picture."""

    status: Literal["none", "live", "lost", "moved"]
    words: Annotated[str, Field(description="for people", examples=["camera live"])]
    since: str | None


@dataclass(frozen=True, slots=True)
class MeterView:
    """The progressive meter as it stands: bets of this round counted in once they are locked."""

    amount: Amount
    reserve: Amount
    denomination: Amount
    locked: bool
    sensors: Annotated[tuple[int, ...], Field(description="lit seats")]


@dataclass(frozen=True, slots=True)
class DutyView:
    """Who deals."""

    name: Annotated[str, Field(examples=["Ann"])]
    since: Annotated[str, Field(description="ISO 8601, UTC", examples=["2026-11-18T21:14:07+00:00"])]


@dataclass(frozen=True, slots=True)
class TableView:
    """The whole table."""

    revision: Annotated[int, Field(description="rises by one with each change")]
    table: Annotated[str, Field(description="its name in addresses: `table-12`")]
    name: Annotated[str, Field(description="`Table 12`")]
    game: Literal["FCP", "PRIME"]
    game_title: str
    profile: str
    rules_version: int
    pay_tables: Annotated[dict[str, str | None], Field(description="by role")]
    round: int
    phase: Phase
    phase_words: str
    can: Annotated[
        tuple[str, ...],
        Field(description="commands of the round that would be accepted now: `no_more_bets`, `end_game`, …"),
    ]
    cannot_end: Annotated[str | None, Field(description="why `End game` is refused, when it is")]
    chips: tuple[ChipView, ...]
    spots: tuple[SpotView, ...]
    order: Annotated[tuple[int, ...], Field(description="seats in the order they are settled")]
    current_seat: int | None
    seats: Annotated[tuple[SeatView, ...], Field(description="by number")]
    dealer: HandView
    void: VoidView | None
    alerts: tuple[AlertView, ...]
    irregularities: tuple[IrregularityView, ...]
    irregularity_kinds: tuple[KindView, ...]
    camera: CameraView
    meter: MeterView | None
    on_duty: DutyView | None
    next_round_waiting: Annotated[
        bool, Field(description="the camera has seen the next round begin; end this one to go on")
    ]
    live: Annotated[bool, Field(description="a table with real money; false: training or demonstration")]
