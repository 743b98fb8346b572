"""Camera presets: all there, all see the whole table, and a wrong one is refused by its name."""

import numpy as np
import pytest

from datasets.cameras import CameraPreset, camera_preset, camera_presets, parse_camera_presets
from datasets.errors import DatasetError
from vision.layout import felt_outline_mm
from vision.table import default_table, parse_table

GOOD = """
[one]
says = "one"
position_mm = [0, 560, 2700]
look_at_mm = [0, 560]
size_wh = [1920, 1080]
bit_rate = 4_000_000
[one.sensor]
exposure = 1
glare = [{ at = [0.5, 0.5], radius = 0.1, strength = 1 }]
"""


def test_the_presets_that_figures_are_given_for():
    wanted = {"overhead", "tilt-30", "low-light", "glare", "720p", "low-bitrate", "4k", "wide-lens", "side-mount"}
    assert wanted <= set(camera_presets())
    assert len(camera_presets()) >= 10
    assert all(preset.says for preset in camera_presets().values())


@pytest.mark.parametrize("name", camera_presets())
def test_a_preset_sees_the_whole_table(name):
    preset = camera_preset(name)
    camera = preset.camera()
    seen = camera.mm_to_px(felt_outline_mm())
    assert camera.contains_px(seen).all()
    room = np.concatenate([seen - 0, np.array(preset.size_wh) - 1 - seen], axis=1) / np.tile(preset.size_wh, 2)
    assert room.min() == pytest.approx(preset.margin, abs=0.002), "zoomed until the felt fills the picture"
    for seats in (1, 7):
        table = default_table("four-card-poker", seats, "south-dakota", camera)
        again = parse_table(table.to_toml()).camera.to_camera()
        points = np.concatenate([zone.work for zone in table.zones.values()])
        np.testing.assert_allclose(again.mm_to_px(points, 40.0), camera.mm_to_px(points, 40.0), atol=0.01)


def test_tilt():
    position, aim = np.array(camera_preset("tilt-30").position_mm), camera_preset("tilt-30").look_at_mm
    assert np.degrees(np.arctan2(position[1] - aim[1], position[2])) == pytest.approx(30, abs=1)


def test_a_smaller_felt_is_zoomed_in_on():
    preset = camera_preset("overhead")
    table = default_table("four-card-poker", 3, "x", preset.camera(), felt_mm=(2000.0, 1060.0))
    assert preset.camera(table).matrix[0, 0] > preset.camera().matrix[0, 0]


def test_a_good_file_is_read():
    preset = parse_camera_presets(GOOD)["one"]
    assert isinstance(preset, CameraPreset)
    assert preset.sensor.glare[0].at == (0.5, 0.5)
    assert preset.sensor.exposure == 1.0


BROKEN = [
    pytest.param("bit_rate = 4_000_000", "", "camera one: .*bit_rate", id="missing"),
    pytest.param("bit_rate = 4_000_000", "bit_rate = 4", "camera one: bit_rate = 4 is out of range", id="too few bits"),
    pytest.param("[1920, 1080]", "[1921, 1080]", "camera one: size_wh", id="odd width"),
    pytest.param("[1920, 1080]", "[1920]", "camera one: size_wh = .* is wrong", id="no height"),
    pytest.param("[0, 560, 2700]", "[0, 560, 20]", "camera one: position_mm", id="in the felt"),
    pytest.param('says = "one"', "says = 1", "camera one: says = 1 is wrong", id="number for a text"),
    pytest.param('says = "one"', 'says = "one"\nzoom = 2', "'zoom' is not a known key", id="unknown key"),
    pytest.param("exposure = 1", "exposition = 1", "camera one.sensor: 'exposition'", id="unknown sensor key"),
    pytest.param("exposure = 1", "exposure = true", "camera one.sensor: exposure = True", id="true is no number"),
    pytest.param("strength = 1", "power = 1", "camera one.glare: 'power'", id="unknown key of a spot"),
]


@pytest.mark.parametrize(("old", "new", "message"), BROKEN)
def test_refused(old, new, message):
    with pytest.raises(DatasetError, match=message):
        parse_camera_presets(GOOD.replace(old, new))


def test_an_unknown_preset_is_refused_with_the_choice():
    with pytest.raises(DatasetError, match="'fisheye' is no camera preset; choose one of overhead"):
        camera_preset("fisheye")
