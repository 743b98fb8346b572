"""The pages' addresses: sign-in, the tables, a dealer's page, the office's pages; and the files they load."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from starlette.types import Scope

from service.accounts.permissions import Actor, Permission, require
from service.accounts.roles import SCOPES, Role
from service.api.pictures import live_tables
from service.errors import ServiceError
from service.live.tables import LiveTables

HERE: Final = Path(__file__).parent
router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
_TEMPLATES = Jinja2Templates(HERE / "templates")
See = Annotated[Actor, Depends(require(Permission.SEE_TABLES))]
SeeRules = Annotated[Actor, Depends(require(Permission.SEE_RULES))]
SeeRounds = Annotated[Actor, Depends(require(Permission.SEE_ROUNDS))]
Live = Annotated[LiveTables, Depends(live_tables)]

_ROLE_WORDS: Final = {
    Role.DEALER: "deals: wagers, corrections, confirms payouts",
    Role.SUPERVISOR: "may deal, takes payouts back, verifies awards, answers alerts, sees past rounds",
    Role.SURVEILLANCE: "sees tables, rounds, alerts and the audit log; changes nothing",
    Role.MANAGER: "sets rules, meter and accounts, reads the audit log, answers alerts; does not deal",
}


@dataclass(frozen=True, slots=True)
class DemoAccount:
    """An account that the demonstration shows with its secret."""

    name: str
    shown_name: str
    role: str
    secret: str


@dataclass(frozen=True, slots=True)
class Demo:
    """What the pages of a demonstration say besides."""

    welcome: str  # on the sign-in page
    plays: tuple[str, ...]  # what the players of each round of the film do
    accounts: tuple[DemoAccount, ...]

    @property
    def for_table(self) -> dict[str, object]:
        """What the dealer's page needs of it."""
        return {"plays": list(self.plays)}


class FreshFiles(StaticFiles):
    """Files that a browser asks for again each time: after an update no page runs with an old script."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, or that it has not changed."""
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


def add_pages(app: FastAPI) -> None:
    """Put the pages into an application; a `Demo` as its `state.demo` is what they say of a demonstration."""
    app.state.demo = None
    app.state.error_page = _error_page
    app.include_router(router)
    app.mount("/static", FreshFiles(directory=HERE / "static"), name="static")


@router.get("/sign-in")
def sign_in(request: Request) -> Response:
    """Anybody may see it."""
    return _page(request, "sign_in.html")


@router.get("/set-up")
def set_up(request: Request) -> Response:
    """The first manager, with the code that the service prints; anybody may see it."""
    return _page(request, "set_up.html")


@router.get("/")
def tables(request: Request, me: See, live: Live) -> Response:
    """All tables as tiles."""
    shown = [{"key": key, "name": worker.table.name} for key, worker in live.workers.items()]
    return _page(request, "tables.html", {"me": me, "tables": shown})


@router.get("/tables/{table}")
def table(request: Request, table: str, me: See, live: Live) -> Response:
    """The dealer's page."""
    worker = live[table]
    return _page(request, "table.html", {"me": me, "table": {"key": table, "name": worker.table.name}})


@router.get("/tables/{table}/rules")
def rules(request: Request, table: str, me: SeeRules, live: Live) -> Response:
    """The rules of a table, and its next ones for who may set them."""
    return _page(request, "rules.html", {"me": me, "table": {"key": table, "name": live[table].table.name}})


@router.get("/tables/{table}/rounds")
def rounds(request: Request, table: str, me: SeeRounds, live: Live) -> Response:
    """Past rounds, with what was seen, corrected and paid."""
    return _page(request, "rounds.html", {"me": me, "table": {"key": table, "name": live[table].table.name}})


@router.get("/tables/{table}/meter")
def meter(request: Request, table: str, me: SeeRounds, live: Live) -> Response:
    """The progressive meter, what moved it, and its adjustment for who may."""
    return _page(request, "meter.html", {"me": me, "table": {"key": table, "name": live[table].table.name}})


@router.get("/me")
def me(request: Request, me: Annotated[Actor, Depends(require(Permission.OWN_SESSION))]) -> Response:
    """The own PIN or password."""
    return _page(request, "me.html", {"me": me, "word": "PIN" if me.role is Role.DEALER else "password"})


@router.get("/accounts")
def accounts(request: Request, me: Annotated[Actor, Depends(require(Permission.MANAGE_ACCOUNTS))]) -> Response:
    """People and keys."""
    content = {"me": me, "roles": [(role.value, _ROLE_WORDS[role]) for role in Role], "scopes": sorted(SCOPES)}
    return _page(request, "accounts.html", content)


@router.get("/audit")
def audit(request: Request, me: Annotated[Actor, Depends(require(Permission.SEE_AUDIT))]) -> Response:
    """The audit log."""
    return _page(request, "audit.html", {"me": me})


def _error_page(request: Request, error: ServiceError) -> Response:
    return _page(request, "error.html", {"error": error}, error.status)


def _page(request: Request, template: str, content: Mapping[str, Any] | None = None, status: int = 200) -> Response:
    demo = request.app.state.demo
    return _TEMPLATES.TemplateResponse(request, template, {"demo": demo, **(content or {})}, status_code=status)
