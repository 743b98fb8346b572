"""The hands that pay tables name: which names a player's cards go by, for each way a schedule looks at them.

A schedule pays its first row whose hand is among these names, so a name may be wider than its category:
a royal flush also goes by `straight_flush`, and a table without a royal row pays it as one.

>>> from game.cards import parse_cards
>>> sorted(four_card_names(best_four(parse_cards("As Ah Ad Ac 4d"))))
['four_aces', 'four_of_a_kind', 'quad_aces', 'quads']
>>> sorted(five_card_names(parse_cards("9s 9h 9d 4c 4d")))
['full_house', 'three_of_a_kind']
>>> sorted(colour_names(parse_cards("9s 9h 2d 4d 4h")))
['four_same_color']
"""

from collections.abc import Sequence

from game.cards import Card
from game.five_card import FiveCardCategory as Five
from game.five_card import five_card_category
from game.hands import Category, FourCardHand, best_four

# Highest first, as a table lists them; names joined by "/" are the same hand in different documents.
BY_FOUR_CARDS = (
    "four_aces/quad_aces", "four_of_a_kind/quads", "royal", "straight_flush", "trips_aces", "three_of_a_kind/trips",
    "flush", "straight", "two_pair", "pair_of_aces", "pair",
)  # fmt: skip
BY_FIVE_CARDS = (
    "royal_flush", "straight_flush", "four_aces", "four_of_a_kind", "full_house", "flush", "straight",
    "three_of_a_kind", "two_pair", "pair",
)  # fmt: skip
BY_COLOUR = ("five_same_color", "four_same_color")

_OTHER_NAMES = {Category.FOUR_OF_A_KIND: "quads", Category.THREE_OF_A_KIND: "trips"}
_WITH_ACES = {
    Category.FOUR_OF_A_KIND: {"four_aces", "quad_aces"},
    Category.STRAIGHT_FLUSH: {"royal"},
    Category.THREE_OF_A_KIND: {"trips_aces"},
    Category.PAIR: {"pair_of_aces"},
}
_ALSO_PAID_AS = {Five.ROYAL_FLUSH: Five.STRAIGHT_FLUSH, Five.FULL_HOUSE: Five.THREE_OF_A_KIND}


def four_card_names(hand: FourCardHand) -> frozenset[str]:
    """What the best four cards are called in pay tables."""
    category = hand.category
    names = {category.key, _OTHER_NAMES.get(category, category.key)}
    return frozenset(names | (_WITH_ACES.get(category, set()) if hand.strength.ranks[0] == 14 else set()))


def five_card_names(cards: Sequence[Card]) -> frozenset[str]:
    """What all five cards are called in pay tables."""
    category = five_card_category(cards)
    names = {category.key, _ALSO_PAID_AS.get(category, category).key}
    is_four_aces = category is Five.FOUR_OF_A_KIND and sum(card.rank == 14 for card in cards) == 4
    return frozenset(names | {"four_aces"} if is_four_aces else names)


def colour_names(cards: Sequence[Card]) -> frozenset[str]:
    """What the colours of all five cards are called: five or four the same, or nothing."""
    reds = sum(card.is_red for card in cards)
    same = max(reds, len(cards) - reds)
    return frozenset({5: {"five_same_color"}, 4: {"four_same_color"}}.get(same, set()))


__all__ = [
    "BY_COLOUR",
    "BY_FIVE_CARDS",
    "BY_FOUR_CARDS",
    "best_four",
    "colour_names",
    "five_card_names",
    "four_card_names",
]
