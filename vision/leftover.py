"""What lies on the felt, whatever it is: hands, chips, cards that nothing was read of.

In: a straightened zone and the cards that were seen in it. Out: how much lies there besides, so that a count of cards
is only called certain where nothing else could be one; and how a wager's spot looks, so that a change shows.

The felt is the zone's most frequent colour; thin lines and letters printed on it are none of the things.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader import ZONE_PX_PER_MM

SHRINK: Final = 2  # the zone is looked at this much smaller
COLOUR_BIN: Final = 4
COLOUR_APART: Final = 0.45  # of the felt's own saturation; a card is white, a hand is skin
LEAST_APART: Final = 7.0  # and at least so much, in Lab
LIGHTER, DARKER = 34, 70  # than the felt, in grey levels: a shadow is no thing
THIN_MM: Final = 9.0  # print and the edges of well known cards
CARD_EDGE_MM: Final = 5.0  # by which a card may be larger than it was seen
CARD_MM2: Final = 63.0 * 88.0
PACKET_MM: Final = (54.0, 82.0)  # how wide a packet of cards is, perhaps loose
HIGH_MM: Final = (78.0, 108.0)  # and how high
ROW_MM: Final = 250.0  # cards side by side
FILLED: Final = 0.8  # of the rectangle around it
CELLS: Final = 5  # a spot's look, so many cells each way
COVERED: Final = 0.3  # of what is around a spot: more than chips
STEP: Final = 4  # levels that count as one

Picture = NDArray[np.uint8]
Quad = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Things:
    """A straightened zone, smaller: where something other than felt is, and the colours relative to the felt's."""

    mask: Picture  # (H, W), 255 or 0
    apart: NDArray[np.float32]  # (H, W, 3), Lab minus the felt's


def things_on_felt(zone_bgr: Picture) -> Things:
    """Tell things from felt by colour."""
    height, width = zone_bgr.shape[:2]
    size_wh = (max(1, width // SHRINK), max(1, height // SHRINK))
    small = cv2.resize(zone_bgr, size_wh, interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2Lab).astype(np.float32)
    is_seen = small.max(axis=2) > 0  # black is where the picture does not reach
    felt = _felt(lab, is_seen)
    apart = lab - felt
    saturation = float(np.hypot(*(felt[1:] - 128)))
    colour = np.hypot(apart[..., 1], apart[..., 2]) > max(LEAST_APART, COLOUR_APART * saturation)
    found = (colour | (apart[..., 0] > LIGHTER) | (apart[..., 0] < -DARKER)) & is_seen
    return Things(np.where(found, np.uint8(255), np.uint8(0)), apart)


def leftover_cards(things: Things, outline_px: Quad, quads_px: Sequence[Quad]) -> float:
    """How much lies inside the outline besides the cards at these quads, in cards' worth of area."""
    mask = _left_mask(things, outline_px, quads_px)
    return float(np.count_nonzero(mask)) / (CARD_MM2 * (ZONE_PX_PER_MM / SHRINK) ** 2)


def covered_share(things: Things, quad_px: Quad) -> float:
    """The share of a quad (4, 2) where something other than felt is."""
    inside = np.zeros_like(things.mask)
    cv2.fillConvexPoly(inside, _small(quad_px), 255)
    return float((things.mask[inside > 0] > 0).mean()) if inside.any() else 0.0


def packet_shapes(things: Things, outline_px: Quad, quads_px: Sequence[Quad]) -> list[Quad]:
    """Quads (4, 2) of what has the shape of a packet or a row of cards, and lies free inside the outline.

    However a back is printed, a packet lies there as a light or dark rectangle; an arm comes in from outside.
    """
    mask = _left_mask(things, outline_px, quads_px)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outline = _small(outline_px).astype(np.float32)
    found = []
    for contour in contours:
        rectangle = cv2.minAreaRect(contour)
        sides = np.sort(np.array(rectangle[1])) * SHRINK / ZONE_PX_PER_MM
        is_filled = cv2.contourArea(contour) >= FILLED * max(1.0, float(np.prod(rectangle[1])))
        is_free = all(cv2.pointPolygonTest(outline, tuple(map(float, point[0])), True) > 1 for point in contour)
        if is_filled and is_free and _is_packet(float(sides[0]), float(sides[1])):
            found.append(np.asarray(cv2.boxPoints(rectangle) * SHRINK, np.float32))
    return found


def _is_packet(short_mm: float, long_mm: float) -> bool:
    """A packet, or cards side by side, which are as high as a card and wider."""
    is_packet = PACKET_MM[0] <= short_mm <= PACKET_MM[1] and HIGH_MM[0] <= long_mm <= HIGH_MM[1]
    return is_packet or (HIGH_MM[0] <= short_mm <= HIGH_MM[1] <= long_mm <= ROW_MM)


def _left_mask(things: Things, outline_px: Quad, quads_px: Sequence[Quad]) -> Picture:
    """Where things are, inside the outline and outside the quads; without what is thin."""
    mask = things.mask.copy()
    inside = np.zeros_like(mask)
    cv2.fillConvexPoly(inside, _small(outline_px), 255)
    mask &= inside
    for quad in quads_px:
        hull = cv2.convexHull(_small(quad))
        edge = 2 * round(CARD_EDGE_MM * ZONE_PX_PER_MM / SHRINK) + 1
        cv2.fillConvexPoly(mask, hull, 0)
        cv2.polylines(mask, [hull], True, 0, edge)
    return _without_thin(mask)


def _without_thin(mask: Picture) -> Picture:
    side = max(1, round(THIN_MM * ZONE_PX_PER_MM / SHRINK))
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)), np.uint8)


def spot_look(zone_bgr: Picture, outline_px: Quad) -> tuple[tuple[int, ...], bool] | None:
    """A spot's colours relative to the felt around it, cell by cell, coarsely; and whether anything lies there.

    None where a hand or an arm covers it and much around it.
    """
    things = things_on_felt(zone_bgr)
    left, top, wide, high = cv2.boundingRect(_small(outline_px))
    around = things.mask.astype(bool)
    around[max(top, 0) : top + high, max(left, 0) : left + wide] = False
    if around.sum() > COVERED * (around.size - wide * high):
        return None
    inner = things.apart[max(top, 0) : top + high, max(left, 0) : left + wide]
    covered = _without_thin(things.mask)[max(top, 0) : top + high, max(left, 0) : left + wide]
    cells = cv2.resize(inner, (CELLS, CELLS), interpolation=cv2.INTER_AREA)
    return tuple(np.round(cells / STEP).astype(int).ravel().tolist()), bool((covered > 0).mean() > 0.3)


def _felt(lab: NDArray[np.float32], is_seen: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The most frequent colour (3,): of the felt, as no single thing covers most of a zone and its margin."""
    seen = lab[is_seen]
    if not len(seen):
        return np.array([0, 128, 128], np.float32)
    bins = (seen[:, 1:] / COLOUR_BIN).astype(np.int32)
    side = 256 // COLOUR_BIN
    counts = np.bincount(bins[:, 0] * side + bins[:, 1], minlength=side * side).astype(np.float32).reshape(side, side)
    peak = np.unravel_index(int(cv2.blur(counts, (3, 3)).argmax()), counts.shape)
    near = np.abs(bins - np.array(peak)).max(axis=1) <= 1
    return np.asarray(np.median(seen[near], axis=0), np.float32)


def _small(points_px: Quad) -> NDArray[np.int32]:
    return np.round(np.clip(points_px, -20000, 20000) / SHRINK).astype(np.int32)
