"""The camera and the light over time: what is remembered of them, and the events when they change.

In: frames, the table's reference, and how much of the table moved with the frame. Out: `CameraMemory`, plain data, and
`camera_moved` and `light_changed` events. The camera is compared with the reference once a second of the footage, and
at once, a few times a second, while everything seems to move.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.camera import Camera
from vision.camera_watch import LIGHT_GAIN, STILL, UNSURE, CameraState, CameraWatch
from vision.events import Event
from vision.frame import Frame

USUAL_HZ, ALARMED_HZ = 1.0, 5.0
ALARMED_SHARE: Final = 0.7  # of the places that move at once
SAME_PX: Final = 1.0  # two looks that tell of the same camera
POINTS_MM: Final = np.array([[-700.0, 150.0], [700.0, 150.0], [600.0, 800.0], [-600.0, 800.0]])  # it is told apart by
LOST_LOOKS: Final = 3  # that are unsure, one after the other, before that is told


@dataclass(frozen=True, slots=True)
class CameraMemory:
    """What is known of the camera; the empty one is as the table's file says."""

    homography: tuple[float, ...] = ()  # 3×3 row by row, where the camera is now if it is followed
    matrix: tuple[float, ...] = ()
    distortion: tuple[float, ...] = ()
    size_wh: tuple[int, ...] = ()
    is_away: bool = False  # told that it moved
    seen_px: tuple[float, ...] = ()  # where POINTS_MM were at the last look; none when still or unsure
    followed_px: tuple[float, ...] = ()  # and where the camera that is followed has them
    unsure: int = 0  # looks in a row
    gain: float = 1.0  # of the light, as it was last told
    last_s: float = -1.0

    @property
    def camera(self) -> Camera | None:
        """The camera that is followed."""
        if not self.homography:
            return None
        homography, matrix = (np.array(values).reshape(3, 3) for values in (self.homography, self.matrix))
        return Camera((self.size_wh[0], self.size_wh[1]), homography, matrix, np.array(self.distortion))


def watch_camera(
    memory: CameraMemory, watch: CameraWatch, frame: Frame, moved_share: float
) -> tuple[CameraMemory, tuple[Event, ...]]:
    """One frame further; mostly nothing is done."""
    hertz = ALARMED_HZ if moved_share >= ALARMED_SHARE else USUAL_HZ
    is_due = int(frame.time_s * hertz) != int(memory.last_s * hertz) or memory.last_s < 0
    memory = replace(memory, last_s=frame.time_s)
    if not is_due:
        return memory, ()
    seen = watch.look(frame.picture_bgr)
    memory, moved = _moved(memory, seen, frame)
    memory, light = _light(memory, seen, frame)
    return memory, (*moved, *light)


def _moved(memory: CameraMemory, seen: CameraState, frame: Frame) -> tuple[CameraMemory, tuple[Event, ...]]:
    if seen.kind == UNSURE:
        memory = replace(memory, unsure=min(memory.unsure + 1, LOST_LOOKS + 1))
        if memory.unsure != LOST_LOOKS or memory.is_away:
            return memory, ()
        extra = (("followed", False), ("says", seen.says))
        return replace(memory, is_away=True), (Event("camera_moved", frame.time_s, frame.number, extra=extra),)
    if seen.kind == STILL or seen.camera is None:
        return CameraMemory(gain=memory.gain, last_s=memory.last_s), ()
    before, seen_px = memory, tuple(seen.camera.mm_to_px(POINTS_MM).round(2).ravel().tolist())
    memory = replace(memory, unsure=0, seen_px=seen_px, is_away=True)
    if _is_same(seen_px, before.seen_px) and not _is_same(seen_px, before.followed_px):
        memory = _following(memory, seen.camera)
    if before.is_away:
        return memory, ()
    told = (("followed", True), ("moved_mm", round(seen.moved_mm or 0.0, 1)))
    return memory, (Event("camera_moved", frame.time_s, frame.number, extra=told),)


def _is_same(px: tuple[float, ...], other_px: tuple[float, ...]) -> bool:
    return bool(other_px) and max(abs(one - other) for one, other in zip(px, other_px, strict=True)) <= SAME_PX


def _following(memory: CameraMemory, camera: Camera) -> CameraMemory:
    """Go on with this camera: it was seen twice, so it has come to rest."""
    return replace(
        memory,
        homography=tuple(camera.homography_mm_to_px.ravel().tolist()),
        matrix=tuple(camera.matrix.ravel().tolist()),
        distortion=tuple(camera.distortion.tolist()),
        size_wh=camera.size_wh,
        followed_px=memory.seen_px,
    )


def _light(memory: CameraMemory, seen: CameraState, frame: Frame) -> tuple[CameraMemory, tuple[Event, ...]]:
    """Told when it is another than was told last."""
    factor = seen.light_gain / memory.gain
    if max(factor, 1 / max(factor, 1e-3)) <= LIGHT_GAIN or seen.kind == UNSURE:
        return memory, ()
    gain = round(seen.light_gain, 3)
    return replace(memory, gain=gain), (Event("light_changed", frame.time_s, frame.number, extra=(("gain", gain),)),)
