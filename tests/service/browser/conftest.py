"""A real Chromium before a real `foursight run`: the bundled recording as a table, read by the real networks."""

import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import sync_playwright

from service.accounts.roles import Role, system
from service.accounts.secrets import Hasher
from service.foundation import open_foundation
from service.settings import read_settings
from tests.service.browser.tablet import DEMO, PATIENCE_S, ROOT, SECRETS, Tablet
from tests.service.browser.told import Told

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
HOW_TO_GET_IT = "Chromium is missing; `make browser` installs Debian's (needs root)"
SPEED = "3"  # the film plays faster than it was filmed, if the machine reads as fast
MAIN = "import sys; from service.cli import main; sys.exit(main())"


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
def server(tmp_path_factory, browser):
    made = Server(tmp_path_factory.mktemp("evening"))
    try:
        made.start()
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="module")
def told(tmp_path_factory, browser):
    made = Told(tmp_path_factory.mktemp("told"))
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        pytest.skip(HOW_TO_GET_IT)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def ann(browser, server):
    return Tablet(browser, server, "ann")


@pytest.fixture(scope="module")
def sam(browser, server):
    return Tablet(browser, server, "sam", color_scheme="light")
