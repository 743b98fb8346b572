"""Stored footage played as if it were live: in time, in a loop, held, and never with a frame left out."""

import time
from collections.abc import Iterator
from itertools import islice
from threading import Event, Timer

import numpy as np
import pytest

from service.live import pace
from service.live.pace import Pace, paced
from vision.frame import Frame
from vision.sources.source import SourceBack, SourceLost

STEP_S = 0.02


def film(frames: int) -> list[Frame]:
    picture = np.zeros((16, 16, 3), np.uint8)
    return [Frame(picture, number, number * STEP_S) for number in range(frames)]


def test_no_frames_end_at_once() -> None:
    assert list(paced([], Pace(repeats=True), Event())) == [SourceLost("the recording is over", 0.0)]


def test_no_frame_comes_before_its_time() -> None:
    began = time.monotonic()
    came = [time.monotonic() - began for _ in paced(film(6), Pace(), Event())]
    assert all(at >= number * STEP_S for number, at in enumerate(came[:6]))


def test_a_film_that_repeats_goes_on_rising() -> None:
    frames = list(islice(paced(film(3), Pace(repeats=True), Event()), 7))
    assert [frame.number for frame in frames if isinstance(frame, Frame)] == list(range(7))
    times = [frame.time_s for frame in frames]
    assert times == sorted(set(times))


def test_losses_are_moved_with_their_showing() -> None:
    items = [*film(2), SourceLost("cut", 0.02), SourceBack(0.03)]
    shown = list(islice(paced(items, Pace(repeats=True), Event()), 8))
    assert [item.time_s for item in shown] == sorted(item.time_s for item in shown)
    assert isinstance(shown[6], SourceLost)
    assert shown[6].time_s > 0.05


def test_a_held_film_stands_still_and_then_goes_on_at_its_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "_LOOK_S", 0.01)
    held = Event()
    held.set()
    Timer(0.15, held.clear).start()
    began = time.monotonic()
    came = [time.monotonic() - began for _ in paced(film(4), Pace(is_held=held.is_set), Event())]
    assert came[0] >= 0.14
    assert came[3] - came[0] >= 2.5 * STEP_S


def test_stopping_ends_a_wait() -> None:
    stopped = Event()
    long = [Frame(np.zeros((16, 16, 3), np.uint8), 0, 60.0)]
    Timer(0.05, stopped.set).start()
    began = time.monotonic()
    assert list(paced(long, Pace(), stopped)) == []
    assert time.monotonic() - began < 5


def test_far_behind_goes_slower_instead_of_hurrying_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "MOST_BEHIND_S", 0.02)

    def slow() -> Iterator[Frame]:
        for frame in film(6):
            if frame.number == 1:
                time.sleep(0.3)
            yield frame

    came = [time.monotonic() for _ in paced(slow(), Pace(), Event())]
    assert came[5] - came[1] >= 2.5 * STEP_S
