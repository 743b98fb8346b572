"""Exact money: cents as `Fraction`, never float.

>>> money_text(Fraction(1875, 2)), spoken_money(Fraction(10550))
('1875/2', '$105.50')
>>> round_payout(Fraction(1875, 2), "half_up", 100)
Fraction(900, 1)
"""

import re
from fractions import Fraction
from math import ceil, floor
from typing import Literal

from game.errors import GameError

Rounding = Literal["exact", "down", "up", "half_up"]


def money_text(amount: Fraction | int) -> str:
    """The exact text of an amount in cents: `1500`, or `1875/2` for what no coin can pay."""
    return str(Fraction(amount))


def spoken_money(amount: Fraction | int) -> str:
    """Dollars for people: `$30`, `$7.50`, and `$9.37 1/2` where half a cent remains."""
    cents = abs(Fraction(amount))
    whole, rest = divmod(cents, 1)
    dollars, pence = divmod(int(whole), 100)
    text = f"${dollars:,}" + (f".{pence:02}" if pence or rest else "") + (f" {rest}" if rest else "")
    return f"-{text}" if amount < 0 else text


def parse_dollars(text: object) -> Fraction:
    """Cents from `$1,000` or `$2.50`.

    >>> parse_dollars("$1,000")
    Fraction(100000, 1)
    """
    if not isinstance(text, str) or not re.fullmatch(r"\$\d{1,3}(,?\d{3})*(\.\d{2})?", text):
        raise GameError(f"{text!r} is no amount; write dollars like '$1,000' or '$2.50'")
    return Fraction(text[1:].replace(",", "")) * 100


def parse_exact(text: object) -> Fraction:
    """A number given exactly: an integer, or text like `7/10` or `0.15`; a float has already lost digits."""
    if isinstance(text, bool) or not isinstance(text, int | str):
        raise GameError(f"{text!r} is no exact number; write text like '7/10' or '0.15'")
    try:
        return Fraction(_without_exponent(text))
    except (ValueError, ZeroDivisionError):
        raise GameError(f"{text!r} is no exact number; write text like '7/10' or '0.15'") from None


def _without_exponent(text: int | str) -> int | str:
    """Nobody writes money with an exponent, and `1e999999999` would be worked out for ever."""
    if isinstance(text, str) and "e" in text.lower():
        raise ValueError(text)
    return text


def round_payout(amount: Fraction, rounding: Rounding, unit_cents: int) -> Fraction:
    """An amount made payable in units of `unit_cents`, as the house rounds."""
    units = amount / unit_cents
    match rounding:
        case "down":
            return Fraction(floor(units) * unit_cents)
        case "up":
            return Fraction(ceil(units) * unit_cents)
        case "half_up":
            return Fraction(floor(units + Fraction(1, 2)) * unit_cents)
        case _:
            return amount
