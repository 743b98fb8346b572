"""Keys of other programs: each has scopes, may run out, and can be revoked; only a hash of it is kept."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select

from service.accounts.roles import SCOPES, Actor, Permission
from service.accounts.secrets import digest, new_key
from service.errors import ConflictError, InvalidError, NotFoundError
from service.store.store import Store
from service.store.tables import TokenRow

PREFIX = "fs_"
MOST_DAYS = 3650
_NAME = re.compile(r"[a-z0-9][a-z0-9._:-]{0,63}")  # it stands in addresses: what cannot would never be revoked
_NOTE_USE_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it may be shown: without its key."""

    name: str
    scopes: tuple[Permission, ...]
    made_at: datetime
    made_by: str
    expires_at: datetime | None
    revoked: bool
    used_at: datetime | None


class Tokens:
    """The keys of other programs."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self) -> list[Token]:
        """Every token, by name."""
        with self._store.reading() as session:
            return [_shown(row) for row in session.scalars(select(TokenRow).order_by(TokenRow.name))]

    def add(self, by: Actor, name: str, scopes: Iterable[str], days: int | None = None) -> tuple[str, Token]:
        """A new token and its key, which is shown this once."""
        name, wanted = name.strip().lower(), sorted(set(scopes))
        if not _NAME.fullmatch(name):
            raise InvalidError(
                "a token's name is 1 to 64 letters without accents, digits, dots or dashes", field="name"
            )
        if not wanted:
            raise InvalidError(
                f"a token has at least one scope; choose from {', '.join(sorted(SCOPES))}", field="scopes"
            )
        unknown = [scope for scope in wanted if scope not in {known.value for known in SCOPES}]
        if unknown:
            known = ", ".join(sorted(SCOPES))
            raise InvalidError(f"{unknown[0]!r} is no scope a token can have; choose from {known}", field="scopes")
        if days is not None and not 1 <= days <= MOST_DAYS:
            raise InvalidError(f"a token lasts 1 to {MOST_DAYS:,} days, or without end", field="days")
        key = new_key(PREFIX)
        with self._store.unit() as unit:
            if unit.session.scalar(select(TokenRow.id).where(TokenRow.name == name)) is not None:
                raise ConflictError(f"there is a token {name} already; choose another name", field="name")
            row = TokenRow(
                name=name,
                sha256=digest(key),
                scopes=wanted,
                made_at=unit.now,
                made_by=by.label,
                expires_at=unit.now + timedelta(days=days) if days else None,
            )
            unit.session.add(row)
            unit.audit(by.label, "token_added", f"token/{name}", after={"scopes": wanted, "days": days})
            return key, _shown(row)

    def revoke(self, by: Actor, name: str) -> Token:
        """End a token for good."""
        with self._store.unit() as unit:
            query = select(TokenRow).where(TokenRow.name == name.strip().lower()).with_for_update()
            row = unit.session.scalar(query)
            if row is None:
                raise NotFoundError("there is no token of this name; see the list of tokens", field="name")
            if row.revoked_at is None:
                row.revoked_at = unit.now
                unit.audit(by.label, "token_revoked", f"token/{row.name}")
            return _shown(row)

    def find(self, key: str) -> Actor | None:
        """Whose key this is; None when it is nobody's, or no longer."""
        now = self._store.clock()
        with self._store.reading() as session:
            row = session.scalar(select(TokenRow).where(TokenRow.sha256 == digest(key)))
        if row is None or row.revoked_at is not None or (row.expires_at is not None and now >= row.expires_at):
            return None
        if row.used_at is None or now - row.used_at >= _NOTE_USE_EVERY:
            with self._store.unit() as unit:
                current = unit.session.get(TokenRow, row.id)
                if current is not None:
                    current.used_at = now
        return Actor("token", row.name, frozenset(Permission(scope) for scope in row.scopes))


def _shown(row: TokenRow) -> Token:
    scopes = tuple(Permission(scope) for scope in row.scopes)
    return Token(row.name, scopes, row.made_at, row.made_by, row.expires_at, row.revoked_at is not None, row.used_at)
