"""Printed words: text as masks, straight or along a curve, in the typefaces that OpenCV brings along.

In: a text, a `Lettering`, a place on the table in millimetres. Out: ink on a `Plane`'s picture. The typefaces come with
the library, so the same seed gives the same picture on every machine; width and slant are varied instead.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import plane_homography

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Colour = tuple[int, int, int]  # BGR

_GLYPH_PX = 72  # type is drawn at this size and then brought to its own
_SUB = 4  # bits of a pixel's fraction in OpenCV's drawing
SUITS = "♠♥♦♣"


@dataclass(frozen=True, slots=True)
class Lettering:
    """A typeface as a printer would choose it."""

    face: str = "sans"  # "sans", "italic" or "uni"
    weight: int = 600  # 100 thin .. 1000 black
    width: float = 1.0  # of the drawn letters to the designed ones
    spacing: float = 0.04  # of the height of a capital, between letters set along a curve


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """A picture of the table plane that is being drawn, in millimetres: dealer on top, x to the left."""

    image: Picture
    right_mm: float  # x of the picture's left edge
    top_mm: float  # y of its upper edge
    px_per_mm: float

    def to_px(self, points_mm: Floats) -> Floats:
        """Pixels of points (N, 2) of the table."""
        homography = plane_homography(self.right_mm, self.top_mm, self.px_per_mm)
        return np.asarray(points_mm, float) @ homography[:2, :2].T + homography[:2, 2]

    def fixed_point(self, points_mm: Floats) -> NDArray[np.int32]:
        """The same as OpenCV draws it with fractions of pixels."""
        return np.round(self.to_px(points_mm) * (1 << _SUB)).astype(np.int32)

    def ink(self, mask: Picture, left: int, top: int, colour: Colour, strength: float = 1.0) -> None:
        """Colour the picture where a mask (h, w), placed at a pixel, says so."""
        height, width = self.image.shape[:2]
        x0, y0 = max(left, 0), max(top, 0)
        x1, y1 = min(left + mask.shape[1], width), min(top + mask.shape[0], height)
        if x0 >= x1 or y0 >= y1:
            return
        window = self.image[y0:y1, x0:x1]
        share = mask[y0 - top : y1 - top, x0 - left : x1 - left].astype(np.float32) * np.float32(strength / 255)
        blend = window + (np.array(colour, np.float32) - window) * share[..., None]
        window[:] = np.clip(blend + 0.5, 0, 255).astype(np.uint8)

    def fill(self, outline_mm: Floats, colour: Colour, strength: float = 1.0) -> None:
        """Fill a polygon."""
        self._draw(outline_mm, colour, strength, 0.0)

    def outline(self, outline_mm: Floats, colour: Colour, width_mm: float, strength: float = 1.0) -> None:
        """Draw a closed line."""
        self._draw(outline_mm, colour, strength, width_mm)

    def line(self, points_mm: Floats, colour: Colour, width_mm: float, strength: float = 1.0) -> None:
        """Draw an open line."""
        self._draw(points_mm, colour, strength, width_mm, is_closed=False)

    def _draw(
        self, points_mm: Floats, colour: Colour, strength: float, width_mm: float, is_closed: bool = True
    ) -> None:
        margin = int(width_mm * self.px_per_mm) + 3
        seen = self.to_px(points_mm)
        left, top = (np.floor(seen.min(axis=0)).astype(int) - margin).tolist()
        width, height = (np.ceil(np.ptp(seen, axis=0)).astype(int) + 2 * margin + 2).tolist()
        # Twice the size and halved: OpenCV's own smoothing does not know broken line widths.
        mask = np.zeros((height * 2, width * 2), np.uint8)
        shifted = np.round(((seen - [left, top]) * 2 + 0.5) * (1 << _SUB)).astype(np.int32)
        if width_mm:
            thickness = max(1, round(width_mm * self.px_per_mm * 2))
            cv2.polylines(mask, [shifted], is_closed, 255, thickness, cv2.LINE_AA, _SUB)
        else:
            cv2.fillPoly(mask, [shifted], 255, cv2.LINE_AA, _SUB)
        small = np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        self.ink(small, left, top, colour, strength)


def circle_mm(centre_mm: tuple[float, float], radius_mm: float, sides: int = 72) -> Floats:
    """A circle, or a regular polygon with a corner towards +y."""
    turn = np.linspace(0, 2 * np.pi, sides, endpoint=False) + np.pi / 2
    return np.array(centre_mm) + radius_mm * np.column_stack([np.cos(turn), np.sin(turn)])


def print_text(
    plane: Plane,
    text: str,
    lettering: Lettering,
    centre_mm: tuple[float, float],
    cap_mm: float,
    colour: Colour,
    up: tuple[float, float] = (0.0, -1.0),
    strength: float = 0.95,
) -> None:
    """Print a line of text around a point; `up` is the direction of its letters' tops on the table."""
    mask = _text_mask(text, lettering.face, lettering.weight)
    scale = cap_mm * plane.px_per_mm / _cap_px(lettering.face, lettering.weight)
    _stamp(plane, mask, centre_mm, up, (scale * lettering.width, scale), colour, strength)


def print_along(
    plane: Plane,
    text: str,
    lettering: Lettering,
    curve_mm: Floats,
    cap_mm: float,
    colour: Colour,
    strength: float = 0.95,
) -> None:
    """Print letter by letter along a curve, middle on middle; letters stand on the left of its direction."""
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(curve_mm, axis=0), axis=1))])
    cap_px = _cap_px(lettering.face, lettering.weight)
    widths = [
        _advance_px(letter, lettering.face, lettering.weight) / cap_px * lettering.width + lettering.spacing
        for letter in text
    ]
    cap_mm = min(cap_mm, 0.96 * lengths[-1] / sum(widths))  # a text too long for its curve is set smaller
    at = (lengths[-1] - sum(widths) * cap_mm) / 2
    for letter, width in zip(text, widths, strict=True):
        middle = at + width * cap_mm / 2
        back, ahead = (
            np.array([np.interp(where, lengths, curve_mm[:, axis]) for axis in (0, 1)])
            for where in (middle - 1, middle + 1)
        )
        spot, along = (back + ahead) / 2, ahead - back
        if letter != " ":
            up = (float(-along[1]), float(along[0]))
            print_text(plane, letter, lettering, (spot[0], spot[1]), cap_mm, colour, up, strength)
        at += width * cap_mm


def print_suit(
    plane: Plane, suit: str, centre_mm: tuple[float, float], size_mm: float, colour: Colour, up: tuple[float, float]
) -> None:
    """Print one of the four suit signs, drawn from curves."""
    mask = _suit_mask(suit)
    scale = size_mm * plane.px_per_mm / mask.shape[0]
    _stamp(plane, mask, centre_mm, up, (scale, scale), colour, 0.95)


def _stamp(
    plane: Plane,
    mask: Picture,
    centre_mm: tuple[float, float],
    up: tuple[float, float],
    scale_xy: tuple[float, float],
    colour: Colour,
    strength: float,
) -> None:
    """Ink a mask turned so that its top points `up`. The plane shows x to the left, y downwards."""
    height, width = mask.shape
    shrink = max(1.0, 0.5 / max(scale_xy))
    if shrink > 1.01:
        mask = np.asarray(cv2.resize(mask, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA), np.uint8)
        scale_xy = (scale_xy[0] * width / mask.shape[1], scale_xy[1] * height / mask.shape[0])
        height, width = mask.shape
    length = float(np.hypot(*up))
    rise = np.array([-up[0], up[1]]) / length  # the picture's direction of `up`
    right = np.array([-rise[1], rise[0]])
    matrix = np.column_stack([right * scale_xy[0], -rise * scale_xy[1]])
    middle = plane.to_px(np.array([centre_mm]))[0]
    reach = int(np.abs(matrix * [width, height]).sum(axis=1).max() / 2) + 3
    corner = np.floor(middle).astype(int) - reach
    offset = middle - corner - matrix @ [(width - 1) / 2, (height - 1) / 2]
    turned = cv2.warpAffine(
        mask, np.column_stack([matrix, offset]), (2 * reach + 1, 2 * reach + 1), flags=cv2.INTER_LINEAR
    )
    plane.ink(np.asarray(turned, np.uint8), int(corner[0]), int(corner[1]), colour, strength)


@lru_cache(maxsize=512)
def _text_mask(text: str, face: str, weight: int) -> Picture:
    """The text in white on black, as wide as it is, with one line's height around the capitals' middle."""
    width = sum(_advance_px(letter, face, weight) for letter in text) + _GLYPH_PX
    canvas = np.zeros((2 * _GLYPH_PX, width), np.uint8)
    baseline = _GLYPH_PX + _cap_px(face, weight) // 2
    cv2.putText(canvas, text, (_GLYPH_PX // 2, baseline), (255,), cv2.FontFace(face), _GLYPH_PX, weight)
    columns = np.flatnonzero(canvas.any(axis=0))
    return canvas[:, columns[0] : columns[-1] + 1] if columns.size else canvas[:, :1]


@lru_cache(maxsize=512)
def _advance_px(letter: str, face: str, weight: int) -> int:
    size = cv2.getTextSize((0, 0), letter, (0, 0), cv2.FontFace(face), _GLYPH_PX, weight)
    return int(size[2])


@lru_cache(maxsize=16)
def _cap_px(face: str, weight: int) -> int:
    canvas = np.zeros((2 * _GLYPH_PX, 2 * _GLYPH_PX), np.uint8)
    cv2.putText(canvas, "H", (10, _GLYPH_PX), (255,), cv2.FontFace(face), _GLYPH_PX, weight)
    rows = np.flatnonzero((canvas > 128).any(axis=1))
    return int(rows[-1] - rows[0] + 1)


@lru_cache(maxsize=4)
def _suit_mask(suit: str) -> Picture:
    mask = np.zeros((128, 128), np.uint8)
    if suit == "♦":
        cv2.fillPoly(mask, [np.array([[64, 4], [108, 64], [64, 124], [20, 64]])], (255,), cv2.LINE_AA)
        return mask
    if suit in "♥♠":
        turn = np.linspace(0, 2 * np.pi, 100)
        x = 16 * np.sin(turn) ** 3
        y = 13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn)
        sign = -1 if suit == "♥" else 1
        size = 3.6 if suit == "♥" else 3.1
        outline = np.column_stack([64 + size * x, (58 if suit == "♥" else 62) + sign * size * y])
        cv2.fillPoly(mask, [outline.round().astype(np.int32)], (255,), cv2.LINE_AA)
    else:
        for leaf in ((64, 34), (36, 72), (92, 72)):
            cv2.circle(mask, leaf, 26, (255,), -1, cv2.LINE_AA)
    if suit in "♠♣":
        cv2.fillPoly(mask, [np.array([[58, 60], [70, 60], [84, 122], [44, 122]])], (255,), cv2.LINE_AA)
    return mask
