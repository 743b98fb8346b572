"""Wagers' spots and folded hands as they are observed: something was put down or taken, a hand was given up.

In: views of spots and of the places where a folded hand may be left, and what time alone tells. Out: changes of the
state, and `bet_spot_changed`, `fold`, `hand_cleared` for hands taken away unseen. Chips are not counted.
"""

from dataclasses import replace
from typing import Final

from vision.layout import DEALER
from vision.observe_deal import see_dealt_cards, tell_dealt
from vision.observe_finds import broken_off
from vision.observe_turn import Turn
from vision.places import CARDS, SIDE, SPOT, WORK
from vision.round_state import (
    BONUS,
    DEAL,
    DECISION,
    IDLE,
    KEPT,
    SENSOR,
    SETTLEMENT,
    TAKEN,
    SpotState,
    ZoneState,
    spot_place,
)
from vision.view import PlaceView

OTHER_LEVELS, OTHER_CELLS = 4, 3  # a spot looks different when so many of its cells differ by so many levels
INNER: Final = frozenset(5 * row + column for row in (1, 2, 3) for column in (1, 2, 3))
LASTS_S: Final = 1.0  # a change that is told is none that a hand made in passing
STAYS_S: Final = 3.0  # after its ante was taken, a hand that still lies there is kept
GONE_S: Final = 1.2  # after which cards that left their place, and came to no other, are gone


def note_moving_spots(turn: Turn) -> None:
    """Since when spots are not known to lie still: with the last view they still were; and who reaches for them."""
    moving = set(turn.view.moving)
    for spot in turn.state.spots:
        if spot_place(spot.zone, spot.spot) not in moving:
            continue
        moved_s = turn.state.last_s if spot.moved_s is None else spot.moved_s
        is_across = spot.is_moved_across or f"{spot.zone}/{WORK}" in moving
        if (moved_s, is_across) != (spot.moved_s, spot.is_moved_across):
            turn.state = turn.state.with_spot(replace(spot, moved_s=moved_s, is_moved_across=is_across))


def see_spot(turn: Turn, place: PlaceView) -> None:
    """A wager's spot at rest."""
    spot = next(one for one in turn.state.spots if (one.zone, one.spot) == (place.zone, place.spot))
    moved_s = turn.time_s if spot.moved_s is None else spot.moved_s
    is_across = spot.is_moved_across
    spot = replace(spot, moved_s=None, is_moved_across=False)
    is_same = bool(spot.texture) and not _differs(spot.texture, place.texture)
    if is_same:
        fresh = _as_before(spot, spot.texture, spot.is_occupied)
    elif turn.state.phase == IDLE or not spot.texture:
        fresh = _as_before(spot, place.texture, _is_covered_now(spot, place))
    elif spot.changed and not _differs(spot.changed, place.texture):
        fresh = spot
    else:
        fresh = replace(
            spot,
            changed=place.texture,
            changed_occupied=_is_covered_now(spot, place),
            changed_s=turn.time_s,
            changed_frame=turn.view.frame,
            changed_phase=turn.state.phase,
            is_late=moved_s >= turn.state.dealt_s,
            is_changed_across=is_across,
        )
        _note_settled(turn, fresh)
    turn.state = turn.state.with_spot(fresh)


def _note_settled(turn: Turn, spot: SpotState) -> None:
    """The dealer pays or takes a wager of a hand that lies open."""
    zone = turn.zone(spot.zone)
    is_dealers = spot.is_changed_across or spot.changed_occupied
    if is_dealers and zone.is_shown and zone.settled_s is None:
        turn.put(replace(zone, settled_s=turn.time_s))


def _as_before(spot: SpotState, texture: tuple[int, ...], is_occupied: bool) -> SpotState:
    """A spot that looks like this, and of which nothing is to be told."""
    return SpotState(spot.zone, spot.spot, texture, is_occupied, was_late=spot.was_late, moved_s=spot.moved_s)


def _is_covered_now(spot: SpotState, place: PlaceView) -> bool:
    """Whether anything lies there now; what changes an empty spot and has the felt's colour is a chip all the same."""
    return place.is_occupied or bool(spot.texture and not spot.is_occupied)


def see_side(turn: Turn, place: PlaceView) -> None:
    """Where a folded hand is left while a wager of it lives."""
    zone = turn.zone(place.zone)
    if place.backs_mm and not zone.is_shown and turn.state.phase in (DEAL, DECISION, SETTLEMENT):
        left = BONUS if turn.state.rules.has_bonus_side else SENSOR
        was_told = bool(zone.left)
        zone = turn.put(replace(zone, is_dealt=True, is_here=True, gone_s=None, left=left))
        tell_dealt(turn, zone)
        if not was_told:
            turn.tell("fold", zone.zone, look=place, extra={"left": left})
    elif place.is_empty and zone.is_here and zone.left in (SENSOR, BONUS):
        turn.put(replace(zone, is_here=False, gone_s=turn.time_s, gone_in=turn.state.phase))


def tell_lasting_changes(turn: Turn) -> None:
    """Spots that have looked otherwise for a while."""
    for spot in turn.state.spots:
        if spot.changed and turn.time_s - spot.changed_s >= LASTS_S:
            _tell_spot(turn, spot)


def tell_gone(turn: Turn) -> None:
    """Cards that left their place a while ago and came to no other; and those that stay without their ante."""
    for zone in turn.state.zones[1:]:
        if zone.forfeit_s is not None and zone.is_here and turn.time_s - zone.forfeit_s >= STAYS_S:
            keep_folded(turn, zone)
        if zone.gone_s is None:
            continue
        if not {f"{zone.zone}/{part}" for part in (WORK, CARDS, SIDE)}.isdisjoint(turn.view.moving):
            turn.put(replace(zone, gone_s=turn.time_s))
        elif turn.time_s - zone.gone_s >= GONE_S:
            _conclude(turn, zone)


def keep_folded(turn: Turn, zone: ZoneState) -> ZoneState:
    """The dealer took the ante and left the cards: folded, kept for a bonus that lives."""
    turn.tell("fold", zone.zone, extra={"left": KEPT})
    return turn.put(replace(zone, left=KEPT, forfeit_s=None))


def _tell_spot(turn: Turn, spot: SpotState) -> None:
    change = "put" if spot.changed_occupied else "taken"
    is_over = turn.zone(DEALER).is_cleared or turn.state.is_stopped
    is_early = spot.changed_phase in (DEAL, DECISION) and not is_over
    is_play = spot.spot == turn.state.rules.play_spot
    is_late = is_early and change == "put" and not is_play and spot.is_late and not spot.was_late
    told = _as_before(spot, spot.changed, spot.changed_occupied)
    turn.state = turn.state.with_spot(replace(told, was_late=spot.was_late or is_late))
    if turn.state.phase == IDLE:
        return
    extra = {
        "spot": spot.spot,
        "change": change,
        "phase": spot.changed_phase,
        "late": is_late,
    }
    turn.tell("bet_spot_changed", spot.zone, extra=extra)
    zone = turn.zone(spot.zone)
    if spot.spot == "ante" and change == "taken" and is_early and not zone.left:
        zone = turn.put(replace(zone, forfeit_s=turn.time_s))
        if zone.is_shown:
            keep_folded(turn, zone)
    if change == "put" and zone.is_cleared and spot.changed_s > zone.cleared_s:
        broken_off(turn)  # payments are undone
    if change == "taken" and _is_taken_back(zone, spot):
        broken_off(turn)


def _is_taken_back(zone: ZoneState, spot: SpotState) -> bool:
    """Whether a player took his wager from a hand that still lay open and that the dealer had not begun to settle."""
    is_settled = spot.is_changed_across or (zone.settled_s is not None and zone.settled_s <= spot.changed_s)
    is_open = zone.is_shown and not (zone.is_cleared and zone.cleared_s <= spot.changed_s)
    return is_open and not is_settled


def _conclude(turn: Turn, zone: ZoneState) -> None:
    """The cards are gone: folded and taken, or taken away unseen."""
    is_decided = turn.state.phase == SETTLEMENT or not has_chips(turn, zone.zone, "ante", unknown=True)
    if zone.gone_in in (DEAL, DECISION) and not turn.state.is_void:
        if is_decided:
            turn.put(replace(zone, gone_s=None, left=zone.left or TAKEN, forfeit_s=None))
            if not zone.left:
                turn.tell("fold", zone.zone, extra={"left": TAKEN})
        return
    turn.put(replace(zone, gone_s=None, is_cleared=True))
    if zone.is_dealt and not zone.is_shown:
        turn.tell("hand_cleared", zone.zone)
        if not zone.left:
            broken_off(turn)


def has_chips(turn: Turn, zone: str, name: str, *, unknown: bool = False) -> bool:
    """Whether something lies on a spot now, as far as can be told."""
    spot = next((one for one in turn.state.spots if (one.zone, one.spot) == (zone, name)), None)
    if spot is None or not spot.texture:
        return unknown
    return spot.changed_occupied if spot.changed else spot.is_occupied


def _differs(texture: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether several cells in the middle have another colour; from its edge a hand reaches in."""
    apart = [abs(one - two) >= OTHER_LEVELS for one, two in zip(texture, other, strict=True)]
    return sum(any(apart[3 * cell : 3 * cell + 3]) for cell in INNER) >= OTHER_CELLS


PARTS: Final = {CARDS: see_dealt_cards, SIDE: see_side, SPOT: see_spot}
