"""How cards lie: arrangements from a single card to messy tables, and the shape of a card that is bent or lifted.

In: a random generator, how many cards, the size of a card. Out: `Lie`s in scene millimetres (x right, y down, z towards
the camera), from the bottom up: who comes later covers who came before.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from datasets.errors import DatasetError
from datasets.picture.compose import Points
from datasets.props.sprite import turn

CARD_THICKNESS_MM = 0.3
Size = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Lie:
    """Where one card lies and how it is bent. The angle turns it clockwise as seen from above."""

    at_mm: tuple[float, float]  # of its middle
    angle_rad: float
    z_mm: float = 0.0
    bend_mm: float = 0.0  # how far its edges rise (or, below zero, its middle)
    bend_axis_rad: float = 0.0  # the direction in which it bends, in the card
    lift: tuple[float, float] = (0.0, 0.0)  # rise along its width and height, millimetres a millimetre

    def place(self, points_mm: Points, size_mm: Size) -> tuple[Points, Points]:
        """Points (N, 2) of the card (origin at its upper left) as scene points (N, 2) and heights (N,)."""
        centred = points_mm - np.array(size_mm) / 2
        return turn(centred, self.angle_rad) + self.at_mm, self._heights(centred, size_mm)

    @property
    def is_flat(self) -> bool:
        """Whether all of it is at one height."""
        return self.bend_mm == 0 and self.lift == (0.0, 0.0)

    def _heights(self, centred: Points, size_mm: Size) -> Points:
        heights = np.full(len(centred), self.z_mm)
        if self.is_flat:
            return heights
        axis = np.array([np.cos(self.bend_axis_rad), np.sin(self.bend_axis_rad)])
        reach = float(np.abs(np.array(size_mm) / 2 * axis).sum())
        along = centred @ axis / reach
        bend = self.bend_mm * along**2 if self.bend_mm > 0 else -self.bend_mm * (1 - along**2)
        rise = centred @ np.array(self.lift)
        lowest = -float(np.abs(np.array(size_mm) / 2 * self.lift).sum())
        return np.asarray(heights + bend + rise - lowest)


Arrangement = Callable[[np.random.Generator, int, Size, float], list[Lie]]  # the last: how wide an index is


def _jitter(rng: np.random.Generator, mm: float, rad: float, x: float, y: float, angle: float) -> Lie:
    dx, dy = rng.normal(0, mm, 2)
    return Lie((float(x + dx), float(y + dy)), float(angle + rng.normal(0, rad)))


def _single(rng: np.random.Generator, count: int, size: Size, index_mm: float) -> list[Lie]:
    return [_jitter(rng, 3, 0.2, 0, 0, 0) for _ in range(min(count, 1))]


def _row(rng: np.random.Generator, count: int, size: Size, index_mm: float) -> list[Lie]:
    """Side by side with a gap, as a dealer sets out a hand."""
    step = size[0] + float(rng.uniform(1, 18))
    mess = float(rng.choice([0.3, 1.0, 3.0]))
    return [_jitter(rng, mess, 0.02 * mess, number * step, 0, 0) for number in range(count)]


def _overlapping_row(rng: np.random.Generator, count: int, size: Size, index_mm: float) -> list[Lie]:
    """Each card on the last, to the right (or left), so that one index of each is to be seen."""
    step = index_mm * float(rng.uniform(0.9, 1.3)) if rng.random() < 0.4 else size[0] * float(rng.uniform(0.24, 0.75))
    step = step if rng.random() < 0.85 else -step
    slide = float(rng.normal(0, 0.05)) * size[1]
    return [_jitter(rng, 0.8, 0.025, number * step, number * slide, 0) for number in range(count)]


def _column(rng: np.random.Generator, count: int, size: Size, index_mm: float) -> list[Lie]:
    step = float(rng.uniform(0.28, 0.6)) * size[1]
    return [_jitter(rng, 0.8, 0.025, 0, number * step, 0) for number in range(count)]


def _fan(rng: np.random.Generator, count: int, size: Size, index_mm: float) -> list[Lie]:
    """Turned about a point below the cards, as a hand is held or spread."""
    return _spread(rng, count, size, np.deg2rad(rng.uniform(9, 22)), size[1] * float(rng.uniform(0.55, 1.2)))


def _tight_fan(rng: np.random.Generator, count: int, size: Size, index_mm: float) -> list[Lie]:
    """Only a strip of each card shows, about as wide as its index."""
    pivot = size[1] * float(rng.uniform(0.5, 1.1))
    strip = index_mm * float(rng.uniform(0.98, 1.4)) + 0.5
    return _spread(rng, count, size, strip / (pivot + size[1] * 0.42), pivot)


def _spread(rng: np.random.Generator, count: int, size: Size, step_rad: float, pivot_mm: float) -> list[Lie]:
    lies = []
    for number in range(count):
        angle = (number - (count - 1) / 2) * step_rad
        x, y = turn(np.array([[0.0, -pivot_mm]]), angle)[0]
        lies.append(_jitter(rng, 0.5, 0.012, float(x), float(y) + pivot_mm, angle))
    return lies


def _pairs(rng: np.random.Generator, count: int, size: Size, index_mm: float) -> list[Lie]:
    """Two or three cards almost on each other, a few millimetres off."""
    lies = [_jitter(rng, 1, 0.05, 0, 0, 0)]
    for _ in range(count - 1):
        x, y = lies[-1].at_mm
        step = float(rng.uniform(2, 16))
        way = float(rng.uniform(0, 2 * np.pi))
        lies.append(_jitter(rng, 0.3, 0.03, x + step * np.cos(way), y + step * np.sin(way), lies[-1].angle_rad))
    return lies


def _pile(rng: np.random.Generator, count: int, size: Size, index_mm: float) -> list[Lie]:
    """A heap thrown together."""
    reach = size[0] * float(rng.uniform(0.15, 0.6))
    return [_jitter(rng, reach, 1.5, 0, 0, float(rng.uniform(0, 6.28))) for _ in range(count)]


def _scatter(rng: np.random.Generator, count: int, size: Size, index_mm: float) -> list[Lie]:
    """Apart from each other, or nearly, turned anyhow."""
    reach = size[1] * (0.35 + 0.75 * np.sqrt(count))
    places: list[Points] = []
    for _ in range(count):
        tries = rng.uniform(-reach, reach, (8, 2))
        if places:
            clear = np.min(np.linalg.norm(tries[:, None] - np.array(places)[None], axis=2), axis=1)
            places.append(tries[int(np.argmax(np.minimum(clear, size[1] * 1.2)))])
        else:
            places.append(tries[0])
    return [_jitter(rng, 1, 0.1, x, y, float(rng.uniform(0, 6.28))) for x, y in places]


def _apart(rng: np.random.Generator, count: int, size: Size, index_mm: float) -> list[Lie]:
    """On a loose grid: no card touches another."""
    columns = int(np.ceil(np.sqrt(count)))
    step = np.hypot(*size) * 1.04
    return [
        _jitter(rng, 2, 0, (n % columns) * step, (n // columns) * step, float(rng.uniform(0, 6.28)))
        for n in range(count)
    ]


def _set_hand(rng: np.random.Generator, count: int, size: Size, index_mm: float) -> list[Lie]:
    """Four in order and the unused behind or beside them: how a hand is set in front of the dealer."""
    step = size[0] * float(rng.uniform(0.35, 1.08))
    front = [_jitter(rng, 0.7, 0.015, number * step, 0, 0) for number in range(min(4, count))]
    behind = rng.random() < 0.5
    rest = []
    for number in range(max(0, count - 4)):
        x = (number + 1) * size[0] * 0.5 if behind else 4 * step + (number + 0.4) * size[0] * 0.6
        y = -size[1] * float(rng.uniform(0.35, 0.7)) if behind else float(rng.normal(0, 3))
        rest.append(_jitter(rng, 1.5, 0.04, x, y, 0))
    return rest + front if behind else front + rest


ARRANGEMENTS: Mapping[str, Arrangement] = MappingProxyType(
    {
        "single": _single,
        "apart": _apart,
        "scatter": _scatter,
        "row": _row,
        "overlapping-row": _overlapping_row,
        "column": _column,
        "fan": _fan,
        "tight-fan": _tight_fan,
        "pairs": _pairs,
        "pile": _pile,
        "set-hand": _set_hand,
    }
)
TYPICAL: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "single": (1, 1),
        "apart": (1, 12),
        "scatter": (2, 12),
        "row": (2, 6),
        "overlapping-row": (2, 8),
        "column": (2, 7),
        "fan": (2, 7),
        "tight-fan": (4, 13),
        "pairs": (2, 3),
        "pile": (2, 9),
        "set-hand": (5, 6),
    }
)


def arrange(kind: str, rng: np.random.Generator, count: int, size_mm: Size, index_mm: float = 12.0) -> list[Lie]:
    """`count` cards arranged about the origin, each on those before it.

    `index_mm` is how far the index reaches from the card's edge: what a fan leaves of each card.
    """
    if kind not in ARRANGEMENTS:
        raise DatasetError(f"{kind!r} is no arrangement; choose from {', '.join(ARRANGEMENTS)}")
    lies = ARRANGEMENTS[kind](rng, count, size_mm, index_mm)
    if not lies:
        return []
    middle = np.mean([lie.at_mm for lie in lies], axis=0)
    return [
        replace(lie, at_mm=(lie.at_mm[0] - middle[0], lie.at_mm[1] - middle[1]), z_mm=number * CARD_THICKNESS_MM)
        for number, lie in enumerate(lies)
    ]


def move(lies: Sequence[Lie], at_mm: tuple[float, float], angle_rad: float) -> list[Lie]:
    """The whole group turned about the origin and put somewhere."""
    places = turn(np.array([lie.at_mm for lie in lies]).reshape(-1, 2), angle_rad) + at_mm
    return [
        replace(lie, at_mm=(float(x), float(y)), angle_rad=lie.angle_rad + angle_rad)
        for lie, (x, y) in zip(lies, places, strict=True)
    ]


def reach_mm(lies: Sequence[Lie], size_mm: Size) -> float:
    """The radius around the origin that holds the group."""
    return float(max(np.hypot(*lie.at_mm) for lie in lies) + np.hypot(*size_mm) / 2)


def curl(lies: Sequence[Lie], rng: np.random.Generator, share: float) -> list[Lie]:
    """Bend some of them: cards that have been in hands for hours are never flat; now and then one edge is lifted."""
    warp_mm, axis = float(rng.gamma(2, 1.4)) * float(rng.choice([1, 1, -1])), float(rng.choice([0, np.pi / 2, 0.7]))
    bent = []
    for lie in lies:
        if rng.random() < share:
            lie = replace(lie, bend_mm=warp_mm * float(rng.uniform(0.4, 1.3)), bend_axis_rad=axis)
            if rng.random() < 0.12:
                rise = rng.uniform(-0.16, 0.16, 2)
                lie = replace(lie, lift=(float(rise[0]), float(rise[1])))
        bent.append(lie)
    return bent
