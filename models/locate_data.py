"""Pictures for training the locator: labelled stills, each time another part of one, at another scale and in new light.

In: folders that `foursight simulate images` wrote. Out: batches in the form that Ultralytics' losses take.

Nothing is flipped: a mirrored index is no index. Key points outside the picture are kept: they say where a card goes on
that the edge cuts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from datasets.stills.labels import IGNORE_FROM, StillLabel, read_labels, targets
from models.errors import ModelError
from models.locate_net import BACK

CARD_PX: Final = (34.0, 190.0)  # heights of cards that the network is to know; others are looked at in another scale
LARGEST_SCALE: Final = 1.7  # how far a still may be enlarged for it
INDEX_AT: Final = (0.34, 0.36)  # the middle of the index in its patch
PATCH_OF_CARD: Final = 0.44
SQUEEZED: Final = 0.4  # share of the parts whose aspect is changed
BORDER = (114, 114, 114)

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """One still and what is to be found in it."""

    path: Path
    kinds: NDArray[np.int64]  # (N,) places in labels.CLASSES
    keypoints: Floats  # (N, 4, 2) pixels
    visibility: Floats  # (N,)
    card_px: float  # the median height of its cards; 0 with none
    size_wh: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One picture for training; all coordinates in its pixels."""

    picture_bgr: Picture  # (S, S, 3)
    kinds: NDArray[np.int64]  # (N,)
    keypoints: Floats  # (N, 4, 2)
    visibility: Floats  # (N,) of the part that is in this picture


def load_scenes(folders: Sequence[Path]) -> list[Scene]:
    """Everything that the labels of these folders say."""
    scenes = []
    for folder in folders:
        if not (folder / "labels.jsonl").is_file():
            raise ModelError(
                f"{folder} has no labels.jsonl; make a set with `foursight simulate images --out {folder}`"
            )
        scenes += [scene_of(folder, label) for label in read_labels(folder / "labels.jsonl")]
    return scenes


def scene_of(folder: Path, label: StillLabel) -> Scene:
    """What is to be found in one still."""
    wanted = targets(label)
    return Scene(
        folder / label.image,
        np.array([target.kind for target in wanted], np.int64),
        np.array([target.keypoints_px for target in wanted], np.float32).reshape(-1, 4, 2),
        np.array([target.visibility for target in wanted], np.float32),
        float(np.median([card.height_px for card in label.cards])) if label.cards else 0.0,
        label.size_wh,
    )


def examples(scenes: Sequence[Scene], size: int, rng: np.random.Generator) -> Iterator[Example]:
    """Endless: every still once, in a new order, then all again."""
    while True:
        for number in rng.permutation(len(scenes)):
            yield cut_example(scenes[number], size, rng)


def cut_example(scene: Scene, size: int, rng: np.random.Generator) -> Example:
    """A square part of a still, turned a little, at a scale at which its cards are as high as the network may meet."""
    picture = cv2.imread(str(scene.path))
    if picture is None:
        raise ModelError(f"{scene.path} is named in the labels and cannot be read")
    wanted_px = float(np.exp(rng.uniform(*np.log(CARD_PX))))
    fit = size / min(scene.size_wh)  # smaller, and the still would not fill the part
    scale = wanted_px / scene.card_px if scene.card_px else float(rng.uniform(fit, 1.0))
    scale = float(np.clip(scale, fit, LARGEST_SCALE))
    points = scene.keypoints
    while scale < 0.55:  # a warp alone would skip pixels
        picture = cv2.resize(picture, (picture.shape[1] // 2, picture.shape[0] // 2), interpolation=cv2.INTER_AREA)
        points, scale = ((points + 0.5) / 2 - 0.5).astype(np.float32), scale * 2
    matrix = _placing(picture.shape[1::-1], points, scale, size, rng)
    part = cv2.warpAffine(picture, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=BORDER)
    moved = (points @ matrix[:, :2].T.astype(np.float32) + matrix[:, 2].astype(np.float32)).astype(np.float32)
    visibility = scene.visibility * np.array(
        [_inside(quad, kind, size) for quad, kind in zip(moved, scene.kinds, strict=True)]
    )
    seen = visibility >= IGNORE_FROM
    lit = _relight(np.asarray(part, np.uint8), rng)
    return Example(lit, scene.kinds[seen], moved[seen].reshape(-1, 4, 2), visibility[seen].astype(np.float32))


def _placing(
    size_wh: tuple[int, ...], points: Floats, scale: float, size: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """The warp: mostly around something that is to be found."""
    if len(points) and rng.random() < 0.8:
        focus = points[int(rng.integers(len(points)))].mean(axis=0)
    else:
        focus = rng.uniform(0, 1, 2) * size_wh
    linear = scale * _turn(float(rng.normal(0, 0.06)))
    if rng.random() < SQUEEZED:  # along any line: the aspect of files is changed, and steep cameras shear
        along = _turn(float(rng.uniform(0, np.pi) if rng.random() < 0.5 else 0.0))
        squeeze = float(np.exp(np.clip(rng.normal(0, 0.22), -0.6, 0.6)))
        linear = along @ np.diag([squeeze, 1 / squeeze]) @ along.T @ linear
    corner = rng.uniform(0.08, 0.92, 2) * size - linear @ focus
    border = 0.06 * size  # a little of what is beyond the edge may show
    corner = np.clip(corner, size - np.array(size_wh) * scale - border, border)
    return np.column_stack([linear, corner])


def _turn(angle: float) -> NDArray[np.float64]:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin], [sin, cos]])


def index_square(quad: Floats, kind: int) -> tuple[float, float, float]:
    """The square that stands for an index or a back in training: x, y of its middle and half its side."""
    across = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    down = (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    at = (0.5, 0.5) if kind else INDEX_AT
    middle = quad[0] + at[0] * across + at[1] * down
    area = abs(float(across[0] * down[1] - across[1] * down[0]))
    return float(middle[0]), float(middle[1]), max(1.0, 0.5 * float(np.sqrt(area)))


def _inside(quad: Floats, kind: int, size: int) -> float:
    """How much of the square is in the picture."""
    x, y, reach = index_square(quad, kind)
    across = min(x + reach, size) - max(x - reach, 0)
    down = min(y + reach, size) - max(y - reach, 0)
    return max(0.0, across) * max(0.0, down) / (4 * reach * reach)


def _relight(picture: Picture, rng: np.random.Generator) -> Picture:
    """Gain, colour of the light, gamma; now and then no colour at all, noise, or softness."""
    gains = np.exp(rng.normal(0, 0.12)) * (1 + rng.normal(0, 0.05, 3))
    gamma = float(np.exp(rng.normal(0, 0.1)))
    levels = np.arange(256, dtype=np.float64)[:, None] / 255
    table = np.clip(255 * (levels**gamma) * gains[None], 0, 255).astype(np.uint8).reshape(1, 256, 3)
    lit = cv2.LUT(picture, table)
    chance = rng.random()
    if chance < 0.04:
        lit = cv2.cvtColor(cv2.cvtColor(lit, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    elif chance < 0.14:
        noise = rng.standard_normal(lit.shape, np.float32) * np.float32(rng.uniform(2, 9))
        lit = np.clip(lit + noise, 0, 255).astype(np.uint8)
    elif chance < 0.24:
        lit = cv2.GaussianBlur(lit, (0, 0), float(rng.uniform(0.4, 1.1)))
    return np.asarray(lit, np.uint8)


def batch_of(chosen: Sequence[Example], label_from: float = 0.5) -> dict[str, Tensor]:
    """Examples of one size as the losses take them: normalised boxes and key points, and in pixels what to ignore."""
    size = chosen[0].picture_bgr.shape[0]
    boxes, points, kinds, owners, ignored, ignored_owners = [], [], [], [], [], []
    for number, example in enumerate(chosen):
        for quad, kind, seen in zip(example.keypoints, example.kinds, example.visibility, strict=True):
            x, y, reach = index_square(quad, int(kind))
            if seen < label_from:
                ignored.append((x, y, reach * 0.7))
                ignored_owners.append(number)
                continue
            boxes.append((x, y, 2 * reach, 2 * reach))
            points.append(np.column_stack([quad / size, np.full(4, BACK if kind else 1.0)]))
            kinds.append(int(kind))
            owners.append(number)
    pictures = np.stack([example.picture_bgr for example in chosen])
    images = torch.from_numpy(pictures).permute(0, 3, 1, 2).float().div_(255)
    return {
        "img": images.contiguous(memory_format=torch.channels_last),
        "cls": torch.tensor(kinds, dtype=torch.float32).view(-1, 1),
        "bboxes": torch.tensor(boxes, dtype=torch.float32).view(-1, 4) / size,
        "keypoints": torch.tensor(np.array(points), dtype=torch.float32).view(-1, 4, 3),
        "batch_idx": torch.tensor(owners, dtype=torch.long),
        "ignore": torch.tensor(ignored, dtype=torch.float32).view(-1, 3),
        "ignore_idx": torch.tensor(ignored_owners, dtype=torch.long),
    }


def batches(scenes: Sequence[Scene], size: int, count: int, rng: np.random.Generator) -> Iterator[dict[str, Tensor]]:
    """Endless batches of so many examples."""
    source = examples(scenes, size, rng)
    while True:
        yield batch_of([next(source) for _ in range(count)])
