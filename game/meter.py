"""The progressive meter: coin-in, percentage and fixed awards, reset, and taking an award back.

Everything is a value: a meter and what happened give the next meter.

>>> terms = MeterTerms(seed=Fraction(250000), denomination=Fraction(100), contribution_rate=Fraction(1, 4))
>>> meter = coin_in(Meter(Fraction(1000000), Fraction(0)), terms, Fraction(400))
>>> meter.amount
Fraction(1000100, 1)
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from game.errors import GameError
from game.house_rules import HouseRules
from game.money import round_payout, spoken_money
from game.paytables import Odds, PayTable

GROWS_FROM = Fraction(7, 10)  # the maker's figure: below it a meter that pays everything may run dry
FixedFrom = Literal["tray", "meter"]


class MeterError(GameError):
    """A meter setting or adjustment that is refused."""


@dataclass(frozen=True, slots=True)
class MeterTerms:
    """How a meter is set up; money in cents."""

    seed: Fraction
    denomination: Fraction
    contribution_rate: Fraction = Fraction(0)
    reserve_rate: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        for key in ("contribution_rate", "reserve_rate"):
            rate = getattr(self, key)
            if not 0 <= rate <= 1:
                raise MeterError(f"{key} is {rate}; a contribution lies between 0 and 1 (0 % and 100 %)")
        if self.seed < 0 or self.denomination <= 0:
            raise MeterError(f"seed {self.seed} and denomination {self.denomination} cannot be; use cents above 0")


@dataclass(frozen=True, slots=True)
class Meter:
    """What the meter and its reserve show, in cents."""

    amount: Fraction
    reserve: Fraction

    def __post_init__(self) -> None:
        if self.amount < 0 or self.reserve < 0:
            raise MeterError(
                f"a meter of {self.amount} with a reserve of {self.reserve} cannot be; neither goes below 0"
            )


@dataclass(frozen=True, slots=True)
class Hit:
    """A hand that wins a progressive row."""

    seat: int
    hand: str
    odds: Odds
    stake: Fraction


@dataclass(frozen=True, slots=True)
class Award:
    """What one hit was paid, and the meter around it."""

    seat: int
    hand: str
    odds: Odds
    amount: Fraction
    source: FixedFrom
    before: Meter
    after: Meter | None  # None where several hits share one meter: only the last state is known


def coin_in(meter: Meter, terms: MeterTerms, wagers: Fraction) -> Meter:
    """The meter after progressive wagers were taken."""
    return Meter(
        meter.amount + terms.contribution_rate * wagers,
        meter.reserve + terms.reserve_rate * wagers,
    )


def _reset(meter: Meter, terms: MeterTerms, rules: HouseRules) -> Meter:
    if rules.reset_adds_reserve:
        return Meter(terms.seed + meter.reserve, Fraction(0))
    return replace(meter, amount=terms.seed)


def _award(hit: Hit, meter: Meter, rules: HouseRules) -> Award:
    """What a hit is paid, given the meter it is paid from."""
    is_share = hit.odds.kind == "percent"
    amount = hit.odds.ratio * (meter.amount if is_share else hit.stake)
    paid = round_payout(amount, rules.payout_rounding, rules.payout_unit_cents)
    return Award(hit.seat, hit.hand, hit.odds, paid, "meter" if is_share else rules.fixed_awards_from, meter, None)


def _is_jackpot(award: Award) -> bool:
    return award.odds.kind == "percent" and award.odds.ratio == 1


def pay_hits(
    meter: Meter, terms: MeterTerms, rules: HouseRules, hits: Sequence[Hit]
) -> tuple[Meter, tuple[Award, ...]]:
    """Pay hits in the order given; the order is the house's."""
    if rules.multi_jackpot == "same_meter":
        return _pay_from_one_meter(meter, terms, rules, hits)
    awards = []
    for hit in hits:
        award = _award(hit, meter, rules)
        if _is_jackpot(award):
            meter = _reset(meter, terms, rules)
        elif award.source == "meter":
            meter = replace(meter, amount=max(Fraction(0), meter.amount - award.amount))
        awards.append(replace(award, after=meter))
    return meter, tuple(awards)


def _pay_from_one_meter(
    meter: Meter, terms: MeterTerms, rules: HouseRules, hits: Sequence[Hit]
) -> tuple[Meter, tuple[Award, ...]]:
    awards = tuple(_award(hit, meter, rules) for hit in hits)
    if any(_is_jackpot(award) for award in awards):
        return _reset(meter, terms, rules), awards
    taken = sum((award.amount for award in awards if award.source == "meter"), Fraction(0))
    return replace(meter, amount=max(Fraction(0), meter.amount - taken)), awards


def back_out(meter: Meter, award: Award) -> Meter:
    """The meter with an award undone, whatever was contributed since.

    >>> before, after = Meter(Fraction(900), Fraction(50)), Meter(Fraction(150), Fraction(0))
    >>> award = Award(3, "royal_flush", Odds.parse("100%"), Fraction(900), "meter", before, after)
    >>> back_out(Meter(Fraction(175), Fraction(5)), award)
    Meter(amount=Fraction(925, 1), reserve=Fraction(55, 1))
    """
    if award.after is None:
        raise MeterError("hits that shared one meter are backed out by adjusting it, not one by one")
    return Meter(
        meter.amount + award.before.amount - award.after.amount,
        meter.reserve + award.before.reserve - award.after.reserve,
    )


def adjust(meter: Meter, change: Fraction, reason: str) -> Meter:
    """The manual adjustment; it needs a reason and never goes below 0."""
    if not reason.strip():
        raise MeterError("a manual adjustment needs a reason; write why the meter is changed")
    if meter.amount + change < 0:
        raise MeterError(
            f"the meter shows {spoken_money(meter.amount)}; {spoken_money(-change)} cannot be taken off it"
        )
    return replace(meter, amount=meter.amount + change)


def meter_warnings(table: PayTable, terms: MeterTerms, rules: HouseRules) -> tuple[str, ...]:
    """What the maker advises against, one sentence each; none is an error."""
    rows = table.schedules["pays"].rows
    largest = max((row.odds.ratio * terms.denomination for row in rows if row.odds.kind == "for"), default=Fraction(0))
    own_rate = table.progressive.contribution_rate if table.progressive else None
    warnings = []
    if terms.seed == 0:
        warnings.append("The seed is 0: after a jackpot the meter restarts with the reserve alone.")
    elif terms.seed < largest:
        warnings.append(
            f"The seed, {spoken_money(terms.seed)}, is below the largest fixed award, {spoken_money(largest)}."
        )
    if rules.fixed_awards_from == "meter" and terms.contribution_rate < GROWS_FROM:
        warnings.append("Every award comes off the meter and less than 70 % is contributed: the meter may run dry.")
    if rules.fixed_awards_from == "tray" and own_rate is not None and terms.contribution_rate > own_rate:
        warnings.append(f"The contribution is raised above {table.name}'s own {own_rate}: the house edge shrinks.")
    if terms.contribution_rate + terms.reserve_rate > 1:
        warnings.append("Contribution and reserve together exceed 100 % of the wager.")
    return tuple(warnings)
