"""Stored footage as if it were live: at the speed at which it was filmed, again and again.

In: a source that lies on a disk. Out: its items, each not before its time. The film stands still while it is held,
and its times and numbers go on rising when it begins anew, as a camera's would. Where reading takes longer than the
footage lasts it falls behind by a little and catches up; behind by more it goes slower instead: no frame is left out.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from threading import Event
from typing import Final

from vision.frame import Frame
from vision.sources.source import Item, SourceBack, SourceLost

MOST_BEHIND_S: Final = 1.5
GAP_S: Final = 0.04  # between the last frame and the first one of the next showing
_LOOK_S: Final = 0.1  # how often a film that is held asks whether it may go on


@dataclass(frozen=True, slots=True)
class Pace:
    """How stored footage is played."""

    repeats: bool = False
    speed: float = 1.0  # times as fast as it was filmed
    is_held: Callable[[], bool] = lambda: False  # whether it stands still now


def paced(source: Iterable[Item], pace: Pace, stopped: Event) -> Iterator[Item]:
    """The items at their times until `stopped`; a film that does not repeat ends with `SourceLost`."""
    shift_s, shift, last_s, last = 0.0, 0, 0.0, -1
    while True:
        began = time.monotonic()
        shown = 0
        for item in source:
            began += _wait(began + item.time_s / pace.speed, pace, stopped)
            if stopped.is_set():
                return
            moved = _moved(item, shift_s, shift)
            last_s = moved.time_s
            if isinstance(moved, Frame):
                last, shown = moved.number, shown + 1
            yield moved
        if not pace.repeats or not shown:
            yield SourceLost("the recording is over", last_s)
            return
        shift_s, shift = last_s + GAP_S, last + 1


def _wait(due: float, pace: Pace, stopped: Event) -> float:
    """Wait for a frame's time; how much later everything after it is due."""
    late = time.monotonic() - due
    if late < 0:
        stopped.wait(-late)
    slip = max(0.0, late - MOST_BEHIND_S)
    if not pace.is_held():
        return slip
    held_since = time.monotonic()
    while pace.is_held() and not stopped.wait(_LOOK_S):
        pass
    return slip + time.monotonic() - held_since


def _moved(item: Item, shift_s: float, shift: int) -> Item:
    """The item at its time of all showings together."""
    match item:
        case Frame():
            return replace(item, number=item.number + shift, time_s=item.time_s + shift_s)
        case SourceLost():
            return replace(item, time_s=item.time_s + shift_s)
        case SourceBack():
            return replace(item, time_s=item.time_s + shift_s)
