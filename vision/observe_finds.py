"""What is found wrong with a round: miscounts and voids, cards seen twice, cards that do not belong.

In: what is certain of a zone. Out: changes of the state, and `miscount`, `round_void`, `duplicate_card`,
`foreign_card`.
"""

from collections.abc import Sequence
from dataclasses import replace

from game.cards import Card
from game.deal import expected_cards
from vision.observe_turn import Turn
from vision.round_state import DUE_APART, SeenCard, ZoneState
from vision.view import PlaceView


def miscount(turn: Turn, zone: ZoneState, seen: int, look: PlaceView | None) -> None:
    """A number of cards that is certain and wrong; it voids the round, told once for each zone."""
    if zone.is_miscounted:
        return
    turn.put(replace(zone, is_miscounted=True))
    turn.tell("miscount", zone.zone, look=look, expected=expected_cards(zone.zone), seen=seen)
    if turn.state.rules.misdeal_voids and not turn.state.is_void:
        turn.tell("round_void", zone.zone, reason="wrong_card_count")
    turn.state = replace(turn.state, is_void=turn.state.rules.misdeal_voids, is_stopped=True)


def note_cards(turn: Turn, zone: str, cards: Sequence[Card], look: PlaceView) -> None:
    """Cards were read; one that lies or lay in another zone of this round is there twice."""
    for card in cards:
        first = next((seen.zone for seen in turn.state.cards if seen.card == card), None)
        if first is None:
            turn.state = replace(turn.state, cards=(*turn.state.cards, SeenCard(card, zone)))
        elif first != zone:
            tell_twice(turn, zone, card, first, look)


def tell_twice(turn: Turn, zone: str, card: Card, first: str, look: PlaceView) -> None:
    """A card of which there must be only one; told once."""
    if card in turn.state.told_twice:
        return
    turn.state = replace(turn.state, told_twice=(*turn.state.told_twice, card), is_stopped=True)
    turn.tell("duplicate_card", zone, look=look, cards=(card,), extra={"first_zone": first})


def broken_off(turn: Turn) -> None:
    """The dealer takes hands away that were never turned: he stopped the round for what was turned last.

    A hand that showed too few cards, or too many, was then counted by him too; one with a card that cannot be read
    although it lies open holds one that does not belong.
    """
    state = turn.state
    if state.is_stopped:
        return
    if not state.last_shown:
        _stopped_at_the_deal(turn)
        return
    zone = turn.zone(state.last_shown)
    if zone.is_off_count:
        miscount(turn, zone, zone.shown_count, None)
    elif zone.is_strange:
        turn.state = replace(turn.state, is_stopped=True)
        turn.tell("foreign_card", zone.zone, reason="a card that cannot be read although it lies open")


def _stopped_at_the_deal(turn: Turn) -> None:
    """Everything is taken away before a hand was turned: for cards that lay apart and seemed too few or too many.

    Nothing is wrong when everybody folded.
    """
    odd = [zone for zone in turn.state.zones if zone.backs.are_apart and zone.backs.count != DUE_APART]
    zone = max(odd, key=lambda one: one.backs.whole / one.backs.looks, default=None)
    if zone is not None and (zone.backs.whole or zone.backs.count > DUE_APART):
        miscount(turn, zone, zone.backs.count + expected_cards(zone.zone) - DUE_APART, None)
    elif all(zone.left for zone in turn.state.zones[1:] if zone.is_dealt):
        return
    turn.state = replace(turn.state, is_stopped=True)
