"""The audit log in the store: appended under a lock at the end of a unit of work, read in order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from service.audit.chain import FIRST_PREVIOUS, Entry, Head, canonical
from service.store.record import AuditRow

_LOCK = 0x464F5552  # one lock a database, for whoever appends
_PAGE = 1000
_COLUMNS = tuple(getattr(AuditRow, field.name) for field in fields(Entry))


@dataclass(frozen=True, slots=True)
class Note:
    """What is to be appended: who did what to which, and how it was before and after."""

    actor: str
    action: str
    subject: str
    before: object = None
    after: object = None


def append(session: Session, notes: Sequence[Note], now: datetime) -> Head:
    """Append within the session's transaction, as its last act; the new head.

    In PostgreSQL whoever appends holds a lock until the commit. In SQLite a writing transaction holds the database.
    """
    session.flush()
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    head = last_head(session)
    at = now.astimezone(UTC).isoformat(timespec="microseconds")
    for note in notes:
        entry = Entry.following(
            head,
            at=at,
            actor=note.actor,
            action=note.action,
            subject=note.subject,
            before=canonical(note.before),
            after=canonical(note.after),
        )
        session.add(_row(entry))
        head = entry.head
    session.flush()
    return head or Head(0, FIRST_PREVIOUS)


def last_head(session: Session) -> Head | None:
    """The last entry's number and hash; None for an empty log."""
    row = session.execute(
        select(AuditRow.sequence, AuditRow.hash).order_by(AuditRow.sequence.desc()).limit(1)
    ).one_or_none()
    return Head(row.sequence, row.hash) if row else None


def holds(session: Session, head: Head) -> bool:
    """Whether the log has this very entry; the head of an empty log is in every log."""
    if head.sequence == 0:
        return head.hash == FIRST_PREVIOUS
    return session.scalar(select(AuditRow.hash).where(AuditRow.sequence == head.sequence)) == head.hash


def entries(session: Session, after: int = 0, subject: str | None = None) -> Iterator[Entry]:
    """Entries in order of their numbers, a page at a time."""
    while True:
        query = select(*_COLUMNS).where(AuditRow.sequence > after).order_by(AuditRow.sequence).limit(_PAGE)
        if subject is not None:
            query = query.where(AuditRow.subject == subject)
        rows = session.execute(query).all()
        for row in rows:
            yield Entry(*row)
        if len(rows) < _PAGE:
            return
        after = rows[-1].sequence


def latest(session: Session, before: int | None, subject: str | None, limit: int) -> list[Entry]:
    """At most `limit` entries before a number, the newest first."""
    query = select(*_COLUMNS).order_by(AuditRow.sequence.desc()).limit(limit)
    if before is not None:
        query = query.where(AuditRow.sequence < before)
    if subject is not None:
        query = query.where(AuditRow.subject == subject)
    return [Entry(*row) for row in session.execute(query)]


def count(session: Session) -> int:
    """How many entries there are."""
    return session.scalar(select(func.count()).select_from(AuditRow)) or 0


def _row(entry: Entry) -> AuditRow:
    return AuditRow(
        sequence=entry.sequence,
        at=entry.at,
        actor=entry.actor,
        action=entry.action,
        subject=entry.subject,
        before=entry.before,
        after=entry.after,
        previous=entry.previous,
        hash=entry.hash,
    )
