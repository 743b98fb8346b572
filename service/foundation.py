"""What everything in the service stands on: the store and who may use it, with or without a web application."""

from dataclasses import dataclass

from service.accounts.accounts import Accounts
from service.accounts.secrets import Hasher
from service.accounts.sessions import Sessions
from service.accounts.tokens import Tokens
from service.settings import Settings
from service.store.evidence import Evidence
from service.store.store import Clock, Store, utc_now


@dataclass(frozen=True, slots=True)
class Foundation:
    """The store, and who may use it."""

    settings: Settings
    store: Store
    evidence: Evidence
    accounts: Accounts
    sessions: Sessions
    tokens: Tokens


def open_foundation(settings: Settings, *, clock: Clock = utc_now, hasher: Hasher | None = None) -> Foundation:
    """Open it; the store is made or brought up to date now."""
    store = Store.open(settings.store, clock)
    hasher = hasher or Hasher()
    return Foundation(
        settings=settings,
        store=store,
        evidence=Evidence(settings.store.evidence_folder),
        accounts=Accounts(store, settings.accounts, hasher),
        sessions=Sessions(store, settings.accounts, hasher),
        tokens=Tokens(store),
    )
