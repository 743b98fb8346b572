"""Payouts: confirmed on exactly what was shown, taken back with a reason, skipped; awards with button and verifier."""

from dataclasses import replace
from fractions import Fraction

from game.money import money_text
from service.rounds.assess import Assessment, Standing, assess
from service.rounds.commands import ComeBack, Confirm, HandButton, Part, Skip, TakeBack, VerifyAward
from service.rounds.errors import AlreadyDoneError, RoundError, StaleError, WrongPhaseError
from service.rounds.facts import (
    AwardVerified,
    HandButtonPressed,
    PayoutConfirmed,
    PayoutTakenBack,
    SeatSkipped,
)
from service.rounds.meter import move_meter
from service.rounds.outcome import By, Outcome, refuse_settled, refuse_void, the_seat
from service.rounds.proposals import Proposal, payout_basis
from service.rounds.state import Payout, Seat, Shown, TableState

_SHOWN_KEPT = 6


def confirm(state: TableState, command: Confirm, by: By) -> Outcome:
    """Pay what the proposal says, when it still says what was on the screen."""
    refuse_void(state)
    if by.is_program:
        raise RoundError("a program confirms nothing; a person does")
    seat = the_seat(state, command.seat)
    _refuse_second(seat, command.part)
    standing = assess(state).seats[seat.seat]
    proposal = _confirmable(seat, standing, command.part)
    if proposal.digest != command.digest:
        raise StaleError(_what_changed(seat, proposal, command.digest), field="digest")
    if proposal.blocked:
        raise WrongPhaseError(proposal.blocked)
    payout = Payout(
        command.id, command.part, proposal.digest, proposal.settled, proposal.lines, proposal.total, proposal.taken,
        by.name, by.now,
    )  # fmt: skip
    changed = replace(seat, payouts=(*seat.payouts, payout), skipped=False)
    fact = PayoutConfirmed(
        round=state.round.number, by=by.label, seat=seat.seat, part=command.part, payout=command.id,
        digest=proposal.digest, lines=proposal.lines, total=_text(payout.total), taken=_text(payout.taken),
        basis=payout_basis(proposal),
    )  # fmt: skip
    return move_meter(Outcome(state.with_seat(changed), (fact,)), by, "award")


def _refuse_second(seat: Seat, part: Part) -> None:
    payout = seat.standing(part)
    if payout is not None:
        what = "its envy" if part == "envy" else "its hand"
        raise AlreadyDoneError(f"seat {seat.seat}, {what}, was confirmed by {payout.by} at {payout.at[11:19]} already")


def _confirmable(seat: Seat, standing: Standing, part: Part) -> Proposal:
    proposal = standing.envy if part == "envy" else standing.proposal
    if proposal is not None and (part == "envy" or standing.status in ("ready", "blocked", "skipped")):
        return proposal
    reason = standing.problem or (
        "no envy is due there" if part == "envy" else "there is nothing to confirm yet; its hand is still to come"
    )
    raise WrongPhaseError(f"seat {seat.seat}: {reason}")


def _what_changed(seat: Seat, proposal: Proposal, digest: str) -> str:
    before = next((shown.words for shown in seat.shown if shown.digest == digest), None)
    was = f"was {before}, " if before else ""
    return f"the proposal of seat {seat.seat} changed: {was}is now {proposal.words}; look again, then confirm"


def take_back(state: TableState, command: TakeBack, by: By) -> Outcome:
    """Undo a standing payout; it stays in the record, and the seat is open again."""
    refuse_void(state)
    seat = the_seat(state, command.seat)
    payout = seat.standing(command.part)
    if payout is None:
        raise RoundError(f"seat {seat.seat} has no payout that stands; there is nothing to take back")
    if command.part == "hand" and seat.standing("envy") is not None:
        raise WrongPhaseError(f"take back the envy of seat {seat.seat} first")
    payouts = tuple(replace(each, taken_back=True) if each is payout else each for each in seat.payouts)
    changed = replace(seat, payouts=payouts, verified_by=None)
    fact = PayoutTakenBack(
        round=state.round.number, by=by.label, seat=seat.seat, part=command.part, payout=payout.id,
        total=_text(payout.total), reason=command.reason,
    )  # fmt: skip
    return move_meter(Outcome(state.with_seat(changed), (fact,)), by, "undone")


def skip(state: TableState, command: Skip, by: By) -> Outcome:
    """Leave a seat for later."""
    seat = _unsettled_seat(state, command.seat)
    if seat.skipped:
        raise AlreadyDoneError(f"seat {seat.seat} is skipped already")
    return _skipped(state, seat, True, by, command.reason)


def come_back(state: TableState, command: ComeBack, by: By) -> Outcome:
    """Take a skipped seat up again."""
    seat = _unsettled_seat(state, command.seat)
    if not seat.skipped:
        raise AlreadyDoneError(f"seat {seat.seat} is not skipped")
    return _skipped(state, seat, False, by, "")


def _unsettled_seat(state: TableState, number: int) -> Seat:
    refuse_void(state)
    seat = the_seat(state, number)
    refuse_settled(seat)
    if not seat.takes_part:
        raise RoundError(f"nobody plays at seat {number}", field="seat")
    return seat


def _skipped(state: TableState, seat: Seat, skipped: bool, by: By, reason: str) -> Outcome:
    fact = SeatSkipped(round=state.round.number, by=by.label, seat=seat.seat, skipped=skipped, reason=reason)
    return Outcome(state.with_seat(replace(seat, skipped=skipped)), (fact,))


def hand_button(state: TableState, command: HandButton, by: By) -> Outcome:
    """The winner's hand button, on or off; off also takes back that the hand was verified."""
    refuse_void(state)
    seat = the_seat(state, command.seat)
    refuse_settled(seat)
    if command.pressed and not (seat.amount("progressive") and state.round.locked):
        raise RoundError(f"seat {seat.seat} has no locked progressive bet", field="seat")
    if seat.hand_button == command.pressed:
        raise AlreadyDoneError(f"the hand button of seat {seat.seat} is {'on' if command.pressed else 'off'} already")
    changed = replace(seat, hand_button=command.pressed, verified_by=seat.verified_by if command.pressed else None)
    fact = HandButtonPressed(round=state.round.number, by=by.label, seat=seat.seat, pressed=command.pressed)
    return Outcome(state.with_seat(changed), (fact,))


def verify_award(state: TableState, command: VerifyAward, by: By) -> Outcome:
    """A supervisor has looked at the hand."""
    refuse_void(state)
    seat = the_seat(state, command.seat)
    refuse_settled(seat)
    proposal = assess(state).seats[seat.seat].proposal
    if proposal is None or not proposal.from_meter:
        raise RoundError(f"seat {seat.seat} wins nothing from the meter", field="seat")
    if not seat.hand_button:
        raise WrongPhaseError(f"the dealer presses the hand button of seat {seat.seat} first")
    if seat.verified_by:
        raise AlreadyDoneError(f"{seat.verified_by} has verified the hand of seat {seat.seat} already")
    fact = AwardVerified(round=state.round.number, by=by.label, seat=seat.seat, cards=seat.hand.cards)
    return Outcome(state.with_seat(replace(seat, verified_by=by.name)), (fact,))


def remember_shown(state: TableState, assessment: Assessment) -> TableState:
    """The state with the proposals that are on the screens now, so that a late tap can be told what changed."""
    changed = []
    for seat in state.round.seats:
        standing = assessment.seats[seat.seat]
        proposals = [each for each in (standing.proposal, standing.envy) if each is not None]
        known = {shown.digest for shown in seat.shown}
        new = tuple(Shown(each.digest, each.words) for each in proposals if each.digest not in known)
        if new:
            changed.append(replace(seat, shown=(*seat.shown, *new)[-_SHOWN_KEPT:]))
    return state.with_seats(changed) if changed else state


def _text(amount: Fraction | None) -> str | None:
    return None if amount is None else money_text(amount)
