"""A tablet beside the table, as tests hold it."""

import json
import os
import time
from pathlib import Path

from playwright.sync_api import expect

ROOT = Path(__file__).parents[3]
DEMO = ROOT / "datasets" / "demo"
UNSEEN_MS = 400  # a little longer than a decision that has just appeared takes no tap
TABLET = {"width": 1280, "height": 800}
PATIENCE_S = float(os.environ.get("BROWSER_PATIENCE_S", "120"))  # a busy machine reads slower than it plays
SECRETS = {
    "ann": ("dealer", "402617"),
    "ben": ("dealer", "835094"),
    "sam": ("supervisor", "lucky-felt-31"),
    "mia": ("manager", "green-cards-52"),
}

expect.set_options(timeout=15_000)


class Tablet:
    """One tablet beside the table, and the person who is signed in at it."""

    def __init__(self, browser, server, name, path="/tables/table-12", **options):
        self.faults = []
        self.context = browser.new_context(viewport=TABLET, **options)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.goto(f"{server.address}{path}")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("PIN or password").fill(SECRETS[name][1])
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url(f"{server.address}{path}")

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

    def press(self, key):
        """Take a decision; what has just appeared takes no tap."""
        expect(self.key(key)).to_be_enabled()
        self.page.wait_for_timeout(UNSEEN_MS)
        self.tap(key)

    def type_hand(self, cards):
        """A hand entered by hand, as fingers do it."""
        for card in cards.split():
            self.tap(f"rank-{card[0]}")
            self.tap(f"suit-{card[1]}")
        self.press("enter-hand")

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

    def fits(self):
        """A page that scrolls: not sideways, and everything that can be tapped is large enough."""
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert self.page.evaluate(TOO_SMALL) == []
        assert self.faults == []

    def looks_right(self):
        """Nothing is cut off, nothing scrolls, everything that can be tapped is large enough."""
        assert self.page.evaluate(CUT_OFF) == []
        assert self.page.evaluate(TOO_SMALL) == []
        assert self.faults == []


CUT_OFF = """[...document.querySelectorAll('body, .table-page, .decision, .below, .top, .seats, .void, .facts')]
  .filter((each) => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)
  .map((each) => `${each.className || each.tagName} ${each.scrollWidth}x${each.scrollHeight}`)"""
TOO_SMALL = """[...document.querySelectorAll('button, a, input')]
  .filter((each) => each.offsetParent && Math.min(each.offsetWidth, each.offsetHeight) < 47.5)
  .map((each) => `${each.dataset.key || each.className} ${each.offsetWidth}x${each.offsetHeight}`)"""
