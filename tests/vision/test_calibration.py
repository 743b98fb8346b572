"""Calibration: the simulator's camera comes back in millimetres, and points that show no table are refused."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.cameras import camera_preset
from datasets.felt.draw import FeltStyle, view_felt
from datasets.picture.sensor import apply_sensor
from vision.calibration import CalibrationError, calibrate, calibrate_most
from vision.calibration_layout import refine_on_layout
from vision.camera import Camera
from vision.layout import FELT_MM
from vision.table import Table, default_table, felt_corners_mm

FELT = np.array(felt_corners_mm(FELT_MM))
PRESETS = ("overhead", "tilt-30", "behind-dealer", "side-mount", "wide-lens")


def table_of(preset: str, game="four-card-poker", seats=6) -> Table:
    return default_table(game, seats, "south-dakota", camera_preset(preset).camera())


def spots_of(table: Table) -> np.ndarray:
    return np.array([spot for zone in table.zones.values() for spot in zone.spots.values()])


def error_mm(camera: Camera, true: Camera, table: Table) -> float:
    """How far the corners of the zones are from where the true camera shows them."""
    corners = np.concatenate([zone.work for zone in table.zones.values()])
    return float(np.linalg.norm(camera.px_to_mm(true.mm_to_px(corners)) - corners, axis=1).max())


def show(preset: str, table: Table, seed: int) -> np.ndarray:
    """The empty table through this camera, lens, noise and encoder."""
    rng = np.random.default_rng(seed)
    sensor = replace(camera_preset(preset).sensor, h264_crf=27)
    return apply_sensor(view_felt(table, FeltStyle.random(rng), table.camera.to_camera()), sensor, rng)


def off_by(true: Camera, far_px: float, seed: int, lens: float = 0.9) -> Camera:
    """A camera as a hasty hand would give it: corners aimed badly, the lens about known."""
    rough = true.mm_to_px(FELT) + np.random.default_rng(seed).uniform(-far_px, far_px, (4, 2))
    return Camera.from_corners(FELT, rough, true.size_wh, true.distortion * lens, true.matrix[0, 0])


@pytest.mark.parametrize("preset", PRESETS)
def test_four_points_and_the_lens_give_the_camera(preset):
    table = table_of(preset)
    true = table.camera.to_camera()
    found = calibrate(FELT, true.mm_to_px(FELT), true.size_wh, true.distortion, true.matrix[0, 0])
    assert error_mm(found.camera, true, table) < 0.01
    assert found.worst_mm < 0.01
    assert not found.is_lens_estimated


@pytest.mark.parametrize("preset", PRESETS)
def test_many_points_give_the_lens_too(preset):
    table = table_of(preset)
    true, places = table.camera.to_camera(), np.vstack([FELT, spots_of(table)])
    seen = true.mm_to_px(places) + np.random.default_rng(1).normal(0, 0.5, places.shape)
    found = calibrate(places, seen, true.size_wh)
    error = error_mm(found.camera, true, table)
    assert found.is_lens_estimated
    assert error < 1.0
    expected = found.error_at_mm(np.concatenate([zone.work for zone in table.zones.values()])).max()
    assert error / 1.5 < expected < 3, "two standard deviations, over many corners"
    assert 0.3 < found.rms_mm < 1.5


def test_four_points_say_that_they_do_not_know_the_lens():
    true = camera_preset("wide-lens").camera()
    found = calibrate(FELT, true.mm_to_px(FELT), true.size_wh)
    assert found.rms_mm < 0.01, "four points always fit"
    assert found.error_at_mm([[-600, 400], [600, 400]]).min() > 20


def test_a_tilted_view_shows_its_focal_length():
    true = camera_preset("tilt-30").camera()
    straight = Camera(true.size_wh, true.homography_mm_to_px.copy(), true.matrix.copy(), np.zeros(5))
    found = calibrate(FELT, straight.mm_to_px(FELT), true.size_wh).camera
    assert found.matrix[0, 0] == pytest.approx(true.matrix[0, 0], rel=0.04)
    assert found.position_mm()[2] == pytest.approx(2500, rel=0.05)


SEEN = camera_preset("overhead").camera().mm_to_px(FELT)
SIX = np.vstack([FELT, [[0, 560], [300, 800]]])
SIX_SEEN = camera_preset("overhead").camera().mm_to_px(SIX)
BROKEN = [
    pytest.param([], [], "four or more pairs", id="none"),
    pytest.param(FELT[:3], SEEN[:3], "too few; give four or more pairs", id="three"),
    pytest.param(FELT, SEEN[:3], "4 points on the felt and 3 in the picture", id="not in pairs"),
    pytest.param(FELT, SEEN * np.nan, "not a number", id="not a number"),
    pytest.param(FELT[[0, 1, 2, 2]], SEEN, "points 3 and 4 are the same place", id="twice"),
    pytest.param([[0, 0], [300, 0], [600, 0], [0, 500]], SEEN, "on a line", id="three of four on a line"),
    pytest.param(FELT, np.linspace([10, 10], [900, 700], 4), "on a line", id="all seen on a line"),
    pytest.param(FELT, SEEN[[1, 0, 2, 3]], "crossed", id="two exchanged"),
    pytest.param(FELT, SEEN[[2, 1, 0, 3]], "crossed|mirrored", id="opposite ones exchanged"),
    pytest.param(FELT, (1919, 0) - SEEN * (1, -1), "mirrored", id="mirrored"),
    pytest.param(FELT, SEEN[[1, 2, 3, 0]], "turned by a corner", id="turned by a corner"),
    pytest.param(SIX, SIX_SEEN + np.eye(6, 1, -4) * (90, 0), "the point 0,560 mm = .* correct it", id="one mistaken"),
    pytest.param(SIX, SIX_SEEN[[0, 1, 2, 3, 5, 4]], "crossed|contradict|the point", id="inner ones exchanged"),
]


@pytest.mark.parametrize(("on_felt", "seen", "message"), BROKEN)
def test_points_that_show_no_table(on_felt, seen, message):
    with pytest.raises(CalibrationError, match=message) as caught:
        calibrate(on_felt, seen, (1920, 1080))
    assert "\n" not in str(caught.value)


def test_pairs_that_fit_nothing_are_left_out():
    table = table_of("side-mount")
    true, places = table.camera.to_camera(), spots_of(table)
    seen = true.mm_to_px(places)
    seen[::5] += (9, -6)
    found = calibrate_most(off_by(true, 8, 2), places, seen, 2.0)
    assert found.left_out == len(seen[::5])
    assert error_mm(found.camera, true, table) < 0.1
    with pytest.raises(CalibrationError, match="agree on where the camera is"):
        calibrate_most(true, places, np.random.default_rng(0).uniform(0, 1000, places.shape), 2.0)


TABLES = [
    pytest.param("overhead", "four-card-poker", 6, 3, id="circles and squares"),
    pytest.param("tilt-30", "four-card-prime", 7, 1, id="tilted, prime"),
    pytest.param("side-mount", "four-card-poker", 5, 4, id="from the side, patterned cloth"),
    pytest.param("low-light", "four-card-poker", 6, 6, id="dim"),
    pytest.param("wide-lens", "four-card-poker", 4, 5, id="wide lens"),
]


@pytest.mark.parametrize(("preset", "game", "seats", "seed"), TABLES)
def test_the_printed_layout_corrects_the_camera(preset, game, seats, seed):
    table = table_of(preset, game, seats)
    true = table.camera.to_camera()
    start = off_by(true, 9, seed)
    found = refine_on_layout(show(preset, table, seed), table, start)
    assert error_mm(start, true, table) > 4
    assert error_mm(found.camera, true, table) < 0.6
    assert found.rms_mm < 0.2


def test_a_layout_that_cannot_be_seen_is_refused():
    table = table_of("overhead")
    picture = np.full((1080, 1920, 3), 90, np.uint8)
    with pytest.raises(CalibrationError, match=r"0 of 30 printed spots are to be seen.*clear the table"):
        refine_on_layout(picture, table)
    noise = np.random.default_rng(0).integers(0, 255, picture.shape, np.uint8)
    with pytest.raises(CalibrationError, match="clear the table"):
        refine_on_layout(noise, table)
    with pytest.raises(CalibrationError, match="1280×720 pixels"):
        refine_on_layout(cv2.resize(picture, (1280, 720)), table)


def test_two_seats_leave_the_dealer_unsure():
    table = table_of("overhead", seats=2)
    with pytest.raises(CalibrationError, match=r"zone \S+: the \d+ printed spots found leave it unsure"):
        refine_on_layout(show("overhead", table, 3), table)
