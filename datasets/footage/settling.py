"""The second half of a round: the dealer's hand, every player's hand in its turn, payments, and the end.

Each function adds its moves to the stage, tells what happened, and moves the clock of the `Play` on.
"""

from collections.abc import Sequence

import numpy as np

from datasets.footage.arrangements import Frame, dealer_set_poses, hide_under, spread_poses
from datasets.footage.faults import Fault
from datasets.footage.motion import FACE_UP_DEG, Pose, half_turns_deg
from datasets.footage.paying import give_progressive_back, pay_and_collect, pay_envy, take_back, undo_payments
from datasets.footage.play import Play, is_revealed
from datasets.footage.round_plan import SeatPlan, TableCard
from datasets.footage.stage import card_points_mm, covers
from game.cards import Card

_TIDY = ("row", "overlap")
_EXPECTED_SEAT, _EXPECTED_DEALER = 5, 6


def reveal_dealer(play: Play) -> bool:
    """The dealer turns six cards and sets the best four in front; false when the count is wrong and all stops."""
    stage, pace, round_ = play.stage, play.stage.pace, play.round
    at_s = play.now_s + pace.pause_s
    down = round_.dealer[:-1]
    x, y = stage.table.dealer.spots["hand"]
    gathered = [Pose(x, y, 6.0 + number, _turn_of(play, card)) for number, card in enumerate(down)]
    stage.hand_at("dealer-left", at_s + pace.bring_s * 0.8, (x - 70, y + 10))
    at_s = stage.carry("dealer-right", down, at_s + pace.bring_s, pace.bring_s * 0.7, gathered)
    is_right = len(round_.dealer) == _EXPECTED_DEALER
    front = round_.in_front if is_right else round_.dealer
    rest = tuple(card for card in round_.dealer if card not in front)
    row = round_.manner.dealer_row if is_right else "overlap"
    poses, rest_poses = dealer_set_poses(
        stage.table.dealer, len(front), len(rest), row, round_.manner.unused, stage.card_size_mm, stage.rng
    )
    at_s = _turn_over(play, "dealer-right", down, at_s)
    at_s = _lay(play, "dealer-right", (*rest, *front), (*rest_poses, *poses), at_s)
    away_s = max(stage.hand_away(hand, at_s) for hand in ("dealer-left", "dealer-right"))
    _tell_dealer(play, away_s, front, rest, is_right)
    later = _reveal_order(play)
    waits = not is_right or not later or not _lays_first(play) or _next_arm_covers(play, round_.dealer, later)
    play.now_s = away_s + (pace.rest_s + 0.1 if waits else 0.0)
    return is_right


def _tell_dealer(
    play: Play, at_s: float, front: Sequence[TableCard], rest: Sequence[TableCard], is_right: bool
) -> None:
    cards = (*front, *rest)
    if not is_right:
        _tell_miscount(play, at_s, "dealer", cards, _EXPECTED_DEALER)
        return
    texts = [card.text for card in front]
    play.tell("dealer_hand", at_s, "dealer", cards, set_in_front=texts)
    if play.round.fault(Fault.WRONG_SET):
        best = play.round.settlement["dealer"]["best_four_any_of"] if play.round.is_settled else []
        play.tell("dealer_set_wrong", at_s, "dealer", front, showing=cards, best_four_any_of=best)
    _tell_strange(play, at_s, "dealer", cards)


def _tell_miscount(play: Play, at_s: float, zone: str, cards: Sequence[TableCard], expected: int) -> None:
    """A wrong count, told once: at the deal where the cards lay apart, otherwise when they are turned."""
    if not any(happening.kind == "miscount" for happening in play.happenings):
        play.tell("miscount", at_s, zone, cards, expected=expected, seen=len(cards))


def _tell_strange(play: Play, at_s: float, zone: str, cards: Sequence[TableCard]) -> None:
    """Cards that were seen before in this round, or do not belong to the deck."""
    shown: list[Card] = [
        Card.parse(text)
        for happening in play.happenings
        if happening.kind in ("dealer_hand", "player_hand") and happening.zone != zone
        for text in happening.cards
        if len(text) == 2
    ]
    for card in cards:
        if card.face in shown and card.face is not None:
            play.tell("duplicate_card", at_s, zone, (card,), showing=cards)
        if card.is_foreign:
            play.tell("foreign_card", at_s, zone, (card,) if card.face else (), showing=cards, reason=card.made_of)


def settle_hands(play: Play) -> bool:
    """Every hand in its turn; false when something was found that stops the round."""
    order = _reveal_order(play)
    laid = []
    for place, plan in enumerate(order):
        if not is_revealed(play.round, plan):
            _collect_unseen(play, plan)
            continue
        is_right = _reveal_seat(play, plan, order[place + 1 :])
        if not is_right:
            return False
        if _lays_first(play):
            laid.append(plan)
        else:
            pay_and_collect(play, plan)
    if laid:
        play.now_s += play.stage.pace.rest_s
    for plan in laid:
        pay_and_collect(play, plan)
    pay_envy(play)
    return True


def _reveal_order(play: Play) -> list[SeatPlan]:
    """Seats on the table in the order of the house, one of them before its turn when that is the fault."""
    rules = play.round.house.house_rules
    seats = [plan for plan in play.round.seats if any(card in play.on_table for card in plan.cards)]
    order = sorted(seats, key=lambda plan: plan.seat, reverse=rules["settle_order"] == "right_to_left")
    fault = play.round.fault(Fault.OUT_OF_ORDER)
    early = next((plan for plan in order if fault and plan.name == fault.zone), None)
    if early is not None:
        revealed = [plan for plan in order if is_revealed(play.round, plan)]
        order.remove(early)
        order.insert(order.index(revealed[revealed.index(early) - 1]), early)
    return order


def _collect_unseen(play: Play, plan: SeatPlan) -> None:
    """A folded hand by the sensor that wins nothing: collected as it lies."""
    stage = play.stage
    hand = stage.dealer_hand_for(stage.card_pose(plan.cards[0]).xy_mm)
    at_s = play.discard(hand, plan.cards, play.now_s + stage.pace.bring_s)
    play.now_s = stage.hand_away(hand, at_s)


def _reveal_seat(play: Play, plan: SeatPlan, later: Sequence[SeatPlan]) -> bool:
    """A hand comes into its work area and is turned and spread; false when it stops the round."""
    stage, pace = play.stage, play.stage.pace
    zone = stage.table.zones[plan.name]
    frame = Frame.of(zone)
    hand = stage.dealer_hand_for(zone.centre_mm)
    stage.hand_away("dealer-left" if hand == "dealer-right" else "dealer-right", play.now_s)
    middle = frame.point(0.0, frame.depth_mm / 2)
    brought = [
        Pose(*middle, 6.0 + number, half_turns_deg(frame.turn_deg, _turn_of(play, card)))
        for number, card in enumerate(plan.cards)
    ]
    at_s = stage.carry(hand, plan.cards, play.now_s + pace.bring_s, pace.bring_s, brought)
    at_s = _turn_over(play, hand, plan.cards, at_s)
    cards, poses = _spread(play, plan)
    at_s = _lay(play, hand, cards, poses, at_s)
    away_s = stage.hand_away(hand, at_s)
    waits = not _lays_first(play) or _next_arm_covers(play, plan.cards, later)
    play.now_s = away_s + (pace.rest_s if waits else 0.0)
    return _tell_seat(play, plan, away_s, later)


def _lays_first(play: Play) -> bool:
    return play.round.manner.settle == "lay-and-pay"


def _next_arm_covers(play: Play, cards: Sequence[TableCard], later: Sequence[SeatPlan]) -> bool:
    """Whether bringing in the next hands puts an arm over these cards, which then have to be left alone first."""
    stage = play.stage
    points = np.concatenate([card_points_mm(stage.card_pose(card), stage.card_size_mm) for card in cards])
    for other in later[:2]:
        start = np.array(stage.card_pose(other.cards[0]).xy_mm)
        target = other.name if is_revealed(play.round, other) else "discard"
        way = np.array(stage.table.zones[target].centre_mm) - start
        hand = stage.dealer_hand_for(stage.table.zones[other.name].centre_mm)
        for share in np.linspace(0, 1, 7):
            x, y = start + way * share
            if covers(stage.hand_pose(hand, (float(x), float(y)), 0.0, None), points, 30.0):
                return True
    return False


def _spread(play: Play, plan: SeatPlan) -> tuple[tuple[TableCard, ...], tuple[Pose, ...]]:
    """Cards in the order in which they are laid, and where; a hidden one goes down first, under its neighbour."""
    stage = play.stage
    zone = stage.table.zones[plan.name]
    hidden = _hidden(play, plan)
    shown = tuple(card for card in plan.cards if card not in hidden)
    arrangement = plan.arrangement if len(plan.cards) == _EXPECTED_SEAT and not hidden else "overlap"
    poses = spread_poses(zone, len(shown), arrangement, stage.card_size_mm, stage.rng)
    if not hidden:
        return shown, poses
    cover = poses[int(stage.rng.integers(len(poses)))]
    return (*hidden, *shown), (hide_under(cover, stage.rng), *poses)


def _hidden(play: Play, plan: SeatPlan) -> tuple[TableCard, ...]:
    fault = play.round.fault(Fault.HIDDEN_CARD)
    return fault.cards if fault is not None and fault.zone == plan.name else ()


def _turn_over(play: Play, hand: str, cards: Sequence[TableCard], at_s: float) -> float:
    """A packet is turned face up where it is."""
    stage = play.stage
    end_s = at_s + stage.pace.turn_s
    for number, card in enumerate(cards):
        pose = stage.card_pose(card)
        up = Pose(pose.x_mm, pose.y_mm, 6.0 + len(cards) - number, pose.turn_deg, FACE_UP_DEG)
        stage.move_card(card, at_s, end_s, up, arc_mm=15.0)
    x, y = stage.card_pose(cards[0]).xy_mm
    stage.hand_at(hand, end_s, (x + 25, y - 10), z_mm=25)
    return end_s


def _lay(play: Play, hand: str, cards: Sequence[TableCard], poses: Sequence[Pose], at_s: float) -> float:
    """Cards go one after the other to their places; returns when the last lies."""
    stage, pace = play.stage, play.stage.pace
    step_s = pace.spread_s * 0.5 / len(cards)
    end_s = at_s
    for number, (card, pose) in enumerate(zip(cards, poses, strict=True)):
        start_s = at_s + step_s * number
        end_s = start_s + pace.spread_s * 0.5
        turn = half_turns_deg(pose.turn_deg, _turn_of(play, card))
        stage.move_card(card, start_s, end_s, Pose(pose.x_mm, pose.y_mm, pose.z_mm, turn, FACE_UP_DEG))
    stage.hand_at(hand, end_s, poses[-1].xy_mm)
    return end_s


def _turn_of(play: Play, card: TableCard) -> float:
    return play.stage.card_pose(card).turn_deg


def _tell_seat(play: Play, plan: SeatPlan, at_s: float, later: Sequence[SeatPlan]) -> bool:
    if len(plan.cards) != _EXPECTED_SEAT:
        _tell_miscount(play, at_s, plan.name, plan.cards, _EXPECTED_SEAT)
        return False
    fault = play.round.fault(Fault.HIDDEN_CARD)
    hidden = _hidden(play, plan)
    if hidden and fault is not None:
        advice = f"spread the cards on seat {plan.seat}"
        shown = [card for card in plan.cards if card not in hidden]
        play.tell("unreadable", at_s, plan.name, hidden, showing=shown, reason="covered", advice=advice)
        if fault.detail == "spread":
            at_s = _spread_again(play, plan)
        else:
            play.tell("player_hand", at_s, plan.name, plan.cards, showing=shown, hidden=[hidden[0].text])
            return True
    if all(card.face for card in plan.cards):
        play.tell("player_hand", at_s, plan.name, plan.cards)
    _tell_order(play, plan, at_s, later)
    _tell_strange(play, at_s, plan.name, plan.cards)
    return play.round.is_settled or not _stops_here(play, plan)


def _stops_here(play: Play, plan: SeatPlan) -> bool:
    """Whether this hand shows what the round cannot go on with."""
    return any(
        happening.zone == plan.name and happening.kind in ("duplicate_card", "foreign_card")
        for happening in play.happenings
    )


def _tell_order(play: Play, plan: SeatPlan, at_s: float, later: Sequence[SeatPlan]) -> None:
    fault = play.round.fault(Fault.OUT_OF_ORDER)
    if fault is None or fault.zone != plan.name:
        return
    due = next((other for other in later if is_revealed(play.round, other)), None)
    if due is not None:
        play.tell("out_of_order", at_s, plan.name, showing=plan.cards, due=due.name)


def _spread_again(play: Play, plan: SeatPlan) -> float:
    """The dealer sees that a card is missing and spreads the hand; returns when it lies open."""
    stage, pace = play.stage, play.stage.pace
    zone = stage.table.zones[plan.name]
    hand = stage.dealer_hand_for(zone.centre_mm)
    poses = spread_poses(zone, len(plan.cards), _TIDY[int(stage.rng.integers(2))], stage.card_size_mm, stage.rng)
    start_s = stage.hand_at(hand, play.now_s + pace.rest_s + pace.bring_s + 0.3, zone.centre_mm)
    at_s = _lay(play, hand, plan.cards, poses, start_s)
    away_s = stage.hand_away(hand, at_s)
    play.now_s = away_s + pace.rest_s
    return away_s


def stop_round(play: Play) -> None:
    """A round that cannot go on: the dealer stops, every wager goes back, all cards are collected."""
    stage, pace, round_ = play.stage, play.stage.pace, play.round
    found = max(happening.time_s for happening in play.happenings)
    if round_.settlement["status"] == "void":
        miscount = next(happening for happening in play.happenings if happening.kind == "miscount")
        play.tell("round_void", miscount.time_s, miscount.zone, reason=round_.settlement["reason"])
    at_s = max(play.now_s, found + pace.rest_s) + pace.pause_s * 2
    stage.hand_at("dealer-right", at_s, (150.0, 120.0), z_mm=60)
    ends = [at_s + pace.pause_s * 3]
    for plan in play.settled:
        ends.append(undo_payments(play, plan, max(ends)))
    for plan in round_.seats:
        ends.append(give_progressive_back(play, plan, at_s))
        ends.append(take_back(play, plan, ends[-1] + float(stage.rng.uniform(0, pace.bring_s))))
    play.now_s = max(ends)
    for zone, cards in [(plan.name, plan.cards) for plan in reversed(round_.seats)]:
        left = [card for card in cards if card in play.on_table]
        if left:
            hand = stage.dealer_hand_for(stage.card_pose(left[0]).xy_mm)
            play.now_s = play.discard(hand, left, play.now_s + pace.bring_s * 0.5)
            play.tell("hand_cleared", play.now_s, zone)


def end_round(play: Play) -> None:
    """The dealer's own cards go to the discard rack, and the rack's cards to the shuffler."""
    stage, pace, round_ = play.stage, play.stage.pace, play.round
    left = [card for card in play.on_table if card in round_.dealer]
    at_s = play.now_s + pace.pause_s
    if left:
        at_s = play.discard("dealer-right", left, at_s + pace.bring_s * 0.6)
    away_s = max(stage.hand_away(hand, at_s) for hand in ("dealer-left", "dealer-right"))
    results = {"settled": "settled", "void": "void"}
    play.tell("round_ended", away_s, result=results.get(round_.settlement["status"], "stopped"))
    for zone, (start_s, _) in list(stage.lights.items()):
        stage.lights[zone] = (start_s, away_s)
    play.now_s = away_s
    _empty_rack(play)


def _empty_rack(play: Play) -> None:
    stage, pace = play.stage, play.stage.pace
    top = play.discarded[-1]
    x, y = stage.table.zones["shuffler"].centre_mm
    at_s = stage.hand_at("dealer-right", play.now_s + pace.bring_s, stage.card_pose(top).xy_mm)
    middle_s = at_s + pace.bring_s * 0.8
    turn = _turn_of(play, top)
    stage.move_card(top, at_s, middle_s, Pose(40.0, 110.0, 30.0, turn))
    stage.hand_at("dealer-right", middle_s, (40.0, 110.0))
    stage.hand_away("dealer-right", middle_s)
    end_s = stage.carry("dealer-left", (top,), middle_s, pace.bring_s * 0.8, [Pose(x, y, 10.0, turn)])
    stage.remove_card(top, end_s + 0.04)
    play.now_s = stage.hand_away("dealer-left", end_s)
