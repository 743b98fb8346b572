"""What the observer saw, folded into the table: events open and fill a round, and never decide one.

An event may say that a hand folded, that a card lies twice or that the deal is void. It raises an alert, it blocks, it
fills in what nobody has said yet; what a person said stands, and nothing is confirmed or voided by an event.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from game.references import reference
from service.rounds.facts import DecisionSet, ReadingMade, RoundMissed
from service.rounds.outcome import By, Outcome, with_alert
from service.rounds.state import Camera, Doubt, Hand, Level, TableState
from service.rounds.wagering import close_wagers
from service.rounds.words import spoken_zone, unread_words
from vision.events import Event

_CAMERA = frozenset({"source_lost", "source_back", "camera_moved", "light_changed"})
_KEPT = "evidence_kept"  # beside an event that waits: its crops
_ADVICE_VOID = "Call the supervisor, or count the cards again"


def watch(state: TableState, event: Event, by: By, evidence: Iterable[str] = ()) -> Outcome:
    """One event; `evidence` names the crops that were kept of it."""
    if event.kind in _CAMERA:
        return _camera(Outcome(_camera_live(state, by)), event, by)
    state = _camera_live(state, by)
    names = tuple(evidence)
    if state.waiting or _begins_another(state, event):
        return _wait(state, replace(event, extra=(*event.extra, (_KEPT, names))), by)
    if _is_over(state, event):
        return Outcome(state)
    state = state.with_round(observer_round=state.round.observer_round if event.round is None else event.round)
    fact = ReadingMade(round=state.round.number, by=by.label, event=event.to_record(), evidence=names)
    outcome = Outcome(state, (fact,))
    handler = _HANDLERS.get(event.kind)
    if handler is None or (event.zone is not None and state.hand(event.zone) is None):
        return outcome
    return handler(outcome, event, by, names)


# --- which round an event belongs to


def _begins_another(state: TableState, event: Event) -> bool:
    """Whether the observer has gone on to a round that is not the open one."""
    own = state.round.observer_round
    if event.kind == "round_started":
        return state.round.dealing or (own is not None and event.round != own)
    return own is not None and event.round is not None and event.round > own


def _is_over(state: TableState, event: Event) -> bool:
    """Whether an event still belongs to a round that was ended here."""
    own = state.round.observer_round
    if event.kind == "round_started" or event.round is None:
        return False
    return event.round != own if own is not None else event.round == state.last_observer_round


def _wait(state: TableState, event: Event, by: By) -> Outcome:
    """Keep the next round's events until this one is ended; of several rounds, only the latest is kept."""
    if event.kind != "round_started" or not state.waiting:
        return Outcome(replace(state, waiting=(*state.waiting, event.to_json())))
    fact = RoundMissed(round=state.round.number, by=by.label, events=len(state.waiting))
    outcome = Outcome(replace(state, waiting=(event.to_json(),)), (fact,))
    words = f"a whole round was dealt while round {state.round.number} was not ended; it is not in the record"
    return with_alert(outcome, by, "round_missed", "warning", words, advice="End each game before the next is dealt")


def take_up_waiting(outcome: Outcome, by: By) -> Outcome:
    """After a round was ended: what the observer saw of the next one meanwhile."""
    lines, outcome = outcome.state.waiting, Outcome(replace(outcome.state, waiting=()), outcome.facts)
    for line in lines:
        event = Event.from_json(line)
        names = event.extra_value(_KEPT)
        plain = replace(event, extra=tuple(pair for pair in event.extra if pair[0] != _KEPT))
        step = watch(outcome.state, plain, by, map(str, names) if isinstance(names, tuple) else ())
        outcome = outcome.then(step.state, *step.facts)
    return outcome


# --- kinds


Handler = Callable[[Outcome, Event, By, tuple[str, ...]], Outcome]


def _dealt(outcome: Outcome, by: By) -> Outcome:
    """A card was dealt: the wagers are closed, said or unsaid."""
    state = outcome.state
    if state.round.closed_by is None:
        closed = close_wagers(state, by, "the deal")
        outcome = outcome.then(closed.state, *closed.facts)
    return Outcome(outcome.state.with_round(dealing=True), outcome.facts)


def _cards_dealt(outcome: Outcome, event: Event, by: By, evidence: tuple[str, ...]) -> Outcome:
    """A packet's count is only how many backs can be told apart; cards laid side by side are counted."""
    outcome = _dealt(outcome, by)
    assert event.zone is not None
    hand = _hand(outcome.state, event)
    counted = event.count if event.extra_value("apart") is True else hand.dealt
    return _with_hand(outcome, event, replace(hand, here=True, dealt=counted))


def _up_card(outcome: Outcome, event: Event, by: By, evidence: tuple[str, ...]) -> Outcome:
    outcome = _dealt(outcome, by)
    hand = _hand(outcome.state, event)
    if not event.cards or hand.person is not None:
        return outcome
    return _with_hand(outcome, event, replace(hand, here=True, up_card=str(event.cards[0])))


def _hand_read(outcome: Outcome, event: Event, by: By, evidence: tuple[str, ...]) -> Outcome:
    """A hand was turned and read."""
    outcome = _dealt(outcome, by)
    hand = _hand(outcome.state, event)
    cards = tuple(str(card) for card in event.cards or ())
    if _stands(outcome.state, event) or hand.person is not None:
        return _read_again(outcome, event, by, hand, cards, evidence)
    read = Hand(
        cards, event.confidence, _confidences(event, len(cards)), None, False, hand.up_card, True, len(cards),
        evidence=evidence or hand.evidence,
    )  # fmt: skip
    return _unverified(_with_hand(outcome, event, read), event)


def _read_again(
    outcome: Outcome, event: Event, by: By, hand: Hand, cards: tuple[str, ...], evidence: tuple[str, ...]
) -> Outcome:
    """A person's word or a payout stands; another reading is told, and changes nothing."""
    if sorted(cards) == sorted(hand.cards):
        return outcome
    words = f"{_where(event)} now reads {' '.join(cards)}; {' '.join(hand.cards)} stands"
    if not _stands(outcome.state, event):
        outcome = _with_hand(outcome, event, replace(hand, machine=cards, evidence=evidence or hand.evidence))
        return _alert(outcome, event, by, "reading_changed", "notice", words, evidence)
    advice = "Look at the cards; take the payout back if it was wrong"
    return _alert(outcome, event, by, "reading_changed", "warning", words, evidence, advice)


def _confidences(event: Event, count: int) -> tuple[float, ...]:
    value = event.extra_value("confidences")
    numbers = tuple(float(each) for each in value if isinstance(each, int | float)) if isinstance(value, tuple) else ()
    return numbers if len(numbers) == count else ()


def _fold(outcome: Outcome, event: Event, by: By, evidence: tuple[str, ...]) -> Outcome:
    return _decided(outcome, event, by, "fold", str(event.extra_value("left") or ""))


def _bet_spot_changed(outcome: Outcome, event: Event, by: By, evidence: tuple[str, ...]) -> Outcome:
    """Chips are not counted: that something was put on the play spot says that the seat plays, not for how much."""
    spot, change = event.extra_value("spot"), event.extra_value("change")
    if event.extra_value("late") is True and event.extra_value("by") != "dealer":
        words = f"something was {change} on {spot} at {_where(event)} after the deal began"
        return _alert(outcome, event, by, "bet_spot_changed", "warning", words, evidence)
    is_play = spot in ("play", "raise") and change == "put" and event.extra_value("phase") == "decision"
    return _decided(outcome, event, by, "play") if is_play and event.extra_value("by") != "dealer" else outcome


def _decided(outcome: Outcome, event: Event, by: By, decision: str, left: str = "") -> Outcome:
    """What the camera saw of a decision; a person's word goes before it."""
    seat = None if event.seat is None else outcome.state.seat(event.seat)
    if seat is None or seat.standing("hand") is not None or seat.decision == decision:
        return outcome
    if seat.decision_from == "person" or (seat.decision == "fold" and decision == "play"):
        words = f"{_where(event)}: the camera sees a {decision}, {seat.decision} stands"
        return _alert(outcome, event, by, "decision_differs", "notice", words, ())
    before = None if seat.decision is None else {"decision": seat.decision, "play": seat.play}
    fact = DecisionSet(
        round=outcome.state.round.number, by=by.label, seat=seat.seat, before=before,
        after={"decision": decision, "play": None}, source="camera",
    )  # fmt: skip
    is_fold = decision == "fold"
    changed = replace(
        seat, decision="fold" if is_fold else "play", decision_from="camera", left=left,
        play=None if is_fold else seat.play,
    )  # fmt: skip
    return outcome.then(outcome.state.with_seat(changed), fact)


def _miscount(outcome: Outcome, event: Event, by: By, evidence: tuple[str, ...]) -> Outcome:
    outcome = _dealt(outcome, by)
    words = f"{_where(event)} has {event.seen} cards, not {event.expected}"
    hand, cards = _hand(outcome.state, event), tuple(str(card) for card in event.cards or ())
    if hand.person is None and not _stands(outcome.state, event):
        read = Hand(
            cards, event.confidence, (), None, False, hand.up_card, True, event.seen, f"{event.seen} cards",
            "count the cards again", evidence,
        )  # fmt: skip
        outcome = _with_hand(outcome, event, read)
    return _doubted(outcome, event, by, words, evidence)


def _round_void(outcome: Outcome, event: Event, by: By, evidence: tuple[str, ...]) -> Outcome:
    if outcome.state.round.doubt is not None:
        return outcome
    where = f"{_where(event)}: " if event.zone else ""
    return _doubted(outcome, event, by, f"{where}{(event.reason or 'void').replace('_', ' ')}", evidence)


def _doubted(outcome: Outcome, event: Event, by: By, words: str, evidence: tuple[str, ...]) -> Outcome:
    """The deal is in doubt until a person declares it void or counts again."""
    round_ = outcome.state.round
    house = round_.version.rules.house
    is_void = round_.version.rules.game == "FCP" or house.prime_misdeal_voids
    if round_.void is not None or not is_void:
        return outcome
    doubt = Doubt(
        "wrong_card_count", words, event.zone, event.expected, event.seen, _ADVICE_VOID,
        evidence or (round_.doubt.evidence if round_.doubt else ()),
    )  # fmt: skip
    return Outcome(outcome.state.with_round(doubt=doubt), outcome.facts)


def _unreadable(outcome: Outcome, event: Event, by: By, evidence: tuple[str, ...]) -> Outcome:
    """A hand that cannot be read, unless it has been already."""
    outcome = _dealt(outcome, by)
    hand = _hand(outcome.state, event)
    if hand.is_known or _stands(outcome.state, event):
        return outcome
    read = event.extra_value("read")
    cards = tuple(str(card) for card in read) if isinstance(read, tuple) else hand.machine
    seen = event.seen if event.seen is not None else hand.dealt
    problem = Hand(
        cards, None, (), None, False, hand.up_card, True, seen, unread_words(event.reason), event.advice,
        evidence or hand.evidence,
    )  # fmt: skip
    return _with_hand(outcome, event, problem)


def _duplicate_card(outcome: Outcome, event: Event, by: By, evidence: tuple[str, ...]) -> Outcome:
    cards = " ".join(str(card) for card in event.cards or ())
    rule = reference(outcome.state.round.version.rules.game, "duplicate_card")
    words = f"{cards} is on the table twice, now at {_where(event)}"
    advice = f"Correct the card that was misread, or void the round. {rule}"
    return _alert(outcome, event, by, event.kind, "stop", words, evidence, advice)


_WORDS: dict[str, tuple[Level, str, str | None]] = {
    "foreign_card": ("stop", "{where} shows a card that is not of this deck", "Call the supervisor"),
    "exposed_card": ("warning", "a card was exposed at {where}: {cards}", "Call the supervisor where it matters"),
    "out_of_order": ("warning", "{where} was turned before its turn", "Settle in order, or skip the seats before it"),
    "dealer_set_wrong": ("warning", "the dealer's four in front are not the best: {cards}", "Set the hand again"),
}


def _told(outcome: Outcome, event: Event, by: By, evidence: tuple[str, ...]) -> Outcome:
    """Something a person should know, and decides about."""
    level, words, advice = _WORDS[event.kind]
    said = words.format(where=_where(event), cards=" ".join(str(card) for card in event.cards or ()))
    return _alert(outcome, event, by, event.kind, level, said, evidence, advice)


_HANDLERS: dict[str, Handler] = {
    "cards_dealt": _cards_dealt,
    "up_card": _up_card,
    "dealer_hand": _hand_read,
    "player_hand": _hand_read,
    "fold": _fold,
    "bet_spot_changed": _bet_spot_changed,
    "miscount": _miscount,
    "round_void": _round_void,
    "unreadable": _unreadable,
    "duplicate_card": _duplicate_card,
    **dict.fromkeys(_WORDS, _told),
}


# --- the camera


def _camera_live(state: TableState, by: By) -> TableState:
    if state.camera.status in ("none",):
        return replace(state, camera=Camera("live", "camera live", by.now))
    return state


def _camera(outcome: Outcome, event: Event, by: By) -> Outcome:
    """What happened to the camera goes to the supervisor as well."""
    round_, state = outcome.state.round, outcome.state
    fact = ReadingMade(round=round_.number, by=by.label, event=event.to_record(), evidence=())
    if event.kind == "source_lost":
        lost = replace(state, camera=Camera("lost", f"no picture: {event.reason or 'the camera is away'}", by.now))
        advice = "Go on by hand: enter the hands, or wait for the picture"
        return _alert(outcome.then(lost, fact), event, by, event.kind, "warning", "the camera is lost", (), advice)
    if event.kind == "source_back":
        return outcome.then(replace(state, camera=Camera("live", "camera live", by.now)), fact)
    if event.kind == "light_changed":
        return _alert(outcome.then(state, fact), event, by, event.kind, "notice", "the light changed", ())
    if event.extra_value("followed") is True:
        return _alert(outcome.then(state, fact), event, by, event.kind, "notice", "the camera moved, followed", ())
    moved = replace(state, camera=Camera("moved", "the camera was moved: calibrate it again", by.now))
    return _alert(outcome.then(moved, fact), event, by, event.kind, "stop", moved.camera.words, ())


# --- shared


def _where(event: Event) -> str:
    return spoken_zone(event.zone) if event.zone else "the table"


def _hand(state: TableState, event: Event) -> Hand:
    hand = state.hand(event.zone) if event.zone else None
    return Hand() if hand is None else hand


def _with_hand(outcome: Outcome, event: Event, hand: Hand) -> Outcome:
    assert event.zone is not None
    return Outcome(outcome.state.with_hand(event.zone, hand), outcome.facts)


def _stands(state: TableState, event: Event) -> bool:
    """Whether a payout rests on this seat's hand."""
    seat = None if event.seat is None else state.seat(event.seat)
    return seat is not None and seat.standing("hand") is not None


def _unverified(outcome: Outcome, event: Event) -> Outcome:
    seat = None if event.seat is None else outcome.state.seat(event.seat)
    if seat is None or seat.verified_by is None:
        return outcome
    return Outcome(outcome.state.with_seat(replace(seat, verified_by=None)), outcome.facts)


def _alert(
    outcome: Outcome,
    event: Event,
    by: By,
    kind: str,
    level: Level,
    words: str,
    evidence: tuple[str, ...],
    advice: str | None = None,
) -> Outcome:
    return with_alert(outcome, by, kind, level, words, advice=advice, zone=event.zone, evidence=evidence)
