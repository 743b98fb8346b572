"""Chips at the end of a round: wagers paid or taken in order, envy, and all of it undone when a round is stopped.

Each function adds its moves to the stage, tells what happened, and returns when it is done or moves the clock on.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from datasets.footage.arrangements import Frame, chips_for
from datasets.footage.dealing import put_chips, take_chips
from datasets.footage.houses import PAID_ON
from datasets.footage.motion import Pose
from datasets.footage.play import Play
from datasets.footage.round_plan import SeatPlan


def pay_and_collect(play: Play, plan: SeatPlan) -> None:
    """Wagers paid or taken in order, then the cards collected, unless they are to be envied."""
    stage, pace = play.stage, play.stage.pace
    paid = paid_row(play, plan)
    hand = stage.dealer_hand_for(stage.table.zones[plan.name].centre_mm)
    at_s = _pay_wagers(play, plan, paid, hand, play.now_s)
    if plan.seat not in play.round.envy_seats:
        at_s = collect_hand(play, plan, hand, at_s)
    at_s = max(at_s, stage.hand_free_s(hand))
    take_back(play, plan, at_s + pace.pause_s)
    play.settled.append(plan)
    play.now_s = at_s


def paid_row(play: Play, plan: SeatPlan) -> Mapping[str, Any]:
    """What the dealer hands to a seat while nothing seems wrong."""
    return next(row for row in play.round.paying if row["seat"] == plan.seat)


def collect_hand(play: Play, plan: SeatPlan, hand: str, at_s: float) -> float:
    """A hand leaves its work area for the discard rack."""
    at_s = play.discard(hand, plan.cards, at_s + play.stage.pace.pause_s + 0.1)
    play.tell("hand_cleared", at_s, plan.name)
    return at_s


def _pay_wagers(play: Play, plan: SeatPlan, paid: Mapping[str, Any], hand: str, at_s: float) -> float:
    round_ = play.round
    names = [name for wager in round_.house.spots for name in (wager, *_bonuses_on(wager))]
    for name in names:
        if name not in paid["wagers"]:
            continue
        amount = Fraction(paid["wagers"][name])
        spot = round_.house.spots.get(name) or round_.house.spots[PAID_ON[name]]
        pile = f"{plan.name}:{spot}"
        has_chips = pile in play.stage.piles_of(pile) and name not in PAID_ON
        if has_chips and amount == 0:
            at_s = take_chips(play, pile, hand, at_s)
            _tell_spot(play, at_s, plan, spot, "taken")
            continue
        stake = _stake(plan, name) if has_chips else 0
        at_s = _put_payment(play, plan, spot, name, int(amount) - stake, hand, at_s)
    return at_s


def _bonuses_on(wager: str) -> tuple[str, ...]:
    return tuple(bonus for bonus, on in PAID_ON.items() if on == wager)


def _stake(plan: SeatPlan, name: str) -> int:
    return plan.play if name in ("play", "raise") else plan.wagers[name]


def _put_payment(play: Play, plan: SeatPlan, spot: str, name: str, cents: int, hand: str, at_s: float) -> float:
    """Winnings come from the tray and are put beside the wager."""
    stage, pace = play.stage, play.stage.pace
    chips = chips_for(cents) if cents > 0 else ()
    if not chips:
        return at_s
    zone = stage.table.zones[plan.name]
    frame = Frame.of(zone)
    beside = -34.0 if name in PAID_ON else 34.0
    x, y = zone.spots[spot]
    target = (x + frame.along[0] * beside, y + frame.along[1] * beside)
    pile = f"{plan.name}:{spot}:{name}"
    turn = float(stage.rng.uniform(0, 90))
    if pace.sweeps:  # the chips come in the hand, which hides them until they lie there
        end_s = stage.hand_at(hand, at_s + pace.pay_s, target)
        stage.place_pile(pile, chips, end_s, Pose(*target, 0.0, turn))
    else:
        tray = (120.0 if hand == "dealer-right" else -120.0, 90.0)
        start_s = stage.hand_at(hand, at_s + pace.pay_s, tray)
        stage.place_pile(pile, chips, start_s, Pose(*tray, 0.0, turn))
        end_s = stage.carry_pile(hand, pile, start_s, pace.pay_s, target)
    _tell_spot(play, end_s, plan, spot, "put")
    return end_s


def _tell_spot(play: Play, at_s: float, plan: SeatPlan, spot: str, change: str) -> None:
    play.tell(
        "bet_spot_changed", at_s, plan.name, spot=spot, change=change, phase="settlement", by="dealer", late=False
    )


def take_back(play: Play, plan: SeatPlan, at_s: float) -> float:
    """A player takes what lies on the spots; returns when it is done."""
    stage, pace = play.stage, play.stage.pace
    piles = stage.piles_of(f"{plan.name}:")
    hand = f"{plan.name}-right"
    home = stage.player_home(plan.name)
    at_s = max(at_s, stage.hand_free_s(hand))
    for pile in piles:
        start_s = stage.hand_at(hand, at_s + pace.bring_s * 0.4, stage.pile_pose(pile).xy_mm)
        stage.move_pile(pile, start_s, start_s + pace.bring_s * 0.6, Pose(*home))
        at_s = stage.hand_at(hand, start_s + pace.bring_s * 0.6, home)
        stage.remove_pile(pile, at_s)
    return stage.hand_away(hand, at_s) if piles else at_s


def pay_envy(play: Play) -> None:
    """At the end: envy to those who have it coming, then the hands that were left for it."""
    stage, round_ = play.stage, play.round
    for plan in reversed(round_.seats):
        row = paid_row(play, plan)
        if Fraction(row["envy"]) > 0:
            hand = stage.dealer_hand_for(stage.table.zones[plan.name].centre_mm)
            play.now_s = _put_payment(play, plan, "sensor", "envy", int(Fraction(row["envy"])), hand, play.now_s)
            take_back(play, plan, play.now_s + stage.pace.pause_s)
    for plan in reversed(round_.seats):
        if plan.seat in round_.envy_seats and any(card in play.on_table for card in plan.cards):
            hand = stage.dealer_hand_for(stage.table.zones[plan.name].centre_mm)
            play.now_s = collect_hand(play, plan, hand, play.now_s)


def undo_payments(play: Play, plan: SeatPlan, at_s: float) -> float:
    """A seat that was settled before: the dealer gives back what was lost, or takes back what was won."""
    stage = play.stage
    stakes = sum(plan.wagers.values()) - plan.wagers.get("progressive", 0) + plan.play
    received = sum(Fraction(amount) for amount in paid_row(play, plan)["wagers"].values())
    hand = stage.dealer_hand_for(stage.table.zones[plan.name].centre_mm)
    if received < stakes:
        return _put_payment(play, plan, "ante", "undone", int(stakes - received), hand, at_s)
    if received == stakes or not chips_for(int(received) - stakes):
        return at_s
    put_s = put_chips(play, plan, "ante", int(received) - stakes, at_s, suffix=":undone")
    return take_chips(play, f"{plan.name}:ante:undone", hand, put_s)


def give_progressive_back(play: Play, plan: SeatPlan, at_s: float) -> float:
    """The dealer puts a progressive chip back on its sensor, when the house returns it."""
    refunds = play.round.house.house_rules["void_refunds_progressive"]
    if "progressive" not in plan.wagers or not refunds:
        return at_s
    hand = play.stage.dealer_hand_for(play.stage.table.zones[plan.name].centre_mm)
    return _put_payment(play, plan, "sensor", "returned", plan.wagers["progressive"], hand, at_s)
