"""The first half of a round: bets, the deal, and what players do with their cards.

Each function adds its moves to the stage, tells what happened, and moves the clock of the `Play` on.
"""

from collections.abc import Sequence

from datasets.footage.arrangements import Frame, chips_for, dealer_packet_poses, packet_poses
from datasets.footage.faults import Fault
from datasets.footage.motion import FACE_UP_DEG, Pose, half_turns_deg
from datasets.footage.play import Play, fold_is_left
from datasets.footage.round_plan import SeatPlan, TableCard
from datasets.footage.stage import UNDER_CHIPS_LAYER

_DECK_MM = (-75.0, 118.0)  # where a dealer holds the deck
_EXPECTED_SEAT, _EXPECTED_DEALER = 5, 6


def place_bets(play: Play) -> None:
    """Every player puts down his wagers before the deal."""
    stage, pace = play.stage, play.stage.pace
    ends = [play.now_s]
    for plan in play.round.seats:
        at_s = play.now_s + 0.15 + float(stage.rng.uniform(0, pace.settle_in_s))
        for wager, cents in plan.wagers.items():
            at_s = put_chips(play, plan, play.round.house.spots[wager], cents, at_s)
            if wager == "progressive":
                stage.lights[plan.name] = (at_s, 1e9)
        ends.append(stage.hand_away(f"{plan.name}-right", at_s))
    play.now_s = max(ends) + pace.pause_s
    _take_progressive(play)


def put_chips(play: Play, plan: SeatPlan, spot: str, cents: int, start_s: float, suffix: str = "") -> float:
    """A player puts chips on a spot; returns when they lie there."""
    stage = play.stage
    zone = stage.table.zones[plan.name]
    name = f"{plan.name}:{spot}{suffix}"
    hand = f"{plan.name}-right"
    home = stage.player_home(plan.name)
    start_s = stage.hand_at(hand, start_s, home)
    dx, dy, turn = stage.rng.normal(0, 2.5, 3)
    x, y = zone.spots[spot]
    stage.place_pile(name, chips_for(cents), start_s, Pose(*home, 0.0, float(turn) * 30))
    return stage.carry_pile(hand, name, start_s, stage.pace.bet_s * 0.6, (x + float(dx), y + float(dy)))


def _take_progressive(play: Play) -> None:
    """The dealer takes the progressive chips off; the sensors stay lit."""
    stage, pace = play.stage, play.stage.pace
    bettors = [plan for plan in reversed(play.round.seats) if "progressive" in plan.wagers]
    if not bettors:
        return
    at_s = play.now_s
    used: set[str] = set()
    for plan in bettors:
        spot = stage.table.zones[plan.name].spots["sensor"]
        hand = stage.dealer_hand_for(spot)
        if used and hand not in used:
            stage.hand_away("dealer-right", at_s)
        used.add(hand)
        at_s = stage.hand_at(hand, at_s + pace.pay_s, spot)
        stage.remove_pile(f"{plan.name}:sensor", at_s)
    play.now_s = max(stage.hand_away(hand, at_s) for hand in sorted(used)) + pace.pause_s


def deal(play: Play) -> None:
    """Five face down to every seat from the dealer's left to right, five down and one up to the dealer."""
    if play.round.manner.deal == "cards":
        _deal_card_by_card(play)
    else:
        _deal_packets(play)
    _late_wager(play)
    _turn_exposed_back(play)
    play.now_s += play.stage.pace.count_s * (1.0 if play.round.manner.apart else 0.4)


def _hand_poses(play: Play) -> dict[str, tuple[Pose, ...]]:
    """Where every dealt card will lie, by zone; the dealer's up card last."""
    stage, round_ = play.stage, play.round
    apart = round_.manner.apart
    poses = {
        plan.name: packet_poses(stage.table.zones[plan.name], len(plan.cards), apart, stage.rng)
        for plan in round_.seats
    }
    dealer = stage.table.zones["dealer"]
    down = dealer_packet_poses(dealer, len(round_.dealer) - 1, apart, stage.rng)
    up = Pose(*dealer.spots["up-card"], 0.0, float(stage.rng.normal(0, 2)), FACE_UP_DEG)
    return {**poses, "dealer": (*down, up)}


def _deal_card_by_card(play: Play) -> None:
    pace, round_ = play.stage.pace, play.round
    poses = _hand_poses(play)
    hands = {plan.name: plan.cards for plan in round_.seats} | {"dealer": round_.dealer[:-1]}
    at_s = _take_deck(play)
    arrived: dict[str, float] = {}
    started = False
    for number in range(max(len(cards) for cards in hands.values())):
        for zone, cards in hands.items():
            if number >= len(cards):
                continue
            at_s += pace.deal_card_s
            arrived[zone] = _throw(play, cards[number], poses[zone][number], at_s, _faces_up(play, cards[number]))
            if not started:
                play.tell("round_started", arrived[zone])
                started = True
    for zone, cards in hands.items():
        _tell_dealt(play, zone, cards, arrived[zone])
    at_s = _throw(play, round_.up_card, poses["dealer"][-1], at_s + pace.deal_card_s, True)
    at_s = _put_deck_away(play, at_s)
    play.tell("up_card", at_s, "dealer", (round_.up_card,))
    play.now_s = at_s


def _take_deck(play: Play) -> float:
    """The dealer takes the deck from the shuffler; its uppermost undealt card stands for all of it."""
    stage = play.stage
    start = Pose(*stage.table.zones["shuffler"].centre_mm)
    if not play.round.rest:
        return play.now_s
    top = play.round.rest[0]
    stage.place_card(top, play.now_s, start)
    play.on_table.append(top)
    at_s = stage.carry(
        "dealer-left", (top,), play.now_s + stage.pace.bring_s, stage.pace.bring_s, [Pose(*_DECK_MM, 25.0, 8.0)]
    )
    return stage.hand_at("dealer-right", at_s, (_DECK_MM[0] + 45, _DECK_MM[1] + 20))


def _put_deck_away(play: Play, at_s: float) -> float:
    """What is left of the deck goes to the discard rack."""
    if play.round.rest:
        at_s = play.discard("dealer-left", (play.round.rest[0],), at_s)
    return max(play.stage.hand_away(hand, at_s) for hand in ("dealer-right", "dealer-left"))


def _throw(play: Play, card: TableCard, pose: Pose, at_s: float, face_up: bool) -> float:
    """A card slides from the dealer's hands to its place; returns when it lies there."""
    stage, pace = play.stage, play.stage.pace
    half = 180.0 * float(stage.rng.integers(2))
    start = Pose(_DECK_MM[0] + 30, _DECK_MM[1] + 12, 26.0, half + 8.0)
    stage.place_card(card, at_s, start)
    play.on_table.append(card)
    turn = half_turns_deg(pose.turn_deg, start.turn_deg) + 180 * float(stage.rng.integers(-1, 2))
    flip = FACE_UP_DEG if face_up else 0.0
    target = Pose(pose.x_mm, pose.y_mm, pose.z_mm, turn, flip)
    reach_s = pace.flight_s * (0.75 + 0.25 * min(1.0, abs(pose.y_mm) / 700))
    stage.move_card(card, at_s, at_s + reach_s, target, ease="slide")
    flick = (
        _DECK_MM[0] + 45 + 0.12 * (pose.x_mm - _DECK_MM[0]),
        _DECK_MM[1] + 20 + 0.12 * (pose.y_mm - _DECK_MM[1]),
    )
    stage.hand_at("dealer-right", at_s, (_DECK_MM[0] + 38, _DECK_MM[1] + 15), z_mm=30)
    stage.hand_at("dealer-right", at_s + 0.45 * pace.deal_card_s, flick, z_mm=30)
    return at_s + reach_s


def _deal_packets(play: Play) -> None:
    stage, round_ = play.stage, play.round
    poses = _hand_poses(play)
    at_s = play.now_s
    for number, plan in enumerate(round_.seats):
        at_s = _packet(play, plan.cards, poses[plan.name], at_s)
        if number == 0:
            play.tell("round_started", at_s)
        _tell_dealt(play, plan.name, plan.cards, at_s)
    down = round_.dealer[:-1]
    at_s = _packet(play, down, poses["dealer"][:-1], at_s)
    at_s = stage.hand_away("dealer-right", at_s)
    _tell_dealt(play, "dealer", down, at_s)
    at_s = _up_card_packet(play, poses["dealer"][-1], at_s)
    play.tell("up_card", at_s, "dealer", (round_.up_card,))
    play.now_s = max(at_s, stage.hand_away("dealer-left", stage.hand_free_s("dealer-left")))


def _packet(play: Play, cards: Sequence[TableCard], poses: Sequence[Pose], at_s: float) -> float:
    """A packet of the shuffler goes to its place, pushed part of the way and sliding the rest."""
    stage, pace = play.stage, play.stage.pace
    at_s = _fetch_packet(play, cards, at_s)
    hand = stage.dealer_hand_for(poses[0].xy_mm) if poses[0].x_mm > 60 else "dealer-left"
    start = stage.card_pose(cards[0])
    at_s = stage.hand_at(hand, at_s, start.xy_mm)
    if hand == "dealer-right":
        stage.hand_away("dealer-left", at_s)
    end_s = at_s + pace.packet_s * 0.65
    for card, pose in zip(cards, poses, strict=True):
        now = stage.card_pose(card)
        flip = FACE_UP_DEG if _faces_up(play, card) else 0.0
        turn = half_turns_deg(pose.turn_deg, now.turn_deg)
        target = Pose(pose.x_mm, pose.y_mm, pose.z_mm, turn, flip)
        stage.move_card(card, at_s, end_s + 0.12, target, ease="slide", arc_mm=6.0)
    share = 0.62
    reach = (
        start.x_mm + (poses[0].x_mm - start.x_mm) * share,
        start.y_mm + (poses[0].y_mm - start.y_mm) * share,
    )
    stage.hand_at(hand, end_s - 0.02, reach)
    return end_s + 0.12


def _fetch_packet(play: Play, cards: Sequence[TableCard], at_s: float) -> float:
    """The left hand takes the next packet from the shuffler to the middle."""
    stage, pace = play.stage, play.stage.pace
    x, y = stage.table.zones["shuffler"].centre_mm
    ready = max(at_s - pace.packet_s * 0.3, stage.hand_free_s("dealer-left"), play.now_s)
    for card in cards:
        half = 180.0 * float(stage.rng.integers(2))
        stage.place_card(card, ready, Pose(x + 30, y, 10.0, half))
        play.on_table.append(card)
    here = [Pose(-190.0, 135.0, 12.0, stage.card_pose(card).turn_deg) for card in cards]
    return stage.carry("dealer-left", cards, ready + 0.1, pace.packet_s * 0.35, here)


def _up_card_packet(play: Play, pose: Pose, at_s: float) -> float:
    """The next packet: its top card face up to the dealer, the others to the discard rack."""
    stage, pace, round_ = play.stage, play.stage.pace, play.round
    burnt = round_.rest[:4]
    at_s = _fetch_packet(play, (*burnt, round_.up_card), at_s)
    now = stage.card_pose(round_.up_card)
    at_s = stage.hand_at("dealer-right", at_s, now.xy_mm)
    target = Pose(pose.x_mm, pose.y_mm, 0.0, half_turns_deg(pose.turn_deg, now.turn_deg), FACE_UP_DEG)
    end_s = at_s + pace.packet_s * 0.6
    stage.move_card(round_.up_card, at_s, end_s, target, arc_mm=25.0)
    stage.hand_at("dealer-right", end_s, target.xy_mm)
    away_s = stage.hand_away("dealer-right", end_s)
    if burnt:
        play.discard("dealer-left", burnt, end_s)
    stage.hand_away("dealer-left", stage.hand_free_s("dealer-left"))
    return max(away_s, stage.hand_free_s("dealer-left"))


def _tell_dealt(play: Play, zone: str, cards: Sequence[TableCard], at_s: float) -> None:
    apart = play.round.manner.apart
    play.tell("cards_dealt", at_s, zone, showing=cards, count=len(cards), apart=apart)
    expected = _EXPECTED_SEAT if zone != "dealer" else _EXPECTED_DEALER - 1
    if apart and len(cards) != expected:
        up = 1 if zone == "dealer" else 0
        play.tell("miscount", at_s + 0.01, zone, showing=cards, expected=expected + up, seen=len(cards) + up)


def _faces_up(play: Play, card: TableCard) -> bool:
    fault = play.round.fault(Fault.EXPOSED_CARD)
    return fault is not None and card in fault.cards


def _turn_exposed_back(play: Play) -> None:
    """The dealer notices a card that landed face up, and turns it over."""
    fault = play.round.fault(Fault.EXPOSED_CARD)
    if fault is None or fault.zone is None:
        return
    stage, (card,) = play.stage, fault.cards
    pose = stage.card_pose(card)
    landed_s = next(
        happening.time_s
        for happening in play.happenings
        if happening.kind == "cards_dealt" and happening.zone == fault.zone
    )
    play.tell("exposed_card", landed_s, fault.zone, fault.cards)
    hand = stage.dealer_hand_for(pose.xy_mm)
    at_s = stage.hand_at(hand, max(play.now_s, landed_s + 1.1) + stage.pace.bring_s, pose.xy_mm)
    stage.move_card(card, at_s, at_s + stage.pace.turn_s, _face_down(pose), arc_mm=10.0)
    play.now_s = stage.hand_away(hand, at_s + stage.pace.turn_s)


def _face_down(pose: Pose) -> Pose:
    return Pose(pose.x_mm, pose.y_mm, pose.z_mm, pose.turn_deg, 0.0)


def _late_wager(play: Play) -> None:
    """A player puts chips down although the deal has begun."""
    fault = play.round.fault(Fault.LATE_WAGER)
    if fault is None or fault.zone is None:
        return
    plan = play.round.seat_plan(int(fault.zone.removeprefix("seat-")))
    # Shortly before the last card is down.
    early_s = float(play.stage.rng.uniform(0.2, 0.6)) * play.stage.pace.packet_s * 2
    start_s = play.now_s - early_s + play.stage.pace.pause_s
    end_s = put_chips(play, plan, fault.detail, 500, start_s, suffix=":late")
    away_s = play.stage.hand_away(f"{plan.name}-right", end_s)
    play.tell(
        "bet_spot_changed", away_s, plan.name, spot=fault.detail, change="put", phase="deal", by="player", late=True
    )
    play.now_s = max(play.now_s, away_s)


def decide(play: Play) -> None:
    """Every player looks and then plays or folds; the dealer takes what was forfeited."""
    stage, pace = play.stage, play.stage.pace
    count = len(play.round.seats)
    ends = [play.now_s]
    for number, plan in enumerate(play.round.seats):
        first = play.now_s + pace.decide_s * 0.5 * number / count + float(stage.rng.uniform(0, pace.decide_s * 0.3))
        at_s = _look(play, plan, first)
        if plan.decision == "play":
            at_s = _put_play(play, plan, at_s)
        elif plan.decision == "fold":
            at_s = _fold(play, plan, at_s)
        ends.append(at_s)
    play.now_s = max(ends)
    _collect_forfeits(play)


def _look(play: Play, plan: SeatPlan, at_s: float) -> float:
    """A player lifts the cards, looks, and lays them down as a squared packet."""
    stage, pace = play.stage, play.stage.pace
    zone = stage.table.zones[plan.name]
    frame = Frame.of(zone)
    spot = zone.spots["cards"]
    hand, other = f"{plan.name}-right", f"{plan.name}-left"
    lifted_mm = (spot[0] + frame.outwards[0] * 38, spot[1] + frame.outwards[1] * 38)
    poses = [stage.card_pose(card) for card in plan.cards]
    turns = [half_turns_deg(frame.turn_deg, pose.turn_deg) for pose in poses]
    lifted = [Pose(*lifted_mm, 30.0 + number, turn) for number, turn in enumerate(turns)]
    stage.hand_at(other, at_s + pace.bring_s, (spot[0] - frame.along[0] * 30, spot[1] - frame.along[1] * 30))
    up_s = stage.carry(hand, plan.cards, at_s + pace.bring_s, pace.bring_s * 0.5, lifted)
    down_s = up_s + pace.look_s
    tidy = [_squared(play, spot, turn, number) for number, turn in enumerate(turns)]
    end_s = stage.carry(hand, plan.cards, down_s, pace.bring_s * 0.5, tidy)
    stage.hand_away(other, end_s)
    return end_s


def _squared(play: Play, spot: tuple[float, float], turn_deg: float, number: int) -> Pose:
    dx, dy, turn = play.stage.rng.normal(0, 0.6, 3)
    return Pose(spot[0] + float(dx), spot[1] + float(dy), 0.3 * number, turn_deg + float(turn))


def _put_play(play: Play, plan: SeatPlan, at_s: float) -> float:
    spot = play.round.house.play_spot
    end_s = put_chips(play, plan, spot, plan.play, at_s + play.stage.pace.pause_s)
    away_s = play.stage.hand_away(f"{plan.name}-right", end_s)
    play.tell("bet_spot_changed", away_s, plan.name, spot=spot, change="put", phase="decision", by="player", late=False)
    return away_s


def _fold(play: Play, plan: SeatPlan, at_s: float) -> float:
    """The player gives the hand up: pushed forward, or left where a live wager keeps it."""
    stage, pace = play.stage, play.stage.pace
    zone = stage.table.zones[plan.name]
    left = fold_is_left(play.round, plan)
    hand = f"{plan.name}-right"
    if left == "kept":
        return stage.hand_away(hand, at_s)
    frame = Frame.of(zone)
    x, y = _fold_place(play, plan, frame, left)
    poses = [
        Pose(x, y, 0.3 * number, stage.card_pose(card).turn_deg + float(stage.rng.normal(0, 1)))
        for number, card in enumerate(plan.cards)
    ]
    layer = UNDER_CHIPS_LAYER + plan.seat if left == "bonus" else None
    end_s = stage.carry(hand, plan.cards, at_s + pace.pause_s, pace.bring_s, poses, arc_mm=4.0, layer=layer)
    away_s = stage.hand_away(hand, end_s)
    if left != "taken":
        play.tell("fold", away_s, plan.name, showing=plan.cards, left=left)
    return away_s


def _fold_place(play: Play, plan: SeatPlan, frame: Frame, left: str) -> tuple[float, float]:
    if left == "bonus":
        zone = play.stage.table.zones[plan.name]
        wager = "aces_baby" if "aces_baby" in plan.wagers else "prime"
        spot = zone.spots[play.round.house.spots[wager]]
        return spot[0] + frame.outwards[0] * 30, spot[1] + frame.outwards[1] * 30
    if left == "sensor":
        return frame.point(112.0, 222.0)
    return frame.point(-12.0, 345.0)


def _collect_forfeits(play: Play) -> None:
    """The dealer takes antes and cards of folded hands, from the right."""
    stage = play.stage
    for plan in reversed(play.round.seats):
        if plan.decision != "fold":
            continue
        hand = stage.dealer_hand_for(stage.table.zones[plan.name].centre_mm)
        at_s = take_chips(play, f"{plan.name}:ante", hand, play.now_s + stage.pace.pause_s)
        if fold_is_left(play.round, plan) == "taken":
            at_s = play.discard(hand, plan.cards, at_s + stage.pace.pay_s)
            play.tell("fold", at_s, plan.name, left="taken")
        elif fold_is_left(play.round, plan) == "kept":
            play.tell("fold", at_s + stage.pace.withdraw_s, plan.name, showing=plan.cards, left="kept")
        play.now_s = at_s
    play.now_s = max(stage.hand_away(hand, play.now_s) for hand in ("dealer-left", "dealer-right"))


def take_chips(play: Play, name: str, hand: str, at_s: float) -> float:
    """The dealer takes a stack to the tray; returns when it is there."""
    stage = play.stage
    if stage.pace.sweeps:  # taken in passing, to the tray later
        end_s = stage.hand_at(hand, at_s + stage.pace.pay_s, stage.pile_pose(name).xy_mm)
        stage.remove_pile(name, end_s)
        return end_s
    side = 120.0 if hand == "dealer-right" else -120.0
    end_s = stage.carry_pile(hand, name, at_s + stage.pace.pay_s, stage.pace.pay_s, (side, 70.0))
    stage.remove_pile(name, end_s)
    return end_s
