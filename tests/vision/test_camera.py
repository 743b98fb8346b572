"""Geometry: every conversion has its inverse, and both agree with OpenCV's."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.camera import Camera, plane_homography
from vision.errors import VisionError

LENSES = [
    pytest.param((0, 0, 0, 0, 0), id="no lens"),
    pytest.param((-0.08, 0.01, 0, 0, 0), id="as in a table file"),
    pytest.param((-0.2, 0.035, 0.001, -0.0008, 0), id="wide and skew"),
    pytest.param((0.1, -0.02, 0, 0, 0.003), id="pincushion"),
]
FELT = np.array([[1075, 0], [-1075, 0], [-1075, 1120], [1075, 1120]], float)


def make_camera(lens=(0, 0, 0, 0, 0), position=(200, 600, 1800), roll=4.0, focal=1300, size=(1920, 1080)):
    return Camera.from_pose(position, (0, 560), focal, size, roll, lens)


def some_points(count=300, seed=0):
    return np.random.default_rng(seed).uniform([-1000, 0], [1000, 1100], (count, 2))


def test_no_points_are_no_points():
    camera = make_camera((-0.1, 0, 0, 0, 0))
    assert camera.mm_to_px([]).shape == camera.px_to_mm([]).shape == (0, 2)


@pytest.mark.parametrize("lens", LENSES)
@pytest.mark.parametrize("z_mm", [0.0, 40.0])
def test_back_and_forth(lens, z_mm):
    camera, points = make_camera(lens), some_points()
    seen = camera.mm_to_px(points, z_mm)
    assert np.isfinite(seen).all()
    np.testing.assert_allclose(camera.mm_to_px(camera.px_to_mm(seen, z_mm), z_mm), seen, atol=1e-6)
    np.testing.assert_allclose(camera.px_to_mm(seen, z_mm), points, atol=1e-6)


@settings(deadline=None, max_examples=60)
@given(
    st.tuples(st.floats(-900, 900), st.floats(-600, 1800), st.floats(1200, 3500)),
    st.floats(-180, 180),
    st.floats(-0.12, 0.12),
    st.floats(-0.02, 0.02),
)
def test_back_and_forth_from_anywhere(position, roll, k1, k2):
    camera = make_camera((k1, k2, 0.0005, -0.0005, 0), position, roll, focal=position[2] * 0.8)
    points = some_points(40)
    seen = camera.mm_to_px(points)
    inside = camera.contains_px(seen)
    back = camera.px_to_mm(seen[inside])
    np.testing.assert_allclose(camera.mm_to_px(back), seen[inside], atol=0.05)


@pytest.mark.parametrize("lens", LENSES)
def test_agrees_with_opencv(lens):
    camera, points = make_camera(lens), some_points()
    bare = np.linalg.inv(camera.matrix) @ camera.homography_mm_to_px
    rotation = np.column_stack([bare[:, 0], bare[:, 1], np.cross(bare[:, 0], bare[:, 1])])
    turned = cv2.Rodrigues(rotation)[0]
    lifted = np.column_stack([points, np.full(len(points), 25.0)])
    expected, _ = cv2.projectPoints(lifted, turned, bare[:, 2], camera.matrix, camera.distortion)
    np.testing.assert_allclose(camera.mm_to_px(points, 25.0), expected[:, 0], atol=1e-6)


def test_dealer_on_top_and_nothing_mirrored():
    camera = Camera.from_pose((0, 560, 2600), (0, 560), 2200, (1920, 1080))
    dealer, player, right = camera.mm_to_px([[0, 0], [0, 1100], [800, 560]])
    assert dealer[1] < player[1]
    assert right[0] < 960, "the dealer faces down, so the dealer's right is on the left"


def test_a_roll_of_180_puts_the_dealer_at_the_bottom():
    upright, turned = (Camera.from_pose((0, 560, 2600), (0, 560), 2200, (1920, 1080), r) for r in (0, 180))
    points = some_points(20)
    np.testing.assert_allclose(turned.mm_to_px(points), [1919, 1079] - upright.mm_to_px(points), atol=1e-6)


def test_a_raised_point_moves_away_from_below_the_camera():
    camera = Camera.from_pose((0, 560, 2600), (0, 560), 2200, (1920, 1080))
    flat, raised = camera.mm_to_px([[500, 560], [500, 560]], [0.0, 60.0])
    assert abs(raised[0] - 959.5) == pytest.approx(abs(flat[0] - 959.5) * 2600 / 2540)


@pytest.mark.parametrize("lens", LENSES)
def test_corners_give_the_camera_back(lens):
    camera, points = make_camera(lens), some_points()
    again = Camera.from_corners(FELT, camera.mm_to_px(FELT), camera.size_wh, lens, 1300)
    np.testing.assert_allclose(again.mm_to_px(points, 30.0), camera.mm_to_px(points, 30.0), atol=1e-5)
    np.testing.assert_allclose(again.position_mm(), (200, 600, 1800), atol=1e-3)


def test_more_points_than_four_average_their_errors():
    camera, rng = make_camera(), np.random.default_rng(3)
    points = some_points(60)
    noisy = camera.mm_to_px(points) + rng.normal(0, 0.5, points.shape)
    again = Camera.from_corners(points, noisy, camera.size_wh, focal_px=1300)
    assert np.abs(again.mm_to_px(FELT) - camera.mm_to_px(FELT)).max() < 1.0


BROKEN = [
    pytest.param(FELT[:3], FELT[:3], "four or more pairs", id="three points"),
    pytest.param(FELT, FELT[[0, 1, 3, 2]] + 50, "from below or crossed", id="crossed"),
    pytest.param(
        FELT, np.array([[0, 0], [900, 0], [900, 500], [0, 500]]) * [-1, 1] + [950, 0], "from below", id="mirrored"
    ),
    pytest.param(FELT, [[0, 0], [10, 10], [20, 20], [30, 30]], "on a line", id="on a line"),
]


@pytest.mark.parametrize(("on_felt", "seen", "message"), BROKEN)
def test_reference_points_that_show_no_table(on_felt, seen, message):
    with pytest.raises(VisionError, match=message):
        Camera.from_corners(on_felt, seen, (1920, 1080))


def test_what_lies_behind_the_camera_is_not_seen():
    camera = Camera.from_pose((0, -500, 300), (0, 300), 900, (1920, 1080), 180)
    assert np.isnan(camera.mm_to_px([[0, -5000]])).all()


def test_what_lies_beyond_the_fold_of_the_lens_is_not_seen():
    camera = make_camera((-0.2, 0, 0, 0, 0))
    assert np.isnan(camera.mm_to_px([[9000, 600]])).all()


def test_a_camera_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        make_camera().matrix[0, 0] = 1


@pytest.mark.parametrize("zone", [
    pytest.param([[-90, 310], [260, 310], [260, 430], [-90, 430]], id="straight"),
    pytest.param([[547, 304], [387, 511], [481, 583], [640, 376]], id="turned"),
])  # fmt: skip
def test_a_rectified_zone_shows_the_felt_to_scale(zone):
    camera = make_camera((-0.1, 0.01, 0, 0, 0), focal=1200)
    view = camera.rectify_map(zone, 2.0)
    corners = cv2.perspectiveTransform(np.array([zone], float), view.homography_mm_to_px)[0]
    longest = max(np.linalg.norm(np.subtract(zone[i], zone[i - 1])) for i in range(4))
    assert view.size_wh[0] == pytest.approx(longest * 2, abs=1.5)
    assert corners.min() >= -0.51
    inner = np.clip(corners.round().astype(int), 0, np.array(view.size_wh) - 1)
    exact = camera.mm_to_px(
        cv2.perspectiveTransform(inner[None].astype(float), np.linalg.inv(view.homography_mm_to_px))[0]
    )
    np.testing.assert_allclose(view.map_xy[inner[:, 1], inner[:, 0]], exact, atol=0.01)
    assert np.linalg.det(view.homography_mm_to_px) < 0, "not mirrored"
    assert np.linalg.norm(np.linalg.inv(view.homography_mm_to_px)[:2, 2]) < np.linalg.norm(np.mean(zone, axis=0)) + 400


def test_a_picture_of_the_plane_arrives_where_the_camera_sees_it():
    camera = make_camera((-0.1, 0.01, 0, 0, 0), roll=30)
    plane = plane_homography(1200, -100, 1.0)
    shown = camera.plane_map(plane)
    pixels = np.array([[0, 0], [1919, 0], [700, 500], [1203, 911]])
    expected = cv2.perspectiveTransform(camera.px_to_mm(pixels)[None], plane)[0]
    np.testing.assert_allclose(shown[pixels[:, 1], pixels[:, 0]], expected, atol=0.03)


def test_scale():
    camera = Camera.from_pose((0, 560, 2500), (0, 560), 2000, (1920, 1080))
    np.testing.assert_allclose(camera.px_per_mm([[0, 560], [300, 200]]), 0.8, rtol=1e-6)
