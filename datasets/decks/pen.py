"""Rank signs drawn with a pen of our own, so that decks can be drawn where no font is installed.

In: `PenForm`, which skeletons to follow and with which nib. Out: one mask a sign of `SIGNS`.
A skeleton is a list of strokes in a box one high and one wide; the nib (wide for stems, low for bars) follows it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise

import cv2
import numpy as np

from datasets.decks.canvas import Mask, Points, bezier, cut_to_ink, ellipse, fill

SIGNS = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "J", "Q", "K", "A")
HEIGHT_PX = 200
VALIDATION_SHARE = 5  # one skeleton set in five is held out for validation
_SERIFS = ("none", "none", "slab", "wedge")


@dataclass(frozen=True, slots=True)
class PenForm:
    """One design of the rank signs: discrete choices make its drawing, the others vary its weight and width."""

    serif: str  # of _SERIFS
    curved_two: bool
    flat_three: bool
    open_four: bool
    straight_six: bool
    curved_seven: bool
    jack_bar: bool
    queen_tail: int  # 0 crosses the bowl, 1 starts outside, 2 is a curl
    square: bool  # bowls nearly rectangular
    weight: float = 0.16  # stem, of the height
    contrast: float = 0.7  # bar over stem
    width: float = 0.62  # of the height
    slant: float = 0.0
    nib_power: float = 2.0  # 2 is round, larger is squarer

    @property
    def drawing(self) -> str:
        """The name of the skeleton set; drawings are split by it."""
        flags = (self.curved_two, self.flat_three, self.open_four, self.straight_six, self.curved_seven, self.jack_bar)
        bits = "".join("ny"[flag] for flag in (*flags, self.square))
        return f"pen-{self.serif}-{bits}{self.queen_tail}"

    @property
    def split(self) -> str:
        """Train or validation, by the drawing alone."""
        held_out = sha256(self.drawing.encode()).digest()[0] % VALIDATION_SHARE == 0
        return "validation" if held_out else "train"

    @classmethod
    def random(cls, rng: np.random.Generator, split: str) -> "PenForm":
        """A design of this split."""
        while (form := cls._skeletons(rng)).split != split:
            pass
        serif = form.serif != "none"
        width = rng.uniform(0.48, 0.8)
        return replace(
            form,
            weight=rng.uniform(0.09, 0.2) if serif else rng.uniform(0.1, min(0.24, 0.32 * width)),
            contrast=rng.uniform(0.3, 0.75) if serif else rng.uniform(0.6, 1.0),
            width=width,
            slant=float(rng.choice([0, 0, 0, rng.uniform(0.05, 0.2)])),
            nib_power=rng.uniform(2, 10),
        )

    @classmethod
    def _skeletons(cls, rng: np.random.Generator) -> "PenForm":
        two, three, four, six, seven, jack, square = (
            bool(rng.random() < chance) for chance in (0.4, 0.25, 0.15, 0.3, 0.4, 0.5, 0.2)
        )
        serif, tail = str(rng.choice(_SERIFS)), int(rng.integers(3))
        return cls(serif, two, three, four, six, seven, jack, queen_tail=tail, square=square)


@dataclass(frozen=True, slots=True, eq=False)
class _Skeleton:
    strokes: list[Points]
    feet: tuple[tuple[float, float], ...] = ()  # ends that carry a level serif
    ticks: tuple[tuple[float, float, float], ...] = ()  # x, y, signed length of an upright serif


def _path(*points: tuple[float, float]) -> Points:
    return np.array(points, dtype=np.float64)


def _bowl(
    form: PenForm, centre: tuple[float, float], radii: tuple[float, float], start: float = 0, end: float = 360
) -> Points:
    """An arc; of a square design a superellipse."""
    arc = ellipse((0, 0), (1, 1), start, end, steps=40)
    if form.square:
        arc = np.sign(arc) * np.abs(arc) ** 0.6
    return np.asarray(arc * radii + centre)


def _two(form: PenForm) -> _Skeleton:
    top = _bowl(form, (0.5, 0.29), (0.42, 0.29), 195, 375)
    neck = (
        bezier(tuple(top[-1]), (0.9, 0.6), (0.2, 0.66), (0.05, 1.0))
        if form.curved_two
        else bezier(tuple(top[-1]), (0.85, 0.5), (0.04, 1.0))
    )
    return _Skeleton([np.concatenate([top, neck]), _path((0.04, 1), (0.94, 1))], ticks=((0.94, 1, -0.14),))


def _three(form: PenForm) -> _Skeleton:
    lower = _bowl(form, (0.46, 0.7), (0.46, 0.3), -100, 160)
    if form.flat_three:
        return _Skeleton([np.concatenate([_path((0.08, 0), (0.86, 0), (0.42, 0.4)), lower])], ticks=((0.08, 0, 0.14),))
    upper = _bowl(form, (0.44, 0.22), (0.38, 0.22), 200, 450)
    return _Skeleton([upper, lower])


def _four(form: PenForm) -> _Skeleton:
    if form.open_four:
        return _Skeleton([_path((0.4, 0), (0.04, 0.66), (0.98, 0.66)), _path((0.7, 0.3), (0.7, 1))], feet=((0.7, 1),))
    return _Skeleton([_path((0.7, 1), (0.7, 0), (0.02, 0.7), (0.98, 0.7))], feet=((0.7, 1),))


def _five(form: PenForm) -> _Skeleton:
    bowl = _bowl(form, (0.45, 0.66), (0.48, 0.34), -130, 155)
    return _Skeleton([_path((0.88, 0), (0.18, 0), (0.13, 0.42)), np.concatenate([_path((0.13, 0.42)), bowl])])


def _six(form: PenForm) -> _Skeleton:
    bowl = _bowl(form, (0.5, 0.68), (0.45, 0.32))
    if form.straight_six:
        return _Skeleton([bowl, bezier((0.72, 0), (0.4, 0.25), (0.05, 0.42), (0.05, 0.68))])
    return _Skeleton([bowl, bezier((0.88, 0.14), (0.72, -0.08), (0.05, -0.12), (0.05, 0.68))])


def _nine(form: PenForm) -> _Skeleton:
    return _Skeleton([1 - stroke for stroke in _six(form).strokes])


def _seven(form: PenForm) -> _Skeleton:
    leg = bezier((0.95, 0), (0.5, 0.4), (0.36, 0.7), (0.34, 1)) if form.curved_seven else _path((0.95, 0), (0.32, 1))
    return _Skeleton([_path((0.05, 0), (0.95, 0)), leg], ticks=((0.05, 0, 0.16),))


def _eight(form: PenForm) -> _Skeleton:
    return _Skeleton([_bowl(form, (0.5, 0.23), (0.38, 0.23)), _bowl(form, (0.5, 0.73), (0.46, 0.27))])


def _jack(form: PenForm) -> _Skeleton:
    hook = _bowl(form, (0.4, 0.7), (0.36, 0.3), 0, 165)
    strokes = [np.concatenate([_path((0.76, 0)), hook])]
    if form.jack_bar:
        strokes.append(_path((0.38, 0), (0.98, 0)))
    return _Skeleton(strokes, feet=((0.76, 0),))


def _queen(form: PenForm) -> _Skeleton:
    tails = (
        _path((0.5, 0.68), (0.96, 1.04)),
        _path((0.62, 0.88), (0.98, 1.12)),
        bezier((0.4, 0.86), (0.55, 0.72), (0.72, 1.2), (1.02, 1.02)),
    )
    return _Skeleton([_bowl(form, (0.5, 0.5), (0.48, 0.5)), tails[form.queen_tail]])


def _skeleton(form: PenForm, sign: str) -> _Skeleton:
    drawn = {"2": _two, "3": _three, "4": _four, "5": _five, "6": _six, "7": _seven, "8": _eight, "9": _nine}
    if sign in drawn:
        return drawn[sign](form)
    if sign == "0":
        return _Skeleton([_bowl(form, (0.5, 0.5), (0.45, 0.5))])
    if sign == "1":
        return _Skeleton([_path((0.2, 0.2), (0.55, 0), (0.55, 1))], feet=((0.55, 1),))
    if sign == "J":
        return _jack(form)
    if sign == "Q":
        return _queen(form)
    if sign == "K":
        stem, arm, leg = _path((0.1, 0), (0.1, 1)), _path((0.9, 0), (0.1, 0.62)), _path((0.36, 0.42), (0.94, 1))
        return _Skeleton([stem, arm, leg], feet=((0.1, 0), (0.1, 1), (0.88, 0), (0.92, 1)))
    bar_y = 0.64
    return _Skeleton([_path((0, 1), (0.5, 0), (1, 1)), _path((0.2, bar_y), (0.8, bar_y))], feet=((0.02, 1), (0.98, 1)))


def _nib(half_wh: tuple[float, float], power: float) -> Points:
    circle = ellipse((0, 0), (1, 1), 0, 345, steps=16)
    return np.asarray(np.sign(circle) * np.abs(circle) ** (2 / power) * half_wh)


def _sweep(mask: Mask, stroke_px: Points, nib_px: Points) -> None:
    for start, end in pairwise(stroke_px):
        corners = np.concatenate([nib_px + start, nib_px + end]).astype(np.float32)
        fill(mask, cv2.convexHull(corners)[:, 0].astype(np.float64), 255)


def pen_mask(form: PenForm, sign: str) -> Mask:
    """One sign, cut to its ink, about `HEIGHT_PX` high."""
    skeleton = _skeleton(form, sign)
    width = form.width * (0.62 if sign == "1" else 1.1 if sign in "QKA" else 0.86 if sign == "J" else 1)
    stem, bar = form.weight / 2, form.weight * form.contrast / 2
    # The nib reaches beyond the skeleton on all sides, so the skeleton is drawn that much smaller.
    scale = np.array([max(width - 2 * stem, 0.2), 1 - 2 * bar]) * HEIGHT_PX
    origin = np.array([0.5, 0.3]) * HEIGHT_PX
    mask = np.zeros((round(HEIGHT_PX * 1.8), round(HEIGHT_PX * 2.2)), np.uint8)
    shear = np.array([[1, 0], [-form.slant, 1]])

    def placed(points: Points) -> Points:
        return np.asarray((points * scale - [0, scale[1]]) @ shear + origin + [0, scale[1]])

    for stroke in skeleton.strokes:
        _sweep(mask, placed(stroke), _nib((stem * HEIGHT_PX, bar * HEIGHT_PX), form.nib_power))
    if form.serif != "none":
        _draw_serifs(mask, form, skeleton, placed)
    return cut_to_ink(mask)


def _draw_serifs(mask: Mask, form: PenForm, skeleton: _Skeleton, placed: Callable[[Points], Points]) -> None:
    reach = form.weight * (0.85 if form.serif == "slab" else 1.1)
    thin = max(form.weight * form.contrast * (0.5 if form.serif == "slab" else 0.3), 0.02) * HEIGHT_PX
    nib = _nib((thin, thin), form.nib_power)
    for x, y in skeleton.feet:
        foot = placed(_path((x, y))) + _path((-reach, 0), (reach, 0)) * HEIGHT_PX
        _sweep(mask, foot, nib)
        if form.serif == "wedge":
            inward = 0.1 if y < 0.5 else -0.1
            fill(mask, np.concatenate([foot, placed(_path((x, y + inward)))]), 255)
    for x, y, length in skeleton.ticks:
        _sweep(mask, placed(_path((x, y), (x, y + length))), nib)
