"""The tables as they are played: the whole view, a stream of views, and the commands that move a table on."""

import json
from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Depends, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from service.accounts.permissions import Actor, Permission, actor_of, require
from service.errors import ServiceError
from service.rounds.commands import ClearWagers, SetWager, StartGame, TaggedCommand
from service.rounds.view import TableView
from service.tables.desk import TableDesk
from service.tables.desks import TableDesks, desks
from service.web.state import Foundation, foundation

BEAT_S: Final = 10.0  # a comment so often, so that both sides notice a connection that is gone
router = APIRouter(tags=["tables"])
Desks = Annotated[TableDesks, Depends(desks)]
See = Annotated[Actor, Depends(require(Permission.SEE_TABLES))]
Look = Annotated[Actor, Depends(require(Permission.SEE_TABLES, touches=False))]
WagerCommand = Annotated[SetWager | ClearWagers | StartGame, Field(discriminator="command")]

EXAMPLE: Final[dict[str, Any]] = json.loads((files("service.api") / "examples.json").read_text(encoding="utf-8"))


class TableTile(BaseModel):
    """One table of the list."""

    table: Annotated[str, Field(description="its name in addresses", examples=["table-12"])]
    name: Annotated[str, Field(examples=["Table 12"])]
    game: Annotated[str, Field(description="FCP or PRIME", examples=["FCP"])]
    revision: Annotated[int, Field(examples=[57])]
    round: Annotated[int, Field(examples=[12])]
    phase: Annotated[str, Field(examples=["settling"])]
    phase_words: Annotated[str, Field(examples=["Settle the hands"])]
    on_duty: Annotated[str | None, Field(description="who deals", examples=["Ann"])]
    alerts: Annotated[int, Field(description="alerts that nobody has acknowledged", examples=[0])]
    stops: Annotated[int, Field(description="those among them that should stop play", examples=[0])]
    camera: Annotated[str, Field(description="none, live, lost or moved", examples=["live"])]


class CommandAnswer(BaseModel):
    """A command that was carried out. Refusals are errors and change nothing."""

    accepted: Annotated[bool, Field(description="always true")] = True
    repeated: Annotated[bool, Field(description="this id was carried out before; nothing was done again")]
    revision: Annotated[int, Field(examples=[58])]
    view: TableView


_VIEW_ANSWER: dict[int | str, dict[str, Any]] = {
    200: {
        "model": TableView,
        "content": {"application/json": {"example": EXAMPLE["view"]}},
        "description": "the whole table, in words as well as in values",
    }
}
_COMMAND_ANSWER: dict[int | str, dict[str, Any]] = {
    200: {
        "model": CommandAnswer,
        "content": {
            "application/json": {
                "example": {"accepted": True, "repeated": False, "revision": 58, "view": EXAMPLE["view"]}
            }
        },
        "description": "carried out; the view after it",
    },
}


@router.get("/tables", summary="All tables")
def list_tables(_by: See, found: Desks) -> list[TableTile]:
    """One tile a table; tables with alerts that stop play first."""
    tiles = [_tile(desk) for desk in found.values()]
    return sorted(tiles, key=lambda tile: (-tile.stops, -tile.alerts, tile.name))


@router.get("/tables/{table}", summary="A table as it is now", response_class=Response, responses=_VIEW_ANSWER)
def see_table(table: str, _by: See, found: Desks) -> Response:
    """Everything a page shows; `revision` rises with each change."""
    return _json(found.find(table).published().json)


@router.get(
    "/tables/{table}/stream",
    summary="A table as it changes",
    response_class=StreamingResponse,
    responses={
        200: {
            "content": {"text/event-stream": {"example": "event: view\nid: 57\ndata: {…}\n\n: beat\n\n"}},
            "description": "server-sent events: `view` with the whole table, its revision as `id`",
        }
    },
)
async def stream_table(
    table: str, _by: Look, found: Desks, request: Request, base: Annotated[Foundation, Depends(foundation)]
) -> StreamingResponse:
    """The view at once, then again each time something changed; a comment every ten seconds while nothing does.

    Views between two that are sent may be left out: the newest is all there is to know. The stream ends with the
    session that opened it.
    """
    desk = found.find(table)
    return StreamingResponse(_events(desk, request, base), media_type="text/event-stream")


@router.post(
    "/tables/{table}/commands",
    summary="Do something at a table",
    response_class=Response,
    responses=_COMMAND_ANSWER,
)
def command_table(
    table: str,
    command: Annotated[TaggedCommand, Body(openapi_examples=EXAMPLE["commands"])],
    actor: See,
    found: Desks,
) -> Response:
    """One command, told apart by `command`; the same `id` sent twice is done once.

    Refused with 409 when the table has gone on since: `changed_since` says what changed, `already_done` who was first,
    `wrong_phase` what comes first. Show the message, take the view anew, let the person decide. `needs_reason` (422)
    asks for the same command with a `reason`.

    Who may: a dealer all commands but those of the floor; `take_back` and `verify_award` a supervisor; `void_round`,
    irregularities, calls and acknowledging a dealer or supervisor; `adjust_meter` a manager.
    """
    return _answer(found.find(table), command, actor)


@router.post(
    "/tables/{table}/wagers",
    summary="Tell what lies on the spots",
    response_class=Response,
    responses=_COMMAND_ANSWER,
)
def send_wager(
    table: str,
    command: Annotated[WagerCommand, Body(openapi_examples=EXAMPLE["wagers"])],
    actor: Annotated[Actor, Depends(require(Permission.SEND_WAGERS))],
    found: Desks,
) -> Response:
    """For a chip-tracking or progressive system: `set_wager`, `clear_wagers`, `start_game`, as in `commands`."""
    return _answer(found.find(table), command, actor)


def _answer(desk: TableDesk, command: Any, actor: Actor) -> Response:  # noqa: ANN401  # any of the commands
    done = desk.do(command, actor)
    newest = desk.published()  # where the table went on meanwhile, the newest is what a page should show
    said = f'"accepted":true,"repeated":{json.dumps(done.repeated)},"revision":{newest.revision}'
    return _json(f'{{{said},"view":{newest.json}}}')


def _json(text: str) -> Response:
    return Response(text, media_type="application/json")


def _tile(desk: TableDesk) -> TableTile:
    view = desk.view()
    return TableTile(
        table=view.table,
        name=view.name,
        game=view.game,
        revision=view.revision,
        round=view.round,
        phase=view.phase,
        phase_words=view.phase_words,
        on_duty=view.on_duty.name if view.on_duty else None,
        alerts=len(view.alerts),
        stops=sum(alert.level == "stop" for alert in view.alerts) + (view.void is not None and view.void.pending),
        camera=view.camera.status,
    )


async def _events(desk: TableDesk, request: Request, base: Foundation) -> AsyncIterator[str]:
    async for published in desk.subscribers.listen(desk.published, BEAT_S):
        if published is None:
            if not await run_in_threadpool(_looks_on, desk, request, base):
                return
            yield ": beat\n\n"
        else:
            yield f"event: view\nid: {published.revision}\ndata: {published.json}\n\n"


def _looks_on(desk: TableDesk, request: Request, base: Foundation) -> bool:
    """Whether the listener is still signed in; then a meter that other tables moved meanwhile is looked at, too."""
    try:
        actor = actor_of(request, base, touch=False)
        desk.sync_meter()
    except ServiceError:
        return False
    return actor is not None and actor.may(Permission.SEE_TABLES)
