"""The places of a table that are watched and read: where cards are turned, where they are dealt, and the wagers' spots.

In: a `Table`. Out: `Place`s, each a quadrilateral on the felt. A place is read for cards, or only watched for change.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from vision.layout import DEALER, Zone

if TYPE_CHECKING:
    from vision.table import Table  # which checks its places with this

WORK: Final = "work"  # where a hand is turned
CARDS: Final = "cards"  # where the player's cards are dealt
SIDE: Final = "side"  # by the sensor and the bonus wagers, where a folded hand may be left
SPOT: Final = "spot"  # a wager's circle
CARDS_MM: Final = (236.0, 124.0)  # along the rail, outwards: five cards side by side, overlapping
CARDS_OUT_MM: Final = 88.0  # and so much nearer the player than his last wager, where the table file has no such spot
PLAY_SPOTS: Final = ("play", "raise")
SIDE_MM: Final = (150.0, 150.0)
SIDE_OUT_MM: Final = {"sensor": 35.0, "bonus": 30.0}  # a folded hand lies so much nearer the player than its wager
BONUS_SPOTS: Final = ("aces-baby", "prime")
SPOT_MM: Final = 44.0

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """One part of a zone."""

    zone: str
    part: str  # WORK, CARDS, SIDE or SPOT
    corners_mm: Floats  # (4, 2)
    spot: str | None = None  # the wager's, for a SPOT

    def __post_init__(self) -> None:
        self.corners_mm.setflags(write=False)

    @property
    def name(self) -> str:
        """`seat-4/work`, `seat-4/spot/ante`."""
        return "/".join(filter(None, (self.zone, self.part, self.spot)))

    @property
    def is_read(self) -> bool:
        """Whether cards lie there."""
        return self.part != SPOT


def places_of(table: "Table") -> tuple[Place, ...]:
    """Every place of a table, the dealer's first."""
    places = [Place(DEALER, WORK, _rectangle(table.dealer.work))]
    for zone in table.zones.values():
        if zone.seat is not None:
            places += _seat_places(zone)
    return tuple(places)


def _seat_places(zone: Zone) -> list[Place]:
    along, out = _axes(zone)
    places = [
        Place(zone.name, WORK, _rectangle(zone.work)),
        Place(zone.name, CARDS, _around(_cards_mm(zone, out), along, out, CARDS_MM)),
    ]
    if (side := _side_mm(zone, out)) is not None:
        places.append(Place(zone.name, SIDE, _around(side, along, out, SIDE_MM)))
    wagers = [name for name in zone.spots if name not in ("cards", "sensor")]
    places += [
        Place(zone.name, SPOT, _around(zone.spots[name], along, out, (SPOT_MM, SPOT_MM)), name) for name in wagers
    ]
    return places


def _cards_mm(zone: Zone, out: Floats) -> tuple[float, float]:
    """The middle of where a seat's cards are dealt."""
    if "cards" in zone.spots:
        return zone.spots["cards"]
    play = next(zone.spots[name] for name in PLAY_SPOTS if name in zone.spots)
    x, y = np.array(play) + out * CARDS_OUT_MM
    return float(x), float(y)


def _side_mm(zone: Zone, out: Floats) -> tuple[float, float] | None:
    """The middle of where a folded hand is left: by the sensor, or under the bonus wagers."""
    bonus = [zone.spots[name] for name in BONUS_SPOTS if name in zone.spots]
    if "sensor" in zone.spots:
        x, y = np.array(zone.spots["sensor"]) + out * SIDE_OUT_MM["sensor"]
    elif bonus:
        x, y = np.mean(bonus, axis=0) + out * SIDE_OUT_MM["bonus"]
    else:
        return None
    return float(x), float(y)


def _axes(zone: Zone) -> tuple[Floats, Floats]:
    """A seat's directions: along the rail, and from its work area out to the player."""
    outwards = np.array(zone.spots.get("cards", zone.spots["ante"])) - zone.centre_mm
    out = outwards / np.linalg.norm(outwards)
    return np.array([out[1], -out[0]]), out


def _around(spot: tuple[float, float], along: Floats, out: Floats, size_mm: tuple[float, float]) -> Floats:
    across, down = along * size_mm[0] / 2, out * size_mm[1] / 2
    middle = np.array(spot)
    return np.array([middle - across - down, middle + across - down, middle + across + down, middle - across + down])


def _rectangle(work: Floats) -> Floats:
    """A work area as four corners; one with more is taken by the rectangle around it."""
    if len(work) == 4:
        return work.copy()
    low, high = work.min(axis=0), work.max(axis=0)
    return np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
