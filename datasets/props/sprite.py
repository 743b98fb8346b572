"""A thing that lies on the table, drawn from above: the common form of chips, hands and clutter.

Sprites are drawn in the table's plane, x right and y down as seen from above, at their own scale; the warp
to the camera's view comes later, from `quad_mm`.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.errors import DatasetError
from datasets.picture.compose import Picture, Points


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """BGRA art (straight alpha), its scale, and the point of it that is put where the thing is."""

    art: Picture
    px_per_mm: float
    anchor_px: tuple[float, float]
    height_mm: float  # how far above the felt the art is to be seen, and how long its shadow is

    def __post_init__(self) -> None:
        if self.art.ndim != 3 or self.art.shape[2] != 4:
            raise DatasetError(f"a sprite's art is BGRA of shape (H, W, 4), got {self.art.shape}")
        self.art.setflags(write=False)

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height on the table."""
        return self.art.shape[1] / self.px_per_mm, self.art.shape[0] / self.px_per_mm

    def quad_mm(self, at_mm: tuple[float, float], angle_rad: float = 0.0) -> Points:
        """Its corners, clockwise from the art's upper left, its anchor at `at_mm`, turned clockwise as seen."""
        width, height = self.size_mm
        corners = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])
        corners -= np.array(self.anchor_px) / self.px_per_mm
        return np.asarray(turn(corners, angle_rad) + np.array(at_mm))


def turn(points: Points, angle_rad: float) -> Points:
    """Points turned about the origin, clockwise as seen (x right, y down)."""
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]))


def cloud(rng: np.random.Generator, height: int, width: int, size_px: float) -> NDArray[np.float32]:
    """Soft noise of unit deviation whose features are about `size_px` large; cheap, from a small grid."""
    step = max(1.0, size_px)
    low = rng.standard_normal((int(height / step) + 3, int(width / step) + 3), np.float32)
    return np.asarray(cv2.resize(low, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)
