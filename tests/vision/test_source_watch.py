"""Lost and found pictures: a row is what a source gives, and what is told of it."""

import numpy as np
import pytest

from vision.frame import Frame
from vision.source_watch import SourceState, watch_source
from vision.sources.health import BLACK, CORRUPTED, FROZEN, REPEATED
from vision.sources.source import SourceBack, SourceLost

PICTURE = np.full((16, 16, 3), 90, np.uint8)


def frames(*times, faults=()):
    return [Frame(PICTURE, round(time * 25), time, faults) for time in times]


def steady(start, end, faults=()):
    return frames(*np.round(np.arange(start, end, 0.04), 3).tolist(), faults=faults)


def watched(items):
    state, events, seen = SourceState(), [], []
    for item in items:
        step = watch_source(state, item)
        state = step.state
        events += [(event.kind, event.reason, round(event.time_s, 2)) for event in step.events]
        seen.append(step.is_seen)
    return events, seen


ROWS = [
    pytest.param([], [], id="nothing"),
    pytest.param(steady(0, 2), [], id="a steady source"),
    pytest.param(
        [*steady(0, 1), *steady(2, 3)],
        [("source_lost", "dropped", 0.96), ("source_back", None, 2.0)],
        id="pictures are missing",
    ),
    pytest.param([*steady(0, 1), *steady(1.2, 2)], [], id="a few pictures are skipped"),
    pytest.param(
        [*steady(0, 1), *steady(1, 2, (REPEATED,)), *steady(2, 3)],
        [("source_lost", "frozen", 1.0), ("source_back", None, 2.0)],
        id="the same picture again and again",
    ),
    pytest.param([*steady(0, 1), *steady(1, 1.2, (REPEATED,)), *steady(1.2, 2)], [], id="repeated for a moment"),
    pytest.param(
        [*steady(0, 1), *steady(1, 2, (CORRUPTED,))], [("source_lost", "corrupted", 1.0)], id="corrupted to the end"
    ),
    pytest.param([*steady(0, 1), *steady(1, 2, (BLACK,))], [("source_lost", "black", 1.0)], id="a covered lens"),
    pytest.param(
        [*steady(0, 1), *steady(1, 9, (REPEATED, FROZEN))], [("source_lost", "frozen", 1.0)], id="frozen for long"
    ),
    pytest.param(
        [*steady(0, 1), SourceLost("cut", 0.96), SourceLost("again", 0.96), SourceBack(4.0), *steady(4, 5)],
        [("source_lost", "cut", 0.96), ("source_back", None, 4.0)],
        id="a stream that is cut and comes back",
    ),
    pytest.param([SourceLost("no such camera", 0.0)], [("source_lost", "no such camera", 0.0)], id="never there"),
]


@pytest.mark.parametrize(("items", "expected"), ROWS)
def test_losses_are_told_once(items, expected):
    assert watched(items)[0] == expected


def test_bad_pictures_are_not_looked_at():
    _, seen = watched([*steady(0, 0.2), *steady(0.2, 0.4, (CORRUPTED,)), *steady(0.4, 0.6)])
    assert seen == [True] * 5 + [False] * 5 + [True] * 5


def test_after_a_gap_nothing_is_known_to_be_at_rest():
    state = SourceState()
    for item in steady(0, 1):
        state = watch_source(state, item).state
    assert watch_source(state, steady(3, 3.04)[0]).is_broken
