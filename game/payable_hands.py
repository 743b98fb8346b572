"""The hands that pay tables name: which names a player's cards go by, for each way a schedule looks at them.

A schedule pays its first row whose hand is among these names, so a name may be wider than its category:
a royal flush also goes by `straight_flush`, and a table without a royal row pays it as one.

>>> sorted(four_card_names(Strength(Category.FOUR_OF_A_KIND, (14,))))
['four_aces', 'four_of_a_kind', 'quad_aces', 'quads']
>>> sorted(five_card_names(Five.FULL_HOUSE, four_aces=False))
['full_house', 'three_of_a_kind']
>>> sorted(colour_names(4))
['four_same_color']
"""

from collections.abc import Sequence

from game.cards import Card
from game.five_card import FiveCardCategory as Five
from game.hands import Category, Strength

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


def four_card_names(strength: Strength) -> frozenset[str]:
    """What the best four cards are called in pay tables."""
    category = strength.category
    names = {category.key, _OTHER_NAMES.get(category, category.key)}
    return frozenset(names | (_WITH_ACES.get(category, set()) if strength.ranks[0] == 14 else set()))


def five_card_names(category: Five, *, four_aces: bool) -> frozenset[str]:
    """What all five cards are called in pay tables."""
    names = {category.key, _ALSO_PAID_AS.get(category, category).key}
    return frozenset(names | {"four_aces"} if four_aces else names)


def has_four_aces(cards: Sequence[Card]) -> bool:
    """Whether four aces are among the cards."""
    return sum(card.rank == 14 for card in cards) == 4


def colour_names(most: int) -> frozenset[str]:
    """What the colours of five cards are called, given how many have the more frequent one."""
    return frozenset({5: {"five_same_color"}, 4: {"four_same_color"}}.get(most, set()))


def most_of_one_colour(cards: Sequence[Card]) -> int:
    """How many cards have the more frequent colour."""
    reds = sum(card.is_red for card in cards)
    return max(reds, len(cards) - reds)
