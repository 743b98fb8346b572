"""Where things lie on a table: the zones of a layout in millimetres, for one to seven seats and both games.

In: the game, the number of seats, the felt's size. Out: `Zone`s, and the outline of the felt. The table is a
half moon: the dealer stands in the middle of its straight edge, which is y = 0; the seats' work areas stand side by
side on an arc around the dealer's hand, so none can overlap; each seat's wagers follow outwards, its cards lie
nearest the player.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError

Floats = NDArray[np.float64]

FOUR_CARD_POKER = "four-card-poker"
FOUR_CARD_PRIME = "four-card-prime"
GAMES = (FOUR_CARD_POKER, FOUR_CARD_PRIME)
MOST_SEATS = 7
FELT_MM = (2150.0, 1120.0)  # width, depth
DEALER = "dealer"
FIXTURES = ("discard", "tray", "shuffler")
DEALER_SPOTS = ("hand", "up-card")
SEAT_SPOTS = {
    FOUR_CARD_POKER: ("ante", "play", "aces-up", "bad-beat", "sensor", "cards"),
    FOUR_CARD_PRIME: ("ante", "raise", "aces-baby", "prime", "cards"),
}
REQUIRED_SPOTS = {FOUR_CARD_POKER: ("ante", "play"), FOUR_CARD_PRIME: ("ante", "raise")}

# A seat, from the middle of its work area's inner edge: along it towards the dealer's right, then outwards.
_WORK_DEPTH = 118.0
_SEAT_OFFSETS = {
    FOUR_CARD_POKER: {
        "ante": (0, 224),
        "play": (0, 292),
        "aces-up": (0, 156),
        "bad-beat": (-72, 198),
        "sensor": (72, 162),
        "cards": (0, 380),
    },
    FOUR_CARD_PRIME: {
        "ante": (0, 224),
        "raise": (0, 292),
        "aces-baby": (-38, 156),
        "prime": (38, 156),
        "cards": (0, 380),
    },
}
_SEAT_DEPTH = 465.0  # from the arc of the work areas to the rail
_ARC_START = 30.0  # the arc ends this far from the dealer's edge
_WIDEST_SEAT = 345.0
_SEAT_GAP = 14.0
_DEALER_WORK = ((-225, 150), (225, 150), (225, 400), (-225, 400))
_DEALER_SPOTS = {"hand": (0, 260), "up-card": (172, 330)}
_FIXTURE_WORK = {
    "discard": ((335, 20), (455, 20), (455, 160), (335, 160)),
    "tray": ((-300, 8), (300, 8), (300, 130), (-300, 130)),
    "shuffler": ((-545, 15), (-335, 15), (-335, 215), (-545, 215)),
}


@dataclass(frozen=True, slots=True, eq=False)
class Zone:
    """A named part of the table: where its cards are read, and its single spots."""

    name: str  # "dealer", "seat-1" (the dealer's far left) .. "seat-7", "discard", "tray", "shuffler"
    work: Floats  # (N, 2) mm, convex
    spots: Mapping[str, tuple[float, float]]  # mm

    def __post_init__(self) -> None:
        if self.work.ndim != 2 or self.work.shape[1] != 2 or len(self.work) < 3:
            raise VisionError(f"zone {self.name}: work has shape {self.work.shape}; give three or more points x, y")
        if not np.isfinite(self.work).all():
            raise VisionError(f"zone {self.name}: work {self.work.tolist()} is not finite; write millimetres")
        if not cv2.isContourConvex(self.work.astype(np.float32)) or self.area_mm2 < 100:
            raise VisionError(
                f"zone {self.name}: work {self.work.tolist()} is crossed, dented or empty; "
                "list the corners of a convex area one after the other"
            )
        self.work.setflags(write=False)
        object.__setattr__(self, "spots", MappingProxyType(dict(self.spots)))

    @property
    def seat(self) -> int | None:
        """The seat's number, or nothing when the zone is no seat's."""
        head, _, number = self.name.partition("-")
        return int(number) if head == "seat" and number.isdecimal() else None

    @property
    def area_mm2(self) -> float:
        """The work area's size."""
        return float(cv2.contourArea(self.work.astype(np.float32)))

    @property
    def centre_mm(self) -> tuple[float, float]:
        """The middle of the work area's corners."""
        x, y = self.work.mean(axis=0)
        return float(x), float(y)

    def contains_mm(self, point_mm: tuple[float, float]) -> bool:
        """Whether the work area holds a point."""
        return cv2.pointPolygonTest(self.work.astype(np.float32), (point_mm[0], point_mm[1]), False) >= 0

    def overlap_mm2(self, other: "Zone") -> float:
        """The area that both work areas claim."""
        area, _ = cv2.intersectConvexConvex(self.work.astype(np.float32), other.work.astype(np.float32))
        return float(area)

    def outline_mm(self, step_mm: float = 20.0) -> Floats:
        """Points along the work area's edge, corners included, for checks that a lens could bend."""
        pieces = []
        for start, end in zip(self.work, np.roll(self.work, -1, axis=0), strict=True):
            count = max(1, int(np.ceil(np.linalg.norm(end - start) / step_mm)))
            pieces.append(start + (end - start) * (np.arange(count) / count)[:, None])
        return np.concatenate(pieces)


def layout_zones(game: str, seats: int, felt_mm: tuple[float, float] = FELT_MM) -> tuple[Zone, ...]:
    """The zones of a table: the dealer's, the seats' and those of the fixtures.

    >>> [zone.name for zone in layout_zones("four-card-poker", 2)]
    ['dealer', 'seat-1', 'seat-2', 'discard', 'tray', 'shuffler']
    """
    verify_game_and_seats(game, seats)
    dealer = Zone(DEALER, np.array(_DEALER_WORK, float), _DEALER_SPOTS)
    ends = _seat_ends(seats, felt_mm)
    places = [_seat_zone(f"seat-{i + 1}", game, ends[i], ends[i + 1]) for i in range(seats)]
    fixtures = [Zone(name, np.array(work, float), {}) for name, work in _FIXTURE_WORK.items()]
    return (dealer, *places, *fixtures)


def felt_outline_mm(felt_mm: tuple[float, float] = FELT_MM, points: int = 96) -> Floats:
    """The half moon (N, 2) of the felt: the dealer's edge from left to right, then the arc back."""
    turn = np.linspace(0.0, np.pi, points)
    half, depth = felt_mm[0] / 2, felt_mm[1] - _ARC_START
    arc = np.column_stack([half * np.cos(turn), _ARC_START + depth * np.sin(turn)])
    return np.vstack([[-half, 0.0], [half, 0.0], arc])


def verify_game_and_seats(game: str, seats: int) -> None:
    """Raise unless there is such a game and such a table."""
    if game not in GAMES:
        raise VisionError(f"game {game!r} is not known; write one of {', '.join(GAMES)}")
    if not 1 <= seats <= MOST_SEATS:
        raise VisionError(f"{seats} seats; a table has 1 to {MOST_SEATS}")


def _seat_ends(seats: int, felt_mm: tuple[float, float]) -> Floats:
    """Where the inner edges of neighbouring seats meet, (seats + 1, 2), from the dealer's left."""
    turn = np.linspace(np.pi, 0.0, 2001)
    half, depth = felt_mm[0] / 2 - _SEAT_DEPTH, felt_mm[1] - _SEAT_DEPTH - _ARC_START
    arc = np.column_stack([half * np.cos(turn), _ARC_START + depth * np.sin(turn)])
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(arc, axis=0), axis=1))])
    pitch = min(along[-1] / seats, _WIDEST_SEAT)
    at = along[-1] / 2 + pitch * (np.arange(seats + 1) - seats / 2)
    return np.column_stack([np.interp(at, along, arc[:, 0]), np.interp(at, along, arc[:, 1])])


def _seat_zone(name: str, game: str, left: Floats, right: Floats) -> Zone:
    """A seat whose work area's inner edge runs from `left` to `right`, in whole millimetres."""
    length = np.linalg.norm(right - left)
    along = (right - left) / length
    outwards = np.array([-along[1], along[0]])
    middle, reach = (left + right) / 2, (length - _SEAT_GAP) / 2
    corners = [(-reach, 0.0), (reach, 0.0), (reach, _WORK_DEPTH), (-reach, _WORK_DEPTH)]
    work = np.array([middle + across * along + out * outwards for across, out in corners]).round()
    spots = {
        spot: tuple((middle + across * along + out * outwards).round().tolist())
        for spot, (across, out) in _SEAT_OFFSETS[game].items()
    }
    return Zone(name, work, spots)
