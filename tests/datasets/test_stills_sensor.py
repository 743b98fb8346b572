"""The sensor changes how a picture looks, never where things are; the same generator gives the same bytes."""

import numpy as np
import pytest

from datasets.errors import DatasetError
from datasets.picture.sensor import (
    NEUTRAL,
    NoiseTiles,
    SensorSettings,
    Spot,
    apply_sensor,
    disc_kernel,
    h264_round_trip,
    motion_kernel,
)

DOTS = ((40, 30), (121, 57), (80, 96))

SETTINGS = [
    pytest.param(SensorSettings(exposure=0.5, gamma=1.1, gains_bgr=(0.8, 1, 1.1)), id="tone"),
    pytest.param(SensorSettings(falloff=0.5, vignette=0.4, shade=(Spot((0.5, 0.5), 0.3, 0.3),)), id="light"),
    pytest.param(SensorSettings(defocus_px=2.4), id="defocus"),
    pytest.param(SensorSettings(motion_px=9, motion_angle_rad=0.7), id="motion"),
    pytest.param(SensorSettings(capture_scale=0.5), id="taken smaller"),
    pytest.param(SensorSettings(read_noise=3, shot_noise=6, grain_px=1, chroma_noise=3), id="noise"),
    pytest.param(SensorSettings(sharpen=1.2, sharpen_px=1.5), id="sharpened"),
    pytest.param(SensorSettings(jpeg_quality=40), id="jpeg"),
    pytest.param(SensorSettings(h264_crf=30), id="h264"),
    pytest.param(SensorSettings(saturation=0.6, contrast=1.1, haze=0.1), id="faded"),
]


def dotted():
    picture = np.full((121, 161, 3), 50, np.uint8)
    for x, y in DOTS:
        picture[y - 3 : y + 4, x - 3 : x + 4] = 230
    return picture


def centres(picture):
    """Where the bright dots are, by their centre of mass."""
    grey = picture.astype(float).mean(axis=2)
    for x, y in DOTS:
        window = grey[y - 12 : y + 13, x - 12 : x + 13]
        weight = np.clip(window - np.median(window) - 20, 0, None)
        ys, xs = np.mgrid[-12:13, -12:13]
        yield float((xs * weight).sum() / weight.sum()), float((ys * weight).sum() / weight.sum())


def test_neutral_settings_change_nothing():
    assert np.array_equal(apply_sensor(dotted(), NEUTRAL, np.random.default_rng(0)), dotted())


@pytest.mark.parametrize("settings", SETTINGS)
def test_nothing_moves(settings):
    seen = apply_sensor(dotted(), settings, np.random.default_rng(1))
    assert seen.shape == dotted().shape
    assert not np.array_equal(seen, dotted())
    for dx, dy in centres(seen):
        assert abs(dx) < 0.35
        assert abs(dy) < 0.35


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_same_generator_gives_the_same_bytes(settings):
    first, second = (apply_sensor(dotted(), settings, np.random.default_rng(5)) for _ in range(2))
    assert np.array_equal(first, second)


def test_kernels_keep_the_light_and_are_centred():
    for kernel in (disc_kernel(2.3), motion_kernel(11.0, 0.4)):
        assert kernel.sum() == pytest.approx(1, abs=1e-5)
        assert np.allclose(kernel, kernel[::-1, ::-1], atol=0.02)


def test_glare_brightens_a_white_card_more_than_dark_cloth():
    picture = np.full((100, 100, 3), 20, np.uint8)
    picture[:, 50:] = 120
    lit = apply_sensor(picture, SensorSettings(glare=(Spot((0.5, 0.5), 0.3, 0.6),)), np.random.default_rng(0))
    gained = lit.astype(int) - picture
    assert gained[50, 60].mean() > gained[50, 40].mean() > 0
    assert gained[2, 2].max() == 0


def test_noise_is_as_strong_as_stated():
    grey = np.full((300, 300, 3), 128, np.uint8)
    noisy = apply_sensor(grey, SensorSettings(read_noise=4.0, grain_px=0.5), np.random.default_rng(0))
    assert float(noisy.std()) == pytest.approx(4.0, rel=0.1)


def test_video_noise_tiles_are_fair_and_repeatable():
    frame = np.full((120, 200, 3), 100, np.uint8)
    tiles = NoiseTiles((200, 120), 3.0, seed=4)
    first = tiles.add_to(frame, 7)
    assert np.array_equal(first, NoiseTiles((200, 120), 3.0, seed=4).add_to(frame, 7))
    assert not np.array_equal(first, tiles.add_to(frame, 8))
    assert float(first.mean()) == pytest.approx(100, abs=0.3)
    assert float(first.std()) == pytest.approx(3.0, rel=0.1)
    assert NoiseTiles((200, 120), 0.0, seed=4).add_to(frame, 7) is frame


def test_odd_sizes_go_through_h264():
    assert h264_round_trip(dotted(), 28).shape == dotted().shape


def test_a_grey_picture_is_refused():
    with pytest.raises(DatasetError, match="BGR uint8"):
        apply_sensor(np.zeros((4, 4), np.uint8), NEUTRAL, np.random.default_rng(0))
