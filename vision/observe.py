"""The round observer: what happened at a table, from what its places show when they come to rest.

`observe(state, view) -> (state, events)` is a pure fold: no clock, no picture, nothing remembered but the state, which
is plain data. The same views give the same events, wherever the footage was cut and whenever the state was stored.

    idle ─ cards in two zones ─▶ deal ─ up card ─▶ decision ─ a hand turned ─▶ settlement ─ dealer's cards gone ─▶ idle
"""

from dataclasses import replace
from typing import Final

from vision.events import Event
from vision.layout import DEALER
from vision.observe_bets import PARTS, note_moving_spots, tell_gone, tell_lasting_changes
from vision.observe_deal import are_laid_anew, end_deal, see_dealers_cards
from vision.observe_finds import broken_off
from vision.observe_hands import A_HAND, clear_hand, see_work_area
from vision.observe_turn import Turn
from vision.places import CARDS, SPOT, WORK
from vision.round_state import DEAL, IDLE, SETTLEMENT, ObserverState, ZoneState
from vision.view import PlaceView, TableView

DEALT_S: Final = 6.0  # after which the deal is over though no up card was seen
ENDED_S: Final = 6.0  # after the dealer's cards are gone, whatever else still lies there
MOST_WAITING: Final = 8  # looks at one place that are kept until a round begins


def observe(state: ObserverState, view: TableView) -> tuple[ObserverState, tuple[Event, ...]]:
    """One view further."""
    turn = Turn(state, view)
    note_moving_spots(turn)
    for place in view.places:
        _see(turn, place)
    _let_time_tell(turn)
    turn.state = replace(turn.state, last_s=view.time_s)
    return turn.state, tuple(turn.events)


def _see(turn: Turn, place: PlaceView) -> None:
    if _is_next_deal(turn, place):
        _end_round(turn)
    if turn.state.phase == IDLE and place.part != SPOT:
        _await_round(turn, place)
    else:
        _see_in_round(turn, place)


def _see_in_round(turn: Turn, place: PlaceView) -> None:
    if place.part != WORK:
        PARTS[place.part](turn, place)
    elif place.zone == DEALER:
        _see_dealer(turn, place)
    else:
        see_work_area(turn, place)


def _await_round(turn: Turn, place: PlaceView) -> None:
    """Between rounds: cards at rest in two zones are the beginning of the next."""
    here = [one for one in turn.state.waiting if (one.zone, one.part) == (place.zone, place.part)]
    gone = here if place.is_empty else here[:-MOST_WAITING]
    waiting = tuple(one for one in turn.state.waiting if one not in gone)
    if place.backs_mm or place.faces:
        waiting = (*waiting, place)
    dealt_s = turn.state.dealt_s if turn.state.waiting else turn.time_s
    turn.state = replace(turn.state, waiting=waiting, dealt_s=dealt_s)
    if len({one.zone for one in waiting}) < 2:
        return
    turn.state = replace(turn.state, phase=DEAL, round=turn.state.round + 1, since_s=turn.time_s, waiting=())
    turn.tell("round_started")
    for one in waiting:
        _see_in_round(turn, one)


def _is_next_deal(turn: Turn, place: PlaceView) -> bool:
    """Whether cards face down belong to the next round, this one's end having been missed."""
    zone, dealer = turn.zone(place.zone), turn.zone(DEALER)
    is_dealt = place.part == CARDS or (place.zone == DEALER and len(place.faces) <= 1)
    if turn.state.phase == IDLE or not place.backs_mm or not is_dealt:
        return False
    if place.zone == DEALER:
        return zone.is_cleared or zone.is_shown
    if turn.state.phase == SETTLEMENT:
        return dealer.is_cleared or (zone.is_shown and zone.is_cleared)
    return dealer.is_cleared and (not zone.is_here or are_laid_anew(zone.backs.at_mm, place.backs_mm))


def _see_dealer(turn: Turn, place: PlaceView) -> None:
    """The dealer's zone: a packet and an up card first, then six faces, then nothing."""
    zone = turn.zone(DEALER)
    if place.is_empty:
        if zone.is_here or zone.is_shown:
            if turn.state.last_shown in ("", DEALER):
                broken_off(turn)  # no other hand was turned after the dealer's, or none at all
            clear_hand(turn, turn.zone(DEALER), place)
            zone = turn.zone(DEALER)
            turn.put(replace(zone, is_here=False, is_cleared=True, cleared_s=turn.time_s))
    elif len(place.faces) >= A_HAND:
        see_work_area(turn, place)
    elif not zone.is_shown:
        see_dealers_cards(turn, place)


def _let_time_tell(turn: Turn) -> None:
    """What follows from nothing having happened for a while."""
    tell_lasting_changes(turn)
    if turn.state.phase == IDLE:
        return
    tell_gone(turn)
    if turn.state.phase == DEAL and turn.time_s - turn.state.since_s >= DEALT_S:
        end_deal(turn)
    dealer = turn.zone(DEALER)
    if not dealer.is_cleared:
        return
    is_waiting = any(_lies_there(zone) for zone in turn.state.zones[1:])
    if not is_waiting or turn.time_s - dealer.cleared_s >= ENDED_S:
        _end_round(turn)


def _lies_there(zone: ZoneState) -> bool:
    """Whether a seat's cards are still on the table, or on their way off it."""
    return zone.is_here or zone.gone_s is not None or (zone.is_shown and not zone.is_cleared)


def _end_round(turn: Turn) -> None:
    state = turn.state
    for zone in state.zones[1:]:
        clear_hand(turn, turn.zone(zone.zone), None)
    result = "void" if state.is_void else "stopped" if state.is_stopped else "settled"
    turn.tell("round_ended", extra={"result": result})
    fresh = tuple(ZoneState(zone.zone) for zone in state.zones)
    spots = tuple(replace(spot, was_late=False) for spot in turn.state.spots)
    turn.state = ObserverState(state.rules, fresh, spots, round=state.round)
