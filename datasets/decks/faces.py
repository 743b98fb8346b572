"""Faces of a drawn deck: index, pips, aces, frames; the courts come from `courts`.

In: `Style` and its signs. Out: one face as BGRA art. The lower half of every face is the upper one turned.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.decks.art import ART_PX_PER_MM, size_px
from datasets.decks.canvas import (
    Colour,
    Mask,
    Picture,
    ellipse,
    line,
    resized,
    rounded_corners,
    stamp,
    stamp_centred,
    turned,
    with_alpha,
)
from datasets.decks.courts import draw_court
from datasets.decks.ranks import TEN, RankSigns
from datasets.decks.style import Style, patch_room_mm
from game.cards import Card

_LIGHT = 0.46  # share of ink in the box of an 8
_HALO_PX = 14  # of a mask's pixels
# Columns -1 0 1 by rows -1 .. 1, as on printed decks; what lies below the middle is turned.
_CORNER_PIPS = ((-1, -1), (1, -1), (-1, 1), (1, 1))
_SIDE_THIRDS = ((-1, -1 / 3), (1, -1 / 3), (-1, 1 / 3), (1, 1 / 3))
_PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((0, -1), (0, 1)),
    3: ((0, -1), (0, 0), (0, 1)),
    4: _CORNER_PIPS,
    5: (*_CORNER_PIPS, (0, 0)),
    6: (*_CORNER_PIPS, (-1, 0), (1, 0)),
    7: (*_CORNER_PIPS, (-1, 0), (1, 0), (0, -0.5)),
    8: (*_CORNER_PIPS, (-1, 0), (1, 0), (0, -0.5), (0, 0.5)),
    9: (*_CORNER_PIPS, *_SIDE_THIRDS, (0, 0)),
    10: (*_CORNER_PIPS, *_SIDE_THIRDS, (0, -2 / 3), (0, 2 / 3)),
}


@dataclass(frozen=True, slots=True, eq=False)
class Signs:
    """What a deck is printed with: its masks, and a face with nothing but the frame."""

    ranks: RankSigns
    suits: dict[str, Mask]
    blank: Picture


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the card in millimetres."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.top + self.height


def _column_mm(style: Style, signs: Signs) -> float:
    """Width of the index's column: its widest sign but the ten, within the patch."""
    layout = style.layout
    widest = max(signs.ranks.size_mm(rank, layout.rank_mm)[0] for rank in signs.ranks.masks if rank != TEN)
    return min(widest, patch_room_mm(style.size_mm)[1] - layout.left_mm)


def index_boxes(style: Style, signs: Signs, card: Card) -> tuple[Box, Box]:
    """Where rank and suit of the upper left index are printed; always within the corner patch."""
    layout, (low, high) = style.layout, patch_room_mm(style.size_mm)
    column = _column_mm(style, signs)
    width, height = signs.ranks.size_mm(card.rank, layout.rank_mm)
    width = min(width, column * (layout.ten_reach if card.rank == TEN else 1), high - low)
    middle = layout.left_mm + column / 2
    rank = Box(min(max(middle - width / 2, low), high - width), layout.top_mm, width, height)
    mask = signs.suits[card.suit]
    suit_w = min(layout.suit_mm * mask.shape[1] / mask.shape[0], high - low)
    if layout.beside:
        left = rank.right + layout.gap_mm
        suit_w = min(suit_w, high - left)
        suit_h = min(layout.suit_mm, suit_w * mask.shape[0] / mask.shape[1])
        return rank, Box(left, layout.top_mm + (layout.rank_mm - suit_h) / 2, suit_w, suit_h)
    suit_left = min(max(middle - suit_w / 2, low), high - suit_w)
    return rank, Box(suit_left, rank.bottom + layout.gap_mm, suit_w, layout.suit_mm)


def _stamp_box(picture: Picture, mask: Mask, box: Box, colour: Colour, bold_px: int = 0) -> None:
    if bold_px:
        mask = np.asarray(cv2.dilate(mask, np.ones((2 * bold_px + 1,) * 2, np.uint8)), np.uint8)
    sized = resized(mask, (box.width * ART_PX_PER_MM, box.height * ART_PX_PER_MM))
    stamp(picture, sized, box.left * ART_PX_PER_MM, box.top * ART_PX_PER_MM, colour)


def _bold_px(style: Style, signs: Signs) -> int:
    """How much fatter the ranks are printed: heavy ones not at all, or an 8 would lose its holes."""
    ink = float(signs.ranks.masks[8].mean()) / 255
    return style.index_bold_px if ink < _LIGHT else 0


def draw_index(picture: Picture, style: Style, signs: Signs, card: Card) -> None:
    """The upper half's indices; `turned_half` makes the lower ones."""
    ink = style.inks[card.suit]
    for at_right in {corner.endswith("right") for corner in style.layout.corners if corner.startswith("upper")}:
        for box, mask, bold in zip(
            index_boxes(style, signs, card),
            (signs.ranks.masks[card.rank], signs.suits[card.suit]),
            (_bold_px(style, signs), 0),
            strict=True,
        ):
            moved = Box(_across(style, signs, card, box.left) if at_right else box.left, box.top, box.width, box.height)
            if style.court == "figure" and TEN < card.rank < 14:
                _stamp_box(picture, mask, moved, style.paper, _HALO_PX)  # courts are printed clear of the index
            _stamp_box(picture, mask, moved, ink, bold)


def _across(style: Style, signs: Signs, card: Card, left_mm: float) -> float:
    """The same index at the upper right: the pair's outer margin is kept, rank and suit keep their order."""
    boxes = index_boxes(style, signs, card)
    low, high = min(box.left for box in boxes), max(box.right for box in boxes)
    return style.size_mm[0] - high + left_mm - 2 * low + low


def blank_face(style: Style) -> Picture:
    """Paper and frame."""
    width, height = size_px(style.size_mm)
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = style.paper
    if style.frame != "none":
        _draw_frame(picture, style)
    return picture


def _draw_frame(picture: Picture, style: Style) -> None:
    height, width = picture.shape[:2]
    inset = style.frame_mm * ART_PX_PER_MM
    radius = {"rounded": 3.5 * ART_PX_PER_MM, "tinted": 2 * ART_PX_PER_MM}.get(style.frame, 0.0)
    outer = rounded_corners((round(width - 2 * inset), round(height - 2 * inset)), max(radius, 0.01))
    if style.frame == "tinted":
        stamp(picture, outer // 14, inset, inset, style.frame_ink)
        return
    for step in (0, 6) if style.frame == "double" else (0,):
        edge = outer[: outer.shape[0] - 2 * step, : outer.shape[1] - 2 * step]
        if step:
            edge = rounded_corners((edge.shape[1], edge.shape[0]), max(radius - step, 0.01))
        padded = cv2.copyMakeBorder(edge, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
        thin = cv2.morphologyEx(padded, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        stamp(picture, np.asarray(thin, np.uint8), inset + step - 1, inset + step - 1, style.frame_ink)


def field_mm(style: Style, signs: Signs) -> Box:
    """The middle of the card that is free of indices."""
    width, height = style.size_mm
    column = _column_mm(style, signs) * (2 if style.layout.beside else 1)
    side = max(min(style.layout.left_mm + column + 1.2, width * 0.3), style.frame_mm + 3)
    top = max(style.frame_mm + 4, 7.0)
    return Box(side, top, width - 2 * side, height - 2 * top)


def _draw_pips(picture: Picture, style: Style, signs: Signs, card: Card) -> None:
    field = field_mm(style, signs)
    pip_mm = min(13.5, field.width * 0.34) * style.pip_mm
    mask = resized(signs.suits[card.suit], (pip_mm * ART_PX_PER_MM * _aspect(signs, card), pip_mm * ART_PX_PER_MM))
    reach = (min(field.width / 2 - pip_mm * 0.5, style.pip_column_mm), field.height / 2 - pip_mm * 0.6)
    for column, row in _PIPS[card.rank]:
        centre = (style.size_mm[0] / 2 + column * reach[0], style.size_mm[1] / 2 + row * reach[1])
        shape = mask[::-1, ::-1] if row > 0 else mask
        stamp_centred(picture, shape, (centre[0] * ART_PX_PER_MM, centre[1] * ART_PX_PER_MM), style.inks[card.suit])


def _aspect(signs: Signs, card: Card) -> float:
    height, width = signs.suits[card.suit].shape
    return float(width / height)


def _draw_centre(
    picture: Picture, mask: Mask, height_mm: float, room_mm: float, ink: Colour, shift_mm: float = 0
) -> None:
    height = height_mm * ART_PX_PER_MM
    scale = min(height / mask.shape[0], room_mm * ART_PX_PER_MM / mask.shape[1])
    sized = resized(mask, (mask.shape[1] * scale, mask.shape[0] * scale))
    stamp_centred(picture, sized, (picture.shape[1] / 2, picture.shape[0] / 2 + shift_mm * ART_PX_PER_MM), ink)


def _draw_ace(picture: Picture, style: Style, signs: Signs, card: Card) -> None:
    field, ink = field_mm(style, signs), style.inks[card.suit]
    height_mm = style.size_mm[1] * style.ace_scale * (1.25 if card.suit == "s" else 1)
    _draw_centre(picture, signs.suits[card.suit], height_mm, field.width, ink)
    if not style.ace_ornate:
        return
    rng = np.random.default_rng([style.seed, 2, card.index])
    inner = float(rng.uniform(0.35, 0.6))
    _draw_centre(picture, signs.suits[card.suit], height_mm * inner, field.width * inner, style.paper)
    _draw_centre(picture, signs.suits[card.suit], height_mm * inner * 0.8, field.width * inner * 0.8, ink)
    if card.suit == "s" or rng.random() < 0.4:
        _draw_rosette(picture, rng, min(field.width * 0.5, height_mm * 0.85) * ART_PX_PER_MM, ink)


def _draw_rosette(picture: Picture, rng: np.random.Generator, radius_px: float, ink: Colour) -> None:
    """Rings of fine waves around an ace."""
    centre = np.array([picture.shape[1] / 2, picture.shape[0] / 2])
    waves, angle = int(rng.integers(5, 30)), np.linspace(0, 2 * np.pi, 361)[:-1]
    for phase in (0, np.pi):
        radius = radius_px * (1 + rng.uniform(0.04, 0.1) * np.sin(waves * angle + phase))
        ring = centre + np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius[:, None]
        line(picture, ring, ink, 2, closed=True)
    line(picture, ellipse((centre[0], centre[1]), (radius_px * 1.12,) * 2, steps=90), ink, 2)


def _draw_number(picture: Picture, style: Style, signs: Signs, card: Card) -> None:
    field, ink = field_mm(style, signs), style.inks[card.suit]
    if style.pips == "big":
        _draw_centre(picture, signs.suits[card.suit], style.size_mm[1] * 0.38, field.width, ink)
    elif style.pips == "rank":
        _draw_centre(picture, signs.ranks.masks[card.rank], 20, field.width, ink, shift_mm=-9)
        _draw_centre(picture, signs.suits[card.suit], 17, field.width, ink, shift_mm=12)
    else:
        _draw_pips(picture, style, signs, card)


def draw_face(style: Style, signs: Signs, card: Card) -> Picture:
    """One face as BGRA art."""
    picture = signs.blank.copy()
    field = field_mm(style, signs)
    if card.rank == 14:
        _draw_ace(picture, style, signs, card)
    elif card.rank > TEN:
        draw_court(
            picture, style, card, (field.left, field.top, field.width, field.height), signs.suits, signs.ranks.masks
        )
    else:
        _draw_number(picture, style, signs, card)
    for _ in range(2):  # each half's indices, the second time with the card turned
        draw_index(picture, style, signs, card)
        picture = turned(picture)
    alpha = rounded_corners(size_px(style.size_mm), style.radius_mm * ART_PX_PER_MM)
    return with_alpha(picture, alpha)
