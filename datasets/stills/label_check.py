"""Do labels tell the truth? Each stated index patch is cut out of the picture and compared with its deck's own art.

In: a picture, its label, the decks. Out: for each patch how well it agrees with the card it is said to be, and which of
the 52 it agrees with best. A generator that mixes up cards, corners or the order of key points does not pass.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.art import Deck, patch_art
from datasets.picture.compose import UNIT_SQUARE, Picture
from datasets.stills.labels import IndexPatch, StillLabel
from game.cards import DECK, Card

PATCH_WH = (44, 80)


@dataclass(frozen=True, slots=True)
class PatchCheck:
    """One patch's agreement with its deck's art, -1..1."""

    stated: Card
    corner: str
    height_px: float  # of the patch in the picture
    agreement: float
    likeliest: Card


def check_still(
    picture: Picture, label: StillLabel, load: Callable[[str], Deck], least_visible: float = 0.98
) -> Iterator[PatchCheck]:
    """Every patch of a picture that is visible enough, compared with all 52 faces of its deck."""
    for card in label.cards:
        for patch in card.patches:
            if card.card is None or min(patch.visibility, patch.index_visibility) < least_visible:
                continue
            faces = deck_patches(load(card.deck), patch.corner)
            agreements = faces @ _standardised(cut_patch(picture, patch))
            height = float(np.linalg.norm(patch.keypoints_px[3] - patch.keypoints_px[0]))
            likeliest = DECK[int(np.argmax(agreements))]
            yield PatchCheck(card.card, patch.corner, height, float(agreements[card.card.index]), likeliest)


def cut_patch(picture: Picture, patch: IndexPatch) -> Picture:
    """The patch warped upright to `PATCH_WH`."""
    target = UNIT_SQUARE * np.array(PATCH_WH, np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(patch.keypoints_px.astype(np.float32), target)
    return np.asarray(cv2.warpPerspective(picture, matrix, PATCH_WH, flags=cv2.INTER_AREA), np.uint8)


@lru_cache(maxsize=8)
def deck_patches(deck: Deck, corner: str) -> NDArray[np.float32]:
    """The 52 patches of one corner, each a row of unit length and zero mean, so that a product is a correlation."""
    rows = []
    for card in DECK:
        art = patch_art(deck.faces[card], corner)
        small = cv2.resize(np.ascontiguousarray(art[..., :3]), PATCH_WH, interpolation=cv2.INTER_AREA)
        rows.append(_standardised(np.asarray(small, np.uint8)))
    return np.array(rows)


def _standardised(patch: Picture) -> NDArray[np.float32]:
    """Each channel without its mean (the light's colour); the outermost pixels are the rounded corner's neighbours."""
    inner = np.asarray(cv2.GaussianBlur(patch[4:-2, 4:-2].astype(np.float32), (0, 0), 1.0), np.float32)
    flat = (inner - inner.mean(axis=(0, 1))).ravel()
    return np.asarray(flat / max(float(np.linalg.norm(flat)), 1e-6), np.float32)
