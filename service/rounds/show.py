"""The table's state as the one document that people see."""

from dataclasses import replace
from fractions import Fraction
from typing import Literal

from game.cards import Card
from game.hands import FourCardHand
from game.money import spoken_money
from service.rounds.assess import Assessment, Standing, assess
from service.rounds.cases import wager_fault
from service.rounds.ending import cannot_end
from service.rounds.irregularities import KINDS
from service.rounds.money import amount_view, as_chips, chip_buttons, shown
from service.rounds.proposals import Proposal
from service.rounds.rules import TableRules
from service.rounds.show_void import void_view
from service.rounds.state import Alert, Hand, Irregularity, Payout, Seat, TableState, Wager
from service.rounds.view import (
    AlertView,
    CameraView,
    CardView,
    ChipView,
    DutyView,
    HandView,
    IrregularityView,
    KindView,
    MeterView,
    PayoutView,
    ProposalView,
    SeatView,
    SpotView,
    StepView,
    TableView,
    WagerView,
)
from service.rounds.words import GAME_TITLES, PHASES, WAGER_TITLES

_STATUS_WORDS = {
    "empty": "",
    "betting": "bets",
    "waiting": "waiting",
    "unreadable": "cannot be read",
    "needs_play": "play?",
    "fault": "look here",
    "blocked": "blocked",
    "ready": "ready",
    "confirmed": "✓",
    "skipped": "skipped",
    "folded": "folded",
    "void": "void",
}


def table_view(state: TableState, revision: int) -> TableView:
    """Everything a page needs, in words as well as in values."""
    assessment = assess(state)
    round_, rules = state.round, state.round.version.rules
    refusal = cannot_end(state, assessment)
    return TableView(
        revision=revision,
        table=state.table,
        name=state.name,
        game="PRIME" if rules.game == "PRIME" else "FCP",
        game_title=GAME_TITLES[rules.game],
        profile=rules.profile,
        rules_version=round_.version.number,
        pay_tables={role: None if table is None else table.name for role, table in rules.pay_tables.items()},
        round=round_.number,
        phase=assessment.phase,
        phase_words=PHASES[assessment.phase],
        can=_can(state, refusal),
        cannot_end=refusal,
        chips=chip_buttons(rules.chips),
        spots=tuple(_spot(rules, wager) for wager in rules.offered),
        order=assessment.order,
        current_seat=assessment.current,
        seats=tuple(_seat(state, seat, assessment) for seat in round_.seats),
        dealer=_hand("dealer", round_.dealer, assessment.dealer_four, assessment.dealer_problem),
        void=void_view(state),
        alerts=tuple(_alert(alert) for alert in reversed(state.alerts)),
        irregularities=tuple(_irregularity(entry) for entry in state.irregularities),
        irregularity_kinds=tuple(KindView(kind, entry.title) for kind, entry in KINDS.items()),
        camera=CameraView(state.camera.status, state.camera.words, state.camera.since),
        meter=_meter(state),
        on_duty=None if state.on_duty is None else DutyView(state.on_duty.name, state.on_duty.since),
        next_round_waiting=bool(state.waiting),
        live=rules.live,
    )


def _can(state: TableState, refusal: str | None) -> tuple[str, ...]:
    """Commands of the round that would be accepted now, without a reason to be given."""
    round_ = state.round
    has_begun = round_.dealing or any(seat.takes_part for seat in round_.seats)
    is_open = round_.void is None
    can = {
        "last_bet": is_open and round_.closed_by is None and bool(state.last_wagers),
        "no_more_bets": is_open and round_.closed_by is None,
        "reopen_wagers": is_open and round_.closed_by is not None and not round_.dealing and not round_.locked,
        "start_game": is_open and round_.version.rules.terms is not None and not round_.locked,
        "void_round": is_open and has_begun,
        "end_game": refusal is None and (has_begun or not is_open),
        "adjust_meter": state.meter is not None and not round_.locked,
    }
    return tuple(name for name, is_possible in can.items() if is_possible)


def _spot(rules: TableRules, wager: str) -> SpotView:
    limits, terms = rules.effective_limits, rules.terms
    fixed = terms.denomination if wager == "progressive" and terms is not None else None
    return SpotView(
        wager,
        WAGER_TITLES[wager],
        amount_view(limits.minimum.get(wager)),
        amount_view(limits.maximum.get(wager)),
        amount_view(fixed),
    )


def _meter(state: TableState) -> MeterView | None:
    terms = state.round.version.rules.terms
    if terms is None or state.meter is None:
        return None
    lit = tuple(seat.seat for seat in state.round.seats if seat.amount("progressive")) if state.round.locked else ()
    return MeterView(
        shown(state.meter.amount), shown(state.meter.reserve), shown(terms.denomination), state.round.locked, lit
    )


# --- seats


def _seat(state: TableState, seat: Seat, assessment: Assessment) -> SeatView:
    standing = assessment.seats[seat.seat]
    rules = state.round.version.rules
    is_current = assessment.current == seat.seat
    linked = tuple(other.seat for other in state.round.seats if other.player == seat.player and other.seat != seat.seat)
    hand = _hand(seat.zone, seat.hand, standing.four, None)
    is_kept = seat.seat in assessment.triggers and assessment.phase not in ("finished", "void")
    return SeatView(
        seat=seat.seat,
        zone=seat.zone,
        player=seat.player,
        linked_with=linked,
        status=standing.status,
        status_words=_status_words(seat, standing, is_current),
        problem=standing.problem,
        is_current=is_current,
        wagers_known=seat.wagers is not None,
        wagers=tuple(_wager(state, seat, wager) for wager in seat.wagers or ()),
        sensor_lit=state.round.locked and seat.amount("progressive") > 0,
        hand_button=seat.hand_button,
        award_verified=seat.verified_by is not None,
        decision=seat.decision,
        decision_from=seat.decision_from,
        play=amount_view(seat.play),
        play_choices=_play_choices(seat),
        hand=replace(hand, kept=is_kept),
        proposal=_open_proposal(state, seat, standing),
        payouts=tuple(_payout(payout, standing, rules) for payout in seat.payouts),
    )


def _status_words(seat: Seat, standing: Standing, is_current: bool) -> str:
    """As in the strip of seats: `4 ▶`, `5 folded`."""
    words = "▶" if is_current and standing.status == "ready" else _STATUS_WORDS[standing.status]
    if standing.status == "waiting" and seat.is_dealt:
        words = "reading…" if is_current else "dealt in"
    return f"{seat.seat} {words}".strip()


def _wager(state: TableState, seat: Seat, wager: Wager) -> WagerView:
    alone = replace(seat, wagers=(wager,))
    limits = state.round.version.rules.effective_limits
    fault = None
    if wager.amount and limits.fault(wager.name, Fraction(wager.amount)):
        found = wager_fault(state, alone)
        fault = str(found) if found is not None else None
    return WagerView(
        wager.name, WAGER_TITLES[wager.name], shown(wager.amount), wager.source, wager.late, wager.reason, fault
    )


def _play_choices(seat: Seat) -> tuple[ChipView, ...]:
    ante = seat.amount("ante")
    return tuple(ChipView(times * ante, f"{times}× {spoken_money(times * ante)}") for times in (1, 2, 3) if ante)


def _open_proposal(state: TableState, seat: Seat, standing: Standing) -> ProposalView | None:
    """The next thing to confirm at a seat: its hand, then its envy."""
    rules = state.round.version.rules
    if standing.proposal is not None and seat.standing("hand") is None:
        is_ready = standing.status in ("ready", "skipped") and standing.proposal.blocked is None
        return _proposal(standing.proposal, rules, is_ready)
    if standing.envy is not None and seat.standing("envy") is None:
        return _proposal(standing.envy, rules, standing.envy.blocked is None)
    return None


def _proposal(proposal: Proposal, rules: TableRules, can_confirm: bool) -> ProposalView:
    return ProposalView(
        proposal.part,
        proposal.digest,
        proposal.lines,
        proposal.comparison,
        amount_view(proposal.total),
        amount_view(proposal.taken),
        None if proposal.total is None else as_chips(proposal.total, rules.chips),
        proposal.odds_only,
        can_confirm,
        proposal.blocked,
        proposal.from_meter,
    )


def _payout(payout: Payout, standing: Standing, rules: TableRules) -> PayoutView:
    now = standing.envy if payout.part == "envy" else standing.proposal
    return PayoutView(
        payout.id,
        payout.part,
        payout.lines,
        amount_view(payout.total),
        None if payout.total is None else as_chips(payout.total, rules.chips),
        payout.by,
        payout.at,
        _difference(payout, now) if not payout.taken_back else None,
        payout.taken_back,
    )


def _difference(payout: Payout, now: Proposal | None) -> str | None:
    if now is None:
        return "nothing is due now: take it back"
    return None if now.settled == payout.settled else f"now {now.words}: take it back and confirm again"


# --- hands


def _hand(zone: str, hand: Hand, four: FourCardHand | None, problem: str | None) -> HandView:
    plays = {str(card) for card in four.cards} if four is not None else set()
    source: Literal["camera", "corrected", "entered"] | None = "camera" if hand.cards else None
    if hand.person is not None:
        source = "entered" if hand.entered else "corrected"
    unread = hand.problem if hand.person is None else None
    return HandView(
        zone,
        tuple(_card(hand, position, card, card in plays) for position, card in enumerate(hand.cards)),
        hand.dealt,
        four.spoken if four is not None else None,
        source,
        hand.machine,
        hand.confidence,
        problem or unread,
        hand.advice if unread else None,
        hand.up_card,
        False,
        hand.evidence,
    )


def _card(hand: Hand, position: int, card: str, plays: bool) -> CardView:
    machine = hand.machine[position] if position < len(hand.machine) else None
    confidence = hand.confidences[position] if position < len(hand.confidences) else hand.confidence
    is_own = machine == card or card in hand.machine
    spoken = Card.parse(card).spoken
    return CardView(position, card, machine, not is_own, confidence if is_own else None, plays, spoken)


# --- beside the game


def _irregularity(entry: Irregularity) -> IrregularityView:
    kind, done = KINDS[entry.kind], dict(entry.done)
    steps = tuple(StepView(step, text, step in done, done.get(step)) for step, text in enumerate(kind.steps))
    return IrregularityView(
        entry.number, entry.kind, kind.title, entry.seat, entry.note, steps, kind.rule, entry.by, entry.at, entry.closed
    )


def _alert(alert: Alert) -> AlertView:
    return AlertView(
        alert.number, alert.kind, alert.level, alert.words, alert.advice, alert.zone, alert.at, alert.evidence
    )
