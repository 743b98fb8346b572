"""The audit log and the settings, to be looked at."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from service import settings as service_settings
from service.accounts.permissions import Actor, Permission, require
from service.audit import log
from service.audit.check import check
from service.store.store import Store
from service.store.tables import LARGEST
from service.web.state import Foundation, foundation

router = APIRouter(tags=["audit"])
_DEFAULTS = service_settings.Settings().model_dump(mode="json")
Base = Annotated[Foundation, Depends(foundation)]
Reader = Annotated[Actor, Depends(require(Permission.SEE_AUDIT))]


class EntryBody(BaseModel):
    """One entry of the audit log."""

    sequence: Annotated[int, Field(examples=[1204])]
    at: Annotated[str, Field(examples=["2026-01-01T21:14:05.123456+00:00"])]
    actor: Annotated[str, Field(description="account/NAME, token/NAME or system/PART", examples=["account/ann"])]
    action: Annotated[str, Field(examples=["payout_confirmed"])]
    subject: Annotated[str, Field(examples=["table/12"])]
    before: Any
    after: Any
    previous: Annotated[str, Field(description="the hash of the entry before it")]
    hash: str


class VerifyBody(BaseModel):
    """What checking the whole chain found."""

    entries: Annotated[int, Field(examples=[1204])]
    faults: Annotated[list[str], Field(description="empty when nothing was changed, deleted, reordered or cut off")]


@router.get("/audit", summary="Read the audit log")
def read_audit(
    _by: Reader,
    base: Base,
    after: Annotated[int, Query(ge=0, le=LARGEST, description="entries after this number")] = 0,
    limit: Annotated[int, Query(ge=1, le=1000, description="at most so many")] = 100,
    subject: Annotated[str | None, Query(description="of this subject alone", examples=["table/12"])] = None,
    newest_first: Annotated[bool, Query(description="the other way round: entries before `before`")] = False,
    before: Annotated[
        int | None, Query(ge=1, le=LARGEST, description="with `newest_first`: entries before this number")
    ] = None,
) -> list[EntryBody]:
    """Entries in order of their numbers, or the newest first."""
    with base.store.reading() as session:
        if newest_first:
            found = log.latest(session, before, subject, limit)
        else:
            found = list(islice(log.entries(session, after, subject), limit))
    return [EntryBody.model_validate(entry.as_json()) for entry in found]


@router.get("/audit/verify", summary="Check the audit log")
def verify_audit(_by: Reader, base: Base) -> VerifyBody:
    """Every entry is hashed anew and compared with the chain and its head file."""
    result = check(base.store)
    return VerifyBody(entries=result.entries, faults=[fault.what for fault in result.faults])


@router.get(
    "/audit/export",
    summary="Export the audit log",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-ndjson": {}}, "description": "one JSON object a line"}},
)
def export_audit(_by: Reader, base: Base) -> StreamingResponse:
    """All entries, one JSON object a line."""
    return StreamingResponse(_lines(base.store), media_type="application/x-ndjson")


@router.get(
    "/settings",
    summary="See the settings",
    responses={200: {"content": {"application/json": {"example": _DEFAULTS}}, "description": "by group and key"}},
)
def read_settings(
    _by: Annotated[Actor, Depends(require(Permission.SEE_SETTINGS))], base: Base
) -> dict[str, dict[str, Any]]:
    """The settings in force, without passwords; they are changed in foursight.toml."""
    return service_settings.shown(base.settings)


def _lines(store: Store) -> Iterator[str]:
    with store.reading() as session:
        for entry in log.entries(session):
            yield json.dumps(entry.as_json(), ensure_ascii=False) + "\n"
