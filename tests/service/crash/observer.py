"""An observer on another machine: it tells what lies on the felt, and tells it again whenever no answer came.

Like the dealer it reads off the table's view what comes next, in the rounds that the camera watches. Every event has a
frame of its own, so that an event that was lost, or taken in twice, shows in the store.
"""

import threading
import time
import uuid
from dataclasses import dataclass, field

import httpx2

from tests.service.crash.dealer import PATIENCE_S, Script

LOOK_S = 0.02


@dataclass
class Observer:
    """One camera's reader."""

    base_url: str
    table: str
    key: str
    seed: int
    told: list = field(default_factory=list)  # frames of the events that the service answered to
    answers: int = 0
    fault: str | None = None

    def __post_init__(self):
        self._script = Script(self.seed)
        self._frame = 0
        self._stop = threading.Event()
        headers = {"Authorization": f"Bearer {self.key}"}
        self._client = httpx2.Client(base_url=f"{self.base_url}/api/v1/tables", timeout=PATIENCE_S, headers=headers)
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self):
        self._thread.start()

    def stop(self):
        self._stop.set()
        self._thread.join(PATIENCE_S * 2)
        self._client.close()

    def _watch(self):
        while not self._stop.wait(LOOK_S) and self.fault is None:
            view = self._ask("GET", f"/{self.table}")
            seen = view and next_events(view, self._script.round(view["round"]))
            if seen:
                self._tell([self._numbered(event, view["round"]) for event in seen])

    def _numbered(self, event, number):
        self._frame += 1
        return event | {"round": number, "frame": self._frame, "time_s": self._frame / 25}

    def _tell(self, events):
        body = {"id": str(uuid.uuid4()), "events": events, "observer_state": {"frame": self._frame}}
        if self._ask("POST", f"/{self.table}/events", body):
            self.told += [event["frame"] for event in events]
            self.answers += 1

    def _ask(self, method, path, body=None):
        """The answer; None when it is told to stop, or something is wrong."""
        while not self._stop.is_set():
            try:
                answer = self._client.request(method, path, json=body)
            except httpx2.TransportError:
                time.sleep(LOOK_S)
                continue
            if answer.status_code == 200:
                return answer.json()
            self.fault = f"{method} {path} {body}: {answer.status_code} {answer.text}"
            return None
        return None


def next_events(view, script):
    """What a camera sees next, where this is what the table knows."""
    if not script["watched"] or view["phase"] in ("betting", "finished", "void"):
        return []
    zones = [f"seat-{number}" for number in script["seats"]]
    if view["dealer"]["up_card"] is None:
        counts = [{"event": "cards_dealt", "zone": zone, "count": 5} for zone in zones]
        up_card = {"event": "up_card", "zone": "dealer", "cards": script["dealer"][:1]}
        return [{"event": "round_started"}, *counts, up_card]
    if not view["dealer"]["cards"]:
        folded = [number for number, lies in script["seats"].items() if lies["decision"] == "fold"]
        hand = {
            "event": "dealer_hand",
            "zone": "dealer",
            "cards": script["dealer"],
            "set_in_front": script["dealer"][:4],
        }
        return [*({"event": "fold", "zone": f"seat-{number}"} for number in folded), hand]
    return next_hand(view, script)


def next_hand(view, script):
    """The next hand that nobody has read; one that was folded stays on the table where Aces Up can win."""
    for number in view["order"]:
        lies = script["seats"].get(number)
        stays = lies and (lies["decision"] == "play" or "aces_up" in lies["wagers"])
        if stays and not view["seats"][number - 1]["hand"]["cards"]:
            return [{"event": "player_hand", "zone": f"seat-{number}", "cards": lies["cards"], "confidence": 0.999}]
    return []
