"""The watch: hands, cards and light are no bump; a bump is found and followed, or it says that it cannot."""

import time
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from datasets.cameras import CameraPreset, camera_preset
from datasets.felt.draw import FeltStyle, view_felt
from datasets.footage.faults import Fault
from datasets.footage.outages import Outage, shift_matrix
from datasets.picture.lighting import Light
from datasets.picture.sensor import apply_sensor
from datasets.picture.views import View
from datasets.stills.presets import still_preset
from datasets.stills.simulate import deck_of
from datasets.stills.still_life import StillLife, lay_all
from datasets.stills.table_scene import TableSet, table_things
from game.cards import DECK
from vision.calibration import CalibrationError
from vision.camera import Camera
from vision.camera_watch import MOVED, STILL, UNSURE, CameraState, CameraWatch, refine_on_reference
from vision.table import Table, default_table


@dataclass(frozen=True)
class Scene:
    """A table, its empty picture and what watches it."""

    preset: CameraPreset
    table: Table
    style: FeltStyle
    empty: np.ndarray
    watch: CameraWatch

    def show(self, seed=0, camera=None, gain=1.0, things=True) -> np.ndarray:
        """A moment of play: cards, chips and hands, through the camera as it hangs."""
        rng = np.random.default_rng([seed, 5])
        camera = camera or self.table.camera.to_camera()
        view = View(camera, self.preset.size_wh)
        scene = TableSet(self.table, self.preset, view, view_felt(self.table, self.style, camera))
        still = StillLife(view, Light.random(rng), scene.felt.copy(), rng)
        if things:
            busy = replace(still_preset("table-1080p"), hands=1.0)
            lay_all(still, table_things(busy, scene, deck_of("drawn-9", 0, 0), iter(DECK), rng))
        sensor = replace(self.preset.sensor, exposure=self.preset.sensor.exposure * gain, h264_crf=28)
        return apply_sensor(still.picture, sensor, rng)

    def bumped(self, shift_mm=(0.0, 0.0), turn_deg=0.0) -> Camera:
        """The camera turned so that it looks at another point of the felt, and rolled."""
        x, y = self.preset.look_at_mm
        return Camera.from_pose(
            self.preset.position_mm,
            (x + shift_mm[0], y + shift_mm[1]),
            self.watch.anchors.camera.matrix[0, 0],
            self.preset.size_wh,
            self.preset.roll_deg + turn_deg,
            self.preset.distortion,
        )


def make_scene(name: str, seed: int, zoom: float = 1.0) -> Scene:
    preset, rng = camera_preset(name), np.random.default_rng(seed)
    focal_px = zoom * preset.camera().matrix[0, 0]
    camera = Camera.from_pose(
        preset.position_mm, preset.look_at_mm, focal_px, preset.size_wh, preset.roll_deg, preset.distortion
    )
    table = default_table("four-card-poker", 6, "south-dakota", camera)
    style = FeltStyle.random(rng)
    empty = apply_sensor(view_felt(table, style, camera), replace(preset.sensor, h264_crf=26), rng)
    return Scene(preset, table, style, empty, CameraWatch.from_picture(empty, table))


@pytest.fixture(scope="module", params=[("overhead", 4), ("tilt-30", 1), ("low-light", 6)], ids=lambda p: p[0])
def scene(request) -> Scene:
    return make_scene(*request.param)


@pytest.fixture(scope="module")
def overhead() -> Scene:
    return make_scene("overhead", 1)


def error_mm(state: CameraState, true: Camera, scene: Scene) -> float:
    assert state.camera is not None
    corners = scene.watch.corners_mm
    return float(np.linalg.norm(state.camera.px_to_mm(true.mm_to_px(corners)) - corners, axis=1).max())


def test_the_reference_itself_is_still(scene):
    state = scene.watch.look(scene.empty)
    assert (state.kind, state.camera, state.is_light_changed) == (STILL, scene.watch.anchors.camera, False)
    assert state.moved_mm == pytest.approx(0, abs=0.05)
    assert state.light_gain == pytest.approx(1, abs=0.01)


def test_hands_cards_and_chips_are_no_bump(scene):
    state = scene.watch.look(scene.show(1))
    assert (state.kind, state.is_light_changed) == (STILL, False)
    assert state.moved_mm < 0.3


@pytest.mark.parametrize("gain", [0.5, 1.5])
def test_a_change_of_light_is_told_and_is_no_bump(overhead, gain):
    state = overhead.watch.look(overhead.show(3, gain=gain))
    assert (state.kind, state.is_light_changed) == (STILL, True)
    assert (state.light_gain < 1) == (gain < 1)


def test_one_lamp_that_goes_out_is_told(overhead):
    picture = overhead.empty.copy()
    picture[:, :640] = (picture[:, :640] * 0.6).astype(np.uint8)
    state = overhead.watch.look(picture)
    assert (state.kind, state.is_light_changed) == (STILL, True)
    assert state.light_gain == pytest.approx(1, abs=0.02)


BUMPS = [
    pytest.param((4, 0), 0.0, id="a few millimetres"),
    pytest.param((-70, 30), 2.0, id="a hand's breadth, turned"),
]


@pytest.mark.parametrize(("shift_mm", "turn_deg"), BUMPS)
def test_a_bump_is_found_and_followed(scene, shift_mm, turn_deg):
    true = scene.bumped(shift_mm, turn_deg)
    state = scene.watch.look(scene.show(4, true))
    corners = scene.watch.corners_mm
    truth_mm = np.linalg.norm(scene.watch.anchors.camera.px_to_mm(true.mm_to_px(corners)) - corners, axis=1).max()
    assert state.kind == MOVED
    assert state.moved_mm == pytest.approx(truth_mm, abs=1.0)
    assert error_mm(state, true, scene) < 1.0


def test_the_shift_of_simulated_footage_is_followed(overhead):
    fault = Outage(Fault.CAMERA_SHIFT, 0.0, 9.0, (18.0, -12.0, 0.4))
    matrix = shift_matrix([fault], 1.0, overhead.preset.size_wh)
    moved = cv2.warpAffine(overhead.show(6), matrix, overhead.preset.size_wh, borderMode=cv2.BORDER_REFLECT)
    state = overhead.watch.look(np.asarray(moved, np.uint8))
    assert state.kind == MOVED
    corners = overhead.watch.corners_mm
    seen = overhead.watch.anchors.camera.mm_to_px(corners) @ matrix[:, :2].T + matrix[:, 2]
    assert np.linalg.norm(state.camera.px_to_mm(seen) - corners, axis=1).max() < 1.0


def test_a_felt_with_little_print_is_watched_by_its_wagers_too():
    sparse = make_scene("overhead", 31)
    assert not sparse.style.has_pay_tables
    assert sparse.watch.look(sparse.show(1)).kind == STILL
    true = sparse.bumped((30, -20), 0.8)
    assert error_mm(sparse.watch.look(sparse.show(2, true)), true, sparse) < 1.0


def test_what_cannot_be_followed_is_said(overhead):
    black = overhead.watch.look(np.zeros_like(overhead.empty))
    away = overhead.watch.look(overhead.show(7, overhead.bumped((420, 0)), things=False))
    for state in (black, away):
        assert (state.kind, state.camera, state.moved_mm) == (UNSURE, None, None)
    assert "calibrate again" in black.says
    assert black.is_light_changed


def test_a_zone_that_a_bump_pushed_out_of_the_picture_is_named():
    near = make_scene("overhead", 1, zoom=1.1)
    state = near.watch.look(near.show(8, near.bumped((170, 0)), things=False))
    assert (state.kind, state.camera) == (UNSURE, None)
    assert "the camera moved 18" in state.says
    assert "zone seat-1: " in state.says
    assert "leaves the picture" in state.says


def test_the_answer_depends_on_the_frame_alone(overhead):
    frame = overhead.show(9, overhead.bumped((6, 3)))
    first = overhead.watch.look(frame)
    overhead.watch.look(overhead.empty)
    again = overhead.watch.look(frame)
    assert first.moved_mm == again.moved_mm
    assert np.array_equal(first.camera.homography_mm_to_px, again.camera.homography_mm_to_px)


def test_a_look_is_cheap_while_nothing_happens(overhead):
    frame, spent = overhead.show(1), []
    for _ in range(12):
        start = time.thread_time()
        overhead.watch.look(frame)
        spent.append(time.thread_time() - start)
    assert min(spent) < 0.005


def test_a_felt_without_print_is_refused(overhead):
    with pytest.raises(CalibrationError, match="0 marks outside the work areas"):
        CameraWatch.from_picture(np.full_like(overhead.empty, 80), overhead.table)
    with pytest.raises(CalibrationError, match="640×360"):
        overhead.watch.look(np.zeros((360, 640, 3), np.uint8))


def test_a_reference_picture_gives_the_camera_of_another(overhead):
    true = overhead.bumped((60, -40), -3.0)
    camera, moved_mm = refine_on_reference(overhead.show(2, true), overhead.empty, overhead.table)
    corners = overhead.watch.corners_mm
    assert np.linalg.norm(camera.px_to_mm(true.mm_to_px(corners)) - corners, axis=1).max() < 0.5
    assert moved_mm > 50
    with pytest.raises(CalibrationError, match="does not match the reference"):
        refine_on_reference(np.full_like(overhead.empty, 60), overhead.empty, overhead.table)
