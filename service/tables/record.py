"""Facts into the store: each kind of fact has its rows, all in the unit of work that changes the table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from sqlalchemy import select

from service.rounds.facts import (
    AlertAcknowledged,
    AlertDropped,
    AlertRaised,
    CardCorrected,
    Fact,
    HandEntered,
    MeterMoved,
    PayoutConfirmed,
    PayoutTakenBack,
    ReadingMade,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    RulesApplied,
)
from service.rounds.rules import RulesVersion
from service.store.store import Unit
from service.store.tables import (
    AlertRow,
    CorrectionRow,
    MeterEntryRow,
    PayoutRow,
    ReadingRow,
    RoundRow,
    RulesRow,
)


@dataclass(frozen=True)
class Record:
    """Where facts of one table are written: the unit of work, and the names of table and meter."""

    unit: Unit
    table: str
    meter: str | None

    def write(self, facts: Sequence[Fact]) -> None:
        """Write them all, each with its entry in the audit log."""
        for fact in facts:
            writer = _WRITERS.get(type(fact))
            if writer is not None:
                writer(self, fact)
                self.unit.session.flush()
            if fact.audited:
                self._audit(fact)

    def _audit(self, fact: Fact) -> None:
        after = {"round": fact.round, **plain(fact.content())}
        before = {"value": after.pop("before")} if "before" in after else None
        self.unit.audit(fact.by, fact.action, f"table/{self.table}", before=before, after=after)

    def round(self, number: int) -> RoundRow:
        """The row of a round."""
        query = select(RoundRow).where(RoundRow.table == self.table, RoundRow.number == number)
        return self.unit.session.scalars(query).one()


def plain(value: Any) -> Any:  # noqa: ANN401  # anything a fact may hold, as JSON
    """A fact's content as JSON."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Fraction):
        return str(value)
    return plain(asdict(value)) if hasattr(value, "__dataclass_fields__") else value


# --- what each kind writes


def _round_opened(record: Record, fact: RoundOpened) -> None:
    query = select(RulesRow.id).where(RulesRow.table == record.table, RulesRow.version == fact.rules_version)
    record.unit.session.add(
        RoundRow(
            table=record.table, number=fact.round, rules_id=record.unit.session.scalars(query).one(), status="open",
            opened_at=record.unit.now, content={},
        )
    )  # fmt: skip


def _rules_applied(record: Record, fact: RulesApplied) -> None:
    """A round that had not begun keeps the version it is then settled with."""
    if fact.at_once:
        query = select(RulesRow.id).where(RulesRow.table == record.table, RulesRow.version == fact.version)
        record.round(fact.round).rules_id = record.unit.session.scalars(query).one()


def _round_closed(record: Record, fact: RoundClosed) -> None:
    row = record.round(fact.round)
    row.status, row.closed_at = fact.status, record.unit.now
    row.reason = row.reason or fact.reason or None
    row.content = {
        **row.content,
        "case": plain(fact.case),
        "settlement": plain(fact.settlement),
        "unsettled": list(fact.unsettled),
    }


def _round_voided(record: Record, fact: RoundVoided) -> None:
    row = record.round(fact.round)
    row.status = "void"
    row.reason = f"{fact.words}; {fact.note}" if fact.note else fact.words
    row.content = {**row.content, "undo": plain(fact.undo), "returns": plain(fact.returns)}


def _reading(record: Record, fact: ReadingMade) -> None:
    event = fact.event
    cards = event.get("cards")
    record.unit.session.add(
        ReadingRow(
            round_id=record.round(fact.round).id, zone=event.get("zone"), kind=event["event"],
            cards=" ".join(cards) if cards else None, confidence=event.get("confidence"), event=plain(event),
            evidence=list(fact.evidence), made_at=record.unit.now,
        )
    )  # fmt: skip


def _correction(record: Record, fact: CardCorrected | HandEntered) -> None:
    record.unit.session.add(
        CorrectionRow(
            round_id=record.round(fact.round).id, zone=fact.zone, machine=" ".join(fact.machine) or None,
            person=" ".join(fact.person), reason="entered" if isinstance(fact, HandEntered) else "corrected",
            made_at=record.unit.now, made_by=fact.by,
        )
    )  # fmt: skip


def _payout(record: Record, fact: PayoutConfirmed) -> None:
    """An amount nobody knew stays unknown in the lines; the sum then says 0."""
    record.unit.session.add(
        PayoutRow(
            round_id=record.round(fact.round).id, seat=fact.seat, kind=fact.part,
            amount=Fraction(fact.total or 0), lines=plain(fact.lines), command=fact.payout,
            confirmed_at=record.unit.now, confirmed_by=fact.by,
        )
    )  # fmt: skip


def _taken_back(record: Record, fact: PayoutTakenBack) -> None:
    query = select(PayoutRow).where(PayoutRow.command == fact.payout, PayoutRow.taken_back_at.is_(None))
    row = record.unit.session.scalars(query).one()
    row.taken_back_at, row.taken_back_by, row.taken_back_reason = record.unit.now, fact.by, fact.reason


def _meter(record: Record, fact: MeterMoved) -> None:
    assert record.meter is not None
    amounts = {
        name: Fraction(getattr(fact, name))
        for name in ("amount_before", "amount_after", "reserve_before", "reserve_after")
    }
    record.unit.session.add(
        MeterEntryRow(
            meter=record.meter, round_id=record.round(fact.round).id, kind=fact.kind, made_at=record.unit.now,
            made_by=fact.by, reason=fact.reason or None, **amounts,
        )
    )  # fmt: skip


def _alert(record: Record, fact: AlertRaised) -> None:
    content = {"number": fact.number, "level": fact.level, "zone": fact.zone, "evidence": list(fact.evidence)}
    record.unit.session.add(
        AlertRow(
            table=record.table, round_id=record.round(fact.round).id, kind=fact.kind, message=fact.words,
            content=content, raised_at=record.unit.now,
        )
    )  # fmt: skip


def _acknowledged(record: Record, fact: AlertAcknowledged) -> None:
    _close_alert(record, fact.number, fact.by)


def _dropped(record: Record, fact: AlertDropped) -> None:
    _close_alert(record, fact.number, "system/dropped")


def _close_alert(record: Record, number: int, by: str) -> None:
    query = select(AlertRow).where(AlertRow.table == record.table, AlertRow.acknowledged_at.is_(None))
    for row in record.unit.session.scalars(query):
        if row.content.get("number") == number:
            row.acknowledged_at, row.acknowledged_by = record.unit.now, by


# A fact and what writes it; each takes its own kind.
_WRITERS: dict[type, Callable[[Record, Any], None]] = {
    RoundOpened: _round_opened,
    RulesApplied: _rules_applied,
    RoundClosed: _round_closed,
    RoundVoided: _round_voided,
    ReadingMade: _reading,
    CardCorrected: _correction,
    HandEntered: _correction,
    PayoutConfirmed: _payout,
    PayoutTakenBack: _taken_back,
    MeterMoved: _meter,
    AlertRaised: _alert,
    AlertAcknowledged: _acknowledged,
    AlertDropped: _dropped,
}


def new_rules_row(unit: Unit, table: str, version: RulesVersion, content: dict[str, Any], by: str, digest: str) -> None:
    """A version of a table's rules; never changed afterwards."""
    unit.session.add(
        RulesRow(
            table=table, version=version.number, content=content, sha256=digest, made_at=unit.now, made_by=by
        )
    )  # fmt: skip
    unit.session.flush()
    unit.audit(by, "rules_set", f"table/{table}", after={"version": version.number, "rules": content, "sha256": digest})
