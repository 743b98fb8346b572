"""A dealer who plays scripted rounds through the API, and sends a tap again whenever no answer came.

What to do next is read off the table's view alone, as by a tablet that was just switched on; so it does not matter
where the service died. What the service answered to is remembered: that is what must never be lost.
"""

import random
import threading
import time
import uuid
from dataclasses import dataclass, field

import httpx2

RANKS, SUITS = "23456789TJQKA", "cdhs"
PATIENCE_S = 90  # far more than it takes, also where other work keeps the processors busy


@dataclass(frozen=True)
class Paid:
    """A confirmed payout that the service answered to."""

    command: str
    round: int
    seat: int
    part: str


@dataclass
class Script:
    """What lies on the felt in a round: the same for the same round, whenever it is asked."""

    seed: int

    def round(self, number):
        chance = random.Random(f"{self.seed}-{number}")
        deck = [rank + suit for rank in RANKS for suit in SUITS]
        chance.shuffle(deck)
        seats = sorted(chance.sample(range(1, 7), 3))
        plays = {seat: chance.choice(["play", "play", "fold"]) for seat in seats}
        return {
            "watched": number % 2 == 1,  # by a camera; in the other rounds the dealer enters every hand
            "dealer": deck[:6],
            "seats": {
                seat: {
                    "cards": deck[6 + 5 * at : 11 + 5 * at],
                    "wagers": {"ante": 1000} | ({"aces_up": 500} if chance.random() < 0.6 else {}),
                    "decision": plays[seat],
                }
                for at, seat in enumerate(seats)
            },
        }


@dataclass
class Dealer:
    """One tablet."""

    base_url: str
    table: str
    name: str
    secret: str
    seed: int
    sent: set = field(default_factory=set)  # ids of confirms, answered or not
    paid: list = field(default_factory=list)
    ended: list = field(default_factory=list)  # rounds whose end was answered to
    answers: int = 0
    fault: str | None = None

    def __post_init__(self):
        self._script = Script(self.seed)
        self._chance = random.Random(self.seed)
        self._stop = threading.Event()
        self._tapped = time.monotonic()
        self._client = httpx2.Client(base_url=self.base_url, timeout=PATIENCE_S)
        self._thread = threading.Thread(target=self._play, daemon=True)

    def start(self):
        self._thread.start()

    def stop(self):
        self._stop.set()
        self._thread.join(PATIENCE_S * 2)
        self._client.close()

    def _play(self):
        try:
            while not self._stop.is_set():
                view = self._ask("GET", f"/api/v1/tables/{self.table}")
                command = next_command(view, self._script.round(view["round"]))
                if command is None:
                    self._wait(view)
                else:
                    self._tap(command | {"round": view["round"]})
        except _StoppedError:
            pass
        except AssertionError as error:
            self.fault = str(error)

    def _wait(self, view):
        """For the camera, unless it has been too long."""
        waited = time.monotonic() - self._tapped
        assert waited < PATIENCE_S, (
            f"nothing to do in round {view['round']}: {view['phase_words']}, {view['cannot_end']}"
        )
        self._stop.wait(0.02)

    def _tap(self, command):
        command = command | {"id": str(uuid.uuid4())}
        is_payout = command["command"] == "confirm"
        if is_payout:
            self.sent.add(command["id"])
        answer = self._ask("POST", f"/api/v1/tables/{self.table}/commands", command)
        self.answers, self._tapped = self.answers + 1, time.monotonic()
        if is_payout:
            self.paid.append(Paid(command["id"], command["round"], command["seat"], command["part"]))
            if self._chance.random() < 0.3:  # a second tap of the same finger
                again = self._ask("POST", f"/api/v1/tables/{self.table}/commands", command)
                assert again["accepted"], again
        if command["command"] == "end_game":
            self.ended.append(command["round"])
        return answer

    def _ask(self, method, path, body=None):
        """Ask until there is an answer; the service is away now and then."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            if self._stop.is_set():
                raise _StoppedError
            try:
                answer = self._client.request(method, path, json=body, headers=self._headers())
            except httpx2.TransportError:
                time.sleep(0.02)
                continue
            if answer.status_code == 401:
                self._sign_in()
                continue
            assert answer.status_code == 200, f"{method} {path} {body}: {answer.status_code} {answer.text}"
            return answer.json()
        raise AssertionError(f"{method} {path} had no answer for {PATIENCE_S} s")

    def _headers(self):
        csrf = self._client.cookies.get("foursight_csrf")
        return {"X-CSRF-Token": csrf} if csrf else {}

    def _sign_in(self):
        try:
            body = {"name": self.name, "secret": self.secret}
            answer = self._client.post("/api/v1/sign-in", json=body)
            assert answer.status_code == 200, answer.text
        except httpx2.TransportError:
            time.sleep(0.02)


class _StoppedError(Exception):
    """The dealer was told to stop."""


def next_command(view, script):
    """What a dealer does next, seeing this; None when there is nothing to do."""
    seats = {seat["seat"]: seat for seat in view["seats"]}
    if view["phase"] == "betting":
        for number, lies in script["seats"].items():
            there = {wager["wager"]: wager["amount"] for wager in seats[number]["wagers"]}
            for wager, amount in lies["wagers"].items():
                if there.get(wager) is None:
                    return {"command": "set_wager", "seat": number, "wager": wager, "amount": amount}
        return {"command": "no_more_bets"}
    is_watched = script["watched"]
    if not view["dealer"]["cards"]:
        if is_watched:
            return None
        cards = script["dealer"]
        return {"command": "enter_hand", "zone": "dealer", "cards": cards, "up_card": cards[0]}
    for number, lies in script["seats"].items():
        if seats[number]["decision"] is None and not (is_watched and lies["decision"] == "fold"):
            play = lies["wagers"]["ante"] if lies["decision"] == "play" else None
            return {"command": "set_decision", "seat": number, "decision": lies["decision"], "play": play}
        if not seats[number]["hand"]["cards"] and not is_watched:
            return {"command": "enter_hand", "zone": f"seat-{number}", "cards": lies["cards"]}
    for number in view["order"]:
        proposal = seats[number]["proposal"]
        if proposal and proposal["can_confirm"]:
            return {
                "command": "confirm",
                "seat": number,
                "part": proposal["part"],
                "digest": proposal["digest"],
            }
    return {"command": "end_game"} if view["cannot_end"] is None else None
