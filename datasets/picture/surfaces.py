"""What cards lie on: cloth, carpet, wood, stone, cork, leather, paper, tiles, drawn as endless textures.

In: a kind and a number, and the camera's view of the plane. Out: the background of a picture, BGR.
A texture is a tile of tones that repeats without a seam, drawn once; colour comes from a ramp at the time of use.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.picture.compose import Picture
from datasets.picture.views import View
from vision.camera import remap

TILE_PX = 512
Floats = NDArray[np.float32]
Ramp = tuple[tuple[float, float, float], ...]  # BGR from dark to light


def _spectral(rng: np.random.Generator, length_x: float, length_y: float) -> Floats:
    """Noise without a seam, unit deviation, with features of these lengths in pixels."""
    white = np.fft.rfft2(rng.standard_normal((TILE_PX, TILE_PX), np.float32))
    down = np.exp(-4 * (np.fft.fftfreq(TILE_PX) * length_y) ** 2)
    across = np.exp(-4 * (np.fft.rfftfreq(TILE_PX) * length_x) ** 2)
    noise = np.fft.irfft2(white * (down[:, None] * across[None]).astype(np.float32), s=(TILE_PX, TILE_PX))
    return np.asarray(noise / noise.std(), np.float32)


def _grid() -> tuple[Floats, Floats]:
    ys, xs = np.mgrid[0:TILE_PX, 0:TILE_PX].astype(np.float32) * np.float32(2 * np.pi / TILE_PX)
    return xs, ys


def _felt(rng: np.random.Generator) -> Floats:
    return np.asarray(_spectral(rng, 2, 2) * 0.5 + _spectral(rng, 7, 7) * 0.3, np.float32)


def _weave(rng: np.random.Generator) -> Floats:
    xs, ys = _grid()
    threads = int(rng.integers(60, 150))
    twill = int(rng.integers(0, 2)) * threads
    pattern = np.sin(xs * threads + ys * twill) * np.cos(ys * threads)
    return np.asarray(
        pattern + _spectral(rng, 3, 3) * 0.5 + _spectral(rng, 2, 60) * 0.4 + _spectral(rng, 60, 2) * 0.4, np.float32
    )


def _crumpled(rng: np.random.Generator) -> Floats:
    folds = -np.abs(_spectral(rng, 160, 90)) * 1.3 - np.abs(_spectral(rng, 60, 200)) + _spectral(rng, 30, 30) * 0.3
    slope = cv2.Sobel(cv2.GaussianBlur(folds, (0, 0), 4), cv2.CV_32F, 1, 1, ksize=5)
    return np.asarray(folds * 0.4 + slope / slope.std() * 0.6 + _weave(rng) * 0.2, np.float32)


def _carpet(rng: np.random.Generator) -> Floats:
    grain = np.maximum(_spectral(rng, 9, 9), _spectral(rng, 7, 11))
    return np.asarray(grain + _spectral(rng, 3, 3) * 0.5 + _spectral(rng, 90, 90) * 0.3, np.float32)


def _wood(rng: np.random.Generator) -> Floats:
    xs, _ = _grid()
    bend = _spectral(rng, 90, 900) * rng.uniform(0.4, 1.4) + _spectral(rng, 30, 300) * 0.15
    rings = np.sin(xs * int(rng.integers(6, 26)) + bend * 2.5)
    fibres = _spectral(rng, 2, 90) * 0.5 + _spectral(rng, 5, 220) * 0.4
    pores = -1.2 * (_spectral(rng, 2, 30) > 2.0)
    return np.asarray(rings * rng.uniform(0.3, 0.9) + fibres + pores, np.float32)


def _planks(rng: np.random.Generator) -> Floats:
    wood = _wood(rng)
    count = int(rng.choice([3, 4, 6]))
    width = TILE_PX // count
    for plank in range(count):
        columns = slice(plank * width, (plank + 1) * width)
        wood[:, columns] = np.roll(wood[:, columns], int(rng.integers(TILE_PX)), axis=0) + rng.normal(0, 0.5)
        wood[:, plank * width : plank * width + 3] -= 2.5
    return wood


def _worn(rng: np.random.Generator) -> Floats:
    strokes = _spectral(rng, 3, 60) + _spectral(rng, 60, 3) + _spectral(rng, 40, 40)
    return np.asarray(np.tanh(strokes * 1.5) * 1.2 + _spectral(rng, 2, 2) * 0.2, np.float32)


def _stone(rng: np.random.Generator) -> Floats:
    speckle = _spectral(rng, 4, 4) * (np.abs(_spectral(rng, 5, 5)) > 0.8)
    return np.asarray(speckle + _spectral(rng, 10, 10) * 0.5 + _spectral(rng, 80, 80) * 0.4, np.float32)


def _marble(rng: np.random.Generator) -> Floats:
    veins = -np.exp(-np.abs(_spectral(rng, 170, 110) + _spectral(rng, 30, 30) * 0.25) * 9)
    return np.asarray(veins * 2.2 + _spectral(rng, 140, 140) * 0.5 + _spectral(rng, 3, 3) * 0.06, np.float32)


def _cork(rng: np.random.Generator) -> Floats:
    return np.asarray(
        _spectral(rng, 10, 10) * 0.6 + _spectral(rng, 4, 4) * 0.5 - 1.6 * (_spectral(rng, 9, 9) > 1.9), np.float32
    )


def _leather(rng: np.random.Generator) -> Floats:
    ridges = np.minimum(np.abs(_spectral(rng, 14, 14)), np.abs(_spectral(rng, 12, 16)))
    return np.asarray(ridges * 1.6 + _spectral(rng, 100, 100) * 0.3, np.float32)


def _plain(rng: np.random.Generator) -> Floats:
    return np.asarray(_spectral(rng, 2, 2) * 0.12 + _spectral(rng, 200, 200) * 0.3, np.float32)


def _tiles(rng: np.random.Generator) -> Floats:
    tone = _spectral(rng, 60, 60) * 0.5 + _spectral(rng, 4, 4) * 0.2
    count = int(rng.choice([2, 3]))
    side = TILE_PX // count
    for number in range(count):
        line = slice(number * side, number * side + int(rng.integers(5, 10)))
        tone[line] = -2.2
        tone[:, line] = -2.2
    return np.asarray(cv2.GaussianBlur(tone, (0, 0), 1), np.float32)


def _checks(rng: np.random.Generator) -> Floats:
    xs, ys = _grid()
    count = int(rng.integers(2, 9))
    across = np.tanh(4 * np.sin(xs * count))
    down = np.tanh(4 * np.sin(ys * count)) if rng.random() < 0.6 else 0 * ys
    return np.asarray((across + down) * 0.8 + _spectral(rng, 3, 3) * 0.25, np.float32)


def _print(rng: np.random.Generator) -> Floats:
    """A printed textile: blobs and rings in a few flat tones."""
    levels = np.round(_spectral(rng, 70, 70) * 1.3)
    return np.asarray(np.clip(levels, -2, 2) * 0.8 + _spectral(rng, 3, 3) * 0.2, np.float32)


KINDS: Mapping[str, tuple[Callable[[np.random.Generator], Floats], float, float]] = MappingProxyType(
    {  # drawing, pixels a millimetre, depth of its tones (0..1)
        "felt": (_felt, 4.0, 0.10),
        "weave": (_weave, 5.0, 0.16),
        "crumpled": (_crumpled, 2.4, 0.26),
        "carpet": (_carpet, 2.6, 0.38),
        "wood": (_wood, 2.2, 0.30),
        "planks": (_planks, 1.6, 0.30),
        "worn": (_worn, 2.4, 0.55),
        "stone": (_stone, 3.0, 0.30),
        "marble": (_marble, 1.6, 0.35),
        "cork": (_cork, 3.2, 0.30),
        "leather": (_leather, 4.0, 0.28),
        "plain": (_plain, 2.0, 0.10),
        "tiles": (_tiles, 1.7, 0.25),
        "checks": (_checks, 2.0, 0.50),
        "print": (_print, 2.0, 0.60),
    }
)
VARIANTS = 3

# Colours by what the surface is made of; each is the middle of a ramp.
COLOURS: Mapping[str, tuple[tuple[float, float, float], ...]] = MappingProxyType(
    {
        "felt": (
            (52, 96, 30), (66, 120, 44), (40, 70, 22), (140, 84, 28), (170, 110, 40), (36, 34, 140), (44, 30, 96),
            (54, 52, 52), (110, 50, 90), (120, 110, 40), (28, 28, 30), (190, 140, 20),
        ),
        "wood": (
            (60, 104, 160), (36, 66, 112), (30, 46, 76), (24, 90, 150), (110, 150, 190), (48, 72, 104), (28, 34, 50),
            (140, 170, 196), (20, 100, 170),
        ),
        "stone": ((150, 156, 160), (96, 100, 104), (60, 62, 66), (186, 194, 200), (120, 140, 158), (100, 116, 130)),
        "cork": ((86, 130, 176), (70, 110, 160), (110, 150, 186)),
        "plain": ((222, 226, 228), (200, 206, 210), (236, 236, 234), (40, 40, 42), (180, 196, 206), (120, 90, 60)),
        "carpet": ((104, 128, 150), (120, 132, 140), (70, 92, 116), (80, 80, 84), (60, 70, 120), (100, 84, 70)),
    }
)  # fmt: skip
_FAMILY = {
    "weave": "felt", "crumpled": "felt", "planks": "wood", "worn": "wood", "marble": "stone", "tiles": "stone",
    "leather": "wood",
}  # fmt: skip


@lru_cache(maxsize=40)
def _tile(kind: str, number: int) -> Picture:
    """Tones 0..255, middle 128, one deviation about 42."""
    draw = KINDS[kind][0]
    tone = draw(np.random.default_rng([number, *kind.encode()]))
    tone = (tone - tone.mean()) / max(float(tone.std()), 1e-6)
    return np.asarray(np.clip(128 + 42 * tone, 0, 255), np.uint8)


def random_kind(rng: np.random.Generator, cloth: float = 0.4) -> str:
    """A kind of surface; `cloth` is the share of plain felt, which is what casinos have."""
    if rng.random() < cloth:
        return "felt"
    return str(rng.choice(list(KINDS)))


def ramp(kind: str, rng: np.random.Generator) -> Picture:
    """A look-up (256, 1, 3) from tone to colour: a colour of its family, or now and then any colour."""
    family = COLOURS.get(_FAMILY.get(kind, kind))
    if family is None or rng.random() < 0.12:
        grey = rng.uniform(25, 225)
        middle = grey + (rng.uniform(10, 245, 3) - grey) * rng.beta(1.3, 2.2)
    else:
        middle = np.array(family[int(rng.integers(len(family)))]) * rng.uniform(0.75, 1.25)
    depth = KINDS[kind][2] * rng.uniform(0.5, 1.3)
    steps = (np.arange(256) - 128) / 128
    tint = 1 + rng.normal(0, 0.10, 3)
    if kind in ("checks", "print"):
        grey = rng.uniform(25, 235)
        other = grey + (rng.uniform(10, 245, 3) - grey) * rng.beta(1.3, 2.2)
        share = np.clip(steps[:, None] * 1.2 + 0.5, 0, 1)
        colours = middle * (1 - share) + other * share
    else:
        colours = middle * np.exp(steps[:, None] * depth * 2.0 * tint)
    return np.asarray(np.clip(colours, 0, 255), np.uint8).reshape(256, 1, 3)


def draw_surface(kind: str, number: int, colours: Picture, view: View, offset: tuple[float, float]) -> Picture:
    """The surface as a camera sees it; `offset` (0..1) says which part of the endless texture."""
    px_per_mm = view.px_per_mm()
    # From afar the pattern is drawn larger than life: its repeats would show, its threads would not.
    scale = min(KINDS[kind][1], 2 * px_per_mm)
    side = max(16, round(TILE_PX * min(1.0, px_per_mm / scale)))
    tile = _tile(kind, number)
    if side < TILE_PX:
        tile = np.asarray(cv2.resize(tile, (side, side), interpolation=cv2.INTER_AREA), np.uint8)
    where = view.plane_map(scale * side / TILE_PX, (offset[0] * side, offset[1] * side))
    tones = remap(tile, where, cv2.BORDER_WRAP)
    return np.asarray(cv2.LUT(cv2.cvtColor(tones, cv2.COLOR_GRAY2BGR), colours), np.uint8)
