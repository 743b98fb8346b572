"""What a camera can read: every camera of the simulator is judged as what it stands for."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from datasets.cameras import camera_preset, camera_presets
from datasets.felt.draw import FeltStyle, view_felt
from datasets.picture.sensor import apply_sensor
from vision.calibration import CalibrationError
from vision.camera import Camera
from vision.camera_check import NEEDED_PX, CameraCheck, check_camera
from vision.table import Table, default_table

STYLE_SEED = 7


def show(name: str, camera: Camera | None = None) -> tuple[np.ndarray, Table]:
    preset, rng = camera_preset(name), np.random.default_rng(STYLE_SEED)
    camera = camera or preset.camera()
    table = default_table("four-card-poker", 6, "south-dakota", camera)
    seen = view_felt(table, FeltStyle.random(rng), camera)
    return apply_sensor(seen, replace(preset.sensor, h264_crf=27), rng), table


@cache
def checked(name: str) -> CameraCheck:
    return check_camera(*show(name))


def zones_with(check: CameraCheck, words: str) -> set[str]:
    return {zone.name for zone in check.zones if words in zone.verdict}


READ = {"dealer", *(f"seat-{number}" for number in range(1, 7))}
GOOD = ("overhead", "tilt-30", "4k", "wide-lens", "cold-light", "low-bitrate", "warm-light")
FAULTY = [
    pytest.param("low-light", "too dark", 7, id="low-light"),
    pytest.param("soft-focus", "out of focus", 6, id="soft-focus"),
    pytest.param("720p", "too small", 7, id="720p"),
    pytest.param("side-mount", "too small", 7, id="side-mount"),
]


def test_every_camera_is_known_here():
    judged = {*GOOD, "glare", "behind-dealer", *(row.values[0] for row in FAULTY)}
    assert judged == set(camera_presets())


@pytest.mark.parametrize("name", GOOD)
def test_good_cameras_read_well(name):
    check = checked(name)
    assert check.is_good, [(zone.name, zone.verdict) for zone in check.zones]
    assert zones_with(check, "reads well") == READ
    assert zones_with(check, "no cards are read here") == {"discard", "tray", "shuffler"}
    assert min(zone.card_px for zone in check.zones) >= NEEDED_PX


@pytest.mark.parametrize(("name", "words", "fewest"), FAULTY)
def test_a_fault_is_named_with_what_to_change(name, words, fewest):
    found = zones_with(checked(name), words)
    assert found <= READ
    assert len(found) >= fewest
    assert not checked(name).is_good


def test_glare_is_named_where_it_lies():
    assert zones_with(checked("glare"), "glare on seat") == {"seat-2", "seat-3", "seat-5"}
    assert "glare on seat 5: " in next(zone.verdict for zone in checked("glare").zones if zone.name == "seat-5")


def test_a_camera_behind_the_dealer_is_a_little_small_at_the_players():
    small = zones_with(checked("behind-dealer"), "too small")
    assert {"seat-3", "seat-4"} <= small
    assert "dealer" not in small


def test_figures_are_those_of_the_camera():
    check = checked("overhead")
    camera = camera_preset("overhead").camera()
    dealer = check.zones[0]
    assert dealer.px_per_mm == pytest.approx(float(camera.px_per_mm([[0, 275]])[0]), rel=0.02)
    assert dealer.card_px == pytest.approx(88 * dealer.px_per_mm)
    assert checked("4k").zones[0].px_per_mm == pytest.approx(2 * dealer.px_per_mm, rel=0.02)


def test_a_table_that_fills_the_picture_needs_more_pixels():
    verdict = checked("720p").zones[0].verdict
    assert "cards are 51 px high, 64 are needed; the table fills the picture" in verdict
    assert "camera with 1632×912 pixels" in verdict


def test_a_camera_far_away_is_to_come_closer():
    far = Camera.from_pose((0, 560, 4200), (0, 560), camera_preset("overhead").camera().matrix[0, 0], (1920, 1080))
    verdict = check_camera(*show("overhead", far)).zones[0].verdict
    assert "too small: cards are 49 px high, 64 are needed; move the camera 100 cm closer or use a longer" in verdict


def test_white_and_black_pictures_are_judged():
    picture, table = show("overhead")
    white = check_camera(np.full_like(picture, 255), table)
    assert zones_with(white, "blown out") == READ
    assert zones_with(check_camera(np.zeros_like(picture), table), "too dark") == READ
    with pytest.raises(CalibrationError, match="1280×720 pixels"):
        check_camera(cv2.resize(picture, (1280, 720)), table)
