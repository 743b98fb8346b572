"""What every route states: who may. `Depends(require(Permission.DEAL))` gives the actor, or refuses.

A browser has a session cookie, and proves with each change that its own page asks: the header `X-CSRF-Token` repeats
the CSRF cookie. A program has a token in the header `Authorization: Bearer …`.
"""

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request

from service.accounts.errors import ForgedError, NotAllowedError, NotSignedInError
from service.accounts.roles import Actor, Permission, Role
from service.web.state import Foundation, foundation

SESSION_COOKIE = "foursight_session"
CSRF_COOKIE = "foursight_csrf"
CSRF_HEADER = "X-CSRF-Token"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

__all__ = ["Actor", "Permission", "Requirement", "Role", "actor_of", "refuse_other_origins", "require"]


class Requirement:
    """A dependency that lets through who has the permission; a test reads it off every route."""

    def __init__(self, permission: Permission, *, touches: bool) -> None:
        self.permission = permission
        self._touches = touches

    def __call__(self, request: Request, base: Annotated[Foundation, Depends(foundation)]) -> Actor:
        """Who asks, when they may."""
        actor = actor_of(request, base, touch=self._touches)
        if actor is None:
            raise NotSignedInError("nobody is signed in here, or not any more; sign in")
        if actor.session_id is not None and request.method not in _SAFE:
            refuse_other_origins(request)
            if not base.sessions.is_own_page(actor, request.headers.get(CSRF_HEADER, "")):
                raise ForgedError(f"the header {CSRF_HEADER} is missing or wrong; load the page again")
        if not actor.may(self.permission):
            who = f"a {actor.role}" if actor.role else "this token"
            raise NotAllowedError(f"{who} may not do this ({self.permission}); ask a supervisor or manager")
        return actor


def require(permission: Permission, *, touches: bool = True) -> Requirement:
    """A guard for a route; `touches=False` where a page asks by itself and so must not keep a session open."""
    return Requirement(permission, touches=touches)


def actor_of(request: Request, base: Foundation, *, touch: bool = True) -> Actor | None:
    """Who asks: by token, or by session cookie; None for nobody."""
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return base.tokens.find(key.strip())
    cookie = request.cookies.get(SESSION_COOKIE)
    return base.sessions.find(cookie, touch=touch) if cookie else None


def refuse_other_origins(request: Request) -> None:
    """Refuse a change that a page of another site asks for."""
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("Host"):
        raise ForgedError("this was asked by a page of another site; open the service's own page")
