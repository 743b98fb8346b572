"""Past rounds out of the store: what was read, corrected, confirmed and taken back, with the rules that applied."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from game.money import money_text, spoken_money
from service.errors import NotFoundError
from service.store.tables import (
    AlertRow,
    CorrectionRow,
    MeterEntryRow,
    PayoutRow,
    ReadingRow,
    RoundRow,
    RulesRow,
)

Json = dict[str, Any]


@dataclass(frozen=True)
class Past:
    """A round with everything that belongs to it."""

    round: RoundRow
    rules: RulesRow | None
    readings: Sequence[ReadingRow]
    corrections: Sequence[CorrectionRow]
    payouts: Sequence[PayoutRow]
    alerts: Sequence[AlertRow]
    meter: Sequence[MeterEntryRow]


def rounds(session: Session, table: str, *, before: int | None, limit: int, status: str | None) -> Sequence[RoundRow]:
    """Rounds of a table, the latest first."""
    query = select(RoundRow).where(RoundRow.table == table).order_by(RoundRow.number.desc()).limit(limit)
    if before is not None:
        query = query.where(RoundRow.number < before)
    if status is not None:
        query = query.where(RoundRow.status == status)
    return session.scalars(query).all()


def past(session: Session, table: str, number: int) -> Past:
    """One round."""
    query = select(RoundRow).where(RoundRow.table == table, RoundRow.number == number)
    row = session.scalars(query).one_or_none()
    if row is None:
        raise NotFoundError(f"there is no round {number} of {table!r} in the record", field="number")

    def of(kind: Any) -> Any:  # noqa: ANN401  # any row with a round
        return session.scalars(select(kind).where(kind.round_id == row.id).order_by(kind.id)).all()

    rules = session.get(RulesRow, row.rules_id) if row.rules_id is not None else None
    return Past(row, rules, of(ReadingRow), of(CorrectionRow), of(PayoutRow), of(AlertRow), of(MeterEntryRow))


def summary(row: RoundRow, rules_version: int | None) -> Json:
    """A round in a list."""
    return {
        "round": row.number,
        "status": row.status,
        "reason": row.reason,
        "rules_version": rules_version,
        "opened_at": row.opened_at.isoformat(),
        "closed_at": row.closed_at.isoformat() if row.closed_at else None,
        "unsettled": row.content.get("unsettled", []),
    }


def whole(found: Past) -> Json:
    """A round with everything that belongs to it, as JSON."""
    content = found.round.content
    return {
        **summary(found.round, found.rules.version if found.rules else None),
        "rules": found.rules.content if found.rules else None,
        "case": content.get("case"),
        "settlement": content.get("settlement"),
        "undo": content.get("undo", []),
        "returns": content.get("returns", []),
        "readings": [
            {
                "kind": row.kind,
                "zone": row.zone,
                "cards": row.cards.split() if row.cards else None,
                "confidence": row.confidence,
                "event": row.event,
                "evidence": row.evidence,
                "at": row.made_at.isoformat(),
            }
            for row in found.readings
        ],
        "corrections": [
            {
                "zone": row.zone,
                "machine": row.machine.split() if row.machine else [],
                "person": row.person.split(),
                "how": row.reason,
                "by": row.made_by,
                "at": row.made_at.isoformat(),
            }
            for row in found.corrections
        ],
        "payouts": [_payout(row) for row in found.payouts],
        "alerts": [_alert(row) for row in found.alerts],
        "meter": [_meter(row) for row in found.meter],
    }


def _payout(row: PayoutRow) -> Json:
    is_known = all(line["amount"] is not None for line in row.lines)
    amount = {"cents": money_text(row.amount), "text": spoken_money(row.amount)}
    return {
        "id": row.command,
        "seat": row.seat,
        "part": row.kind,
        "amount": amount if is_known else None,
        "lines": row.lines,
        "by": row.confirmed_by,
        "at": row.confirmed_at.isoformat(),
        "taken_back_by": row.taken_back_by,
        "taken_back_at": row.taken_back_at.isoformat() if row.taken_back_at else None,
        "taken_back_reason": row.taken_back_reason,
    }


def _alert(row: AlertRow) -> Json:
    return {
        "table": row.table,
        "number": row.content.get("number"),
        "kind": row.kind,
        "level": row.content.get("level"),
        "message": row.message,
        "zone": row.content.get("zone"),
        "evidence": row.content.get("evidence", []),
        "at": row.raised_at.isoformat(),
        "acknowledged_by": row.acknowledged_by,
        "acknowledged_at": row.acknowledged_at.isoformat() if row.acknowledged_at else None,
    }


def _meter(row: MeterEntryRow) -> Json:
    amounts = {
        name: money_text(getattr(row, name))
        for name in ("amount_before", "amount_after", "reserve_before", "reserve_after")
    }
    who = {"reason": row.reason, "by": row.made_by, "at": row.made_at.isoformat()}
    return {"meter": row.meter, "kind": row.kind, **amounts, **who}


def open_alerts(session: Session, table: str | None, limit: int) -> list[Json]:
    """Alerts that nobody has acknowledged, the latest first."""
    query = select(AlertRow).where(AlertRow.acknowledged_at.is_(None)).order_by(AlertRow.id.desc()).limit(limit)
    if table is not None:
        query = query.where(AlertRow.table == table)
    return [_alert(row) for row in session.scalars(query)]


def meter_entries(session: Session, meter: str, limit: int) -> list[Json]:
    """What moved a meter, the latest first."""
    query = select(MeterEntryRow).where(MeterEntryRow.meter == meter).order_by(MeterEntryRow.id.desc()).limit(limit)
    return [_meter(row) for row in session.scalars(query)]
