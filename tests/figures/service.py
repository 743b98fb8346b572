"""Figures of the table service: killed at random moments; how long a change and a check of the audit log take."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from service.audit.check import check
from service.settings import StoreSettings
from service.store.store import Store
from tests.figures.figure import Figure
from tests.service.crash.harness import Outcome, crash
from tests.service.postgres import HOW_TO_GET_IT, Cluster, find_programs

COMMAND = "python -m tests.figures service"
SEED = 20
KILLS, POSTGRES_KILLS = 200, 50
ENTRIES, CHANGES = 100_000, 300


def measure() -> Iterator[Figure]:
    """Each figure; a few minutes."""
    with tempfile.TemporaryDirectory() as folder:
        yield _crash_figure("SQLite", crash(StoreSettings(folder=Path(folder) / "kept"), KILLS, SEED), KILLS)
    yield from _postgresql()
    yield from _audit()


def _postgresql() -> Iterator[Figure]:
    programs = find_programs()
    if programs is None:
        raise SystemExit(HOW_TO_GET_IT)
    cluster = Cluster.start(programs)
    try:
        with tempfile.TemporaryDirectory() as folder:
            settings = StoreSettings(folder=Path(folder), url=cluster.new_store())
            yield _crash_figure("PostgreSQL", crash(settings, POSTGRES_KILLS, SEED + 1), POSTGRES_KILLS)
    finally:
        cluster.stop()


def _crash_figure(database: str, outcome: Outcome, kills: int) -> Figure:
    value = f"{len(outcome.faults)} faults in {outcome.kills} kills, {outcome.payouts} payouts, {outcome.rounds} rounds"
    for fault in outcome.faults:
        print(f"  {fault}")
    return Figure(
        f"`kill -9` at random moments, {database}",
        value,
        COMMAND,
        f"no payout lost or doubled in {kills}, the round goes on, the audit log verifies",
        not outcome.faults and outcome.kills == kills,
        SEED,
    )


def _audit() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(StoreSettings(folder=Path(folder)))
        took = []
        for number in range(CHANGES):
            began = time.perf_counter()
            with store.unit() as unit:
                unit.audit("account/ann", "payout_confirmed", "table/table-12", after={"seat": number % 7})
            took.append(time.perf_counter() - began)
        with store.unit() as unit:
            for number in range(ENTRIES):
                unit.audit(
                    "account/ann", "payout_confirmed", "table/table-12", after={"seat": number % 7, "amount": "1"}
                )
        began = time.perf_counter()
        result = check(store)
        seconds = time.perf_counter() - began
        store.close()
    yield Figure(
        "a change with its audit entry, on disk (SQLite)", f"{median(took) * 1000:.1f} ms in the middle", COMMAND
    )
    rate = result.entries / seconds
    yield Figure("`foursight audit verify`", f"{rate:,.0f} entries a second", COMMAND, "no fault", not result.faults)
