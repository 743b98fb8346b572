"""Decisions and hands as people have them: fold or play, a card corrected, a hand typed in, a hand to be read again."""

from dataclasses import replace

from game.cards import parse_cards, repeated_cards
from game.deal import expected_cards
from service.rounds.cases import decision_fault
from service.rounds.commands import CorrectCard, EnterHand, Recount, SetDecision
from service.rounds.errors import AlreadyDoneError, NeedsReasonError, RoundError, StaleError, WrongPhaseError
from service.rounds.facts import CardCorrected, DecisionSet, HandEntered, HandSetAside
from service.rounds.outcome import By, Outcome, refuse_settled, refuse_unpayable, refuse_void, the_hand, the_seat
from service.rounds.state import Hand, Seat, TableState
from service.rounds.words import spoken_zone


def set_decision(state: TableState, command: SetDecision, by: By) -> Outcome:
    """Fold, or play with an amount."""
    refuse_void(state)
    seat = the_seat(state, command.seat)
    refuse_settled(seat)
    if state.round.closed_by is None:
        raise WrongPhaseError("the wagers are still open; close them before the players decide")
    if seat.wagers is not None and not seat.amount("ante"):
        raise RoundError(f"seat {seat.seat} has no ante, so there is nothing to fold or play", field="seat")
    if command.decision == "fold" and command.play:
        raise RoundError(f"seat {seat.seat} cannot fold with a play wager", field="play")
    refuse_unpayable(state, command.play or 0, "play")
    before = _decision(seat)
    after = {"decision": command.decision, "play": command.play}
    if _is_late_change(state, seat, command) and not command.reason:
        raise NeedsReasonError(
            f"the dealer's hand is open; say why the decision of seat {seat.seat} is changed", field="reason"
        )
    changed = replace(seat, decision=command.decision, decision_from="person", play=command.play, left="")
    if changed.wagers and command.play is not None and (fault := decision_fault(state, changed)) is not None:
        raise RoundError(str(fault), field="play")
    fact = DecisionSet(
        round=state.round.number, by=by.label, seat=seat.seat, before=before, after=after, source="person",
        reason=command.reason,
    )  # fmt: skip
    return Outcome(state.with_seat(changed), (fact,))


def _decision(seat: Seat) -> dict[str, object] | None:
    return None if seat.decision is None else {"decision": seat.decision, "play": seat.play}


def _is_late_change(state: TableState, seat: Seat, command: SetDecision) -> bool:
    """Whether something that was said is changed although the dealer's hand is open; filling a gap is no change."""
    if not state.round.dealer.cards:
        return False
    is_other = seat.decision is not None and seat.decision != command.decision
    return is_other or (seat.play is not None and seat.play != command.play)


def correct_card(state: TableState, command: CorrectCard, by: By) -> Outcome:
    """One card of a hand, as it really is."""
    refuse_void(state)
    hand = _changeable(state, command.zone)
    cards = hand.cards
    where, expected = spoken_zone(command.zone), expected_cards(command.zone)
    if len(cards) != expected:  # a hand in part, or a miscount: one card put right would not make it whole
        raise RoundError(f"{where} shows {len(cards)} of {expected} cards; enter the whole hand instead", field="zone")
    if command.position >= len(cards):
        raise RoundError(f"{where} has {len(cards)} cards; enter the hand instead", field="position")
    before = cards[command.position]
    if command.was is not None and command.was != before:
        raise StaleError(f"that card of {where} is {before} by now, not {command.was}; look again", field="was")
    if command.card in cards and command.card != before:
        raise RoundError(f"{command.card} is in this hand already; correct that card first", field="card")
    person = tuple(command.card if place == command.position else card for place, card in enumerate(cards))
    up_card = command.card if hand.up_card == before else hand.up_card
    changed = replace(hand, person=person, up_card=up_card)
    fact = CardCorrected(
        round=state.round.number, by=by.label, zone=command.zone, position=command.position, before=before,
        after=command.card, machine=hand.machine, person=person,
    )  # fmt: skip
    return Outcome(_with_hand(state, command.zone, changed), (fact,))


def enter_hand(state: TableState, command: EnterHand, by: By) -> Outcome:
    """A whole hand, typed in."""
    refuse_void(state)
    hand = _changeable(state, command.zone)
    where, expected = spoken_zone(command.zone), expected_cards(command.zone)
    if len(command.cards) != expected:
        raise RoundError(
            f"{where} is dealt {expected} cards, {len(command.cards)} were entered; a wrong number voids the round",
            field="cards",
        )
    if repeated := repeated_cards(parse_cards(command.cards)):
        raise RoundError(f"{repeated[0]} is entered twice; a deck has each card once", field="cards")
    up_card = _up_card(hand, command)
    changed = replace(hand, person=command.cards, entered=True, up_card=up_card, here=True)
    fact = HandEntered(
        round=state.round.number, by=by.label, zone=command.zone, machine=hand.machine, person=command.cards,
        up_card=up_card,
    )  # fmt: skip
    return Outcome(_dealt(_with_hand(state, command.zone, changed), by), (fact,))


def _up_card(hand: Hand, command: EnterHand) -> str | None:
    if command.zone != "dealer":
        return None
    if command.up_card is not None and command.up_card not in command.cards:
        raise RoundError(f"the up card {command.up_card} is not among the cards entered", field="up_card")
    kept = hand.up_card if hand.up_card in command.cards else None
    return command.up_card or kept


def recount(state: TableState, command: Recount, by: By) -> Outcome:
    """A hand is looked at again: what was wrong with it is set aside until it is seen anew."""
    refuse_void(state)
    hand = _changeable(state, command.zone)
    doubt = state.round.doubt
    is_doubted = doubt is not None and doubt.zone in (None, command.zone)
    is_wrong = bool(hand.problem) or (bool(hand.cards) and len(hand.cards) != expected_cards(command.zone))
    if not is_doubted and not is_wrong:
        raise RoundError(f"{spoken_zone(command.zone)} is read and counted; correct a card where one is wrong")
    before = {"cards": list(hand.cards), "problem": hand.problem, "doubt": doubt.words if doubt else None}
    fact = HandSetAside(round=state.round.number, by=by.label, zone=command.zone, before=before)
    if is_wrong:
        state = _with_hand(state, command.zone, Hand(here=hand.here, up_card=hand.up_card))
    if is_doubted:
        state = state.with_round(doubt=None)
    return Outcome(state, (fact,))


def _changeable(state: TableState, zone: str) -> Hand:
    """A hand that no standing payout rests on by itself; the dealer's may change, and payouts then say they differ."""
    hand = the_hand(state, zone)
    if zone != "dealer":
        seat = the_seat(state, int(zone.removeprefix("seat-")))
        if (payout := seat.standing("hand")) is not None:
            raise AlreadyDoneError(
                f"seat {seat.seat} was confirmed by {payout.by} with these cards; take the payout back first"
            )
    return hand


def _with_hand(state: TableState, zone: str, hand: Hand) -> TableState:
    """A hand changed by a person: what a supervisor verified of it no longer holds."""
    if zone == "dealer":
        return state.with_hand(zone, hand)
    seat = the_seat(state, int(zone.removeprefix("seat-")))
    return state.with_seat(replace(seat, hand=hand, verified_by=None))


def _dealt(state: TableState, by: By) -> TableState:
    """A hand is here, so cards were dealt and the wagers are closed."""
    return state.with_round(dealing=True, closed_by=state.round.closed_by or by.name)
