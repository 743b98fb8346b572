"""Drawing on card art: curves to outlines, outlines to masks, masks onto a picture.

In: outlines as (N, 2) arrays. Out: masks (uint8, 0..255) and changed BGR pictures. Everything is anti-aliased.
"""

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Mask = NDArray[np.uint8]
Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]  # BGR

_SHIFT = 4  # fractional bits of OpenCV's drawing functions


def _fixed(points: Points) -> NDArray[np.int32]:
    return np.round(np.asarray(points) * (1 << _SHIFT)).astype(np.int32)


def bezier(*controls: tuple[float, float], steps: int = 14) -> Points:
    """Points along the Bézier curve of these control points, ends included."""
    points = np.repeat(np.array(controls, dtype=np.float64)[None], steps, axis=0)
    t = np.linspace(0, 1, steps)[:, None, None]
    while points.shape[1] > 1:
        points = points[:, :-1] * (1 - t) + points[:, 1:] * t
    return np.asarray(points[:, 0])


def ellipse(
    centre: tuple[float, float], radii: tuple[float, float], start_deg: float = 0, end_deg: float = 360, steps: int = 32
) -> Points:
    """Points along an ellipse, clockwise on the screen from the right."""
    angle = np.radians(np.linspace(start_deg, end_deg, steps))
    return np.stack([centre[0] + radii[0] * np.cos(angle), centre[1] + radii[1] * np.sin(angle)], axis=1)


def mirrored(points: Points, axis_x: float = 0.5) -> Points:
    """An outline's left half followed by its mirror image, so that it closes."""
    other = points[::-1].copy()
    other[:, 0] = 2 * axis_x - other[:, 0]
    return np.concatenate([points, other])


def fill(picture: Picture, outline: Points, colour: Colour | int) -> None:
    """Fill an outline given in pixels."""
    cv2.fillPoly(picture, [_fixed(outline)], colour, cv2.LINE_AA, _SHIFT)


def line(picture: Picture, points: Points, colour: Colour | int, width_px: int, closed: bool = False) -> None:
    """Draw a line through points given in pixels."""
    cv2.polylines(picture, [_fixed(points)], closed, colour, max(1, width_px), cv2.LINE_AA, _SHIFT)


def fill_lined(picture: Picture, outline: Points, colour: Colour, ink: Colour, width_px: int) -> None:
    """Fill an outline and draw its edge, as printed figures are."""
    fill(picture, outline, colour)
    if width_px:
        line(picture, outline, ink, width_px, closed=True)


def mask_of(outlines: Sequence[Points], height_px: int, margin: float = 0.02) -> Mask:
    """Union of outlines as a mask of this height, cut to their common box."""
    everything = np.concatenate(list(outlines))
    low, high = everything.min(axis=0), everything.max(axis=0)
    scale = height_px / max(high[1] - low[1], 1e-6)
    pad = margin * height_px
    size = np.ceil((high - low) * scale + 2 * pad).astype(int) + 1
    mask = np.zeros((size[1], size[0]), np.uint8)
    for outline in outlines:
        fill(mask, (outline - low) * scale + pad, 255)
    return cut_to_ink(mask)


def cut_to_ink(mask: Mask) -> Mask:
    """The mask without its empty margins."""
    columns, rows = np.flatnonzero(mask.max(axis=0) > 40), np.flatnonzero(mask.max(axis=1) > 40)
    if not len(columns):
        return mask[:1, :1]
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def resized(mask: Mask, size_wh: tuple[float, float]) -> Mask:
    """The mask at another size, averaged when it shrinks."""
    width, height = max(1, round(size_wh[0])), max(1, round(size_wh[1]))
    shrinks = width < mask.shape[1]
    return np.asarray(
        cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR), np.uint8
    )


def stamp(picture: Picture, mask: Mask, left: float, top: float, colour: Colour) -> None:
    """Print a mask in one ink with its upper left at this pixel; what is off the picture is left out."""
    x, y = round(left), round(top)
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + mask.shape[1], picture.shape[1]), min(y + mask.shape[0], picture.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    # Shares of 256 instead of 255, so that a shift divides; everything fits sixteen bits.
    cover = mask[y0 - y : y1 - y, x0 - x : x1 - x, None].astype(np.uint16)
    cover += cover >> 7
    area = picture[y0:y1, x0:x1]
    area[:] = (area * (256 - cover) + np.array(colour, np.uint16) * cover) >> 8


def stamp_centred(picture: Picture, mask: Mask, centre_px: tuple[float, float], colour: Colour) -> None:
    """Print a mask with its middle at this pixel."""
    stamp(picture, mask, centre_px[0] - mask.shape[1] / 2, centre_px[1] - mask.shape[0] / 2, colour)


@lru_cache(maxsize=32)
def rounded_corners(size_wh: tuple[int, int], radius_px: float) -> Mask:
    """The card's outline: a rectangle with rounded corners, anti-aliased. Kept, so not to be written to."""
    width, height = size_wh
    mask = np.full((height, width), 255, np.uint8)
    reach = min(int(np.ceil(radius_px)) + 1, width // 2, height // 2)
    away = np.maximum(radius_px - np.arange(reach) - 0.5, 0)
    corner = (np.clip(radius_px + 0.5 - np.hypot(away[None], away[:, None]), 0, 1) * 255).astype(np.uint8)
    mask[:reach, :reach], mask[:reach, -reach:] = corner, corner[:, ::-1]
    mask[-reach:, :reach], mask[-reach:, -reach:] = corner[::-1], corner[::-1, ::-1]
    mask.setflags(write=False)
    return mask


def with_alpha(picture: Picture, alpha: Mask) -> Picture:
    """BGR and alpha as one BGRA picture."""
    return np.asarray(cv2.merge([*cv2.split(picture), alpha]), np.uint8)


def turned(picture: Picture) -> Picture:
    """The picture turned by 180 degrees."""
    return np.asarray(cv2.rotate(picture, cv2.ROTATE_180), np.uint8)
