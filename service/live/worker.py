"""One table's worker: a thread that takes frames from its source, watches the table, and tells its desk what happened.

In: a table, where its frames come from, its desk. Out: events with their evidence and the observer's state, each in one
transaction of the desk; the newest picture; and how the camera does.

A thread, not a process: nearly all of its time is spent in decoding, OpenCV and the networks, which let other threads
run meanwhile; the desk, the networks and the pictures are then simply there, without copies. What may hang for ever,
a camera's driver or network, is in a process of its own already (`vision.sources.live`).
"""

import logging
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from typing import Final, Literal, Protocol

from service.errors import UnavailableError
from service.live.pace import Pace, paced
from service.live.picture import Moment, PictureSlot
from vision.calibration import CalibrationError
from vision.errors import VisionError
from vision.events import Event
from vision.frame import Frame
from vision.places import SPOT
from vision.reader import CardReader
from vision.ring import TableRecorder
from vision.round_state import IDLE
from vision.sources.open import open_source
from vision.sources.recordings import RecordingSource
from vision.sources.source import Item, Source, SourceLost
from vision.table import Table
from vision.view import PlaceView, TableView
from vision.watch_table import Step, TableWatch, WatchState

USUAL_FPS: Final = 25.0
STORE_EVERY_S: Final = 5.0  # of footage; a restart goes on from there
AWAY_S: Final = 1.0  # of footage, between what was stored and what is seen after a restart
AGAIN_S: Final = (1.0, 2.0, 5.0, 10.0)
STORE_AGAIN_S: Final = 0.5
FPS_OVER_S: Final = 2.0
END_S: Final = 10.0
SHOWN_S: Final = 1.0  # of footage, before it may stand still: the places have been looked at
_GOES_ON: Final = ("closed", "dealing")  # phases of the desk's round in which the next deal may come
_LOG = logging.getLogger("foursight.live")

CameraState = Literal["starting", "live", "waiting", "lost", "failed", "over"]


class Shown(Protocol):
    """What a desk shows of its table."""

    @property
    def phase(self) -> str:
        """Of the round, as in `TableView`."""
        ...


class Desk(Protocol):
    """Where events go: the table's own record, one transaction a call."""

    def observe(self, events: Sequence[Event], observer_state: str | None, evidence: Mapping[str, bytes]) -> object:
        """Take in what happened, with the observer's state after it."""
        ...

    def observer_state(self) -> str | None:
        """The state that was stored last."""
        ...

    def view(self) -> Shown:
        """The table as it is now."""
        ...


@dataclass(frozen=True, slots=True)
class Feed:
    """Where a table's frames come from. The rest is for footage that lies on a disk, which plays as if it were live.

    `waits`: between two rounds it stands still while the round before is not ended at the desk, or wagers are still
    open, so that nobody is hurried by a film. `plays_alone`: only while somebody looks at the table.
    """

    source: str
    repeats: bool = False
    speed: float = 1.0
    waits: bool = False
    plays_alone: bool = False
    record: Path | None = None  # a folder for this table: a live camera's felt is recorded there
    record_bytes: int = 20_000_000_000  # which hold so much at most


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """How a table's camera does, for people."""

    state: CameraState
    words: str
    fps: float = 0.0

    @property
    def is_well(self) -> bool:
        """Whether pictures come."""
        return self.state in ("live", "waiting")


class TableWorker:
    """Watches one table until it is stopped, whatever goes wrong meanwhile."""

    def __init__(self, table: Table, feed: Feed, desk: Desk, reader: CardReader) -> None:
        self.table = table
        self.picture = PictureSlot(table)
        self._feed, self._desk, self._reader = feed, desk, reader
        self._stopped = Flag()
        self._source: Source | None = None
        self._is_held = False
        self._is_idle = False  # no round is played in the film
        self.rounds_seen = 0  # that began, over all showings of a film
        self._status = CameraStatus("starting", "the camera starts")
        self._came: deque[float] = deque(maxlen=round(FPS_OVER_S * 60))
        self._names: dict[str, PlaceView] = {}
        self._stored_s = 0.0
        self._recorder: TableRecorder | None = None
        self._thread = Thread(target=self._run, name=f"watch {table.name}", daemon=True)

    @property
    def status(self) -> CameraStatus:
        """How the camera does now; a film that waits for its dealer is well too."""
        now = time.monotonic()
        if self._status.state == "live" and self._is_held:
            return CameraStatus("waiting", "the film waits for the dealer")
        recent = [came for came in tuple(self._came) if now - came <= FPS_OVER_S]
        return replace(self._status, fps=len(recent) / FPS_OVER_S)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End it, also while it waits for a frame."""
        self._stopped.set()
        if (source := self._source) is not None:
            source.close()
        if self._thread.is_alive():
            self._thread.join(END_S)

    def _run(self) -> None:
        failures = 0
        while not self._stopped.is_set():
            began = time.monotonic()
            try:
                self._watch()
            except VisionError as error:
                self._fail(str(error))
            except Exception:  # the outermost loop of a thread: a table must not stay blind
                _LOG.exception("%s: watching failed and begins again", self.table.name)
                self._fail("watching failed and begins again; the service's log says why")
            if self._status.state == "over":
                return
            failures = 0 if time.monotonic() - began > 60 else failures + 1
            self._stopped.wait(AGAIN_S[min(failures, len(AGAIN_S)) - 1])

    def _fail(self, words: str) -> None:
        if self._stopped.is_set():
            return
        if self._status.words != words:
            _LOG.warning("%s: %s", self.table.name, words)
        self._status = CameraStatus("failed", words)

    def _watch(self) -> None:
        """From opening the source to its end."""
        state = self._stored_state()
        with open_source(self._feed.source, size_wh=self.table.camera.size_wh) as source, ExitStack() as open_files:
            self._source = source
            self._recorder = open_files.enter_context(self._new_recorder()) if source.is_live else None
            pace = Pace(self._feed.repeats, self._feed.speed, self._must_wait)
            items: Iterable[Item] = source if source.is_live else paced(source, pace, self._stopped)
            watch: TableWatch | None = None
            for item in _after(items, state):
                if self._stopped.is_set():
                    return
                if watch is None:
                    watch = self._new_watch(item, state, _fps_of(source))
                self._take(watch, item)
            if watch is not None:
                self._tell((), watch.state, {})
        if not self._stopped.is_set():
            self._status = CameraStatus("over", "the recording is over")

    def _must_wait(self) -> bool:
        """Whether a film stands still now."""
        waits = self._feed.waits and self._is_idle and (self.picture.is_watched or not self._feed.plays_alone)
        self._is_held = waits and self._desk.view().phase not in _GOES_ON
        return self._is_held

    def _new_watch(self, item: Item, state: WatchState | None, fps: float) -> TableWatch:
        """The camera is compared with its first good picture, where the felt shows enough to tell it by."""
        reference = item.picture_bgr if isinstance(item, Frame) and not item.faults else None
        try:
            return TableWatch(self.table, self._reader, fps=fps, reference_bgr=reference, state=state)
        except CalibrationError as error:
            _LOG.warning("%s: whether the camera moves is not watched: %s", self.table.name, error)
            return TableWatch(self.table, self._reader, fps=fps, state=state)

    def _new_recorder(self) -> AbstractContextManager[TableRecorder | None]:
        """What keeps the rounds around flags, where a folder is given for it."""
        if self._feed.record is None:
            return nullcontext()
        return TableRecorder(self._feed.record, self.table, limit_bytes=self._feed.record_bytes)

    def _stored_state(self) -> WatchState | None:
        text = self._desk.observer_state()
        if not text:
            return None
        try:
            return WatchState.from_json(text)
        except (VisionError, ValueError) as error:
            _LOG.warning("%s: the observer begins anew: %s", self.table.name, error)
            return None

    def _take(self, watch: TableWatch, item: Item) -> None:
        before = watch.state
        step = watch.step(item)
        if self._recorder is not None and isinstance(item, Frame):
            self._recorder.record(item, step, before, watch.camera)
        if isinstance(item, Frame):
            self._came.append(time.monotonic())
            self._show(watch, item, step.view)
        self._is_idle = watch.state.observer.phase == IDLE and item.time_s >= SHOWN_S
        self.rounds_seen = watch.state.observer.round
        if watch.state.source.is_lost:
            words = item.reason if isinstance(item, SourceLost) else "no picture"
            self._status = CameraStatus("lost", words)
        elif isinstance(item, Frame):
            self._status = CameraStatus("live", "live")
        if step.events or item.time_s - self._stored_s >= STORE_EVERY_S:
            self._stored_s = item.time_s
            self._tell_step(watch, step)

    def _tell_step(self, watch: TableWatch, step: Step) -> None:
        self._tell(step.events, watch.state, step.evidence)

    def _tell(self, events: Sequence[Event], state: WatchState, evidence: Mapping[str, bytes]) -> None:
        """To the desk, again and again while its store is away: an event that was seen is not lost."""
        while not self._stopped.is_set():
            try:
                self._desk.observe(events, state.to_json(), evidence)
            except UnavailableError as error:
                _LOG.warning("%s: %s", self.table.name, error.message)
                self._stopped.wait(STORE_AGAIN_S)
            else:
                return

    def _show(self, watch: TableWatch, frame: Frame, view: TableView | None) -> None:
        """The newest picture; names stay with their places until something moves there."""
        if view is not None:
            for place in view.moving:
                self._names.pop(place, None)
            self._names |= {f"{place.zone}/{place.part}": place for place in view.places if place.part != SPOT}
        self.picture.put(Moment(frame, dict(self._names), watch.state.camera.camera))


def _after(items: Iterable[Item], state: WatchState | None) -> Iterator[Item]:
    """The items at times and numbers after those of the stored state: sources count from 0 when they are opened."""
    if state is None or state.source.last_s is None:
        yield from items
        return
    shift_s, shift = state.source.last_s + AWAY_S, state.source.last_frame + 1
    for item in items:
        if isinstance(item, Frame):
            yield replace(item, time_s=item.time_s + shift_s, number=item.number + shift)
        else:
            yield replace(item, time_s=item.time_s + shift_s)


def _fps_of(source: Source) -> float:
    if not isinstance(source, RecordingSource) or source.recording.duration_s <= 0:
        return USUAL_FPS
    return (source.recording.frame_count - 1) / source.recording.duration_s
