"""What tests of the service share: a store on either database, a clock that stands still, and an application."""

from datetime import UTC, datetime, timedelta

import pytest
from fastapi.testclient import TestClient

from service.accounts.roles import Role, system
from service.accounts.secrets import Hasher
from service.app import create_app
from service.settings import Settings, StoreSettings
from service.store.store import Store
from tests.service.postgres import HOW_TO_GET_IT, Cluster, find_programs

QUICK_HASHER = Hasher(memory_kib=64, passes=1)
SECRETS = {role: "730915" if role is Role.DEALER else "correct horse" for role in Role}


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self):
        self.now = datetime(2026, 1, 1, 21, 14, tzinfo=UTC)

    def __call__(self):
        return self.now

    def forward(self, **by):
        self.now += timedelta(**by)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(scope="session")
def postgres_cluster():
    programs = find_programs()
    if programs is None:
        pytest.skip(HOW_TO_GET_IT)
    cluster = Cluster.start(programs)
    yield cluster
    cluster.stop()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def store_settings(request, tmp_path):
    """The same test on both databases."""
    url = request.getfixturevalue("postgres_cluster").new_store() if request.param == "postgresql" else ""
    return StoreSettings(folder=tmp_path / "kept", url=url)


@pytest.fixture
def store(store_settings, clock):
    opened = Store.open(store_settings, clock)
    yield opened
    opened.close()


@pytest.fixture
def app(tmp_path, clock):
    """The application on SQLite, with one account of each role, named after it."""
    made = create_app(Settings(store=StoreSettings(folder=tmp_path / "kept")), clock=clock, hasher=QUICK_HASHER)
    for role, secret in SECRETS.items():
        made.state.foundation.accounts.add(system("test"), role.value, role, secret)
    return made


@pytest.fixture
def client(app):
    with TestClient(app) as opened:
        yield opened


def sign_in(client, name, secret=None):
    """Sign in by role's name; the client then proves that its own page asks."""
    secret = secret or SECRETS[Role(name)]
    answer = client.post("/api/v1/sign-in", json={"name": name, "secret": secret})
    if answer.status_code == 200:
        client.headers["X-CSRF-Token"] = answer.json()["csrf"]
    return answer
