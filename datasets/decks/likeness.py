"""How alike the index drawings of two decks are, to prove that no test drawing trains.

In: two decks. Out: a correlation in [-1, 1]; the same drawing in other colours or at another size is near 1.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.art import Art, Deck, patch_art
from game.cards import Card

_RANKS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)
_SIGN_WH = (24, 32)
_INK = 90  # grey levels from the paper
_DUST = 0.0006  # of the patch's area; smaller marks are no sign


def _rank_sign(patch: Art) -> NDArray[np.float64]:
    """The rank alone, cut to its ink and brought to one size, with mean 0 and length 1."""
    grey = patch[..., :3].min(axis=2)  # the darkest channel, so that red is as dark as black
    ink = ((float(np.median(grey)) - grey.astype(np.float64)) > _INK).astype(np.uint8)
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(ink)
    width = ink.shape[1]
    marks = [
        number
        for number in range(1, count)
        if boxes[number, cv2.CC_STAT_AREA] > _DUST * ink.size
        and boxes[number, cv2.CC_STAT_LEFT] > 0
        and boxes[number, cv2.CC_STAT_LEFT] + boxes[number, cv2.CC_STAT_WIDTH] < width
    ]
    if not marks:
        return np.zeros(_SIGN_WH[0] * _SIGN_WH[1])
    first = min(marks, key=lambda number: int(boxes[number, cv2.CC_STAT_TOP] * 3 + boxes[number, cv2.CC_STAT_LEFT]))
    left, top, wide, high = (int(value) for value in boxes[first, :4])
    sign = (labels[top : top + high, left : left + wide] == first).astype(np.uint8) * 255
    vector = cv2.resize(sign, _SIGN_WH, interpolation=cv2.INTER_AREA).astype(np.float64).ravel()
    vector -= vector.mean()
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-9))


def index_vectors(deck: Deck) -> NDArray[np.float64]:
    """The rank signs of a deck (13, N); the ten is its first figure."""
    patches = (patch_art(deck.faces[Card(rank, "s")], deck.index_corners[0]) for rank in _RANKS)
    return np.stack([_rank_sign(patch) for patch in patches])


def likeness(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """The median over the ranks of the correlation of two decks' signs."""
    return float(np.median((first * second).sum(axis=1)))
