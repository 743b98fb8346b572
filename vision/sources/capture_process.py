"""The process that reads a live stream: it may hang in a driver or a dead connection, so it can be killed.

In: on standard input one line of orders (`Orders`), then nothing; its end means that the parent is gone. Out: the
newest frame in the shared slot; on standard output one byte whenever there is something new. Ends with its parent,
whichever way that ends.
"""

import json
import os
import select
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from fractions import Fraction

import av
from av.container import InputContainer

from vision.sources.clock import FootageClock
from vision.sources.decode import DecodedFrame, Decoder, to_bgr
from vision.sources.slot import FrameSlot, SlotState

_FIRST_WAIT_S = 0.1
_MOST_AHEAD_S = 10.0  # a stamp that leaps further than the clock went is a new count, not a gap
_GRACE_S = 3.0  # beyond a time-out of its own, before a process counts as hung
_WATCH_S = 1.0
_NO_STAMPS = 0x80  # the flag of a format whose stamps the library makes up, such as pictures over HTTP


@dataclass(frozen=True, slots=True)
class Limits:
    """How long to wait, in seconds. Recovery takes at most `open_s` + `longest_wait_s` + what opening takes."""

    open_s: float = 3.0  # to answer, and again to say what the stream is
    read_s: float = 3.0  # for the next packet, and for the next frame
    first_frame_s: float = 10.0  # for the first: streams begin with the next key frame
    longest_wait_s: float = 1.0  # between two attempts


@dataclass(frozen=True, slots=True)
class Orders:
    """What to read."""

    address: str
    format: str | None  # of a device; the network says its own
    attempts: tuple[dict[str, str], ...]  # options of the library, one set after the other until one works
    limits: Limits
    slot_fd: int
    parent: int

    def to_line(self) -> bytes:
        """As the process reads it; not among its arguments, which any user of the machine can list."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> "Orders":
        """Read a line."""
        record = json.loads(line)
        return cls(**record | {"limits": Limits(**record["limits"]), "attempts": tuple(record["attempts"])})


class StreamError(Exception):
    """A stream that gave no frames; the message is the reason."""


class Capture:
    """Reads one stream for ever: opens it, puts its frames into the slot, opens it again."""

    def __init__(self, orders: Orders, slot: FrameSlot) -> None:
        self._orders, self._limits, self._slot = orders, orders.limits, slot
        self._state = slot.state
        self._failures = 0
        last_time_s = self._state.time_s if self._state.frames else None
        self._clock = FootageClock(last_time_s, _MOST_AHEAD_S)

    def run(self) -> None:
        """Read until the process ends."""
        while True:
            try:
                self._read_stream()
                reason = "the stream ended"
            except Exception as error:  # whatever a camera or a library comes up with, it is tried again
                reason = _reason_of(error)
            self._say_lost(reason)
            wait_s = min(_FIRST_WAIT_S * 2**self._failures, self._limits.longest_wait_s)
            self._failures = min(self._failures + 1, 30)
            self._say_alive(wait_s)
            time.sleep(wait_s)

    def _read_stream(self) -> None:
        self._say_alive(2 * self._limits.open_s)
        self._clock.new_session()
        with self._open() as container:
            opened_s = time.monotonic()
            has_stamps = not container.format.flags & _NO_STAMPS
            for decoded in self._frames(container):
                self._put(decoded, decoded.stamp if has_stamps else None)
                if time.monotonic() - opened_s > self._limits.longest_wait_s:
                    self._failures = 0  # a stream that dies at once is not asked for more often

    def _open(self) -> InputContainer:
        attempts = self._orders.attempts
        limits = (self._limits.open_s, self._limits.read_s)
        return av.open(
            self._orders.address,
            "r",
            format=self._orders.format,
            options=attempts[self._failures % len(attempts)],
            timeout=limits,
            metadata_errors="replace",
        )

    def _frames(self, container: InputContainer) -> Iterator[DecodedFrame]:
        if not container.streams.video or container.streams.video[0].codec_context is None:
            raise StreamError("the stream holds no video that can be decoded")
        stream, decoder = container.streams.video[0], Decoder()
        stream.codec_context.thread_count = 1  # more would only add delay
        due_s = time.monotonic() + self._limits.first_frame_s
        for packet in container.demux(stream):
            for decoded in decoder.frames(packet):
                yield decoded
                due_s = time.monotonic() + self._limits.read_s
            if time.monotonic() > due_s:
                raise StreamError("the stream goes on, but no picture of it can be decoded")
            self._say_alive(self._limits.read_s)

    def _put(self, decoded: DecodedFrame, stamp: Fraction | None) -> None:
        state, received_s = self._state, time.monotonic()
        at = self._clock.time_of(stamp, received_s - state.received_s)
        fresh = replace(
            state,
            frames=state.frames + 1,
            is_lost=False,
            is_damaged=decoded.is_damaged,
            is_repeated=at.is_repeated,
            time_s=at.time_s,
            received_s=received_s,
            back_time_s=at.time_s if state.is_lost else state.back_time_s,
        )
        self._state = self._slot.put(fresh, to_bgr(decoded.frame))
        _wake_parent()

    def _say_lost(self, reason: str) -> None:
        state = self._state
        losses = state.losses if state.is_lost else state.losses + 1
        lost_time_s = state.lost_time_s if state.is_lost else state.time_s
        self._say(replace(state, losses=losses, is_lost=True, lost_time_s=lost_time_s, reason=reason))
        _wake_parent()

    def _say_alive(self, seconds: float) -> None:
        self._say(replace(self._state, alive_until_s=time.monotonic() + seconds + _GRACE_S))

    def _say(self, state: SlotState) -> None:
        self._state = state
        self._slot.update(state)


def _reason_of(error: Exception) -> str:
    """Why, in words that never hold the address: errors of the library name it beside their own text."""
    if isinstance(error, StreamError):
        return str(error)
    if isinstance(error, av.error.ExitError):
        return "no answer in time"
    return getattr(error, "strerror", None) or type(error).__name__


def _wake_parent() -> None:
    with suppress(BlockingIOError):  # the parent has enough to read and will look at the newest
        os.write(sys.stdout.fileno(), b".")


def _end_with_parent(parent: int) -> None:
    """A pipe that closes tells at once; the parent's number also where another process inherited the pipe's end."""
    while os.getppid() == parent:
        if select.select([0], [], [], _WATCH_S)[0] and not os.read(0, 1024):
            break
    os._exit(0)


def _read_orders() -> Orders:
    line = b""
    while not line.endswith(b"\n"):
        piece = os.read(0, 65536)
        if not piece:
            os._exit(0)
        line += piece
    return Orders.from_line(line)


def main() -> None:
    """Capture until killed."""
    orders = _read_orders()
    threading.Thread(target=_end_with_parent, args=(orders.parent,), daemon=True).start()
    os.set_blocking(sys.stdout.fileno(), False)
    Capture(orders, FrameSlot(orders.slot_fd)).run()


if __name__ == "__main__":
    main()
