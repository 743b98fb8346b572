"""Table limits: what a wager may be, what a round may pay at most, and the ceiling the law sets.

>>> limits = TableLimits.from_mapping({"minimum": {"ante": 500}, "maximum": {"ante": 10000}})
>>> limits.fault("ante", Fraction(100))
'below_minimum'
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Self

from game.errors import GameError


class LimitError(GameError):
    """Limits that contradict themselves or the law."""


@dataclass(frozen=True, slots=True)
class TableLimits:
    """Limits of one table in cents, by wager; a wager that is not named has none."""

    minimum: Mapping[str, Fraction] = field(default_factory=dict)
    maximum: Mapping[str, Fraction] = field(default_factory=dict)
    maximum_aggregate: Fraction | None = None  # the most that Prime's bonuses pay in one round, as the table posts it

    def __post_init__(self) -> None:
        for wager, least in self.minimum.items():
            most = self.maximum.get(wager)
            if most is not None and least > most:
                raise LimitError(f"the minimum of {wager}, {least} cents, is above its maximum, {most}")

    @classmethod
    def from_mapping(cls, content: Mapping[str, object]) -> Self:
        """Limits from a file or a case: `minimum` and `maximum` by wager, `maximum_aggregate`, in cents."""
        if unknown := sorted(content.keys() - {"minimum", "maximum", "maximum_aggregate"}):
            raise LimitError(f"unknown limit {unknown[0]!r}; use minimum, maximum and maximum_aggregate")
        aggregate = content.get("maximum_aggregate")
        return cls(
            _cents_by_wager("minimum", content.get("minimum", {})),
            _cents_by_wager("maximum", content.get("maximum", {})),
            None if aggregate is None else _cents("maximum_aggregate", aggregate),
        )

    def fault(self, wager: str, amount: Fraction) -> str | None:
        """`below_minimum`, `above_maximum` or None for a wager that was made."""
        if amount < self.minimum.get(wager, 0):
            return "below_minimum"
        most = self.maximum.get(wager)
        return "above_maximum" if most is not None and amount > most else None

    def verify_within(self, ceiling: Fraction | None, source: str) -> None:
        """Raise `LimitError` where a limit exceeds what the law allows for one wager."""
        if ceiling is None:
            return
        for name, limits in (("maximum", self.maximum), ("minimum", self.minimum)):
            for wager, amount in limits.items():
                if amount > ceiling:
                    raise LimitError(f"the {name} of {wager}, {amount} cents, is above the legal {ceiling} ({source})")


def _cents(key: str, value: object) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise LimitError(f"limit {key} is {value!r}; write a whole number of cents")
    return Fraction(value)


def _cents_by_wager(key: str, content: object) -> dict[str, Fraction]:
    if not isinstance(content, Mapping):
        raise LimitError(f"limit {key} is {content!r}; write cents by wager, like ante = 500")
    return {wager: _cents(f"{key} of {wager}", value) for wager, value in content.items()}
