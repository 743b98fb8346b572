"""One table watched through the committed networks: the bundled recording's first hands, cut and stored anywhere."""

import tracemalloc

import cv2
import numpy as np
import pytest

from datasets.footage.demo import DEMO
from game.cards import parse_cards
from vision.errors import VisionError
from vision.frame import Frame
from vision.reader import CardReader
from vision.recording import open_recording
from vision.sources.source import SourceBack, SourceLost
from vision.watch_table import RUN_IN_S, TableWatch, WatchState

START, STORED, END = 380, 470, 540  # the dealer's six are set at 422, seat 5's five are turned at 498
RUN_IN = round(RUN_IN_S * 25)


@pytest.fixture(scope="module")
def frames():
    recording = open_recording(DEMO)
    found = [Frame(each.image_bgr, each.number, each.time_s) for each in recording.frames(to_s=END / 25)]
    return [found[0], *(frame for frame in found if frame.number >= START)]


@pytest.fixture(scope="module")
def reader():
    return CardReader.load()


def new_watch(reader, frames, state=None):
    return TableWatch(open_recording(DEMO).table, reader, reference_bgr=frames[0].picture_bgr, state=state)


@pytest.fixture(scope="module")
def watched(reader, frames):
    """Every step, and the state before each frame."""
    watch, states, steps = new_watch(reader, frames), {}, []
    for frame in frames[1:]:
        states[frame.number] = watch.state.to_json()
        steps.append(watch.step(frame))
    return states, steps


def events_of(steps):
    return [event for step in steps for event in step.events]


def test_hands_are_told_soon_with_the_crop_that_proves_them(watched):
    _, steps = watched
    hands = {event.zone: event for event in events_of(steps) if event.kind in ("dealer_hand", "player_hand")}
    assert set(hands["dealer"].cards) == set(parse_cards("Kd Tc 9c 8h 4s 3c"))
    assert set(hands["dealer"].set_in_front) == set(parse_cards("Kd Tc 9c 8h"))
    assert set(hands["seat-5"].cards) == set(parse_cards("Jc Js 5s 5d Kh"))
    for zone, lay_still in (("dealer", 422), ("seat-5", 498)):
        assert lay_still <= hands[zone].frame <= lay_still + 30
        name = hands[zone].extra_value("evidence")
        content = next(step.evidence[name] for step in steps if name in step.evidence)
        assert len(content) < 120_000
        crop = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
        assert min(crop.shape[:2]) > 50


def test_nothing_is_told_of_a_table_that_did_not_move(watched):
    assert not [event for event in events_of(watched[1]) if event.kind in ("camera_moved", "light_changed")]


def test_a_stored_state_goes_on_after_two_seconds_of_run_in(watched, reader, frames):
    states, steps = watched
    watch = new_watch(reader, frames, WatchState.from_json(states[STORED]))
    again = []
    for frame in frames[1:]:
        if STORED - RUN_IN <= frame.number < STORED:
            watch.run_in(frame)
        elif frame.number >= STORED:
            again.append(watch.step(frame))
    assert [event.to_json() for event in events_of(again)] == [
        event.to_json() for event in events_of(steps) if event.frame >= STORED
    ]
    assert events_of(again)


def test_a_lost_source_is_told_and_what_lay_still_is_read_anew(reader, frames):
    watch = new_watch(reader, frames)
    told = [watch.step(item).events for item in (*frames[1:4], SourceLost("cut", 15.3), SourceBack(15.5), frames[5])]
    assert [event.kind for events in told for event in events] == ["source_lost", "source_back"]


def test_a_bumped_camera_is_told_and_followed(reader, frames):
    watch = new_watch(reader, frames)
    picture = frames[1].picture_bgr
    matrix = np.array([[1.0, 0, 14], [0, 1, 9]])
    moved = cv2.warpAffine(picture, matrix, picture.shape[1::-1], borderMode=cv2.BORDER_REFLECT)
    kinds = []
    for number in range(4):
        kinds += [event.kind for event in watch.step(Frame(moved, number, float(number))).events]
    at = np.array([[0.0, 560.0]])
    shift = watch.camera.mm_to_px(at)[0] - watch.table.camera.to_camera().mm_to_px(at)[0]
    assert kinds.count("camera_moved") == 1
    assert shift == pytest.approx([14, 9], abs=1.5)
    assert WatchState.from_json(watch.state.to_json()) == watch.state


def test_a_change_of_light_is_told_once_each_way(reader, frames):
    watch = new_watch(reader, frames)
    kinds = []
    for number, gain in enumerate((1.0, 0.6, 0.6, 1.0)):
        picture = cv2.convertScaleAbs(frames[1].picture_bgr, alpha=gain)
        kinds += [event.kind for event in watch.step(Frame(np.asarray(picture), number, float(number))).events]
    assert kinds.count("light_changed") == 2


def test_a_state_of_another_version_is_refused():
    with pytest.raises(VisionError, match="another version"):
        WatchState.from_json('{"version": 0}')
    with pytest.raises(VisionError, match="start without it"):
        WatchState.from_json('{"version": 1, "observer": {}}')


def test_memory_does_not_grow_with_footage(reader, frames):
    """A small sample; `foursight bench endurance` is a day's worth."""
    watch = new_watch(reader, frames)
    still = frames[1].picture_bgr
    sizes = []
    tracemalloc.start()
    try:
        for number in range(240):
            watch.step(Frame(still, number, number / 25))
            if number in (120, 239):
                sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert sizes[1] - sizes[0] < 200_000


def test_pictures_of_another_size_than_the_table_was_set_up_for_are_refused(reader, frames):
    watch = new_watch(reader, frames)
    small = cv2.resize(frames[1].picture_bgr, None, fx=0.5, fy=0.5)
    with pytest.raises(VisionError, match=r"960×540 pixels, .* 1920×1080; set the camera"):
        watch.step(Frame(small, frames[1].number, frames[1].time_s))
