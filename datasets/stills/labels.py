"""What a still shows, and the three ways it is written down: our JSON lines, YOLO pose, COCO key points.

In: `StillLabel`s, one a picture. Out: text, and `StillLabel`s again from our own format.

Key points are in pixels as `vision.camera` has them (whole numbers are pixel centres), clockwise from the patch's upper
left as read; they may lie outside the picture when its edge cuts the card. A card that lies face down has its four
corners as key points, from the one that is higher in the picture of the two that begin a short side: a back has no top.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.errors import DatasetError
from game.cards import Card, CardError

FACES = ("up", "down", "other")
CLASSES = ("index", "back")
LABEL_FROM = 0.6  # of the index (or back) visible: it is to be found
IGNORE_FROM = 0.15  # less than that and more than this: neither finding nor missing it is wrong

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class IndexPatch:
    """One corner's index patch."""

    corner: str
    keypoints_px: Floats  # (4, 2)
    index_px: Floats  # (4, 2): around its rank and suit alone
    visibility: float  # of the whole patch
    index_visibility: float  # of the part of it that the rank and suit fill: whether it can be read

    def __post_init__(self) -> None:
        _verify_quad(self.keypoints_px, "a patch's key points")
        _verify_quad(self.index_px, "an index's corners")


@dataclass(frozen=True, slots=True, eq=False)
class LabelledCard:
    """One physical card, seen or hidden. `card` is None unless its face is up."""

    card: Card | None
    face: str  # one of FACES; "other" has no index: jokers, rules, cut cards
    quad_px: Floats  # (4, 2), clockwise from the card's upper left
    visibility: float
    deck: str
    patches: tuple[IndexPatch, ...] = ()

    def __post_init__(self) -> None:
        _verify_quad(self.quad_px, "a card's quad")
        if self.face not in FACES or (self.card is None) == (self.face == "up"):
            raise DatasetError(f"a card {self.card} cannot have the face {self.face!r}; use {', '.join(FACES)}")

    @property
    def height_px(self) -> float:
        """The mean of its long sides as seen."""
        sides = np.linalg.norm(self.quad_px - np.roll(self.quad_px, -1, axis=0), axis=1)
        return float((sides[1] + sides[3]) / 2)


@dataclass(frozen=True, slots=True, eq=False)
class StillLabel:
    """A picture's file name and everything that is in it."""

    image: str
    size_wh: tuple[int, int]
    preset: str
    seed: int
    index: int
    cards: tuple[LabelledCard, ...]
    camera: str | None = None  # the camera preset, where a whole table is seen


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """One thing to find: four ordered key points, of a class, to be found or ignored."""

    kind: int  # a place in CLASSES
    keypoints_px: Floats
    visibility: float
    card: Card | None

    @property
    def is_ignored(self) -> bool:
        """Whether it is too hidden to be demanded."""
        return self.visibility < LABEL_FROM


def _verify_quad(quad: Floats, what: str) -> None:
    if quad.shape != (4, 2):
        raise DatasetError(f"{what} have the shape (4, 2), got {quad.shape}")
    quad.setflags(write=False)


def targets(label: StillLabel) -> tuple[Target, ...]:
    """The indices and backs of a picture that are visible enough to count, or at least to be ignored."""
    found = []
    for card in label.cards:
        found += [Target(0, patch.keypoints_px, patch.index_visibility, card.card) for patch in card.patches]
        if card.face == "down":
            found.append(Target(1, upright_back(card.quad_px), card.visibility, None))
    return tuple(target for target in found if target.visibility >= IGNORE_FROM)


def upright_back(quad_px: Floats) -> Floats:
    """A back's corners from the higher of the two that may come first."""
    first, third = quad_px[0], quad_px[2]
    return np.roll(quad_px, 2, axis=0) if (third[1], third[0]) < (first[1], first[0]) else quad_px.copy()


def label_to_json(label: StillLabel) -> str:
    """One line of our own format."""
    record = {
        "image": label.image,
        "size": list(label.size_wh),
        "preset": label.preset,
        "seed": label.seed,
        "index": label.index,
        "camera": label.camera,
        "cards": [_card_record(card) for card in label.cards],
    }
    return json.dumps(record, separators=(",", ":"))


def _card_record(card: LabelledCard) -> dict[str, Any]:
    return {
        "card": None if card.card is None else str(card.card),
        "face": card.face,
        "deck": card.deck,
        "quad": _rounded(card.quad_px),
        "visibility": round(card.visibility, 4),
        "patches": [
            {
                "card": None if card.card is None else str(card.card),
                "corner": patch.corner,
                "keypoints": _rounded(patch.keypoints_px),
                "index": _rounded(patch.index_px),
                "visibility": round(patch.visibility, 4),
                "index_visibility": round(patch.index_visibility, 4),
            }
            for patch in card.patches
        ],
    }


def _rounded(points: Floats) -> list[list[float]]:
    return [[round(float(x), 3), round(float(y), 3)] for x, y in points]


def label_from_json(line: str) -> StillLabel:
    """Read one line of our own format."""
    try:
        record = json.loads(line)
        cards = tuple(_card_from(item) for item in record["cards"])
        width, height = record["size"]
        made_by = str(record["preset"]), record["seed"], record["index"]
        return StillLabel(str(record["image"]), (width, height), *made_by, cards, record["camera"])
    except (KeyError, TypeError, ValueError, CardError) as error:
        raise DatasetError(f"this is no label of a still ({error!r}): {line[:80]!r}") from error


def _card_from(item: dict[str, Any]) -> LabelledCard:
    patches = tuple(
        IndexPatch(
            patch["corner"],
            np.array(patch["keypoints"], float),
            np.array(patch["index"], float),
            float(patch["visibility"]),
            float(patch["index_visibility"]),
        )
        for patch in item["patches"]
    )
    card = None if item["card"] is None else Card.parse(item["card"])
    quad = np.array(item["quad"], float)
    return LabelledCard(card, item["face"], quad, float(item["visibility"]), item["deck"], patches)


def read_labels(path: Path) -> Iterator[StillLabel]:
    """The labels of a file of JSON lines, in its order."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield label_from_json(line)
            except DatasetError as error:
                raise DatasetError(f"{path}, line {number}: {error}") from error


def yolo_text(label: StillLabel, *, ignored: bool = False) -> str:
    """YOLO pose lines, `class cx cy w h x1 y1 … x4 y4` in parts of the picture: those to find, or those to ignore.

    The box is around the part of the key points that is in the picture; the key points are not clipped.
    """
    lines = []
    for target in targets(label):
        if target.is_ignored == ignored:
            box, points = _normalised(target.keypoints_px, label.size_wh)
            lines.append(f"{target.kind} " + " ".join(f"{value:.6f}" for value in (*box, *points.ravel())))
    return "".join(line + "\n" for line in lines)


def _normalised(keypoints_px: Floats, size_wh: tuple[int, int]) -> tuple[tuple[float, ...], Floats]:
    points = (keypoints_px + 0.5) / np.array(size_wh)
    low, high = np.clip(points.min(axis=0), 0, 1), np.clip(points.max(axis=0), 0, 1)
    centre, extent = (low + high) / 2, high - low
    return (float(centre[0]), float(centre[1]), float(extent[0]), float(extent[1])), points


def targets_from_yolo(text: str, size_wh: tuple[int, int]) -> tuple[Target, ...]:
    """Read YOLO pose lines back; what they do not say (card, visibility) is none and 1."""
    found = []
    for line in text.splitlines():
        values = line.split()
        if len(values) != 13:
            raise DatasetError(f"a YOLO pose line of four key points has 13 numbers, this has {len(values)}: {line!r}")
        points = np.array(values[5:], float).reshape(4, 2) * np.array(size_wh) - 0.5
        found.append(Target(int(values[0]), points, 1.0, None))
    return tuple(found)


def yolo_dataset() -> str:
    """The YAML that names a written folder to Ultralytics. No flips: a mirrored index is not an index."""
    names = ", ".join(f"{place}: {name}" for place, name in enumerate(CLASSES))
    return f"train: images\nval: images\nkpt_shape: [4, 2]\nfliplr: 0.0\nflipud: 0.0\nnames: {{{names}}}\n"


def coco(labels: Iterable[StillLabel]) -> dict[str, Any]:
    """One COCO key point set; ignored targets are crowds, and attributes carry card, corner visibility and face."""
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for number, label in enumerate(labels, 1):
        width, height = label.size_wh
        images.append({"id": number, "file_name": label.image, "width": width, "height": height})
        for target in targets(label):
            annotations.append(_annotation(len(annotations) + 1, number, target, label.size_wh))
    points = ["upper_left", "upper_right", "lower_right", "lower_left"]
    categories = [
        {"id": place + 1, "name": name, "keypoints": points, "skeleton": [[1, 2], [2, 3], [3, 4], [4, 1]]}
        for place, name in enumerate(CLASSES)
    ]
    return {"images": images, "annotations": annotations, "categories": categories}


def _annotation(number: int, image: int, target: Target, size_wh: tuple[int, int]) -> dict[str, Any]:
    """COCO's pixels start at the upper left corner of the first pixel, not at its centre."""
    points = target.keypoints_px + 0.5
    low, high = np.clip(points.min(axis=0), 0, size_wh), np.clip(points.max(axis=0), 0, size_wh)
    inside = [bool(((point >= 0) & (point <= size_wh)).all()) for point in points]
    flat = [value for (x, y), seen in zip(points, inside, strict=True) for value in (*_pair(x, y), 2 if seen else 1)]
    return {
        "id": number,
        "image_id": image,
        "category_id": target.kind + 1,
        "bbox": [*_pair(*low), *_pair(*(high - low))],
        "area": round(float(np.prod(high - low)), 2),
        "iscrowd": int(target.is_ignored),
        "keypoints": flat,
        "num_keypoints": 4,
        "attributes": {
            "card": None if target.card is None else str(target.card),
            "visibility": round(target.visibility, 4),
        },
    }


def _pair(x: float, y: float) -> tuple[float, float]:
    return round(float(x), 3), round(float(y), 3)


def count_cards(labels: Iterable[StillLabel]) -> NDArray[np.int64]:
    """How often each of the 52 lies face up, by `Card.index`."""
    counts = np.zeros(52, np.int64)
    for label in labels:
        for card in label.cards:
            if card.card is not None:
                counts[card.card.index] += 1
    return counts


def orientation(quad_px: Sequence[Sequence[float]] | Floats) -> float:
    """Twice the signed area: above zero when the points run clockwise as seen, so that nothing is mirrored."""
    points = np.asarray(quad_px, float)
    after = np.roll(points, -1, axis=0)
    return float(np.sum(points[:, 0] * after[:, 1] - points[:, 1] * after[:, 0]))
