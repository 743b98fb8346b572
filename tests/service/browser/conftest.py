"""A real Chromium before a real `foursight run`: the bundled recording as a table, read by the real networks."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import expect, sync_playwright

from service.accounts.roles import Role, system
from service.accounts.secrets import Hasher
from service.foundation import open_foundation
from service.settings import read_settings

ROOT = Path(__file__).parents[3]
DEMO = ROOT / "datasets" / "demo"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
HOW_TO_GET_IT = "Chromium is missing; `make browser` installs Debian's (needs root)"
SPEED = "3"  # the film plays faster than it was filmed, if the machine reads as fast
TABLET = {"width": 1280, "height": 800}
PATIENCE_S = float(os.environ.get("BROWSER_PATIENCE_S", "120"))  # a busy machine reads slower than it plays
SECRETS = {"ann": ("dealer", "402617"), "ben": ("dealer", "835094"), "sam": ("supervisor", "lucky-felt-31")}
MAIN = "import sys; from service.cli import main; sys.exit(main())"

expect.set_options(timeout=15_000)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


class Server:
    """`foursight run` on the recording, in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log.txt"
        self.settings = folder / "foursight.toml"
        self.settings.write_text(f'[store]\nfolder = "{folder / "kept"}"\n', encoding="utf-8")
        base = open_foundation(read_settings(self.settings), hasher=Hasher(memory_kib=64, passes=1))
        for name, (role, secret) in SECRETS.items():
            base.accounts.add(system("test"), name, Role(role), secret, name.title())
        base.store.close()

    def start(self):
        options = ("--table", DEMO / "table.toml", "--source", DEMO, "--speed", SPEED, "--wait", "--port", free_port())
        with self.log.open("w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", MAIN, "run", *map(str, options), "--settings", str(self.settings)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=ROOT,
            )
        said = self.process.stdout.readline()
        assert said, self.log.read_text(encoding="utf-8")
        self.address = re.search(r"https?://[0-9.:]+", said)[0]
        until = time.monotonic() + PATIENCE_S
        while not self._plays():
            assert time.monotonic() < until, self.log.read_text(encoding="utf-8")
            time.sleep(0.2)

    def _plays(self):
        try:
            return httpx2.get(f"{self.address}/healthz", timeout=10).status_code == 200
        except httpx2.TransportError:
            return False

    def stop(self):
        with self.process:
            self.process.terminate()
            self.process.wait(15)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    if CHROMIUM is None:
        pytest.skip(HOW_TO_GET_IT)
    made = Server(tmp_path_factory.mktemp("evening"))
    try:
        made.start()
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="module")
def browser(server):
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


class Tablet:
    """One tablet beside the table, and the person who is signed in at it."""

    def __init__(self, browser, server, name, **options):
        self.faults = []
        self.context = browser.new_context(viewport=TABLET, **options)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.goto(f"{server.address}/tables/table-12")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("PIN or password").fill(SECRETS[name][1])
        self.page.get_by_role("button", name="Sign in").click()
        expect(self.title).to_be_visible()

    @property
    def title(self):
        return self.page.locator("#decision h1")

    def key(self, key):
        """A control by its key."""
        return self.page.locator(f'[data-key="{key}"]')

    def seat(self, number):
        """A seat of the strip."""
        return self.key(f"seat-{number}")

    def tap(self, key):
        self.key(key).click()

    def view(self):
        """What the service says of the table now."""
        return self.page.evaluate("fetch('/api/v1/tables/table-12').then((answer) => answer.json())")

    def until(self, is_so, why):
        """Wait for the film."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            view = self.view()
            if is_so(view):
                return view
            time.sleep(0.25)
        raise AssertionError(f"{why}: {json.dumps(view)[:2000]}")

    def looks_right(self):
        """Nothing is cut off, nothing scrolls, everything that can be tapped is large enough."""
        assert self.page.evaluate(CUT_OFF) == []
        assert self.page.evaluate(TOO_SMALL) == []
        assert self.faults == []


CUT_OFF = """[...document.querySelectorAll('body, .decision, .below, .top, .seats, .void, .facts')]
  .filter((each) => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)
  .map((each) => `${each.className || each.tagName} ${each.scrollWidth}x${each.scrollHeight}`)"""
TOO_SMALL = """[...document.querySelectorAll('button, a, input')]
  .filter((each) => each.offsetParent && Math.min(each.offsetWidth, each.offsetHeight) < 47.5)
  .map((each) => `${each.dataset.key || each.className} ${each.offsetWidth}x${each.offsetHeight}`)"""


@pytest.fixture(scope="module")
def ann(browser, server):
    return Tablet(browser, server, "ann")


@pytest.fixture(scope="module")
def sam(browser, server):
    return Tablet(browser, server, "sam", color_scheme="light")
