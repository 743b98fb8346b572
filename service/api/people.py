"""What the routes about people take and answer."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from service.accounts.accounts import Account
from service.accounts.roles import Actor, Permission, Role
from service.accounts.tokens import MOST_DAYS, Token

Name = Annotated[str, Field(description="letters, digits, dots, dashes", min_length=1, max_length=64, examples=["ann"])]
Secret = Annotated[
    str, Field(description="PIN or password; never shown or logged", min_length=1, max_length=200, examples=["730915"])
]
ShownName = Annotated[str, Field(description="as pages show it", max_length=64, examples=["Ann B."])]


class Body(BaseModel):
    """What a request brings; unknown fields are refused, and a value is never repeated in an error."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class SignIn(Body):
    """Name and PIN."""

    name: Name
    secret: Secret


class SetUp(SignIn):
    """The first manager."""

    code: Annotated[str, Field(description="printed by the service when it starts", examples=["K7QD-93XN-AAAA-BBBB"])]
    shown_name: ShownName = ""


class NewSecret(Body):
    """A new PIN or password of one's own."""

    old_secret: Secret
    secret: Secret


class NewAccount(SignIn):
    """A new account."""

    role: Annotated[Role, Field(description="what the person is at the tables")]
    shown_name: ShownName = ""


class Reset(Body):
    """A new PIN or password for somebody."""

    secret: Secret


class NewToken(Body):
    """A new key for a program."""

    name: Name
    scopes: Annotated[list[str], Field(description="what it may do", min_length=1, examples=[["wagers:write"]])]
    days: Annotated[int | None, Field(description="days until it runs out; null never", ge=1, le=MOST_DAYS)] = 365


class Me(BaseModel):
    """Who is signed in."""

    name: Annotated[str, Field(examples=["ann"])]
    shown_name: Annotated[str, Field(examples=["Ann B."])]
    role: Role | None
    permissions: Annotated[list[Permission], Field(examples=[["tables:deal", "tables:read"]])]

    @classmethod
    def from_actor(cls, actor: Actor) -> "Me":
        """Of whoever asks."""
        return cls(
            name=actor.name,
            shown_name=actor.shown_name or actor.name,
            role=actor.role,
            permissions=sorted(actor.permissions),
        )


class SignedInBody(BaseModel):
    """A session was opened; its cookies came with this."""

    me: Me
    csrf: Annotated[str, Field(description="repeat it in the header X-CSRF-Token of every change")]
    ends_at: datetime


class AccountBody(BaseModel):
    """An account."""

    name: Annotated[str, Field(examples=["ann"])]
    shown_name: Annotated[str, Field(examples=["Ann B."])]
    role: Role
    disabled: bool
    locked_until: datetime | None
    made_at: datetime

    @classmethod
    def from_account(cls, account: Account) -> "AccountBody":
        """Of an account."""
        return cls.model_validate(account, from_attributes=True)


class TokenBody(BaseModel):
    """A token, without its key."""

    name: Annotated[str, Field(examples=["chips"])]
    scopes: Annotated[list[Permission], Field(examples=[["wagers:write"]])]
    made_at: datetime
    made_by: Annotated[str, Field(examples=["account/ann"])]
    expires_at: datetime | None
    revoked: bool
    used_at: datetime | None

    @classmethod
    def from_token(cls, token: Token) -> "TokenBody":
        """Of a token."""
        return cls.model_validate(token, from_attributes=True)


class NewTokenBody(TokenBody):
    """A new token; its key is shown this once."""

    key: Annotated[str, Field(description="shown this once", examples=["fs_…"])]
