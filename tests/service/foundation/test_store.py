"""The store, on SQLite and on a real PostgreSQL: what is kept, what is refused, and what a unit of work undoes."""

import threading
from datetime import UTC, datetime
from fractions import Fraction

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import func, select, text

from service.errors import ConflictError, UnavailableError
from service.settings import StoreSettings
from service.store.engine import open_engine
from service.store.migrate import newest_revision
from service.store.store import Store
from service.store.tables import METADATA, AuditRow, CommandRow, PayoutRow, RoundRow, TableRow

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def a_round(number=1):
    return RoundRow(table="12", number=number, status="open", opened_at=NOW, content={})


def a_payout(round_id, seat=4, **changed):
    facts = {"kind": "hand", "amount": Fraction(1875, 2), "lines": [], "command": "c", "confirmed_by": "account/ann"}
    return PayoutRow(round_id=round_id, seat=seat, confirmed_at=NOW, **(facts | changed))


@pytest.fixture
def round_id(store):
    with store.unit() as unit:
        row = a_round()
        unit.session.add(row)
    return row.id


def test_migrations_make_the_tables_that_the_code_names(store, store_settings):
    engine = open_engine(store_settings)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
        assert context.get_current_revision() == newest_revision()
    engine.dispose()


def test_a_store_is_opened_again_with_what_it_holds(store, store_settings, round_id):
    store.close()
    again = Store.open(store_settings)
    with again.reading() as session:
        assert session.get(RoundRow, round_id).opened_at == NOW
    again.close()


def test_a_newer_store_is_refused(store, store_settings):
    with store.unit() as unit:
        unit.session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(UnavailableError, match="step 9999, which this version does not know"):
        Store.open(store_settings)


def test_amounts_are_exact_and_moments_have_a_zone(store, round_id):
    with store.unit() as unit:
        unit.session.add(a_payout(round_id))
    with store.reading() as session:
        payout = session.scalars(select(PayoutRow)).one()
        assert (payout.amount, payout.confirmed_at) == (Fraction(1875, 2), NOW)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        pytest.param({"amount": 937.5}, "is a float", id="a float is no money"),
        pytest.param({"taken_back_at": datetime(2026, 1, 1)}, "no time zone", id="a moment without zone"),
    ],
)
def test_inexact_values_are_refused(store, round_id, changed, message):
    with pytest.raises(Exception, match=message), store.unit() as unit:
        unit.session.add(a_payout(round_id, **changed))


def test_an_exception_undoes_the_whole_unit(store, round_id):
    def fail_after_changes():
        with store.unit() as unit:
            unit.session.add(a_payout(round_id))
            unit.session.flush()
            unit.audit("account/ann", "payout_confirmed", "table/12")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_after_changes()
    with store.reading() as session:
        assert session.scalar(select(func.count()).select_from(PayoutRow)) == 0
        assert session.scalar(select(func.count()).select_from(AuditRow)) == 0


def test_a_seat_is_paid_once_unless_taken_back(store, round_id):
    with store.unit() as unit:
        first = a_payout(round_id)
        unit.session.add(first)
    with pytest.raises(ConflictError), store.unit() as unit:
        unit.session.add(a_payout(round_id))
    with store.unit() as unit:
        row = unit.session.get(PayoutRow, first.id)
        row.taken_back_at, row.taken_back_by, row.taken_back_reason = NOW, "account/sue", "void"
    with store.unit() as unit:
        unit.session.add(a_payout(round_id))
        unit.session.add(a_payout(round_id, kind="envy"))


TAMPERING = [
    pytest.param("UPDATE audit SET actor = 'account/nobody'", id="edit the log"),
    pytest.param("DELETE FROM audit", id="delete from the log"),
    pytest.param("UPDATE payouts SET amount = '1'", id="change a payout"),
    pytest.param("UPDATE payouts SET seat = 5", id="move a payout"),
    pytest.param("DELETE FROM payouts", id="delete a payout"),
]


@pytest.mark.parametrize("statement", TAMPERING)
def test_the_database_itself_refuses(store, round_id, statement):
    with store.unit() as unit:
        unit.session.add(a_payout(round_id))
        unit.audit("account/ann", "payout_confirmed", "table/12")
    with pytest.raises((ConflictError, UnavailableError)) as caught, store.unit() as unit:
        unit.session.execute(text(statement))
    assert "append-only" in str(caught.value.__cause__) or "is kept" in str(caught.value.__cause__)


def test_what_was_taken_back_stays_taken_back(store, round_id):
    with store.unit() as unit:
        unit.session.add(a_payout(round_id, taken_back_at=NOW))
    with pytest.raises((ConflictError, UnavailableError)), store.unit() as unit:
        unit.session.execute(text("UPDATE payouts SET taken_back_at = NULL"))


@pytest.mark.postgres
def test_postgresql_refuses_truncation(postgres_cluster, tmp_path):
    store = Store.open(StoreSettings(folder=tmp_path, url=postgres_cluster.new_store()))
    for table in ("audit", "payouts"):
        with pytest.raises(UnavailableError), store.unit() as unit:
            unit.session.execute(text(f"TRUNCATE {table}"))
    store.close()


def test_sqlite_refuses_replacement(tmp_path):
    store = Store.open(StoreSettings(folder=tmp_path))
    with store.unit() as unit:
        unit.audit("account/ann", "signed_in", "account/ann")
    with pytest.raises(ConflictError), store.unit() as unit:
        unit.session.execute(text("INSERT OR REPLACE INTO audit SELECT * FROM audit"))
    store.close()


def test_a_command_is_kept_once(store):
    def command():
        return CommandRow(id="uuid", table="12", actor="account/ann", sha256="0" * 64, answer={}, made_at=NOW)

    with store.unit() as unit:
        unit.session.add(command())
    with pytest.raises(ConflictError), store.unit() as unit:
        unit.session.add(command())


def test_changes_of_one_table_wait_for_each_other(store):
    with store.unit() as unit:
        unit.session.add(TableRow(table="12", revision=0, state={}, changed_at=NOW))

    def add_one():
        for _ in range(5):
            with store.unit() as unit:
                row = unit.session.get(TableRow, "12", with_for_update=True)
                row.revision += 1
                unit.audit("system/test", "changed", "table/12")

    threads = [threading.Thread(target=add_one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.reading() as session:
        assert session.get(TableRow, "12").revision == 20


BROKEN = [
    pytest.param({"url": "postgresql+psycopg://u:open@127.0.0.1:1/x"}, "cannot be reached", id="no server"),
    pytest.param({"url": "sqlite:////proc/none/x.db"}, "cannot be reached", id="no such folder"),
]


@pytest.mark.parametrize(("changed", "message"), BROKEN)
def test_a_store_that_cannot_be_opened_says_so_without_the_password(tmp_path, changed, message):
    with pytest.raises(UnavailableError, match=message) as caught:
        Store.open(StoreSettings(folder=tmp_path, **changed))
    assert "open@" not in caught.value.message
