"""Index patches for training, cut out of labelled stills once and kept on disk with room to move.

In: folders that `foursight simulate images` wrote. Out: for each folder one `.npz` beside its labels, and batches of
upright patches with what they show, each moved, lit and blurred a little differently every time it comes up.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.catalogue import read_catalogue
from datasets.stills.labels import IGNORE_FROM, LabelledCard, StillLabel, read_labels
from game.cards import SUITS, Card
from models.errors import ModelError
from vision.identify import PATCH_MARGIN_WH, PATCH_PX_WH, cut_patch

STORED_PX_WH: Final = (72, 112)
LEGIBLE_FROM: Final = 0.85  # of the index visible: it must be read
ILLEGIBLE_BELOW: Final = 0.45  # less than this: it must be refused; in between, neither is asked
NAMED_FROM: Final = 0.75  # rank and suit are asked for from here: of less, the suit may be hidden altogether
NONE: Final = -1
SMALLEST_PX: Final = 18.0  # height of a patch, of a card 41 pixels high; nobody reads a smaller one
CORNERS: Final = 8
RIGHT = ("upper-right", "lower-left")
SHADED: Final = 0.2  # share of the patches across which the light changes

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """Cut patches and what they show; -1 where it is not asked."""

    pictures: Picture  # (N, 112, 72, 3)
    ranks: NDArray[np.int8]  # (N,) 0 the two .. 12 the ace
    suits: NDArray[np.int8]  # (N,) in the order of game.cards.SUITS
    legible: NDArray[np.int8]  # (N,) 0, 1 or -1
    at_right: NDArray[np.int8]  # (N,) 0, 1 or -1
    shifts: NDArray[np.float32]  # (N, 4, 2) of the true corners from where it was cut, in parts of its width and height
    located: NDArray[np.bool_]  # (N,) cut where a locator found it, not where the label says

    def __len__(self) -> int:
        return len(self.pictures)

    @classmethod
    def joined(cls, parts: list[Self]) -> Self:
        """One after the other."""
        names = cls.__slots__
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    @classmethod
    def read(cls, files: Sequence[Path]) -> Self:
        """What `store_patches` wrote, one file after the other; never two copies of the pictures in memory."""
        counts = [len(_member(file, "ranks")) for file in files]
        return cls(*(_column(name, files, counts) for name in cls.__slots__))


def _column(name: str, files: Sequence[Path], counts: Sequence[int]) -> NDArray[Any]:
    first = _member(files[0], name)
    column = np.empty((sum(counts), *first.shape[1:]), first.dtype)
    for file, end in zip(files, np.cumsum(counts).tolist(), strict=True):
        part = _member(file, name)
        column[end - len(part) : end] = part
    return column


def _member(file: Path, name: str) -> NDArray[Any]:
    with np.load(file) as arrays:
        return np.asarray(arrays[name])


def stored_margin_wh() -> tuple[float, float]:
    """The margin of a stored patch, so that its scale is that of the patches the network reads."""
    across = [
        (stored / read * (1 + 2 * margin) - 1) / 2
        for stored, read, margin in zip(STORED_PX_WH, PATCH_PX_WH, PATCH_MARGIN_WH, strict=True)
    ]
    return across[0], across[1]


def load_patches(folder: Path, workers: int) -> Patches:
    """The patches of one set, cut now if they have not been before."""
    return Patches.read([patches_file(folder, workers)])


def patches_file(folder: Path, workers: int) -> Path:
    """Where the patches of one set are kept, cut now if they have not been before."""
    return store_patches(folder / "patches.npz", lambda: _cut_set(folder, workers))


def store_patches(stored: Path, cut: Callable[[], Patches]) -> Path:
    """The file, made first if it is not there."""
    if not stored.is_file():
        patches = cut()
        part = stored.with_suffix(".part.npz")
        np.savez(part, **{name: getattr(patches, name) for name in Patches.__slots__})
        part.rename(stored)
    return stored


def _cut_set(folder: Path, workers: int) -> Patches:
    if not (folder / "labels.jsonl").is_file():
        raise ModelError(f"{folder} has no labels.jsonl; make a set with `foursight simulate images --out {folder}`")
    labels = list(read_labels(folder / "labels.jsonl"))
    blocks = [labels[start : start + 100] for start in range(0, len(labels), 100)]
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        return Patches.joined(list(pool.map(partial(_cut_block, folder), blocks)))


def _cut_block(folder: Path, labels: list[StillLabel]) -> Patches:
    unread = {name for name, entry in read_catalogue().decks.items() if not entry.identify}
    rows: list[tuple[Picture, int, int, int, int]] = []
    for label in labels:
        picture = cv2.imread(str(folder / label.image))
        if picture is None:
            raise ModelError(f"{folder / label.image} is named in the labels and cannot be read")
        rng = np.random.default_rng([label.seed, label.index, 31])
        for card in label.cards:
            if card.deck not in unread:
                rows += _patches_of(np.asarray(picture, np.uint8), card, rng)
        rows += _elsewhere(np.asarray(picture, np.uint8), label, rng)
    height, width = STORED_PX_WH[1], STORED_PX_WH[0]
    pictures = np.array([row[0] for row in rows], np.uint8).reshape(-1, height, width, 3)
    ranks, suits, legible, at_right = (np.array([row[place] for row in rows], np.int8) for place in range(1, 5))
    return Patches(
        pictures,
        ranks,
        suits,
        legible,
        at_right,
        np.zeros((len(rows), 4, 2), np.float32),
        np.zeros(len(rows), np.bool_),
    )


def cut_stored(picture: Picture, quad: NDArray[np.floating]) -> Picture:
    """A patch with room to move."""
    return cut_patch(picture, quad, STORED_PX_WH, stored_margin_wh())


def _patches_of(
    picture: Picture, card: LabelledCard, rng: np.random.Generator
) -> Iterator[tuple[Picture, int, int, int, int]]:
    """A card's indices, and now and then one upside down or beside itself: what must be refused."""
    for patch in card.patches:
        quad = patch.keypoints_px
        if card.card is None or np.linalg.norm(quad[3] - quad[0]) < SMALLEST_PX:
            continue
        seen = patch.index_visibility
        if seen < IGNORE_FROM:
            if rng.random() < 0.15:
                yield cut_stored(picture, quad), NONE, NONE, 0, NONE
            continue
        yield cut_stored(picture, quad), *labels_of(card.card, seen), int(patch.corner in RIGHT)
        if rng.random() < 0.12:
            yield cut_stored(picture, np.roll(quad, 2, axis=0)), NONE, NONE, 0, NONE
        if rng.random() < 0.12:
            way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.45, 1.0)
            shift = far * (np.cos(way) * (quad[1] - quad[0]) + np.sin(way) * (quad[3] - quad[0]))
            yield cut_stored(picture, quad + shift), NONE, NONE, 0, NONE


def labels_of(card: Card, seen: float) -> tuple[int, int, int]:
    """Rank, suit and legible of an index of which so much can be seen."""
    legible = 1 if seen >= LEGIBLE_FROM else (0 if seen < ILLEGIBLE_BELOW else NONE)
    rank, suit = divmod(card.index, len(SUITS)) if seen >= NAMED_FROM else (NONE, NONE)
    return rank, suit, legible


def _elsewhere(
    picture: Picture, label: StillLabel, rng: np.random.Generator
) -> Iterator[tuple[Picture, int, int, int, int]]:
    """Places that are no index: pips and courts in the middle of faces, backs, and the table."""
    for card in label.cards:
        if rng.random() < 0.25:
            at, turn = rng.uniform(0.28, 0.5, 2), rng.uniform(0, 2 * np.pi)
            quad = _part_of(card.quad_px, at, turn, rng.uniform(0.6, 1.4))
            yield cut_stored(picture, quad), NONE, NONE, 0, NONE
    sizes = [card.height_px for card in label.cards] or [120.0]
    for _ in range(1):
        middle = rng.uniform(0, 1, 2) * label.size_wh
        side, turn = float(rng.choice(sizes)) * 0.44 * rng.uniform(0.7, 1.3), rng.uniform(0, 2 * np.pi)
        across = np.array([np.cos(turn), np.sin(turn)]) * side * 0.55
        down = np.array([-np.sin(turn), np.cos(turn)]) * side
        if not any(cv2.pointPolygonTest(c.quad_px.astype(np.float32), tuple(middle), False) >= 0 for c in label.cards):
            corner = middle - (across + down) / 2
            quad = np.array([corner, corner + across, corner + across + down, corner + down])
            yield cut_stored(picture, quad), NONE, NONE, 0, NONE


def _part_of(card_px: NDArray[np.float64], at: NDArray[np.float64], turn: float, size: float) -> NDArray[np.float64]:
    """A patch-sized quad in the middle of a card, turned."""
    across, down = card_px[1] - card_px[0], card_px[3] - card_px[0]
    unit = np.array([[-0.17, -0.22], [0.17, -0.22], [0.17, 0.22], [-0.17, 0.22]]) * size
    cos, sin = np.cos(turn), np.sin(turn)
    turned = np.stack([unit[:, 0] * cos - unit[:, 1] * sin * 1.4, unit[:, 0] * sin / 1.4 + unit[:, 1] * cos], axis=1)
    place = turned + at + 0.12
    return np.asarray(card_px[0] + place[:, :1] * across + place[:, 1:] * down)


Batch = tuple[Picture, NDArray[np.int64], NDArray[np.float32]]


def batches(patches: Patches, size: int, rng: np.random.Generator) -> Iterator[Batch]:
    """Endless: pictures (B, H, W, 3) as the network reads them, labels (B, 4): rank, suit, legible, right, and where
    the true corners lie (B, 8), as the network says it. Of fewer patches than a batch has, all at once."""
    if not len(patches):
        raise ModelError("the sets given hold no patch to learn from; simulate pictures with cards in them")
    size = min(size, len(patches))
    labels = np.stack([patches.ranks, patches.suits, patches.legible, patches.at_right], axis=1).astype(np.int64)
    while True:
        order = rng.permutation(len(patches))
        for start in range(0, len(order) - size + 1, size):
            chosen = order[start : start + size]
            pictures, corners = zip(*(_varied(patches, number, rng) for number in chosen), strict=True)
            yield np.stack(pictures), labels[chosen], np.stack(corners)


def _varied(patches: Patches, number: int, rng: np.random.Generator) -> tuple[Picture, NDArray[np.float32]]:
    """A patch that was located is off the mark as locators are; others are put off it, more or less."""
    far = 0.25 if patches.located[number] else (1.0 if rng.random() < 0.25 else 0.3)
    return vary(patches.pictures[number], rng, far, patches.shifts[number])


def vary(
    stored: Picture, rng: np.random.Generator, far: float = 1.0, shifts: NDArray[np.float32] | None = None
) -> tuple[Picture, NDArray[np.float32]]:
    """One stored patch cut up to so `far` off the mark, in a slightly other light, at times smaller or softer.

    Also where its true corners then lie; in the stored patch they lie `shifts` from where it was cut.
    """
    matrix = _miscut(rng, far)
    width, height = PATCH_PX_WH
    patch = cv2.warpPerspective(stored, matrix, PATCH_PX_WH, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inner = _nominal(PATCH_PX_WH)[2] - _nominal(PATCH_PX_WH)[0]
    true = _nominal(STORED_PX_WH) + (0 if shifts is None else shifts * inner)
    seen = cv2.perspectiveTransform(true[:, None].astype(np.float32), matrix).reshape(4, 2)
    corners = (seen - _nominal(PATCH_PX_WH)) / inner
    chance = rng.random()
    if chance < 0.2:  # a camera farther away
        small = rng.uniform(0.35, 0.8)
        patch = cv2.resize(patch, (round(width * small), round(height * small)), interpolation=cv2.INTER_AREA)
        patch = cv2.resize(patch, PATCH_PX_WH, interpolation=cv2.INTER_LINEAR)
    elif chance < 0.32:
        patch = cv2.GaussianBlur(patch, (0, 0), rng.uniform(0.4, 1.5))
    elif chance < 0.38:
        patch = _smeared(np.asarray(patch, np.uint8), rng)
    gains = np.exp(np.clip(rng.normal(0, 0.22), -0.8, 0.4)) * (1 + 0.06 * rng.standard_normal(3))
    lit = patch.astype(np.float32) * np.asarray(gains, np.float32) + np.float32(rng.normal(0, 8))
    if rng.random() < SHADED:
        lit *= _shade(rng)
    if rng.random() < 0.3:
        lit += rng.standard_normal(patch.shape, np.float32) * np.float32(rng.uniform(1, 8))
    return np.asarray(np.clip(lit, 0, 255), np.uint8), corners.astype(np.float32).reshape(CORNERS)


def _nominal(size_wh: tuple[int, int]) -> NDArray[np.float64]:
    """The corners of the patch itself in a picture of it that has a margin; stored and read ones have one scale."""
    inner = np.array(PATCH_PX_WH) / (1 + 2 * np.array(PATCH_MARGIN_WH))
    unit = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    return np.asarray(unit * inner + np.array(size_wh) / 2 - 0.5)


def _miscut(rng: np.random.Generator, far: float) -> NDArray[np.float64]:
    """From a stored patch to one whose corners are wrong by so much: place, size, aspect, turn, shear, perspective."""
    inner = np.array(PATCH_PX_WH) / (1 + 2 * np.array(PATCH_MARGIN_WH))
    unit = _nominal(PATCH_PX_WH) - np.array(PATCH_PX_WH) / 2 + 0.5
    turn = rng.normal(0, 0.10 * far)
    aspect, shear = np.exp(rng.normal(0, 0.06 * far)), rng.normal(0, 0.10 * far)
    scale = np.exp(np.clip(rng.normal(0, 0.13 * far), -0.35, 0.3))
    cos, sin = np.cos(turn), np.sin(turn)
    linear = np.array([[cos, -sin], [sin, cos]]) @ np.array([[aspect, shear], [0, 1 / aspect]]) * scale
    outer = unit[0] * 0.6  # size is misjudged mostly about the outer corner, which is the surest
    source = (
        (unit - outer) @ linear.T + outer + (rng.normal(0, 0.05 * far, 2) + rng.normal(0, 0.02, (4, 2)) * far) * inner
    )
    target = _nominal(PATCH_PX_WH)
    source += np.array(STORED_PX_WH) / 2 - 0.5
    return np.asarray(cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32)))


def _shade(rng: np.random.Generator) -> NDArray[np.float32]:
    """(H, W, 1): light that fades across a patch, or the edge of a shadow or of a reflection."""
    width, height = PATCH_PX_WH
    way = rng.uniform(0, 2 * np.pi)
    along = (np.arange(width) / width - 0.5) * np.cos(way) + (np.arange(height)[:, None] / height - 0.5) * np.sin(way)
    steep = float(np.exp(rng.uniform(np.log(2), np.log(40))))
    edge = 1 / (1 + np.exp(-steep * (along - rng.uniform(-0.4, 0.4))))
    return np.asarray(1 + rng.uniform(-0.6, 0.5) * edge, np.float32)[..., None]


def _smeared(patch: Picture, rng: np.random.Generator) -> Picture:
    """Moved while the shutter was open."""
    length = int(rng.integers(3, 8))
    kernel = np.zeros((length, length), np.float32)
    way = rng.uniform(0, np.pi)
    reach = np.array([np.cos(way), np.sin(way)]) * (length - 1) / 2
    middle = (length - 1) / 2
    start, end = middle - reach, middle + reach
    cv2.line(kernel, (round(start[0]), round(start[1])), (round(end[0]), round(end[1])), 1.0)
    return np.asarray(cv2.filter2D(patch, -1, kernel / max(float(kernel.sum()), 1.0)), np.uint8)
