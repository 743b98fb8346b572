"""The store: units of work that change it and its audit log in one transaction, or not at all.

with store.unit() as unit:
    unit.session.add(PayoutRow(...))
    unit.audit(actor.label, "payout_confirmed", "table/12", after={"seat": 4, "amount": "10500"})
# committed, and the audit log's head noted; an exception inside leaves nothing behind
"""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from typing import Self

from sqlalchemy import Engine, select
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from service.audit import log
from service.audit.chain import FIRST_PREVIOUS, Head
from service.audit.head import HeadFile, HeadFileError
from service.errors import ConflictError, UnavailableError
from service.settings import StoreSettings
from service.store.engine import WRITING, open_engine
from service.store.migrate import migrate
from service.store.tables import AccountRow, RoundRow, TableRow

Clock = Callable[[], datetime]
_LOG = logging.getLogger("foursight.store")


def utc_now() -> datetime:
    """The clock of the wall."""
    return datetime.now(UTC)


class Unit:
    """A unit of work: a session, and what it appends to the audit log when it is done."""

    def __init__(self, session: Session, now: datetime) -> None:
        self.session = session
        self.now = now
        self.notes: list[log.Note] = []

    def audit(self, actor: str, action: str, subject: str, *, before: object = None, after: object = None) -> None:
        """Append to the audit log with this unit; `before` and `after` are what JSON can hold, without secrets."""
        self.notes.append(log.Note(actor, action, subject, before, after))


class Store:
    """Everything that is kept, behind units of work and readings."""

    def __init__(self, engine: Engine, head_file: HeadFile, clock: Clock) -> None:
        self._reading = engine
        self._writing = engine.execution_options(**{WRITING: True})
        self.head_file = head_file
        self.clock = clock
        self.audit_fault: str | None = None
        # SQLite has one writer; within this process they queue here, which is fair, instead of polling the file.
        is_sqlite = engine.dialect.name == "sqlite"
        self._turn: AbstractContextManager[object] = threading.RLock() if is_sqlite else nullcontext()

    @classmethod
    def open(cls, settings: StoreSettings, clock: Clock = utc_now) -> Self:
        """Open the store, made or brought up to date where it has to be."""
        settings.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        engine = open_engine(settings)
        try:
            with _translated():
                migrate(engine)
        except BaseException:
            engine.dispose()
            raise
        store = cls(engine, HeadFile(settings.audit_head_file), clock)
        store._check_head()
        return store

    def close(self) -> None:
        """Close every connection."""
        self._reading.dispose()

    def renew_head(self, actor: str, faults: Sequence[str]) -> None:
        """Write the head file anew after it was lost, and say in the log what was wrong until then."""
        with _translated(), Session(self._writing) as session, session.begin():
            head = log.append(
                session, [log.Note(actor, "head_renewed", "audit", after={"faults": list(faults)})], self.clock()
            )
        self.head_file.renew(head)
        self.audit_fault = None

    @contextmanager
    def unit(self) -> Iterator[Unit]:
        """A unit of work: committed at the end, undone by an exception."""
        with _translated(), self._turn, Session(self._writing, expire_on_commit=False) as session:
            unit = Unit(session, self.clock())
            with session.begin():
                yield unit
                head = log.append(session, unit.notes, unit.now) if unit.notes else None
        if head is not None:
            self._note(head)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one state of the store and changes nothing."""
        with _translated(), Session(self._reading, expire_on_commit=False) as session:
            yield session

    def _note(self, head: Head) -> None:
        """Put the head file forward. The work is committed: a fault here is told, and does not undo it."""
        try:
            with self.reading() as session:
                self.head_file.note(head, lambda noted: log.holds(session, noted))
        except HeadFileError as error:
            self.audit_fault = error.message
            _LOG.critical("audit log: %s", error.message)

    def _check_head(self) -> None:
        """Begin the head file with the log; after a crash, note what was appended last."""
        try:
            with self.reading() as session:
                last = log.last_head(session)
                if last is None and self.head_file.read() is None and not _is_used(session):
                    self.head_file.begin()
                self.head_file.note(last or Head(0, FIRST_PREVIOUS), lambda noted: log.holds(session, noted))
        except HeadFileError as error:
            self.audit_fault = error.message
            _LOG.critical("audit log: %s", error.message)


def _is_used(session: Session) -> bool:
    """Whether there is anything that must have left entries in the audit log."""
    return any(session.execute(select(row).limit(1)).first() is not None for row in (AccountRow, RoundRow, TableRow))


def _first_line(error: DBAPIError) -> str:
    """What the database said; further lines may hold a row's values."""
    return str(error.orig).partition("\n")[0]


@contextmanager
def _translated() -> Iterator[None]:
    """Say what the database refuses in the service's own errors; its own message may hold values."""
    try:
        yield
    except IntegrityError as error:
        _LOG.warning("the store refused a change: %s", _first_line(error))
        raise ConflictError("this was changed or done by somebody else meanwhile; look again, then decide") from error
    except PoolTimeoutError as error:
        raise UnavailableError("the store is busy; nothing was changed, try again") from error
    except OperationalError as error:
        _LOG.error("the store does not answer: %s", _first_line(error))
        raise UnavailableError("the store is busy or cannot be reached; nothing was changed, try again") from error
    except DBAPIError as error:
        _LOG.error("the store refused a change: %s", _first_line(error))
        raise UnavailableError("the store refused the change; nothing was changed, see the service's log") from error
