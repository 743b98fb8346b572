"""`foursight demo`: the whole product on the bundled recording, as a live table, with nothing else installed."""

import argparse
import logging
import tempfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from threading import Event, Thread
from typing import Any, cast
from uuid import uuid4

from service.accounts.roles import Actor, Permission, Role, system
from service.app import create_app
from service.errors import ServiceError
from service.live.worker import Feed, TableWorker
from service.pages.routes import Demo, DemoAccount
from service.rounds.commands import command_from_json
from service.settings import Server, Settings, StoreSettings
from service.tables.desk import TableDesk
from service.tables.open import open_tables
from service.web.serve import address, serve
from vision.recording import Recording, open_recording

ACCOUNTS = (
    DemoAccount("ann", "Ann", "dealer", "402617"),
    DemoAccount("ben", "Ben", "dealer", "835094"),
    DemoAccount("sam", "Sam", "supervisor", "lucky-felt-31"),
    DemoAccount("mia", "Mia", "manager", "green-cards-52"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--port", type=int, default=8000, metavar="P", help="port to listen on; 8000")
    parser.add_argument("--host", default="127.0.0.1", metavar="H", help="address to listen on; this machine alone")


def run(options: argparse.Namespace) -> int:
    """Serve until somebody ends it; 0."""
    recording = open_recording(Path(str(files("datasets"))) / "demo")
    with tempfile.TemporaryDirectory(prefix="foursight-demo-") as folder:
        settings = Settings(
            server=Server(host=options.host, port=options.port), store=StoreSettings(folder=Path(folder) / "store")
        )
        app = create_app(settings)
        for account in ACCOUNTS:
            app.state.foundation.accounts.add(
                system("demo"), account.name, Role(account.role), account.secret, account.shown_name
            )
        app.state.demo = Demo(_WELCOME, _plays(recording), ACCOUNTS)
        feed = Feed(str(recording.folder), repeats=True, waits=True, plays_alone=True)
        (desk,) = open_tables(app, [(recording.table, feed)], live=False)
        counter = ChipCounter(desk, app.state.live[desk.table], _filmed_seats(recording))
        counter.start()
        print(_said(recording, settings.server), flush=True)
        serve(app, settings.server)
        counter.stopped.set()
    return 0


_CHIPS = Actor("token", "chip-counter", frozenset({Permission.SEND_WAGERS}))
_LOOK_S = 0.5
_LOG = logging.getLogger("foursight.demo")
_WELCOME = (
    "This is a demonstration: a filmed table in a loop, read by the real networks as if it were live. "
    "Sign in with one tap; everything is forgotten when the program ends."
)


def _said(recording: Recording, server: Server) -> str:
    accounts = "\n".join(f"  {each.shown_name:<4} {each.role:<11} {each.name} / {each.secret}" for each in ACCOUNTS)
    return (
        f"{recording.table.name} plays from {recording.folder}, read by the networks of this installation.\n"
        f"Open {address(server)} and sign in with one tap, or as\n{accounts}\n"
        "The film waits for you between rounds while the page is open. Ctrl-C ends the demonstration."
    )


def _plays(recording: Recording) -> tuple[str, ...]:
    """What the players of each filmed round do with their wagers, from the recording's truth."""
    return tuple(_round_words(seats) for seats in _filmed_seats(recording))


def _filmed_seats(recording: Recording) -> list[list[dict[str, Any]]]:
    """The seats of each round's settlement input."""
    inputs = (cast(Mapping[str, Any], record["input"]) for record in recording.truth_rounds)
    return [list(content["seats"]) for content in inputs]


def _round_words(seats: list[dict[str, Any]]) -> str:
    plays = [f"seat {seat['seat']} plays {seat['play'] // seat['wagers']['ante']}×" for seat in seats if seat["play"]]
    return f"In this round {', '.join(plays)}." if plays else ""


class ChipCounter(Thread):
    """In place of a chip-tracking system: enters the film's wagers while a round's bets are open."""

    def __init__(self, desk: TableDesk, film: TableWorker, rounds: list[list[dict[str, Any]]]) -> None:
        super().__init__(name="chip counter", daemon=True)
        self._desk, self._film, self._rounds = desk, film, rounds
        self._entered = 0  # the last round it saw to
        self.stopped = Event()

    def run(self) -> None:
        """Look at the table now and then."""
        while not self.stopped.wait(_LOOK_S):
            view = self._desk.view()
            if view.phase == "betting" and view.round != self._entered:
                self._entered = view.round
                self._enter(view.round)

    def _enter(self, number: int) -> None:
        for seat in self._rounds[self._film.rounds_seen % len(self._rounds)]:
            for wager, amount in seat["wagers"].items():
                command = {"id": uuid4().hex, "command": "set_wager", "round": number, "seat": seat["seat"]}
                try:
                    self._desk.do(command_from_json(command | {"wager": wager, "amount": amount}), _CHIPS)
                except ServiceError as error:
                    _LOG.info("seat %s: %s", seat["seat"], error.message)
