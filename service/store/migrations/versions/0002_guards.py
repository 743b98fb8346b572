"""Triggers: the audit log is append-only, and a confirmed payout can only be taken back."""

from collections.abc import Iterator

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

APPEND_ONLY = "the audit log is append-only"
KEPT = "a confirmed payout is kept; it can only be taken back"
PAYOUT_FACTS = "round_id, seat, kind, amount, lines, command, confirmed_at, confirmed_by"
# Name, event, table, message.
GUARDS = (
    ("audit_no_update", "UPDATE", "audit", APPEND_ONLY),
    ("audit_no_delete", "DELETE", "audit", APPEND_ONLY),
    ("payouts_no_delete", "DELETE", "payouts", KEPT),
    ("payouts_facts_stay", f"UPDATE OF {PAYOUT_FACTS}", "payouts", KEPT),
)


def upgrade() -> None:
    """Make the triggers."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for statement in _sqlite() if is_sqlite else _postgresql():
        op.execute(statement)


def _sqlite() -> Iterator[str]:
    for name, event, table, message in GUARDS:
        yield f"CREATE TRIGGER {name} BEFORE {event} ON {table} BEGIN SELECT RAISE(ABORT, '{message}'); END"
    # Taken back once is taken back for good; INSERT OR REPLACE would delete without a trigger.
    yield (
        "CREATE TRIGGER payouts_taken_back_stays BEFORE UPDATE ON payouts WHEN OLD.taken_back_at IS NOT NULL "
        f"BEGIN SELECT RAISE(ABORT, '{KEPT}'); END"
    )
    yield (
        "CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit "
        "WHEN EXISTS (SELECT 1 FROM audit WHERE sequence = NEW.sequence) "
        f"BEGIN SELECT RAISE(ABORT, '{APPEND_ONLY}'); END"
    )


def _postgresql() -> Iterator[str]:
    yield (
        "CREATE FUNCTION foursight_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END $$"
    )
    for name, event, table, message in GUARDS:
        yield (
            f"CREATE TRIGGER {name} BEFORE {event} ON {table} FOR EACH ROW "
            f"EXECUTE FUNCTION foursight_refuse('{message}')"
        )
    for table, message in (("audit", APPEND_ONLY), ("payouts", KEPT)):
        yield (
            f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} FOR EACH STATEMENT "
            f"EXECUTE FUNCTION foursight_refuse('{message}')"
        )
    yield (
        "CREATE TRIGGER payouts_taken_back_stays BEFORE UPDATE ON payouts FOR EACH ROW "
        f"WHEN (OLD.taken_back_at IS NOT NULL) EXECUTE FUNCTION foursight_refuse('{KEPT}')"
    )
