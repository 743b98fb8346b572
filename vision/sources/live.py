"""Live cameras: the newest frame, read by a process of its own that is ended when it hangs.

In: a device or an address. Out: `LiveSource`, which gives frames for as long as it is open, and says when the stream is
lost and back. It never falls behind: what came while nobody asked is skipped and counted.
"""

import os
import select
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import IO, Self, cast

from vision.frame import Frame
from vision.sources.address import Address
from vision.sources.capture_process import Limits, Orders
from vision.sources.health import Health
from vision.sources.slot import FrameSlot, Picture, SlotBusyError, SlotState
from vision.sources.source import Item, SourceBack, SourceLost

_LOOK_S = 0.25  # how long a look may take before the source can be closed
_START_S = 20.0  # a busy machine takes a while to start a process
_RESTART_S = 0.5
_END_S = 5.0
_ROOT = Path(__file__).parents[2]


class LiveSource:
    """Frames of a camera as they come; may be closed from another thread. One iterator at a time."""

    is_live = True

    def __init__(
        self,
        address: Address,
        *,
        format: str | None = None,
        attempts: tuple[dict[str, str], ...] = ({},),
        limits: Limits | None = None,
    ) -> None:
        """`format` and `attempts`: how the capture process opens it, see its `Orders`."""
        self._address, self._format, self._attempts = address, format, attempts
        self._limits = limits or Limits()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._slot = FrameSlot()
        self._seen = SlotState()
        self._ready: deque[Item] = deque()
        self._health = Health()
        self._number = self.skipped = 0
        self._started_s = time.monotonic()
        self._process = self._start()

    @property
    def name(self) -> str:
        """The address without its password."""
        return self._address.shown

    def __repr__(self) -> str:
        return f"LiveSource({self.name!r})"

    def __iter__(self) -> Iterator[Item]:
        while not self._closed.is_set():
            with self._lock:
                item = None if self._closed.is_set() else self._next_item()
            if item is not None:
                yield item

    def close(self) -> None:
        """End the process and give back the memory."""
        self._closed.set()
        with self._lock:
            _end(self._process)
            self._slot.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _next_item(self) -> Item | None:
        """What is next, None when nothing came for a moment."""
        if not self._ready:
            self._look()
        if not self._ready and self._wait():
            self._look()
        return self._ready.popleft() if self._ready else None

    def _look(self) -> None:
        try:
            state, picture = self._slot.take(self._seen.frames)
        except SlotBusyError:
            self._restart("the capture process hung")
            return
        self._ready.extend(self._items_of(state, picture))
        if self._process.poll() is not None:
            self._restart("the capture process died")
        elif time.monotonic() > state.alive_until_s:
            self._restart("the capture process hung")

    def _items_of(self, state: SlotState, picture: Picture | None) -> Iterator[Item]:
        """What happened since the last look, in the order of the footage; of several losses the last."""
        seen, self._seen = self._seen, state if picture is not None else replace(state, frames=self._seen.frames)
        has_new_loss = state.losses > seen.losses
        lost = SourceLost(self._address.hide(state.reason), state.lost_time_s)
        if has_new_loss and not state.is_lost and not seen.is_lost:
            yield lost
        if (has_new_loss and not state.is_lost) or (seen.is_lost and (has_new_loss or not state.is_lost)):
            yield SourceBack(state.back_time_s)
        if picture is not None:
            self.skipped += state.frames - seen.frames - 1
            yield self._frame(state, picture)
        if has_new_loss and state.is_lost:
            yield lost

    def _frame(self, state: SlotState, picture: Picture) -> Frame:
        faults = self._health.faults_of(
            picture, state.time_s, is_damaged=state.is_damaged, is_repeated=state.is_repeated
        )
        self._number += 1
        return Frame(picture, self._number - 1, state.time_s, faults)

    def _wait(self) -> bool:
        """Whether the capture process said something within a moment."""
        output = cast(IO[bytes], self._process.stdout)
        if not select.select([output], [], [], _LOOK_S)[0]:
            return False
        if not os.read(output.fileno(), 65536):
            time.sleep(0.01)  # it is about to end
        return True

    def _start(self) -> subprocess.Popen[bytes]:
        """A new process; what it reads comes through a pipe, never among its arguments."""
        self._started_s = time.monotonic()
        self._slot.update(replace(self._slot.state, alive_until_s=self._started_s + _START_S))
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "vision.sources.capture_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=os.environ | {"PYTHONPATH": os.pathsep.join([str(_ROOT), *filter(None, sys.path)])},
            pass_fds=(self._slot.fd,),
            start_new_session=True,  # an interrupt from the keyboard is the parent's affair
        )
        orders = Orders(
            self._address.full, self._format, self._attempts, self._limits, self._slot.fd, parent=os.getpid()
        )
        with suppress(BrokenPipeError):  # it died at once, which the next look tells
            cast(IO[bytes], process.stdin).write(orders.to_line())
        return process

    def _restart(self, reason: str) -> None:
        """End the process, say so where it did not, and begin anew."""
        _end(self._process)
        time.sleep(max(0.0, _RESTART_S - (time.monotonic() - self._started_s)))
        state = self._slot.state
        if not state.is_lost:
            lost = replace(state, losses=state.losses + 1, is_lost=True, lost_time_s=state.time_s, reason=reason)
            self._slot.update(lost)
        self._process = self._start()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill it and wait; one that hangs inside a driver ends when the driver lets go of it."""
    process.kill()
    for pipe in (process.stdin, process.stdout):
        cast(IO[bytes], pipe).close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_END_S)
