"""Which places of a table are at rest: nothing moves there, and for how long.

In: frames of a calibrated table, one after the other. Out: `Rest`, for each place the number of frames since it last
moved.  All places are looked at as small straightened pictures, side by side in one atlas, so that a frame costs one
reduction, one remap and one difference. Noise, a slow change of light and the encoder's key frames are no movement; a
card pushed by a millimetre is. What is remembered reaches back no further than SPAN_S, so that footage may be cut
anywhere and, after that much run-in, gives the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera, remap
from vision.errors import VisionError

SPAN_S: Final = 2.0
PX_PER_MM: Final = 0.3
SHRINK: Final = 3  # frames are made this much smaller first: averaging takes the noise away
LOOK_BACK: Final = 5  # frames: what creeps is seen against this one, what jumps against the last
LEVELS: Final = 14  # of grey; a difference below this is noise
CELLS: Final = 3  # fewer cells than this, or than SHARE of a place, are no movement
SHARE: Final = 0.004

Grey = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Atlas:
    """Where the small pictures of all places lie, and where their pixels come from."""

    names: tuple[str, ...]
    rows: tuple[tuple[int, int], ...]  # of each place in the atlas: first, one past the last
    widths: tuple[int, ...]
    map_xy: NDArray[np.float32]  # (H, W, 2), in the shrunken frame

    @classmethod
    def of(cls, camera: Camera, places_mm: Mapping[str, NDArray[np.float64]]) -> Self:
        """An atlas of places given by their corners on the felt."""
        if not places_mm:
            raise VisionError("a table without places has nothing to watch; name its zones")
        maps = [camera.rectify_map(place, PX_PER_MM).map_xy for place in places_mm.values()]
        width = max(each.shape[1] for each in maps)
        ends = np.cumsum([each.shape[0] for each in maps]).tolist()
        whole = np.full((ends[-1], width, 2), -1e4, np.float32)
        rows = tuple(zip([0, *ends[:-1]], ends, strict=True))
        for (top, bottom), each in zip(rows, maps, strict=True):
            whole[top:bottom, : each.shape[1]] = (each + 0.5) / SHRINK - 0.5
        return cls(tuple(places_mm), rows, tuple(each.shape[1] for each in maps), whole)

    def cut(self, picture_bgr: NDArray[np.uint8]) -> Grey:
        """The small pictures of all places; black where there is none."""
        height, width = picture_bgr.shape[:2]
        small = cv2.resize(picture_bgr, (width // SHRINK, height // SHRINK), interpolation=cv2.INTER_AREA)
        return remap(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8), self.map_xy)


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """What is remembered, and for each place the frames since it moved (at most those of SPAN_S)."""

    past: tuple[Grey, ...]  # the last LOOK_BACK atlases, newest last
    quiet: tuple[int, ...]  # by place

    @classmethod
    def start(cls, atlas: Atlas) -> Self:
        """Before the first frame: nothing is known to be at rest."""
        return cls((), (0,) * len(atlas.names))


def watch(rest: Rest, atlas: Atlas, picture_bgr: NDArray[np.uint8], fps: float) -> Rest:
    """One frame further."""
    now = atlas.cut(picture_bgr)
    now.setflags(write=False)
    past = (*rest.past[1 - LOOK_BACK :], now) if len(rest.past) >= LOOK_BACK else (*rest.past, now)
    if not rest.past:
        return replace(rest, past=past)
    moved = _moved(atlas, now, rest.past[-1]) | _moved(atlas, now, rest.past[0])
    most = max(1, round(SPAN_S * fps))
    quiet = tuple(0 if is_moved else min(count + 1, most) for is_moved, count in zip(moved, rest.quiet, strict=True))
    return Rest(past, quiet)


def _moved(atlas: Atlas, now: Grey, before: Grey) -> NDArray[np.bool_]:
    """Which places differ; a place that became lighter or darker as a whole does not."""
    moved = np.zeros(len(atlas.names), bool)
    if not (cv2.absdiff(now, before) > LEVELS // 2).any():
        return moved
    for number, ((top, bottom), width) in enumerate(zip(atlas.rows, atlas.widths, strict=True)):
        apart = now[top:bottom, :width].astype(np.int16) - before[top:bottom, :width]
        apart -= np.int16(np.median(apart))
        count = int(np.count_nonzero(np.abs(apart) > LEVELS))
        moved[number] = count >= max(CELLS, SHARE * apart.size)
    return moved
