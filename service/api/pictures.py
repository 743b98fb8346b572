"""The live picture of a table, for pages: the felt with its zones and what was read; one JPEG at a time."""

from secrets import token_hex
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Request, Response

from service.accounts.permissions import Actor, Permission, require
from service.errors import UnavailableError
from service.live.tables import LiveTables

router = APIRouter(tags=["tables"])
_BOOT = token_hex(4)  # frames are counted anew where nothing was stored


def live_tables(request: Request) -> LiveTables:
    """The tables that are watched."""
    found = request.app.state.live
    assert isinstance(found, LiveTables)
    return found


@router.get(
    "/tables/{table}/picture.jpg",
    summary="The newest picture",
    response_class=Response,
    responses={
        200: {"content": {"image/jpeg": {}}, "description": "the table, zones outlined, read cards named"},
        304: {"description": "still the picture that the ETag names"},
    },
)
def picture(
    table: str,
    actor: Annotated[Actor, Depends(require(Permission.SEE_TABLES, touches=False))],
    live: Annotated[LiveTables, Depends(live_tables)],
    if_none_match: Annotated[str | None, Header()] = None,
) -> Response:
    """Ask with `If-None-Match` again and again; `X-Camera-State` and `X-Camera-Fps` say how the camera does,
    `X-Rounds-Seen` how many rounds it has seen begin."""
    worker = live[table]
    number, status = worker.picture.number, worker.status
    headers = {"X-Camera-State": status.state, "X-Camera-Fps": f"{status.fps:.0f}"}
    headers["X-Rounds-Seen"] = str(worker.rounds_seen)
    if number is not None and if_none_match == _tag(number):
        return Response(status_code=304, headers=headers | {"ETag": _tag(number)})
    drawn = worker.picture.jpeg()
    if drawn is None:
        raise UnavailableError(f"{worker.table.name} has no picture yet: {status.words}")
    number, content = drawn
    return Response(content, media_type="image/jpeg", headers=headers | {"ETag": _tag(number)})


def _tag(number: int) -> str:
    return f'"{_BOOT}-{number}"'
