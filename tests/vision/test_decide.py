"""A card is stated when it is certain, and otherwise there is a reason."""

import numpy as np
import pytest

from game.cards import Card
from tests.vision.test_assemble import readings_of
from vision.decide import REASONS, Verdict, decide, weigh
from vision.identify import PATCH_PX_WH, Readings

PLAIN = {"threshold": 0.9, "corner_witnesses": 0.5, "frame_witnesses": 0.5}
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
    one, two = weigh(readings_of([ACE], [0.95]), PLAIN), weigh(readings_of([ACE, ACE], [0.95, 0.95]), PLAIN)
    assert one.log_odds < two.log_odds < 2 * one.log_odds
    assert one.confidence(PLAIN) < two.confidence(PLAIN) < 1.0


def test_what_cannot_be_read_says_nothing():
    found = weigh(readings_of([ACE, ACE - 1], [0.98, 0.01]), PLAIN)
    assert found.card == ACE
    assert found.confidence(PLAIN) > 0.85
    nothing = weigh(readings_of([ACE], [0.0]), PLAIN)
    assert nothing.card == ACE
    assert nothing.confidence(PLAIN) < 1e-5


def test_legibility_counts_as_far_as_it_was_found_to_mean_something():
    shy = weigh(readings_of([ACE], [0.9]), PLAIN)
    trusting = PLAIN | {"legible_bias": 6.0, "legible_slope": 0.5}
    assert shy.confidence(PLAIN) < 0.91 < 0.94 < shy.confidence(trusting)


def test_frames_add_up():
    one, ten = readings_of([ACE], [0.9]), Readings.joined([readings_of([ACE], [0.9]) for _ in range(10)])
    assert weigh(ten, PLAIN, frames=10).card == ACE
    assert weigh(ten, PLAIN, frames=10).confidence(PLAIN) > weigh(one, PLAIN).confidence(PLAIN)


def test_ten_frames_that_are_one_witness_are_no_surer():
    ten = Readings.joined([readings_of([ACE], [0.9]) for _ in range(10)])
    alike = PLAIN | {"frame_witnesses": 0.0}
    single = weigh(readings_of([ACE], [0.9]), alike)
    assert weigh(ten, alike, frames=10).log_odds == pytest.approx(single.log_odds, rel=1e-6)


def test_one_bad_frame_of_ten_changes_nothing():
    frames = [readings_of([ACE], [0.9]) for _ in range(9)] + [readings_of([ACE - 1], [0.9])]
    assert weigh(Readings.joined(frames), PLAIN, frames=10).card == ACE


def test_readings_are_checked():
    with pytest.raises(ValueError, match="2 patches"):
        Readings(
            np.zeros((2, 52), np.float32),
            np.zeros(3, np.float32),
            np.zeros(2, np.float32),
            np.zeros((2, 4, 2), np.float32),
        )
