"""The bundled recording, watched through the committed networks: hands are read when they come to rest, only then."""

from collections import Counter

import pytest

from datasets.footage.demo import DEMO
from game.cards import parse_cards
from tests.vision.test_table import make_table
from vision.frame import Frame
from vision.places import places_of
from vision.reader import CardReader
from vision.recording import open_recording
from vision.view import TableEye

START, END = 380, 540  # frames: the dealer's six are set, then seat 5's five are turned
RUN_IN = 50


@pytest.fixture(scope="module")
def frames():
    recording = open_recording(DEMO)
    return [
        Frame(each.image_bgr, each.number, each.time_s) for each in recording.frames() if START <= each.number < END
    ]


def views(frames):
    eye = TableEye(open_recording(DEMO).table, CardReader.load())
    return [eye.see(frame) for frame in frames]


@pytest.fixture(scope="module")
def seen(frames):
    return views(frames)


def hands(views, zone):
    """For each view of a zone's work area that shows cards: its frame, the cards stated, and how many are seen."""
    return [
        (view.frame, {face.card for face in place.faces if face.card is not None}, len(place.faces))
        for view in views
        for place in view.places
        if place.zone == zone and place.part == "work" and place.faces
    ]


@pytest.mark.parametrize(
    ("zone", "cards", "lies_still"), [("dealer", "Kd Tc 9c 8h 4s 3c", 422), ("seat-5", "Jc Js 5s 5d Kh", 498)]
)
def test_hands_are_read_when_they_come_to_rest(seen, zone, cards, lies_still):
    first = next(hand for hand in hands(seen, zone) if hand[0] >= lies_still)
    truth = set(parse_cards(cards))
    assert lies_still <= first[0] <= lies_still + 30
    assert first[1] <= truth
    assert first[2] == len(truth)


def test_no_hand_is_stated_that_was_not_there(seen):
    truth = set(parse_cards("Kd Tc 9c 8h 4s 3c Jc Js 5s 5d Kh"))
    stated = {face.card for view in seen for place in view.places for face in place.faces if face.card is not None}
    assert stated <= truth


def test_what_does_not_move_is_not_read_again(seen):
    reads = Counter(place.zone for view in seen[RUN_IN:] for place in view.places if place.part == "work")
    assert reads["seat-1"] <= 2


def test_footage_can_be_cut_anywhere(frames, seen):
    cut = 27
    assert views(frames[cut:])[RUN_IN:] == seen[cut + RUN_IN :]


def test_places_of_a_table():
    table = make_table()
    names = [place.name for place in places_of(table)]
    assert names[0] == "dealer/work"
    assert {"seat-1/work", "seat-1/cards", "seat-1/side", "seat-1/spot/ante"} <= set(names)
    assert len(names) == len(set(names))
    for place in places_of(table):
        assert place.corners_mm.shape == (4, 2)
