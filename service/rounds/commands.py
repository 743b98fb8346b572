"""Every command that a dealer, a supervisor or a chip-tracking system can give a table, and its JSON form.

A command is a flat JSON object, `{"id": "…", "command": "confirm", "round": 12, "seat": 4, …}`. `id` is chosen by
whoever sends it: the same id sent twice is done once and answered twice. `round` is the round the sender saw; when
the table has gone on since, the command is refused instead of falling upon the wrong round. Amounts are whole cents.

>>> command = command_from_json({"id": "7d1c", "command": "skip", "round": 12, "seat": 4})
>>> command
Skip(id='7d1c', round=12, command='skip', seat=4, reason='')
>>> command_to_json(command)["command"]
'skip'
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from service.rounds.errors import BadCommand

Needs = Literal["deal", "wager", "floor", "supervise", "meter"]
Part = Literal["hand", "envy"]
SeatNumber = Annotated[int, Field(strict=True, ge=1, le=7, description="1 is the dealer's far left")]
Cents = Annotated[int, Field(strict=True, ge=0, le=100_000_000, description="whole cents")]
ZoneName = Annotated[str, Field(pattern=r"^(dealer|seat-[1-7])$", description="dealer or seat-1 … seat-7")]
CardText = Annotated[str, Field(pattern=r"^[2-9TJQKA][cdhs]$", description="rank then suit, like As or Td")]
Reason = Annotated[str, Field(min_length=1, max_length=500, description="why, in the person's own words")]
Note = Annotated[str, Field(max_length=500)]
WagerName = Literal["ante", "aces_up", "bad_beat_bonus", "progressive", "aces_baby", "prime"]
IrregularityKind = Literal[
    "shuffler_malfunction",
    "progressive_system",
    "cards_touched",
    "side_bet",
    "player_left",
    "card_exposed",
    "late_wager",
    "other",
]
VoidReason = Literal["wrong_card_count", "duplicate_card", "foreign_card", "exposed_card", "shuffler", "other"]


@dataclass(frozen=True, kw_only=True)
class Command:
    """What all commands have; `needs` says whose permission it takes."""

    __pydantic_config__ = ConfigDict(extra="forbid", str_strip_whitespace=True)
    needs: ClassVar[Needs] = "deal"

    id: Annotated[str, Field(min_length=1, max_length=64, description="idempotency key, a UUID of the sender's")]
    round: Annotated[
        int | None, Field(strict=True, ge=1, description="the round the sender looked at; null: whichever is open")
    ] = None


# --- wagers


@dataclass(frozen=True, kw_only=True)
class SetWager(Command):
    """Put an amount on a spot; 0 takes it away. After "No more bets" it needs a reason and stays marked as late."""

    needs: ClassVar[Needs] = "wager"
    command: Literal["set_wager"] = "set_wager"
    seat: SeatNumber
    wager: WagerName
    amount: Cents
    reason: Note = ""


@dataclass(frozen=True, kw_only=True)
class ClearWagers(Command):
    """The seat bets nothing in this round."""

    needs: ClassVar[Needs] = "wager"
    command: Literal["clear_wagers"] = "clear_wagers"
    seat: SeatNumber
    reason: Note = ""


@dataclass(frozen=True, kw_only=True)
class LastBet(Command):
    """The seat's wagers of the round before; without a seat, every seat's."""

    command: Literal["last_bet"] = "last_bet"
    seat: SeatNumber | None = None
    reason: Note = ""


@dataclass(frozen=True, kw_only=True)
class CopyWagers(Command):
    """The wagers of another seat."""

    command: Literal["copy_wagers"] = "copy_wagers"
    seat: SeatNumber
    from_seat: SeatNumber
    reason: Note = ""


@dataclass(frozen=True, kw_only=True)
class LinkPlayer(Command):
    """These seats are one player's (nobody collects envy from himself); one seat alone is unlinked again."""

    command: Literal["link_player"] = "link_player"
    seats: Annotated[tuple[SeatNumber, ...], Field(min_length=1, max_length=7)]


@dataclass(frozen=True, kw_only=True)
class NoMoreBets(Command):
    """Close the wagers."""

    command: Literal["no_more_bets"] = "no_more_bets"


@dataclass(frozen=True, kw_only=True)
class ReopenWagers(Command):
    """Let wagers be placed again; refused once cards were dealt or progressive bets were locked."""

    command: Literal["reopen_wagers"] = "reopen_wagers"
    reason: Reason


@dataclass(frozen=True, kw_only=True)
class StartGame(Command):
    """Lock the progressive bets: the sensors light up. Closes the wagers if they are still open."""

    needs: ClassVar[Needs] = "wager"
    command: Literal["start_game"] = "start_game"


# --- play


@dataclass(frozen=True, kw_only=True)
class SetDecision(Command):
    """The seat folds, or plays (raises) with an amount; a change after its payout is refused."""

    command: Literal["set_decision"] = "set_decision"
    seat: SeatNumber
    decision: Literal["play", "fold"]
    play: Annotated[Cents | None, Field(description="the play or raise wager; null when it is not known")] = None
    reason: Note = ""


@dataclass(frozen=True, kw_only=True)
class CorrectCard(Command):
    """What a card really is; the machine's reading is kept beside it."""

    command: Literal["correct_card"] = "correct_card"
    zone: ZoneName
    position: Annotated[int, Field(strict=True, ge=0, le=7, description="its place in the hand's list of cards")]
    was: Annotated[CardText | None, Field(description="the card shown there; refused when it has changed since")] = None
    card: CardText


@dataclass(frozen=True, kw_only=True)
class EnterHand(Command):
    """A whole hand typed in, for one that cannot be read."""

    command: Literal["enter_hand"] = "enter_hand"
    zone: ZoneName
    cards: Annotated[tuple[CardText, ...], Field(min_length=1, max_length=8)]
    up_card: Annotated[CardText | None, Field(description="the dealer's, when it is not known yet")] = None


@dataclass(frozen=True, kw_only=True)
class Recount(Command):
    """Look at a hand again: what the camera counted or could not read there is set aside until it is seen anew."""

    command: Literal["recount"] = "recount"
    zone: ZoneName


# --- payouts


@dataclass(frozen=True, kw_only=True)
class Confirm(Command):
    """Pay what the proposal says. `digest` is the proposal's: when it changed since, nothing is paid."""

    command: Literal["confirm"] = "confirm"
    seat: SeatNumber
    part: Part = "hand"
    digest: Annotated[str, Field(min_length=8, max_length=64, description="of the proposal that was on the screen")]


@dataclass(frozen=True, kw_only=True)
class TakeBack(Command):
    """Undo a confirmed payout: a new record beside the old one, with a reason. The seat can be confirmed again."""

    needs: ClassVar[Needs] = "supervise"
    command: Literal["take_back"] = "take_back"
    seat: SeatNumber
    part: Part = "hand"
    reason: Reason


@dataclass(frozen=True, kw_only=True)
class Skip(Command):
    """Leave the seat for later; the next one comes up."""

    command: Literal["skip"] = "skip"
    seat: SeatNumber
    reason: Note = ""


@dataclass(frozen=True, kw_only=True)
class ComeBack(Command):
    """Take up a skipped seat again."""

    command: Literal["come_back"] = "come_back"
    seat: SeatNumber


@dataclass(frozen=True, kw_only=True)
class HandButton(Command):
    """Press the winner's hand button of a seat, or press it off again."""

    command: Literal["hand_button"] = "hand_button"
    seat: SeatNumber
    pressed: bool


@dataclass(frozen=True, kw_only=True)
class VerifyAward(Command):
    """A supervisor has verified the hand behind an award from the meter."""

    needs: ClassVar[Needs] = "supervise"
    command: Literal["verify_award"] = "verify_award"
    seat: SeatNumber


@dataclass(frozen=True, kw_only=True)
class AdjustMeter(Command):
    """The manual adjustment of the progressive meter; only between rounds."""

    needs: ClassVar[Needs] = "meter"
    command: Literal["adjust_meter"] = "adjust_meter"
    change: Annotated[
        int, Field(strict=True, ge=-1_000_000_000, le=1_000_000_000, description="cents, below 0 takes off")
    ]
    reason: Reason


# --- the round


@dataclass(frozen=True, kw_only=True)
class VoidRound(Command):
    """Every hand is void: wagers go back, and whatever was paid is listed to be taken back."""

    needs: ClassVar[Needs] = "floor"
    command: Literal["void_round"] = "void_round"
    reason: VoidReason
    note: Note = ""


@dataclass(frozen=True, kw_only=True)
class EndGame(Command):
    """Close the round. With seats left open it needs a reason, and they stay recorded as unsettled."""

    command: Literal["end_game"] = "end_game"
    reason: Note = ""


# --- beside the game


@dataclass(frozen=True, kw_only=True)
class RelieveDealer(Command):
    """The person who is signed in takes the table over from the dealer on duty, in mid-round if need be."""

    command: Literal["relieve_dealer"] = "relieve_dealer"


@dataclass(frozen=True, kw_only=True)
class CallSupervisor(Command):
    """Ask the floor to come."""

    needs: ClassVar[Needs] = "floor"
    command: Literal["call_supervisor"] = "call_supervisor"
    seat: SeatNumber | None = None
    note: Note = ""


@dataclass(frozen=True, kw_only=True)
class DeclareIrregularity(Command):
    """Enter an irregularity in the record; some kinds come with the documents' steps as a checklist."""

    needs: ClassVar[Needs] = "floor"
    command: Literal["declare_irregularity"] = "declare_irregularity"
    kind: IrregularityKind
    seat: SeatNumber | None = None
    note: Note = ""


@dataclass(frozen=True, kw_only=True)
class CheckStep(Command):
    """Tick a step of an irregularity's checklist, or take the tick back."""

    needs: ClassVar[Needs] = "floor"
    command: Literal["check_step"] = "check_step"
    irregularity: Annotated[int, Field(strict=True, ge=1)]
    step: Annotated[int, Field(strict=True, ge=0, le=50)]
    done: bool = True


@dataclass(frozen=True, kw_only=True)
class CloseIrregularity(Command):
    """It is dealt with."""

    needs: ClassVar[Needs] = "floor"
    command: Literal["close_irregularity"] = "close_irregularity"
    irregularity: Annotated[int, Field(strict=True, ge=1)]
    note: Note = ""


@dataclass(frozen=True, kw_only=True)
class Acknowledge(Command):
    """An alert was seen."""

    needs: ClassVar[Needs] = "floor"
    command: Literal["acknowledge"] = "acknowledge"
    alert: Annotated[int, Field(strict=True, ge=1)]


AnyCommand = (
    SetWager
    | ClearWagers
    | LastBet
    | CopyWagers
    | LinkPlayer
    | NoMoreBets
    | ReopenWagers
    | StartGame
    | SetDecision
    | CorrectCard
    | EnterHand
    | Recount
    | Confirm
    | TakeBack
    | Skip
    | ComeBack
    | HandButton
    | VerifyAward
    | AdjustMeter
    | VoidRound
    | EndGame
    | RelieveDealer
    | CallSupervisor
    | DeclareIrregularity
    | CheckStep
    | CloseIrregularity
    | Acknowledge
)
TaggedCommand = Annotated[AnyCommand, Field(discriminator="command")]
_ADAPTER: TypeAdapter[AnyCommand] = TypeAdapter(TaggedCommand)


def command_from_json(content: Mapping[str, object]) -> AnyCommand:
    """Read a command; what is none raises `BadCommand`, naming the field."""
    try:
        return _ADAPTER.validate_python(dict(content))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"][1:]) or "command"
        raise BadCommand(f"{field}: {first['msg']}", field=field) from error


def command_to_json(command: AnyCommand) -> dict[str, Any]:
    """Its JSON object."""
    content: dict[str, Any] = _ADAPTER.dump_python(command, mode="json")
    return content
