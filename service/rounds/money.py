"""Money as people and chips have it: amounts in words, and what a dealer takes from the tray for an amount."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

from pydantic import PlainSerializer, PlainValidator

from game.money import money_text, parse_exact, spoken_money
from service.rounds.view import Amount, ChipView

# Exact cents in stored JSON, as text: "1500" or "1875/2".
Cents = Annotated[
    Fraction,
    PlainValidator(lambda value: value if isinstance(value, Fraction) else parse_exact(value)),
    PlainSerializer(money_text, return_type=str),
]


def amount_view(amount: Fraction | int | None) -> Amount | None:
    """An amount as it is shown."""
    return None if amount is None else shown(amount)


def shown(amount: Fraction | int) -> Amount:
    """An amount as it is shown, never missing."""
    return Amount(money_text(amount), spoken_money(amount))


def chip_buttons(chips: Sequence[int]) -> tuple[ChipView, ...]:
    """The chips as buttons, smallest first."""
    return tuple(ChipView(chip, spoken_money(chip)) for chip in sorted(chips))


def as_chips(amount: Fraction, chips: Sequence[int]) -> str:
    """The fewest chips that make an amount, largest first; what no chip pays is said.

    >>> as_chips(Fraction(10500), [100, 500, 2500])
    '4×$25 + 1×$5'
    >>> as_chips(Fraction(10550), [100, 500, 2500])
    '4×$25 + 1×$5 and $0.50 that no chip pays'
    >>> as_chips(Fraction(0), [100])
    ''
    """
    parts, rest = [], Fraction(amount)
    for chip in sorted(chips, reverse=True):
        count, rest = divmod(rest, chip)
        if count:
            parts.append(f"{int(count)}×{spoken_money(chip)}")
    if not rest:
        return " + ".join(parts)
    unpaid = f"{spoken_money(rest)} that no chip pays"
    return f"{' + '.join(parts)} and {unpaid}" if parts else unpaid
