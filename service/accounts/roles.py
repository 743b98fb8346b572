"""Roles, what each may do, and who is asking."""

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a person is at the tables."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    SURVEILLANCE = "surveillance"
    MANAGER = "manager"


class Permission(StrEnum):
    """What a route asks for; also the scopes of tokens."""

    OWN_SESSION = "session:own"  # see who is signed in, sign out, change the own PIN
    SEE_TABLES = "tables:read"
    DEAL = "tables:deal"  # wagers, decisions, corrections, confirm, skip, end game
    SUPERVISE = "tables:supervise"  # void, take back, reopen, acknowledge
    SEND_WAGERS = "wagers:write"  # a chip-tracking system
    SEND_EVENTS = "events:write"  # an observer on another machine
    SEE_ROUNDS = "rounds:read"  # past rounds with their evidence
    SEE_ALERTS = "alerts:read"
    ANSWER_ALERTS = "alerts:answer"
    SEE_RULES = "rules:read"
    SET_RULES = "rules:write"
    SET_METER = "meter:write"
    SEE_AUDIT = "audit:read"
    SEE_SETTINGS = "settings:read"
    MANAGE_ACCOUNTS = "accounts:manage"
    MANAGE_TOKENS = "tokens:manage"


_ALL = frozenset({Permission.OWN_SESSION, Permission.SEE_TABLES, Permission.SEE_RULES})
PERMISSIONS: dict[Role, frozenset[Permission]] = {
    Role.DEALER: _ALL | {Permission.DEAL},
    Role.SUPERVISOR: _ALL
    | {
        Permission.DEAL,
        Permission.SUPERVISE,
        Permission.SEE_ROUNDS,
        Permission.SEE_ALERTS,
        Permission.ANSWER_ALERTS,
    },
    Role.SURVEILLANCE: _ALL | {Permission.SEE_ROUNDS, Permission.SEE_ALERTS, Permission.SEE_AUDIT},
    Role.MANAGER: _ALL
    | {
        Permission.SUPERVISE,
        Permission.SEE_ROUNDS,
        Permission.SEE_ALERTS,
        Permission.ANSWER_ALERTS,
        Permission.SET_RULES,
        Permission.SET_METER,
        Permission.SEE_AUDIT,
        Permission.SEE_SETTINGS,
        Permission.MANAGE_ACCOUNTS,
        Permission.MANAGE_TOKENS,
    },
}
# What a program may be given. Confirming is for people: nothing is confirmed by itself.
SCOPES = frozenset(
    {
        Permission.SEE_TABLES,
        Permission.SEND_WAGERS,
        Permission.SEND_EVENTS,
        Permission.SEE_ROUNDS,
        Permission.SEE_ALERTS,
        Permission.SEE_RULES,
        Permission.SEE_AUDIT,
    }
)


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something: a person, a program with a token, or the service itself."""

    kind: str  # account, token, system
    name: str
    permissions: frozenset[Permission]
    role: Role | None = None
    shown_name: str = ""
    account_id: int | None = None
    session_id: str | None = None

    @property
    def label(self) -> str:
        """As the record says it: `account/ann`, `token/chips`, `system/observer`."""
        return f"{self.kind}/{self.name}"

    def may(self, permission: Permission) -> bool:
        """Whether this is allowed."""
        return permission in self.permissions


def system(name: str) -> Actor:
    """The service itself, as `system/NAME`: what it records, never what it confirms."""
    return Actor("system", name, frozenset())
