"""Hands, chips and clutter are whole sprites, the same for the same number."""

import numpy as np
import pytest

from datasets.errors import DatasetError
from datasets.picture.surfaces import KINDS, draw_surface, ramp
from datasets.picture.views import View
from datasets.props.chips import CHIP_MM, CHIPS, draw_chip_stack, lean_of
from datasets.props.clutter import DRAWINGS, stock_clutter, stock_other_card
from datasets.props.hands import POSES, HandStyle, draw_hand


@pytest.mark.parametrize("pose", POSES)
def test_a_hand_has_fingers_above_its_arm_and_a_point_that_works(pose):
    style = HandStyle.random(np.random.default_rng(1), dealer=True)
    hand = draw_hand(pose, style, px_per_mm=1.0, arm_mm=150)
    x, y = hand.anchor_px
    height, width = hand.art.shape[:2]
    assert 0 <= x < width
    assert 0 <= y < height / 2
    assert hand.art[-20, :, 3].max() == 255, "the arm leaves at the lower edge"
    assert hand.art[..., :3][hand.art[..., 3] == 255].std() > 10


def test_a_left_hand_is_a_right_hand_mirrored():
    style = HandStyle.random(np.random.default_rng(2))
    left, right = (
        draw_hand("reach", HandStyle(**{f: getattr(style, f) for f in style.__slots__} | {"left": side}), px_per_mm=1)
        for side in (True, False)
    )
    assert np.array_equal(left.art, right.art[:, ::-1])


def test_an_unknown_pose_is_refused():
    with pytest.raises(DatasetError, match="choose from flat"):
        draw_hand("wave", HandStyle.random(np.random.default_rng(0)))


@pytest.mark.parametrize("denomination", CHIPS)
def test_a_chip_is_as_large_as_a_chip(denomination):
    sprite = draw_chip_stack(denomination, 1, np.random.default_rng(0), lean=(0, 0), px_per_mm=4)
    area_mm2 = np.count_nonzero(sprite.art[..., 3] > 128) / 16
    assert area_mm2 == pytest.approx(np.pi * (CHIP_MM / 2) ** 2, rel=0.03)


def test_a_stack_leans_away_from_the_camera():
    lean = lean_of((0, 0, 1000), (300, 0), 0)
    assert lean == pytest.approx((0.3, 0))
    low = draw_chip_stack(5, 1, np.random.default_rng(0), lean=lean)
    high = draw_chip_stack(5, 20, np.random.default_rng(0), lean=lean)
    assert high.size_mm[0] - low.size_mm[0] == pytest.approx(19 * 3.3 * 0.3, abs=1)


@pytest.mark.parametrize(
    ("denomination", "count"), [pytest.param(3, 1, id="no such chip"), pytest.param(5, 0, id="no chips")]
)
def test_impossible_stacks_are_refused(denomination, count):
    with pytest.raises(DatasetError):
        draw_chip_stack(denomination, count, np.random.default_rng(0))


def test_clutter_and_other_cards_are_drawn_and_kept():
    for number in range(len(DRAWINGS)):
        assert stock_clutter(number).art[..., 3].max() == 255
    assert stock_other_card(2) is stock_other_card(2)
    width, height = stock_other_card(0).size_mm
    assert height == 88
    assert width in (57, 63)


@pytest.mark.parametrize("kind", KINDS)
def test_every_surface_fills_the_picture(kind):
    rng = np.random.default_rng(3)
    view = View.random(rng, (160, 120), 1.5, 0.5)
    picture = draw_surface(kind, 0, ramp(kind, rng), view, (0.1, 0.7))
    assert picture.shape == (120, 160, 3)
    assert picture.std() > 0.5


def test_a_view_goes_there_and_back():
    rng = np.random.default_rng(4)
    for tilt in (0.0, 0.4, 0.9):
        view = View.random(rng, (640, 480), 2.0, tilt, squeeze=1.2, lens=-0.05)
        points = rng.uniform(-60, 60, (20, 2))
        assert view.unproject(view.project(points)) == pytest.approx(points, abs=1e-3)
        flat = View.random(rng, (640, 480), 2.0, tilt)
        assert flat.project(points, 7.0) == pytest.approx(flat.camera.mm_to_px(points * (-1, 1), 7.0), abs=1e-6)
        assert view.px_per_mm() == pytest.approx(2.0 * np.sqrt(np.cos(tilt)), rel=0.25)
