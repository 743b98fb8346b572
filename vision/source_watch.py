"""Is there a picture at all? Gaps in time, frozen, black and corrupted pictures, as events.

In: what a source gives, item by item. Out: `SourceState`, events, and whether the picture may be looked at. Nothing
older than the last item and since when pictures were bad is remembered.
"""

from dataclasses import dataclass, replace
from typing import Final

from vision.events import Event
from vision.frame import Frame
from vision.sources.health import BLACK, CORRUPTED, FROZEN, REPEATED
from vision.sources.source import Item, SourceBack, SourceLost

GAP_S: Final = 0.4  # without a picture, the source is lost
BAD_S: Final = 0.4  # of nothing but bad pictures
_REASONS: Final = {BLACK: "black", CORRUPTED: "corrupted", FROZEN: "frozen", REPEATED: "frozen"}


@dataclass(frozen=True, slots=True)
class SourceState:
    """What is remembered of a source."""

    last_s: float | None = None  # of the last picture
    last_frame: int = 0
    is_lost: bool = False
    bad_since_s: float | None = None
    bad_frame: int = 0  # the first of them


@dataclass(frozen=True, slots=True)
class SourceStep:
    """One item further."""

    state: SourceState
    events: tuple[Event, ...] = ()
    is_seen: bool = False  # the item is a picture to look at
    is_broken: bool = False  # pictures are missing before it: what lay still is not known to do so any more


def watch_source(state: SourceState, item: Item) -> SourceStep:
    """What one item says of its source."""
    match item:
        case SourceLost():
            lost = _lost(state, item.time_s, state.last_frame, item.reason)
            return SourceStep(replace(state, is_lost=True, bad_since_s=None), () if state.is_lost else (lost,))
        case SourceBack():
            events = (Event("source_back", item.time_s, state.last_frame),) if state.is_lost else ()
            return SourceStep(replace(state, is_lost=False, last_s=item.time_s), events, is_broken=True)
        case Frame():
            return _watch_frame(state, item)


def _watch_frame(state: SourceState, frame: Frame) -> SourceStep:
    after = replace(state, last_s=frame.time_s, last_frame=frame.number)
    fault = next((fault for fault in frame.faults if fault in _REASONS), None)
    if fault is not None:
        return _watch_bad(state, after, frame, fault)
    events: list[Event] = []
    is_gap = state.last_s is not None and frame.time_s - state.last_s > GAP_S
    if is_gap and not state.is_lost:
        events.append(_lost(state, state.last_s or 0.0, state.last_frame, "dropped"))
    if is_gap or state.is_lost:
        events.append(Event("source_back", frame.time_s, frame.number))
    after = replace(after, is_lost=False, bad_since_s=None)
    return SourceStep(after, tuple(events), is_seen=True, is_broken=is_gap or state.is_lost)


def _watch_bad(state: SourceState, after: SourceState, frame: Frame, fault: str) -> SourceStep:
    """A bad picture is not looked at; when there is nothing else for a while, the source is lost since the first."""
    since_s, first = (frame.time_s, frame.number) if state.bad_since_s is None else (state.bad_since_s, state.bad_frame)
    after = replace(after, bad_since_s=since_s, bad_frame=first)
    if state.is_lost or frame.time_s - since_s < BAD_S:
        return SourceStep(after)
    return SourceStep(replace(after, is_lost=True), (_lost(state, since_s, first, _REASONS[fault]),))


def _lost(state: SourceState, time_s: float, frame: int, reason: str) -> Event:
    return Event("source_lost", time_s, frame, reason=reason)
