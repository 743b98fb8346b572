"""The description of every route: OpenAPI, with who may call it and how they prove who they are."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Mount

from service.accounts.permissions import CSRF_HEADER, SESSION_COOKIE, Requirement
from service.accounts.roles import PERMISSIONS, SCOPES, Permission

_SECURITY = {
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": SESSION_COOKIE,
        "description": f"from POST /api/v1/sign-in; each change also needs the header {CSRF_HEADER}",
    },
    "token": {"type": "http", "scheme": "bearer", "description": "a token with the scope that the route names"},
}


@dataclass(frozen=True, slots=True)
class Door:
    """One way in: a path, its methods, and the permission it asks for; None asks for nothing."""

    path: str
    methods: frozenset[str]
    permission: Permission | None


def doors(app: FastAPI) -> Iterator[Door]:
    """Every route of the application, mounted folders included."""
    yield from _doors(app.routes, "")


def describe(app: FastAPI) -> dict[str, Any]:
    """OpenAPI's document, made once: each operation says who may."""
    if app.openapi_schema:
        return app.openapi_schema
    document = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes, tags=app.openapi_tags
    )
    document.setdefault("components", {})["securitySchemes"] = _SECURITY
    for door in doors(app):
        for method in door.methods:
            operation = document["paths"].get(door.path, {}).get(method.lower())
            if operation is not None:
                _say_who_may(operation, door.permission)
    app.openapi_schema = document
    return document


def _doors(routes: list[BaseRoute], prefix: str) -> Iterator[Door]:
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:  # a router that was included
            yield from _doors(inner.routes, prefix + route.include_context.prefix)  # type: ignore[attr-defined]
        elif isinstance(route, APIRoute):
            yield Door(prefix + route.path, frozenset(route.methods or ()), _permission(route))
        elif isinstance(route, Mount):
            yield Door(prefix + route.path, frozenset({"GET"}), None)
        else:
            methods = frozenset(getattr(route, "methods", None) or {"GET"})
            yield Door(prefix + getattr(route, "path", ""), methods, None)


def _permission(route: APIRoute) -> Permission | None:
    calls = (dependency.call for dependency in route.dependant.dependencies)
    return next((call.permission for call in calls if isinstance(call, Requirement)), None)


def _say_who_may(operation: dict[str, Any], permission: Permission | None) -> None:
    if permission is None:
        who = "Anybody"
        operation["security"] = []
    else:
        roles = [role.value for role, permissions in PERMISSIONS.items() if permission in permissions]
        with_token = permission in SCOPES
        operation["security"] = [{"session": []}, *([{"token": []}] if with_token else [])]
        operation["x-permission"] = permission.value
        token = f"a token with scope `{permission}`"
        who = ", ".join([*roles, token] if with_token else roles)
    operation["description"] = f"{operation.get('description', '')}\n\nWho may: {who}.".strip()
