"""Where a round stands: for every seat what it is, what it is paid, and what has to happen first.

In: a table's state. Out: an `Assessment`, worked out anew from nothing else each time; all amounts come from `game`.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from game.cards import parse_cards
from game.deal import DEALER_CARDS, PLAYER_CARDS, check_deal
from game.hands import FourCardHand, best_four
from game.open_round import settle_open
from game.results import SeatResult, Settlement
from service.rounds.cases import case_of, decision_fault, is_out, nominal_case, seat_case, to_round, wager_fault
from service.rounds.proposals import Proposal, blocked, envy_proposal, hand_proposal
from service.rounds.state import Hand, Seat, TableState
from service.rounds.view import Phase, SeatStatus
from service.rounds.words import seats_words, spoken_zone


@dataclass(frozen=True)
class Standing:
    """Where one seat stands."""

    status: SeatStatus
    problem: str | None = None
    four: FourCardHand | None = None
    proposal: Proposal | None = None  # of its hand, also after it was confirmed: what it would be now
    envy: Proposal | None = None


@dataclass(frozen=True)
class Assessment:
    """Where the round stands."""

    phase: Phase
    order: tuple[int, ...]  # seats as they are settled
    seats: Mapping[int, Standing]
    current: int | None
    dealer_four: FourCardHand | None
    dealer_problem: str | None
    settlement: Settlement | None
    duplicates: Mapping[str, str] = field(default_factory=dict)  # by zone

    @property
    def triggers(self) -> tuple[int, ...]:
        """Seats whose hand pays envy to others."""
        result = self.settlement.progressive if self.settlement else None
        return tuple(trigger.seat for trigger in result.triggers) if result else ()

    def seats_done(self, state: TableState) -> dict[int, bool]:
        """Whether each seat's hand is settled or has nothing to settle."""
        return {
            seat.seat: self.seats[seat.seat].status in ("empty", "folded", "void") or seat.standing("hand") is not None
            for seat in state.round.seats
        }

    def unsettled(self, state: TableState) -> tuple[int, ...]:
        """Seats that still have something to be confirmed, in the order of settling."""
        return tuple(
            number
            for number in self.order
            if (seat := state.seat(number)) is not None and not is_settled(seat, self.seats[number])
        )


def is_settled(seat: Seat, standing: Standing) -> bool:
    """Whether nothing is left to confirm at a seat."""
    is_done = standing.status in ("empty", "folded", "void") or seat.standing("hand") is not None
    return is_done and (standing.envy is None or seat.standing("envy") is not None)


def assess(state: TableState) -> Assessment:
    """Where the round stands; the last few answers are kept, since a command, its record and its view ask the same."""
    for known, assessment in tuple(_KEPT):
        if known is state:
            return assessment
    assessment = _assess(state)
    _KEPT.append((state, assessment))
    return assessment


_KEPT: deque[tuple[TableState, Assessment]] = deque(maxlen=8)


def _assess(state: TableState) -> Assessment:
    rules = state.round.version.rules
    order = tuple(
        sorted((seat.seat for seat in state.round.seats), reverse=rules.house.settle_order == "right_to_left")
    )
    duplicates = _duplicates(state)
    dealer_problem = _dealer_problem(state.round.dealer, duplicates)
    dealer_four = None if dealer_problem or not state.round.dealer.cards else _four(state.round.dealer)
    seats = {seat.seat: _before_settling(state, seat, duplicates) for seat in state.round.seats}
    settlement = None
    if dealer_four is not None and state.round.void is None:
        settlement = _settlement(state, seats)
        seats = {seat.seat: _settled(state, seat, seats[seat.seat], settlement) for seat in state.round.seats}
    draft = Assessment("settling", order, seats, None, dealer_four, dealer_problem, settlement, duplicates)
    draft = replace(draft, seats=_with_envy(state, draft))
    draft = replace(draft, seats=_with_blocks(state, draft))
    phase = _phase(state, draft)
    return replace(draft, phase=phase, current=_current(state, draft) if phase in ("settling", "envy") else None)


# --- before anything is settled


def _before_settling(state: TableState, seat: Seat, duplicates: Mapping[str, str]) -> Standing:
    """What a seat is, as far as its own wagers and cards tell."""
    hand = seat.hand
    if state.round.void is not None:
        return Standing("void" if seat.takes_part else "empty")
    if not seat.takes_part:
        return Standing("empty")
    if is_out(state, seat):
        return Standing("folded")
    if seat.wagers is not None and (fault := wager_fault(state, seat)) is not None:
        return Standing("fault", f"{fault}; put the wager right or skip the seat")
    if not seat.is_dealt and not state.round.dealing:
        return Standing("betting")
    if not hand.cards or not hand.is_known:
        return Standing("unreadable", _unreadable(hand)) if hand.problem else Standing("waiting")
    if len(hand.cards) != PLAYER_CARDS:
        return Standing("fault", f"seat {seat.seat} has {len(hand.cards)} cards, not {PLAYER_CARDS}; recount or void")
    if (duplicate := duplicates.get(seat.zone)) is not None:
        return Standing("fault", duplicate)
    four = _four(hand)
    if _lacks_play(seat):
        return Standing("needs_play", f"how much did seat {seat.seat} play?", four)
    if seat.wagers is not None and (fault := decision_fault(state, seat)) is not None:
        return Standing("fault", f"{fault}; put the play wager right", four)
    return Standing("waiting", None, four)


def _unreadable(hand: Hand) -> str:
    return f"{hand.problem}; {hand.advice or 'spread the cards, or enter the hand'}"


def _lacks_play(seat: Seat) -> bool:
    return bool(seat.wagers) and seat.amount("ante") > 0 and seat.decision != "fold" and seat.play is None


def _four(hand: Hand) -> FourCardHand:
    return best_four(parse_cards(hand.cards))


def _duplicates(state: TableState) -> dict[str, str]:
    """For each zone with a card that lies twice on the table, a sentence."""
    hands = {"dealer": state.round.dealer, **{seat.zone: seat.hand for seat in state.round.seats}}
    known = {zone: hand.cards for zone, hand in hands.items() if hand.is_known}
    findings = check_deal(state.round.version.rules.game, known)
    found: dict[str, str] = {}
    for finding in findings:
        if finding.kind == "duplicate_card":
            sentence = f"{finding.sentence}; correct the card that was misread, or void the round"
            found |= {zone: sentence for zone, cards in known.items() if finding.cards[0] in cards}
    return found


def _dealer_problem(dealer: Hand, duplicates: Mapping[str, str]) -> str | None:
    if dealer.problem and dealer.person is None:
        return _unreadable(dealer)
    if dealer.cards and len(dealer.cards) != DEALER_CARDS:
        return f"the dealer has {len(dealer.cards)} cards, not {DEALER_CARDS}; recount or void"
    if dealer.cards and dealer.up_card and dealer.up_card not in dealer.cards:
        return f"the up card {dealer.up_card} is not among the dealer's six; correct a card or enter the hand"
    return duplicates.get("dealer")


# --- settling


def _settlement(state: TableState, seats: Mapping[int, Standing]) -> Settlement:
    """All seats that can be settled, in one round; the others count for the meter alone."""
    cases = []
    for seat in state.round.seats:
        standing = seats[seat.seat]
        if seat.wagers and standing.status in ("waiting", "needs_play", "unreadable", "fault", "folded"):
            is_ready = standing.status == "waiting" and standing.four is not None
            cases.append(seat_case(seat, cards=None if is_ready else ()))
    return settle_open(to_round(case_of(state, cases)))


def _settled(state: TableState, seat: Seat, standing: Standing, settlement: Settlement) -> Standing:
    """The seat with what it is paid."""
    four = standing.four
    if four is None:
        return standing
    if seat.wagers is None:
        case = case_of(state, [nominal_case(seat, state.round.version.rules)], limits=False)
        return _proposed(state, seat, standing, settle_open(to_round(case)), odds_only=True)
    if standing.status == "needs_play":
        case = case_of(state, [seat_case(seat, play=seat.amount("ante"))])
        return _proposed(state, seat, standing, settle_open(to_round(case)), play_unknown=True)
    return _proposed(state, seat, standing, settlement) if standing.status == "waiting" else standing


def _proposed(
    state: TableState,
    seat: Seat,
    standing: Standing,
    settlement: Settlement,
    *,
    odds_only: bool = False,
    play_unknown: bool = False,
) -> Standing:
    result = _result(settlement, seat.seat)
    if result is None:
        problem = f"{settlement.sentence or settlement.reason}; put it right, or void the round"
        return replace(standing, status="fault", problem=problem)
    proposal = hand_proposal(state, seat, result, settlement, odds_only=odds_only, play_unknown=play_unknown)
    status: SeatStatus = standing.status if play_unknown else "ready"
    return replace(standing, status=status, proposal=proposal)


def _result(settlement: Settlement, seat: int) -> SeatResult | None:
    if settlement.status != "settled":
        return None
    return next((result for result in settlement.seats if result.seat == seat), None)


def _with_envy(state: TableState, draft: Assessment) -> dict[int, Standing]:
    """Envy for every seat that collects; the last thing of a round."""
    seats = dict(draft.seats)
    for seat in state.round.seats:
        result = _result(draft.settlement, seat.seat) if draft.settlement else None
        if result is not None and result.envy:
            seats[seat.seat] = replace(seats[seat.seat], envy=envy_proposal(state, seat, result.envy))
    return seats


def _with_blocks(state: TableState, draft: Assessment) -> dict[int, Standing]:
    """Every proposal with what has to happen before it can be confirmed, and the status that follows."""
    seats, done = {}, draft.seats_done(state)
    hands_left = [number for number in draft.order if not done[number]]
    for seat in state.round.seats:
        standing = draft.seats[seat.seat]
        if standing.envy is not None and hands_left:
            at_end = f"envy is paid at the end of the round: {seats_words(hands_left)} first"
            standing = replace(standing, envy=replace(standing.envy, blocked=at_end))
        if (proposal := standing.proposal) is not None:
            reason = standing.problem or blocked(state, seat, proposal, draft.order, done)
            standing = replace(standing, proposal=replace(proposal, blocked=reason))
            if reason and standing.status == "ready":
                standing = replace(standing, status="blocked", problem=reason)
        seats[seat.seat] = _person_status(seat, standing)
    return seats


def _person_status(seat: Seat, standing: Standing) -> Standing:
    """What a person did goes before what the cards say."""
    if seat.standing("hand") is not None and standing.status not in ("void", "empty"):
        return replace(standing, status="confirmed")
    if seat.skipped and standing.status not in ("void", "empty", "folded"):
        return replace(standing, status="skipped")
    return standing


# --- the round as a whole


def _phase(state: TableState, draft: Assessment) -> Phase:
    round_ = state.round
    if round_.void is not None:
        return "void"
    has_payouts = any(seat.payouts for seat in round_.seats)
    if round_.dealer.cards or round_.dealer.problem or has_payouts:
        return _late_phase(state, draft)
    if not round_.dealing:
        return "betting" if round_.closed_by is None else "closed"
    has_hands = any(seat.hand.cards or seat.decision for seat in round_.seats)
    return "decisions" if round_.dealer.up_card or has_hands else "dealing"


def _late_phase(state: TableState, draft: Assessment) -> Phase:
    open_hands = [
        seat
        for seat in state.round.seats
        if draft.seats[seat.seat].status not in ("empty", "folded") and seat.standing("hand") is None
    ]
    if open_hands or draft.dealer_four is None:
        return "settling"
    return "envy" if draft.unsettled(state) else "finished"


def _current(state: TableState, draft: Assessment) -> int | None:
    """Whose turn it is: the first that is not settled; skipped seats come after all others."""
    unsettled = draft.unsettled(state)
    seats = {seat.seat: seat for seat in state.round.seats}
    hands = [number for number in unsettled if seats[number].standing("hand") is None and _has_hand(draft, number)]
    waiting = [number for number in hands if not seats[number].skipped] or hands or list(unsettled)
    return waiting[0] if waiting else None


def _has_hand(draft: Assessment, number: int) -> bool:
    return draft.seats[number].status not in ("empty", "folded")


def zone_problem(assessment: Assessment, zone: str) -> str | None:
    """What is wrong with a zone, in words, for people."""
    if zone == "dealer":
        return assessment.dealer_problem
    standing = assessment.seats.get(int(zone.removeprefix("seat-")))
    return f"{spoken_zone(zone)}: {standing.problem}" if standing and standing.problem else None
