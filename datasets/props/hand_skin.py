"""The look of a hand: from the shape of its surface to colour under a light.

In: `Surface`, what the top of the hand is at each pixel. Out: BGRA art. Wrinkles, nails, ring, watch, cuff and cloth go
where the bones that the surface belongs to say.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.props.hand_style import FINGERS, THUMB, HandStyle
from datasets.props.sprite import cloud

Floats = NDArray[np.float32]

LIGHT = np.array([-0.38, -0.45, 0.81], np.float32)
SLEEVE, CUFF, SKIN = 0, 1, 2
NO_FINGER = -1


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """What the top of the swept spheres is at each pixel; millimetres."""

    height: Floats
    along: Floats  # where along its chain of bones
    beside: Floats  # how far beside the bone, in radii
    part: NDArray[np.int8]  # SLEEVE, CUFF or SKIN
    finger: NDArray[np.int8]  # 0..4 with the thumb last, NO_FINGER for palm and arm


def paint_hand(surface: Surface, style: HandStyle, px_per_mm: float) -> NDArray[np.uint8]:
    """Colour times light: a wrapped sun, sky from above, less of it in the folds, a little sheen."""
    rng = np.random.default_rng([style.seed, 5])
    shape = surface.height.shape
    height = surface.height + _relief(surface, style, px_per_mm, rng)
    albedo = _skin(surface, style, px_per_mm, rng)
    cloth = surface.part != SKIN
    albedo[cloth] = _cloth(surface, style, px_per_mm, rng)[cloth]
    slope_x = cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3, scale=px_per_mm / 8)
    slope_y = cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3, scale=px_per_mm / 8)
    steep = 1 / np.sqrt(slope_x**2 + slope_y**2 + 1)
    facing = (-slope_x * LIGHT[0] - slope_y * LIGHT[1] + LIGHT[2]) * steep
    sun = np.clip((facing + 0.25) / 1.25, 0, 1)
    fold = np.clip((cv2.GaussianBlur(np.maximum(height, 0), (0, 0), 5 * px_per_mm) - height) / 14, 0, 1)
    sky = (0.45 + 0.55 * steep) * (1 - 0.65 * fold)
    warm = np.array([0.86, 0.93, 1.0], np.float32)
    lit = 0.62 * sun[..., None] + 0.44 * sky[..., None] * np.where(cloth[..., None], 1.0, warm)
    half = LIGHT + np.array([0, 0, 1], np.float32)
    half /= np.linalg.norm(half)
    shine = np.clip((-slope_x * half[0] - slope_y * half[1] + half[2]) * steep, 0, 1) ** 18
    gloss = np.where(cloth, 0.0, 18.0 + 6 * cloud(rng, shape[0], shape[1], 2.5)) * shine
    colour = albedo * lit + gloss[..., None]
    alpha = cv2.GaussianBlur((surface.height > -1).astype(np.float32) * 255, (0, 0), 0.35 * px_per_mm)
    alpha = np.clip((alpha - 96) * 2, 0, 255)
    art = np.dstack([np.clip(colour, 0, 255), alpha]).astype(np.uint8)
    return _wobble(art, surface, style, px_per_mm)


def _wobble(art: NDArray[np.uint8], surface: Surface, style: HandStyle, px_per_mm: float) -> NDArray[np.uint8]:
    """Bend the drawing a little: nobody's outline is a cone, and a sleeve's least of all."""
    rng = np.random.default_rng([style.seed, 6])
    height, width = surface.height.shape
    loose = cv2.GaussianBlur((surface.part == SLEEVE).astype(np.float32), (0, 0), 12 * px_per_mm)
    reach = px_per_mm * (0.7 + 1.3 * loose)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    xs += np.asarray(reach * cloud(rng, height, width, 26 * px_per_mm), np.float32)
    ys += np.asarray(reach * cloud(rng, height, width, 22 * px_per_mm), np.float32)
    return np.asarray(cv2.remap(art, xs, ys, cv2.INTER_LINEAR), np.uint8)


def _relief(surface: Surface, style: HandStyle, px_per_mm: float, rng: np.random.Generator) -> Floats:
    """Small heights: tendons and pores in skin, folds and weave in cloth."""
    height, width = surface.height.shape
    folds = cv2.resize(cloud(rng, height, max(8, width // 3), 10 * px_per_mm), (width, height))
    folds = 1.9 * np.abs(folds) + 0.4 * cloud(rng, height, width, 5 * px_per_mm)
    pores = 0.03 * cloud(rng, height, width, 1.6) + 0.07 * cloud(rng, height, width, 4 * px_per_mm)
    relief = np.where(surface.part == SKIN, pores, folds)
    for finger, (rows, columns) in _finger_windows(surface):
        lengths = (FINGERS[finger] if finger < 4 else THUMB)[1]
        mine = surface.finger[rows, columns] == finger
        along, beside = surface.along[rows, columns], surface.beside[rows, columns]
        for joint in (lengths[0] * style.length, (lengths[0] + lengths[1]) * style.length):
            for offset, depth in ((-2.6, 0.2), (-0.9, 0.3), (0.9, 0.27), (2.8, 0.17)):
                line = np.exp(-(((along - joint - offset + 1.2 * beside**2) / 0.55) ** 2))
                relief[rows, columns] -= np.where(mine, depth * line, 0)
    return np.asarray(relief, np.float32)


def _finger_windows(surface: Surface) -> Iterator[tuple[int, tuple[slice, slice]]]:
    """Each finger that is seen, and the rows and columns it is seen in."""
    for finger in range(5):
        x, y, width, height = cv2.boundingRect((surface.finger == finger).astype(np.uint8))
        if width and height:
            yield finger, (slice(y, y + height), slice(x, x + width))


def _skin(surface: Surface, style: HandStyle, px_per_mm: float, rng: np.random.Generator) -> Floats:
    """Skin is redder at knuckles and tips, and blotched; nails, a ring and a watch lie on it."""
    shape = surface.height.shape
    mottle = 1 + 0.03 * cloud(rng, shape[0], shape[1], 8 * px_per_mm)
    mottle += 0.018 * cloud(rng, shape[0], shape[1], 2 * px_per_mm)
    albedo = np.asarray(np.array(style.skin_bgr, np.float32) * mottle[..., None], np.float32)
    for finger, (rows, columns) in _finger_windows(surface):
        lengths = (FINGERS[finger] if finger < 4 else THUMB)[1]
        along, mine = surface.along[rows, columns], surface.finger[rows, columns] == finger
        total = sum(lengths) * style.length
        red = np.exp(-(((along - lengths[0] * style.length) / 7) ** 2)) + np.exp(-(((along - total) / 12) ** 2))
        skin = albedo[rows, columns]
        skin *= 1 - np.where(mine, 0.09 * red, 0)[..., None] * np.array([1.0, 0.8, -0.1], np.float32)
        nail = _nail(along - total, surface.beside[rows, columns], 8.5 if finger < 4 else 10.0)
        nail = np.where(mine, nail, 0)[..., None]
        skin += (np.array(style.nail_bgr, np.float32) - skin) * nail
    if style.ring:
        albedo[(surface.finger == 2) & (np.abs(surface.along - 17) < 2.2)] = (70, 165, 215)
    if style.watch:
        wrist = (surface.finger == NO_FINGER) & (surface.part == SKIN)
        albedo[wrist & _rows_between(shape, 230, 248, px_per_mm)] = (38, 36, 36)
    return albedo


def _nail(along: Floats, beside: Floats, length_mm: float) -> Floats:
    """1 on the nail, 0 off it, soft at its edge."""
    inside = 1 - np.hypot((along + 0.5) / (length_mm * 0.62), beside / 0.66) ** 4
    return np.asarray(np.clip(inside * 2.5, 0, 0.8), np.float32)


def _rows_between(shape: tuple[int, ...], top_mm: float, bottom_mm: float, px_per_mm: float) -> NDArray[np.bool_]:
    rows = np.arange(shape[0]) / px_per_mm
    return np.broadcast_to(((rows > top_mm) & (rows < bottom_mm))[:, None], shape[:2])


def _cloth(surface: Surface, style: HandStyle, px_per_mm: float, rng: np.random.Generator) -> Floats:
    """The sleeve's cloth, the cuff lighter or white."""
    shape = surface.height.shape
    base = np.array(style.sleeve_bgr or (0, 0, 0), np.float32)
    ys, xs = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) / np.float32(px_per_mm)
    tone = 1 + 0.03 * cloud(rng, shape[0], shape[1], 1.0)
    if style.cloth == "knit":
        tone += 0.12 * np.sin(xs * 2.6) * np.sin(ys * 1.9 + np.abs(np.sin(xs * 1.3)))
    elif style.cloth == "denim":
        tone += 0.1 * np.sin((xs + ys) * 3.1) + 0.06 * cloud(rng, shape[0], shape[1], 1.5)
    elif style.cloth == "stripe":
        tone += 0.35 * (np.sin(xs * 0.9) > 0.7)
    colour = base * tone[..., None].astype(np.float32)
    if style.cuff_bgr is not None:
        colour[surface.part == CUFF] = style.cuff_bgr
    return np.asarray(colour, np.float32)
