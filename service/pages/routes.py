"""The pages' addresses: sign-in, the list of tables, a dealer's page; and the files they load."""

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
from service.api.pictures import live_tables
from service.errors import ServiceError
from service.live.tables import LiveTables

HERE: Final = Path(__file__).parent
router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
_TEMPLATES = Jinja2Templates(HERE / "templates")
See = Annotated[Actor, Depends(require(Permission.SEE_TABLES))]
Live = Annotated[LiveTables, Depends(live_tables)]


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


def _error_page(request: Request, error: ServiceError) -> Response:
    return _page(request, "error.html", {"error": error}, error.status)


def _page(request: Request, template: str, content: Mapping[str, Any] | None = None, status: int = 200) -> Response:
    demo = request.app.state.demo
    return _TEMPLATES.TemplateResponse(request, template, {"demo": demo, **(content or {})}, status_code=status)
