"""All tables that one service watches.

In: tables with their feeds and desks. Out: `LiveTables`, which starts and stops their workers together; they share one
reader, whose networks are used by one table after the other.
"""

from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from types import MappingProxyType

from fastapi import FastAPI

from service.errors import NotFoundError
from service.live.worker import TableWorker


class LiveTables:
    """The workers by the tables' names in addresses."""

    def __init__(self, workers: Mapping[str, TableWorker]) -> None:
        self.workers = MappingProxyType(dict(workers))

    def __getitem__(self, table: str) -> TableWorker:
        try:
            return self.workers[table]
        except KeyError:
            known = ", ".join(self.workers) or "none"
            raise NotFoundError(f"no table {table!r} is watched here; there is {known}", field="table") from None

    def start(self) -> None:
        """Begin with all of them."""
        for worker in self.workers.values():
            worker.start()

    def stop(self) -> None:
        """End all of them, at the same time."""
        with ThreadPoolExecutor(max(1, len(self.workers))) as pool:
            list(pool.map(TableWorker.stop, self.workers.values()))

    def attach(self, app: FastAPI) -> None:
        """Watch for as long as the application runs; its store is closed after the last event was told."""
        app.state.live = self
        for worker in self.workers.values():
            app.state.health[worker.table.name] = lambda worker=worker: _fault(worker)
        whole = app.router.lifespan_context

        @asynccontextmanager
        async def lifespan(app: FastAPI) -> AsyncIterator[None]:
            async with whole(app):
                self.start()
                try:
                    yield
                finally:
                    self.stop()

        app.router.lifespan_context = lifespan


def _fault(worker: TableWorker) -> str | None:
    """What `/healthz` says of a table; nothing when its camera is well."""
    status = worker.status
    return None if status.is_well else status.words
