"""Pictures of any size, cards of any size: each looked at where it can be seen, each found once."""

import cv2
import numpy as np
import pytest

from tests.vision.test_assemble import readings_of
from vision.camera import RectifiedView
from vision.identify import Readings
from vision.locate import IndexMarks
from vision.reader import GOOD_CARD_PX, CardReader, card_heights_px, locate_at_all_scales

PATCH_ASPECT = 0.34 * 63 / (0.44 * 88)
LEAST_PX = 16  # the height of a card that the stand-in sees at all


class SquareDetector:
    """Finds white rectangles, as the network finds patches: not when they are tiny, and badly when they are huge."""

    def __init__(self):
        self.looks = []

    def locate(self, picture_bgr):
        self.looks.append(picture_bgr.shape[1::-1])
        _, _, stats, _ = cv2.connectedComponentsWithStats((picture_bgr[..., 0] > 127).astype(np.uint8))
        quads, confidence = [], []
        for x, y, w, h, _ in stats[1:]:
            height = h / 0.44
            if LEAST_PX <= height <= 900:
                quads.append(
                    [[x - 0.5, y - 0.5], [x + w - 0.5, y - 0.5], [x + w - 0.5, y + h - 0.5], [x - 0.5, y + h - 0.5]]
                )
                confidence.append(0.9 if GOOD_CARD_PX[0] <= height <= GOOD_CARD_PX[1] else 0.5)
        points = np.array(quads, np.float32).reshape(-1, 4, 2)
        return IndexMarks(points, np.array(confidence, np.float32), np.zeros(len(points), bool))


class AnyCard:
    """Says that every patch is the same card."""

    def identify(self, patches_bgr):
        return readings_of([7] * len(patches_bgr)) if len(patches_bgr) else Readings.empty()

    def with_calibration(self, calibration):
        return self


def table(size_wh, card_px, places):
    """Black, with a white patch of a card of this height at each place (its upper left)."""
    picture = np.zeros((size_wh[1], size_wh[0], 3), np.uint8)
    height = round(0.44 * card_px)
    width = round(height * PATCH_ASPECT)
    for x, y in places:
        picture[y : y + height, x : x + width] = 255
    return picture


SEEN = [
    pytest.param((640, 640), 150, [(100, 100), (300, 420)], 1, id="a frame of the usual size: one look"),
    pytest.param((378, 504), 120, [(100, 100)], 1, id="a small photograph"),
    pytest.param((1264, 641), 90, [(100, 100), (1200, 600)], 1, id="a wide video frame"),
    pytest.param((1920, 1080), 80, [(5, 5), (1800, 1000), (960, 540)], 2, id="a whole table"),
    pytest.param((640, 640), 50, [(100, 100), (300, 420)], 2, id="small cards are looked at closer"),
    pytest.param((6000, 4000), 1500, [(500, 500), (3000, 2000)], 2, id="a large still of large cards"),
    pytest.param((6000, 4000), 60, [(500, 500), (3000, 2000), (5950, 3950)], 17, id="a large still of small cards"),
]


@pytest.mark.parametrize(("size_wh", "card_px", "places", "most_looks"), SEEN)
def test_cards_of_any_size_are_found_once_where_they_are(size_wh, card_px, places, most_looks):
    detector = SquareDetector()
    marks = locate_at_all_scales(detector, table(size_wh, card_px, places))
    assert len(marks) == len(places)
    assert len(detector.looks) <= most_looks
    found = sorted(marks.keypoints[:, 0].round().astype(int).tolist())
    assert np.abs(np.array(found) - sorted(map(list, places))).max() <= 0.04 * card_px
    assert np.abs(card_heights_px(marks) / card_px - 1).max() < 0.12


def test_cards_of_two_sizes_are_both_found():
    picture = table((1280, 1280), 56, [(100, 100), (180, 700), (260, 100)])
    picture |= table((1280, 1280), 500, [(600, 300)])
    assert len(locate_at_all_scales(SquareDetector(), picture)) == 4


def test_an_empty_picture_is_looked_at_more_than_once_and_has_nothing():
    detector = SquareDetector()
    assert len(locate_at_all_scales(detector, np.zeros((1000, 2000, 3), np.uint8))) == 0
    assert 1 < len(detector.looks) < 5


def test_a_tile_s_edge_cuts_nothing():
    places = [(x, y) for x in range(40, 3900, 130) for y in (1200, 1240 + 90)]
    marks = locate_at_all_scales(SquareDetector(), table((4000, 2600), 70, places))
    assert len(marks) == len(places)


def reader():
    return CardReader(SquareDetector(), AnyCard(), {"threshold": 0.5})


def test_what_is_located_is_stated():
    sighting = reader().read(table((640, 640), 150, [(100, 100), (400, 400)]))
    assert [str(seen.card) for seen in sighting.stated] == ["3s", "3s"]
    assert sighting.unreadable == ()
    assert sighting.backs == ()


def test_a_zone_is_read_straightened():
    ys, xs = np.mgrid[0:200, 0:300].astype(np.float32)
    view = RectifiedView(np.dstack([xs + 50, ys + 80]), np.eye(3))
    sighting = reader().read_zone(table((640, 640), 150, [(100, 100)]), view)
    assert len(sighting.stated) == 1
    assert np.abs(sighting.stated[0].quad_px[0] - (50, 20)).max() < 2


def test_a_threshold_that_is_never_reached_states_nothing():
    sighting = reader().with_calibration({"threshold": 2.0}).read(table((640, 640), 150, [(100, 100)]))
    assert len(sighting.unreadable) == 1


def test_of_two_that_say_the_same_and_lie_on_each_other_one_is_stated():
    sighting = reader().read(table((640, 640), 150, [(100, 100), (160, 180)]))
    assert len(sighting.stated) == 1
    assert [seen.verdict.reason for seen in sighting.unreadable] == ["twice"]


def test_two_that_say_the_same_and_lie_apart_are_both_stated():
    assert len(reader().read(table((640, 640), 150, [(100, 100), (300, 100)])).stated) == 2
