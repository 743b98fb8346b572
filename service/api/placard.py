"""The placard of a table: its pay schedules and limits to print, from the very data its rounds are settled with."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.templating import Jinja2Templates

from service.accounts.permissions import Actor, Permission, require
from service.pages.routes import HERE
from service.rounds.placard import placard
from service.tables.desks import TableDesks, desks

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
_TEMPLATES = Jinja2Templates(HERE / "templates")


@router.get("/tables/{table}/placard")
def see_placard(
    request: Request,
    table: str,
    _by: Annotated[Actor, Depends(require(Permission.SEE_RULES))],
    found: Annotated[TableDesks, Depends(desks)],
) -> Response:
    """The page to print."""
    state = found.find(table).state
    return _TEMPLATES.TemplateResponse(request, "placard.html", {"placard": placard(state.name, state.round.version)})
