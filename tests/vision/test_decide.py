"""A card is stated when it is certain, and otherwise there is a reason."""

import numpy as np
import pytest

from game.cards import Card
from tests.vision.test_assemble import readings_of
from vision.decide import REASONS, Verdict, decide, fuse, fuse_frames
from vision.identify import PATCH_PX_WH, Readings

PLAIN = {"threshold": 0.9, "witnesses": 0.5}
ACE = Card.parse("As").index


def patches(count, level=None):
    width, height = PATCH_PX_WH
    if level is not None:
        return np.full((count, height, width, 3), level, np.uint8)
    sharp = np.zeros((count, height, width, 3), np.uint8)
    sharp[:, ::8] = 255
    sharp[:, 1::8] = 255
    return sharp


def verdict(cards, legible, height=100.0, level=None):
    readings = readings_of(cards, legible)
    return decide(readings, np.arange(len(cards)), height, patches(len(cards), level), PLAIN)


def test_a_clear_index_is_stated():
    assert verdict([ACE], [0.999]) == Verdict(Card.parse("As"), verdict([ACE], [0.999]).confidence)
    assert verdict([ACE], [0.999]).confidence > 0.9


REFUSED = [
    pytest.param([ACE], [0.2], 100.0, None, "covered", id="hidden"),
    pytest.param([None], [0.9], 100.0, None, "unclear", id="any card"),
    pytest.param([ACE], [0.2], 30.0, None, "small", id="far away"),
    pytest.param([ACE], [0.2], 100.0, 20, "dark", id="dark"),
    pytest.param([ACE], [0.2], 100.0, 255, "glare", id="all white"),
    pytest.param([ACE], [0.2], 100.0, 150, "blurred", id="no edge in it"),
    pytest.param([ACE, ACE - 1], [0.9, 0.9], 100.0, None, "contradiction", id="corners differ"),
]


@pytest.mark.parametrize(("cards", "legible", "height", "level", "reason"), REFUSED)
def test_what_is_not_certain_has_a_reason(cards, legible, height, level, reason):
    found = verdict(cards, legible, height, level)
    assert not found.is_stated
    assert found.reason == reason
    assert reason in REASONS


def test_two_corners_are_surer_than_one_and_less_than_independent():
    one = readings_of([ACE], [0.95])
    two = readings_of([ACE, ACE], [0.95, 0.95])
    single, double = (fuse(each.log_probabilities, each.legible, PLAIN)[1] for each in (one, two))
    assert single < double < 1.0


def test_what_cannot_be_read_says_nothing():
    readings = readings_of([ACE, ACE - 1], [0.98, 0.01])
    best, confidence = fuse(readings.log_probabilities, readings.legible, PLAIN)
    assert best == ACE
    assert confidence > 0.85
    nothing = readings_of([ACE], [0.0])
    assert fuse(nothing.log_probabilities, nothing.legible, PLAIN) == (ACE, 0.0)


def test_frames_add_up():
    frames = [readings_of([ACE], [0.9]) for _ in range(10)]
    card, confidence = fuse_frames(frames, PLAIN)
    assert card == Card.parse("As")
    assert confidence > fuse_frames(frames[:1], PLAIN)[1]


def test_one_bad_frame_of_ten_changes_nothing():
    frames = [readings_of([ACE], [0.9]) for _ in range(9)] + [readings_of([ACE - 1], [0.9])]
    assert fuse_frames(frames, PLAIN)[0] == Card.parse("As")


def test_readings_are_checked():
    with pytest.raises(ValueError, match="2 patches"):
        Readings(
            np.zeros((2, 52), np.float32),
            np.zeros(3, np.float32),
            np.zeros(2, np.float32),
            np.zeros((2, 4, 2), np.float32),
        )
