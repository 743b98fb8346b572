"""Patches are cut upright, at any size, wherever they lie."""

import cv2
import numpy as np
import pytest

from vision.identify import (
    FARTHEST_SHIFT,
    PATCH_MARGIN_WH,
    PATCH_PX_WH,
    Readings,
    cut_patch,
    cut_patches,
    read_patches,
    readings_from_network,
    shifted,
)

WIDTH, HEIGHT = PATCH_PX_WH


def painted(quad, size=(600, 800)):
    """A picture with a patch whose upper half is red and lower half blue, its left edge green."""
    art = np.zeros((88, 42, 3), np.uint8)
    art[:44, :, 2] = art[44:, :, 0] = 220
    art[:, :8] = (0, 220, 0)
    source = np.array([[0, 0], [42, 0], [42, 88], [0, 88]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, np.asarray(quad, np.float32))
    return np.asarray(cv2.warpPerspective(art, matrix, size[::-1]), np.uint8)


QUADS = [
    pytest.param([[100, 100], [142, 100], [142, 188], [100, 188]], id="upright"),
    pytest.param([[300, 300], [258, 300], [258, 212], [300, 212]], id="upside down"),
    pytest.param([[200, 400], [200, 358], [288, 358], [288, 400]], id="on its side"),
    pytest.param([[100, 100], [150, 110], [140, 200], [95, 180]], id="in perspective"),
    pytest.param([[50, 20], [290, 20], [290, 520], [50, 520]], id="large"),
    pytest.param([[50, 20], [62, 20], [62, 44], [50, 44]], id="small"),
]


@pytest.mark.parametrize("quad", QUADS)
def test_a_patch_is_cut_upright(quad):
    patch = cut_patches(painted(quad), np.array([quad], np.float32))[0]
    assert patch.shape == (HEIGHT, WIDTH, 3)
    upper, lower, left = patch[HEIGHT // 4, WIDTH // 2], patch[3 * HEIGHT // 4, WIDTH // 2], patch[HEIGHT // 2, 7]
    assert upper[2] > 150 > upper[0]
    assert lower[0] > 150 > lower[2]
    assert left[1] > 80


def test_no_patch_is_an_empty_batch():
    assert cut_patches(np.zeros((50, 50, 3), np.uint8), np.zeros((0, 4, 2), np.float32)).shape == (0, HEIGHT, WIDTH, 3)


OUTSIDE = [
    pytest.param([[-20, -20], [10, -20], [10, 30], [-20, 30]], id="over the edge"),
    pytest.param([[900, 900], [930, 900], [930, 950], [900, 950]], id="far outside"),
    pytest.param([[10, 10], [10, 10], [10, 10], [10, 10]], id="a point"),
    pytest.param([[10, 10], [40, 40], [10, 40], [40, 10]], id="crossed"),
]


@pytest.mark.parametrize("quad", OUTSIDE)
def test_odd_quads_do_no_harm(quad):
    picture = np.full((60, 60, 3), 90, np.uint8)
    assert cut_patch(picture, np.array(quad, float), PATCH_PX_WH, PATCH_MARGIN_WH).shape == (HEIGHT, WIDTH, 3)


def test_what_the_network_says_becomes_probabilities():
    logits = np.zeros((1, 27), np.float32)
    logits[0, [12, 13 + 3]] = 12.0  # ace, spades
    logits[0, 17] = 6.0
    readings = readings_from_network(logits, {})
    assert int(readings.log_probabilities[0].argmax()) == 51
    assert np.exp(readings.log_probabilities[0]).sum() == pytest.approx(1.0, abs=1e-5)
    assert readings.legible[0] > 0.99
    assert readings.at_right[0] == pytest.approx(0.5)
    cooler = readings_from_network(logits, {"rank_temperature": 3.0, "suit_temperature": 3.0})
    assert cooler.log_probabilities[0, 51] < readings.log_probabilities[0, 51]


def test_empty_readings():
    assert len(Readings.empty()) == 0


def say(shifts, legible=1.0):
    """Readings of one patch whose corners lie so far off."""
    return Readings(
        np.zeros((1, 52), np.float32),
        np.array([legible], np.float32),
        np.zeros(1, np.float32),
        np.broadcast_to(np.asarray(shifts, np.float32), (1, 4, 2)).copy(),
    )


class Corrector:
    """Says of the first patches that they lie right of and below the mark, and of the next that they are on it."""

    def __init__(self, shift, second_legible=1.0):
        self.seen = []
        self._said = [say(shift), say((0, 0), second_legible)]

    def identify(self, patches_bgr):
        self.seen.append(patches_bgr)
        return self._said.pop(0)


SHIFTS = [
    pytest.param((0.1, 0.2), (104.2, 117.6), id="right and down"),
    pytest.param((-0.1, 0.0), (95.8, 100), id="left"),
    pytest.param((3.0, 0.0), (100 + 42 * FARTHEST_SHIFT, 100), id="never farther than a patch can be wrong"),
]
QUAD = np.array([[[100, 100], [142, 100], [142, 188], [100, 188]]], np.float32)


@pytest.mark.parametrize(("shift", "corner"), SHIFTS)
def test_corners_move_to_where_they_are_said_to_lie(shift, corner):
    assert shifted(QUAD, say(shift))[0, 0] == pytest.approx(corner, abs=0.01)


def test_what_is_no_index_does_not_move():
    assert shifted(QUAD, say((0.2, 0.2), legible=0.01)) == pytest.approx(QUAD)


def test_a_patch_off_the_mark_is_cut_and_read_again():
    reader = Corrector((0.1, 0.2))
    picture = painted(QUAD[0])
    points, readings, patches = read_patches(picture, QUAD, reader)
    assert points == pytest.approx(QUAD + np.array([4.2, 17.6]), abs=0.01)
    assert np.array_equal(patches, cut_patches(picture, points))
    assert readings.corner_shifts.max() == 0


def test_a_second_look_that_reads_worse_does_not_count():
    reader = Corrector((0.1, 0.2), second_legible=0.2)
    _, readings, patches = read_patches(painted(QUAD[0]), QUAD, reader)
    assert readings.legible[0] == 1
    assert np.array_equal(patches, cut_patches(painted(QUAD[0]), QUAD))


def test_a_patch_on_the_mark_is_read_once():
    reader = Corrector((0.01, 0.01))
    read_patches(painted(QUAD[0]), QUAD, reader)
    assert len(reader.seen) == 1
