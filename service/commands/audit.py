"""`foursight audit …`: check the audit log's chain, export it, or begin its head file anew."""

import argparse
import json
import sys
from pathlib import Path

from sqlalchemy import make_url

from service.accounts.roles import system
from service.audit import log
from service.audit.check import check
from service.errors import NotFoundError
from service.settings import read_settings
from service.store.store import Store


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    kinds = parser.add_subparsers(dest="audit_command", metavar="verify|export|renew-head", required=True)
    verify = kinds.add_parser("verify", help="find entries that were edited, deleted, reordered or cut off; 1 if any")
    export = kinds.add_parser("export", help="every entry as a JSON line")
    export.add_argument("--out", type=Path, metavar="FILE", help="write there instead of standard output")
    renew = kinds.add_parser("renew-head", help="write the head file anew after it was lost; the log says so")
    for one in (verify, export, renew):
        one.add_argument("--settings", type=Path, metavar="FILE", help="settings file instead of foursight.toml")


def run(options: argparse.Namespace) -> int:
    """Do what was asked; 1 when the log has a fault."""
    settings = read_settings(options.settings).store
    url = make_url(settings.database_url)
    if url.drivername == "sqlite" and not Path(url.database or "").exists():
        raise NotFoundError(f"{url.database}: there is no store here; name its settings with --settings")
    store = Store.open(settings)
    try:
        return _COMMANDS[options.audit_command](store, options)
    finally:
        store.close()


def _verify(store: Store, _options: argparse.Namespace) -> int:
    result = check(store)
    for fault in result.faults:
        print(fault.what)
    entries = "1 entry" if result.entries == 1 else f"{result.entries:,} entries"
    faults = {0: "no fault", 1: "1 fault"}.get(len(result.faults), f"{len(result.faults):,} faults")
    print(f"{entries}, {faults}", file=sys.stderr)
    return 1 if result.faults else 0


def _export(store: Store, options: argparse.Namespace) -> int:
    out = options.out.open("w", encoding="utf-8") if options.out else sys.stdout
    try:
        with store.reading() as session:
            for entry in log.entries(session):
                print(json.dumps(entry.as_json(), ensure_ascii=False), file=out)
    finally:
        if options.out:
            out.close()
    return 0


def _renew(store: Store, _options: argparse.Namespace) -> int:
    faults = [fault.what for fault in check(store).faults]
    for fault in faults:
        print(f"kept on record: {fault}")
    store.renew_head(system("command-line").label, faults)
    print(f"{store.head_file.path} holds the last entry again", file=sys.stderr)
    return 0


_COMMANDS = {"verify": _verify, "export": _export, "renew-head": _renew}
