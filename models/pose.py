"""The pose model that finds index patches and backs, and one step of training it.

Ultralytics gives the network and the loss; the loop is our own, because its trainer refuses bfloat16 on a CPU and its
loader drops key points outside the picture, which loses corners that the edge cuts.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from models import torch_setup

torch_setup.prepare()

from ultralytics.cfg import get_cfg  # noqa: E402  # only after torchvision has its operators
from ultralytics.nn.tasks import PoseModel  # noqa: E402

CLASSES = ("index", "back")
KEYPOINTS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One labelled picture; all coordinates in pixels."""

    picture_bgr: NDArray[np.uint8]  # (H, W, 3)
    classes: NDArray[np.int64]  # (N,) places in CLASSES
    keypoints: NDArray[np.float32]  # (N, 4, 2), clockwise from the patch's upper left as read


def new_pose_model() -> PoseModel:
    """An untrained YOLO11n-pose for our classes; nothing is downloaded."""
    model = PoseModel("yolo11n-pose.yaml", nc=len(CLASSES), data_kpt_shape=(KEYPOINTS, 2), verbose=False)
    model.args = get_cfg()
    return model.to(memory_format=torch.channels_last)


def batch_of(examples: list[Example]) -> dict[str, torch.Tensor]:
    """Examples of one size in the form the loss takes: normalised to the picture, boxes as centre and size."""
    height, width = examples[0].picture_bgr.shape[:2]
    pictures = np.stack([example.picture_bgr[..., ::-1].transpose(2, 0, 1) for example in examples])
    keypoints = np.concatenate([example.keypoints for example in examples]) / np.array([width, height], np.float32)
    lower, upper = keypoints.min(axis=1).clip(0, 1), keypoints.max(axis=1).clip(0, 1)
    return {
        "img": torch.from_numpy(pictures).contiguous(memory_format=torch.channels_last).float() / 255,
        "cls": torch.from_numpy(np.concatenate([example.classes for example in examples]))[:, None].float(),
        "bboxes": torch.from_numpy(np.concatenate([(lower + upper) / 2, upper - lower], axis=1)),
        "keypoints": torch.from_numpy(keypoints),
        "batch_idx": torch.from_numpy(np.repeat(np.arange(len(examples)), [len(each.classes) for each in examples])),
    }


def train_steps(model: PoseModel, batches: Iterable[dict[str, torch.Tensor]], learning_rate: float) -> Iterator[float]:
    """Train on each batch once and give its loss for a picture; bfloat16 where the processor is fast at it."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, weight_decay=5e-4)
    model.train()
    for batch in batches:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            losses, _ = model(batch)
        loss = losses.float().sum() / len(batch["img"])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        optimizer.step()
        yield float(loss.detach())
