"""A live table's own recording: a ring of rounds on disk with a limit, and the rounds around flags kept beside it.

In: every frame of a live table with what it brought. Out: a folder with recordings, one a round:

    ring/000041/   the newest rounds; the oldest go when the limit is reached
    kept/000040/   rounds with a flag, the one before and the one after; these never go by themselves

Only the felt is recorded: everything outside is black before it is encoded, so that no faces are kept. Each recording
can be replayed by itself: it holds the watch's state as it was after its first two seconds.
"""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.errors import VisionError
from vision.events import Event
from vision.frame import Frame
from vision.layout import felt_outline_mm
from vision.recording import RecordingWriter
from vision.replay import STATES
from vision.round_state import IDLE
from vision.table import Table
from vision.watch_table import RUN_IN_S, Step, WatchState

RING, KEPT = "ring", "kept"
FLAGS: Final = (
    "miscount", "round_void", "duplicate_card", "foreign_card", "exposed_card", "out_of_order", "dealer_set_wrong",
    "unreadable",
)  # fmt: skip
QUIET_S: Final = 2.0  # after a round's end, before the next recording begins
LONGEST_S: Final = 300.0
CHECK_S: Final = 1.0  # between two looks at the limit while a round is recorded
EDGE_MM: Final = 12.0  # of the table's rim that stays in sight
BIT_RATE: Final = 3_000_000
LEAST_LIMIT: Final = 50_000_000

Picture = NDArray[np.uint8]


class TableRecorder:
    """Records one table; a context manager. Keep its folder for it alone."""

    def __init__(
        self,
        folder: str | Path,
        table: Table,
        *,
        limit_bytes: int,
        fps: float = 25.0,
        is_masked: bool = True,
        bit_rate: int = BIT_RATE,
    ) -> None:
        """`is_masked`: only the felt; `limit_bytes`: of ring and kept rounds together."""
        if limit_bytes < LEAST_LIMIT:
            raise VisionError(f"{limit_bytes} bytes hold no round; give {LEAST_LIMIT} or more")
        self._folder, self._table, self._fps, self._bit_rate = Path(folder), table, fps, bit_rate
        self._limit_bytes, self._is_masked = limit_bytes, is_masked
        self._mask: Picture | None = None
        self._masked_for: Camera | None = None
        self._writer: RecordingWriter | None = None
        self._number = max((int(path.name) for path in self._recordings(RING, KEPT)), default=0)
        self._began_s = self._idle_s = self._checked_s = 0.0
        self._other_bytes = 0  # what all but the recording that is being written take
        self._has_state = self._is_flagged = self._was_flagged = False
        for name in (RING, KEPT):
            (self._folder / name).mkdir(parents=True, exist_ok=True)

    @property
    def used_bytes(self) -> int:
        """What ring and kept rounds take on disk."""
        return sum(_size(path) for path in self._recordings(RING, KEPT))

    @property
    def is_full(self) -> bool:
        """Whether kept rounds alone have reached the limit: move them away, they do not go by themselves."""
        return sum(_size(path) for path in self._recordings(KEPT)) >= self._limit_bytes

    def record(self, frame: Frame, step: Step, before: WatchState, camera: Camera) -> None:
        """One frame, what it brought, and the watch's state before it."""
        if self._writer is None:
            self._begin(frame.time_s)
        writer = self._writer
        if writer is None:
            return
        if not self._has_state and frame.time_s - self._began_s >= RUN_IN_S:
            state = json.loads(before.to_json())
            writer.line(STATES, {"frame": writer.frames, "time_s": frame.time_s, "state": state})
            self._has_state = True
        number = writer.write(self._felt_of(frame.picture_bgr, camera), frame.time_s)
        for event in step.events:
            writer.event(replace(event, frame=number))
            self._is_flagged |= is_flag(event)
        if frame.time_s - self._checked_s >= CHECK_S:
            self._keep_within_limit(writer, frame.time_s)
        self._idle_s = frame.time_s if before.observer.phase != IDLE else self._idle_s
        is_quiet = before.observer.phase == IDLE and self._began_s < self._idle_s <= frame.time_s - QUIET_S
        if is_quiet or frame.time_s - self._began_s >= LONGEST_S:
            self._end()

    def close(self) -> None:
        """Finish the recording that is being written."""
        self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _begin(self, time_s: float) -> None:
        self._trim()
        self._number += 1
        self._writer = RecordingWriter(
            self._folder / RING / f"{self._number:06d}",
            self._table,
            fps=self._fps,
            bit_rate=self._bit_rate,
            preset="ultrafast",
        )
        self._began_s = self._checked_s = time_s
        self._has_state = self._is_flagged = False

    def _keep_within_limit(self, writer: RecordingWriter, time_s: float) -> None:
        """A long round takes its room from the oldest while it is recorded, and what it adds until the next look."""
        self._checked_s = time_s
        spare = round(2 * CHECK_S * self._bit_rate / 8)
        if self._other_bytes + _size(writer.folder) + spare > self._limit_bytes:
            self._trim(spare)

    def _end(self) -> None:
        """Close a recording; one with a flag is kept, with the ones on both sides."""
        writer, self._writer = self._writer, None
        if writer is None:
            return
        writer.close()
        if self._is_flagged:
            self._keep(self._number - 1)
        if self._is_flagged or self._was_flagged:
            self._keep(self._number)
        self._was_flagged = self._is_flagged
        self._trim()

    def _keep(self, number: int) -> None:
        path = self._folder / RING / f"{number:06d}"
        if path.exists():
            path.rename(self._folder / KEPT / path.name)

    def _trim(self, spare: int = 0) -> None:
        """The oldest rounds of the ring go until everything fits and so many bytes are free, the newest stays."""
        used = self.used_bytes
        paths = sorted(self._recordings(RING))
        for path in paths[:-1]:
            if used + spare <= self._limit_bytes:
                break
            used -= _size(path)
            shutil.rmtree(path)
        self._other_bytes = used - (_size(paths[-1]) if self._writer is not None else 0)

    def _recordings(self, *names: str) -> Iterator[Path]:
        for name in names:
            folder = self._folder / name
            yield from (path for path in folder.iterdir() if path.name.isdecimal()) if folder.exists() else ()

    def _felt_of(self, picture_bgr: Picture, camera: Camera) -> Picture:
        if not self._is_masked:
            return picture_bgr
        if self._mask is None or camera is not self._masked_for:
            self._mask, self._masked_for = felt_mask(self._table, camera), camera
        return np.asarray(cv2.bitwise_and(picture_bgr, picture_bgr, mask=self._mask), np.uint8)


def is_flag(event: Event) -> bool:
    """Whether somebody may want to see the round of this event again."""
    return event.kind in FLAGS or bool(event.extra_value("late"))


def felt_mask(table: Table, camera: Camera) -> Picture:
    """255 where the camera sees the felt and a little of the table's rim, 0 elsewhere."""
    outline = felt_outline_mm(table.felt_mm)
    middle = np.array([0.0, table.felt_mm[1] / 2])
    away = outline - middle
    outline = outline + away / np.linalg.norm(away, axis=1, keepdims=True) * EDGE_MM
    seen = camera.mm_to_px(outline)
    width, height = camera.size_wh
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [np.round(seen[np.isfinite(seen).all(axis=1)]).astype(np.int32)], 255)
    return mask


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
