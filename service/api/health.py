"""Whether the service works."""

from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, Field
from sqlalchemy import text

from service.errors import UnavailableError
from service.web.state import Foundation, foundation

router = APIRouter(tags=["health"])
Check = Callable[[], str | None]  # a fault in words, or None


class Health(BaseModel):
    """`ok`, or what is wrong in each part."""

    status: Annotated[str, Field(description="ok or fault", examples=["ok"])]
    version: Annotated[str, Field(examples=["0.1.0"])]
    parts: Annotated[dict[str, str], Field(examples=[{"store": "ok", "audit": "ok"}])]


@router.get("/healthz", summary="Whether the service works", responses={503: {"model": Health}})
def healthz(request: Request, response: Response, base: Annotated[Foundation, Depends(foundation)]) -> Health:
    """For watchdogs: 200 when everything works, else 503; says no more than which part does not."""
    checks: dict[str, Check] = request.app.state.health
    parts = {"store": _store(base), "audit": "fault" if base.store.audit_fault else "ok"}
    parts |= {name: check() or "ok" for name, check in checks.items()}
    is_well = all(state == "ok" for state in parts.values())
    response.status_code = 200 if is_well else 503
    return Health(status="ok" if is_well else "fault", version=version("foursight"), parts=parts)


def _store(base: Foundation) -> str:
    try:
        with base.store.reading() as session:
            session.execute(text("SELECT 1"))
    except UnavailableError:
        return "fault"
    return "ok"
