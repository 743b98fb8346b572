"""The ring of rounds: the oldest go, flagged ones and their neighbours stay, only the felt is recorded."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.test_recording import CAMERA, SIZE_WH, TABLE, make_frame
from vision import ring
from vision.errors import VisionError
from vision.events import Event
from vision.frame import Frame
from vision.recording import open_recording, verify_recording
from vision.replay import stored_states
from vision.ring import KEPT, RING, TableRecorder, felt_mask
from vision.round_state import DECISION, IDLE, ObserverState
from vision.watch_table import Step, WatchState

FPS = 10
IDLE_STATE = WatchState(ObserverState.start(TABLE))
PLAYING = replace(IDLE_STATE, observer=replace(IDLE_STATE.observer, phase=DECISION, round=1))


def record(recorder, start_s, flags=(), playing_s=3.0, idle_s=2.5):
    """A round and the pause after it; flags are told in its middle."""
    steps = round((playing_s + idle_s) * FPS)
    for number in range(steps):
        time_s = round(start_s + number / FPS, 3)
        before = PLAYING if number < playing_s * FPS else IDLE_STATE
        events = tuple(Event(kind, time_s, 0, round=1, zone="seat-4", expected=5, seen=4) for kind in flags)
        step = Step(events if number == 10 else ())
        recorder.record(Frame(make_frame(number), number, time_s), step, before, CAMERA)
    return start_s + steps / FPS


def names(folder, part):
    return sorted(int(path.name) for path in (folder / part).iterdir())


def test_a_limit_too_small_is_refused(tmp_path):
    with pytest.raises(VisionError, match="hold no round"):
        TableRecorder(tmp_path, TABLE, limit_bytes=1000)


def test_each_round_is_a_recording_of_its_own(tmp_path):
    with TableRecorder(tmp_path, TABLE, limit_bytes=100_000_000, fps=FPS, bit_rate=300_000) as recorder:
        end_s = record(recorder, 0.0)
        record(recorder, end_s)
    assert names(tmp_path, RING)[:2] == [1, 2]
    verify_recording(tmp_path / RING / "000001")
    recording = open_recording(tmp_path / RING / "000001")
    ((time_s, text),) = stored_states(recording)
    assert time_s == pytest.approx(2.0)
    assert WatchState.from_json(text) == PLAYING


def test_flagged_rounds_are_kept_with_their_neighbours(tmp_path):
    with TableRecorder(tmp_path, TABLE, limit_bytes=100_000_000, fps=FPS, bit_rate=300_000) as recorder:
        at_s = 0.0
        for flags in ((), (), ("miscount",), (), ()):
            at_s = record(recorder, at_s, flags)
    assert names(tmp_path, KEPT) == [2, 3, 4]
    kept = open_recording(tmp_path / KEPT / "000003")
    assert [event.kind for event in kept.events] == ["miscount"]


def test_the_oldest_rounds_go_when_the_limit_is_reached(tmp_path, monkeypatch):
    monkeypatch.setattr(ring, "LEAST_LIMIT", 1)
    with TableRecorder(tmp_path, TABLE, limit_bytes=900_000, fps=FPS, bit_rate=300_000) as recorder:
        at_s = 0.0
        for flags in (("miscount",), (), (), (), ()):
            at_s = record(recorder, at_s, flags)
        assert recorder.used_bytes <= 900_000
    assert 1 in names(tmp_path, KEPT)
    assert 3 not in names(tmp_path, RING)
    assert names(tmp_path, RING)[-1] == 6  # the pause after the last round


def test_a_long_round_takes_its_room_from_the_oldest_while_it_is_recorded(tmp_path, monkeypatch):
    monkeypatch.setattr(ring, "LEAST_LIMIT", 1)
    with TableRecorder(tmp_path, TABLE, limit_bytes=900_000, fps=FPS, bit_rate=300_000) as recorder:
        at_s = record(recorder, record(recorder, record(recorder, 0.0), ()))
        assert names(tmp_path, RING)[0] == 1
        record(recorder, at_s, playing_s=8.0, idle_s=0.0)
        assert recorder.used_bytes <= 900_000
    assert 1 not in names(tmp_path, RING)
    assert names(tmp_path, RING)[-1] == 4


def test_numbers_go_on_after_a_restart(tmp_path):
    for _ in range(2):
        with TableRecorder(tmp_path, TABLE, limit_bytes=100_000_000, fps=FPS, bit_rate=300_000) as recorder:
            record(recorder, 0.0, idle_s=0.0)
    assert names(tmp_path, RING) == [1, 2]


def test_only_the_felt_is_recorded(tmp_path):
    with TableRecorder(tmp_path, TABLE, limit_bytes=100_000_000, fps=FPS, bit_rate=2_000_000) as recorder:
        white = np.full((SIZE_WH[1], SIZE_WH[0], 3), 255, np.uint8)
        recorder.record(Frame(white, 0, 0.0), Step(), IDLE_STATE, CAMERA)
    (seen,) = open_recording(tmp_path / RING / "000001")
    outside = felt_mask(TABLE, CAMERA) == 0
    assert outside.mean() > 0.1
    assert np.percentile(seen.image_bgr[outside], 95) < 60
    assert np.percentile(seen.image_bgr[~outside], 20) > 200


def test_nothing_is_kept_of_a_quiet_round_but_in_the_ring(tmp_path):
    with TableRecorder(tmp_path, TABLE, limit_bytes=100_000_000, fps=FPS, bit_rate=300_000) as recorder:
        record(recorder, 0.0)
    assert names(tmp_path, KEPT) == []
    assert IDLE_STATE.observer.phase == IDLE
