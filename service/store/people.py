"""Tables of people and programs: accounts, their sessions, tokens, and the set-up code; of secrets only hashes."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from service.store.base import Base


class AccountRow(Base):
    """A person who signs in; `name` is in lower case, once a site."""

    __tablename__ = "accounts"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64), unique=True)
    shown_name: Mapped[str] = mapped_column(String(64))
    role: Mapped[str] = mapped_column(String(16))
    secret: Mapped[str] = mapped_column(String(160))  # argon2
    failures: Mapped[int] = mapped_column(default=0)
    locked_until: Mapped[datetime | None]
    disabled_at: Mapped[datetime | None]
    made_at: Mapped[datetime]
    secret_set_at: Mapped[datetime]


class SessionRow(Base):
    """Somebody signed in at one browser; `id` is the sha256 of the cookie."""

    __tablename__ = "sessions"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    csrf: Mapped[str] = mapped_column(String(64))  # sha256 of the CSRF token
    opened_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    ends_at: Mapped[datetime]  # in any case
    ended_at: Mapped[datetime | None]


class TokenRow(Base):
    """A program's key; `sha256` is all that is kept of it."""

    __tablename__ = "tokens"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64), unique=True)
    sha256: Mapped[str] = mapped_column(String(64), unique=True)
    scopes: Mapped[list[Any]]
    made_at: Mapped[datetime]
    made_by: Mapped[str] = mapped_column(String(96))
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    used_at: Mapped[datetime | None]


class SetupCodeRow(Base):
    """The code that makes the first manager; the row is gone once used."""

    __tablename__ = "setup_codes"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    made_at: Mapped[datetime]
