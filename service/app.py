"""The application: the store opened, every route below its address, errors in one shape."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI

from service.accounts.secrets import Hasher
from service.api import accounts, audit, events, health, pictures, placard, rounds, rules, sign_in, tables
from service.foundation import open_foundation
from service.live.tables import LiveTables
from service.pages.routes import add_pages
from service.settings import Settings
from service.store.store import Clock, utc_now
from service.tables.desks import TableDesks
from service.web.describe import describe
from service.web.errors import RESPONSES, add_handlers
from service.web.headers import SecurityHeaders
from service.web.limits import BodyLimit

API = "/api/v1"
_ABOUT = """Proposals for a dealer to confirm at Four Card Poker and Four Card Prime tables, and the record of them.

Browsers sign in and have a session cookie; other programs send `Authorization: Bearer` with a token. Every error has
one shape. Amounts are exact text in cents, `"1500"` or `"1875/2"`."""


def create_app(settings: Settings, *, clock: Clock = utc_now, hasher: Hasher | None = None) -> FastAPI:
    """The application on its store, which is made or brought up to date now; closed when the application ends."""
    base = open_foundation(settings, clock=clock, hasher=hasher)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        base.store.close()

    app = FastAPI(
        title="FourSight table service",
        version=version("foursight"),
        description=_ABOUT,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,  # its page loads scripts from another host
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.foundation = base
    app.state.health = {}
    app.state.live = LiveTables({})
    app.state.desks = TableDesks()
    add_handlers(app)
    app.add_middleware(BodyLimit)
    app.add_middleware(SecurityHeaders, is_tls=settings.server.is_tls)
    app.include_router(health.router)
    for part in (sign_in, accounts, audit, pictures, tables, rounds, rules, events):
        app.include_router(part.router, prefix=API, responses=RESPONSES)
    add_pages(app)
    app.include_router(placard.router)
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    return app
