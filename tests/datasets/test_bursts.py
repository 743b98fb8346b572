"""Bursts: the frames of a table that nothing moves on."""

import numpy as np
import pytest

from datasets.errors import DatasetError
from datasets.stills.bursts import make_burst
from datasets.stills.presets import still_preset

PRESET = still_preset("table-1080p")


def test_frames_differ_by_noise_and_not_by_what_lies_there():
    burst = make_burst(3, 1, PRESET, "train", 3)
    assert len(burst.frames) == 3
    assert burst.frames[0].shape == (1080, 1920, 3)
    apart = np.abs(burst.frames[0].astype(int) - burst.frames[2].astype(int))
    assert 0 < apart.mean() < 6
    assert any(card.face == "up" for card in burst.label.cards)


def test_the_same_burst_comes_again():
    first, second = (make_burst(3, 1, PRESET, "train", 1) for _ in range(2))
    assert np.array_equal(first.frames[0], second.frames[0])


def test_a_burst_has_frames():
    with pytest.raises(DatasetError, match="0 frames"):
        make_burst(3, 1, PRESET, "train", 0)
