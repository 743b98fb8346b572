"""Warping lands where it is told to, and visibility is counted exactly."""

import numpy as np
import pytest

from datasets.errors import DatasetError
from datasets.picture.compose import Canvas, Shading, book, cast_shadow, fraction_inside, visibility, warp_art
from datasets.props.sprite import Sprite


def square(left, top, right, bottom):
    """The outline of whole pixels left..right-1, top..bottom-1."""
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], float) - 0.5


def flat_art(width, height, colour=(200, 210, 220)):
    art = np.empty((height, width, 4), np.uint8)
    art[...] = (*colour, 255)
    return art


def noisy_art(width=60, height=84, seed=0):
    art = flat_art(width, height)
    art[..., :3] = np.random.default_rng(seed).integers(0, 256, (height, width, 3))
    return art


def empty(width=100, height=90):
    return Canvas(np.zeros((height, width, 3), np.uint8))


def mesh_of(quad, rows=5, columns=4):
    down = np.linspace(0, 1, rows)[:, None, None]
    across = np.linspace(0, 1, columns)[None, :, None]
    upper = quad[0] + (quad[1] - quad[0]) * across
    lower = quad[3] + (quad[2] - quad[3]) * across
    return upper + (lower - upper) * down


def test_art_laid_on_whole_pixels_is_unchanged():
    art, canvas = noisy_art(), empty()
    canvas.paste(art, square(20, 3, 80, 87), 1)
    assert np.array_equal(canvas.picture[3:87, 20:80], art[..., :3])
    assert np.count_nonzero(canvas.ids) == 60 * 84


def test_a_flat_mesh_is_the_flat_warp():
    art, flat, meshed = noisy_art(), empty(), empty()
    quad = np.array([[20.0, 5], [75, 9], [70, 80], [25, 76]])
    # a mesh over a true perspective quad: sample the flat warp's own geometry
    flat.paste(art, square(20, 3, 80, 87), 1)
    meshed.paste(art, square(20, 3, 80, 87), 1, mesh_px=mesh_of(square(20, 3, 80, 87)))
    assert np.abs(flat.picture.astype(int) - meshed.picture).max() <= 2
    assert warp_art(art, quad, (100, 90), mesh_px=mesh_of(quad)) is not None


def test_shrunk_art_keeps_its_mean_and_does_not_alias():
    checks = flat_art(400, 400)
    checks[..., :3] = (np.indices((400, 400)).sum(axis=0) % 2 * 255)[..., None]
    canvas = empty()
    canvas.paste(checks, square(10, 10, 63, 63), 1)
    inside = canvas.picture[14:60, 14:60]
    assert inside.std() < 4
    assert abs(float(inside.mean()) - 127.5) < 3


@pytest.mark.parametrize(
    ("cover", "expected"),
    [
        pytest.param(None, 1.0, id="nothing on it"),
        pytest.param((10, 10, 50, 30), 0.5, id="upper half"),
        pytest.param((10, 10, 50, 20), 0.75, id="a quarter"),
        pytest.param((0, 0, 90, 90), 0.0, id="all of it"),
        pytest.param((60, 10, 80, 50), 1.0, id="beside it"),
        pytest.param((20, 20, 40, 40), 0.75, id="its middle"),
    ],
)
def test_visibility_is_the_share_left_uncovered(cover, expected):
    canvas = empty()
    canvas.paste(flat_art(40, 40), square(10, 10, 50, 50), 1)
    (booked,) = book(canvas, 1, [square(10, 10, 50, 50)])
    if cover:
        canvas.paste(flat_art(80, 80), square(*cover), 2)
    assert visibility(canvas, booked) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        pytest.param((-20, 10, 20, 50), 0.5, id="left half outside"),
        pytest.param((80, 70, 120, 110), 0.25, id="a quarter inside"),
        pytest.param((-50, -50, -10, -10), 0.0, id="wholly outside"),
    ],
)
def test_what_the_picture_cuts_off_is_not_visible(place, expected):
    canvas = empty()
    canvas.paste(flat_art(40, 40), square(*place), 1)
    (booked,) = book(canvas, 1, [square(*place)])
    assert visibility(canvas, booked) == pytest.approx(expected, abs=0.02)
    assert fraction_inside(square(*place), (100, 90)) == pytest.approx(expected, abs=1e-6)


def test_clear_corners_show_what_is_below():
    art = flat_art(40, 40)
    art[:10, :10, 3] = 0
    canvas = empty()
    canvas.paste(flat_art(90, 90, (1, 2, 3)), square(0, 0, 90, 90), 1)
    canvas.paste(art, square(20, 20, 60, 60), 2)
    assert canvas.ids[22, 22] == 1
    assert canvas.ids[40, 40] == 2
    assert tuple(canvas.picture[22, 22]) == (1, 2, 3)


def test_art_out_of_view_is_no_layer():
    assert warp_art(flat_art(4, 4), square(200, 200, 240, 240), (100, 90)) is None


def test_a_shadow_darkens_beside_its_outline_and_nothing_far_away():
    picture = np.full((90, 100, 3), 200, np.uint8)
    cast_shadow(picture, square(30, 30, 60, 60), (5, 5), 2, 0.5)
    assert picture[62, 62].max() < 170
    assert picture[45, 45].max() <= 102
    assert picture[5, 5].min() == 200


def test_shading_dims_the_corner_it_names():
    canvas = empty()
    canvas.paste(flat_art(80, 80), square(5, 5, 85, 85), 1, shading=Shading(gains=(0.5, 1.0, 1.0, 1.0)))
    assert canvas.picture[8, 8].mean() < 0.6 * canvas.picture[80, 80].mean()


def test_a_sprite_without_alpha_is_refused():
    with pytest.raises(DatasetError, match="BGRA"):
        Sprite(np.zeros((4, 4, 3), np.uint8), 1.0, (0, 0), 0.0)


def test_a_sprite_is_anchored_and_turns_clockwise_as_seen():
    sprite = Sprite(flat_art(20, 40), 2.0, (10, 40), 0.0)
    assert sprite.quad_mm((100, 50)).tolist() == [[95, 30], [105, 30], [105, 50], [95, 50]]
    quarter = sprite.quad_mm((100, 50), np.pi / 2)
    assert quarter[0] == pytest.approx([120, 45])
