"""Where cards come to lie: a hand spread in a work area, a packet in front of a player, the dealer's four and two.

In come a table's zones, a card's size and a random generator; out go poses. Nothing here has a time.
"""

from dataclasses import dataclass
from math import radians

import numpy as np

from datasets.footage.motion import FACE_UP_DEG, Pose, turn_between_deg
from vision.layout import Zone

INDEX_SHARE = 0.36  # of a card's width: with less of it showing, its index cannot be read
CHIP_VALUES_CENTS = (100_000, 50_000, 10_000, 2_500, 500, 100)
FRONT_Y_MM, BACK_Y_MM = 332.0, 205.0  # the rows of the dealer's hand


@dataclass(frozen=True, slots=True)
class Frame:
    """A zone's own axes: along its inner edge towards the dealer's right, and outwards to the player."""

    origin_mm: tuple[float, float]  # the middle of the inner edge
    along: tuple[float, float]
    outwards: tuple[float, float]
    width_mm: float
    depth_mm: float

    @classmethod
    def of(cls, zone: Zone) -> "Frame":
        """The axes of a seat's work area, whose first edge is the inner one."""
        first, second, third = zone.work[0], zone.work[1], zone.work[2]
        width = float(np.linalg.norm(second - first))
        along = (second - first) / width
        out = third - second
        depth = float(np.linalg.norm(out))
        middle = (first + second) / 2
        return cls(
            (float(middle[0]), float(middle[1])),
            (float(along[0]), float(along[1])),
            (float(out[0]) / depth, float(out[1]) / depth),
            width,
            depth,
        )

    def point(self, along_mm: float, out_mm: float) -> tuple[float, float]:
        """A place given in the frame's own axes."""
        return (
            self.origin_mm[0] + self.along[0] * along_mm + self.outwards[0] * out_mm,
            self.origin_mm[1] + self.along[1] * along_mm + self.outwards[1] * out_mm,
        )

    @property
    def turn_deg(self) -> float:
        """The turn of a card whose foot points outwards."""
        return turn_between_deg((0.0, 0.0), self.outwards)


@dataclass(frozen=True, slots=True)
class _Row:
    """How one arrangement spaces cards: steps as a share of a card's width, and how untidy it is."""

    least_step: float
    most_step: float
    loose_mm: float
    loose_deg: float
    bow_deg: float = 0.0


_ROWS = {
    "row": _Row(0.86, 1.06, 2.5, 2.0),
    "overlap": _Row(0.46, 0.72, 2.5, 2.5),
    "tight": _Row(INDEX_SHARE + 0.03, 0.44, 1.0, 0.8),
    "fan": _Row(0.46, 0.6, 1.5, 1.5, 9.0),
}


def spread_poses(
    zone: Zone, count: int, arrangement: str, size_mm: tuple[float, float], rng: np.random.Generator
) -> tuple[Pose, ...]:
    """A hand laid face up in a work area, in the order in which one card lies over the other."""
    frame = Frame.of(zone)
    if arrangement == "two-rows":
        return _two_rows(frame, count, size_mm, rng)
    row = _ROWS[arrangement]
    room = (frame.width_mm - size_mm[0] - 6) / max(count - 1, 1)
    step = min(float(rng.uniform(row.least_step, row.most_step)) * size_mm[0], room)
    slack = (frame.width_mm - size_mm[0] - step * (count - 1)) / 2
    start = -step * (count - 1) / 2 + float(rng.uniform(-0.6, 0.6)) * max(slack - 4, 0)
    backwards = rng.random() < 0.5
    poses = []
    for place in range(count):
        along = start + step * (count - 1 - place if backwards else place)
        bow = row.bow_deg * (along - start - step * (count - 1) / 2) / (step * max(count - 1, 1) / 2)
        out = frame.depth_mm / 2 - 4 * radians(bow) ** 2 * 60
        poses.append(_laid(frame, along, out, bow, row, rng))
    return tuple(poses)


def _two_rows(frame: Frame, count: int, size_mm: tuple[float, float], rng: np.random.Generator) -> tuple[Pose, ...]:
    """Three cards and below them the others, which leave the upper row's indices free."""
    step = size_mm[0] * float(rng.uniform(0.92, 1.06))
    loose = _ROWS["tight"]
    upper, lower = 3, count - 3
    shift = size_mm[1] * 0.47
    poses = []
    for place in range(count):
        in_row, many = (place, upper) if place < upper else (place - upper, lower)
        along = (in_row - (many - 1) / 2) * step + (0 if place < upper else step * 0.12)
        out = frame.depth_mm / 2 + (-shift / 2 if place < upper else shift / 2)
        poses.append(_laid(frame, along, out, 0.0, loose, rng))
    return tuple(poses)


def _laid(frame: Frame, along_mm: float, out_mm: float, bow_deg: float, row: _Row, rng: np.random.Generator) -> Pose:
    dx, dy = rng.uniform(-row.loose_mm, row.loose_mm, 2)
    x, y = frame.point(along_mm + float(dx), out_mm + float(dy))
    turn = frame.turn_deg - bow_deg + float(rng.normal(0, row.loose_deg / 2)) + 180 * float(rng.integers(2))
    return Pose(x, y, 0.0, turn, FACE_UP_DEG)


def hide_under(pose: Pose, rng: np.random.Generator) -> Pose:
    """Where a card lies that another at `pose` covers: so nearly the same place that no index is left to see."""
    dx, dy = rng.uniform(-1.2, 1.2, 2)
    turn = pose.turn_deg + float(rng.uniform(-0.5, 0.5)) + 180 * float(rng.integers(2))
    return Pose(pose.x_mm + float(dx), pose.y_mm + float(dy), 0.0, turn, FACE_UP_DEG)


def packet_poses(zone: Zone, count: int, apart: bool, rng: np.random.Generator) -> tuple[Pose, ...]:
    """Cards dealt face down in front of a player: a loose packet, or side by side so that they can be counted."""
    frame = Frame.of(zone)
    place = zone.spots["cards"]
    turn = frame.turn_deg + float(rng.normal(0, 3))
    poses = []
    for number in range(count):
        along = (number - (count - 1) / 2) * 27.0 if apart else 0.0
        loose = 2.0 if apart else 4.0
        dx, dy = rng.normal(0, loose, 2)
        x = place[0] + frame.along[0] * (along + dx) + frame.outwards[0] * dy
        y = place[1] + frame.along[1] * (along + dx) + frame.outwards[1] * dy
        poses.append(Pose(float(x), float(y), 0.3 * number, turn + float(rng.normal(0, 2.5))))
    return tuple(poses)


def dealer_packet_poses(zone: Zone, count: int, apart: bool, rng: np.random.Generator) -> tuple[Pose, ...]:
    """The dealer's cards dealt face down."""
    x, y = zone.spots["hand"]
    poses = []
    for number in range(count):
        along = (number - (count - 1) / 2) * (30.0 if apart else 0.0) - (20.0 if apart else 0.0)
        dx, dy, turn = rng.normal(0, 1.5, 3)
        poses.append(Pose(x + along + float(dx), y + float(dy), 0.3 * number, float(turn)))
    return tuple(poses)


def dealer_set_poses(
    zone: Zone,
    in_front: int,
    unused: int,
    row: str,
    place_unused: str,
    size_mm: tuple[float, float],
    rng: np.random.Generator,
) -> tuple[tuple[Pose, ...], tuple[Pose, ...]]:
    """The dealer's best four in order, in front, and the others behind or beside them."""
    step = size_mm[0] * (float(rng.uniform(1.02, 1.1)) if row == "row" else float(rng.uniform(0.55, 0.75)))
    middle = zone.spots["hand"][0] + (45.0 if place_unused == "beside" else 0.0)

    def laid(along: float, y: float) -> Pose:
        dx, dy, turn = rng.normal(0, 1.2, 3)
        half = 180 * float(rng.integers(2))
        return Pose(middle + along + float(dx), y + float(dy), 0.0, float(turn) + half, FACE_UP_DEG)

    # The highest card lies at the dealer's left.
    front = tuple(laid((number - (in_front - 1) / 2) * step, FRONT_Y_MM) for number in range(in_front))
    if place_unused == "beside":
        left = -(in_front - 1) / 2 * step - size_mm[0] * 1.5
        rest = tuple(laid(left - number * size_mm[0] * 0.62, FRONT_Y_MM - 30) for number in range(unused))
    else:
        rest = tuple(laid((number - (unused - 1) / 2) * size_mm[0] * 1.05, BACK_Y_MM) for number in range(unused))
    return front, rest


def chips_for(cents: int) -> tuple[int, ...]:
    """The chips that make an amount, largest at the bottom; nothing for what is paid by hand.

    >>> chips_for(13500)
    (10000, 2500, 500, 500)
    """
    if cents > 500_000:
        return ()
    chips: list[int] = []
    for value in CHIP_VALUES_CENTS:
        count, cents = divmod(cents, value)
        chips += [value] * count
    return tuple(chips)
