"""Where in a deck's index patch the rank and suit stand.

In: a deck. Out: for a card and corner the area, in card millimetres, that must be seen for the index to be read. The
patch is larger than that: in a tight fan half of it is covered and the index is still whole.
"""

import cv2
import numpy as np

from datasets.decks.art import Art, Deck, index_patches_mm, patch_art
from datasets.picture.compose import Points
from game.cards import Card

ACES = tuple(Card.parse(text) for text in ("Ac", "Ad", "Ah"))
USUAL = (0.06, 0.04, 0.52, 0.62)
TEN_WIDER = 1.3
INK_LEVELS = 70
FRAME_SHARE = 0.5  # a line with more ink than this is a frame around the card
SMALLEST_PART = 0.0015  # of the patch; less is a speck


Box = tuple[float, float, float, float]


_areas: dict[tuple[str, str], Box] = {}  # by name, so that a deck's art is not kept alive for four numbers


def index_area(deck: Deck, corner: str) -> Box:
    """Left, top, right, bottom of the index in its patch as read, in parts of the patch.

    Measured on three aces, whose corners hold nothing else, and on the opposite corner too: where a frame or an
    ornament got in the way at one of them, the smaller area is the right one.
    """
    key = (deck.name, corner)
    if key not in _areas:
        _areas[key] = _measure(deck, corner)
    return _areas[key]


def _measure(deck: Deck, corner: str) -> Box:
    opposite = {"upper-left": "lower-right", "upper-right": "lower-left"}
    corners = {corner, opposite.get(corner, corner), *(k for k, v in opposite.items() if v == corner)}
    boxes = [box for place in sorted(corners & set(deck.index_corners)) if (box := _corner_box(deck, place))]
    return min(boxes, key=lambda box: (box[2] - box[0]) * (box[3] - box[1]), default=USUAL)


def _corner_box(deck: Deck, corner: str) -> Box | None:
    boxes = [box for card in ACES if (box := _ink_box(patch_art(deck.faces[card], corner))) is not None]
    if not boxes:
        return None
    low, high = np.min(boxes, axis=0), np.max(boxes, axis=0)
    return float(low[0]), float(low[1]), float(high[2]), float(high[3])


def index_quad_mm(deck: Deck, card: Card, corner: str) -> Points:
    """The index's corners in card millimetres, clockwise from its upper left as read."""
    left, top, right, bottom = index_area(deck, corner)
    if card.rank == 10:
        if corner in ("upper-right", "lower-left"):
            left = max(0.0, right - (right - left) * TEN_WIDER)
        else:
            right = min(1.0, left + (right - left) * TEN_WIDER)
    patch = index_patches_mm(deck.size_mm, [corner])[0]
    across, down = patch[1] - patch[0], patch[3] - patch[0]
    unit = ((left, top), (right, top), (right, bottom), (left, bottom))
    return np.array([patch[0] + x * across + y * down for x, y in unit])


def _ink_box(patch: Art) -> Box | None:
    """Around all ink that is neither a frame nor cut off by the patch's inner edges (the large ace)."""
    height, width = patch.shape[:2]
    paper = np.median(patch[..., :3].reshape(-1, 3), axis=0)
    away = np.abs(patch[..., :3].astype(np.int16) - paper.astype(np.int16)).max(axis=2)
    ink = ((away > INK_LEVELS) & (patch[..., 3] > 250)).astype(np.uint8)
    ink[:, ink.mean(axis=0) > FRAME_SHARE] = 0
    ink[ink.mean(axis=1) > FRAME_SHARE] = 0
    _, _, parts, _ = cv2.connectedComponentsWithStats(ink)
    boxes = [
        (x / width, y / height, (x + w) / width, (y + h) / height)
        for x, y, w, h, area in parts[1:]
        if area > SMALLEST_PART * width * height
        and w < 0.8 * width
        and h < 0.6 * height
        and x > 1
        and x + w < width - 1
        and y + h < height - 1
    ]
    if not boxes:
        return None
    low, high = np.min(boxes, axis=0), np.max(boxes, axis=0)
    return float(low[0]), float(low[1]), float(high[2]), float(high[3])
