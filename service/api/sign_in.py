"""Signing in and out, and the first manager."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from service.accounts.permissions import (
    CSRF_COOKIE,
    SESSION_COOKIE,
    Actor,
    Permission,
    actor_of,
    refuse_other_origins,
    require,
)
from service.accounts.roles import PERMISSIONS
from service.accounts.sessions import SignedIn
from service.api.people import AccountBody, Me, NewSecret, SetUp, SignedInBody, SignIn
from service.web.state import Foundation, foundation

router = APIRouter(tags=["sign-in"])
Base = Annotated[Foundation, Depends(foundation)]
Own = Annotated[Actor, Depends(require(Permission.OWN_SESSION))]
# Routes anybody may call; a test knows them by this list.
PUBLIC = ("/sign-in", "/set-up", "/api/v1/sign-in", "/api/v1/set-up", "/healthz", "/api/v1/openapi.json")


@router.post("/sign-in", summary="Sign in")
def sign_in(body: SignIn, request: Request, response: Response, base: Base) -> SignedInBody:
    """Open a session; whoever was signed in at this browser is signed out, as when dealers relieve each other."""
    refuse_other_origins(request)
    opened = base.sessions.sign_in(body.name, body.secret)
    before = actor_of(request, base, touch=False)
    if before is not None and before.session_id is not None:
        base.sessions.sign_out(before)
    set_cookies(response, opened, base)
    role = opened.account.role
    me = Me(
        name=opened.account.name,
        shown_name=opened.account.shown_name,
        role=role,
        permissions=sorted(PERMISSIONS[role]),
    )
    return SignedInBody(me=me, csrf=opened.csrf, ends_at=opened.ends_at)


@router.post("/sign-out", status_code=204, summary="Sign out")
def sign_out(actor: Own, response: Response, base: Base) -> None:
    """End the session of this browser."""
    base.sessions.sign_out(actor)
    for name in (SESSION_COOKIE, CSRF_COOKIE):
        response.delete_cookie(name, path="/", samesite="strict", secure=base.settings.server.is_tls)


@router.get("/me", summary="Who is signed in")
def me(actor: Own) -> Me:
    """Name, role and what they may do."""
    return Me.from_actor(actor)


@router.post("/me/secret", status_code=204, summary="Change the own PIN or password")
def change_secret(body: NewSecret, actor: Own, base: Base) -> None:
    """Signs out everywhere; sign in with the new one."""
    base.accounts.change_own(actor, body.old_secret, body.secret)


@router.post("/set-up", status_code=201, summary="Make the first manager")
def set_up(body: SetUp, request: Request, base: Base) -> AccountBody:
    """With the code that the service prints when it starts without accounts; it works once."""
    refuse_other_origins(request)
    return AccountBody.from_account(base.accounts.set_up(body.code, body.name, body.secret, body.shown_name))


def set_cookies(response: Response, opened: SignedIn, base: Foundation) -> None:
    """The session's cookie, which scripts cannot read, and the CSRF token, which the service's own pages repeat."""
    for name, value, http_only in ((SESSION_COOKIE, opened.cookie, True), (CSRF_COOKIE, opened.csrf, False)):
        response.set_cookie(
            name, value, path="/", httponly=http_only, samesite="strict", secure=base.settings.server.is_tls
        )
