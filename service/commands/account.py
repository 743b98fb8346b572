"""`foursight account …`: who may sign in, and the keys of other programs, from the machine the service runs on."""

import argparse
import getpass
import sys
from pathlib import Path

from service.accounts.roles import SCOPES, Role, system
from service.errors import InvalidError
from service.foundation import Foundation, open_foundation
from service.settings import read_settings

_BY = system("command-line")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    kinds = parser.add_subparsers(dest="account_command", metavar="add|list|disable|enable|reset|token", required=True)
    add = kinds.add_parser("add", help="add an account")
    add.add_argument("name")
    add.add_argument("--role", required=True, choices=[role.value for role in Role])
    add.add_argument("--shown-name", default="", help="as pages show it")
    listing = kinds.add_parser("list", help="list accounts and tokens")
    disable = kinds.add_parser("disable", help="close an account; whoever uses it is signed out")
    disable.add_argument("name")
    enable = kinds.add_parser("enable", help="open an account again")
    enable.add_argument("name")
    reset = kinds.add_parser("reset", help="set a new PIN or password; unlocks the account")
    reset.add_argument("name")
    token = kinds.add_parser("token", help="make a key for another program, or revoke one")
    token.add_argument("name")
    token.add_argument(
        "--scope", action="append", default=[], choices=sorted(SCOPES), help="what it may do; repeatable"
    )
    token.add_argument("--days", type=int, default=365, help="days until it runs out; 0 never")
    token.add_argument("--revoke", action="store_true", help="end it for good")
    for one in (add, reset):
        one.add_argument("--secret-stdin", action="store_true", help="read the PIN or password from standard input")
    for one in (add, listing, disable, enable, reset, token):
        one.add_argument("--settings", type=Path, metavar="FILE", help="settings file instead of foursight.toml")


def run(options: argparse.Namespace) -> int:
    """Do what was asked; 0 when it is done."""
    base = open_foundation(read_settings(options.settings))
    try:
        _COMMANDS[options.account_command](base, options)
    finally:
        base.store.close()
    return 0


def _add(base: Foundation, options: argparse.Namespace) -> None:
    account = base.accounts.add(_BY, options.name, Role(options.role), _secret(options), options.shown_name)
    print(f"{account.name} is a {account.role} now")


def _list(base: Foundation, _options: argparse.Namespace) -> None:
    for account in base.accounts.all():
        locked = account.locked_until is not None and account.locked_until > base.store.clock()
        state = "disabled" if account.disabled else "locked" if locked else ""
        print(f"{account.name:<32}  {account.role:<12}  {state:<8}  {account.shown_name}".rstrip())
    for token in base.tokens.all():
        until = f"until {token.expires_at:%Y-%m-%d}" if token.expires_at else "without end"
        print(f"token {token.name:<26}  {'revoked' if token.revoked else until:<16}  {' '.join(token.scopes)}")


def _disable(base: Foundation, options: argparse.Namespace) -> None:
    print(f"{base.accounts.set_disabled(_BY, options.name, True).name} is disabled and signed out")


def _enable(base: Foundation, options: argparse.Namespace) -> None:
    print(f"{base.accounts.set_disabled(_BY, options.name, False).name} may sign in again")


def _reset(base: Foundation, options: argparse.Namespace) -> None:
    print(f"{base.accounts.reset(_BY, options.name, _secret(options)).name} may sign in with the new one")


def _token(base: Foundation, options: argparse.Namespace) -> None:
    if options.revoke:
        print(f"token {base.tokens.revoke(_BY, options.name).name} is revoked")
        return
    key, _ = base.tokens.add(_BY, options.name, options.scope, options.days or None)
    print(key)
    print("This key is shown this once: hand it to the program now.", file=sys.stderr)


def _secret(options: argparse.Namespace) -> str:
    """Typed twice on a terminal, or one line of standard input; never an argument, which others could see."""
    if options.secret_stdin or not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    secret = getpass.getpass("PIN or password: ")
    if getpass.getpass("Once more: ") != secret:
        raise InvalidError("the two differ; nothing was changed")
    return secret


_COMMANDS = {"add": _add, "list": _list, "disable": _disable, "enable": _enable, "reset": _reset, "token": _token}
