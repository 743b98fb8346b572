"""Felts: the same seed the same picture, print where the table says, nothing mirrored, many looks."""

import cv2
import numpy as np
import pytest

from datasets.cameras import camera_preset
from datasets.errors import DatasetError
from datasets.felt.draw import FeltStyle, draw_felt, felt_homography, view_felt
from datasets.felt.lettering import Lettering, Plane, circle_mm, print_along, print_text
from vision.layout import GAMES
from vision.table import default_table

CAMERA = camera_preset("overhead").camera()
PLAIN = FeltStyle(3, has_placard=False, has_card_boxes=False)


def make_table(game="four-card-poker", seats=6):
    return default_table(game, seats, "south-dakota", CAMERA)


@pytest.fixture(scope="module")
def plain():
    return draw_felt(make_table(), PLAIN, 0.6)


def colour_at(picture, point_mm, radius=4, scale=0.6):
    x, y = cv2.perspectiveTransform(np.array([[point_mm]], float), felt_homography(make_table(), scale))[0, 0]
    patch = picture[int(y) - radius : int(y) + radius, int(x) - radius : int(x) + radius]
    return patch.reshape(-1, 3).mean(axis=0)


def test_same_style_same_bytes(plain):
    assert (draw_felt(make_table(), PLAIN, 0.6) == plain).all()


def test_another_seed_is_another_cloth(plain):
    assert (draw_felt(make_table(), FeltStyle(4, has_placard=False, has_card_boxes=False), 0.6) != plain).any()


def test_work_areas_are_plain_cloth(plain):
    for number in range(1, 7):
        seen = colour_at(plain, make_table().seat(number).centre_mm, radius=12)
        assert np.abs(seen - PLAIN.cloth).max() < 30, number


def test_spots_are_printed_where_the_table_has_them(plain):
    table = make_table()
    scale_free = felt_homography(table, 0.6)
    for zone in (table.seat(number) for number in range(1, 7)):
        for name in ("ante", "play"):
            ring = cv2.perspectiveTransform(circle_mm(zone.spots[name], 29.0)[None], scale_free)[0].round().astype(int)
            brightness = plain[ring[:, 1], ring[:, 0]].mean(axis=1)
            assert brightness.mean() > 110, (zone.name, name)


def test_things_stand_where_the_table_has_them(plain):
    table = make_table()
    for name in ("tray", "shuffler"):
        assert np.abs(colour_at(plain, table.zones[name].centre_mm, 8) - PLAIN.cloth).max() > 25, name


def test_words_are_not_mirrored():
    """An L has its foot on the reader's right: for a player that is towards the dealer's left, which is -x."""
    plane = Plane(np.zeros((200, 200, 3), np.uint8), 100.0, 0.0, 1.0)
    print_text(plane, "L", Lettering("sans", 900), (0.0, 100.0), 80.0, (255, 255, 255))
    ink = plane.image[..., 0] > 128
    foot = ink[130:140].sum(axis=0)
    stem = ink[65:100].sum(axis=0)
    assert np.flatnonzero(stem).mean() < np.flatnonzero(foot).mean(), "upright in the plane's picture"
    assert ink[:50].sum() == ink[150:].sum() == 0


def test_words_along_a_curve_fit_it():
    plane = Plane(np.zeros((200, 400, 3), np.uint8), 200.0, 0.0, 1.0)
    curve = np.column_stack([np.linspace(150, -150, 50), np.full(50, 100.0)])
    print_along(plane, "DEALER ALWAYS QUALIFIES " * 3, Lettering(), curve, 60.0, (255, 255, 255))
    columns = np.flatnonzero((plane.image > 64).any(axis=(0, 2)))
    assert columns[0] >= 45
    assert columns[-1] <= 355


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_any_style_can_be_drawn(game, seed):
    rng = np.random.default_rng(seed)
    picture = draw_felt(make_table(game, 1 + 2 * seed), FeltStyle.random(rng), 0.3)
    assert picture.shape == (round((1120 + 840) * 0.3), round((2150 + 840) * 0.3), 3)
    assert picture.std() > 10


def test_looks_differ():
    styles = [FeltStyle.random(np.random.default_rng([9, index])) for index in range(60)]
    assert len(set(styles)) == 60
    assert len({tuple(np.array(style.cloth) // 32) for style in styles}) >= 8
    assert {style.pattern for style in styles} == {"plain", "suits", "diamonds"}


def test_a_camera_sees_the_print_where_it_says():
    table = make_table()
    picture = view_felt(table, PLAIN, CAMERA)
    assert picture.shape == (1080, 1920, 3)
    ring = CAMERA.mm_to_px(circle_mm(table.seat(2).spots["play"], 29.0)).round().astype(int)
    inside = CAMERA.mm_to_px(circle_mm(table.seat(2).spots["play"], 24.0)).round().astype(int)
    assert picture[ring[:, 1], ring[:, 0]].mean() > picture[inside[:, 1], inside[:, 0]].mean() + 60


def test_an_unknown_shape_is_refused():
    with pytest.raises(DatasetError, match="'star'"):
        FeltStyle(1, ante_shape="star")
