"""Backs of drawn decks: lattices, rosettes, mazes, weaves, casino badges and few bold shapes, with and without a white
border.

In: `Style`. Out: the back as BGRA art, the same when the card is turned.
"""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.art import ART_PX_PER_MM, size_px
from datasets.decks.canvas import Colour, Picture, ellipse, fill, line, resized, rounded_corners, stamp, with_alpha
from datasets.decks.style import Style
from datasets.decks.suits import suit_masks

BOLD = 0.35  # of all decks
Field = NDArray[np.floating]
_NAMES = (
    "ROYAL OAK",
    "NORTH STAR",
    "RIVER PALACE",
    "GOLDEN FOUR",
    "CROWN",
    "LUCKY 4",
    "SILVER CREEK",
    "MAJESTIC",
    "PALMS",
    "21 WEST",
)


def _tooth(wave: Field) -> Field:
    return np.asarray(np.abs(2 * (wave % 1) - 1))


def _lattice(x: Field, y: Field, rng: np.random.Generator) -> Field:
    pitch, stretch = rng.uniform(2.2, 6), rng.uniform(1, 1.8)
    u, v = (x * stretch + y) / pitch, (x * stretch - y) / pitch
    lines = np.minimum(1 - _tooth(u), 1 - _tooth(v))
    inner = np.maximum(np.abs((u % 1) - 0.5), np.abs((v % 1) - 0.5))
    return np.where((lines < rng.uniform(0.12, 0.3)) | (inner < rng.uniform(0.0, 0.22)), 1.0, 0.0)


def _rosette(x: Field, y: Field, rng: np.random.Generator) -> Field:
    radius, angle = np.hypot(x, y), np.arctan2(y, x)
    petals = 2 * int(rng.integers(3, 13))
    wave = radius / rng.uniform(1.5, 4) + rng.uniform(0.3, 1.5) * np.cos(petals * angle)
    return np.asarray(0.5 + 0.5 * np.sin(2 * np.pi * wave) * np.cos(petals / 2 * angle))


def _scales(x: Field, y: Field, rng: np.random.Generator) -> Field:
    pitch = rng.uniform(3, 7)
    up = np.abs(y) / (pitch / 2)
    row = np.floor(up)
    across = (x / pitch + 0.5 * (row % 2)) % 1 - 0.5
    return _tooth(np.hypot(across * 2, up - row) * rng.uniform(1, 2.5))


def _stripes(x: Field, y: Field, rng: np.random.Generator) -> Field:
    turn = rng.uniform(0, np.pi)
    u = x * np.cos(turn) + y * np.sin(turn)
    v = -x * np.sin(turn) + y * np.cos(turn)
    return _tooth(u / rng.uniform(1.5, 4) + 0.5 + 0.4 * np.cos(v / rng.uniform(1, 4)))


def _checks(x: Field, y: Field, rng: np.random.Generator) -> Field:
    pitch = rng.uniform(2, 6)
    u, v = (x / pitch) + 0.5, (y / pitch) + 0.5
    dark = (np.floor(u) + np.floor(v)) % 2
    inner = np.maximum(np.abs(u % 1 - 0.5), np.abs(v % 1 - 0.5)) < rng.uniform(0.1, 0.3)
    return np.asarray(np.where(inner, 1 - dark, dark))


def _dots(x: Field, y: Field, rng: np.random.Generator) -> Field:
    pitch = rng.uniform(1.8, 5)
    u, v = (x + y) / pitch + 0.5, (x - y) / pitch + 0.5
    distance = np.hypot(u % 1 - 0.5, v % 1 - 0.5)
    return np.asarray(np.clip((rng.uniform(0.2, 0.42) - distance) * 8 + 0.5, 0, 1))


def _vines(x: Field, y: Field, rng: np.random.Generator) -> Field:
    pitch, curl = rng.uniform(1.2, 2.6), rng.uniform(0.8, 2.4)
    u = np.sin(x / pitch + curl * np.sin(y / pitch / 1.7))
    v = np.sin(y / pitch + curl * np.sin(x / pitch / 1.3))
    return np.asarray(0.5 + 2.5 * (u * v - 0.1) * (0.4 + np.cos((x * y) / 60) ** 2))


def _maze(x: Field, y: Field, rng: np.random.Generator) -> Field:
    pitch = rng.uniform(3, 6)
    u, v = x / pitch + 0.5, y / pitch + 0.5
    column, row = np.floor(u).astype(int), np.floor(v).astype(int)
    size = int(max(np.abs(column).max(), np.abs(row).max())) + 1
    turns = rng.random((2 * size + 1, 2 * size + 1)) < 0.5
    turns |= turns[::-1, ::-1]
    a, b = u % 1, v % 1
    a = np.where(turns[row + size, column + size], 1 - a, a)
    arcs = np.minimum(np.abs(np.hypot(a, b) - 0.5), np.abs(np.hypot(1 - a, 1 - b) - 0.5))
    return np.asarray(np.clip((rng.uniform(0.1, 0.2) - arcs) * 12 + 0.5, 0, 1))


def _weave(x: Field, y: Field, rng: np.random.Generator) -> Field:
    pitch, strands = rng.uniform(4, 8), int(rng.integers(2, 5))
    u, v = x / pitch + 0.5, y / pitch + 0.5
    level = (np.floor(u) + np.floor(v)) % 2 == 0
    return _tooth(np.where(level, u, v) * strands)


def _bold(x: Field, y: Field, rng: np.random.Generator) -> Field:
    """Few large shapes, each turning the inks around where it lies: modern backs are like that, or of one colour."""
    inside = np.zeros(x.shape, bool)
    for _ in range(int(rng.integers(0, 4))):
        inside ^= _bold_shape(x, y, rng)
    return inside.astype(np.float32)


def _bold_shape(x: Field, y: Field, rng: np.random.Generator) -> NDArray[np.bool_]:
    wide, high = rng.uniform(8, 34), rng.uniform(8, 48)
    kind = str(rng.choice(["oval", "corners", "diamond", "star", "bars", "halves"]))
    if kind == "oval":
        shape = np.hypot(x / wide, y / high) < 1
    elif kind == "corners":
        shape = np.hypot((np.abs(x) - 32) / wide, (np.abs(y) - 44) / high) < 1
    elif kind == "diamond":
        shape = np.abs(x) / wide + np.abs(y) / high < 1
    elif kind == "star":
        shape = np.sqrt(np.abs(x) / wide) + np.sqrt(np.abs(y) / high) < 1
    elif kind == "bars":
        turn, pitch = rng.uniform(0, np.pi), rng.uniform(12, 40)
        shape = _tooth((x * np.cos(turn) + y * np.sin(turn)) / pitch) < rng.uniform(0.2, 0.6)
    else:
        shape = np.abs(x if rng.random() < 0.5 else y) < wide
    return np.asarray(shape, np.bool_)


_PATTERNS: dict[str, Callable[[Field, Field, np.random.Generator], Field]] = {
    "lattice": _lattice, "rosette": _rosette, "scales": _scales, "stripes": _stripes, "checks": _checks,
    "dots": _dots, "vines": _vines, "maze": _maze, "weave": _weave, "bold": _bold,
}  # fmt: skip


def _printed(size_wh: tuple[int, int], pattern: str, rng: np.random.Generator, inks: tuple[Colour, Colour]) -> Picture:
    """A pattern in two inks: its upper half worked out at twice the size, for smooth edges, and the same turned."""
    width, height = size_wh
    y, x = np.mgrid[:height, : 2 * width].astype(np.float32)
    level = _PATTERNS[pattern]((x + 0.5 - width) / (2 * ART_PX_PER_MM), (y + 0.5 - height) / (2 * ART_PX_PER_MM), rng)
    sharp = (np.clip((level - 0.5) * 4 + 0.5, 0, 1) * 255).astype(np.uint8)
    upper = resized(sharp, (width, height / 2))
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = inks[0]
    stamp(picture, np.concatenate([upper, upper[::-1, ::-1]]), 0, 0, inks[1])
    return picture


def _star(points: int, depth: float) -> NDArray[np.float64]:
    angle = np.linspace(0, 2 * np.pi, 2 * points, endpoint=False) - np.pi / 2
    radius = np.where(np.arange(2 * points) % 2 == 0, 1, depth)
    return np.stack([np.cos(angle) * radius, np.sin(angle) * radius], axis=1)


def _badge(picture: Picture, style: Style, rng: np.random.Generator) -> None:
    """A casino's badge: a disc with a star or a suit, and an invented name read from both sides."""
    height, width = picture.shape[:2]
    ink, light = style.back_inks
    radius = width * rng.uniform(0.2, 0.38)
    centre = (width / 2, height / 2)
    fill(picture, ellipse(centre, (radius, radius), steps=90), light)
    line(picture, ellipse(centre, (radius * 0.93,) * 2, steps=90), ink, 3)
    if rng.random() < 0.5:
        fill(picture, _star(int(rng.integers(4, 9)) * 2, rng.uniform(0.4, 0.8)) * radius * 0.5 + centre, ink)
    else:
        mask = suit_masks(style.suits)[str(rng.choice(list("cdhs")))]
        sized = resized(mask, (radius * 0.4 * mask.shape[1] / mask.shape[0], radius * 0.4))
        for turned in (sized, sized[::-1, ::-1]):
            offset = -radius * 0.25 if turned is sized else radius * 0.25
            stamp(picture, turned, centre[0] - turned.shape[1] / 2, centre[1] + offset - turned.shape[0] / 2, ink)
    _name_band(picture, str(rng.choice(_NAMES)), light, ink, rng.uniform(0.06, 0.2))


def _name_band(picture: Picture, name: str, light: Colour, ink: Colour, at: float) -> None:
    height, width = picture.shape[:2]
    scale = width * 0.62 / cv2.getTextSize(name, cv2.FONT_HERSHEY_TRIPLEX, 1, 2)[0][0]
    scale = min(scale, 1.8)
    (text_w, text_h), _ = cv2.getTextSize(name, cv2.FONT_HERSHEY_TRIPLEX, scale, 2)
    top = round(height * at)
    band = picture[top : top + 2 * text_h, :]
    left = (width - text_w) // 2
    band[:, left - text_h : left + text_w + text_h] = light
    cv2.putText(band, name, (left, round(text_h * 1.5)), cv2.FONT_HERSHEY_TRIPLEX, scale, ink, 2, cv2.LINE_AA)
    picture[height - top - band.shape[0] : height - top] = band[::-1, ::-1]


def _pattern_of(style: Style, rng: np.random.Generator) -> str:
    """Apart from what a style holds, so that the faces of decks stayed as they were when bold backs came."""
    if np.random.default_rng([style.seed, 6]).random() < BOLD:
        return "bold"
    return str(rng.choice([name for name in _PATTERNS if name != "bold"])) if style.back == "logo" else style.back


def draw_back(style: Style) -> Picture:
    """The back of a look."""
    rng = np.random.default_rng([style.seed, 4])
    width, height = size_px(style.size_mm)
    inks = style.back_inks if rng.random() < 0.7 else style.back_inks[::-1]
    picture = _printed((width, height), _pattern_of(style, rng), rng, inks)
    if style.back == "logo":
        _badge(picture, style, rng)
    elif rng.random() < 0.3:
        oval = ellipse((width / 2, height / 2), (width * rng.uniform(0.15, 0.35),) * 2, steps=90)
        fill(picture, oval, style.back_inks[0])
        line(picture, oval, style.back_inks[1], 4, closed=True)
    _draw_border(picture, style, rng)
    return with_alpha(picture, rounded_corners((width, height), style.radius_mm * ART_PX_PER_MM))


def _draw_border(picture: Picture, style: Style, rng: np.random.Generator) -> None:
    border = round(style.back_border_mm * ART_PX_PER_MM)
    if not border:
        return
    height, width = picture.shape[:2]
    inner = rounded_corners((width - 2 * border, height - 2 * border), max(rng.uniform(-2, 3) * ART_PX_PER_MM, 0.01))
    outside = np.full((height, width), 255, np.uint8)
    outside[border : height - border, border : width - border] -= inner
    stamp(picture, outside, 0, 0, style.back_inks[1])
    if rng.random() < 0.7:
        step = border + round(rng.uniform(0.6, 1.5) * ART_PX_PER_MM)
        corners = np.array([[step, step], [width - step, step], [width - step, height - step], [step, height - step]])
        line(picture, corners.astype(np.float64), style.back_inks[1], int(rng.integers(2, 6)), closed=True)
