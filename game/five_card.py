"""Five-card poker hands, for the progressives that look at all five cards dealt.

>>> from game.cards import parse_cards
>>> five_card_category(parse_cards("5h 4h 3h 2h Ah"))
<FiveCardCategory.STRAIGHT_FLUSH: 8>
"""

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum

from game.cards import Card, verify_distinct
from game.errors import GameError
from game.hands import straight_top


class FiveCardCategory(IntEnum):
    """What five cards make in the ordinary order of poker, weakest first."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9

    @property
    def key(self) -> str:
        """Its name in files: `full_house`."""
        return self.name.lower()


_BY_REPEATS = {
    (4, 1): FiveCardCategory.FOUR_OF_A_KIND,
    (3, 2): FiveCardCategory.FULL_HOUSE,
    (3, 1, 1): FiveCardCategory.THREE_OF_A_KIND,
    (2, 2, 1): FiveCardCategory.TWO_PAIR,
    (2, 1, 1, 1): FiveCardCategory.PAIR,
}


def five_card_category(cards: Sequence[Card]) -> FiveCardCategory:
    """What exactly these five cards make."""
    if len(cards) != 5:
        raise GameError(f"{len(cards)} cards make no five-card hand; give five")
    verify_distinct(cards)
    times = Counter(card.rank for card in cards)
    repeats = tuple(sorted(times.values(), reverse=True))
    if repeats in _BY_REPEATS:
        return _BY_REPEATS[repeats]
    top = straight_top(times)
    if len({card.suit for card in cards}) == 1:
        if top is None:
            return FiveCardCategory.FLUSH
        return FiveCardCategory.ROYAL_FLUSH if top == 14 else FiveCardCategory.STRAIGHT_FLUSH
    return FiveCardCategory.HIGH_CARD if top is None else FiveCardCategory.STRAIGHT
