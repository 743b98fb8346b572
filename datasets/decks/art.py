"""What a deck is: 52 faces and a back as pictures, with the geometry that labels are made from.

In: pictures of faces and back, BGRA. Out: `Deck`, and where a card's index patches lie in its own millimetres.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.errors import DatasetError
from game.cards import DECK, Card

ART_PX_PER_MM: Final = 8
PATCH_WIDTH: Final = 0.34  # of the card's width
PATCH_HEIGHT: Final = 0.44  # of the card's height
CORNERS: Final = ("upper-left", "upper-right", "lower-right", "lower-left")
TWO_CORNERS: Final = ("upper-left", "lower-right")
SPLITS: Final = ("train", "validation", "test")

Art = NDArray[np.uint8]


class LazyFaces(Mapping[Card, Art]):
    """Faces that are made when first asked for, and kept: a picture of five cards needs five faces."""

    def __init__(self, make: Callable[[Card], Art]) -> None:
        self._make = make
        self._made: dict[Card, Art] = {}

    def __getitem__(self, card: Card) -> Art:
        if card not in self._made:
            art = self._make(card)
            art.setflags(write=False)
            self._made[card] = art
        return self._made[card]

    def __contains__(self, card: object) -> bool:
        return isinstance(card, Card)

    def __iter__(self) -> Iterator[Card]:
        return iter(DECK)

    def __len__(self) -> int:
        return len(DECK)


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """One deck of cards as art at `ART_PX_PER_MM`, upright, rounded corners in the alpha."""

    name: str
    drawing: str  # the family of index drawing; the split is by this
    split: str  # one of SPLITS
    size_mm: tuple[float, float]  # width, height
    index_corners: tuple[str, ...]  # of CORNERS, those that carry an index
    faces: Mapping[Card, Art]  # BGRA
    back: Art  # BGRA
    licence: str
    identify: bool = True  # False: letters other than A K Q J, good for locating an index, not for reading it

    def __post_init__(self) -> None:
        if self.split not in SPLITS:
            raise DatasetError(f"deck {self.name}: split {self.split!r} is not one of {', '.join(SPLITS)}")
        if unknown := set(self.index_corners) - set(CORNERS):
            raise DatasetError(f"deck {self.name}: {sorted(unknown)} are no corners; use {', '.join(CORNERS)}")
        if self.back.shape != (*size_px(self.size_mm)[::-1], 4):
            raise DatasetError(f"deck {self.name}: the back is {self.back.shape}, not {size_px(self.size_mm)} BGRA")
        self.back.setflags(write=False)


def size_px(size_mm: tuple[float, float]) -> tuple[int, int]:
    """Width and height of the art of a card of this size.

    >>> size_px((63.0, 88.0))
    (504, 704)
    """
    return round(size_mm[0] * ART_PX_PER_MM), round(size_mm[1] * ART_PX_PER_MM)


def index_patches_mm(size_mm: tuple[float, float], corners: Sequence[str]) -> NDArray[np.float64]:
    """The index patches (N, 4, 2) in card millimetres, key points clockwise from the patch's upper left as read.

    >>> index_patches_mm((100.0, 100.0), ["lower-right"]).tolist()
    [[[100.0, 100.0], [66.0, 100.0], [66.0, 56.0], [100.0, 56.0]]]
    """
    if unknown := set(corners) - set(CORNERS):
        raise DatasetError(f"{sorted(unknown)} are no corners of a card; use {', '.join(CORNERS)}")
    size = np.array(size_mm, dtype=np.float64)
    upper_left = np.array([[0, 0], [PATCH_WIDTH, 0], [PATCH_WIDTH, PATCH_HEIGHT], [0, PATCH_HEIGHT]]) * size
    upper_right = upper_left + np.array([(1 - PATCH_WIDTH) * size[0], 0])
    patches = {
        "upper-left": upper_left,
        "upper-right": upper_right,
        "lower-right": size - upper_left,
        "lower-left": size - upper_right,
    }
    return np.array([patches[corner] for corner in corners]).reshape(-1, 4, 2)


def patch_art(art: Art, corner: str) -> Art:
    """The index patch of one corner cut out of a face, turned so that it reads upright."""
    height, width = art.shape[:2]
    patch_w, patch_h = round(width * PATCH_WIDTH), round(height * PATCH_HEIGHT)
    upright = np.rot90(art, 2) if corner.startswith("lower") else art
    # A lower-left patch is at the upper right once the card is turned.
    at_right = corner in ("upper-right", "lower-left")
    return upright[:patch_h, width - patch_w :] if at_right else upright[:patch_h, :patch_w]
