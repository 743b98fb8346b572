"""Errors in one shape: `{"error": {"code", "message", "field"}}`; one handler for each base class."""

import logging
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from game.errors import GameError
from service.accounts.errors import NotSignedInError
from service.errors import InvalidError, ServiceError
from vision.errors import VisionError

_LOG = logging.getLogger("foursight.web")
API = "/api/"


class Fault(BaseModel):
    """What went wrong."""

    code: Annotated[str, Field(description="for programs; does not change", examples=["not_allowed"])]
    message: Annotated[str, Field(description="for people: what, where, what to do")]
    field: Annotated[str | None, Field(description="the field it is about")] = None


class ErrorBody(BaseModel):
    """The one shape of every error."""

    error: Fault


_EXAMPLE = {"error": {"code": "not_signed_in", "message": "nobody is signed in here; sign in", "field": None}}
# For `include_router(…, responses=RESPONSES)`.
RESPONSES: dict[int | str, dict[str, Any]] = {
    "4XX": {
        "model": ErrorBody,
        "description": "refused; the message says what to do",
        "content": {"application/json": {"example": _EXAMPLE}},
    }
}


def add_handlers(app: FastAPI) -> None:
    """Every error the routes raise, and those of the frame, in the one shape."""
    app.add_exception_handler(ServiceError, _on_service_error)
    app.add_exception_handler(GameError, _on_refused_input)
    app.add_exception_handler(VisionError, _on_refused_input)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(Exception, _on_fault)


def body(error: ServiceError) -> dict[str, Any]:
    """An error in the one shape."""
    return ErrorBody(error=Fault(code=error.code, message=error.message, field=error.field)).model_dump()


def _respond(request: Request, error: ServiceError, headers: dict[str, str] | None = None) -> Response:
    wants_page = not request.url.path.startswith(API) and "text/html" in request.headers.get("Accept", "")
    if not wants_page:
        return JSONResponse(body(error), error.status, headers)
    if isinstance(error, NotSignedInError) and request.method == "GET":
        return RedirectResponse(f"/sign-in?next={quote(request.url.path)}", 303)
    page = getattr(request.app.state, "error_page", None)  # the pages' own template
    if page is not None:
        shown: Response = page(request, error)
        return shown
    return PlainTextResponse(error.message, error.status, headers)


def _on_service_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ServiceError)
    return _respond(request, error)


def _on_refused_input(request: Request, error: Exception) -> Response:
    return _respond(request, InvalidError(str(error)))


def _on_invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return _respond(request, InvalidError("the body is no JSON; send one object, in UTF-8"))
    where = [str(part) for part in first["loc"] if part not in ("body", "query", "path", "header")]
    field = ".".join(where) or None
    message = str(first["msg"]).removeprefix("Value error, ")
    said = message[:1].lower() + message[1:]
    return _respond(request, InvalidError(f"{field}: {said}" if field else said, field=field))


def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    known = ServiceError(_HTTP.get(error.status_code, str(error.detail)))
    known.status = error.status_code
    known.code = HTTPStatus(error.status_code).name.lower()
    return _respond(request, known, dict(error.headers or {}))


_HTTP = {
    404: "there is nothing at this address; see /api/v1/openapi.json for what there is",
    405: "this address does not take this method; see /api/v1/openapi.json for what it takes",
}


def _on_fault(request: Request, error: Exception) -> Response:
    """A fault of the program: the log has it, the answer says nothing of it."""
    _LOG.error("%s %s failed", request.method, request.url.path, exc_info=error)
    fault = ServiceError("the service failed at this; nothing was changed, and its log says why")
    fault.status, fault.code = 500, "internal"
    return _respond(request, fault)
