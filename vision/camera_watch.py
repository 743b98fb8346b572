"""Has the camera been bumped, or the light changed? A frame compared with the table's reference picture.

In: `CameraWatch`, made once from a reference picture of the table, and a frame. Out: `CameraState`: still, moved by so
many millimetres with the camera to go on with, or unsure and why; and how much lighter or darker the felt is.

The answer depends on nothing but the reference and the frame. It costs a few milliseconds while nothing happens, some
ten times that when the marks are not where they were, and is meant to be asked for now and then.
"""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from vision.anchors import FEWEST, Anchors, Motion, Sightings
from vision.calibration import CalibrationError, verify_same_size
from vision.camera import Camera
from vision.errors import VisionError
from vision.table import Table

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

STILL, MOVED, UNSURE = "still", "moved", "unsure"
STILL_MM: Final = 1.5  # cards are read as well as before
LIGHT_GAIN: Final = 1.12  # the light has changed from this factor on, either way
PART_GAIN: Final = 1.25  # the same for a third of the table: one lamp
_STAYED: Final = 0.75  # of the marks seen, when the camera did not move
_AGREED: Final = 0.7  # of the marks seen, to follow
_SURE_MM: Final = 2.0  # by which two halves of the marks may differ about a zone's corner, to follow
_PARTS: Final = 3
_PART_MARKS: Final = 3
_FINE_MARKS: Final = 160  # for a calibration, which has time


@dataclass(frozen=True, slots=True, eq=False)
class CameraState:
    """What a frame says of its camera and its light."""

    kind: str  # STILL, MOVED or UNSURE
    says: str
    moved_mm: float | None  # the farthest that a corner of a zone is seen to have moved; None when unsure
    camera: Camera | None  # the camera to go on with: the reference's own, the one followed, or None
    light_gain: float  # the felt's brightness for that of the reference
    is_light_changed: bool
    seen: float  # share of the marks that were found


@dataclass(frozen=True, slots=True, eq=False)
class CameraWatch:
    """What is kept of a table's reference picture."""

    anchors: Anchors
    levels: NDArray[np.float32]  # (N,) grey level of each mark in the reference
    corners_mm: Floats  # (M, 2), of every zone
    table: Table

    @classmethod
    def from_picture(cls, picture_bgr: Picture, table: Table) -> Self:
        """The reference: a picture of the table, best with nothing on it, for which the table's camera is right."""
        anchors = Anchors.from_picture(picture_bgr, table)
        return cls._of(anchors, table)

    @classmethod
    def _of(cls, anchors: Anchors, table: Table) -> Self:
        corners = np.concatenate([zone.work for zone in table.zones.values()])
        levels = anchors.marks.reshape(len(anchors.marks), -1).mean(axis=1).astype(np.float32)
        return cls(anchors, levels, corners, table)

    def look(self, frame_bgr: Picture) -> CameraState:
        """Compare a frame of the same size with the reference."""
        verify_same_size(frame_bgr, self.anchors.camera)
        seen = self.anchors.look(frame_bgr)
        if self._has_stayed(seen):
            return self._state(STILL, "still", seen, seen, self._shift_mm(seen), self.anchors.camera)
        motion, found = self._follow(frame_bgr, seen)
        if motion is None:
            return self._state(UNSURE, _why_lost(seen, found), seen, found, None, None)
        moved_mm = float(np.linalg.norm(motion.moved(self.corners_mm) - self.corners_mm, axis=1).max())
        camera = motion.camera(self.anchors.camera)
        try:
            self.table.with_camera(camera)
        except VisionError as error:
            return self._state(UNSURE, f"the camera moved {moved_mm:.0f} mm: {error}", seen, found, None, None)
        return self._state(MOVED, f"the camera moved {moved_mm:.1f} mm and is followed", seen, found, moved_mm, camera)

    def _has_stayed(self, seen: Sightings) -> bool:
        """Whether most of the marks that are seen are where they were; what is covered has no say."""
        away = np.linalg.norm(seen.at_mm - self.anchors.at_mm, axis=1)[seen.is_seen]
        return len(away) >= FEWEST // 2 and float((away < STILL_MM).mean()) >= _STAYED

    def _shift_mm(self, seen: Sightings) -> float:
        return float(np.median(np.linalg.norm(seen.at_mm - self.anchors.at_mm, axis=1)[seen.is_seen]))

    def _follow(self, frame_bgr: Picture, seen: Sightings) -> tuple[Motion | None, Sightings]:
        """The motion that explains the frame, by a near look first, then by a far one; None when no fit is good."""
        for guess in (self.anchors.motion(seen), self.anchors.far_motion):
            rough = guess(frame_bgr) if callable(guess) else guess
            if rough is None:
                continue
            wide = self.anchors.motion(self.anchors.look(frame_bgr, rough, is_rough=True))
            if wide is None:
                continue
            found = self.anchors.look(frame_bgr, wide)
            fine = self.anchors.motion(found)
            if fine is not None and self._is_good(fine, found):
                return fine, found
        return None, seen

    def _is_good(self, motion: Motion, found: Sightings) -> bool:
        """Whether enough marks agree, and each half of them tells the same of every zone."""
        agreed = np.flatnonzero(motion.agreed)
        if len(agreed) < FEWEST or len(agreed) < _AGREED * int(found.is_seen.sum()):
            return False
        order = agreed[np.argsort(self.anchors.at_mm[agreed, 0])]
        halves = [self.anchors.motion_of(found, order[start::2]) for start in (0, 1)]
        told = [half.moved(self.corners_mm) for half in halves if half is not None]
        return len(told) == 2 and float(np.linalg.norm(told[0] - told[1], axis=1).max()) <= _SURE_MM

    def _state(
        self,
        kind: str,
        says: str,
        near: Sightings,
        found: Sightings,
        moved_mm: float | None,
        camera: Camera | None,
    ) -> CameraState:
        is_seen = found.is_seen if kind != UNSURE else np.ones(len(self.levels), bool)
        gain, is_changed = self._light(found.level if kind != UNSURE else near.level, is_seen)
        return CameraState(kind, says, moved_mm, camera, gain, is_changed, float(found.is_seen.mean()))

    def _light(self, levels: NDArray[np.float32], which: NDArray[np.bool_]) -> tuple[float, bool]:
        """The gain of the light, and whether it changed, all over or over a third of the table."""
        gains = (levels + 1) / (self.levels + 1)
        gain = float(np.median(gains[which]))
        order = np.argsort(self.anchors.at_mm[:, 0])
        parts = [part[which[part]] for part in np.array_split(order, _PARTS)]
        local = [float(np.median(gains[part])) for part in parts if len(part) >= _PART_MARKS]
        is_changed = _factor(gain) > LIGHT_GAIN or any(_factor(each) > PART_GAIN for each in local)
        return gain, is_changed


def refine_on_reference(picture_bgr: Picture, reference_bgr: Picture, table: Table) -> tuple[Camera, float]:
    """The camera of a picture, from a reference picture for which the table's camera is right, and how far it moved.

    Raises when the two do not show the same table from about the same place.
    """
    watch = CameraWatch._of(Anchors.from_picture(reference_bgr, table, _FINE_MARKS), table)
    verify_same_size(picture_bgr, watch.anchors.camera)
    motion, _ = watch._follow(picture_bgr, watch.anchors.look(picture_bgr))
    if motion is None:
        raise CalibrationError(
            "the picture does not match the reference picture; give points, or a reference of this table taken from "
            "about the same place with the same lens"
        )
    moved_mm = float(np.linalg.norm(motion.moved(watch.corners_mm) - watch.corners_mm, axis=1).max())
    return motion.camera(watch.anchors.camera), moved_mm


def _factor(gain: float) -> float:
    return max(gain, 1 / max(gain, 1e-3))


def _why_lost(near: Sightings, found: Sightings) -> str:
    seen = int(max(near.is_seen.sum(), found.is_seen.sum()))
    return (
        f"{seen} of {len(near.score)} marks of the felt are found, and not where they were: the camera is covered or "
        "moved too far to follow; clear the view, or calibrate again"
    )
