"""A table's desk over a real store: restarts, two processes, two tablets, and one meter for two tables."""

import threading
import uuid
from fractions import Fraction

import pytest
from sqlalchemy import select

from service.accounts.roles import PERMISSIONS, Actor, Role
from service.audit.check import check
from service.errors import ConflictError, ServiceError
from service.live.worker import Feed
from service.rounds.commands import command_from_json
from service.rounds.outcome import MOST_ALERTS
from service.rounds.rules import MeterSetting, TableRules
from service.store.evidence import Evidence
from service.store.tables import MeterEntryRow, MeterRow, PayoutRow, ReadingRow, RoundRow
from service.tables.desk import TableDesk
from service.tables.history import open_alerts
from service.tables.open import open_desk, open_tables, table_key
from tests.service.rounds.play import DEMO
from vision.events import Event
from vision.table import load_table

ANN = Actor("account", "ann", PERMISSIONS[Role.DEALER], Role.DEALER, "Ann")
BOB = Actor("account", "bob", PERMISSIONS[Role.DEALER], Role.DEALER, "Bob")
SUE = Actor("account", "sue", PERMISSIONS[Role.SUPERVISOR], Role.SUPERVISOR, "Sue")
MIA = Actor("account", "mia", PERMISSIONS[Role.MANAGER], Role.MANAGER, "Mia")
DEALER = ["Ks", "Kh", "Ad", "Tc", "5c", "2d"]
NINES = ["9s", "9h", "9d", "Kc", "4d"]
SHARED = TableRules(
    "nemacolin", {"fcp": "FCP-05", "progressive": "PMG-01"}, live=False, meter=MeterSetting("site", 250_000, 100, "1/2")
)


@pytest.fixture
def evidence(tmp_path):
    return Evidence(tmp_path / "evidence")


@pytest.fixture
def desk(store, evidence):
    return open_desk(store, evidence, name="Table 12", profile="nemacolin", seats=6, live=False)


class Tablet:
    """Somebody at a desk."""

    def __init__(self, desk, actor=ANN):
        self.desk, self.actor = desk, actor

    def do(self, command, actor=None, **fields):
        content = {"id": str(uuid.uuid4()), "command": command, **fields}
        return self.desk.do(command_from_json(content), actor or self.actor).view

    def ready(self, seat=4, progressive=False):
        self.do("set_wager", seat=seat, wager="ante", amount=1000)
        if progressive:
            self.do("set_wager", seat=seat, wager="progressive", amount=100)
            self.do("start_game")
        else:
            self.do("no_more_bets")
        self.do("enter_hand", zone="dealer", cards=DEALER)
        self.do("set_decision", seat=seat, decision="play", play=1000)
        return self.do("enter_hand", zone=f"seat-{seat}", cards=NINES)

    def confirm(self, seat=4, key="tap"):
        proposal = self.desk.view().seats[seat - 1].proposal
        content = {"id": key, "command": "confirm", "seat": seat, "part": proposal.part, "digest": proposal.digest}
        return self.desk.do(command_from_json(content), self.actor)


def test_a_restart_in_mid_round_goes_on_where_it_was(store, evidence, desk):
    tablet = Tablet(desk)
    tablet.ready()
    desk.observe([Event("cards_dealt", 1.0, 25, 1, "seat-2", count=5)], '{"phase": "deal"}')
    again = TableDesk(store, evidence, "table-12")
    assert again.view() == desk.view()
    assert again.observer_state() == '{"phase": "deal"}'
    Tablet(again).confirm()
    assert again.view().seats[3].status == "confirmed"


def test_state_facts_and_audit_entries_are_one_transaction(store, desk):
    tablet = Tablet(desk)
    tablet.ready()
    tablet.confirm()
    before = check(store)
    with pytest.raises(ServiceError):
        desk.do(confirm_again(desk), ANN)
    with store.reading() as session:
        (payout,) = session.scalars(select(PayoutRow)).all()
        (row,) = session.scalars(select(RoundRow)).all()
    assert (payout.amount, payout.confirmed_by, row.status) == (Fraction(4000), "account/ann", "open")
    assert (check(store).entries, check(store).faults) == (before.entries, ())


def test_crops_are_kept_and_named_in_the_reading_and_the_view(store, evidence, desk):
    cards = tuple(Event.from_json(HAND).cards)
    event = Event("player_hand", 2.0, 50, 1, "seat-4", cards, 0.99, extra=(("evidence", "crop.jpg"),))
    desk.observe([event], None, {"crop.jpg": b"jpeg"})
    (name,) = desk.view().seats[3].hand.evidence
    assert evidence.get(name) == b"jpeg"
    with store.reading() as session:
        (reading,) = session.scalars(select(ReadingRow)).all()
    assert (reading.evidence, reading.cards) == ([name], "9s 9h 9d Kc 4d")


HAND = (
    '{"event":"player_hand","time_s":2,"frame":50,"round":1,"zone":"seat-4","cards":["9s","9h","9d","Kc","4d"],'
    '"confidence":0.99}'
)


def test_two_processes_at_one_table_see_each_others_changes(store, evidence, desk):
    other = TableDesk(store, evidence, "table-12")
    Tablet(desk).ready()
    Tablet(desk).confirm(key="one")
    with pytest.raises(ConflictError, match="confirmed by Ann"):
        other.do(confirm_again(desk), BOB)
    assert other.view().seats[3].status == "confirmed"
    Tablet(other, BOB).do("end_game")
    assert Tablet(desk).do("set_wager", seat=1, wager="ante", amount=500).round == 2


def confirm_again(desk):
    digest = desk.state.seat(4).payouts[0].digest
    return command_from_json({"id": "two", "command": "confirm", "seat": 4, "digest": digest})


@pytest.mark.parametrize("same_id", [True, False], ids=["the same tap twice", "two dealers"])
def test_confirms_at_the_same_moment_pay_once(store, desk, same_id):
    Tablet(desk).ready()
    digest = desk.view().seats[3].proposal.digest
    barrier, outcomes = threading.Barrier(4), []

    def tap(number):
        content = {"id": "tap" if same_id else f"tap-{number}", "command": "confirm", "seat": 4, "digest": digest}
        barrier.wait()
        try:
            outcomes.append(
                "repeated" if desk.do(command_from_json(content), (ANN, BOB)[number % 2]).repeated else "paid"
            )
        except ConflictError as error:
            outcomes.append(error.code)

    threads = [threading.Thread(target=tap, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == sorted(["paid", *["repeated" if same_id else "already_done"] * 3])
    with store.reading() as session:
        assert len(session.scalars(select(PayoutRow)).all()) == 1


@pytest.fixture
def sharing(store, evidence):
    """Two tables with one meter."""
    desks = [open_desk(store, evidence, name=name, profile="nemacolin", seats=6, live=False) for name in ("One", "Two")]
    for desk in desks:
        desk.set_rules(SHARED, MIA)
    return desks


def test_a_meter_of_two_tables_is_one(store, sharing):
    one, two = (Tablet(desk) for desk in sharing)
    one.ready(progressive=True)
    assert two.do("set_wager", seat=1, wager="ante", amount=500).meter.amount.cents == "250050"
    two.do("clear_wagers", seat=1)
    two.ready(seat=3, progressive=True)
    assert two.desk.view().meter.amount.cents == "250100"
    one.do("void_round", reason="other")
    with store.reading() as session:
        assert session.get(MeterRow, "site").amount == 250_050
        kinds = [entry.kind for entry in session.scalars(select(MeterEntryRow).order_by(MeterEntryRow.id))]
    assert kinds == ["coin_in", "coin_in", "undone"]


def test_a_meter_that_moves_while_another_table_is_about_to_move_it_loses_nothing(store, sharing, monkeypatch):
    one, two = sharing
    for desk in sharing:
        Tablet(desk).do("set_wager", seat=4, wager="ante", amount=1000)
        Tablet(desk).do("set_wager", seat=4, wager="progressive", amount=100)
    look = one.sync_meter
    monkeypatch.setattr(one, "sync_meter", lambda: (look(), Tablet(two).do("start_game")))
    assert Tablet(one).do("start_game").meter.amount.cents == "250100"
    with store.reading() as session:
        assert session.get(MeterRow, "site").amount == 250_100


def test_a_table_shows_what_others_did_to_its_meter(store, sharing):
    one, two = sharing
    Tablet(one).ready(progressive=True)
    assert two.view().meter.amount.cents == "250000"
    revision = two.view().revision
    two.sync_meter()
    two.sync_meter()
    assert (two.view().meter.amount.cents, two.view().revision) == ("250050", revision + 1)


def test_rules_that_join_a_meter_take_it_as_it_stands(store, evidence, sharing):
    Tablet(sharing[0]).ready(progressive=True)
    third = open_desk(store, evidence, name="Three", profile="nemacolin", seats=6, live=False)
    third.set_rules(SHARED, MIA)
    assert third.view().meter.amount.cents == "250050"


def test_a_manager_adjusts_the_meter_with_a_reason(store, desk):
    tablet = Tablet(desk, MIA)
    assert tablet.do("adjust_meter", change=-50_000, reason="award backed out").meter.amount.text == "$2,000"
    with store.reading() as session:
        assert session.get(MeterRow, "table-12").amount == 200_000
        assert session.scalars(select(MeterEntryRow.reason)).all() == ["award backed out"]
    with pytest.raises(ServiceError):
        tablet.do("adjust_meter", ANN, change=1, reason="x")


def test_an_alert_that_gives_way_to_newer_ones_is_not_open_for_ever(store, desk):
    light = [Event("light_changed", float(number), number) for number in range(MOST_ALERTS + 3)]
    Tablet(desk).do("call_supervisor")
    desk.observe(light, None)
    shown = {alert.number for alert in desk.view().alerts}
    assert (len(shown), 1 in shown) == (MOST_ALERTS, True), "a call for the supervisor stays"
    with store.reading() as session:
        assert {alert["number"] for alert in open_alerts(session, "table-12", 500)} == shown
    assert check(store).faults == ()


MONEY = [
    pytest.param(True, "plays for real money", id="practice where money was played for"),
    pytest.param(False, "is a practice table", id="money where was practised"),
]


@pytest.mark.parametrize(("first", "words"), MONEY)
def test_practice_and_real_money_have_a_store_each(app, first, words):
    table = load_table(DEMO.with_name("table.toml"))
    open_tables(app, [(table, Feed("none"))], live=first)
    open_tables(app, [(table, Feed("none"))], live=first)
    with pytest.raises(ConflictError, match=words):
        open_tables(app, [(table, Feed("none"))], live=not first)


def test_names_in_addresses_are_plain():
    assert [table_key(name) for name in ("Table 12", "  Pit A / 3 ")] == ["table-12", "pit-a-3"]
    with pytest.raises(ServiceError, match="neither letters nor digits"):
        table_key("///")
