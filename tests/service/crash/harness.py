"""Kill the service at random moments while a dealer plays and an observer watches; look into the store, start it again.

`kill -9` hits a real server process: the application on its store, listening on a port. The process is forked from one
that has everything imported, so that two hundred of them take minutes, and moments of starting up are hit too.
"""

import multiprocessing
import random
import socket
import time
from collections import Counter
from dataclasses import dataclass, field

from sqlalchemy import select

from service.accounts.roles import Permission, Role, system
from service.app import create_app
from service.audit import log
from service.audit.check import check
from service.foundation import open_foundation
from service.settings import Server, Settings, StoreSettings
from service.store.store import Store
from service.store.tables import PayoutRow, ReadingRow, RoundRow, TableRow
from service.tables.open import open_desk
from service.web.serve import serve
from tests.service.conftest import QUICK_HASHER
from tests.service.crash.dealer import PATIENCE_S, Dealer
from tests.service.crash.observer import Observer

SECRET = "730915"
TABLE = "table-12"
STARTING_UP, START_S = 0.15, 0.5  # the share of kills while it starts, and how long that takes
MOST_ANSWERS, ANSWER_S = 6, 0.06  # otherwise it answers so often, and dies within about so long


@dataclass
class Outcome:
    """What came of it."""

    kills: int = 0
    payouts: int = 0
    readings: int = 0  # events that the service answered to
    rounds: int = 0
    entries: int = 0
    resumed: int = 0  # kills that hit while a round was open and partly paid
    faults: list = field(default_factory=list)


@dataclass
class Callers:
    """Who calls the service: a dealer at a tablet, and an observer on another machine."""

    dealer: Dealer
    observer: Observer

    @property
    def answers(self):
        return self.dealer.answers + self.observer.answers

    @property
    def fault(self):
        return self.dealer.fault or self.observer.fault

    def start(self):
        self.dealer.start()
        self.observer.start()

    def stop(self):
        self.dealer.stop()
        self.observer.stop()

    def answered(self):
        """What must not be lost from now on: confirmed payouts, and events."""
        return list(self.dealer.paid), list(self.observer.told)


def crash(store_settings, kills, seed):
    """Kill that often; every fault that was found, and what went on between."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    settings = Settings(store=store_settings, server=Server(port=port))
    base = open_foundation(settings, hasher=QUICK_HASHER)
    base.accounts.add(system("test"), "ann", Role.DEALER, SECRET)
    key, _ = base.tokens.add(system("test"), "camera", [Permission.SEE_TABLES, Permission.SEND_EVENTS])
    base.store.close()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.service.crash.harness"])
    chance = random.Random(seed)
    address = f"http://127.0.0.1:{port}"
    callers = Callers(Dealer(address, TABLE, "ann", SECRET, seed), Observer(address, TABLE, key, seed))
    outcome = Outcome()
    first = context.Process(target=_nothing)  # imports everything; what is forked after it need not
    first.start()
    first.join()
    callers.start()
    try:
        for _ in range(kills):
            server = context.Process(target=run_server, args=(settings,))
            server.start()
            if chance.random() < STARTING_UP:
                time.sleep(chance.uniform(0, START_S))
            else:
                _wait_for_answers(callers, chance.randint(1, MOST_ANSWERS))
                time.sleep(chance.uniform(0, ANSWER_S))
            answered = callers.answered()  # before the kill: all of it must be there after it
            server.kill()
            server.join()
            outcome.kills += 1
            look(store_settings, answered, callers.dealer, outcome)
            if callers.fault or outcome.faults:
                break
        _play_on(context, settings, callers, outcome)
    finally:
        callers.stop()
    paid, told = callers.answered()
    look(store_settings, (paid, told), callers.dealer, outcome)
    outcome.payouts, outcome.rounds, outcome.readings = len(paid), len(callers.dealer.ended), len(told)
    if callers.fault:
        outcome.faults.append(callers.fault)
    return outcome


def _nothing():
    """The first process of a kind waits for the imports."""


def run_server(settings):
    """The service, as its own process."""
    app = create_app(settings, hasher=QUICK_HASHER)
    base = app.state.foundation
    app.state.desks.add(open_desk(base.store, base.evidence, name="Table 12", profile="washington", seats=6))
    serve(app, settings.server)


def look(store_settings, answered, dealer, outcome):
    """What must be true after each kill."""
    paid, told = answered
    store = Store.open(StoreSettings(**store_settings.model_dump()))
    try:
        with store.reading() as session:
            rows = session.execute(select(PayoutRow, RoundRow).join(RoundRow, PayoutRow.round_id == RoundRow.id)).all()
            noted = [e for e in log.entries(session) if e.action == "payout_confirmed"]
            frames = Counter(event["frame"] for event in session.scalars(select(ReadingRow.event)))
            observer_state = session.scalars(select(TableRow.observer)).one_or_none()
            open_rounds = session.scalars(select(RoundRow.number).where(RoundRow.status == "open")).all()
        result = check(store)
        fault = store.audit_fault
    finally:
        store.close()
    kept = Counter(payout.command for payout, _ in rows)
    standing = Counter((r.number, p.seat, p.kind) for p, r in rows if p.taken_back_at is None)
    outcome.entries = result.entries
    outcome.resumed += any(r.number in open_rounds for _, r in rows)
    outcome.faults += [f"lost: {each}" for each in paid if kept[each.command] == 0]
    outcome.faults += [f"doubled: {command}" for command, times in kept.items() if times > 1]
    outcome.faults += [f"paid twice: {which}" for which, times in standing.items() if times > 1]
    outcome.faults += [f"nobody sent {command}" for command in kept if command not in dealer.sent]
    outcome.faults += [f"event {frame} is lost" for frame in told if not frames[frame]]
    outcome.faults += [f"event {frame} was taken in {times} times" for frame, times in frames.items() if times > 1]
    if frames and observer_state != {"frame": max(frames)}:
        outcome.faults.append(f"the observer would go on from {observer_state}, after event {max(frames)}")
    outcome.faults += [fault.what for fault in result.faults]
    outcome.faults += [f"{len(noted)} payouts in the log, {len(rows)} in the store"] * (len(noted) != len(rows))
    outcome.faults += [fault] * (fault is not None)
    outcome.faults += [f"rounds {open_rounds} are open at once"] * (len(open_rounds) > 1)


def _wait_for_answers(callers, more):
    until, wanted = time.monotonic() + PATIENCE_S, callers.answers + more
    while callers.answers < wanted and callers.fault is None and time.monotonic() < until:
        time.sleep(0.002)


def _play_on(context, settings, callers, outcome):
    """After the last kill the round that was open goes on to its end, and so does the next one."""
    server = context.Process(target=run_server, args=(settings,))
    server.start()
    ended, until = callers.dealer.ended, time.monotonic() + PATIENCE_S
    wanted = len(ended) + 2
    while len(ended) < wanted and callers.fault is None and time.monotonic() < until:
        time.sleep(0.02)
    if len(ended) < wanted:
        outcome.faults.append(f"the round did not go on: {callers.fault}")
    server.terminate()
    server.join()
