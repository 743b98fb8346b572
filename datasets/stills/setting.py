"""Where a still is taken: the surface that fills the picture, and the things that lie under and on the cards.

In: a preset, a view, a generator. Out: the background, and props with their places.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from datasets.decks.backgrounds import backgrounds
from datasets.errors import DatasetError
from datasets.picture.compose import Picture
from datasets.picture.surfaces import VARIANTS, draw_surface, ramp, random_kind
from datasets.picture.views import View
from datasets.props.clutter import CLUTTER_STOCK, stock_clutter
from datasets.props.stock import CHIPS, HAND_STOCK, draw_chip_stack, lean_of, stock_hand
from datasets.stills.presets import StillPreset
from datasets.stills.still_life import PlacedCard, PlacedProp

PHOTOGRAPHS = 0.12  # of pictures, when any were fetched
SECOND_SURFACE = 0.25  # of pictures show the edge of a mat, a table, a cloth
CLOTH_SHARE = {"any": 0.3, "felt": 1.0, "table": 1.0}


def draw_setting(preset: StillPreset, view: View, split: str, rng: np.random.Generator) -> Picture:
    """The empty surface, now and then with the edge of another one across it, or a photograph of the split."""
    photographs = backgrounds(split) if preset.surfaces == "any" and rng.random() < PHOTOGRAPHS else []
    if photographs:
        return _photograph(photographs[int(rng.integers(len(photographs)))], view.size_wh, rng)
    background = _surface(preset, view, rng)
    if rng.random() < SECOND_SURFACE:
        _lay_edge(background, _surface(preset, view, rng), view, rng)
    return background


def _photograph(path: Path, size_wh: tuple[int, int], rng: np.random.Generator) -> Picture:
    """A part of a photograph, turned anyhow, that fills the picture."""
    picture = np.rot90(_read(path), int(rng.integers(4)))
    share = float(rng.uniform(0.4, 1.0))
    aspect = size_wh[0] / size_wh[1]
    height = min(picture.shape[0], picture.shape[1] / aspect) * share
    rows, columns = max(8, int(height)), max(8, int(height * aspect))
    top = int(rng.integers(picture.shape[0] - rows + 1))
    left = int(rng.integers(picture.shape[1] - columns + 1))
    part = np.ascontiguousarray(picture[top : top + rows, left : left + columns])
    return np.asarray(cv2.resize(part, size_wh, interpolation=cv2.INTER_AREA), np.uint8)


@lru_cache(maxsize=8)
def _read(path: Path) -> Picture:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise DatasetError(f"{path} is no picture; remove it and run `make decks` again")
    return np.asarray(picture, np.uint8)


def _surface(preset: StillPreset, view: View, rng: np.random.Generator) -> Picture:
    kind = random_kind(rng, CLOTH_SHARE[preset.surfaces])
    offset = (float(rng.random()), float(rng.random()))
    return draw_surface(kind, int(rng.integers(VARIANTS)), ramp(kind, rng), view, offset)


def _lay_edge(background: Picture, other: Picture, view: View, rng: np.random.Generator) -> None:
    """The other surface beyond a straight line, with the shadow of its thickness, in place."""
    width, height = view.size_wh
    way = float(rng.uniform(0, 2 * np.pi))
    along = np.array([np.cos(way), np.sin(way)])
    start = np.array([width, height]) * (0.5 + along * rng.uniform(0.1, 0.5))
    across = np.array([-along[1], along[0]]) * (width + height)
    far = along * (width + height)
    region = np.array([start - across, start + across, start + across + far, start - across + far])
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [np.round(region * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    blur = max(1.0, float(rng.uniform(1, 6)) * view.px_per_mm())
    low = cv2.resize(mask, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    shadow = cv2.resize(cv2.GaussianBlur(low, (0, 0), max(0.5, blur / 4)), (width, height))
    dark = cv2.cvtColor(cv2.convertScaleAbs(shadow, alpha=-0.5, beta=255), cv2.COLOR_GRAY2BGR)
    shaded = cv2.multiply(background, dark, scale=1 / 255)
    cv2.copyTo(other, mask, shaded)
    background[...] = shaded


def random_props(
    preset: StillPreset, view: View, cards: Sequence[PlacedCard], rng: np.random.Generator
) -> tuple[list[PlacedProp], list[PlacedProp]]:
    """What lies under the cards, and what lies on them or beside them."""
    below: list[PlacedProp] = []
    above: list[PlacedProp] = []
    if rng.random() < preset.clutter:
        for _ in range(int(rng.integers(1, 4))):
            (above if rng.random() < 0.25 else below).append(_random_clutter(view, rng))
    if rng.random() < preset.chips:
        above += [_random_chips(view, cards, rng) for _ in range(int(rng.integers(1, 5)))]
    if rng.random() < preset.hands:
        above += [_random_hand(view, cards, rng) for _ in range(int(rng.choice([1, 1, 2])))]
    return below, above


def _somewhere(view: View, rng: np.random.Generator, margin: float = 0.05) -> tuple[float, float]:
    place_px = rng.uniform(-margin, 1 + margin, 2) * view.size_wh
    x, y = view.unproject(place_px[None])[0]
    return float(np.nan_to_num(x)), float(np.nan_to_num(y))


def _random_clutter(view: View, rng: np.random.Generator) -> PlacedProp:
    sprite = stock_clutter(int(rng.integers(CLUTTER_STOCK)))
    return PlacedProp(sprite, _somewhere(view, rng, 0.1), float(rng.uniform(0, 2 * np.pi)))


def _beside_card(
    view: View, cards: Sequence[PlacedCard], rng: np.random.Generator, reach_mm: float
) -> tuple[float, float]:
    if not cards or rng.random() < 0.3:
        return _somewhere(view, rng)
    x, y = cards[int(rng.integers(len(cards)))].lie.at_mm
    dx, dy = rng.normal(0, reach_mm, 2)
    return x + float(dx), y + float(dy)


def _random_chips(view: View, cards: Sequence[PlacedCard], rng: np.random.Generator) -> PlacedProp:
    at_mm = _beside_card(view, cards, rng, 70)
    count = int(rng.choice([1, 1, 2, 3, 5, 8, 14, 20]))
    scale = float(np.clip(np.nan_to_num(view.px_per_mm(at_mm)) * 1.2, 1.5, 8))  # behind the camera there is none
    lean = lean_of(view.camera_mm(), at_mm, count * 3.3)
    lean = (float(np.clip(lean[0], -2, 2)), float(np.clip(lean[1], -2, 2)))
    sprite = draw_chip_stack(int(rng.choice(list(CHIPS))), count, rng, lean=lean, px_per_mm=round(scale, 1))
    return PlacedProp(sprite, at_mm)


def _random_hand(view: View, cards: Sequence[PlacedCard], rng: np.random.Generator) -> PlacedProp:
    """Its arm comes from outside: the sprite's arm runs down, so down is turned away from the picture's middle."""
    at_mm = _beside_card(view, cards, rng, 45)
    away = np.arctan2(at_mm[1], at_mm[0]) if rng.random() < 0.8 else rng.uniform(0, 2 * np.pi)
    angle = float(away - np.pi / 2 + rng.normal(0, 0.4))
    return PlacedProp(stock_hand(int(rng.integers(HAND_STOCK))), at_mm, angle)
