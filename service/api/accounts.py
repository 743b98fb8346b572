"""Accounts and tokens, for managers."""

from typing import Annotated

from fastapi import APIRouter, Depends

from service.accounts.permissions import Actor, Permission, require
from service.api.people import AccountBody, NewAccount, NewToken, NewTokenBody, Reset, TokenBody
from service.web.state import Foundation, foundation

router = APIRouter(tags=["accounts"])
Base = Annotated[Foundation, Depends(foundation)]
Manager = Annotated[Actor, Depends(require(Permission.MANAGE_ACCOUNTS))]
TokenManager = Annotated[Actor, Depends(require(Permission.MANAGE_TOKENS))]


@router.get("/accounts", summary="List accounts")
def list_accounts(_by: Manager, base: Base) -> list[AccountBody]:
    """Every account, by name."""
    return [AccountBody.from_account(account) for account in base.accounts.all()]


@router.post("/accounts", status_code=201, summary="Add an account")
def add_account(body: NewAccount, by: Manager, base: Base) -> AccountBody:
    """Dealers may have a PIN; everybody else a password."""
    return AccountBody.from_account(base.accounts.add(by, body.name, body.role, body.secret, body.shown_name))


@router.post("/accounts/{name}/disable", summary="Close an account")
def disable_account(name: str, by: Manager, base: Base) -> AccountBody:
    """Whoever is signed in with it is signed out at once."""
    return AccountBody.from_account(base.accounts.set_disabled(by, name, True))


@router.post("/accounts/{name}/enable", summary="Open an account again")
def enable_account(name: str, by: Manager, base: Base) -> AccountBody:
    """With the PIN it had."""
    return AccountBody.from_account(base.accounts.set_disabled(by, name, False))


@router.post("/accounts/{name}/reset", summary="Set a new PIN or password")
def reset_account(name: str, body: Reset, by: Manager, base: Base) -> AccountBody:
    """Unlocks the account, and signs it out everywhere."""
    return AccountBody.from_account(base.accounts.reset(by, name, body.secret))


@router.get("/tokens", summary="List tokens")
def list_tokens(_by: TokenManager, base: Base) -> list[TokenBody]:
    """Every token, by name, without its key."""
    return [TokenBody.from_token(token) for token in base.tokens.all()]


@router.post("/tokens", status_code=201, summary="Add a token")
def add_token(body: NewToken, by: TokenManager, base: Base) -> NewTokenBody:
    """A key for another program, shown this once. No token can confirm a payout."""
    key, token = base.tokens.add(by, body.name, body.scopes, body.days)
    return NewTokenBody(key=key, **TokenBody.from_token(token).model_dump())


@router.post("/tokens/{name}/revoke", summary="Revoke a token")
def revoke_token(name: str, by: TokenManager, base: Base) -> TokenBody:
    """It stops working at once, for good."""
    return TokenBody.from_token(base.tokens.revoke(by, name))
