"""Cards and their notation: rank then suit, `As Td 9c`.

>>> parse_cards("As Td 9c")
(Card('As'), Card('Td'), Card('9c'))
>>> Card.parse("Td").spoken
'ten of diamonds'
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from game.errors import GameError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
RANK_NAMES = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")


class CardError(GameError):
    """Text that is no card."""


class DuplicateCardError(GameError):
    """One card seen twice: a fault of the deck or of the reading, never a pair."""


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Card:
    """One of the 52. Ordered by rank, then suit, so that sorting is stable and means something."""

    rank: int  # 2..14, the ace is 14
    suit: str  # one of "cdhs"

    def __post_init__(self) -> None:
        if not 2 <= self.rank <= 14 or self.suit not in SUITS or len(self.suit) != 1:
            raise CardError(f"rank {self.rank!r} and suit {self.suit!r} are no card; ranks are 2..14, suits c d h s")

    @classmethod
    def parse(cls, text: object) -> Self:
        """Read one card.

        >>> Card.parse("1x")
        Traceback (most recent call last):
            ...
        game.cards.CardError: '1x' is not a card; write rank then suit, like 'As' or 'Td'
        """
        if not isinstance(text, str) or len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
            raise CardError(f"{text!r} is not a card; write rank then suit, like 'As' or 'Td'")
        return cls(RANKS.index(text[0]) + 2, text[1])

    @classmethod
    def from_index(cls, index: int) -> Self:
        """Card number 0..51, by rank then suit; the inverse of `index`."""
        if not 0 <= index < 52:
            raise CardError(f"card number {index} is not in 0..51")
        return cls(index // 4 + 2, SUITS[index % 4])

    @property
    def index(self) -> int:
        """Its number 0..51, by rank then suit."""
        return (self.rank - 2) * 4 + SUITS.index(self.suit)

    @property
    def is_red(self) -> bool:
        """Whether it is a heart or a diamond."""
        return self.suit in "dh"

    @property
    def spoken(self) -> str:
        """As a dealer says it: `nine of clubs`."""
        return f"{RANK_NAMES[self.rank - 2]} of {SUIT_NAMES[SUITS.index(self.suit)]}"

    def __str__(self) -> str:
        return RANKS[self.rank - 2] + self.suit

    def __repr__(self) -> str:
        return f"Card('{self}')"


DECK = tuple(Card.from_index(index) for index in range(52))


def parse_cards(text: str | Iterable[object]) -> tuple[Card, ...]:
    """Read cards from one string (`"As Td"`) or from a list of them (`["As", "Td"]`), in the order given."""
    return tuple(Card.parse(word) for word in (text.split() if isinstance(text, str) else text))


def repeated_cards(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards that occur more than once, in order of rank.

    >>> repeated_cards(parse_cards("As Td As"))
    (Card('As'),)
    """
    return tuple(sorted(card for card, times in Counter(cards).items() if times > 1))


def verify_distinct(cards: Iterable[Card]) -> None:
    """Raise `DuplicateCardError` unless every card is there once."""
    if repeated := repeated_cards(cards):
        raise DuplicateCardError(f"seen twice: {' '.join(map(str, repeated))}; a deck has each card once")
