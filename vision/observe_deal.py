"""The first half of a round as it is observed: cards dealt face down, the up card, cards that show their face.

In: views of the places where cards are dealt. Out: changes of the state, and the events `cards_dealt`, `up_card`,
`exposed_card`, and a `miscount` where cards lie so far apart that they can be counted.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import dist
from typing import Final

import numpy as np

from game.deal import expected_cards
from vision.layout import DEALER
from vision.observe_finds import miscount, note_cards
from vision.observe_turn import Turn, stated
from vision.round_state import BONUS, DEAL, DECISION, DUE_APART, SENSOR, Backs, ZoneState
from vision.view import PlaceView, Point

STEPS_MM: Final = (14.0, 45.0)  # between cards dealt side by side; a missing one leaves a wider gap
OFF_LINE_MM: Final = 15.0
ONE_PLACE_MM: Final = 10.0
NEAR_UP_CARD_MM: Final = 70.0


def see_dealt_cards(turn: Turn, place: PlaceView) -> None:
    """The place where a seat's cards are dealt."""
    zone = turn.zone(place.zone)
    if place.backs_mm or place.faces:
        zone = turn.put(_with_backs(turn, zone, place))
        _check_count(turn, zone)
        zone = turn.zone(place.zone)
        _see_exposed(turn, zone, place, place.faces)
        if turn.state.phase != DEAL:
            tell_dealt(turn, zone)
    elif place.is_empty and zone.is_here and zone.left not in (SENSOR, BONUS):
        turn.put(replace(zone, is_here=False, gone_s=turn.time_s, gone_in=turn.state.phase))


def see_dealers_cards(turn: Turn, place: PlaceView) -> None:
    """The dealer's zone before his hand is turned: a packet face down, and one card face up."""
    zone = turn.zone(DEALER)
    backs = replace(place, faces=())
    _check_count(turn, turn.put(_with_backs(turn, zone, backs)))
    if not place.faces:
        return
    spot = turn.state.rules.up_card_mm
    up = min(place.faces, key=lambda face: dist(face.at_mm, spot))
    others = tuple(face for face in place.faces if face is not up)
    if dist(up.at_mm, spot) > NEAR_UP_CARD_MM and place.backs_mm:
        others = place.faces
    elif not turn.state.has_up_card and (up.card is not None or place.is_last):
        end_deal(turn)
        turn.state = replace(turn.state, has_up_card=True, up_card=up.card)
        if up.card is not None:
            turn.tell("up_card", DEALER, look=place, cards=(up.card,), confidence=up.confidence)
            note_cards(turn, DEALER, (up.card,), place)
        else:
            turn.ask(turn.zone(DEALER), up.reason or "unclear", (up,), place)
    if place.backs_mm:
        _see_exposed(turn, turn.zone(DEALER), place, others)


def end_deal(turn: Turn) -> None:
    """Everything is dealt: say what came where, in the order of the seats."""
    if turn.state.phase != DEAL:
        return
    turn.state = replace(turn.state, phase=DECISION)
    for zone in (*turn.state.zones[1:], turn.state.zones[0]):
        tell_dealt(turn, turn.zone(zone.zone))


def tell_dealt(turn: Turn, zone: ZoneState) -> None:
    """Cards came to a zone; and a wrong number where they can be counted."""
    if not zone.is_dealt or zone.is_dealt_told:
        return
    turn.put(replace(zone, is_dealt_told=True))
    backs = zone.backs
    turn.tell("cards_dealt", zone.zone, count=backs.count, extra={"apart": backs.is_counted})
    _check_count(turn, turn.zone(zone.zone))


def _check_count(turn: Turn, zone: ZoneState) -> None:
    """A wrong number of cards that can be counted, as soon as that is certain."""
    backs = zone.backs
    if zone.is_dealt_told and backs.is_counted and backs.count != DUE_APART:
        miscount(turn, zone, backs.count + cards_up(zone.zone), None)


def are_apart(at_mm: Sequence[Point]) -> bool:
    """Whether cards lie so evenly side by side that none is missed between two others.

    >>> are_apart([(0, 0), (27, 1), (55, 0), (80, 2), (108, 0)]), are_apart([(0, 0), (27, 0), (82, 0), (109, 0)])
    (True, False)
    """
    if len(at_mm) < 3:
        return False
    points = np.array(at_mm) - np.mean(at_mm, axis=0)
    _, _, ways = np.linalg.svd(points)
    along, off = np.sort(points @ ways[0]), np.abs(points @ ways[1])
    steps = [float(after - before) for before, after in pairwise(along)]
    return min(steps) >= STEPS_MM[0] and max(steps) <= STEPS_MM[1] and float(off.max()) <= OFF_LINE_MM


def _with_backs(turn: Turn, zone: ZoneState, place: PlaceView) -> ZoneState:
    """Face-down cards lie here. What is seen of them counts until the player lays them otherwise."""
    if not place.backs_mm and not place.faces:
        return zone
    now = (*place.backs_mm, *(face.at_mm for face in place.faces))
    is_dealing = turn.state.phase == DEAL or not zone.is_dealt
    if is_dealing or not are_laid_anew(zone.backs.at_mm, now):
        zone = replace(zone, backs=_joined(zone.backs, place))
    if is_dealing:
        turn.state = replace(turn.state, since_s=turn.time_s)
    return replace(zone, is_dealt=True, is_here=True, gone_s=None)


def _joined(before: Backs, place: PlaceView) -> Backs:
    """All that was seen in several looks, each once; from the beginning where the cards were laid anew."""
    now = (*place.backs_mm, *(face.at_mm for face in place.faces))
    if place.look == 1 and are_laid_anew(before.at_mm, now):
        before = Backs()
    fresh = tuple(at for at in now if not _is_among(at, before.at_mm))
    at_mm = (*before.at_mm, *fresh)
    whole = 0 if fresh else before.whole
    if place.is_whole and all(_is_among(at, now) for at in at_mm):
        whole += 1
    return Backs(at_mm, are_apart(at_mm), 1 if fresh else before.looks + 1, whole)


def are_laid_anew(before: Sequence[Point], now: Sequence[Point]) -> bool:
    """Whether most cards left where they lay, or one lies nearer to there than two cards lie to each other."""
    still = sum(_is_among(at, now) for at in before)
    apart = [min(dist(at, other) for other in before) for at in now] if before else []
    return 2 * still < len(before) or any(ONE_PLACE_MM <= one < STEPS_MM[0] for one in apart)


def _is_among(at: Point, others: Sequence[Point]) -> bool:
    return any(dist(at, other) < ONE_PLACE_MM for other in others)


def _see_exposed(turn: Turn, zone: ZoneState, place: PlaceView, faces: tuple[object, ...]) -> None:
    """Faces that should be down, while nobody's hand has been turned yet."""
    if turn.state.phase not in (DEAL, DECISION) or zone.is_shown:
        return
    for face in place.faces:
        if face in faces and face.card is not None and face.card not in zone.exposed:
            zone = turn.put(replace(zone, exposed=(*zone.exposed, face.card)))
            turn.tell("exposed_card", zone.zone, look=place, cards=(face.card,), confidence=face.confidence)
            note_cards(turn, zone.zone, stated((face,)), place)


def cards_up(zone: str) -> int:
    """Cards that are dealt face up to a zone."""
    return expected_cards(zone) - DUE_APART
