"""The chain: each entry's hash covers the entry and the hash before it, so that no entry can change alone.

>>> first = Entry.following(None, at="2026-01-01T00:00:00+00:00", actor="system", action="started", subject="site")
>>> second = Entry.following(first, at="2026-01-01T00:00:01+00:00", actor="account/ann", action="x", subject="table/1")
>>> list(verify([first, second], head=second.head))
[]
>>> [fault.what for fault in verify([first], head=second.head)]
['entry 2 is missing: the chain ends at entry 1, and its head file knows entry 2']
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

FIRST_PREVIOUS = "0" * 64


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry that is known: its number and its hash."""

    sequence: int
    hash: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry; `before` and `after` are JSON texts exactly as hashed."""

    sequence: int
    at: str
    actor: str
    action: str
    subject: str
    before: str | None
    after: str | None
    previous: str
    hash: str

    @classmethod
    def following(
        cls,
        last: "Entry | Head | None",
        *,
        at: str,
        actor: str,
        action: str,
        subject: str,
        before: str | None = None,
        after: str | None = None,
    ) -> Self:
        """The entry that follows the last one; None begins a chain."""
        sequence, previous = (last.sequence + 1, last.hash) if last else (1, FIRST_PREVIOUS)
        entry = cls(sequence, at, actor, action, subject, before, after, previous, "")
        return replace(entry, hash=entry.expected_hash())

    @property
    def head(self) -> Head:
        """What the head file says when this is the last entry."""
        return Head(self.sequence, self.hash)

    def expected_hash(self) -> str:
        """The hash that this entry's content gives."""
        parts = (self.sequence, self.at, self.actor, self.action, self.subject, self.before, self.after, self.previous)
        return hashlib.sha256(json.dumps(parts, ensure_ascii=True, separators=(",", ":")).encode()).hexdigest()

    def as_json(self) -> dict[str, Any]:
        """The entry as it is shown and exported."""
        return {
            "sequence": self.sequence,
            "at": self.at,
            "actor": self.actor,
            "action": self.action,
            "subject": self.subject,
            "before": None if self.before is None else json.loads(self.before),
            "after": None if self.after is None else json.loads(self.after),
            "previous": self.previous,
            "hash": self.hash,
        }


@dataclass(frozen=True, slots=True)
class Fault:
    """What does not fit in a chain, and at which entry."""

    sequence: int
    what: str


def verify(entries: Iterable[Entry], head: Head | None) -> Iterator[Fault]:
    """Every fault of a chain given in order of its numbers; `head` is what the head file says."""
    last: Entry | None = None
    knows_head = head is None or head == Head(0, FIRST_PREVIOUS)
    for entry in entries:
        expected = last.sequence + 1 if last else 1
        if entry.sequence != expected:
            missing = f"entry {expected}" if entry.sequence == expected + 1 else f"entries {expected} and on"
            yield Fault(expected, f"{missing} missing before entry {entry.sequence}")
        elif entry.previous != (last.hash if last else FIRST_PREVIOUS):
            yield Fault(entry.sequence, f"entry {entry.sequence} does not follow the entry before it")
        if entry.hash != entry.expected_hash():
            yield Fault(entry.sequence, f"entry {entry.sequence} was changed: its content does not give its hash")
        if head and entry.sequence == head.sequence:
            knows_head = True
            if entry.hash != head.hash:
                yield Fault(entry.sequence, f"entry {entry.sequence} is not the one that the head file knows")
        last = entry
    if head and not knows_head:
        end = f"the chain ends at entry {last.sequence}" if last else "the chain is empty"
        missing = f"entry {head.sequence} is missing: {end}, and its head file knows entry {head.sequence}"
        yield Fault(head.sequence, missing)


def canonical(value: object) -> str | None:
    """A value as the JSON text that is hashed; None stays None."""
    return None if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
