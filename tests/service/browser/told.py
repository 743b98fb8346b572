"""A table that is told what happens, always alike: events in place of networks, a film that stands still."""

import socket
from threading import Thread
from uuid import uuid4

import uvicorn

from service.accounts.roles import PERMISSIONS, Actor, Permission, Role, system
from service.app import create_app
from service.live.tables import LiveTables
from service.live.worker import Feed, TableWorker
from service.rounds.commands import command_from_json
from service.settings import Settings, StoreSettings
from service.tables.open import open_desk
from service.web.serve import WebServer
from tests.service.browser.tablet import DEMO, PATIENCE_S, SECRETS
from tests.service.conftest import QUICK_HASHER
from tests.service.live.test_worker import Blind, Desk
from vision.events import Event
from vision.recording import open_recording

ANN = Actor("account", "ann", PERMISSIONS[Role.DEALER], shown_name="Ann")
CHIPS = Actor("token", "chips", frozenset({Permission.SEND_WAGERS}))


class Told:
    """The service in a thread, with the recording's table; its camera shows the felt and sees nothing."""

    def __init__(self, folder) -> None:
        self.app = create_app(Settings(store=StoreSettings(folder=folder / "kept")), hasher=QUICK_HASHER)
        base, table = self.app.state.foundation, open_recording(DEMO).table
        for name, (role, secret) in SECRETS.items():
            base.accounts.add(system("test"), name, Role(role), secret, name.title())
        self.desk = open_desk(
            base.store, base.evidence, name=table.name, profile=table.profile, seats=table.seats, live=False
        )
        self.app.state.desks.add(self.desk)
        worker = TableWorker(table, Feed(str(DEMO), waits=True), Desk(), Blind())
        LiveTables({self.desk.table: worker}).attach(self.app)

    def start(self):
        listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        self._server = WebServer(uvicorn.Config(self.app, log_level="warning"), self.app)
        self._thread = Thread(target=self._server.run, args=([listening],), daemon=True)
        self._thread.start()

    def stop(self):
        self._server.should_exit = True
        self._thread.join(PATIENCE_S)

    def does(self, command, actor, **fields):
        """A command of somebody at another tablet."""
        content = {"id": uuid4().hex, "command": command, "round": self.desk.view().round, **fields}
        self.desk.do(command_from_json(content), actor)

    def bets(self, seats):
        """Wagers as a chip-tracking system sends them."""
        for seat, wagers in seats.items():
            for wager, amount in wagers.items():
                self.does("set_wager", CHIPS, seat=seat, wager=wager, amount=amount)

    def sees(self, *records, evidence=None):
        """Events as the observer sends them, with the crops that prove them."""
        events = [
            Event.from_record({"time_s": 1.0, "frame": 25, "round": self.desk.view().round} | record)
            for record in records
        ]
        self.desk.observe(events, None, evidence)
