"""Accounts: added, listed, disabled, reset; each change is in the audit log, no secret ever is."""

import re
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from service.accounts.errors import SignInError
from service.accounts.roles import Actor, Role, system
from service.accounts.secrets import Hasher, Policy, digest, new_code
from service.errors import ConflictError, InvalidError, NotFoundError
from service.settings import AccountSettings
from service.store.store import Store, Unit
from service.store.tables import AccountRow, SessionRow, SetupCodeRow

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}")


@dataclass(frozen=True, slots=True)
class Account:
    """A person's account as it may be shown."""

    id: int
    name: str
    shown_name: str
    role: Role
    disabled: bool
    locked_until: datetime | None
    made_at: datetime


class Accounts:
    """Everything that is done with accounts but signing in."""

    def __init__(self, store: Store, settings: AccountSettings, hasher: Hasher) -> None:
        self._store = store
        self._policy = Policy(settings)
        self._hasher = hasher

    def all(self) -> list[Account]:
        """Every account, by name."""
        with self._store.reading() as session:
            return [shown(row) for row in session.scalars(select(AccountRow).order_by(AccountRow.name))]

    def add(self, by: Actor, name: str, role: Role, secret: str, shown_name: str = "") -> Account:
        """A new account."""
        key, hashed = self._checked(name, role, secret)
        with self._store.unit() as unit:
            return self._add(unit, by, key, role, hashed, shown_name or name)

    def set_disabled(self, by: Actor, name: str, disabled: bool) -> Account:
        """Close an account, or open it again; whoever is signed in with it is signed out at once."""
        with self._store.unit() as unit:
            row = find(unit.session, name)
            if disabled and row.disabled_at is None and row.role == Role.MANAGER and _managers(unit.session) == 1:
                raise ConflictError(f"{row.name} is the only manager left; add another manager first")
            before = _record(row)
            row.disabled_at = unit.now if disabled else None
            if disabled:
                _end_sessions(unit, row)
            unit.audit(by.label, "account_disabled" if disabled else "account_enabled", f"account/{row.name}",
                       before=before, after=_record(row))  # fmt: skip
            return shown(row)

    def reset(self, by: Actor, name: str, secret: str) -> Account:
        """A new PIN or password, set by a manager; unlocks too, and signs out everywhere."""
        with self._store.reading() as session:
            row = find(session, name)
        key, hashed = self._checked(row.name, Role(row.role), secret)
        with self._store.unit() as unit:
            return self._set_secret(unit, by, key, hashed, "secret_reset")

    def change_own(self, by: Actor, old: str, new: str) -> None:
        """A new PIN or password of one's own; signs out everywhere."""
        with self._store.reading() as session:
            row = find(session, by.name)
        if not self._hasher.matches(row.secret, old):
            raise SignInError("the PIN or password used until now is wrong", field="old_secret")
        key, hashed = self._checked(row.name, Role(row.role), new)
        with self._store.unit() as unit:
            self._set_secret(unit, by, key, hashed, "secret_changed")

    def make_setup_code(self) -> str | None:
        """The code that makes the first manager; None where there is an account. Earlier codes stop working."""
        code = new_code()
        with self._store.unit() as unit:
            if unit.session.scalar(select(func.count()).select_from(AccountRow)):
                return None
            for row in unit.session.scalars(select(SetupCodeRow)):
                unit.session.delete(row)
            unit.session.add(SetupCodeRow(sha256=digest(code), made_at=unit.now))
        return code

    def set_up(self, code: str, name: str, secret: str, shown_name: str = "") -> Account:
        """The first manager, made with the set-up code, once."""
        key, hashed = self._checked(name, Role.MANAGER, secret)
        with self._store.unit() as unit:
            row = unit.session.get(SetupCodeRow, digest(code.strip().upper()), with_for_update=True)
            if row is None:
                raise SignInError("this is not the set-up code; the service prints it when it starts", field="code")
            unit.session.delete(row)
            return self._add(unit, system("set-up"), key, Role.MANAGER, hashed, shown_name or name)

    def _checked(self, name: str, role: Role, secret: str) -> tuple[str, str]:
        key = name.strip().lower()
        if not _NAME.fullmatch(key):
            raise InvalidError("a name is 1 to 32 letters without accents, digits, dots or dashes", field="name")
        self._policy.check(secret, role, key)
        return key, self._hasher.hash(secret)

    def _add(self, unit: Unit, by: Actor, key: str, role: Role, hashed: str, shown_name: str) -> Account:
        if unit.session.scalar(select(AccountRow.id).where(AccountRow.name == key)) is not None:
            raise ConflictError(f"there is an account {key} already; choose another name", field="name")
        row = AccountRow(
            name=key,
            shown_name=" ".join(shown_name.split())[:64],
            role=role.value,
            secret=hashed,
            failures=0,
            made_at=unit.now,
            secret_set_at=unit.now,
        )
        unit.session.add(row)
        unit.session.flush()
        unit.audit(by.label, "account_added", f"account/{key}", after=_record(row))
        return shown(row)

    def _set_secret(self, unit: Unit, by: Actor, key: str, hashed: str, action: str) -> Account:
        row = find(unit.session, key)
        row.secret, row.secret_set_at, row.failures, row.locked_until = hashed, unit.now, 0, None
        _end_sessions(unit, row)
        unit.audit(by.label, action, f"account/{row.name}")
        return shown(row)


def find(session: Session, name: str) -> AccountRow:
    """The account of that name; held against others until the end of a unit of work."""
    row = session.scalar(select(AccountRow).where(AccountRow.name == name.strip().lower()).with_for_update())
    if row is None:
        raise NotFoundError("there is no account of this name; see the list of accounts", field="name")
    return row


def shown(row: AccountRow) -> Account:
    """An account as it may be shown."""
    return Account(
        row.id, row.name, row.shown_name, Role(row.role), row.disabled_at is not None, row.locked_until, row.made_at
    )


def _record(row: AccountRow) -> dict[str, object]:
    return {"name": row.name, "shown_name": row.shown_name, "role": row.role, "disabled": row.disabled_at is not None}


def _managers(session: Session) -> int:
    counted = select(func.count()).select_from(AccountRow)
    return session.scalar(counted.where(AccountRow.role == Role.MANAGER, AccountRow.disabled_at.is_(None))) or 0


def _end_sessions(unit: Unit, row: AccountRow) -> None:
    open_ones = (SessionRow.account_id == row.id, SessionRow.ended_at.is_(None))
    unit.session.execute(update(SessionRow).where(*open_ones).values(ended_at=unit.now))
