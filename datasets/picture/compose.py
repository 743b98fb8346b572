"""Lay flat things into a picture: warp, shade, shadow, and keep account of who hides whom.

In: BGRA art (straight alpha), and where its four corners, or a bent mesh of its points, are seen. Out: the
picture with the thing in it and an id map that says which thing every pixel shows, so that visibility is
counted, not guessed.

Positions are OpenCV's, as `vision.camera` gives them: whole numbers are pixel centres, and a picture spans
-0.5 to its width - 0.5.
"""

import weakref
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.errors import DatasetError
from vision.camera import remap

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]

MESH_STEP_PX = 8
UNIT_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """A warped thing, cut to the picture: premultiplied BGRA and where its first pixel lies."""

    origin_xy: tuple[int, int]
    bgra: Picture

    def __post_init__(self) -> None:
        if self.bgra.ndim != 3 or self.bgra.shape[2] != 4:
            raise DatasetError(f"a layer is BGRA of shape (H, W, 4), got {self.bgra.shape}")
        self.bgra.setflags(write=False)

    @property
    def window(self) -> tuple[slice, slice]:
        """The rows and columns of the picture that it covers."""
        x, y = self.origin_xy
        return slice(y, y + self.bgra.shape[0]), slice(x, x + self.bgra.shape[1])


@dataclass(frozen=True, slots=True)
class Shading:
    """How light falls on one thing: a gain that varies over it, a sheen, and a rim at its cut edge."""

    gains: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)  # at its corners, as the art's
    sheen: float = 0.0  # 0..1 of white added at the middle of the sheen
    sheen_at: tuple[float, float] = (0.5, 0.5)  # in the art, 0..1
    sheen_width: float = 0.4  # of the art's height
    sheen_angle_rad: float = 0.0
    rim_gain: float = 1.0
    rim_width: float = 0.005  # of the art's width
    tint_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)  # paper that has yellowed, a coloured light


PLAIN = Shading()


def quad_area_px(quad_px: Points) -> float:
    """The area of a polygon in pixels."""
    return float(cv2.contourArea(np.asarray(quad_px, np.float32)))


def premultiply(art: Picture) -> Picture:
    """BGRA with its colours already scaled by its alpha, as blending and resampling want it."""
    clear = art[..., 3] < 255
    if not clear.any():
        return art
    out: Picture = art.copy()
    edge = art[clear].astype(np.uint16)
    edge[:, :3] = (edge[:, :3] * edge[:, 3:] + 127) // 255
    out[clear] = edge.astype(np.uint8)
    return out


_levels: dict[int, tuple[weakref.ref[Picture], tuple[Picture, ...]]] = {}


def _smaller(art: Picture) -> tuple[Picture, ...]:
    """The art premultiplied at 1/2, 1/4 and 1/8, kept while the art lives: a deck is used thousands of times."""
    key = id(art)
    if (kept := _levels.get(key)) is not None and kept[0]() is art:
        return kept[1]
    levels = [premultiply(art)]
    for _ in range(3):
        size = (-(-levels[-1].shape[1] // 2), -(-levels[-1].shape[0] // 2))
        levels.append(np.asarray(cv2.resize(levels[-1], size, interpolation=cv2.INTER_AREA), np.uint8))
    _levels[key] = (weakref.ref(art, lambda _: _levels.pop(key, None)), tuple(levels[1:]))
    return tuple(levels[1:])


def fit_art(art: Picture, width: float, height: float) -> Picture:
    """Premultiplied art shrunk by area to about the size at which it will be seen; never enlarged here."""
    wanted = (max(1, round(min(width, art.shape[1]))), max(1, round(min(height, art.shape[0]))))
    fitting = []
    if wanted[0] * 2 <= art.shape[1] and wanted[1] * 2 <= art.shape[0]:
        fitting = [level for level in _smaller(art) if wanted[0] <= level.shape[1] and wanted[1] <= level.shape[0]]
    source = fitting[-1] if fitting else premultiply(art)
    if wanted == (source.shape[1], source.shape[0]):
        return source
    return np.asarray(cv2.resize(source, wanted, interpolation=cv2.INTER_AREA), np.uint8)


def shade_art(art: Picture, shading: Shading) -> Picture:
    """The premultiplied art under its light."""
    if shading == PLAIN:
        return art
    height, width = art.shape[:2]
    upper_left, upper_right, lower_right, lower_left = shading.gains
    corners = np.array([[upper_left, upper_right], [lower_left, lower_right]], np.float32)
    gain = _stretch(corners, width, height)
    if shading.rim_gain != 1.0:
        rim = max(1, round(shading.rim_width * width))
        for edge in (np.s_[:rim], np.s_[-rim:], np.s_[:, :rim], np.s_[:, -rim:]):
            gain[edge] *= shading.rim_gain
    tint = shading.tint_bgr
    gains = cv2.merge([gain * tint[0], gain * tint[1], gain * tint[2]])
    colour = np.asarray(cv2.multiply(art[..., :3], gains, dtype=cv2.CV_8U), np.uint8)
    if shading.sheen > 0:
        sheen = cv2.merge([_sheen(shading, width, height)] * 3)
        alpha = cv2.cvtColor(art[..., 3], cv2.COLOR_GRAY2BGR)
        white = cv2.multiply(cv2.subtract(alpha, colour), sheen, dtype=cv2.CV_8U)
        colour = np.asarray(cv2.add(colour, white), np.uint8)
    return np.asarray(cv2.merge([*cv2.split(colour), art[..., 3]]), np.uint8)


def _stretch(corners: NDArray[np.float32], width: int, height: int) -> NDArray[np.float32]:
    """Four values spread over a rectangle."""
    across = np.linspace(0, 1, width, dtype=np.float32)
    down = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    upper = corners[0, 0] + (corners[0, 1] - corners[0, 0]) * across
    lower = corners[1, 0] + (corners[1, 1] - corners[1, 0]) * across
    return np.asarray(upper + (lower - upper) * down, np.float32)


def _sheen(shading: Shading, width: int, height: int) -> NDArray[np.float32]:
    """A soft bright band, drawn small and stretched: it has no detail."""
    ys, xs = np.mgrid[0:24, 0:18].astype(np.float32)
    along = (xs / 17 - shading.sheen_at[0]) * np.float32(np.cos(shading.sheen_angle_rad) * width / height)
    along += (ys / 23 - shading.sheen_at[1]) * np.float32(np.sin(shading.sheen_angle_rad))
    band = shading.sheen * np.exp(-((along / shading.sheen_width) ** 2))
    return np.asarray(cv2.resize(band.astype(np.float32), (width, height)), np.float32)


def warp_art(
    art: Picture,
    quad_px: Points,
    size_wh: tuple[int, int],
    *,
    mesh_px: Points | None = None,
    shading: Shading = PLAIN,
) -> Layer | None:
    """Warp art to where its corners (clockwise from its upper left) are seen; None when that is out of view.

    `mesh_px` (rows, columns, 2): where a regular grid over the art is seen, when the art or the lens is bent.
    """
    outline = quad_px if mesh_px is None else mesh_px.reshape(-1, 2)
    left, top = np.floor(outline.min(axis=0)).astype(int) - 1
    right, bottom = np.ceil(outline.max(axis=0)).astype(int) + 2
    left, top = max(left, 0), max(top, 0)
    right, bottom = min(right, size_wh[0]), min(bottom, size_wh[1])
    if left >= right or top >= bottom:
        return None
    sides = np.linalg.norm(quad_px - np.roll(quad_px, -1, axis=0), axis=1)
    fitted = shade_art(fit_art(art, max(sides[0], sides[2]), max(sides[1], sides[3])), shading)
    window = (int(left), int(top), int(right - left), int(bottom - top))
    warped = _warp_flat(fitted, quad_px, window) if mesh_px is None else _warp_mesh(fitted, quad_px, mesh_px, window)
    return Layer((window[0], window[1]), warped)


def _warp_flat(art: Picture, quad_px: Points, window: tuple[int, int, int, int]) -> Picture:
    height, width = art.shape[:2]
    source = UNIT_SQUARE * np.array([width, height], np.float32) - np.float32(0.5)
    target = (quad_px - np.array(window[:2])).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    return np.asarray(cv2.warpPerspective(art, matrix, window[2:], flags=cv2.INTER_LINEAR), np.uint8)


def _warp_mesh(art: Picture, quad_px: Points, mesh_px: Points, window: tuple[int, int, int, int]) -> Picture:
    """The flat warp and a cubic for what the bend adds; solved on the mesh, evaluated on a coarse grid."""
    homography = cv2.getPerspectiveTransform(quad_px.astype(np.float32), UNIT_SQUARE).astype(np.float64)
    rows, columns = mesh_px.shape[:2]
    truth = np.dstack(np.meshgrid(np.linspace(0, 1, columns), np.linspace(0, 1, rows))).reshape(-1, 2)
    flat = _project(homography, mesh_px.reshape(-1, 2))
    cubic = np.linalg.lstsq(_cubic_terms(flat), truth - flat, rcond=None)[0]
    left, top, width, height = window
    coarse_w, coarse_h = -(-width // MESH_STEP_PX) + 2, -(-height // MESH_STEP_PX) + 2
    xs = left + (np.arange(coarse_w) - 0.5) * MESH_STEP_PX - 0.5
    ys = top + (np.arange(coarse_h) - 0.5) * MESH_STEP_PX - 0.5
    grid = np.dstack(np.meshgrid(xs, ys)).reshape(-1, 2)
    unit = _project(homography, grid)
    unit += _cubic_terms(np.clip(unit, -0.1, 1.1)) @ cubic
    coarse = (unit * [art.shape[1], art.shape[0]] - 0.5).astype(np.float32).reshape(coarse_h, coarse_w, 2)
    fine = cv2.resize(coarse, (coarse_w * MESH_STEP_PX, coarse_h * MESH_STEP_PX))
    fine = fine[MESH_STEP_PX : MESH_STEP_PX + height, MESH_STEP_PX : MESH_STEP_PX + width]
    return remap(art, np.asarray(np.ascontiguousarray(fine), np.float32))


def _project(homography: Points, points: Points) -> Points:
    seen = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(seen[:, :2] / seen[:, 2:])


def _cubic_terms(points: Points) -> Points:
    x, y = points[:, 0], points[:, 1]
    return np.stack([x**i * y**j for i in range(4) for j in range(4 - i)], axis=1)


def lay(picture: Picture, layer: Layer) -> None:
    """Blend a layer into the picture, in place."""
    below = picture[layer.window]
    through = cv2.cvtColor(cv2.bitwise_not(layer.bgra[..., 3]), cv2.COLOR_GRAY2BGR)
    kept = cv2.multiply(below, through, scale=1 / 255)
    below[...] = cv2.add(kept, layer.bgra[..., :3])


def cast_shadow(
    picture: Picture, outline_px: Points, offset_px: tuple[float, float], blur_px: float, strength: float
) -> None:
    """Darken the picture by the soft shadow of an outline, in place; blurred small, then enlarged."""
    outline = np.asarray(outline_px, np.float64) + offset_px
    blur_px = max(blur_px, 0.5)
    step = max(1, int(blur_px / 1.5))
    pad = 2.5 * blur_px + 2 * step
    left, top = np.maximum(np.floor(outline.min(axis=0) - pad), 0).astype(int)
    right = min(int(outline[:, 0].max() + pad), picture.shape[1])
    bottom = min(int(outline[:, 1].max() + pad), picture.shape[0])
    if left >= right or top >= bottom:
        return
    low_wh = (-(-(right - left) // step), -(-(bottom - top) // step))
    mask = np.zeros((low_wh[1] + 2, low_wh[0] + 2), np.uint8)
    fixed = np.round(((outline + 0.5 - (left, top)) / step + 0.5) * 16).astype(np.int32)
    cv2.fillPoly(mask, [fixed], round(255 * strength), lineType=cv2.LINE_AA, shift=4)
    mask = cv2.GaussianBlur(mask, (0, 0), max(blur_px / step, 0.4))
    wide = cv2.resize(mask, None, fx=step, fy=step) if step > 1 else mask
    wide = wide[step : step + bottom - top, step : step + right - left]
    _darken(picture[top:bottom, left:right], np.asarray(wide, np.uint8))


def cast_layer_shadow(
    picture: Picture, layer: Layer, offset_px: tuple[float, float], blur_px: float, strength: float
) -> None:
    """The same for any alpha: the shadow of a hand, a chip, a glass."""
    step = max(1, int(blur_px / 1.5))
    pad = int(2.5 * blur_px) + step
    alpha = cv2.copyMakeBorder(layer.bgra[..., 3], pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    low_wh = (max(1, alpha.shape[1] // step), max(1, alpha.shape[0] // step))
    low = cv2.GaussianBlur(cv2.resize(alpha, low_wh, interpolation=cv2.INTER_AREA), (0, 0), max(blur_px / step, 0.4))
    wide = cv2.resize(cv2.convertScaleAbs(low, alpha=strength), (alpha.shape[1], alpha.shape[0]))
    x, y = layer.origin_xy[0] - pad + round(offset_px[0]), layer.origin_xy[1] - pad + round(offset_px[1])
    top, left = max(y, 0), max(x, 0)
    bottom, right = min(y + wide.shape[0], picture.shape[0]), min(x + wide.shape[1], picture.shape[1])
    if left < right and top < bottom:
        _darken(
            picture[top:bottom, left:right],
            np.asarray(wide[top - y : bottom - y, left - x : right - x], np.uint8),
        )


def _darken(window: Picture, mask: Picture) -> None:
    light = cv2.cvtColor(cv2.bitwise_not(mask), cv2.COLOR_GRAY2BGR)
    window[...] = cv2.multiply(window, light, scale=1 / 255)


class Canvas:
    """A picture built from the bottom up, and for every pixel the number of the thing it shows (0: none)."""

    def __init__(self, background: Picture) -> None:
        self.picture = background
        self.ids: NDArray[np.int16] = np.zeros(background.shape[:2], np.int16)
        self._laid: list[tuple[int, tuple[slice, slice]]] = []

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return self.picture.shape[1], self.picture.shape[0]

    def paste(
        self,
        art: Picture,
        quad_px: Points,
        number: int,
        *,
        mesh_px: Points | None = None,
        shading: Shading = PLAIN,
    ) -> Layer | None:
        """Warp art in and book its pixels under `number`; None if nothing of it was in view."""
        layer = warp_art(art, quad_px, self.size_wh, mesh_px=mesh_px, shading=shading)
        if layer is not None:
            self.lay(layer, number)
        return layer

    def lay(self, layer: Layer, number: int) -> None:
        """Blend a layer in and book its pixels; those it covers by less than half stay with what is below."""
        lay(self.picture, layer)
        self.ids[layer.window][layer.bgra[..., 3] >= 128] = number
        self._laid.append((number, layer.window))

    def is_clear(self, polygon_px: Points, number: int) -> bool:
        """Whether nothing that was laid after this thing comes near a polygon of it: then there is no need to count."""
        left, top = polygon_px.min(axis=0) - 2
        right, bottom = polygon_px.max(axis=0) + 2
        for laid, (rows, columns) in reversed(self._laid):
            if laid == number:
                return True
            if rows.start < bottom and rows.stop > top and columns.start < right and columns.stop > left:
                return False
        return True

    def count(self, polygon_px: Points, number: int) -> int:
        """How many pixels inside a polygon show this thing now."""
        left, top = np.maximum(np.floor(polygon_px.min(axis=0)), 0).astype(int)
        right = min(int(np.ceil(polygon_px[:, 0].max())) + 1, self.size_wh[0])
        bottom = min(int(np.ceil(polygon_px[:, 1].max())) + 1, self.size_wh[1])
        if left >= right or top >= bottom:
            return 0
        inside = np.zeros((bottom - top, right - left), np.uint8)
        fixed = np.round((polygon_px - (left, top)) * 16).astype(np.int32)
        cv2.fillPoly(inside, [fixed], 1, shift=4)
        return int(np.count_nonzero((self.ids[top:bottom, left:right] == number) & (inside > 0)))


def fraction_inside(polygon_px: Points, size_wh: tuple[int, int]) -> float:
    """How much of a convex polygon's area lies in the picture."""
    area = quad_area_px(polygon_px)
    if area <= 0:
        return 0.0
    width, height = size_wh
    if polygon_px.min() >= -0.5 and (polygon_px.max(axis=0) <= (width - 0.5, height - 0.5)).all():
        return 1.0
    frame = UNIT_SQUARE * np.array([width, height], np.float32) - np.float32(0.5)
    return min(1.0, float(cv2.intersectConvexConvex(np.asarray(polygon_px, np.float32), frame)[0]) / area)


@dataclass(frozen=True, slots=True)
class Booked:
    """What an area showed when its thing had just been laid, to tell at the end what was covered."""

    number: int
    polygon_px: tuple[tuple[float, float], ...]
    pixels: int
    inside: float  # the fraction of it in the picture


def book(canvas: Canvas, number: int, polygons_px: Sequence[Points]) -> tuple[Booked, ...]:
    """Note the areas of a thing right after it was laid and before anything lies on it."""
    return tuple(
        Booked(
            number,
            tuple((float(x), float(y)) for x, y in polygon),
            canvas.count(polygon, number),
            fraction_inside(polygon, canvas.size_wh),
        )
        for polygon in polygons_px
    )


def visibility(canvas: Canvas, booked: Booked) -> float:
    """The fraction of a booked area that is in the picture and not covered by what was laid later."""
    if booked.pixels == 0:
        return 0.0
    polygon = np.array(booked.polygon_px)
    if canvas.is_clear(polygon, booked.number):
        return booked.inside
    return booked.inside * canvas.count(polygon, booked.number) / booked.pixels
