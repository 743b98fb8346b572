"""How things on a table move: poses, key frames and the tracks between them, in millimetres and seconds.

In come key frames, out goes the pose at any time. Everything is plain data; a track knows when it is at rest, which
is what makes a picture of it readable.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FACE_UP_DEG = 180.0


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a thing is and how it lies: `turn_deg` in the plane, `flip_deg` over its long axis (180: face up)."""

    x_mm: float
    y_mm: float
    z_mm: float = 0.0
    turn_deg: float = 0.0
    flip_deg: float = 0.0

    @property
    def xy_mm(self) -> tuple[float, float]:
        """Its place on the felt."""
        return self.x_mm, self.y_mm

    @property
    def is_face_up(self) -> bool:
        """Whether more of its face than of its back shows from above."""
        return self.flip_deg > FACE_UP_DEG / 2


def _smooth(share: float) -> float:
    return share * share * (3 - 2 * share)


EASES: Mapping[str, Callable[[float], float]] = {
    "smooth": _smooth,
    "linear": lambda share: share,
    "slide": lambda share: 1 - (1 - share) ** 1.8,  # thrown: fast, then braked by the felt
    "lift": lambda share: share**1.5,
}


@dataclass(frozen=True, slots=True)
class Key:
    """A pose at a time, how the thing comes there, and how high in the heap it lies from the start of that move."""

    time_s: float
    pose: Pose
    ease: str = "smooth"
    layer: int = 0
    arc_mm: float = 0.0  # how high it is lifted on the way


@dataclass(frozen=True, slots=True)
class Track:
    """The poses of one thing from its first key to its last; before and after it is not on the table."""

    keys: tuple[Key, ...]
    _times: tuple[float, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_times", tuple(key.time_s for key in self.keys))

    @property
    def start_s(self) -> float:
        """When it appears."""
        return self._times[0]

    @property
    def end_s(self) -> float:
        """When it is gone."""
        return self._times[-1]

    def is_present(self, time_s: float) -> bool:
        """Whether it is on the table."""
        return self._times[0] <= time_s < self._times[-1]

    def layer(self, time_s: float) -> int:
        """Its place in the heap; a thing that starts to move gets the layer it will rest in."""
        return self._to(time_s).layer

    def at(self, time_s: float) -> Pose:
        """Its pose, also before and after its time."""
        place = bisect_right(self._times, time_s)
        if place == 0:
            return self.keys[0].pose
        if place == len(self.keys):
            return self.keys[-1].pose
        before, after = self.keys[place - 1], self.keys[place]
        if before.pose == after.pose:
            return after.pose
        return _between(before, after, time_s)

    def is_at_rest(self, time_s: float) -> bool:
        """Whether it does not move around this time."""
        place = bisect_right(self._times, time_s)
        if place in (0, len(self.keys)):
            return True
        return self.keys[place - 1].pose == self.keys[place].pose

    def rests(self) -> tuple[tuple[float, float], ...]:
        """The spans in which it does not move."""
        spans: list[tuple[float, float]] = []
        for before, after in pairwise(self.keys):
            if before.pose != after.pose or before.time_s == after.time_s:
                continue
            if spans and spans[-1][1] == before.time_s:
                spans[-1] = (spans[-1][0], after.time_s)
            else:
                spans.append((before.time_s, after.time_s))
        return tuple(spans)

    def shifted(self, seconds: float) -> "Track":
        """The same, later."""
        return Track(tuple(Key(key.time_s + seconds, key.pose, key.ease, key.layer, key.arc_mm) for key in self.keys))

    def _to(self, time_s: float) -> Key:
        place = bisect_right(self._times, time_s)
        return self.keys[min(place, len(self.keys) - 1)]


def _between(before: Key, after: Key, time_s: float) -> Pose:
    raw = (time_s - before.time_s) / (after.time_s - before.time_s)
    share = EASES[after.ease](raw)
    start, end = before.pose, after.pose
    lift = after.arc_mm * 4 * raw * (1 - raw)
    return Pose(
        start.x_mm + (end.x_mm - start.x_mm) * share,
        start.y_mm + (end.y_mm - start.y_mm) * share,
        start.z_mm + (end.z_mm - start.z_mm) * share + lift,
        start.turn_deg + (end.turn_deg - start.turn_deg) * share,
        start.flip_deg + (end.flip_deg - start.flip_deg) * share,
    )


def card_corners_mm(pose: Pose, size_mm: tuple[float, float]) -> tuple[Floats, Floats]:
    """A card's corners (4, 2) and their heights (4,), clockwise from the upper left of its face as printed.

    Face up and unturned, a card stands upright for whoever sees the dealer at the top of the picture: its right is
    the table's -x, its lower edge lies towards the players.
    """
    half_w, half_h = size_mm[0] / 2, size_mm[1] / 2
    tilt = radians(FACE_UP_DEG - pose.flip_deg)
    u = np.array([-half_w, half_w, half_w, -half_w])
    v = np.array([-half_h, -half_h, half_h, half_h])
    across, height = -u * cos(tilt), pose.z_mm + (u + half_w) * abs(sin(tilt))
    turn = radians(pose.turn_deg)
    x = pose.x_mm + across * cos(turn) - v * sin(turn)
    y = pose.y_mm + across * sin(turn) + v * cos(turn)
    return np.column_stack([x, y]), height


def turn_between_deg(from_mm: tuple[float, float], to_mm: tuple[float, float]) -> float:
    """The direction from one place to another: 0 towards the players, growing towards the dealer's left."""
    return float(np.degrees(np.arctan2(-(to_mm[0] - from_mm[0]), to_mm[1] - from_mm[1])))


def nearest_turn_deg(turn_deg: float, around_deg: float) -> float:
    """The same direction, written within half a turn of another."""
    return float(turn_deg + 360 * round((around_deg - turn_deg) / 360))


def half_turns_deg(turn_deg: float, around_deg: float) -> float:
    """The same direction or its opposite, whichever is nearer to another: a card has no up."""
    return float(turn_deg + 180 * round((around_deg - turn_deg) / 180))
