"""Measure live tables: how many keep up on this machine, what one more costs, how soon an event is told.

In: a recording with its truth, a number of tables and seconds. Out: a `LiveResult` a table. Each table is a process
with a camera of its own: a network stream at the speed of life, decoded by the capture process as in service, watched,
timed.
"""

import json
import multiprocessing
import os
import queue
import resource
import socket
import socketserver
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import partial
from multiprocessing.queues import Queue
from pathlib import Path
from typing import IO, Final

import av
import numpy as np

from models.errors import ModelError
from vision.events import Event
from vision.frame import Frame
from vision.reader import CardReader
from vision.recording import VIDEO, open_recording
from vision.sources.open import open_source
from vision.sources.source import SourceLost
from vision.watch_table import TableWatch

TOLD: Final = ("player_hand", "dealer_hand", "up_card")
_HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: video/mp2t\r\n\r\n"
_TIME_BASE = Fraction(1, 90_000)
_SETTLE_S: Final = 3.0  # of a stream's beginning, not counted


@dataclass(frozen=True, slots=True)
class LiveResult:
    """One table."""

    seconds: float  # of footage
    frames: int  # watched
    skipped: int  # that came while another was watched
    cpu_s: float  # of the table's process and its capture process
    lags_s: tuple[float, ...] = field(repr=False)  # from a frame's arrival to the end of its work, at events
    delays_s: tuple[float, ...] = field(repr=False)  # from cards at rest to the event, all in all
    losses: int = 0

    @property
    def fps(self) -> float:
        """Frames watched a second."""
        return self.frames / self.seconds if self.seconds else 0.0

    @property
    def cores(self) -> float:
        """Of one core, busy."""
        return self.cpu_s / self.seconds if self.seconds else 0.0


class StreamServer:
    """A recording's video over and over at http://127.0.0.1:port/, as fast as it was filmed; not coded anew."""

    def __init__(self, video: Path) -> None:
        self._video = video
        self._stop = threading.Event()
        self._server = _Server(("127.0.0.1", 0), partial(_Connection, serve=self._serve))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True)
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/table"

    def __enter__(self) -> "StreamServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._server.shutdown()
        self._server.server_close()

    def _serve(self, connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(_HEAD)
        try:
            with connection.makefile("wb") as file:
                self._stream(file)
        except (OSError, ValueError, av.error.FFmpegError):
            return  # the reader has gone

    def _stream(self, file: IO[bytes]) -> None:
        started, shift = time.monotonic(), 0
        with av.open(file, "w", format="mpegts", options={"flush_packets": "1"}) as out:
            target = None
            while not self._stop.is_set():
                last = shift
                with av.open(str(self._video)) as video:
                    source = video.streams.video[0]
                    if target is None:
                        target = out.add_stream_from_template(source)
                    for packet in video.demux(source):
                        if packet.pts is None:
                            continue
                        at = round(packet.pts * (source.time_base or _TIME_BASE) / _TIME_BASE) + shift
                        last = at
                        late = started + at * float(_TIME_BASE) - time.monotonic()
                        if self._stop.wait(max(0.0, late)):
                            return
                        packet.stream, packet.time_base = target, _TIME_BASE
                        packet.pts = packet.dts = at
                        out.mux(packet)
                shift = last + 3600  # a frame later it begins anew


class _Connection(socketserver.BaseRequestHandler):
    """One camera's viewer."""

    def __init__(
        self,
        request: socket.socket,
        client: object,
        server: socketserver.BaseServer,
        serve: Callable[[socket.socket], None],
    ) -> None:
        self._serve = serve
        super().__init__(request, client, server)

    def handle(self) -> None:
        self._serve(self.request)


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


def run_live(folder: Path, tables: int, seconds: float) -> list[LiveResult]:
    """So many tables at once."""
    context = multiprocessing.get_context("spawn")
    results: Queue[str] = context.Queue()
    with StreamServer(folder / VIDEO) as server:
        workers = [
            context.Process(target=_watch_live, args=(str(folder), server.address, seconds, results), daemon=True)
            for _ in range(tables)
        ]
        for worker in workers:
            worker.start()
        done = [json.loads(_next(results, 5 * seconds + 300)) for _ in workers]
        for worker in workers:
            worker.join(10)
    return [LiveResult(**{**one, "lags_s": tuple(one["lags_s"]), "delays_s": tuple(one["delays_s"])}) for one in done]


def _next(results: "Queue[str]", timeout_s: float) -> str:
    try:
        return results.get(timeout=timeout_s)
    except queue.Empty:
        raise ModelError(f"a table gave no result within {timeout_s:.0f} s; give this machine less to do") from None


def _watch_live(folder: str, address: str, seconds: float, results: "Queue[str]") -> None:
    """In a process of its own: one table from its stream."""
    recording = open_recording(folder)
    reader = CardReader.load()
    times, told, losses = [], [], 0
    frames = skipped = 0
    with open_source(address) as source:
        watch: TableWatch | None = None
        start_cpu = start_s = 0.0
        for item in source:
            came = time.monotonic()
            if isinstance(item, SourceLost):
                losses += 1
            if not isinstance(item, Frame):
                continue
            if watch is None:
                watch = TableWatch(recording.table, reader, reference_bgr=item.picture_bgr)
            step = watch.step(item)
            ended = time.monotonic()
            if item.time_s < _SETTLE_S:
                start_cpu, start_s, skipped = _cpu_s(), item.time_s, source.skipped
                continue
            frames += 1
            times.append(came - item.time_s)
            told += [(event, ended - item.time_s) for event in step.events if event.kind in TOLD]
            if item.time_s >= seconds + _SETTLE_S:
                break
        skipped = source.skipped - skipped
        last_s = item.time_s
    cpu_s = _cpu_s() - start_cpu  # the capture process has ended and is counted
    first = min(times)  # the offset of the clocks, of the frame that came soonest
    lags = [after - first for _, after in told]
    delays = [
        delay + lag
        for (event, _), lag in zip(told, lags, strict=True)
        if (delay := _delay(event, recording.truth, recording.duration_s + 0.04)) is not None
    ]
    result = LiveResult(last_s - start_s, frames, skipped, cpu_s, tuple(lags), tuple(delays), losses)
    results.put(json.dumps(asdict(result)))


def _delay(event: Event, truth: tuple[Event, ...], lap_s: float) -> float | None:
    """How long after the truth, in whichever showing of the recording."""
    same = [
        (event.time_s - one.time_s) % lap_s
        for one in truth
        if one.kind == event.kind and one.zone == event.zone and set(one.cards or ()) == set(event.cards or ())
    ]
    soonest = min(same, default=lap_s)
    return soonest if soonest < 10 else None


def _cpu_s() -> float:
    """Of this process and of its children that have ended."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def file_speed(folder: Path) -> tuple[float, float]:
    """Frames a second: decoding a recording and doing nothing, and watching it."""
    recording = open_recording(folder)
    start = time.perf_counter()
    with av.open(str(folder / VIDEO)) as video:
        video.streams.video[0].thread_count = 1
        count = sum(1 for _ in video.decode(video=0))
    decoded = time.perf_counter()
    watch = TableWatch(recording.table, CardReader.load(), reference_bgr=next(iter(recording.frames())).image_bgr)
    watching = time.perf_counter()
    with open_source(str(folder)) as source:
        for item in source:
            watch.step(item)
    return count / (decoded - start), count / (time.perf_counter() - watching)


def percentiles(values: list[float]) -> tuple[float, float]:
    """Median and 95 %."""
    low, high = np.percentile(values or [0.0], (50, 95))
    return float(low), float(high)


def cores() -> int:
    """Of this machine, as this process may use them."""
    return len(os.sched_getaffinity(0))
