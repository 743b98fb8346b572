"""Training, in small: the pose model learns a handful of simulated pictures by heart."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from datasets.stills.presets import still_preset
from datasets.stills.simulate import make_still
from models.pose import CLASSES, Example, batch_of, new_pose_model, train_steps
from models.torch_setup import _nms

pytestmark = pytest.mark.train
SEED, PICTURES, STEPS = 7, 4, 30


def example_of(still):
    patches = [
        patch.keypoints_px for card in still.label.cards for patch in card.patches if patch.index_visibility > 0.6
    ]
    backs = [card.quad_px for card in still.label.cards if card.face == "down" and card.visibility > 0.6]
    classes = np.array([0] * len(patches) + [1] * len(backs), np.int64)
    return Example(still.picture, classes, np.array(patches + backs, np.float32).reshape(-1, 4, 2))


@pytest.fixture(scope="module")
def examples():
    preset = replace(still_preset("train"), sizes_wh=((256, 256),), card_px=(90.0, 180.0), cards=(2, 6))
    return [example_of(make_still(SEED, index, preset, "train")) for index in range(PICTURES)]


def test_the_pose_model_learns_a_few_pictures(examples):
    torch.manual_seed(SEED)
    model = new_pose_model()
    batch = batch_of(examples)
    losses = list(train_steps(model, [batch] * STEPS, 2e-3))
    assert np.mean(losses[-5:]) < 0.6 * np.mean(losses[:5])


def test_a_batch_is_normalised(examples):
    batch = batch_of(examples)
    assert batch["img"].shape[:2] == (PICTURES, 3)
    assert 0 <= batch["bboxes"].min() <= batch["bboxes"].max() <= 1
    assert set(batch["cls"].flatten().tolist()) <= set(range(len(CLASSES)))
    assert len(batch["batch_idx"]) == len(batch["keypoints"])


def test_nms_keeps_the_best_of_what_overlaps():
    boxes = torch.tensor([[0.0, 0, 10, 10], [1, 1, 10, 10], [20, 20, 30, 30]])
    assert _nms(boxes, torch.tensor([0.5, 0.9, 0.1]), 0.5).tolist() == [1, 2]
    assert _nms(boxes[:0], torch.zeros(0), 0.5).tolist() == []
