"""A casino table from above: cloth, print, rail, tray, shuffler and rack, drawn flat in millimetres.

In: a `Table` and a `FeltStyle`, random by seed. Out: a picture of the table plane (`draw_felt`), and that picture as a
camera sees it (`view_felt`). Nothing lies on it yet: cards, chips and hands are put on by those who make scenes.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.felt.furniture import draw_furniture, draw_surroundings
from datasets.felt.lettering import Floats, Picture, Plane
from datasets.felt.printed import print_layout
from datasets.felt.style import FeltStyle
from vision.camera import Camera, plane_homography, remap
from vision.layout import felt_outline_mm
from vision.table import Table

__all__ = ["MARGIN_MM", "FeltStyle", "draw_felt", "felt_homography", "view_felt"]

MARGIN_MM = 420.0  # drawn around the felt: rail, floor, where the dealer stands


def felt_homography(table: Table, px_per_mm: float) -> Floats:
    """Table millimetres to pixels of `draw_felt`'s picture: dealer on top, x to the left."""
    return plane_homography(table.felt_mm[0] / 2 + MARGIN_MM, -MARGIN_MM, px_per_mm)


def draw_felt(table: Table, style: FeltStyle, px_per_mm: float = 1.2) -> Picture:
    """The table plane with its surroundings, BGR; `felt_homography` says which pixel is which millimetre."""
    width_mm, depth_mm = table.felt_mm
    width, height = (round((side + 2 * MARGIN_MM) * px_per_mm) for side in (width_mm, depth_mm))
    image = np.full((height, width, 3), style.cloth, np.uint8)
    plane = Plane(image, width_mm / 2 + MARGIN_MM, -MARGIN_MM, px_per_mm)
    rng = np.random.default_rng([style.seed, 17])
    outline = felt_outline_mm(table.felt_mm, 240)
    _dye_cloth(plane, style, rng)
    print_layout(plane, table, style)
    _wear_cloth(plane, table, style, rng)
    draw_surroundings(plane, table, outline, style, rng)
    draw_furniture(plane, table, style, rng)
    return image


def view_felt(table: Table, style: FeltStyle, camera: Camera, px_per_mm: float | None = None) -> Picture:
    """The empty table as a camera sees it; drawn a little finer than the camera resolves."""
    if px_per_mm is None:
        px_per_mm = 1.25 * float(camera.px_per_mm(felt_outline_mm(table.felt_mm, 24)).max())
    flat = draw_felt(table, style, px_per_mm)
    shown = camera.plane_map(felt_homography(table, px_per_mm))
    return remap(flat, shown, cv2.BORDER_REFLECT_101)


def _dye_cloth(plane: Plane, style: FeltStyle, rng: np.random.Generator) -> None:
    """A pattern woven into the cloth, tone on tone, as many casinos order it."""
    if style.pattern == "plain":
        return
    pitch = round(plane.px_per_mm * (24 if style.pattern == "suits" else 16))
    tile = np.zeros((2 * pitch, 2 * pitch), np.uint8)
    half = pitch // 2
    for row, column in ((0, 0), (1, 1)):
        centre = (column * pitch + half, row * pitch + half)
        reach = max(2, pitch // 4)
        diamond = np.array(centre) + reach * np.array([[0, -1], [1, 0], [0, 1], [-1, 0]])
        if style.pattern == "diamonds" or row:
            cv2.fillPoly(tile, [diamond.astype(np.int32)], (255,), cv2.LINE_AA)
        else:
            cv2.circle(tile, centre, reach * 3 // 4, (255,), -1, cv2.LINE_AA)
    height, width = plane.image.shape[:2]
    repeats = (height // tile.shape[0] + 1, width // tile.shape[1] + 1)
    mask = np.tile(tile, repeats)[:height, :width]
    tone = -0.12 if rng.random() < 0.6 else 0.14
    darker = tuple(int(np.clip(channel * (1 + tone), 0, 255)) for channel in style.cloth)
    plane.image[mask > 96] = darker


def _wear_cloth(plane: Plane, table: Table, style: FeltStyle, rng: np.random.Generator) -> None:
    """Weave, brushed nap, uneven light, and where chips and cards have rubbed for years."""
    height, width = plane.image.shape[:2]
    weave = _weave(rng)
    repeats = (height // weave.shape[0] + 1, width // weave.shape[1] + 1)
    gain = np.tile(weave, repeats)[:height, :width]
    blotches = cv2.resize(rng.normal(0, 1, (24, 40)).astype(np.float32), (width // 8, height // 8), None, 0, 0, 2)
    rubbed = np.zeros_like(blotches)
    scale = plane.px_per_mm / 8
    for zone in table.zones.values():
        for spot in [*zone.spots.values(), zone.centre_mm]:
            at = plane.to_px(np.array([np.array(spot) + rng.normal(0, 12, 2)]))[0] / 8
            radius = rng.uniform(30, 70) * scale
            cv2.circle(rubbed, (int(at[0]), int(at[1])), max(1, int(radius)), float(rng.uniform(0.3, 1.0)), -1)
    rubbed = np.asarray(cv2.GaussianBlur(rubbed, (0, 0), 22 * scale + 0.5), np.float32)
    slow = _pools(blotches.shape, rng) + 0.018 * blotches + (0.03 + 0.09 * style.wear) * rubbed
    field = cv2.resize(np.asarray(slow, np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    worn = cv2.merge([np.asarray(field * gain, np.float32)] * 3)
    plane.image[:] = cv2.multiply(plane.image, worn, dtype=cv2.CV_8U)
    _scatter_lint(plane, style, rng)


def _pools(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float32]:
    """The light of two or three ceiling lamps: brighter pools that run into each other, a darker border."""
    ys, xs = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    light = np.zeros(shape, np.float32)
    lamps = int(rng.integers(2, 4))
    for lamp in range(lamps):
        x = shape[1] * ((lamp + 0.5) / lamps + rng.normal(0, 0.06))
        y = shape[0] * rng.uniform(0.3, 0.7)
        reach = shape[0] * rng.uniform(0.35, 0.6)
        light += np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * reach**2))
    depth = np.float32(rng.uniform(0.1, 0.26))
    return np.asarray(1 - depth + depth * light / light.max() + depth * 0.3, np.float32)


def _weave(rng: np.random.Generator) -> NDArray[np.float32]:
    """A tile of cloth: grain, and threads that run across and along it."""
    grain = rng.normal(0, 1, (768, 768)).astype(np.float32)
    fine = cv2.GaussianBlur(grain, (0, 0), 0.6)
    across = cv2.GaussianBlur(grain, (0, 0), sigmaX=3.0, sigmaY=0.5)
    along = cv2.GaussianBlur(grain.T.copy(), (0, 0), sigmaX=0.5, sigmaY=3.0)
    tile = fine / fine.std() * 0.026 + across / across.std() * 0.014 + along / along.std() * 0.014
    return np.asarray(1 + tile, np.float32)


def _scatter_lint(plane: Plane, style: FeltStyle, rng: np.random.Generator) -> None:
    """Fluff and scratches, more on an old cloth."""
    for _ in range(int(10 + 60 * style.wear)):
        start = np.array([rng.uniform(-plane.right_mm, plane.right_mm), rng.uniform(0, 1100)])
        first = rng.normal(0, 4, 2)
        second = first + rng.normal(0, 1.5, 2)
        fluff = np.array([start, start + first, start + first + second])
        plane.line(fluff, (210, 214, 214), 0.6, float(rng.uniform(0.05, 0.2)))
