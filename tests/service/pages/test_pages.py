"""The pages' frames: who gets to them, what they load, and that nothing comes from elsewhere."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

import service.pages.routes as pages
from game.house_rules import HouseRules
from service.accounts.roles import Role
from service.live.tables import LiveTables
from service.live.worker import Feed, TableWorker
from service.pages.routes import Demo, DemoAccount
from service.rounds.house_words import HOUSE_RULES
from tests.service.conftest import sign_in
from vision.recording import open_recording

STATIC = pages.HERE / "static"
SCRIPTS = sorted(STATIC.rglob("*.js"))
HTML = {"Accept": "text/html"}


@pytest.fixture
def watched(app):
    """The application with a table whose worker has not been started."""
    worker = TableWorker(open_recording("datasets/demo").table, Feed("datasets/demo"), None, None)
    app.state.live = LiveTables({"table-12": worker})
    return app


@pytest.mark.parametrize("path", ["/", "/tables/table-12"])
def test_who_is_not_signed_in_is_sent_to_the_sign_in_page_and_back(client, path):
    answer = client.get(path, headers=HTML, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/sign-in?next=")


OF_MANAGERS = [
    "/",
    "/accounts",
    "/audit",
    "/tables/table-12/rules",
    "/tables/table-12/meter",
    "/tables/table-12/rounds",
]


@pytest.mark.parametrize(
    ("path", "role"),
    [(path, Role.DEALER) for path in ("/sign-in", "/set-up", "/", "/tables/table-12", "/tables/table-12/rules", "/me")]
    + [(path, Role.MANAGER) for path in OF_MANAGERS],
)
def test_a_page_has_no_script_or_style_of_its_own_and_its_files_are_there(watched, client, path, role):
    sign_in(client, role)
    answer = client.get(path, headers=HTML)
    assert answer.status_code == 200
    assert "text/html" in answer.headers["content-type"]
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=", answer.text)
    for file in re.findall(r'(?:src|href)="(/static/[^"]+)"', answer.text):
        assert client.get(file).status_code == 200, file


def test_only_who_may_change_something_is_offered_it(watched, client):
    sign_in(client, Role.DEALER)
    assert "data-may-set" not in client.get("/tables/table-12/rules", headers=HTML).text
    assert "/accounts" not in client.get("/", headers=HTML).text
    sign_in(client, Role.SUPERVISOR)
    assert 'id="adjust"' not in client.get("/tables/table-12/meter", headers=HTML).text
    sign_in(client, Role.MANAGER)
    assert 'id="adjust"' in client.get("/tables/table-12/meter", headers=HTML).text
    assert "data-may-set" in client.get("/tables/table-12/rules", headers=HTML).text
    assert 'href="/audit"' in client.get("/", headers=HTML).text


def test_every_house_rule_has_words():
    assert set(HOUSE_RULES) == {each.name for each in fields(HouseRules)}


def test_a_table_that_is_not_there_is_told_on_a_page(client):
    sign_in(client, Role.DEALER)
    answer = client.get("/tables/table-99", headers=HTML)
    assert answer.status_code == 404
    assert "No table &#39;table-99&#39; is watched here" in answer.text


def test_names_are_escaped(watched, client):
    worker = watched.state.live["table-12"]
    object.__setattr__(worker.table, "name", "<img src=x>")
    sign_in(client, Role.DEALER)
    assert "&lt;img src=x&gt;" in client.get("/tables/table-12", headers=HTML).text


def test_a_table_without_a_picture_says_why(watched, client):
    sign_in(client, Role.DEALER)
    answer = client.get("/api/v1/tables/table-12/picture.jpg")
    assert answer.status_code == 503
    assert answer.json()["error"]["message"] == "Table 12 has no picture yet: the camera starts"


def test_only_a_demonstration_shows_accounts(app, client):
    assert "data-pin" not in client.get("/sign-in", headers=HTML).text
    app.state.demo = Demo("Welcome.", ('seat 2 plays 3× "twice"',), (DemoAccount("ann", "Ann", "dealer", "402617"),))
    assert 'data-account="ann" data-pin="402617"' in client.get("/sign-in", headers=HTML).text


def test_files_are_asked_for_again_each_time(client):
    answer = client.get("/static/js/table.js")
    assert answer.headers["cache-control"] == "no-cache"
    assert client.get("/static/../routes.py").status_code == 404


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_import_what_is_there(script):
    text = script.read_text(encoding="utf-8")
    for names, source in re.findall(r'import \{([^}]*)\} from "([^"]+)"', text):
        imported = Path(script.parent / source).read_text(encoding="utf-8")
        for name in (part.strip() for part in names.split(",")):
            assert not name or re.search(rf"export (async )?(function|class|const) {name}\b", imported), (
                f"{name} of {source}"
            )
            assert not name or len(re.findall(rf"\b{name}\b", text)) > 1, f"{name} is not used"


@pytest.mark.parametrize(
    "file", sorted(p for p in pages.HERE.rglob("*.*") if p.suffix in {".js", ".css", ".html", ".svg"})
)
def test_nothing_comes_from_another_host(file):
    hosts = set(re.findall(r"(?:https?:)?//([a-z0-9.-]+\.[a-z]+)", file.read_text(encoding="utf-8")))
    assert hosts <= {"www.w3.org"}  # a name in SVG, never fetched
