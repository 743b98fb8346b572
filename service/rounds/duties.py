"""Which permission a command takes: for each need, the permissions any of which is enough."""

from collections.abc import Mapping
from types import MappingProxyType

from service.accounts.errors import NotAllowedError
from service.accounts.roles import Actor, Permission
from service.rounds.commands import AnyCommand, Needs

ENOUGH: Mapping[Needs, frozenset[Permission]] = MappingProxyType(
    {
        "deal": frozenset({Permission.DEAL}),
        "wager": frozenset({Permission.DEAL, Permission.SEND_WAGERS}),
        "floor": frozenset({Permission.DEAL, Permission.SUPERVISE}),
        "supervise": frozenset({Permission.SUPERVISE}),
        "meter": frozenset({Permission.SET_METER}),
    }
)
_WORDS: Mapping[Needs, str] = MappingProxyType(
    {
        "deal": "a dealer does this",
        "wager": "a dealer or a chip-tracking system does this",
        "floor": "a dealer or supervisor does this",
        "supervise": "a supervisor does this; call one",
        "meter": "a manager does this",
    }
)


def refuse_unless_allowed(actor: Actor, command: AnyCommand) -> None:
    """Raise unless the actor may give the command."""
    if not any(actor.may(permission) for permission in ENOUGH[command.needs]):
        raise NotAllowedError(f"{command.command}: {_WORDS[command.needs]}")
