"""From a desk's threads to whoever listens: each listener has one slot with the newest view, never a queue."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from threading import Lock
from typing import Self

from pydantic import TypeAdapter

from service.rounds.view import TableView

_ADAPTER: TypeAdapter[TableView] = TypeAdapter(TableView)


@dataclass(frozen=True, eq=False)
class Published:
    """A view and its JSON, written once for everybody."""

    revision: int
    view: TableView
    json: str

    @classmethod
    def of(cls, view: TableView) -> Self:
        """A view, ready to be sent."""
        return cls(view.revision, view, _ADAPTER.dump_json(view).decode())


class _Slot:
    """One listener, in the loop it runs in."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.newest: Published | None = None
        self.filled = asyncio.Event()

    def put(self, published: Published) -> None:
        if self.newest is None or self.newest.revision <= published.revision:
            self.newest = published
            self.filled.set()


class Subscribers:
    """Everybody who listens to one desk."""

    def __init__(self) -> None:
        self._slots: set[_Slot] = set()
        self._lock = Lock()
        self._is_over = False

    def __len__(self) -> int:
        return len(self._slots)

    def tell(self, published: Published) -> None:
        """From any thread: this is the newest."""
        with self._lock:
            slots = tuple(self._slots)
        for slot in slots:
            _in_loop(slot, published)

    def end(self) -> None:
        """Send everybody home: the service ends."""
        with self._lock:
            self._is_over = True
            slots = tuple(self._slots)
        for slot in slots:
            if not slot.loop.is_closed():
                slot.loop.call_soon_threadsafe(slot.filled.set)

    async def listen(self, newest_now: Callable[[], Published], beat_s: float) -> AsyncIterator[Published | None]:
        """The newest view each time there is one, the present one first; None when nothing came for `beat_s`."""
        slot = _Slot()
        with self._lock:
            self._slots.add(slot)
        slot.put(newest_now())  # asked once it listens: nothing falls between the two
        try:
            while not self._is_over:
                try:
                    await asyncio.wait_for(slot.filled.wait(), beat_s)
                except TimeoutError:
                    yield None
                    continue
                slot.filled.clear()
                newest, slot.newest = slot.newest, None
                if newest is not None:
                    yield newest
        finally:
            with self._lock:
                self._slots.discard(slot)


def _in_loop(slot: _Slot, published: Published) -> None:
    if not slot.loop.is_closed():
        slot.loop.call_soon_threadsafe(slot.put, published)
