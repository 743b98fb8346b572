"""The second half of a round as it is observed: hands turned in the work areas, the dealer's first, and cleared again.

In: views of work areas. Out: changes of the state, and `dealer_hand`, `dealer_set_wrong`, `player_hand`,
`out_of_order`, `unreadable`, `hand_cleared`, and what `observe_finds` tells. A hand is stated when every card of it is
read, as many as are due, and nothing else lies there that could be one more. What is fewer may have a card under
another: help is asked for, and the count is certain once the cards were spread again and are still too few.
"""

from dataclasses import replace
from itertools import combinations
from math import dist
from typing import Final

from game.cards import Card
from game.deal import expected_cards
from game.hands import best_fours, strength_of_four
from vision.dealer_set import front_four
from vision.layout import DEALER
from vision.observe_bets import has_chips, keep_folded
from vision.observe_deal import cards_up, end_deal
from vision.observe_finds import miscount, note_cards, tell_twice
from vision.observe_turn import Turn, stated
from vision.round_state import DEAL, DECISION, SENSOR, SETTLEMENT, TAKEN, ZoneState
from vision.view import NOTHING_MORE, PlaceView, SeenFace

A_HAND: Final = 3  # faces from which on a hand is turned; fewer may be a packet that is being turned
UNDER_A_HAND: Final = 0.9  # cards' worth of other things: the dealer's hand is still there
SPREAD_MM: Final = 8.0  # by which cards lie otherwise to one another when they were spread again
ONE_CARD: Final = (0.3, 1.3)  # cards' worth of something on which no index is found


def see_work_area(turn: Turn, place: PlaceView) -> None:
    """A work area at rest, with or without a hand."""
    zone = turn.zone(place.zone)
    if place.is_empty:
        clear_hand(turn, zone, place)
    elif len(place.faces) >= A_HAND or (place.faces and zone.is_shown):
        _see_hand(turn, place)


def clear_hand(turn: Turn, zone: ZoneState, place: PlaceView | None) -> None:
    """A hand that was turned is gone."""
    if not zone.is_shown or zone.is_cleared:
        return
    if not zone.hand and zone.asked is None and not zone.is_miscounted:
        reason = next((face.reason for face in zone.faces if face.reason), "covered")
        zone = turn.ask(zone, reason, zone.faces, place)  # it went before it could be read
    zone = turn.put(replace(zone, is_cleared=True, is_here=False, gone_s=None, faces=(), cleared_s=turn.time_s))
    if zone.zone != DEALER:
        turn.tell("hand_cleared", zone.zone)


def _see_hand(turn: Turn, place: PlaceView) -> None:
    zone = turn.zone(place.zone)
    if not zone.is_shown or zone.is_cleared:
        _turn_up(turn, zone)
    before, cards = turn.zone(place.zone), stated(place.faces)
    if _is_covered(before, place, cards):
        return
    is_as_many = place.look > 1 and len(place.faces) <= len(before.faces)
    most_left = max(place.leftover, before.most_left) if is_as_many else place.leftover
    zone = turn.put(replace(before, faces=place.faces, is_here=False, gone_s=None, most_left=most_left))
    if zone.hand:
        _see_again(turn, zone, place, cards)
    elif place.is_last or _is_all(zone, place, cards) or _is_too_many(zone, place, cards):
        _judge(turn, before, zone, place, cards)


def _is_covered(before: ZoneState, place: PlaceView, cards: tuple[Card, ...]) -> bool:
    """Whether something lies over a hand that was asked for, and nothing is seen that was not seen before."""
    known = set(stated(before.faces))
    is_more = place.leftover >= before.most_left + NOTHING_MORE
    return before.asked is not None and is_more and len(place.faces) <= len(before.faces) and set(cards) <= known


def _turn_up(turn: Turn, zone: ZoneState) -> None:
    """A hand is turned: the deal and the decisions are over; a seat may be early."""
    if turn.state.phase in (DEAL, DECISION):
        end_deal(turn)
        turn.state = replace(turn.state, phase=SETTLEMENT)
    zone = turn.zone(zone.zone)
    if zone.forfeit_s is not None and not zone.left:
        zone = keep_folded(turn, zone)
    left = "" if zone.left == TAKEN else zone.left  # it was not folded after all
    turn.put(replace(zone, is_shown=True, is_cleared=False, left=left))
    turn.state = replace(turn.state, last_shown=zone.zone)
    if zone.zone == DEALER or zone.hand:
        return
    order = turn.state.rules.order
    earlier = [turn.zone(name) for name in order[: order.index(zone.zone)]]
    due = next((one for one in earlier if _is_due(turn, one)), None)
    if due is not None:
        turn.tell("out_of_order", zone.zone, extra={"due": due.zone})


def _is_due(turn: Turn, zone: ZoneState) -> bool:
    """Whether a hand that lies there is still to be turned: folded ones are for a wager that lives."""
    if not zone.is_here or not zone.is_dealt or zone.is_shown:
        return False
    lives = has_chips(turn, zone.zone, "aces-up") or turn.state.rules.turns_folded
    return zone.left != SENSOR or lives


def _is_all(zone: ZoneState, place: PlaceView, cards: tuple[Card, ...]) -> bool:
    """Whether the hand is read, whole, with nothing besides."""
    expected = expected_cards(zone.zone)
    return place.is_whole and len(place.faces) == expected == len(set(cards))


def _is_too_many(zone: ZoneState, place: PlaceView, cards: tuple[Card, ...]) -> bool:
    """Whether more cards are read than are due, every one of them another."""
    return len(place.faces) > expected_cards(zone.zone) and len(place.faces) == len(set(cards))


def _is_off_count(zone: ZoneState, place: PlaceView, cards: tuple[Card, ...]) -> bool:
    """Whether too few cards are seen, or one too many that is not read, and nothing that could be another."""
    expected, seen = expected_cards(zone.zone), len(place.faces)
    if len(set(cards)) < len(cards) or zone.most_left >= NOTHING_MORE:
        return False
    is_short = seen < expected and not _is_strange(zone, place, len(cards))
    return is_short or seen == len(cards) + 1 > expected


def _judge(turn: Turn, before: ZoneState, zone: ZoneState, place: PlaceView, cards: tuple[Card, ...]) -> None:
    """The last look at a hand, or one that shows all of it."""
    expected, seen = expected_cards(zone.zone), len(place.faces)
    if _is_all(zone, place, cards):
        _state_hand(turn, zone, place, cards)
        return
    distinct = set(cards)
    note_cards(turn, zone.zone, sorted(distinct), place)
    zone = turn.zone(zone.zone)
    if _is_too_many(zone, place, cards):
        zone = turn.put(replace(zone, shown_count=seen))
        miscount(turn, zone, seen, place)
    elif len(cards) == seen == expected and place.is_whole:
        for card in sorted(card for card in distinct if cards.count(card) > 1):
            tell_twice(turn, zone.zone, card, zone.zone, place)
    elif _is_off_count(zone, place, cards):
        _judge_count(turn, before, zone, place)
    elif (is_strange := _is_strange(zone, place, len(distinct))) or place.leftover < UNDER_A_HAND:
        zone = _as_it_lies(turn, replace(zone, is_off_count=False, is_strange=is_strange))
        turn.ask(zone, _reason(place, cards), place.faces, place)


def _judge_count(turn: Turn, before: ZoneState, zone: ZoneState, place: PlaceView) -> None:
    """Too few cards, or one too many that is not read: certain once they were spread, or counted when dealt."""
    seen = len(place.faces)
    backs = zone.backs
    counted = backs.are_apart and backs.whole > 1 and backs.count + cards_up(zone.zone) == seen
    if counted or (before.is_off_count and _were_spread(before.faces, place.faces)):
        miscount(turn, zone, seen, place)
        return
    zone = _as_it_lies(turn, replace(zone, is_off_count=True, is_strange=False, shown_count=seen))
    turn.ask(zone, _reason(place, stated(place.faces)), place.faces, place)


def _as_it_lies(turn: Turn, zone: ZoneState) -> ZoneState:
    """A hand lies open: from now on it matters who reaches for its wagers."""
    spots = (replace(spot, is_moved_across=False) if spot.zone == zone.zone else spot for spot in turn.state.spots)
    turn.state = replace(turn.state, spots=tuple(spots))
    return turn.put(replace(zone, settled_s=None))


def _were_spread(before: tuple[SeenFace, ...], after: tuple[SeenFace, ...]) -> bool:
    """Whether the same cards, as many as before, lie otherwise to one another."""
    was = {face.card: face.at_mm for face in before if face.card is not None}
    now = {face.card: face.at_mm for face in after if face.card is not None}
    if len(before) != len(after) or len(was.keys() | now.keys()) > len(after) or len(was.keys() & now.keys()) < A_HAND:
        return False
    pairs = list(combinations(was.keys() & now.keys(), 2))
    moved = sum(abs(dist(was[a], was[b]) - dist(now[a], now[b])) > SPREAD_MM for a, b in pairs)
    return moved >= len(pairs) / 2


def _is_strange(zone: ZoneState, place: PlaceView, read: int) -> bool:
    """All cards but one are read, and that one lies open: its face is none of the 52, or it has no index at all."""
    if read != expected_cards(zone.zone) - 1:
        return False
    others = len(place.faces) - read
    if others == 1:
        return place.is_whole and all(face.card or face.reason in ("unclear", "covered") for face in place.faces)
    return others == 0 and ONE_CARD[0] <= zone.most_left <= ONE_CARD[1]


def _reason(place: PlaceView, cards: tuple[Card, ...]) -> str:
    """Why a hand is not stated."""
    unread = next((face.reason for face in place.faces if face.card is None and face.reason), None)
    if unread is not None:
        return unread
    return "contradiction" if len(set(cards)) < len(cards) else "covered"


def _state_hand(turn: Turn, zone: ZoneState, place: PlaceView, cards: tuple[Card, ...]) -> None:
    if zone.zone == DEALER:
        _state_dealer(turn, zone, place, cards)
        return
    hand = tuple(sorted(cards, reverse=True))
    _as_it_lies(turn, replace(zone, hand=hand, is_off_count=False, is_strange=False, asked=None, shown_count=len(hand)))
    turn.tell("player_hand", zone.zone, look=place, cards=hand, confidence=_confidence(place))
    note_cards(turn, zone.zone, hand, place)


def _state_dealer(turn: Turn, zone: ZoneState, place: PlaceView, cards: tuple[Card, ...]) -> None:
    chosen = front_four([face.at_mm for face in place.faces])
    if chosen is None:
        if place.is_last:
            turn.ask(zone, "unsettled", place.faces, place)
        return
    up_card = turn.state.up_card
    if up_card is not None and up_card not in cards:  # one of the two was read wrongly, or a card was changed
        turn.ask(zone, "contradiction", place.faces, place)
        return
    front = tuple(sorted((cards[number] for number in chosen), reverse=True))
    rest = tuple(sorted((card for card in cards if card not in front), reverse=True))
    hand = (*front, *rest)
    turn.put(replace(zone, hand=hand, in_front=front, is_off_count=False, is_strange=False, asked=None, shown_count=6))
    turn.tell("dealer_hand", DEALER, look=place, cards=hand, set_in_front=front, confidence=_confidence(place))
    _check_set(turn, place, front, hand)
    note_cards(turn, DEALER, hand, place)


def _check_set(turn: Turn, place: PlaceView, front: tuple[Card, ...], hand: tuple[Card, ...]) -> None:
    best = best_fours(hand)
    if strength_of_four(front) < best[0].strength:
        fours = tuple(tuple(str(card) for card in four.cards) for four in best)
        turn.tell("dealer_set_wrong", DEALER, look=place, cards=front, extra={"best_four_any_of": fours})


def _see_again(turn: Turn, zone: ZoneState, place: PlaceView, cards: tuple[Card, ...]) -> None:
    """A hand that was stated comes to rest again: mostly the same, the dealer's four perhaps set anew."""
    seen = set(cards)
    if seen > set(zone.hand) and place.is_last and len(seen) == len(place.faces):
        note_cards(turn, zone.zone, sorted(seen - set(zone.hand)), place)
        miscount(turn, turn.zone(zone.zone), len(seen), place)
    elif seen - set(zone.hand) and place.is_last:
        turn.ask(zone, "contradiction", place.faces, place)
    elif zone.zone == DEALER and _is_all(zone, place, cards):
        _see_set_again(turn, zone, place, cards)


def _see_set_again(turn: Turn, zone: ZoneState, place: PlaceView, cards: tuple[Card, ...]) -> None:
    chosen = front_four([face.at_mm for face in place.faces])
    if chosen is not None and {cards[number] for number in chosen} != set(zone.in_front):
        _state_dealer(turn, zone, place, cards)


def _confidence(place: PlaceView) -> float:
    return min(face.confidence for face in place.faces)
