"""Players seen from above: a head of hair and the shoulders below it, no face.

In comes a random generator, out goes a `Sprite` whose upper edge is the side of the table the player looks at.
"""

import cv2
import numpy as np

from datasets.props.hands import CLOTH
from datasets.props.sprite import Sprite, cloud

_SCALE = 0.8  # px per mm: soft things far above the felt, out of focus
_WIDTH_MM, _DEPTH_MM = 520.0, 330.0
_HAIR_BGR = ((24, 22, 20), (30, 40, 58), (50, 78, 112), (92, 128, 160), (120, 124, 128), (40, 34, 30), (186, 188, 190))


def draw_head(rng: np.random.Generator, cloth_bgr: tuple[float, float, float] | None) -> Sprite:
    """One player's head and shoulders; in any cloth when none is given (bare arms have no sleeve to match)."""
    height, width = round(_DEPTH_MM * _SCALE), round(_WIDTH_MM * _SCALE)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32) / _SCALE
    x, y = xs - _WIDTH_MM / 2, ys - 165.0
    shoulders = ((np.abs(x) / 235) ** 2.6 + (np.abs(y - 35) / 118) ** 2.4) < 1
    head = ((x / 78) ** 2 + (y / 98) ** 2) < 1
    cloth = np.array(cloth_bgr or CLOTH[int(rng.integers(len(CLOTH)))], np.float32)
    hair = np.array(_HAIR_BGR[int(rng.integers(len(_HAIR_BGR)))], np.float32)
    folds = 1 + 0.05 * cloud(rng, height, width, 40 * _SCALE) - 0.25 * np.abs(x) / 235
    strands = 1 + 0.1 * cloud(rng, height, width, 3) + 0.05 * np.sin(np.arctan2(y - 40, x) * 21)
    strands += 0.35 * np.exp(-(((x + 24) / 34) ** 2) - ((y + 30) / 40) ** 2) - 0.3 * np.hypot(x / 90, y / 110)
    colour = np.where(head[..., None], hair * strands[..., None], cloth * folds[..., None])
    dim = 1 - 0.45 * np.exp(-((np.hypot(x / 95, (y - 10) / 118) - 1) ** 2) / 0.02)
    colour = np.where((shoulders & ~head)[..., None], colour * dim[..., None], colour)
    alpha = cv2.GaussianBlur((shoulders | head).astype(np.float32) * 255, (0, 0), 1.6)
    soft = cv2.GaussianBlur(np.clip(colour, 0, 255).astype(np.float32), (0, 0), 1.0)
    art = np.dstack([np.clip(soft, 0, 255), alpha]).astype(np.uint8)
    return Sprite(art, _SCALE, (width / 2, 165.0 * _SCALE), 330.0)
