"""What a reader would see of a round that is played out, without a picture: `TableView`s straight from the scene.

In: a `Performance`, a table, and how well the reader reads. Out: one `TableView` a frame, as `vision.view.TableEye`
would give: places read when they moved and came to rest. A round takes a fraction of a second, so that the observer can
be held to hundreds of rounds with every fault.

A card is read when one of its two corner indices lies uncovered, seen when part of one does; what is seen of a card
that is not, and hands that rest on the table, are left over. Noise makes readers worse than that, never wrong.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.footage.choreography import Performance
from datasets.footage.faults import Fault
from datasets.footage.motion import Pose, Track, card_corners_mm
from datasets.footage.outages import Outage
from datasets.footage.round_plan import TableCard
from datasets.footage.stage import ARM_HALF_WIDTH_MM
from vision.places import SPOT, Place, places_of
from vision.rest import LOOK_BACK
from vision.table import Table
from vision.view import LOOKS, READ_FRAMES, SETTLED, PlaceView, SeenFace, TableView

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

INDEX_WH: Final = (0.34, 0.44)  # of a card: its corner with the index
READ_SHARE, SEEN_SHARE = 0.7, 0.4  # of an index that shows
BACK_SHARE: Final = 0.2  # of a back
CHIP_MM: Final = 20.0
_GRID: Final = 5  # points each way by which a place is covered
_CARD_GRID: Final = 8
_BLIND = {Fault.DROPPED_FRAMES, Fault.FROZEN_FRAMES, Fault.CORRUPTED_FRAMES}


@dataclass(frozen=True, slots=True)
class ReaderModel:
    """How a reader falls short, as chances for a card in one look; none of it ever makes a card another one."""

    missed: float = 0.0  # a face is not seen at all
    refused: float = 0.0  # a face is seen and not stated
    stubborn: float = 0.0  # a face that is refused in every look
    missed_backs: float = 0.0
    ghosts: float = 0.0  # something else is taken for a face that cannot be read, in a place with cards
    unnoticed: float = 0.0  # of what is missed, that is not noticed as something on the felt either
    flicker: float = 0.0  # a place seems to move, in one frame
    seed: int = 0


PERFECT: Final = ReaderModel()
NOISY: Final = ReaderModel(
    missed=0.02, refused=0.06, stubborn=0.004, missed_backs=0.15, ghosts=0.01, unnoticed=0.2, flicker=0.002
)


def views_of(
    performance: Performance,
    table: Table,
    model: ReaderModel = PERFECT,
    *,
    outages: Sequence[Outage] = (),
    start_s: float = 0.0,
    pause_s: float = 0.6,
    first_frame: int = 0,
    fps: float = 25.0,
) -> Iterator[TableView]:
    """A view for each frame of the round, which begins at `start_s`, and of the pause after it."""
    stage = _Stage.of(performance, table, pause_s, fps, start_s)
    rng = np.random.default_rng([model.seed, performance.round.number, first_frame])
    stubborn = {number for number in stage.cards if rng.random() < model.stubborn}
    moving = stage.moving(outages) | (rng.random((len(stage.times), len(stage.places))) < model.flicker)
    lost = np.array([any(one.kind in _BLIND and one.is_on(time) for one in outages) for time in stage.times])
    quiet = _quiet(moving, lost)
    reader = _Reader(stage, model, stubborn, rng)
    for frame, time in enumerate(stage.times):
        if lost[frame]:
            continue
        seen = [
            view
            for number, place in enumerate(stage.places)
            if (view := reader.look(place, frame, int(quiet[frame, number]))) is not None
        ]
        busy = tuple(place.name for place, rests in zip(stage.places, quiet[frame], strict=True) if rests == 0)
        yield TableView(round(start_s + float(time), 3), first_frame + frame, tuple(seen), busy)


def _quiet(moving: Bools, lost: Bools) -> NDArray[np.int64]:
    """Frames since each place moved, as `vision.rest` counts them: it looks some frames back."""
    seen_moving = moving.copy()
    for back in range(1, LOOK_BACK):
        seen_moving[back:] |= moving[:-back]
    seen_moving |= lost[:, None]
    quiet = np.zeros(moving.shape, np.int64)
    for frame in range(1, len(moving)):
        quiet[frame] = np.where(seen_moving[frame], 0, quiet[frame - 1] + 1)
    return quiet


@dataclass(frozen=True, slots=True, eq=False)
class _Area:
    """A place as a rectangle with its own axes."""

    middle: Floats
    along: Floats
    out: Floats
    half: Floats  # (2,)

    @classmethod
    def of(cls, place: Place) -> "_Area":
        corners = place.corners_mm
        along, out = corners[1] - corners[0], corners[3] - corners[0]
        sides = np.array([np.linalg.norm(along), np.linalg.norm(out)])
        return cls(corners.mean(axis=0), along / sides[0], out / sides[1], sides / 2)

    def distance(self, points: Floats) -> Floats:
        """How far points (N, 2) are outside, 0 inside."""
        offset = points - self.middle
        apart = np.column_stack([np.abs(offset @ self.along), np.abs(offset @ self.out)]) - self.half
        return np.asarray(np.linalg.norm(np.maximum(apart, 0), axis=1))

    def grid(self) -> Floats:
        """Points spread over it."""
        steps = np.linspace(-0.9, 0.9, _GRID)
        a, b = np.meshgrid(steps * self.half[0], steps * self.half[1])
        return np.asarray(self.middle + a.reshape(-1, 1) * self.along + b.reshape(-1, 1) * self.out)

    @property
    def cards(self) -> float:
        """Its size in cards."""
        return float(4 * self.half[0] * self.half[1]) / (63.0 * 88.0)


@dataclass(slots=True, eq=False)
class _Stage:
    """A performance frame by frame."""

    performance: Performance
    places: tuple[Place, ...]
    areas: tuple[_Area, ...]
    times: Floats  # of the round
    start_s: float
    cards: Mapping[int, tuple[TableCard, Track]]
    hands: Mapping[str, Track]
    points: Floats  # (places × grid, 2)
    _poses: dict[tuple[str, int], Pose] = field(default_factory=dict)

    @classmethod
    def of(cls, performance: Performance, table: Table, pause_s: float, fps: float, start_s: float) -> "_Stage":
        places = places_of(table)
        areas = tuple(_Area.of(place) for place in places)
        count = int(np.ceil((performance.scene.end_s + pause_s) * fps))
        times = np.round(np.arange(count) / fps, 4)
        points = np.concatenate([area.grid() for area in areas])
        scene = performance.scene
        return cls(performance, places, areas, times, start_s, scene.cards, scene.hands, points)

    def moving(self, outages: Sequence[Outage]) -> Bools:
        """(frames, places): whether something moves there."""
        found = np.zeros((len(self.times), len(self.places)), bool)
        for _, track in self.cards.values():
            self._mark(found, track, 42.0)
        for pile in self.performance.scene.piles:
            if pile.chips:
                self._mark(found, pile.track, CHIP_MM)
        for track in self.hands.values():
            self._mark_hand(found, track)
        for outage in outages:
            if outage.kind in (Fault.CAMERA_SHAKE, Fault.CAMERA_SHIFT):
                end_s = min(outage.end_s, outage.start_s + 0.1) if outage.kind is Fault.CAMERA_SHIFT else outage.end_s
                found[(self.times >= outage.start_s) & (self.times < end_s)] = True
        return found

    def _changes(self, track: Track) -> Iterator[int]:
        """Frames in which a thing is not where it was in the frame before."""
        here = (self.times >= track.start_s) & (self.times < track.end_s)
        still = np.zeros(len(self.times), bool)
        for start_s, end_s in track.rests():
            still |= (self.times > start_s + 1 / 25) & (self.times <= end_s)
        changed = here & ~still
        changed[1:] |= here[1:] != here[:-1]
        yield from np.flatnonzero(changed).tolist()

    def _mark(self, found: Bools, track: Track, reach_mm: float) -> None:
        frames = list(self._changes(track))
        if not frames:
            return
        times = self.times[frames]
        at = np.array([track.at(time).xy_mm for time in times])
        before = np.array([track.at(time - 0.04).xy_mm for time in times])
        for number, area in enumerate(self.areas):
            near = (area.distance(at) < reach_mm) | (area.distance(before) < reach_mm)
            found[np.array(frames)[near], number] = True

    def _mark_hand(self, found: Bools, track: Track) -> None:
        for frame in self._changes(track):
            over = self.covered_by(track.at(self.times[frame]))
            if frame:
                over |= self.covered_by(track.at(self.times[frame - 1]))
            found[frame] |= over.any(axis=1)

    def covered_by(self, pose: Pose) -> Bools:
        """(places, grid): which points a hand or its arm lies over."""
        return _under(pose, self.points).reshape(len(self.places), -1)


@dataclass(slots=True, eq=False)
class _Reader:
    """Looks at places at rest."""

    stage: _Stage
    model: ReaderModel
    stubborn: set[int]
    rng: np.random.Generator
    done: dict[str, bool] = field(default_factory=dict)  # places that were read for certain at this rest
    best: dict[str, dict[int, SeenFace]] = field(
        default_factory=dict
    )  # what was seen in them, by card: evidence adds up

    def look(self, place: Place, frame: int, quiet: int) -> PlaceView | None:
        """As `TableEye` looks."""
        looked = quiet - SETTLED
        if looked <= 0 or looked > LOOKS * READ_FRAMES:
            self.done.pop(place.name, None)
            self.best.pop(place.name, None)
            return None
        if place.part == SPOT:
            return self._spot(place, frame) if looked == READ_FRAMES else None
        if looked % READ_FRAMES or self.done.get(place.name):
            return None
        view = self._read(place, frame, looked // READ_FRAMES)
        self.done[place.name] = view.is_last
        return view

    def _hands(self, time: float) -> list[Pose]:
        return [track.at(time) for track in self.stage.hands.values() if track.is_present(time)]

    def _spot(self, place: Place, frame: int) -> PlaceView | None:
        """Chips change a spot's look by where they lie and what they are worth; a hand over it is seen as one."""
        time, area = float(self.stage.times[frame]), self.stage.areas[self.stage.places.index(place)]
        cells, is_occupied = np.zeros((5, 5, 3), int), False
        steps = np.linspace(-1, 1, 5)
        a, b = np.meshgrid(steps * area.half[0], steps * area.half[1])
        points = area.middle + a.reshape(-1, 1) * area.along + b.reshape(-1, 1) * area.out
        piles = [pile for pile in self.stage.performance.scene.piles if pile.chips and pile.track.is_present(time)]
        count = 0
        for pile in sorted(piles, key=lambda pile: pile.track.layer(time)):
            apart = np.linalg.norm(points - np.array(pile.track.at(time).xy_mm), axis=1).reshape(5, 5)
            top = pile.chips[-1]
            cells[apart < CHIP_MM] = [
                4 + 5 * count % 17 + top % 7,
                -8 + int(pile.track.at(time).turn_deg) % 9,
                5 + len(pile.chips),
            ]
            count += bool((apart < CHIP_MM).any())
            is_occupied |= bool((apart < CHIP_MM).mean() > 0.3)
        around = area.middle + (points - area.middle) * 2.8
        if any(_under(pose, around).mean() > 0.3 for pose in self._hands(time)):
            return None
        for pose in self._hands(time):
            cells[_under(pose, points).reshape(5, 5)] = 12
        texture = tuple(int(value) for value in cells.ravel())
        return PlaceView(place.zone, place.part, place.spot, texture=texture, is_occupied=is_occupied)

    def _read(self, place: Place, frame: int, look: int) -> PlaceView:
        time, number = float(self.stage.times[frame]), self.stage.places.index(place)
        area, hands = self.stage.areas[number], self._hands(time)
        cards = [
            (key, card, track, track.at(time))
            for key, (card, track) in self.stage.cards.items()
            if track.is_present(time)
        ]
        near = [one for one in cards if area.distance(np.array([one[3].xy_mm]))[0] < 60]
        near.sort(key=lambda one: one[2].layer(time))
        size = self.stage.performance.card_size_mm
        quads = [card_corners_mm(pose, size)[0] for *_, pose in near]
        faces: list[SeenFace] = []
        backs: list[tuple[float, float]] = []
        left = sum(float(self.stage.covered_by(pose)[number].mean()) for pose in hands) * area.cards
        for place_in_heap, (key, card, _, pose) in enumerate(near):
            if area.distance(np.array([pose.xy_mm]))[0] > 0:
                continue
            above = quads[place_in_heap + 1 :]
            at = (round(float(pose.x_mm), 1), round(float(pose.y_mm), 1))
            shown = _shown(_grid_of(quads[place_in_heap], (0, 0, 1, 1), _CARD_GRID), above, hands)
            if not pose.is_face_up:
                if shown < BACK_SHARE or self.rng.random() < self.model.missed_backs:
                    left += self._left(shown)
                else:
                    backs.append(at)
                continue
            face = self._face(key, card, quads[place_in_heap], above, hands, at)
            best = self.best.setdefault(place.name, {})
            if face is None or face.card is None:
                face = best.get(key, face)
            if face is not None:
                best[key] = face
            if face is None:
                left += self._left(shown)
            else:
                faces.append(face)
        if faces and self.rng.random() < self.model.ghosts:
            x, y = faces[0].at_mm
            faces.append(SeenFace(None, 0.3, (x + 9.0, y + 31.0), "unclear"))
        found = PlaceView(place.zone, place.part, None, tuple(faces), tuple(backs), look, leftover=round(left, 2))
        is_last = look == LOOKS or found.is_certain
        return PlaceView(
            place.zone, place.part, None, found.faces, found.backs_mm, look, is_last=is_last, leftover=found.leftover
        )

    def _left(self, shown: float) -> float:
        """What is seen of a card as something on the felt."""
        return 0.0 if shown < 0.12 or self.rng.random() < self.model.unnoticed else shown

    def _face(
        self,
        key: int,
        card: TableCard,
        quad: Floats,
        above: Sequence[Floats],
        hands: Sequence[Pose],
        at: tuple[float, float],
    ) -> SeenFace | None:
        width, height = INDEX_WH
        corners = ((0, 0, width, height), (1 - width, 1 - height, 1, 1))
        shown = max(_shown(_grid_of(quad, corner, 4), above, hands) for corner in corners)
        if card.made_of == "blank" or shown < SEEN_SHARE or self.rng.random() < self.model.missed:
            return None
        if card.face is None:
            return SeenFace(None, 0.2, at, "unclear")
        if shown < READ_SHARE:
            return SeenFace(None, 0.4, at, "covered")
        if key in self.stubborn or self.rng.random() < self.model.refused:
            return SeenFace(None, 0.8, at, "unclear")
        return SeenFace(card.face, 0.999, at)


def _under(pose: Pose, points: Floats) -> Bools:
    """Which points (N, 2) a hand or its arm lies over."""
    turn = np.radians(pose.turn_deg)
    back = np.array([np.sin(turn), -np.cos(turn)])
    offset = points - np.array(pose.xy_mm)
    return np.asarray((offset @ back > -40) & (np.abs(offset @ np.array([back[1], -back[0]])) < ARM_HALF_WIDTH_MM))


def _grid_of(quad: Floats, part: tuple[float, float, float, float], count: int) -> Floats:
    """Points spread over a part of a card, given in its width and height."""
    left, top, right, bottom = part
    u, v = np.meshgrid(
        left + (right - left) * (np.arange(count) + 0.5) / count,
        top + (bottom - top) * (np.arange(count) + 0.5) / count,
    )
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    return np.asarray(quad[0] + u.reshape(-1, 1) * across + v.reshape(-1, 1) * down)


def _shown(points: Floats, above: Sequence[Floats], hands: Sequence[Pose]) -> float:
    """The share of points that neither cards above nor hands cover."""
    covered = np.zeros(len(points), bool)
    for quad in above:
        across, down = quad[1] - quad[0], quad[3] - quad[0]
        offset = points - quad[0]
        u, v = offset @ across / (across @ across), offset @ down / (down @ down)
        covered |= (u > 0) & (u < 1) & (v > 0) & (v < 1)
    for pose in hands:
        covered |= _under(pose, points)
    return 1.0 - float(covered.mean())
