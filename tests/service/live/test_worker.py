"""A table's worker: frames in, events and states to the desk; what fails is told and begins again."""

import time
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from service.errors import UnavailableError
from service.live import worker as module
from service.live.worker import Feed, TableWorker
from vision.reader import CardReader, Sighting
from vision.recording import open_recording
from vision.watch_table import WatchState
from vision.weights import load_weights

DEMO = "datasets/demo"


@dataclass
class Shown:
    phase: str = "betting"


@dataclass
class Desk:
    """Takes in what it is told, unless its store is away."""

    state: str | None = None
    events: list = field(default_factory=list)
    evidence: dict = field(default_factory=dict)
    failures: list = field(default_factory=list)

    def observe(self, events, observer_state, evidence):
        if self.failures:
            raise self.failures.pop()
        self.events += events
        self.state = observer_state
        self.evidence |= evidence

    def observer_state(self):
        return self.state

    def view(self):
        return Shown()


class Blind:
    """A reader that sees no card: what is tested here is not reading."""

    calibration = load_weights("identify").calibration

    def read_zone(self, picture_bgr, view):
        return Sighting()


@pytest.fixture
def reader():
    return Blind()


@pytest.fixture
def table():
    return open_recording(DEMO).table


def until(is_so, seconds=120):
    limit = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < limit, "it did not happen"
        time.sleep(0.02)


def test_a_source_that_is_not_there_is_told_and_tried_again(table, reader):
    worker = TableWorker(table, Feed("nowhere.mp4"), Desk(), reader)
    worker.start()
    until(lambda: worker.status.state == "failed")
    assert "nowhere.mp4 is not there" in worker.status.words
    assert not worker.status.is_well
    worker.stop()


def test_a_felt_that_shows_too_little_to_watch_the_camera_by_is_watched_all_the_same(table, reader, tmp_path):
    width, height = table.camera.size_wh
    plain = np.full((height, width, 3), (90, 120, 40), np.uint8)
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), plain + np.uint8(number))
    worker = TableWorker(table, Feed(str(tmp_path)), Desk(), reader)
    worker.start()
    until(lambda: worker.status.state in ("over", "failed"))
    assert worker.status.words == "the recording is over"
    worker.stop()


def test_stopping_before_the_start_is_nothing(table, reader):
    TableWorker(table, Feed(DEMO), Desk(), reader).stop()


def test_events_reach_the_desk_with_their_pictures_and_a_restart_goes_on_after_them(table, monkeypatch):
    reader = CardReader.load()
    monkeypatch.setattr(module, "STORE_AGAIN_S", 0.01)
    desk = Desk(failures=[UnavailableError("the store is away")])
    first = TableWorker(table, Feed(DEMO, speed=20.0), desk, reader)
    first.start()
    until(lambda: any(event.kind == "cards_dealt" for event in desk.events))
    assert first.status.state == "live"
    assert first.status.fps > 0
    first.stop()
    assert desk.events[0].kind == "round_started"
    assert {event.extra_value("evidence") for event in desk.events if event.zone} <= set(desk.evidence)
    assert all(picture.startswith(b"\xff\xd8") for picture in desk.evidence.values())
    stored, told = WatchState.from_json(desk.state), len(desk.events)

    second = TableWorker(table, Feed(DEMO, speed=20.0), desk, reader)
    second.start()
    until(lambda: len(desk.events) > told)
    second.stop()
    assert min(event.time_s for event in desk.events[told:]) >= stored.source.last_s


def test_a_state_of_another_version_is_left_alone(table, reader):
    desk = Desk(state='{"version": 99}')
    worker = TableWorker(table, Feed(DEMO), desk, reader)
    worker.start()
    until(lambda: worker.picture.number is not None)
    worker.stop()


def test_what_fails_in_the_program_begins_again(table, reader, monkeypatch):
    monkeypatch.setattr(module, "AGAIN_S", (0.01,))
    monkeypatch.setattr(module, "STORE_EVERY_S", 0.1)
    desk = Desk(failures=[RuntimeError("a fault")])
    worker = TableWorker(table, Feed(DEMO), desk, reader)
    worker.start()
    until(lambda: desk.state is not None)
    until(lambda: worker.status.state == "live")
    worker.stop()


def test_a_film_waits_while_somebody_looks(table, reader):
    worker = TableWorker(table, Feed(DEMO, waits=True, speed=4.0), Desk(), reader)
    worker.start()
    until(lambda: worker.picture.number is not None and worker.status.state == "waiting")
    stood = worker.picture.number
    time.sleep(0.3)
    assert worker.picture.number == stood
    worker.stop()
