"""Marks: one for each thing, whatever the network says of its neighbours."""

import numpy as np
import pytest

from tests.vision.test_assemble import marks_of, patch
from vision.errors import VisionError
from vision.locate import IndexMarks, marks_from_network, merge_marks


def candidates(quads, confidence, backs=None):
    points = np.array(quads, np.float32).reshape(-1, 4, 2)
    return IndexMarks(points, np.array(confidence, np.float32), np.array(backs or [False] * len(points), bool))


def test_nothing_found_is_no_mark():
    assert len(merge_marks(IndexMarks.empty())) == 0
    assert len(marks_from_network(np.full((50, 2), -9, np.float32), np.zeros((50, 8), np.float32))) == 0


def test_candidates_of_one_index_become_one_mark():
    quads = [patch((300, 300), 0.2, wobble=0.8, seed=seed) for seed in range(9)]
    merged = merge_marks(candidates(quads, np.linspace(0.9, 0.5, 9)))
    assert len(merged) == 1
    assert merged.confidence[0] == pytest.approx(0.9)
    assert np.abs(merged.keypoints[0] - patch((300, 300), 0.2)).max() < 1.0  # the mean is closer than any of them


def test_neighbours_in_a_tight_fan_stay_apart():
    quads = [patch((300 + 9 * place, 300), 0.05 * place) for place in range(8)]  # 7.5 mm from index to index
    assert len(merge_marks(candidates(quads, [0.8] * 8))) == 8


def test_one_index_seen_at_two_sizes_is_one_mark():
    quad = patch((300, 300), 0.3)
    larger = quad[0] + (quad - quad[0]) * 1.35
    assert len(merge_marks(candidates([quad, larger], [0.8, 0.3]))) == 1


def test_a_back_found_both_ways_up_is_one_back():
    quad = patch((300, 300), 0.4) * 1.0
    quads = [quad, np.roll(quad, 2, axis=0), quad + 200]
    merged = merge_marks(candidates(quads, [0.8, 0.7, 0.6], [True, True, True]))
    assert len(merged) == 2


def test_an_index_on_a_back_is_both():
    quad = patch((300, 300), 0.4)
    assert merge_marks(candidates([quad, quad], [0.8, 0.7], [False, True])).is_back.tolist() == [False, True]


def test_marks_are_scaled_about_pixel_centres():
    marks = candidates([[[0, 0], [1, 0], [1, 1], [0, 1]]], [0.5])
    assert marks.scaled(2.0).keypoints[0].tolist() == [[0.5, 0.5], [2.5, 0.5], [2.5, 2.5], [0.5, 2.5]]
    assert marks.scaled(1.0, (10, 20)).keypoints[0, 0].tolist() == [10, 20]
    there = marks.scaled(3.0).scaled(1 / 3).keypoints
    assert np.allclose(there, marks.keypoints, atol=1e-6)


def test_marks_are_checked_and_frozen():
    with pytest.raises(VisionError, match=r"shape \(2, 4, 2\), got \(2, 3, 2\)"):
        IndexMarks(np.zeros((2, 3, 2), np.float32), np.zeros(2, np.float32), np.zeros(2, bool))
    with pytest.raises(ValueError, match="read-only"):
        marks_of([patch((3, 3), 0)]).keypoints[0, 0, 0] = 1
