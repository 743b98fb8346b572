"""The whole audit log checked against itself and its head file."""

from collections.abc import Iterator
from dataclasses import dataclass

from service.audit import log
from service.audit.chain import Entry, Fault, verify
from service.audit.head import HeadFileError
from service.store.store import Store


@dataclass(frozen=True, slots=True)
class Check:
    """How many entries there are, and what does not fit."""

    entries: int
    faults: tuple[Fault, ...]


def check(store: Store) -> Check:
    """Hash every entry anew. The head is read first: entries that are appended meanwhile only lengthen the chain."""
    found: list[Fault] = []
    head = None
    try:
        head = store.head_file.read()
        is_missing = head is None
    except HeadFileError as error:
        found.append(Fault(0, error.message))
        is_missing = False
    counted = 0

    def counting(entries: Iterator[Entry]) -> Iterator[Entry]:
        nonlocal counted
        for entry in entries:
            counted += 1
            yield entry

    with store.reading() as session:
        found += verify(counting(log.entries(session)), head)
    if is_missing:
        found.append(Fault(0, f"{store.head_file.path} is missing: entries may have been cut off the end"))
    return Check(counted, tuple(found))
