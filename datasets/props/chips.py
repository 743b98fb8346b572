"""Casino chips in stacks, as seen from where the camera hangs.

In: denomination, how many, and how far the stack leans in the picture. Out: a `Sprite` anchored at the middle of its
base. A stack has height: the further it is from under the camera, the more of its side is seen; `lean_of` gives that.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.errors import DatasetError
from datasets.props.sprite import Sprite

CHIP_MM = 39.0
CHIP_HEIGHT_MM = 3.3
SIDE_STEP_MM = 0.55

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class ChipStyle:
    """Body, the spots on its edge, and the inlay with its number; BGR."""

    body_bgr: Colour
    spot_bgr: Colour
    inlay_bgr: Colour
    ink_bgr: Colour
    spots: int


CHIPS: Mapping[int, ChipStyle] = MappingProxyType(
    {
        1: ChipStyle((222, 226, 228), (150, 70, 40), (235, 238, 240), (60, 40, 30), 6),
        5: ChipStyle((38, 34, 176), (232, 236, 238), (236, 238, 240), (40, 36, 150), 6),
        10: ChipStyle((150, 86, 32), (232, 236, 238), (226, 222, 214), (110, 60, 30), 8),
        25: ChipStyle((70, 112, 34), (236, 238, 240), (232, 240, 234), (50, 86, 24), 8),
        100: ChipStyle((34, 32, 32), (226, 228, 230), (222, 224, 226), (30, 28, 28), 4),
        500: ChipStyle((120, 42, 96), (90, 200, 240), (236, 232, 238), (100, 30, 80), 6),
        1000: ChipStyle((46, 150, 228), (40, 36, 34), (232, 240, 246), (30, 90, 150), 8),
    }
)


def lean_of(camera_mm: tuple[float, float, float], at_mm: tuple[float, float], height_mm: float) -> tuple[float, float]:
    """How far on the table the top of something is seen from its base, per millimetre of its height."""
    clear = max(camera_mm[2] - height_mm, 1.0)
    return (at_mm[0] - camera_mm[0]) / clear, (at_mm[1] - camera_mm[1]) / clear


def draw_chip_stack(
    denomination: int,
    count: int,
    rng: np.random.Generator,
    *,
    lean: tuple[float, float] = (0.0, 0.15),
    px_per_mm: float = 4.0,
) -> Sprite:
    """A stack seen from above, its top shifted by `lean` (x right, y down) for each millimetre of height."""
    if denomination not in CHIPS:
        raise DatasetError(f"no chip of {denomination}; choose from {', '.join(map(str, CHIPS))}")
    if not 1 <= count <= 60:
        raise DatasetError(f"a stack of {count} chips; give 1 to 60")
    height = count * CHIP_HEIGHT_MM
    margin = CHIP_MM / 2 + 2.5
    left, right = min(0.0, lean[0] * height) - margin, max(0.0, lean[0] * height) + margin
    top, bottom = min(0.0, lean[1] * height) - margin, max(0.0, lean[1] * height) + margin
    shape = (int((bottom - top) * px_per_mm), int((right - left) * px_per_mm))
    art = np.zeros((*shape, 4), np.uint8)
    for chip in range(count):
        jitter = rng.normal(0, 0.45, 2)
        angle = float(rng.uniform(0, 360))
        for level in np.arange(0, CHIP_HEIGHT_MM - 0.01, SIDE_STEP_MM):
            z = chip * CHIP_HEIGHT_MM + float(level)
            centre = (-left + lean[0] * z + jitter[0], -top + lean[1] * z + jitter[1])
            _draw_side(art, CHIPS[denomination], centre, angle, px_per_mm, seam=level == 0)
        if chip == count - 1:
            z = height
            centre = (-left + lean[0] * z + jitter[0], -top + lean[1] * z + jitter[1])
            _draw_top(art, denomination, centre, angle, px_per_mm)
    return Sprite(art, px_per_mm, (-left * px_per_mm, -top * px_per_mm), 0.0)


def _draw_side(
    art: NDArray[np.uint8],
    style: ChipStyle,
    centre_mm: tuple[float, float],
    angle_deg: float,
    px_per_mm: float,
    *,
    seam: bool,
) -> None:
    """One slice of the edge: body and spots, a dark seam at the foot of each chip."""
    shade = 0.42 if seam else 0.74
    body = tuple(int(v * shade) for v in style.body_bgr)
    spot = tuple(int(v * shade) for v in style.spot_bgr)
    middle = (round(centre_mm[0] * px_per_mm * 16), round(centre_mm[1] * px_per_mm * 16))
    radius = round(CHIP_MM / 2 * px_per_mm * 16)
    cv2.circle(art, middle, radius, (*body, 255), -1, cv2.LINE_AA, 4)
    if seam:
        return
    for number in range(style.spots):
        start = angle_deg + number * 360 / style.spots
        axes = (radius, radius)
        cv2.ellipse(art, middle, axes, 0, start, start + 150 / style.spots, (*spot, 255), -1, cv2.LINE_AA, 4)


def _draw_top(
    art: NDArray[np.uint8],
    denomination: int,
    centre_mm: tuple[float, float],
    angle_deg: float,
    px_per_mm: float,
) -> None:
    """The face of the top chip, turned like its edge."""
    face = _face(denomination, round(px_per_mm, 2))
    half = face.shape[0] / 2
    matrix = cv2.getRotationMatrix2D((half - 0.5, half - 0.5), -angle_deg, 1.0)
    matrix[:, 2] += np.array(centre_mm) * px_per_mm - half
    turned = cv2.warpAffine(face, matrix, (art.shape[1], art.shape[0]), flags=cv2.INTER_LINEAR)
    alpha = turned[..., 3:].astype(np.float32) / 255
    art[..., :3] = art[..., :3] * (1 - alpha) + turned[..., :3] * alpha
    art[..., 3] = np.maximum(art[..., 3], turned[..., 3])


@lru_cache(maxsize=32)
def _face(denomination: int, px_per_mm: float) -> NDArray[np.uint8]:
    """The chip's face: clay body with edge spots, a moulded ring, the printed inlay. Drawn large, then shrunk."""
    style = CHIPS[denomination]
    size = 512
    face = np.zeros((size, size, 4), np.uint8)
    middle = (size // 2, size // 2)
    cv2.circle(face, middle, size // 2 - 1, (*style.body_bgr, 255), -1)
    for number in range(style.spots):
        start = number * 360 / style.spots
        cv2.ellipse(face, middle, (size // 2 - 1,) * 2, 0, start, start + 150 / style.spots, (*style.spot_bgr, 255), -1)
    body = tuple(int(v * 0.9) for v in style.body_bgr)
    cv2.circle(face, middle, int(size * 0.375), (*body, 255), -1)
    cv2.circle(face, middle, int(size * 0.375), (*(int(v * 0.7) for v in style.body_bgr), 255), 4)
    cv2.circle(face, middle, int(size * 0.31), (*style.inlay_bgr, 255), -1)
    cv2.circle(face, middle, int(size * 0.295), (*style.ink_bgr, 255), 5)
    text = f"${denomination}"
    scale = 3.6 if len(text) <= 2 else 10.0 / (len(text) + 1)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 9)
    at = (middle[0] - width // 2, middle[1] + height // 2)
    cv2.putText(face, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, (*style.ink_bgr, 255), 9, cv2.LINE_AA)
    ys, xs = np.mgrid[0:size, 0:size].astype(np.float32) / size - 0.5
    light = 1.04 - 0.16 * (xs + ys)[..., None]
    light -= 0.12 * (np.abs(np.hypot(xs, ys) - 0.49)[..., None] < 0.012)
    face[..., :3] = np.clip(face[..., :3] * light, 0, 255).astype(np.uint8)
    wanted = max(8, round(CHIP_MM * px_per_mm))
    small = cv2.resize(face, (wanted, wanted), interpolation=cv2.INTER_AREA)
    small[..., :3][small[..., 3] == 0] = style.body_bgr
    return np.asarray(small, np.uint8)
