"""Index patches for training as the committed locator cuts them: off the mark in its own ways, neighbours in fans too.

In: folders that `foursight simulate images` wrote. Out: for each one more `.npz`, named after the locator's weights.
What lies where no index does is labelled illegible; what might be either of two neighbours is left out.
"""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.catalogue import read_catalogue
from datasets.stills.labels import IGNORE_FROM, IndexPatch, StillLabel, read_labels
from models.errors import ModelError
from models.identify_data import SMALLEST_PX, Patches, PatchRow, index_row, no_index, store_patches
from vision.identify import UNIT
from vision.locate import OnnxDetector, patch_scale
from vision.reader import locate_at_all_scales
from vision.weights import load_weights

AT: Final = 0.4  # along its diagonal: about the middle of the rank and suit in a patch
SAME: Final = 0.25  # distance of these middles, in parts of the patch, up to which a mark is that index
CLEAR: Final = 1.6  # the next index must lie so many times as far
ELSEWHERE: Final = 0.7  # farther than that from every index, a mark is none
MOST_SHIFT: Final = 0.6

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]


def load_located(folder: Path, workers: int) -> Patches:
    """The patches of one set where the committed locator finds them, cut now if they have not been before."""
    return Patches.read([located_file(folder, workers)])


def located_file(folder: Path, workers: int) -> Path:
    """Where these are kept, one file a locator."""
    return store_patches(
        folder / f"located-{load_weights('locate').sha256[:10]}.npz", lambda: _cut_set(folder, workers)
    )


def _cut_set(folder: Path, workers: int) -> Patches:
    labels = list(read_labels(folder / "labels.jsonl"))
    blocks = [labels[start : start + 50] for start in range(0, len(labels), 50)]
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        return Patches.joined(list(pool.map(partial(_cut_block, folder), blocks)))


@lru_cache(maxsize=1)
def _detector() -> OnnxDetector:
    return OnnxDetector.load(threads=1)


def _cut_block(folder: Path, labels: list[StillLabel]) -> Patches:
    unread = {name for name, entry in read_catalogue().decks.items() if not entry.identify}
    rows: list[PatchRow] = []
    for label in labels:
        picture = cv2.imread(str(folder / label.image))
        if picture is None:
            raise ModelError(f"{folder / label.image} is named in the labels and cannot be read")
        whole = np.asarray(picture, np.uint8)
        marks = locate_at_all_scales(_detector(), whole)
        rows += _named(whole, marks.keypoints[~marks.is_back], label, unread)
    return Patches.of(rows, located=True)


def _named(picture: Picture, points: Floats, label: StillLabel, unread: set[str]) -> Iterator[PatchRow]:
    """The marks of which it is clear what they are."""
    there = [(card, patch) for card in label.cards if card.face == "up" for patch in card.patches]
    true = np.array([patch.keypoints_px for _, patch in there], np.float32).reshape(-1, 4, 2)
    for quad in points:
        apart = np.linalg.norm(_middle(true) - _middle(quad[None]), axis=1) / np.maximum(patch_scale(quad[None]), 1e-3)
        order = np.argsort(apart)
        if not len(order) or apart[order[0]] > ELSEWHERE:
            yield no_index(picture, quad)
        elif apart[order[0]] < SAME and (len(order) == 1 or apart[order[1]] > CLEAR * apart[order[0]]):
            card, patch = there[int(order[0])]
            if card.card is not None and card.deck not in unread and _is_learnt_from(quad, patch):
                yield index_row(picture, quad, card.card, patch)


def _middle(quads: Floats) -> Floats:
    return np.asarray(quads[:, 0] + AT * (quads[:, 2] - quads[:, 0]), np.float32)


def _is_learnt_from(quad: Floats, patch: IndexPatch) -> bool:
    """Whether a patch was found about as it lies: not too small, hidden, turned or of quite another size."""
    true = patch.keypoints_px
    if np.linalg.norm(true[3] - true[0]) < SMALLEST_PX or patch.index_visibility < IGNORE_FROM:
        return False
    to_unit = cv2.getPerspectiveTransform(quad.astype(np.float32), UNIT)
    seen = cv2.perspectiveTransform(true[None].astype(np.float32), to_unit)[0]
    return bool(np.abs(seen - UNIT).max() <= MOST_SHIFT)
