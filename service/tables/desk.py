"""A table's desk: commands and events fold its state; state, facts, audit entries and the answer are one transaction.

In: commands with who gives them, events of the observer with their crops. Out: the view, to whoever asks or listens.
What a desk holds in memory is what was committed last; the store's row is locked and looked at first, each time, so
that two processes, or two tablets, never work on two states.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from threading import RLock
from typing import Any

from service.accounts.roles import Actor, system
from service.errors import ConflictError, NotFoundError
from service.rounds.commands import AnyCommand, command_to_json
from service.rounds.duties import refuse_unless_allowed
from service.rounds.errors import RulesError
from service.rounds.facts import MeterMoved
from service.rounds.fold import apply, observe
from service.rounds.outcome import By, Outcome
from service.rounds.rules import RulesVersion, TableRules, rules_to_json, verified
from service.rounds.rules_change import rules_changed
from service.rounds.show import table_view
from service.rounds.state import MeterState, TableState, state_from_json, state_to_json
from service.rounds.view import TableView
from service.store.evidence import Evidence
from service.store.store import Store, Unit
from service.store.tables import CommandRow, MeterRow, TableRow
from service.tables.publish import Published, Subscribers
from service.tables.record import Record, new_rules_row
from vision.events import Event

Json = dict[str, Any]
OBSERVER = system("observer")


@dataclass(frozen=True)
class Done:
    """What came of a command. `repeated`: it had been carried out before, and nothing was done again."""

    revision: int
    repeated: bool
    view: TableView


@dataclass(frozen=True)
class _Kept:
    """The state as it was committed last, with its revision and what people see of it."""

    revision: int
    state: TableState
    published: Published

    @classmethod
    def of(cls, revision: int, state: TableState) -> "_Kept":
        """Made before the commit: what nobody could be shown is not committed either."""
        return cls(revision, state, Published.of(table_view(state, revision)))


class TableDesk:
    """One table over the store. Any thread may call it."""

    def __init__(self, store: Store, evidence: Evidence, table: str) -> None:
        self.table = table
        self.subscribers = Subscribers()
        self._store, self._evidence = store, evidence
        self._lock = RLock()
        with store.reading() as session:
            row = session.get(TableRow, table)
            if row is None:
                raise NotFoundError(f"there is no table {table!r} in the store", field="table")
            self._kept = _Kept.of(row.revision, state_from_json(row.state))

    @property
    def name(self) -> str:
        """For people: `Table 12`."""
        return self._kept.state.name

    @property
    def state(self) -> TableState:
        """The state as it was committed last."""
        return self._kept.state

    def view(self) -> TableView:
        """The table as it is now."""
        return self._kept.published.view

    def published(self) -> Published:
        """The view with its JSON."""
        return self._kept.published

    def observer_state(self) -> str | None:
        """What the observer needs to go on after a restart."""
        with self._store.reading() as session:
            row = session.get(TableRow, self.table)
            return None if row is None or row.observer is None else json.dumps(row.observer)

    def do(self, command: AnyCommand, actor: Actor) -> Done:
        """Carry out a command, once for each id; a refusal changes nothing."""
        refuse_unless_allowed(actor, command)
        self.sync_meter()
        digest = _sha256([self.table, command_to_json(command)])
        with self._lock:
            with self._store.unit() as unit:
                row, state = self._load(unit)
                if self._is_repeated(unit, command.id, digest):
                    return Done(self._kept.revision, True, self.view())
                outcome = apply(state, command, _by(actor, unit.now))
                kept = self._write(unit, row, state, outcome)
                self._note(unit, command.id, digest, actor, kept)
            self._commit(kept)
        return Done(kept.revision, False, kept.published.view)

    def observe(
        self, events: Sequence[Event], observer_state: str | None = None, evidence: Mapping[str, bytes] | None = None
    ) -> None:
        """Take in what the observer saw, with its state after it, in one transaction; crops are kept first."""
        names = {name: self._evidence.put(content) for name, content in (evidence or {}).items()}
        state = None if observer_state is None else json.loads(observer_state)
        if events or state is not None:
            self._take_in(OBSERVER, events, names, state, None)

    def take_in(self, key: str, events: Sequence[Event], observer_state: Json | None, actor: Actor) -> Done:
        """The same from an observer that runs elsewhere; what it sends twice by one key is taken in once."""
        records = [event.to_record() for event in events]
        repeated = self._take_in(actor, events, {}, observer_state, (key, _sha256([self.table, records])))
        return Done(self._kept.revision, repeated, self.view())

    def _take_in(
        self,
        actor: Actor,
        events: Sequence[Event],
        names: Mapping[str, str],
        observer: Json | None,
        key: tuple[str, str] | None,
    ) -> bool:
        """All events or none; True when the key says that they were taken in before."""
        with self._lock:
            with self._store.unit() as unit:
                row, state = self._load(unit)
                if key is not None and self._is_repeated(unit, *key):
                    return True
                outcome = Outcome(state)
                for event in events:
                    step = observe(outcome.state, event, _by(actor, unit.now), _crops(event, names))
                    outcome = outcome.then(step.state, *step.facts)
                if observer is not None:
                    row.observer = observer
                kept = self._write(unit, row, state, outcome) if outcome.state is not state else self._kept
                if key is not None:
                    self._note(unit, *key, actor, kept)
            if kept is not self._kept:
                self._commit(kept)
        return False

    def set_rules(self, rules: TableRules, actor: Actor, *, expected: int | None = None) -> RulesVersion:
        """The next version of the rules; in effect with the next round, or at once where none has begun.

        `expected` is the version the change was made from; when another was made since, the change is refused.
        """
        verified(rules)
        if rules.game != self.state.round.version.rules.game:
            raise RulesError(f"{self.name} is laid out for another game; set up a table of its own", field="profile")
        with self._lock:
            with self._store.unit() as unit:
                row, state = self._load(unit)
                latest = (state.next_version or state.round.version).number
                if expected is not None and expected != latest:
                    raise ConflictError(f"version {latest} was set since version {expected}; look again, then decide")
                version = RulesVersion(latest + 1, rules)
                content = rules_to_json(rules)
                new_rules_row(unit, self.table, version, content, actor.label, rules_digest(content))
                kept = self._write(unit, row, state, rules_changed(state, version, _by(actor, unit.now)))
            self._commit(kept)
        return version

    # --- one transaction

    def _load(self, unit: Unit) -> tuple[TableRow, TableState]:
        """The table's row and its meter's, locked, and its state: the one in memory, unless others have gone on."""
        row = unit.session.get(TableRow, self.table, with_for_update=True)
        if row is None:
            raise NotFoundError(f"there is no table {self.table!r} in the store", field="table")
        if row.revision != self._kept.revision:
            self._commit(_Kept.of(row.revision, state_from_json(row.state)))
        state = self._kept.state
        name = _meter_name(state)
        meter = None if name is None else unit.session.get(MeterRow, name, with_for_update=True)
        return row, state if meter is None else _with_meter(state, meter)

    def _write(self, unit: Unit, row: TableRow, before: TableState, outcome: Outcome) -> _Kept:
        record = Record(unit, self.table, _meter_name(before) or _meter_name(outcome.state))
        state = self._write_meter(unit, before, outcome)
        record.write(outcome.facts)
        row.state, row.revision, row.changed_at = state_to_json(state), row.revision + 1, unit.now
        return _Kept.of(row.revision, state)

    def _write_meter(self, unit: Unit, before: TableState, outcome: Outcome) -> TableState:
        """The meter's own row, where the facts put it; and the state, which joins a meter that others have moved."""
        moved = [fact for fact in outcome.facts if isinstance(fact, MeterMoved)]
        if moved and (row := _meter_row(unit, before)) is not None:
            row.amount, row.reserve = Fraction(moved[-1].amount_after), Fraction(moved[-1].reserve_after)
            row.changed_at = unit.now
        joined = _meter_row(unit, outcome.state)
        unit.session.flush()
        return outcome.state if joined is None else _with_meter(outcome.state, joined)

    def sync_meter(self) -> None:
        """Another table may have moved a shared meter: what is shown and proposed here then rests on it."""
        name = _meter_name(self.state)
        if name is None:
            return
        with self._store.reading() as session:
            meter = session.get(MeterRow, name)
        if meter is None or _with_meter(self.state, meter) is self.state:
            return
        with self._lock:
            with self._store.unit() as unit:
                row, state = self._load(unit)
                kept = self._write(unit, row, state, Outcome(state))
            self._commit(kept)

    def _note(self, unit: Unit, key: str, digest: str, actor: Actor, kept: _Kept) -> None:
        """So that the same key does nothing a second time."""
        answer = {"revision": kept.revision}
        unit.session.add(
            CommandRow(id=key, table=self.table, actor=actor.label, sha256=digest, answer=answer, made_at=unit.now)
        )

    def _is_repeated(self, unit: Unit, key: str, digest: str) -> bool:
        known = unit.session.get(CommandRow, key)
        if known is None:
            return False
        if known.sha256 != digest:
            raise ConflictError(f"the id {key!r} belongs to another command; give each its own", field="id")
        return True

    def _commit(self, kept: _Kept) -> None:
        """After the store has it: for everybody who listens."""
        self._kept = kept
        self.subscribers.tell(kept.published)


def _by(actor: Actor, now: datetime) -> By:
    return By(actor.label, actor.shown_name or actor.name, now.isoformat(timespec="seconds"))


def _crops(event: Event, names: Mapping[str, str]) -> tuple[str, ...]:
    crop = event.extra_value("evidence")
    return (names[crop],) if isinstance(crop, str) and crop in names else ()


def _meter_name(state: TableState) -> str | None:
    rules = state.round.version.rules
    return rules.meter.name if rules.meter is not None and rules.terms is not None else None


def _with_meter(state: TableState, meter: MeterRow) -> TableState:
    """The state with the meter as the store has it; the same one where nothing moved."""
    stands = MeterState(meter.amount, meter.reserve)
    return state if state.meter == stands else replace(state, meter=stands)


def _meter_row(unit: Unit, state: TableState) -> MeterRow | None:
    """The row of a state's meter, locked; a meter that is new starts with what the table has."""
    name = _meter_name(state)
    if name is None or state.meter is None:
        return None
    found = unit.session.get(MeterRow, name, with_for_update=True)
    if found is None:
        found = MeterRow(meter=name, amount=state.meter.amount, reserve=state.meter.reserve, changed_at=unit.now)
        unit.session.add(found)
    return found


def rules_digest(content: Json) -> str:
    """What a version of rules is known by."""
    return _sha256(content)


def _sha256(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
