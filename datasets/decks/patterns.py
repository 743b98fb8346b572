"""Cloth for court cards: an outline filled with stripes, checks, lozenges or dots.

In: a picture, an outline in pixels, colours. Out: the picture changed inside the outline.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.canvas import Colour, Picture, Points, fill, line

Waves = NDArray[np.floating]


def _grid(shape: tuple[int, int], turn_rad: float, pitch_px: float) -> tuple[Waves, Waves]:
    """Two coordinates in units of the pattern's pitch, turned."""
    y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    u = (x * np.cos(turn_rad) + y * np.sin(turn_rad)) / pitch_px
    v = (-x * np.sin(turn_rad) + y * np.cos(turn_rad)) / pitch_px
    return u, v


def _tooth(wave: Waves) -> Waves:
    """0 at whole numbers, 1 half way between."""
    return np.asarray(1 - np.abs(2 * (wave % 1) - 1))


def cloth(shape: tuple[int, int], rng: np.random.Generator, colours: tuple[Colour, ...]) -> Picture:
    """A piece of patterned cloth in two or three of these colours."""
    kind = int(rng.integers(7))
    u, v = _grid(shape, float(rng.choice([0, np.pi / 4, rng.uniform(0, np.pi)])), float(rng.uniform(9, 30)))
    tooth_u, tooth_v = _tooth(u), _tooth(v)
    level = (
        tooth_u,  # stripes
        np.where((np.floor(u) + np.floor(v)) % 2 == 0, 1.0, 0.0),  # checks
        tooth_u + tooth_v - 0.5,  # lozenges
        1.4 - 2 * np.hypot(u % 1 - 0.5, v % 1 - 0.5),  # dots
        np.abs(2 * np.hypot(u % 1 - 0.5, v % 1 - 0.5) - 0.5) * 2,  # rings
        _tooth(u + 0.6 * tooth_v),  # chevrons
        np.maximum(tooth_u, tooth_v) * 1.2 - 0.4,  # net
    )[kind]
    picks = [np.array(colours[i], np.uint8) for i in rng.permutation(len(colours))[:3]]
    ground, figure, accent = picks[0], picks[1], picks[-1]
    piece = np.where((level > 0.5)[..., None], figure, ground)
    if kind in (2, 3, 4):
        piece = np.where((level > 0.85)[..., None], accent, piece)
    return np.asarray(piece, np.uint8)


def fill_cloth(
    picture: Picture,
    outline: Points,
    rng: np.random.Generator,
    colours: tuple[Colour, ...],
    ink: Colour,
    line_px: int,
) -> None:
    """Fill an outline with cloth and draw its edge."""
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 1, [picture.shape[1], picture.shape[0]])
    if (high <= low).any():
        return
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    fill(mask, outline - low, 255)
    piece = cloth(mask.shape, rng, colours)
    area = picture[low[1] : high[1], low[0] : high[0]]
    cv2.copyTo(piece, mask, area)
    if line_px:
        line(picture, outline, ink, line_px, closed=True)
