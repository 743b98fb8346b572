"""Events from an observer that runs elsewhere: the same language as recordings, in one transaction a request."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends
from pydantic import BaseModel, ConfigDict, Field, field_validator

from service.accounts.permissions import Actor, Permission, require
from service.tables.desks import TableDesks, desks
from vision.events import KINDS, Event

router = APIRouter(tags=["tables"])
_EXAMPLE = {
    "id": "83643da5-c6e1-4c25-b496-914253647586",
    "events": [
        {
            "event": "player_hand",
            "time_s": 12.48,
            "frame": 312,
            "round": 3,
            "zone": "seat-4",
            "cards": ["9s", "9h", "9d", "Kc", "4d"],
            "confidence": 0.9997,
        }
    ],
}


class EventsBody(BaseModel):
    """What an observer saw since the request before."""

    model_config = ConfigDict(extra="forbid")

    id: Annotated[str, Field(min_length=1, max_length=64, description="the same id sent twice is taken in once")]
    events: Annotated[
        list[dict[str, Any]], Field(min_length=1, max_length=200, description="one object each, as in events.jsonl")
    ]
    observer_state: Annotated[
        dict[str, Any] | None, Field(description="what the observer needs to go on, stored with the events")
    ] = None

    @field_validator("events", "observer_state")
    @classmethod
    def _can_be_kept(cls, value: Any) -> Any:  # noqa: ANN401  # any JSON
        """What databases and browsers take: numbers that JSON has, whole characters."""
        try:
            text = json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        except ValueError:
            raise ValueError("there is a number or a character in it that JSON has not, like NaN") from None
        if b"\\u0000" in text:
            raise ValueError("there is a character of code 0 in it; leave it out")
        return value


class EventsAnswer(BaseModel):
    """They were taken in."""

    repeated: Annotated[bool, Field(description="this id was taken in before; nothing was done again")]
    revision: Annotated[int, Field(examples=[58])]


@router.post(
    "/tables/{table}/events",
    summary="Tell what an observer saw",
    description="Events in the order they happened; all of them or none. They fill a round, and never confirm "
    f"or void anything. Kinds: {', '.join(f'`{kind}`' for kind in KINDS)}.",
)
def send_events(
    table: str,
    body: Annotated[EventsBody, Body(examples=[_EXAMPLE])],
    actor: Annotated[Actor, Depends(require(Permission.SEND_EVENTS))],
    found: Annotated[TableDesks, Depends(desks)],
) -> EventsAnswer:
    """Take them in."""
    desk = found.find(table)
    events = [Event.from_record(record, f"event {number}") for number, record in enumerate(body.events, 1)]
    done = desk.take_in(body.id, events, body.observer_state, actor)
    return EventsAnswer(repeated=done.repeated, revision=done.revision)
