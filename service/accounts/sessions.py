"""Signing in and staying signed in: lock-out, sessions that slide while they are used, and end in any case."""

import hmac
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, select

from service.accounts.accounts import Account, shown
from service.accounts.errors import LockedError, SignInError
from service.accounts.roles import PERMISSIONS, Actor, Role
from service.accounts.secrets import Hasher, digest, new_key
from service.settings import AccountSettings
from service.store.store import Store
from service.store.tables import AccountRow, SessionRow

_LOG = logging.getLogger("foursight.accounts")
_NOTE_SEEN_EVERY = timedelta(seconds=20)
_KEEP_ENDED = timedelta(days=7)
WRONG = "the name or the PIN is wrong; try again, or ask a manager"


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A fresh session: the keys that go into the browser's cookies, and whose it is."""

    cookie: str
    csrf: str
    account: Account
    ends_at: datetime


class Sessions:
    """Who is signed in, by the cookie of a browser."""

    def __init__(self, store: Store, settings: AccountSettings, hasher: Hasher) -> None:
        self._store = store
        self._settings = settings
        self._hasher = hasher

    def sign_in(self, name: str, secret: str) -> SignedIn:
        """Open a session. An attempt is counted before it is judged, so that many at once do not get round the lock."""
        kept = self._count_attempt(name.strip().lower())
        if not self._hasher.matches(kept.secret if kept else None, secret) or kept is None:
            if kept is not None:
                self._note_failure(kept)
            else:
                _LOG.info("sign-in with a name that has no account")
            raise SignInError(WRONG)
        return self._open(kept, secret)

    def find(self, cookie: str, *, touch: bool = True) -> Actor | None:
        """Who this browser's session belongs to; None when it is over. A touch keeps it open."""
        key = digest(cookie)
        now = self._store.clock()
        with self._store.reading() as session:
            found = session.execute(
                select(SessionRow, AccountRow)
                .join(AccountRow, AccountRow.id == SessionRow.account_id)
                .where(SessionRow.id == key)
            ).one_or_none()
        if found is None:
            return None
        row, account = found
        if row.ended_at is not None or account.disabled_at is not None or now >= self._end(row):
            return None
        if touch and now - row.seen_at >= _NOTE_SEEN_EVERY:
            with self._store.unit() as unit:
                current = unit.session.get(SessionRow, key)
                if current is not None and current.ended_at is None:
                    current.seen_at = now
        role = Role(account.role)
        return Actor("account", account.name, PERMISSIONS[role], role, account.shown_name, account.id, key)

    def is_own_page(self, actor: Actor, csrf: str) -> bool:
        """Whether the CSRF token is this session's."""
        with self._store.reading() as session:
            row = session.get(SessionRow, actor.session_id)
        return row is not None and hmac.compare_digest(row.csrf, digest(csrf))

    def sign_out(self, actor: Actor) -> None:
        """End the session."""
        with self._store.unit() as unit:
            row = unit.session.get(SessionRow, actor.session_id)
            if row is not None and row.ended_at is None:
                row.ended_at = unit.now
                unit.audit(actor.label, "signed_out", actor.label)

    def _end(self, row: SessionRow) -> datetime:
        return min(row.ends_at, row.seen_at + timedelta(minutes=self._settings.session_minutes))

    def _count_attempt(self, name: str) -> AccountRow | None:
        with self._store.unit() as unit:
            row = unit.session.scalar(select(AccountRow).where(AccountRow.name == name).with_for_update())
            if row is None or row.disabled_at is not None:
                return None
            if row.locked_until is not None and unit.now < row.locked_until:
                minutes = -(-(row.locked_until - unit.now) // timedelta(minutes=1))
                wait = f"{minutes} minute" + "s" * (minutes != 1)
                raise LockedError(f"too many wrong attempts: wait {wait}, or ask a manager to reset it")
            if row.locked_until is not None:
                row.failures, row.locked_until = 0, None
            row.failures += 1
            if row.failures >= self._settings.lock_after:
                row.locked_until = unit.now + timedelta(minutes=self._settings.lock_minutes)
            return row

    def _note_failure(self, kept: AccountRow) -> None:
        locked = kept.locked_until is not None
        with self._store.unit() as unit:
            unit.audit(
                "system/sign-in",
                "account_locked" if locked else "sign_in_failed",
                f"account/{kept.name}",
                after={"failures": kept.failures},
            )

    def _open(self, kept: AccountRow, secret: str) -> SignedIn:
        cookie, csrf = new_key(), new_key()
        with self._store.unit() as unit:
            row = unit.session.scalar(select(AccountRow).where(AccountRow.id == kept.id).with_for_update())
            if row is None or row.disabled_at is not None or row.secret != kept.secret:
                raise SignInError(WRONG)
            row.failures, row.locked_until = 0, None
            if self._hasher.is_old(row.secret):
                row.secret = self._hasher.hash(secret)
            long_over = (SessionRow.account_id == row.id, SessionRow.ends_at < unit.now - _KEEP_ENDED)
            unit.session.execute(delete(SessionRow).where(*long_over))
            ends_at = unit.now + timedelta(hours=self._settings.session_hours)
            unit.session.add(
                SessionRow(
                    id=digest(cookie),
                    account_id=row.id,
                    csrf=digest(csrf),
                    opened_at=unit.now,
                    seen_at=unit.now,
                    ends_at=ends_at,
                )
            )
            unit.audit(f"account/{row.name}", "signed_in", f"account/{row.name}")
            return SignedIn(cookie, csrf, shown(row), ends_at)
