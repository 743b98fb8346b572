"""`foursight run`: the table service beside its tables: cameras watched, proposals made, pages and API answered."""

import argparse
import re
from dataclasses import replace
from pathlib import Path

from service.app import create_app
from service.errors import SettingsError
from service.live.worker import Feed
from service.settings import Settings, read_settings
from service.tables.open import open_tables
from service.web.serve import address, serve
from vision.ring import LEAST_LIMIT
from vision.table import Table, load_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("--table", type=Path, action="append", required=True, metavar="T.toml", help="a table's file; repeatable")
    add("--source", action="append", default=[], metavar="S", help="instead of the camera in its file, table by table")
    add("--settings", type=Path, metavar="FILE", help="settings file instead of foursight.toml")
    add("--host", metavar="H", help="address to listen on instead of server.host")
    add("--port", type=int, metavar="P", help="port to listen on instead of server.port")
    add("--practice", action="store_true", help="no real money: amounts are exact, and the pages say so")
    add("--record", type=Path, metavar="DIR", help="record what live cameras see of the felt, rounds with a flag kept")
    add("--record-gb", type=float, default=20.0, metavar="N", help="a table's recordings take so much at most; 20")
    film = parser.add_argument_group("footage that lies on a disk plays as if it were live")
    film.add_argument("--repeat", action="store_true", help="again and again")
    film.add_argument("--speed", type=float, default=1.0, metavar="X", help="times as fast as it was filmed; 1")
    film.add_argument("--wait", action="store_true", help="stands still between rounds until the dealer is done")


def run(options: argparse.Namespace) -> int:
    """Serve until somebody ends it; 0."""
    if options.speed <= 0:
        raise SettingsError(f"--speed {options.speed:g} is wrong; give 1 for the speed at which it was filmed")
    settings = with_address(read_settings(options.settings), options.host, options.port)
    tables = [load_table(path) for path in options.table]
    app = create_app(settings)
    open_tables(app, list(zip(tables, _feeds(options, tables), strict=True)), live=not options.practice)
    print(
        f"FourSight at {address(settings.server)} with {', '.join(table.name for table in tables)}. Ctrl-C ends it.",
        flush=True,
    )
    code = app.state.foundation.accounts.make_setup_code()
    if code is not None:
        page = f"{address(settings.server)}/set-up"
        print(f"Nobody has an account yet: open {page} with the code {code}, which works once.", flush=True)
    serve(app, settings.server)
    return 0


def with_address(settings: Settings, host: str | None, port: int | None) -> Settings:
    """The settings, listening somewhere else."""
    asked = {key: value for key, value in (("host", host), ("port", port)) if value is not None}
    return settings.model_copy(update={"server": settings.server.model_copy(update=asked)}) if asked else settings


def _feeds(options: argparse.Namespace, tables: list[Table]) -> list[Feed]:
    if len(options.source) > len(tables):
        raise SettingsError(f"--source is there {len(options.source)} times for {len(tables)} tables; one for each")
    sources = [*options.source, *(table.camera.source for table in tables[len(options.source) :])]
    feeds = [Feed(source, options.repeat, options.speed, options.wait) for source in sources]
    if options.record is None:
        return feeds
    most = round(options.record_gb * 1_000_000_000)
    if most < LEAST_LIMIT:
        raise SettingsError(f"--record-gb {options.record_gb:g} holds no round; give {LEAST_LIMIT / 1e9:g} or more")
    named = zip(feeds, tables, strict=True)
    return [replace(feed, record=options.record / folder_of(table), record_bytes=most) for feed, table in named]


def folder_of(table: Table) -> str:
    """A table's name as a folder's: `table-12`."""
    return re.sub(r"[^a-z0-9]+", "-", table.name.lower()).strip("-") or "table"
