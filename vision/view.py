"""What a table shows at one moment: the places that have just come to rest, read and fused over frames.

In: frames of a calibrated table, one after the other. Out: `TableView`s. A place is read when it moved and came to
rest, on every other of READ_FRAMES frames, and again on as many more where something was not certain. Nothing is read
while nothing moves, or where nothing but felt is seen, so that a quiet table costs little more than decoding; and
nothing that is remembered is older than two seconds, so that footage may be cut anywhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from game.cards import Card
from game.deal import expected_cards
from vision.camera import Camera, RectifiedView
from vision.frame import Frame
from vision.fuse import fuse_sightings
from vision.layout import DEALER
from vision.leftover import Things, covered_share, leftover_cards, packet_shapes, spot_look, things_on_felt
from vision.places import CARDS, SPOT, WORK, Place, places_of
from vision.reader import CardReader, SeenBack, Sighting, zone_view
from vision.rest import Atlas, Rest, watch
from vision.table import Table

SETTLED: Final = 1  # frames without movement after which reading begins; rest looks five frames back as it is
READ_FRAMES: Final = 5
READ_EVERY: Final = 2  # of those, frame by frame: neighbours say nearly the same
LOOKS: Final = 3  # a place in which something stays uncertain is looked at so many times
BARE: Final = 0.1  # cards' worth of things other than felt, below which a work area is not read at all
NOTHING_MORE: Final = 0.2  # cards' worth of things besides the cards seen, below which no other card lies there
NO_CARD: Final = 0.35  # and below which a place where none is seen is empty: a card that lies alone shows all of itself
NOT_FELT: Final = 0.3  # of a back that was found; where it looks like the felt all over, it must be
SURE_BACK: Final = 0.7  # so certain

Point = tuple[float, float]
Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class SeenFace:
    """A card whose face is up, in a place; `card` is None where it cannot be read, and `reason` says why."""

    card: Card | None
    confidence: float
    at_mm: Point
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PlaceView:
    """One place at rest. `look` counts from 1; a later look at the same rest replaces the one before."""

    zone: str
    part: str
    spot: str | None
    faces: tuple[SeenFace, ...] = ()
    backs_mm: tuple[Point, ...] = ()
    look: int = 1
    is_last: bool = True  # no further look follows while nothing moves
    leftover: float = 0.0  # what lies there besides: neither felt nor a card that was seen, in cards' worth of area
    texture: tuple[int, ...] = ()  # of a wager's spot: its coarse look, to tell whether anything changed
    is_occupied: bool = False  # of a wager's spot: whether anything lies there

    @property
    def is_whole(self) -> bool:
        """Whether nothing lies there but the cards that were seen."""
        return self.leftover < NOTHING_MORE

    @property
    def is_empty(self) -> bool:
        """Whether surely no card lies there."""
        return not self.faces and not self.backs_mm and self.leftover < NO_CARD

    @property
    def is_certain(self) -> bool:
        """Whether another look could tell nothing new: all read, nothing besides, and as many as are due or none."""
        if any(face.card is None for face in self.faces):
            return False
        if self.leftover >= (NOTHING_MORE if self.part == WORK or self.backs_mm else NO_CARD):
            return False
        if self.part == CARDS:  # a packet, or five side by side
            return len(self.faces) + len(self.backs_mm) in (0, 1, expected_cards(self.zone))
        if self.zone == DEALER and len(self.backs_mm) > 1:
            return len(self.backs_mm) == expected_cards(self.zone) - 1
        return self.part != WORK or len(self.faces) in (0, 1, expected_cards(self.zone))


@dataclass(frozen=True, slots=True)
class TableView:
    """A frame, the places that came to rest with it, none is normal, and those in which something moves."""

    time_s: float
    frame: int
    places: tuple[PlaceView, ...] = ()
    moving: tuple[str, ...] = ()  # names of places, `seat-4/work`


class TableEye:
    """Watches one table. What it keeps from frame to frame is what the last two seconds showed."""

    def __init__(self, table: Table, reader: CardReader, fps: float = 25.0, camera: Camera | None = None) -> None:
        """`camera`: where it is now, when it is not where the table's file says."""
        self._camera = camera or table.camera.to_camera()
        self._reader = reader
        self._fps = fps
        self._places = places_of(table)
        self._atlas = Atlas.of(self._camera, {place.name: place.corners_mm for place in self._places})
        self._views: Mapping[str, RectifiedView] = {
            place.name: zone_view(self._camera, place.corners_mm) for place in self._places
        }
        self._rest = Rest.start(self._atlas)
        self._pending: dict[str, tuple[Sighting, ...]] = {}

    @property
    def moved_share(self) -> float:
        """How many of the places moved with the last frame: nearly all of them, when it was the camera."""
        return sum(quiet == 0 for quiet in self._rest.quiet) / len(self._rest.quiet) if self._rest.past else 0.0

    def restart(self) -> None:
        """Forget what was seen: frames are missing, so nothing is known to be at rest."""
        self._rest = Rest.start(self._atlas)
        self._pending.clear()

    def see(self, frame: Frame) -> TableView:
        """One frame further."""
        self._rest = watch(self._rest, self._atlas, frame.picture_bgr, self._fps)
        paired = list(zip(self._places, self._rest.quiet, strict=True))
        seen = [view for place, quiet in paired if (view := self._look(place, quiet, frame)) is not None]
        moving = tuple(place.name for place, quiet in paired if quiet == 0)
        return TableView(frame.time_s, frame.number, tuple(seen), moving)

    def _look(self, place: Place, quiet: int, frame: Frame) -> PlaceView | None:
        """Read a place while its rest is young; a view when a look is complete."""
        looked = quiet - SETTLED
        if looked <= 0 or looked > LOOKS * READ_FRAMES:
            self._pending.pop(place.name, None)
            return None
        if place.part == SPOT:
            return self._spot(place, frame.picture_bgr) if looked == READ_FRAMES else None
        sightings = self._pending.get(place.name, ())
        if len(sightings) != (looked - 1 + READ_EVERY - 1) // READ_EVERY:
            return None  # a look before was certain, and nothing has moved since
        if (looked - 1) % READ_EVERY == 0:
            sightings = (*sightings, self._read(place, frame.picture_bgr, is_first=looked == 1))
            self._pending[place.name] = sightings
        if looked % READ_FRAMES:
            return None
        view = self._view(place, sightings, looked // READ_FRAMES, frame.picture_bgr)
        if view.is_last:
            self._pending.pop(place.name)
        return view

    def _read(self, place: Place, picture_bgr: Picture, *, is_first: bool) -> Sighting:
        """Where nothing but felt is seen, the networks need not look."""
        view = self._views[place.name]
        bare = BARE if place.part == WORK else NO_CARD
        if is_first and leftover_cards(things_on_felt(view.cut(picture_bgr)), self._outline_px(place), ()) < bare:
            return Sighting()
        return self._reader.read_zone(picture_bgr, view)

    def _view(self, place: Place, sightings: tuple[Sighting, ...], look: int, picture_bgr: Picture) -> PlaceView:
        """Sightings of a straightened zone as one on the felt; what lies outside the place belongs to another."""
        view = self._views[place.name]
        sighting = fuse_sightings(sightings, self._reader.calibration)
        to_mm = np.asarray(np.linalg.inv(view.homography_mm_to_px), np.float64)
        faces = [
            SeenFace(seen.card, round(seen.verdict.confidence, 5), at, seen.verdict.reason)
            for seen in sighting.cards
            if _contains(place, at := _middle_mm(seen.quad_px, to_mm))
        ]
        quads = [seen.quad_px for seen in sighting.cards]
        things, outline = things_on_felt(view.cut(picture_bgr)), self._outline_px(place)
        down = [back.quad_px for back in sighting.backs if _lies_there(back, things)]
        if not down and (place.part != WORK or place.zone == DEALER):  # beside backs that were found it is no count
            down = packet_shapes(things, outline, quads)
        backs = [at for quad in down if _contains(place, at := _middle_mm(quad, to_mm))]
        left = leftover_cards(things, outline, quads + down)
        found = PlaceView(place.zone, place.part, None, tuple(faces), tuple(backs), look, leftover=round(left, 2))
        is_last = look == LOOKS or found.is_certain
        return found if is_last else _with_more_to_come(found)

    def _spot(self, place: Place, picture_bgr: Picture) -> PlaceView | None:
        look = spot_look(self._views[place.name].cut(picture_bgr), self._outline_px(place))
        if look is None:
            return None
        texture, is_occupied = look
        return PlaceView(place.zone, place.part, place.spot, texture=texture, is_occupied=is_occupied)

    def _outline_px(self, place: Place) -> NDArray[np.float32]:
        matrix = self._views[place.name].homography_mm_to_px
        return np.asarray(cv2.perspectiveTransform(place.corners_mm[None], matrix)[0], np.float32)


def _lies_there(back: SeenBack, things: Things) -> bool:
    """Whether a back is more than a rectangle printed on the felt."""
    return back.confidence >= SURE_BACK or covered_share(things, back.quad_px) >= NOT_FELT


def _with_more_to_come(view: PlaceView) -> PlaceView:
    return PlaceView(
        view.zone, view.part, view.spot, view.faces, view.backs_mm, view.look, is_last=False, leftover=view.leftover
    )


def _middle_mm(quad_px: NDArray[np.float32], to_mm: NDArray[np.float64]) -> Point:
    on_felt = cv2.perspectiveTransform(quad_px[None].astype(np.float64), to_mm)[0].mean(axis=0)
    return round(float(on_felt[0]), 1), round(float(on_felt[1]), 1)


def _contains(place: Place, at_mm: Point) -> bool:
    return cv2.pointPolygonTest(place.corners_mm.astype(np.float32), at_mm, False) >= 0
