"""One frame in memory that two processes share: the newest; each new one overwrites the last.

In: pictures from the capture process. Out: the newest of them for whoever asks, and what became of the stream. The
memory has no name: the kernel takes it back when the last process that holds it ends, however that ends. So it is with
the lock.
"""

import fcntl
import math
import mmap
import os
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.sources.source import SourceError

Picture = NDArray[np.uint8]

_HEADER = struct.Struct("=QQ????ddddIId480s")
_PICTURE_AT = mmap.ALLOCATIONGRANULARITY  # the header has the first page
_LOCK_S = 2.0
_LONGEST_REASON = 480


@dataclass(frozen=True, slots=True)
class SlotState:
    """What the capture process knows, besides the picture."""

    frames: int = 0  # captured so far, taken or not
    losses: int = 0  # how often the stream was lost so far
    is_lost: bool = False
    is_whole: bool = False  # the picture is written to its end
    is_damaged: bool = False  # the newest frame, as its decoder said
    is_repeated: bool = False  # it has the stamp of the one before
    time_s: float = 0.0  # its time in the footage
    received_s: float = 0.0  # when it came, by the machine's monotonic clock
    lost_time_s: float = 0.0  # time in the footage of the last loss
    back_time_s: float = 0.0  # and of the first frame after it
    width: int = 0
    height: int = 0
    alive_until_s: float = math.inf  # a capture process that says nothing past this monotonic time hangs
    reason: str = ""  # of the last loss


class FrameSlot:
    """The shared memory, as one of the two processes sees it."""

    def __init__(self, fd: int | None = None) -> None:
        """Without `fd`, of a slot that another process made: a new one."""
        self.fd = os.memfd_create("foursight-frame", os.MFD_CLOEXEC) if fd is None else fd
        if fd is None:
            os.ftruncate(self.fd, _PICTURE_AT)
        self._header = mmap.mmap(self.fd, _PICTURE_AT)
        self._pixels: Picture = np.empty(0, np.uint8)
        if fd is None:
            self._write(SlotState())

    @property
    def state(self) -> SlotState:
        """What is known now."""
        with self._locked():
            return self._read()

    def update(self, state: SlotState) -> None:
        """Say something new; the picture stays."""
        with self._locked():
            self._write(state)

    def put(self, state: SlotState, picture_bgr: Picture) -> SlotState:
        """Overwrite the frame. A process killed while it writes leaves a picture that says it is not whole."""
        height, width = picture_bgr.shape[:2]
        state = replace(state, width=width, height=height, is_whole=True)
        with self._locked():
            self._write(replace(state, is_whole=False))
            if picture_bgr.size > self._pixels.size:
                os.ftruncate(self.fd, max(os.fstat(self.fd).st_size, _PICTURE_AT + picture_bgr.size))
            self._map(picture_bgr.size)[:] = picture_bgr.reshape(-1)
            self._write(state)
        return state

    def take(self, frames_seen: int) -> tuple[SlotState, Picture | None]:
        """What is known, and the newest frame unless it was seen already."""
        with self._locked():
            state = self._read()
            if state.frames == frames_seen or not state.is_whole:
                return state, None
            pixels = self._map(state.height * state.width * 3)
            return state, pixels.reshape(state.height, state.width, 3).copy()

    def close(self) -> None:
        """Let go of the memory; again does nothing."""
        if self.fd >= 0:
            self._pixels = np.empty(0, np.uint8)
            self._header.close()
            os.close(self.fd)
            self.fd = -1

    def _map(self, size: int) -> Picture:
        if size > self._pixels.size:
            length = os.fstat(self.fd).st_size - _PICTURE_AT
            self._pixels = np.frombuffer(mmap.mmap(self.fd, length, offset=_PICTURE_AT), np.uint8)
        return self._pixels[:size]

    def _read(self) -> SlotState:
        values = list(_HEADER.unpack_from(self._header))
        values[-1] = values[-1].rstrip(b"\0").decode(errors="ignore")
        return SlotState(*values)

    def _write(self, state: SlotState) -> None:
        *values, reason = astuple(state)
        _HEADER.pack_into(self._header, 0, *values, reason.encode()[:_LONGEST_REASON])

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Between processes, not threads; not for ever, as the other one may be stopped while it holds the lock."""
        until_s = time.monotonic() + _LOCK_S
        while not self._try_lock():
            if time.monotonic() > until_s:
                raise SlotBusyError("the shared frame stays locked; end the other process")
            time.sleep(0.0005)
        try:
            yield
        finally:
            fcntl.lockf(self.fd, fcntl.LOCK_UN)

    def _try_lock(self) -> bool:
        try:
            fcntl.lockf(self.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            return False
        return True


class SlotBusyError(SourceError):
    """The other process holds the slot and does not go on."""
