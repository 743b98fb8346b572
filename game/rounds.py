"""A round to be settled: who holds which cards and wagers, under which tables and rules.

`Round.from_json` reads the `input` object of a case. What is no round at all raises `RoundError`; a round that is one
but breaks a rule raises `InvalidRound`, whose reason goes into the result.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, Self, cast

from game.errors import GameError
from game.house_rules import HouseRules
from game.limits import TableLimits
from game.meter import Meter, MeterTerms
from game.money import parse_exact
from game.paytables import PayTable
from game.profiles import ROLES

Decision = Literal["play", "fold", "none"]
_DECISIONS = ("play", "fold", "none")
_SEATS = range(1, 8)


class RoundError(GameError):
    """Content that is no round."""


class InvalidRound(GameError):  # noqa: N818  # not a fault of the program: a round that cannot be settled
    """A round that breaks a rule of play; `reason` is its name in results."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Seat:
    """One betting position."""

    seat: int
    player: str
    cards: tuple[str, ...]  # as read; checked before they are used
    wagers: Mapping[str, Fraction]  # cents by name, as given, zeros included
    decision: Decision
    play: Fraction  # the play or raise wager

    @property
    def zone(self) -> str:
        """Its name at the table."""
        return f"seat-{self.seat}"

    @property
    def staked(self) -> Mapping[str, Fraction]:
        """The wagers that were made, without the play or raise."""
        return {name: amount for name, amount in self.wagers.items() if amount}


@dataclass(frozen=True, slots=True)
class Progressive:
    """The meter before the round and how it is set up."""

    meter: Meter
    terms: MeterTerms


@dataclass(frozen=True, slots=True)
class Round:
    """Everything a settlement depends on."""

    game: str
    tables: Mapping[str, PayTable | None]  # by role
    rules: HouseRules
    dealer_cards: tuple[str, ...]
    up_card: str | None
    seats: tuple[Seat, ...]
    progressive: Progressive | None = None
    limits: TableLimits = field(default_factory=TableLimits)

    @classmethod
    def from_json(cls, content: object, paytables: Mapping[str, PayTable]) -> Self:
        """Read the `input` of a case."""
        known = {"game", "tables", "house_rules", "dealer", "seats", "progressive", "limits"}
        fields = _object(content, "the input", known, {"game", "tables", "dealer", "seats"})
        game = fields["game"]
        if not isinstance(game, str) or game not in ROLES:
            raise InvalidRound("unknown_game", f"game {game!r} is not known; use {' or '.join(ROLES)}")
        dealer = _object(fields["dealer"], "dealer", {"cards", "up"}, {"cards"})
        up = dealer.get("up")
        limits = TableLimits.from_mapping(_object(fields.get("limits") or {}, "limits"))
        return cls(
            game,
            MappingProxyType(_tables(game, fields["tables"], paytables)),
            HouseRules.from_mapping(_object(fields.get("house_rules") or {}, "house_rules")),
            _cards(dealer["cards"], "the dealer"),
            None if up is None else str(up),
            tuple(_seat(item) for item in _list(fields["seats"], "seats")),
            None if fields.get("progressive") is None else _progressive(fields["progressive"]),
            limits,
        )


def _object(
    content: object, what: str, known: set[str] | None = None, needed: set[str] | None = None
) -> Mapping[str, object]:
    if not isinstance(content, dict):
        raise RoundError(f"{what} is {_short(content)}; it must be an object")
    if known is not None and (unknown := sorted(content.keys() - known)):
        raise RoundError(f"{what} has an unknown key {unknown[0]!r}; it may have {', '.join(sorted(known))}")
    if needed and (missing := sorted(needed - content.keys())):
        raise RoundError(f"{what} has no {missing[0]!r}")
    return content


def _list(content: object, what: str) -> list[object]:
    if not isinstance(content, list):
        raise RoundError(f"{what} is {_short(content)}; it must be a list")
    return content


def _short(content: object) -> str:
    text = repr(content)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _cents(value: object, what: str) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int):
        raise RoundError(f"{what} is {_short(value)}; write a whole number of cents")
    return Fraction(value)


def _cards(content: object, whose: str) -> tuple[str, ...]:
    return tuple(item if isinstance(item, str) else _short(item) for item in _list(content, f"the cards of {whose}"))


def _tables(game: str, content: object, paytables: Mapping[str, PayTable]) -> dict[str, PayTable | None]:
    roles = ROLES[game]
    names = _object(content, "tables", set(roles))
    tables: dict[str, PayTable | None] = {}
    for role, kinds in roles.items():
        name = names.get(role)
        if name is None:
            tables[role] = None
            continue
        table = paytables.get(name) if isinstance(name, str) else None
        if table is None or table.kind not in kinds:
            fitting = ", ".join(sorted(each.name for each in paytables.values() if each.kind in kinds))
            raise RoundError(f"tables.{role} is {_short(name)}, which is no such pay table; use one of {fitting}")
        tables[role] = table
    if game == "FCP" and tables["fcp"] is None:
        raise RoundError("tables.fcp is missing; Four Card Poker needs one, like 'FCP-05'")
    return tables


def _seat(content: object) -> Seat:
    fields = _object(
        content,
        "a seat",
        {"seat", "player", "cards", "wagers", "decision", "play"},
        {"seat", "cards", "wagers"},
    )
    number = fields["seat"]
    if isinstance(number, bool) or not isinstance(number, int) or number not in _SEATS:
        raise RoundError(f"seat is {_short(number)}; seats are numbered 1 to 7 from the dealer's far left")
    decision = fields.get("decision", "none")
    if decision not in _DECISIONS:
        raise RoundError(f"the decision of seat {number} is {_short(decision)}; use 'play', 'fold' or 'none'")
    player = fields.get("player")
    wagers = _object(fields["wagers"], f"the wagers of seat {number}")
    return Seat(
        number,
        f"seat {number}" if player is None else str(player),
        _cards(fields["cards"], f"seat {number}"),
        MappingProxyType({name: _cents(value, f"{name} of seat {number}") for name, value in wagers.items()}),
        cast(Decision, decision),
        _cents(fields.get("play") or 0, f"play of seat {number}"),
    )


def _progressive(content: object) -> Progressive:
    known = {"meter", "seed", "reserve", "denomination", "contribution_rate", "reserve_rate"}
    fields = _object(content, "progressive", known, {"meter", "seed", "denomination"})
    return Progressive(
        Meter(
            parse_exact(fields["meter"]), parse_exact(fields.get("reserve", 0))
        ),  # a running meter may hold half a cent
        MeterTerms(
            _cents(fields["seed"], "the seed"),
            _cents(fields["denomination"], "the denomination"),
            parse_exact(fields.get("contribution_rate", 0)),
            parse_exact(fields.get("reserve_rate", 0)),
        ),
    )
