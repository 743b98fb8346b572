"""Index patches for training, cut out of labelled stills once and kept on disk with room to move.

In: folders that `foursight simulate images` wrote. Out: for each folder one `.npz` beside its labels, and batches of
upright patches with what they show, each moved, lit and blurred a little differently every time it comes up.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.catalogue import read_catalogue
from datasets.stills.labels import IGNORE_FROM, IndexPatch, LabelledCard, StillLabel, read_labels
from game.cards import SUITS, Card
from models.errors import ModelError
from vision.identify import PATCH_MARGIN_WH, PATCH_PX_WH, UNIT, cut_patch

STORED_PX_WH: Final = (144, 224)
STORED_QUALITY: Final = 95  # of JPEG: as raw pixels, the patches of a training would not fit into memory
LEGIBLE_FROM: Final = 0.85  # of the index visible: it must be read
ILLEGIBLE_BELOW: Final = 0.45  # less than this: it must be refused; in between, neither is asked
NAMED_FROM: Final = 0.75  # rank and suit are asked for from here: of less, the suit may be hidden altogether
NONE: Final = -1
SMALLEST_PX: Final = 18.0  # height of a patch, of a card 41 pixels high; nobody reads a smaller one
CORNERS: Final = 8
RIGHT = ("upper-right", "lower-left")
SHADED: Final = 0.2  # share of the patches across which the light changes

Picture = NDArray[np.uint8]
# A JPEG, rank, suit, legible, at right, and in parts of the patch the corners of the true one and of its index.
PatchRow = tuple[bytes, int, int, int, int, NDArray[np.float32], NDArray[np.float32]]


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """Cut patches and what they show; -1 where it is not asked."""

    pictures: tuple[bytes, ...]  # N JPEGs of 144×224 pixels
    ranks: NDArray[np.int8]  # (N,) 0 the two .. 12 the ace
    suits: NDArray[np.int8]  # (N,) in the order of game.cards.SUITS
    legible: NDArray[np.int8]  # (N,) 0, 1 or -1
    at_right: NDArray[np.int8]  # (N,) 0, 1 or -1
    corners: NDArray[np.float32]  # (N, 4, 2) the true patch's, in parts of the patch as it was cut
    indices: NDArray[np.float32]  # (N, 4, 2) around its rank and suit, in the same parts
    located: NDArray[np.bool_]  # (N,) cut where a locator found it, not where the label says

    def __len__(self) -> int:
        return len(self.pictures)

    @classmethod
    def of(cls, rows: Sequence[PatchRow], located: bool) -> Self:
        """Cut patches, one a row."""
        return cls(
            tuple(row[0] for row in rows),
            np.array([row[1] for row in rows], np.int8),
            np.array([row[2] for row in rows], np.int8),
            np.array([row[3] for row in rows], np.int8),
            np.array([row[4] for row in rows], np.int8),
            np.array([row[5] for row in rows], np.float32).reshape(-1, 4, 2),
            np.array([row[6] for row in rows], np.float32).reshape(-1, 4, 2),
            np.full(len(rows), located),
        )

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """One after the other."""
        arrays = (np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__[1:])
        return cls(tuple(picture for part in parts for picture in part.pictures), *arrays)

    @classmethod
    def read(cls, files: Sequence[Path]) -> Self:
        """What `store_patches` wrote, one file after the other."""
        return cls.joined([cls._read_one(file) for file in files])

    @classmethod
    def _read_one(cls, file: Path) -> Self:
        with np.load(file) as arrays:
            joined, ends = arrays["pictures"].tobytes(), arrays["ends"].tolist()
            pictures = tuple(joined[start:end] for start, end in pairwise([0, *ends]))
            return cls(pictures, *(np.asarray(arrays[name]) for name in cls.__slots__[1:]))

    def write(self, file: Path) -> None:
        """To one file."""
        arrays = {name: getattr(self, name) for name in self.__slots__[1:]}
        ends = np.cumsum([len(picture) for picture in self.pictures], dtype=np.int64)
        np.savez(file, pictures=np.frombuffer(b"".join(self.pictures), np.uint8), ends=ends, **arrays)


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
        patches.write(part)
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
    rows: list[PatchRow] = []
    for label in labels:
        picture = cv2.imread(str(folder / label.image))
        if picture is None:
            raise ModelError(f"{folder / label.image} is named in the labels and cannot be read")
        rng = np.random.default_rng([label.seed, label.index, 31])
        for card in label.cards:
            if card.deck not in unread:
                rows += _patches_of(np.asarray(picture, np.uint8), card, rng)
        rows += _elsewhere(np.asarray(picture, np.uint8), label, rng)
    return Patches.of(rows, located=False)


def cut_stored(picture: Picture, quad: NDArray[np.floating]) -> bytes:
    """A patch with room to move."""
    patch = cut_patch(picture, quad, STORED_PX_WH, stored_margin_wh())
    return bytes(cv2.imencode(".jpg", patch, [cv2.IMWRITE_JPEG_QUALITY, STORED_QUALITY])[1].tobytes())


def no_index(picture: Picture, quad: NDArray[np.floating]) -> PatchRow:
    """A patch that must be refused."""
    return cut_stored(picture, quad), NONE, NONE, 0, NONE, UNIT, UNIT


def index_row(picture: Picture, quad: NDArray[np.floating], card: Card, patch: IndexPatch) -> PatchRow:
    """A card's index as it was cut, which may be off the mark."""
    to_unit = cv2.getPerspectiveTransform(quad.astype(np.float32), UNIT)
    quads = np.stack([patch.keypoints_px, patch.index_px]).reshape(1, 8, 2).astype(np.float32)
    corners, index = np.asarray(cv2.perspectiveTransform(quads, to_unit), np.float32).reshape(2, 4, 2)
    said = labels_of(card, patch.index_visibility)
    return cut_stored(picture, quad), *said, int(patch.corner in RIGHT), corners, index


def _patches_of(picture: Picture, card: LabelledCard, rng: np.random.Generator) -> Iterator[PatchRow]:
    """A card's indices, and now and then one upside down or beside itself: what must be refused."""
    for patch in card.patches:
        quad = patch.keypoints_px
        if card.card is None or np.linalg.norm(quad[3] - quad[0]) < SMALLEST_PX:
            continue
        if patch.index_visibility < IGNORE_FROM:
            if rng.random() < 0.15:
                yield no_index(picture, quad)
            continue
        yield index_row(picture, quad, card.card, patch)
        if rng.random() < 0.12:
            yield no_index(picture, np.roll(quad, 2, axis=0))
        if rng.random() < 0.12:
            way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.45, 1.0)
            shift = far * (np.cos(way) * (quad[1] - quad[0]) + np.sin(way) * (quad[3] - quad[0]))
            yield no_index(picture, quad + shift)


def labels_of(card: Card, seen: float) -> tuple[int, int, int]:
    """Rank, suit and legible of an index of which so much can be seen."""
    legible = 1 if seen >= LEGIBLE_FROM else (0 if seen < ILLEGIBLE_BELOW else NONE)
    rank, suit = divmod(card.index, len(SUITS)) if seen >= NAMED_FROM else (NONE, NONE)
    return rank, suit, legible


def _elsewhere(picture: Picture, label: StillLabel, rng: np.random.Generator) -> Iterator[PatchRow]:
    """Places that are no index: pips and courts in the middle of faces, backs, and the table."""
    for card in label.cards:
        if rng.random() < 0.25:
            at, turn = rng.uniform(0.28, 0.5, 2), rng.uniform(0, 2 * np.pi)
            quad = _part_of(card.quad_px, at, turn, rng.uniform(0.6, 1.4))
            yield no_index(picture, quad)
    sizes = [card.height_px for card in label.cards] or [120.0]
    for _ in range(1):
        middle = rng.uniform(0, 1, 2) * label.size_wh
        side, turn = float(rng.choice(sizes)) * 0.44 * rng.uniform(0.7, 1.3), rng.uniform(0, 2 * np.pi)
        across = np.array([np.cos(turn), np.sin(turn)]) * side * 0.55
        down = np.array([-np.sin(turn), np.cos(turn)]) * side
        if not any(cv2.pointPolygonTest(c.quad_px.astype(np.float32), tuple(middle), False) >= 0 for c in label.cards):
            corner = middle - (across + down) / 2
            quad = np.array([corner, corner + across, corner + across + down, corner + down])
            yield no_index(picture, quad)


def _part_of(card_px: NDArray[np.float64], at: NDArray[np.float64], turn: float, size: float) -> NDArray[np.float64]:
    """A patch-sized quad in the middle of a card, turned."""
    across, down = card_px[1] - card_px[0], card_px[3] - card_px[0]
    unit = np.array([[-0.17, -0.22], [0.17, -0.22], [0.17, 0.22], [-0.17, 0.22]]) * size
    cos, sin = np.cos(turn), np.sin(turn)
    turned = np.stack([unit[:, 0] * cos - unit[:, 1] * sin * 1.4, unit[:, 0] * sin / 1.4 + unit[:, 1] * cos], axis=1)
    place = turned + at + 0.12
    return np.asarray(card_px[0] + place[:, :1] * across + place[:, 1:] * down)


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """B patches as the network reads them and what it is to say of them."""

    pictures: Picture  # (B, H, W, 3)
    labels: NDArray[np.int64]  # (B, 4): rank, suit, legible, right
    corners: NDArray[np.float32]  # (B, 8): how far the true corners lie from where it was cut
    places: NDArray[np.float32]  # (B, 6): the index's middle, and from there to its right and lower edges

    @property
    def is_index(self) -> NDArray[np.bool_]:
        """(B,) whether the last two mean anything."""
        return np.asarray(self.labels[:, 3] != NONE, np.bool_)


def batches(patches: Patches, size: int, rng: np.random.Generator) -> Iterator[Batch]:
    """Endless; of fewer patches than a batch has, all at once."""
    if not len(patches):
        raise ModelError("the sets given hold no patch to learn from; simulate pictures with cards in them")
    size = min(size, len(patches))
    labels = np.stack([patches.ranks, patches.suits, patches.legible, patches.at_right], axis=1).astype(np.int64)
    while True:
        order = rng.permutation(len(patches))
        for start in range(0, len(order) - size + 1, size):
            chosen = order[start : start + size]
            pictures, quads = zip(*(_varied(patches, number, rng) for number in chosen), strict=True)
            corners, indices = np.split(np.stack(quads), 2, axis=1)
            yield Batch(np.stack(pictures), labels[chosen], (corners - UNIT).reshape(-1, CORNERS), places_of(indices))


def places_of(indices: NDArray[np.float32]) -> NDArray[np.float32]:
    """Quads (N, 4, 2) around indices as middle, half the way across and half the way down (N, 6)."""
    first, second, third, fourth = indices.transpose(1, 0, 2)
    across, down = (second - first + third - fourth) / 4, (fourth - first + third - second) / 4
    return np.concatenate([indices.mean(axis=1), across, down], axis=1).astype(np.float32)


def _varied(patches: Patches, number: int, rng: np.random.Generator) -> tuple[Picture, NDArray[np.float32]]:
    """A patch that was located is off the mark as locators are; others are put off it, more or less."""
    far = 0.25 if patches.located[number] else (1.0 if rng.random() < 0.25 else 0.3)
    stored = cv2.imdecode(np.frombuffer(patches.pictures[number], np.uint8), cv2.IMREAD_COLOR)
    quads = np.concatenate([patches.corners[number], patches.indices[number]])
    return vary(np.asarray(stored, np.uint8), rng, far, quads)


def vary(
    stored: Picture, rng: np.random.Generator, far: float, points: NDArray[np.float32]
) -> tuple[Picture, NDArray[np.float32]]:
    """One stored patch cut up to so `far` off the mark, in a slightly other light, at times smaller or softer.

    Also where some points (N, 2) of it then lie, before and after in parts of the patch.
    """
    matrix = _miscut(rng, far)
    width, height = PATCH_PX_WH
    patch = cv2.warpPerspective(stored, matrix, PATCH_PX_WH, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inner = _nominal(PATCH_PX_WH)[2] - _nominal(PATCH_PX_WH)[0]
    there = _nominal(STORED_PX_WH)[0] + points * inner
    seen = cv2.perspectiveTransform(there[:, None].astype(np.float32), matrix).reshape(-1, 2)
    moved = ((seen - _nominal(PATCH_PX_WH)[0]) / inner).astype(np.float32)
    chance = rng.random()
    if chance < 0.15:  # a camera farther away
        small = rng.uniform(0.3, 0.7)
        patch = cv2.resize(patch, (round(width * small), round(height * small)), interpolation=cv2.INTER_AREA)
        patch = cv2.resize(patch, PATCH_PX_WH, interpolation=cv2.INTER_LINEAR)
    elif chance < 0.22:
        patch = cv2.GaussianBlur(patch, (0, 0), rng.uniform(0.6, 2.2))
    elif chance < 0.26:
        patch = _smeared(np.asarray(patch, np.uint8), rng)
    gains = np.exp(np.clip(rng.normal(0, 0.22), -0.8, 0.4)) * (1 + 0.06 * rng.standard_normal(3))
    lit = patch.astype(np.float32) * np.asarray(gains, np.float32) + np.float32(rng.normal(0, 8))
    if rng.random() < SHADED:
        lit *= _shade(rng)
    if rng.random() < 0.3:
        lit += rng.standard_normal(patch.shape, np.float32) * np.float32(rng.uniform(1, 8))
    return np.asarray(np.clip(lit, 0, 255), np.uint8), moved


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
    length = int(rng.integers(4, 12))
    kernel = np.zeros((length, length), np.float32)
    way = rng.uniform(0, np.pi)
    reach = np.array([np.cos(way), np.sin(way)]) * (length - 1) / 2
    middle = (length - 1) / 2
    start, end = middle - reach, middle + reach
    cv2.line(kernel, (round(start[0]), round(start[1])), (round(end[0]), round(end[1])), 1.0)
    return np.asarray(cv2.filter2D(patch, -1, kernel / max(float(kernel.sum()), 1.0)), np.uint8)
