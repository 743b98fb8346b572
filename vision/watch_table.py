"""Everything that runs for one table: source, eye, camera, observer; out come events with the pictures that prove them.

In: what a source gives, item by item. Out: `Step`s. `replay`, `run`, `bench` and the service all use this one object:

    watch = TableWatch(table, CardReader.load(), reference_bgr=picture_of_the_empty_table)
    with open_source(table.camera.source) as source:
        for item in source:
            step = watch.step(item)
            ...  # step.events, step.evidence, step.view
            store(watch.state.to_json())

Its state is plain data and may be stored between any two frames. A watch that goes on with a stored state sees the last
two seconds before it again first (`run_in`), and from then on gives the very events that the first would have given.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.camera_state import CameraMemory, watch_camera
from vision.camera_watch import CameraWatch
from vision.errors import VisionError
from vision.events import Event
from vision.evidence import evidence_of
from vision.frame import Frame
from vision.observe import observe
from vision.plain import from_plain, to_plain
from vision.reader import CardReader
from vision.round_state import ObserverState
from vision.source_watch import SourceState, watch_source
from vision.sources.source import Item
from vision.table import Table
from vision.view import TableEye, TableView

RUN_IN_S: Final = 2.0  # of footage, before a stored state can be gone on with
STATE_VERSION: Final = 3

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class WatchState:
    """All that a watch remembers besides the last two seconds of pictures: plain data."""

    observer: ObserverState
    source: SourceState = field(default_factory=SourceState)
    camera: CameraMemory = field(default_factory=CameraMemory)

    def to_json(self) -> str:
        """One line."""
        return json.dumps({"version": STATE_VERSION} | to_plain(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The inverse of `to_json`; a state of another version is refused."""
        content = json.loads(text)
        if not isinstance(content, dict) or content.pop("version", None) != STATE_VERSION:
            raise VisionError("this watch's state is of another version; start without it")
        return from_plain(cls, content)


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What one item of the source brought; nothing is normal."""

    events: tuple[Event, ...] = ()
    evidence: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))  # JPEG by name
    view: TableView | None = None  # the places that came to rest; None when there was no picture to look at


class TableWatch:
    """One table. Not for several threads at once."""

    def __init__(
        self,
        table: Table,
        reader: CardReader,
        *,
        fps: float = 25.0,
        reference_bgr: Picture | None = None,
        state: WatchState | None = None,
    ) -> None:
        """`reference_bgr`: the table as its file says; without one the camera is not watched.

        `state`: to go on from; feed `run_in` with the RUN_IN_S before it first.
        """
        self.table = table
        self._reader, self._fps = reader, fps
        self._reference = None if reference_bgr is None else CameraWatch.from_picture(reference_bgr, table)
        self._state = state or WatchState(ObserverState.start(table))
        self._camera = table.camera.to_camera()
        self._eye = self._new_eye()

    @property
    def state(self) -> WatchState:
        """As it is after the last step."""
        return self._state

    @property
    def camera(self) -> Camera:
        """Where the table's camera is now."""
        return self._camera

    def run_in(self, item: Item) -> None:
        """Look at footage before the stored state's next frame, without observing anything."""
        if isinstance(item, Frame) and not item.faults:
            self._eye.see(item)

    def step(self, item: Item) -> Step:
        """One item of the source further."""
        source = watch_source(self._state.source, item)
        self._state = replace(self._state, source=source.state)
        if source.is_broken:
            self._eye.restart()
        if not source.is_seen or not isinstance(item, Frame):
            return Step(source.events)
        self._verify_size(item)
        view = self._eye.see(item)
        told = (*source.events, *self._watch_camera(item))
        observer, events = observe(self._state.observer, view)
        self._state = replace(self._state, observer=observer)
        named, evidence = evidence_of((*told, *events), item, self.table, self._camera)
        return Step(named, MappingProxyType(evidence), view)

    def steps(self, source: Iterable[Item]) -> Iterator[Step]:
        """Every item's step."""
        for item in source:
            yield self.step(item)

    def _verify_size(self, frame: Frame) -> None:
        """Zones are found by their pixels: in a picture of another size each would look beside its place."""
        height, width = frame.picture_bgr.shape[:2]
        if (width, height) != tuple(self._camera.size_wh):
            raise VisionError(
                f"the pictures have {width}×{height} pixels, table {self.table.name!r} was set up for "
                f"{'×'.join(map(str, self._camera.size_wh))}; set the camera to that size, or calibrate again"
            )

    def _watch_camera(self, frame: Frame) -> tuple[Event, ...]:
        if self._reference is None:
            return ()
        before = self._state.camera
        after, events = watch_camera(before, self._reference, frame, self._eye.moved_share)
        self._state = replace(self._state, camera=after)
        if after.homography != before.homography:
            self._eye = self._new_eye()
        return events

    def _new_eye(self) -> TableEye:
        """Nothing is known to be at rest where another camera looks."""
        self._camera = self._state.camera.camera or self.table.camera.to_camera()
        return TableEye(self.table, self._reader, self._fps, self._camera)
