"""Past rounds with their evidence, open alerts, and what moved a meter."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select

from service.accounts.permissions import Actor, Permission, require
from service.errors import NotFoundError
from service.store.tables import LARGEST, RulesRow
from service.tables import history
from service.tables.desks import TableDesks, desks
from service.web.state import Foundation, foundation

router = APIRouter(tags=["rounds"])
Base = Annotated[Foundation, Depends(foundation)]
Desks = Annotated[TableDesks, Depends(desks)]
Reader = Annotated[Actor, Depends(require(Permission.SEE_ROUNDS))]
Limit = Annotated[int, Query(ge=1, le=500, description="at most so many")]


class RoundSummary(BaseModel):
    """A round in a list."""

    round: Annotated[int, Field(examples=[12])]
    status: Annotated[Literal["open", "closed", "void"], Field(examples=["closed"])]
    reason: Annotated[str | None, Field(description="why it is void, or was ended with seats open")]
    rules_version: Annotated[int | None, Field(description="the version it was settled with", examples=[3])]
    opened_at: Annotated[str, Field(examples=["2026-01-01T21:14:05+00:00"])]
    closed_at: str | None
    unsettled: Annotated[list[int], Field(description="seats that were left open", examples=[[]])]


class PayoutRecord(BaseModel):
    """A payout as it was confirmed; it never changes but for being taken back."""

    id: Annotated[str, Field(description="of the command that confirmed it")]
    seat: int
    part: Literal["hand", "envy"]
    amount: Annotated[dict[str, str] | None, Field(description="null: only the odds were known")]
    lines: Annotated[list[dict[str, Any]], Field(description="as in the view's proposals")]
    by: Annotated[str, Field(examples=["account/ann"])]
    at: str
    taken_back_by: str | None
    taken_back_at: str | None
    taken_back_reason: str | None


class RoundRecord(RoundSummary):
    """A round with everything that belongs to it."""

    model_config = ConfigDict(extra="allow")

    rules: Annotated[dict[str, Any] | None, Field(description="pay tables, house rules and limits that applied")]
    case: Annotated[dict[str, Any] | None, Field(description="hands, wagers, decisions, as `foursight settle` reads")]
    settlement: Annotated[dict[str, Any] | None, Field(description="what was confirmed and lost, exactly")]
    undo: Annotated[list[dict[str, Any]], Field(description="a void: what was paid or taken and goes back")]
    returns: Annotated[list[dict[str, Any]], Field(description="a void: wagers that go back")]
    readings: Annotated[list[dict[str, Any]], Field(description="what the machine read, event by event")]
    corrections: Annotated[list[dict[str, Any]], Field(description="the machine's reading beside the person's")]
    payouts: list[PayoutRecord]
    alerts: list[dict[str, Any]]
    meter: Annotated[list[dict[str, Any]], Field(description="what the round did to the progressive meter")]


class AlertRecord(BaseModel):
    """An alert of any table."""

    table: Annotated[str, Field(examples=["table-12"])]
    number: Annotated[int | None, Field(description="what `acknowledge` takes")]
    kind: str
    level: str | None
    message: str
    zone: str | None
    evidence: list[str]
    at: str
    acknowledged_by: str | None
    acknowledged_at: str | None


class MeterMove(BaseModel):
    """One movement of a meter; amounts are exact text in cents."""

    meter: str
    kind: Annotated[str, Field(description="coin_in, award, undone or set", examples=["coin_in"])]
    amount_before: Annotated[str, Field(examples=["842650"])]
    amount_after: Annotated[str, Field(examples=["842676"])]
    reserve_before: str
    reserve_after: str
    reason: Annotated[str | None, Field(description="of an adjustment by hand", examples=["coin counted again"])]
    by: str
    at: str


@router.get("/tables/{table}/rounds", summary="Rounds of a table")
def list_rounds(
    table: str,
    _by: Reader,
    base: Base,
    before: Annotated[int | None, Query(ge=1, le=LARGEST, description="rounds before this one")] = None,
    limit: Limit = 50,
    status: Annotated[Literal["open", "closed", "void"] | None, Query(description="of this status alone")] = None,
) -> list[RoundSummary]:
    """The latest first."""
    with base.store.reading() as session:
        found = history.rounds(session, table, before=before, limit=limit, status=status)
        ids = {row.rules_id for row in found if row.rules_id is not None}
        versions: dict[int, int] = {}
        if ids:
            rows = session.execute(select(RulesRow.id, RulesRow.version).where(RulesRow.id.in_(ids)))
            versions = {row.id: row.version for row in rows}
    return [RoundSummary(**history.summary(row, versions.get(row.rules_id or 0))) for row in found]


@router.get("/tables/{table}/rounds/{number}", summary="A round with everything that belongs to it")
def see_round(table: str, number: Annotated[int, Path(ge=1, le=LARGEST)], _by: Reader, base: Base) -> RoundRecord:
    """Readings with their evidence, corrections, payouts, what was taken back, alerts, and the rules that applied."""
    with base.store.reading() as session:
        return RoundRecord(**history.whole(history.past(session, table, number)))


@router.get("/alerts", summary="Alerts that nobody has acknowledged")
def list_alerts(
    _by: Annotated[Actor, Depends(require(Permission.SEE_ALERTS))],
    base: Base,
    table: Annotated[str | None, Query(description="of this table alone", examples=["table-12"])] = None,
    limit: Limit = 100,
) -> list[AlertRecord]:
    """The latest first; they are acknowledged at their table, with the command `acknowledge`."""
    with base.store.reading() as session:
        return [AlertRecord(**alert) for alert in history.open_alerts(session, table, limit)]


@router.get("/tables/{table}/meter", summary="What moved the table's progressive meter")
def list_meter_moves(table: str, _by: Reader, base: Base, found: Desks, limit: Limit = 100) -> list[MeterMove]:
    """The latest first; tables that share the meter move it too."""
    setting = found.find(table).state.round.version.rules.meter
    if setting is None:
        raise NotFoundError(f"{table} has no progressive meter", field="table")
    with base.store.reading() as session:
        return [MeterMove(**entry) for entry in history.meter_entries(session, setting.name, limit)]


@router.get(
    "/evidence/{name}",
    summary="A picture kept as evidence",
    response_class=Response,
    responses={200: {"content": {"image/jpeg": {}}, "description": "the crop, as it was seen"}},
)
def see_evidence(name: str, _by: Annotated[Actor, Depends(require(Permission.SEE_TABLES))], base: Base) -> Response:
    """Its name proves its content; names are in hands, alerts and readings as `evidence`."""
    kind = "image/png" if name.endswith(".png") else "image/jpeg"
    return Response(base.evidence.get(name), media_type=kind)
