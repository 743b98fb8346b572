"""Court cards of drawn decks: two-headed figures with crown, hair, robe and what they hold, all from the seed.

In: the free field of a face and the deck's style. Out: the field filled. A figure is drawn once, for the upper half,
in a box one wide and one high (head above, belt at 1), and joined to its own image turned.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.decks.art import ART_PX_PER_MM
from datasets.decks.canvas import (
    Colour,
    Mask,
    Picture,
    Points,
    bezier,
    ellipse,
    fill,
    fill_lined,
    line,
    mirrored,
    resized,
    stamp,
    stamp_centred,
    turned,
)
from datasets.decks.patterns import cloth, fill_cloth
from datasets.decks.style import Style
from game.cards import Card

_JACK, _QUEEN, _KING = 11, 12, 13


@dataclass(frozen=True, slots=True, eq=False)
class _Figure:
    """The half figure being drawn: its picture, how points become pixels, and its colours."""

    picture: Picture
    scale: tuple[float, float]
    rng: np.random.Generator
    rank: int
    palette: tuple[Colour, ...]  # flesh, red, blue, yellow, ink, extra
    line_px: int
    facing: int = 0  # -1 left, 1 right, 0 front
    origin: tuple[float, float] = (0.0, 0.0)  # pixels

    @property
    def ink(self) -> Colour:
        return self.palette[4]

    @property
    def cloths(self) -> tuple[Colour, ...]:
        return (*self.palette[1:4], self.palette[5], (250, 250, 250))

    def px(self, points: Points) -> Points:
        return np.asarray(points * self.scale + self.origin)

    def plain(self, points: Points, colour: Colour) -> None:
        fill_lined(self.picture, self.px(points), colour, self.ink, self.line_px)

    def dressed(self, points: Points) -> None:
        fill_cloth(self.picture, self.px(points), self.rng, self.cloths, self.ink, self.line_px)

    def stroke(self, points: Points, width_px: int, colour: Colour | None = None) -> None:
        line(self.picture, self.px(points), self.ink if colour is None else colour, width_px)

    def any_colour(self) -> Colour:
        return self.cloths[int(self.rng.integers(len(self.cloths)))]


def _robe(figure: _Figure) -> None:
    rng = figure.rng
    drop, wide = rng.uniform(0.66, 0.8), rng.uniform(0.42, 0.6)
    side = bezier((0.4, 0.5), (0.5 - wide * 0.8, 0.52), (0.5 - wide, drop - 0.05), (0.5 - wide, 1.3))
    figure.dressed(mirrored(side))
    inner = rng.uniform(0.12, 0.28)
    panel = bezier((0.42, 0.52), (0.5 - inner, 0.7), (0.5 - inner * rng.uniform(0.5, 1.3), 1.3))
    figure.dressed(mirrored(panel))
    for left in (True, False):
        sleeve = bezier((0.3, 0.62), (0.05, 0.6), (-0.02, 0.8), (0.02, 1.3))
        sleeve = np.concatenate([sleeve, bezier((0.2, 1.3), (0.22, 0.9), (0.3, 0.62))])
        if not left:
            sleeve[:, 0] = 1 - sleeve[:, 0]
        if rng.random() < 0.8:
            figure.dressed(sleeve)
    band = rng.uniform(0.03, 0.07)
    figure.plain(
        np.array([[0.5 - band, 0.5], [0.5 + band, 0.5], [0.5 + band, 1.3], [0.5 - band, 1.3]]), figure.any_colour()
    )
    for y in np.arange(0.62, 1.2, rng.uniform(0.07, 0.13)):
        figure.plain(ellipse((0.5, y), (band * 0.6, band * 0.6), steps=14), figure.any_colour())


def _collar(figure: _Figure) -> None:
    rng, rows = figure.rng, int(figure.rng.integers(1, 4))
    for row in range(rows, 0, -1):
        reach, y = 0.12 + 0.05 * row, 0.5 + 0.025 * row
        colour = figure.any_colour()
        for x in np.linspace(0.5 - reach, 0.5 + reach, 4 + 2 * row):
            figure.plain(ellipse((x, y - abs(x - 0.5) * 0.25), (0.035, 0.035), steps=14), colour)
    if rng.random() < 0.4:
        figure.plain(bezier((0.36, 0.5), (0.5, 0.68), (0.64, 0.5)), figure.any_colour())


def _hair(figure: _Figure) -> None:
    rng, colour = figure.rng, figure.any_colour()
    length = rng.uniform(0.46, 0.6)
    for sign in (-1, 1):
        for curl in range(int(rng.integers(2, 4))):
            x = 0.5 + sign * (0.13 + 0.03 * curl)
            lock = bezier(
                (x - sign * 0.05, 0.24),
                (x + sign * 0.06, 0.3),
                (x - sign * 0.02, length - 0.06),
                (x + sign * 0.05, length),
            )
            figure.stroke(lock, 16 - 2 * curl)
            figure.stroke(lock, 11 - 2 * curl, colour)
        if rng.random() < 0.6:
            figure.plain(ellipse((0.5 + sign * 0.2, length), (0.045, 0.04), steps=16), colour)


def _face(figure: _Figure) -> None:
    rng, turn, ink = figure.rng, figure.facing * 0.025, figure.ink
    figure.plain(mirrored(bezier((0.5, 0.2), (0.34, 0.2), (0.36, 0.44), (0.5, 0.5))), figure.palette[0])
    for sign in (-1, 1):
        x = 0.5 + sign * 0.052 + turn
        figure.stroke(bezier((x - 0.03, 0.3), (x, 0.285), (x + 0.03, 0.3)), 2)
        fill(figure.picture, figure.px(ellipse((x, 0.322), (0.018, 0.011), steps=12)), ink)
    figure.stroke(np.array([[0.5 + turn, 0.31], [0.5 + turn * 2.2, 0.385], [0.5 + turn - 0.012, 0.39]]), 2)
    figure.stroke(bezier((0.465 + turn, 0.43), (0.5 + turn, 0.442), (0.535 + turn, 0.43)), 3, figure.palette[1])
    if figure.rank == _KING:
        beard = bezier((0.385, 0.38), (0.4, 0.42), (0.45, 0.4), (0.5 + turn, 0.41))
        point = rng.uniform(0.54, 0.64)
        lower = bezier((0.385, 0.38), (0.36, 0.5), (0.44, point), (0.5, point))
        figure.plain(mirrored(np.concatenate([beard[::-1], lower])), figure.any_colour())
        for x in np.linspace(0.44, 0.56, 5):
            figure.stroke(np.array([[x, 0.45], [0.5 + (x - 0.5) * 0.6, point - 0.03]]), 1)
    if figure.rank != _QUEEN and rng.random() < 0.6:
        for sign in (-1, 1):
            figure.stroke(bezier((0.5 + turn, 0.41), (0.5 + sign * 0.05, 0.4), (0.5 + sign * 0.09, 0.43)), 3)


def _crown(figure: _Figure) -> None:
    rng, points = figure.rng, int(figure.rng.integers(3, 6))
    wide, high = rng.uniform(0.15, 0.2), rng.uniform(0.02, 0.07)
    xs = np.linspace(0.5 - wide, 0.5 + wide, 2 * points - 1)
    ys = np.where(np.arange(2 * points - 1) % 2 == 0, high, 0.14)
    rim = np.array([[0.5 + wide * 0.85, 0.22], [0.5 - wide * 0.85, 0.22]])
    metal = figure.palette[3]
    figure.plain(np.concatenate([np.stack([xs, ys], axis=1), rim]), metal)
    for x, y in zip(xs[::2], ys[::2], strict=True):
        figure.plain(ellipse((x, y), (0.018, 0.018), steps=12), figure.any_colour())
    figure.dressed(
        np.array(
            [[0.5 - wide * 0.9, 0.19], [0.5 + wide * 0.9, 0.19], [0.5 + wide * 0.85, 0.24], [0.5 - wide * 0.85, 0.24]]
        )
    )


def _coronet(figure: _Figure) -> None:
    rng = figure.rng
    wide = rng.uniform(0.14, 0.18)
    figure.dressed(mirrored(bezier((0.5, 0.05), (0.5 - wide * 1.5, 0.02), (0.5 - wide, 0.22))))
    for x in np.linspace(0.5 - wide, 0.5 + wide, int(rng.integers(4, 8))):
        figure.plain(ellipse((x, 0.21 - 0.3 * abs(x - 0.5) ** 2), (0.022, 0.022), steps=12), figure.palette[3])
    if rng.random() < 0.7:
        veil = bezier((0.5 - wide, 0.2), (0.2, 0.3), (0.24, 0.45), (0.18, 0.56))
        for points in (veil, np.stack([1 - veil[:, 0], veil[:, 1]], axis=1)):
            figure.stroke(points, 9)
            figure.stroke(points, 5, figure.any_colour())


def _cap(figure: _Figure) -> None:
    rng, lean = figure.rng, figure.rng.uniform(-0.06, 0.06)
    crown = bezier((0.33, 0.2), (0.28 + lean, 0.02), (0.72 + lean, 0.02), (0.67, 0.2))
    figure.dressed(crown)
    figure.plain(np.array([[0.31, 0.18], [0.69, 0.18], [0.66, 0.24], [0.34, 0.24]]), figure.any_colour())
    if rng.random() < 0.7:
        sign = rng.choice([-1, 1])
        plume = bezier(
            (0.5 + sign * 0.14, 0.2), (0.5 + sign * 0.3, 0.02), (0.5 + sign * 0.34, 0.1), (0.5 + sign * 0.36, 0.24)
        )
        figure.stroke(plume, 13)
        figure.stroke(plume, 9, figure.any_colour())


_HATS = {_JACK: _cap, _QUEEN: _coronet, _KING: _crown}


def _held(figure: _Figure) -> None:
    """Sword, sceptre, halberd or flower, and the hand on it."""
    rng, sign = figure.rng, int(figure.rng.choice([-1, 1]))
    x, lean = 0.5 + sign * rng.uniform(0.27, 0.36), sign * rng.uniform(-0.05, 0.08)
    top, metal = (x + lean, rng.uniform(0.06, 0.14)), figure.any_colour()
    shaft = np.array([top, (x, 1.2)])
    figure.stroke(shaft, 9)
    figure.stroke(shaft, 5, metal)
    kind = _held_kind(figure)
    if kind == "flower":
        for angle in np.linspace(0, 2 * np.pi, int(rng.integers(5, 9)), endpoint=False):
            petal = (top[0] + 0.05 * np.cos(angle), top[1] + 0.05 * np.sin(angle))
            figure.plain(ellipse(petal, (0.034, 0.034), steps=14), figure.palette[1])
        figure.plain(ellipse(top, (0.028, 0.028), steps=14), figure.palette[3])
    elif kind == "halberd":
        blade = np.array([[0, -0.05], [0.1, 0.02], [0.1, 0.14], [0, 0.1], [-0.05, 0.06]]) * [sign, 1] + top
        figure.plain(blade, figure.cloths[-1])
    elif kind == "sceptre":
        figure.plain(ellipse(top, (0.05, 0.05), steps=18), figure.palette[3])
        figure.plain(ellipse((top[0], top[1] - 0.06), (0.022, 0.03), steps=14), figure.palette[1])
    else:
        guard = np.array([[-0.09, 0.58], [0.09, 0.58], [0.09, 0.61], [-0.09, 0.61]]) + np.array([x, 0])
        figure.plain(guard, figure.palette[3])
    figure.plain(ellipse((x, rng.uniform(0.68, 0.78)), (0.065, 0.05), steps=20), figure.palette[0])


def _held_kind(figure: _Figure) -> str:
    kinds = {_KING: ("sword", "sword", "sceptre"), _QUEEN: ("flower", "flower", "sceptre"), _JACK: ("halberd", "sword")}
    return str(figure.rng.choice(kinds[figure.rank]))


def _half_figure(picture: Picture, style: Style, rng: np.random.Generator, rank: int) -> None:
    height, width = picture.shape[:2]
    figure = _Figure(
        picture=picture,
        scale=(float(width), height / 2),
        rng=rng,
        rank=rank,
        palette=style.court_palette,
        line_px=style.court_line_px,
        facing=int(rng.integers(-1, 2)),
    )
    _robe(figure)
    _hair(figure)
    _collar(figure)
    _face(figure)
    _HATS[rank](figure)
    _held(figure)


def _joined(upper: Picture, slant: float) -> Picture:
    """The upper half and its image turned, along a level or slanting line through the middle."""
    height, width = upper.shape[:2]
    y, x = np.mgrid[:height, :width]
    above = y + 0.5 - height / 2 < slant * (x + 0.5 - width / 2)
    joined = turned(upper)
    cv2.copyTo(upper, above.astype(np.uint8), joined)
    return joined


def _emblem(picture: Picture, style: Style, rng: np.random.Generator, rank: int) -> None:
    """A crown or cap alone, large, over a band of cloth: the courts of plain modern decks."""
    height, width = picture.shape[:2]
    scale = float(width * rng.uniform(1.3, 1.7))
    figure = _Figure(
        picture=picture,
        scale=(scale, scale),
        rng=rng,
        rank=rank,
        palette=style.court_palette,
        line_px=max(style.court_line_px, 1),
        origin=(width / 2 - scale / 2, height * 0.3 - scale * 0.12),  # hats are drawn about (0.5, 0.12)
    )
    band = round(height * rng.uniform(0.04, 0.12))
    middle = picture[height // 2 - band : height // 2 + band]
    middle[:] = cloth(middle.shape[:2], rng, figure.cloths)
    _HATS[rank](figure)


def _letter(picture: Picture, style: Style, rng: np.random.Generator, sign: Mask, ink: Colour) -> None:
    """A large letter on a patterned panel."""
    height, width = picture.shape[:2]
    pale: tuple[Colour, ...] = tuple(_paler(colour) for colour in style.court_palette[1:4])
    if rng.random() < 0.7:
        picture[:] = cloth((height, width), rng, pale)
    scale = min(height * 0.3 / sign.shape[0], width * 0.7 / sign.shape[1])
    sized = resized(sign, (sign.shape[1] * scale, sign.shape[0] * scale))
    stamp_centred(picture, sized, (width / 2, height * 0.27), ink)


def _paler(colour: Colour) -> Colour:
    blue, green, red = (255 - (255 - channel) // 4 for channel in colour)
    return blue, green, red


def draw_court(
    picture: Picture,
    style: Style,
    card: Card,
    field_mm: tuple[float, float, float, float],
    suits: dict[str, Mask],
    ranks: dict[int, Mask],
) -> None:
    """Fill the field (left, top, width, height) of a face with its court."""
    rng = np.random.default_rng([style.seed, 3, card.index])
    left, top, width, height = (round(value * ART_PX_PER_MM) for value in field_mm)
    area = picture[top : top + height, left : left + width]
    upper = area.copy()
    if style.court == "figure":
        _half_figure(upper, style, rng, card.rank)
    elif style.court == "emblem":
        _emblem(upper, style, rng, card.rank)
    else:
        _letter(upper, style, rng, ranks[card.rank], style.inks[card.suit])
    mask = suits[card.suit]
    pip_px = width * rng.uniform(0.17, 0.24)
    at_left = style.seed % 2 == 0
    stamp(
        upper,
        resized(mask, (pip_px * mask.shape[1] / mask.shape[0], pip_px)),
        width * 0.04 if at_left else width * 0.96 - pip_px,
        width * 0.05,
        style.inks[card.suit],
    )
    slant = 0.0 if style.court_split == "level" else float(rng.uniform(-0.5, 0.5))
    area[:] = _joined(upper, slant)
    if style.court_framed:
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) + np.array([left, top])
        line(
            picture,
            corners.astype(np.float64),
            style.frame_ink if style.frame != "none" else style.court_palette[4],
            2,
            closed=True,
        )
