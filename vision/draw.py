"""Draw what was read into a picture, for people to look at.

In: a picture and a `Sighting`. Out: a copy with quads: green and named what is stated, amber with the reason what is
not, blue what lies face down.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader import Sighting

GREEN: Final = (80, 200, 60)
AMBER: Final = (0, 170, 255)
BLUE: Final = (230, 140, 50)
INK: Final = (255, 255, 255)

Picture = NDArray[np.uint8]


def draw_sighting(picture_bgr: Picture, sighting: Sighting) -> Picture:
    """A copy with everything that was seen."""
    drawn = picture_bgr.copy()
    weight = max(1, round(max(drawn.shape[:2]) / 640))
    for back in sighting.backs:
        _outline(drawn, back.quad_px, BLUE, weight)
    for seen in sighting.cards:
        colour = GREEN if seen.verdict.is_stated else AMBER
        _outline(drawn, seen.quad_px, colour, weight)
        text = f"{seen.card} {seen.verdict.confidence:.3f}" if seen.card else f"{seen.verdict.reason}"
        _label(drawn, seen.quad_px, text, colour)
    return drawn


def _outline(picture: Picture, quad: NDArray[np.float32], colour: tuple[int, int, int], weight: int) -> None:
    points = np.round(np.clip(quad, -30000, 30000)).astype(np.int32)
    cv2.polylines(picture, [points], True, colour, weight, cv2.LINE_AA)
    cv2.circle(picture, (int(points[0][0]), int(points[0][1])), 2 * weight + 1, colour, -1, cv2.LINE_AA)


def _label(picture: Picture, quad: NDArray[np.float32], text: str, colour: tuple[int, int, int]) -> None:
    """Beside the corner that was read, in letters that suit the card's size."""
    scale = float(np.clip(np.linalg.norm(quad[3] - quad[0]) / 220, 0.36, 2.5))
    weight = max(1, round(scale * 1.6))
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, weight)
    x = int(np.clip(quad[0][0], 0, max(0, picture.shape[1] - width)))
    y = int(np.clip(quad[0][1], height + 2, picture.shape[0] - 2))
    cv2.rectangle(picture, (x - 1, y - height - 2), (x + width + 1, y + 2), colour, -1)
    cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, INK, weight, cv2.LINE_AA)
