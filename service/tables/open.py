"""Open tables for play: in the store where they are new, a desk for each, and the worker that watches it."""

import re
from collections.abc import Sequence

from fastapi import FastAPI

from service.accounts.roles import system
from service.errors import ConflictError, SettingsError
from service.live.tables import LiveTables
from service.live.worker import Feed, TableWorker
from service.rounds.facts import RoundOpened
from service.rounds.rules import RulesVersion, first_rules, rules_to_json
from service.rounds.state import TableState, new_table, state_to_json
from service.store.evidence import Evidence
from service.store.store import Store, Unit
from service.store.tables import MeterRow, TableRow
from service.tables.desk import TableDesk, rules_digest
from service.tables.desks import TableDesks
from service.tables.record import Record, new_rules_row
from vision.layout import FOUR_CARD_POKER
from vision.reader import CardReader
from vision.table import Table

SETUP = system("setup")


def table_key(name: str) -> str:
    """A table's name in addresses.

    >>> table_key("Table 12")
    'table-12'
    """
    key = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    if not key:
        raise SettingsError(f"the table's name {name!r} has neither letters nor digits; give it one that has")
    return key[:64]


def open_desk(
    store: Store, evidence: Evidence, *, name: str, profile: str, seats: int, live: bool = True, key: str | None = None
) -> TableDesk:
    """A table's desk; a table that the store does not know yet starts with the profile's own choice of rules."""
    key = key or table_key(name)
    with store.unit() as unit:
        if unit.session.get(TableRow, key, with_for_update=True) is None:
            _begin(unit, key, name, profile, seats, live=live)
    return TableDesk(store, evidence, key)


def _begin(unit: Unit, key: str, name: str, profile: str, seats: int, *, live: bool) -> None:
    version = RulesVersion(1, first_rules(profile, live=live, table=key))
    content = rules_to_json(version.rules)
    state = _with_meter(unit, new_table(key, name, seats, version, unit.now.isoformat(timespec="seconds")))
    unit.session.add(TableRow(table=key, revision=1, state=state_to_json(state), changed_at=unit.now))
    unit.audit(SETUP.label, "table_opened", f"table/{key}", after={"name": name, "seats": seats, "profile": profile})
    new_rules_row(unit, key, version, content, SETUP.label, rules_digest(content))
    Record(unit, key, None).write([RoundOpened(round=1, by=SETUP.label, rules_version=1)])


def _with_meter(unit: Unit, state: TableState) -> TableState:
    """A table's meter has a row of its own from the beginning."""
    setting = state.round.version.rules.meter
    if setting is not None and state.meter is not None:
        amounts = {"amount": state.meter.amount, "reserve": state.meter.reserve}
        unit.session.add(MeterRow(meter=setting.name, changed_at=unit.now, **amounts))
        unit.session.flush()
    return state


def open_tables(app: FastAPI, tables: Sequence[tuple[Table, Feed]], *, live: bool = True) -> tuple[TableDesk, ...]:
    """Put tables into an application: their desks, and a worker each that watches from when it starts."""
    base = app.state.foundation
    desks: TableDesks = app.state.desks
    workers: dict[str, TableWorker] = {}
    reader = CardReader.load() if tables else None
    for table, feed in tables:
        key = table_key(table.name)
        if key in workers:
            raise SettingsError(f"two tables are called {table.name!r}; give each its own name in its file")
        desk = open_desk(
            base.store, base.evidence, name=table.name, profile=table.profile, seats=table.seats, live=live, key=key
        )
        _verify_same_table(desk, table)
        _verify_same_money(desk, live)
        desks.add(desk)
        assert reader is not None
        workers[key] = TableWorker(table, feed, desk, reader)
    LiveTables(workers).attach(app)
    return tuple(desks[key] for key in workers)


def _verify_same_table(desk: TableDesk, table: Table) -> None:
    """What the store has must be played on this felt."""
    game = "FCP" if table.game == FOUR_CARD_POKER else "PRIME"
    if desk.view().game != game:
        raise ConflictError(
            f"{table.name} is in the store as a table of {desk.view().game_title}; give the other game another name"
        )
    if len(desk.view().seats) != table.seats:
        raise ConflictError(
            f"{table.name} has {len(desk.view().seats)} seats in the store and {table.seats} in its file; "
            "give a table that was laid out anew another name"
        )


def _verify_same_money(desk: TableDesk, live: bool) -> None:
    """Practice never goes into the record of a table with real money, nor is money paid by the rules of practice."""
    is_live = (desk.state.next_version or desk.state.round.version).rules.live
    if is_live and not live:
        raise ConflictError(
            f"{desk.name} plays for real money in this store; to practise, name another store.folder in the settings"
        )
    if live and not is_live:
        raise ConflictError(
            f"{desk.name} is a practice table in this store; name another store.folder in the settings for real money, "
            "or start with --practice"
        )
