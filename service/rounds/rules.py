"""Which rules a table is played by: profile, pay tables, house rules, limits, chips, the meter's terms, as one value.

A table's rules are numbered versions. A version is checked when it is made, never changed, and takes effect with the
next round; every round keeps the version it was opened with.

>>> rules = first_rules("washington")
>>> rules.tables["fcp"], rules.problems()
('FCP-05', ())
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Annotated, Any

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from game.errors import GameError
from game.house_rules import HouseRules
from game.limits import TableLimits
from game.meter import MeterTerms, meter_warnings
from game.money import parse_exact, spoken_money
from game.paytables import PayTable, bundled_paytables
from game.profiles import ROLES, Profile, bundled_profiles
from service.rounds.errors import RulesError

USUAL_CHIPS = (100, 500, 2500, 10_000)
MOST_CENTS = 100_000_000_000  # a thousand million dollars: more is a slip of the finger
Rate = Annotated[str, Field(max_length=24)]
_SEED_TIMES = 2_500  # a new meter starts with this many wagers; the manager states the maker's own figure


@dataclass(frozen=True)
class MeterSetting:
    """How the table's progressive meter is set up."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=64, description="tables that name the same meter share it")]
    seed: Annotated[int, Field(strict=True, ge=0, le=MOST_CENTS, description="cents after a 100 % award")]
    denomination: Annotated[int, Field(strict=True, ge=1, le=MOST_CENTS, description="cents of one progressive wager")]
    contribution_rate: Annotated[Rate, Field(description="share of each wager that raises the meter, like 7/10")] = "0"
    reserve_rate: Annotated[Rate, Field(description="share of each wager for the reserve")] = "0"

    def terms(self) -> MeterTerms:
        """As the game has them; refused where they cannot be."""
        return MeterTerms(
            Fraction(self.seed),
            Fraction(self.denomination),
            parse_exact(self.contribution_rate),
            parse_exact(self.reserve_rate),
        )


@dataclass(frozen=True)
class Limits:
    """Table limits in cents, by wager."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    minimum: dict[str, int] = field(default_factory=dict)
    maximum: dict[str, int] = field(default_factory=dict)
    maximum_aggregate: int | None = None

    def to_game(self) -> TableLimits:
        """As the game has them; refused where they contradict themselves."""
        content: dict[str, object] = {"minimum": self.minimum, "maximum": self.maximum}
        return TableLimits.from_mapping(content | {"maximum_aggregate": self.maximum_aggregate})


@dataclass(frozen=True)
class TableRules:
    """One version's content."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    profile: Annotated[str, Field(description="rules of play, one of game/data/profiles", examples=["washington"])]
    tables: Annotated[
        dict[str, str | None],
        Field(
            description="pay table by role; null: not offered", examples=[{"fcp": "FCP-05", "progressive": "FCPP-1"}]
        ),
    ]
    house_rules: Annotated[
        dict[str, Any], Field(description="what differs from the profile's", examples=[{"bbb_tie": "push"}])
    ] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    chips: Annotated[
        tuple[Annotated[int, Field(strict=True, ge=1)], ...],
        Field(min_length=1, max_length=12, description="cents of the chips in the tray"),
    ] = USUAL_CHIPS
    live: Annotated[bool, Field(description="real money: what is paid must be payable in chips")] = True
    meter: MeterSetting | None = None

    @property
    def game(self) -> str:
        """FCP or PRIME."""
        return self.play.game

    @cached_property
    def play(self) -> Profile:
        """The profile."""
        found = bundled_profiles().get(self.profile)
        if found is None:
            known = ", ".join(sorted(bundled_profiles()))
            raise RulesError(f"there is no profile {self.profile!r}; use one of {known}", field="profile")
        return found

    @cached_property
    def house(self) -> HouseRules:
        """The house rules: the profile's, with what this table changes."""
        return HouseRules.from_mapping({**self.play.house_rules.changed(), **self.house_rules})

    @cached_property
    def pay_tables(self) -> dict[str, PayTable | None]:
        """The pay tables by role, every role of the game named."""
        bundled = bundled_paytables()
        names = {role: self.tables.get(role) for role in ROLES[self.game]}
        return {role: None if name is None else bundled[name] for role, name in names.items()}

    @cached_property
    def terms(self) -> MeterTerms | None:
        """The meter's terms, when the table has a progressive."""
        has_progressive = self.tables.get("progressive") is not None
        return self.meter.terms() if self.meter is not None and has_progressive else None

    @cached_property
    def offered(self) -> tuple[str, ...]:
        """The wagers that can be placed, without play or raise."""
        if self.game == "PRIME":
            return ("ante", *(name for name in ("aces_baby", "prime") if self.tables.get(name)))
        offers = {"bad_beat_bonus": bool(self.tables.get("bad_beat_bonus")), "progressive": self.terms is not None}
        return ("ante", "aces_up", *(name for name, is_offered in offers.items() if is_offered))

    def warnings(self) -> tuple[str, ...]:
        """What the maker of the meter advises against."""
        table = self.pay_tables.get("progressive")
        return () if table is None or self.terms is None else meter_warnings(table, self.terms, self.house)

    def problems(self) -> tuple[str, ...]:
        """Why this table may not have these rules, one sentence each; the game's own checks come first."""
        try:
            profile, house, limits = self.play, self.house, self.limits.to_game()
            for role, name in self.tables.items():
                if role not in ROLES[profile.game]:
                    return (f"{role!r} is no pay table's role in this game; use {', '.join(ROLES[profile.game])}",)
                profile.verify_offers(role, name)
            if profile.game == "FCP" and not self.tables.get("fcp"):
                return ("tables.fcp is missing; Four Card Poker needs one, like 'FCP-05'",)
            limits.verify_within(profile.legal_maximum, profile.legal_source)
            if self.meter is not None:
                self.meter.terms()
            limits = self.effective_limits
        except (GameError, RulesError) as error:
            return (str(error),)
        return (*self._meter_problems(), *self._wager_problems(limits), *self._chip_problems(house))

    def _meter_problems(self) -> tuple[str, ...]:
        if self.tables.get("progressive") is not None and self.meter is None:
            return ("a progressive pay table needs a meter: give its name, seed and denomination",)
        return ()

    def _wager_problems(self, limits: TableLimits) -> tuple[str, ...]:
        """A wager must be known; a legal ceiling holds also where the table states no maximum of its own."""
        play = "raise" if self.game == "PRIME" else "play"
        known = {*self.offered, play}
        named = {*limits.minimum, *limits.maximum}
        return tuple(
            f"limits name {wager!r}, which this table does not offer; use {', '.join(sorted(known))}"
            for wager in sorted(named - known)
        )

    def _chip_problems(self, house: HouseRules) -> tuple[str, ...]:
        """A live table cannot pay half a cent: its rounding must be payable in the chips of the tray."""
        smallest = min(self.chips)
        if any(chip % smallest for chip in self.chips):
            return (f"every chip must be a multiple of the smallest, {spoken_money(smallest)}",)
        if not self.live:
            return ()
        if house.payout_rounding == "exact":
            return (
                "a live table needs a rounding that can be paid in chips: set the house rules payout_rounding "
                f"to down, up or half_up and payout_unit_cents to {smallest}",
            )
        return (*self._unit_problems(house.payout_unit_cents, smallest), *self._denomination_problems(smallest))

    def _unit_problems(self, unit: int, smallest: int) -> tuple[str, ...]:
        """What payouts are rounded to is made of chips, and is no more than the least wager: that would be paid 0."""
        if unit % smallest:
            return (f"payout_unit_cents is {unit}, which no chips pay; use a multiple of {smallest}",)
        wagers = [name for name in self.offered if name != "progressive"]
        least = max(smallest, min(int(self.effective_limits.minimum.get(name, smallest)) for name in wagers))
        if unit > least:
            said = (
                f"payout_unit_cents is {unit}: a bonus of 1 to 1 on {spoken_money(least)} would be rounded to nothing"
            )
            return (f"{said}; use at most {least}",)
        return ()

    def _denomination_problems(self, smallest: int) -> tuple[str, ...]:
        if self.terms is None or self.terms.denomination % smallest == 0:
            return ()
        bet = spoken_money(self.terms.denomination)
        return (
            f"a progressive wager of {bet} cannot be made of chips, the smallest of which is {spoken_money(smallest)}",
        )

    @cached_property
    def house_case(self) -> dict[str, Any]:
        """Every house rule, as a case has them."""
        values = {each.name: getattr(self.house, each.name) for each in fields(self.house)}
        return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}

    @cached_property
    def effective_limits(self) -> TableLimits:
        """The table's limits with the law's ceiling on every wager; the progressive has its own fixed amount."""
        own, ceiling = self.limits.to_game(), self.play.legal_maximum
        if ceiling is None:
            return own
        play = "raise" if self.game == "PRIME" else "play"
        names = [name for name in (*self.offered, play) if name != "progressive"]
        maximum = {name: min(own.maximum.get(name, ceiling), ceiling) for name in names}
        return replace(own, maximum={**own.maximum, **maximum})


@dataclass(frozen=True)
class RulesVersion:
    """A table's rules with their number in the record."""

    number: int
    rules: TableRules


_ADAPTER: TypeAdapter[TableRules] = TypeAdapter(TableRules)


def rules_from_json(content: Mapping[str, object]) -> TableRules:
    """Read and check a version's content; what a table may not have raises `RulesError`."""
    try:
        rules = _ADAPTER.validate_python(dict(content))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "rules"
        raise RulesError(f"{where}: {first['msg']}", field=where) from error
    return verified(rules)


def rules_to_json(rules: TableRules) -> dict[str, Any]:
    """Its JSON object."""
    content: dict[str, Any] = _ADAPTER.dump_python(rules, mode="json")
    return content


def verified(rules: TableRules) -> TableRules:
    """The rules, when a table may have them."""
    if problems := rules.problems():
        raise RulesError(problems[0])
    return rules


@lru_cache(maxsize=64)
def first_rules(profile: str, *, live: bool = True, table: str = "table") -> TableRules:
    """What a new table starts with: the profile's choice, whole chips where it is live, and a meter of its own."""
    plain = TableRules(profile, {})
    play, tables = plain.play, dict(plain.play.choice)
    progressive = bundled_paytables()[name] if (name := tables.get("progressive")) else None
    meter = None
    if progressive is not None and progressive.progressive is not None:
        terms = progressive.progressive
        denomination = int(terms.base_wager)
        rate = str(terms.contribution_rate or 0)
        meter = MeterSetting(table, denomination * _SEED_TIMES, denomination, rate, str(terms.reserve_rate))
    smallest = min(USUAL_CHIPS)
    house: dict[str, Any] = {"payout_rounding": "down", "payout_unit_cents": smallest} if live else {}
    limits = Limits(dict(_whole(play.limits.minimum)), dict(_whole(play.limits.maximum)))
    return verified(TableRules(profile, tables, house, limits, USUAL_CHIPS, live, meter))


def _whole(limits: Mapping[str, Fraction]) -> dict[str, int]:
    return {wager: int(amount) for wager, amount in limits.items()}
