"""All desks of a service, by their tables' names in addresses."""

from collections.abc import Iterator, Mapping

from fastapi import Request

from service.errors import NotFoundError
from service.tables.desk import TableDesk


class TableDesks(Mapping[str, TableDesk]):
    """The desks."""

    def __init__(self) -> None:
        self._desks: dict[str, TableDesk] = {}

    def __getitem__(self, table: str) -> TableDesk:
        return self._desks[table]

    def __iter__(self) -> Iterator[str]:
        return iter(self._desks)

    def __len__(self) -> int:
        return len(self._desks)

    def find(self, table: str) -> TableDesk:
        """A table's desk, or 404."""
        desk = self._desks.get(table)
        if desk is None:
            known = ", ".join(self._desks) or "none"
            raise NotFoundError(f"no table {table!r} is open here; there is {known}", field="table")
        return desk

    def add(self, desk: TableDesk) -> None:
        """One more."""
        self._desks[desk.table] = desk


def desks(request: Request) -> TableDesks:
    """The application's desks."""
    found = request.app.state.desks
    assert isinstance(found, TableDesks)
    return found
