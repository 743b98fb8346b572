"""Four-card hands: the best four of four to six cards, how strong they are, and how a dealer says it.

The order of categories is the game's own: four of a kind beats a straight flush, three of a kind beats a flush.

>>> from game.cards import parse_cards
>>> hand = best_four(parse_cards("9s 9h Ac Qd 4d"))
>>> hand.strength
Strength(category=<Category.PAIR: 1>, ranks=(9, 14, 12))
>>> hand.spoken
'pair of nines, ace-queen'
>>> best_four(parse_cards("4c 3d 2h As Kd")).spoken
'straight, four high'
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations

from game.cards import RANK_NAMES, Card, verify_distinct
from game.errors import GameError


class Category(IntEnum):
    """What four cards make, weakest first."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    STRAIGHT = 3
    FLUSH = 4
    THREE_OF_A_KIND = 5
    STRAIGHT_FLUSH = 6
    FOUR_OF_A_KIND = 7

    @property
    def key(self) -> str:
        """Its name in files: `three_of_a_kind`."""
        return self.name.lower()


@dataclass(frozen=True, slots=True, order=True)
class Strength:
    """What decides between two hands: the category, then ranks in the order they are compared."""

    category: Category
    ranks: tuple[int, ...]  # 2..14; of a straight its top alone, 4 for the wheel


@dataclass(frozen=True, slots=True)
class FourCardHand:
    """The four cards that play, and their strength."""

    cards: tuple[Card, ...]  # highest first
    strength: Strength

    @property
    def category(self) -> Category:
        """What the four cards make."""
        return self.strength.category

    @property
    def spoken(self) -> str:
        """As a dealer says it: `three of a kind, nines`."""
        return spoken(self.strength)


# By how often the ranks repeat; only four different ranks can also be a straight or a flush.
_BY_REPEATS = {
    (4,): Category.FOUR_OF_A_KIND,
    (3, 1): Category.THREE_OF_A_KIND,
    (2, 2): Category.TWO_PAIR,
    (2, 1, 1): Category.PAIR,
}
_BY_STRAIGHT_AND_FLUSH = {
    (False, False): Category.HIGH_CARD,
    (True, False): Category.STRAIGHT,
    (False, True): Category.FLUSH,
    (True, True): Category.STRAIGHT_FLUSH,
}


def straight_top(ranks: Collection[int]) -> int | None:
    """The top of a straight that uses all the different `ranks`, or None; an ace may also stand below the two.

    >>> straight_top({14, 2, 3, 4}), straight_top({14, 13, 12, 11}), straight_top({13, 14, 2, 3})
    (4, 14, None)
    """
    for low_ace in (False, True):
        values = {1 if low_ace and rank == 14 else rank for rank in ranks}
        if len(values) == len(ranks) and max(values) - min(values) == len(ranks) - 1:
            return max(values)
    return None


def strength_of_four(cards: Sequence[Card]) -> Strength:
    """The strength of exactly these four cards."""
    times = Counter(card.rank for card in cards)
    ranks = tuple(sorted(times, key=lambda rank: (times[rank], rank), reverse=True))
    repeats = tuple(times[rank] for rank in ranks)
    if repeats in _BY_REPEATS:
        return Strength(_BY_REPEATS[repeats], ranks)
    top = straight_top(ranks)
    is_flush = len({card.suit for card in cards}) == 1
    return Strength(_BY_STRAIGHT_AND_FLUSH[top is not None, is_flush], ranks if top is None else (top,))


def best_fours(cards: Sequence[Card]) -> tuple[FourCardHand, ...]:
    """Every choice of four that is as good as the best; more than one when an unused card could stand in.

    >>> from game.cards import parse_cards
    >>> [" ".join(map(str, hand.cards)) for hand in best_fours(parse_cards("9s 9h 9d Kc Kd"))]
    ['Kc 9s 9h 9d', 'Kd 9s 9h 9d']
    """
    if not 4 <= len(cards) <= 6:
        raise GameError(f"{len(cards)} cards make no four-card hand; give four to six")
    verify_distinct(cards)
    hands = [FourCardHand(tuple(sorted(four, reverse=True)), strength_of_four(four)) for four in combinations(cards, 4)]
    best = max(hand.strength for hand in hands)
    return tuple(sorted((hand for hand in hands if hand.strength == best), key=lambda hand: hand.cards))


def best_four(cards: Sequence[Card]) -> FourCardHand:
    """The best four of four to six cards; of equal choices the one with the higher suits, always the same."""
    return best_fours(cards)[-1]


def _plural(rank: int) -> str:
    name = RANK_NAMES[rank - 2]
    return name + ("es" if name == "six" else "s")


def spoken(strength: Strength) -> str:
    """A strength in a dealer's words.

    >>> spoken(Strength(Category.TWO_PAIR, (14, 6)))
    'two pair, aces and sixes'
    >>> spoken(Strength(Category.HIGH_CARD, (14, 11, 7, 2)))
    'ace high, jack-seven-two'
    """
    ranks = strength.ranks
    names = [RANK_NAMES[rank - 2] for rank in ranks]
    match strength.category:
        case Category.FOUR_OF_A_KIND:
            return f"four of a kind, {_plural(ranks[0])}"
        case Category.STRAIGHT_FLUSH:
            return f"straight flush, {names[0]} high"
        case Category.THREE_OF_A_KIND:
            return f"three of a kind, {_plural(ranks[0])}"
        case Category.FLUSH:
            return f"flush, {'-'.join(names)}"
        case Category.STRAIGHT:
            return f"straight, {names[0]} high"
        case Category.TWO_PAIR:
            return f"two pair, {_plural(ranks[0])} and {_plural(ranks[1])}"
        case Category.PAIR:
            return f"pair of {_plural(ranks[0])}, {'-'.join(names[1:])}"
        case _:
            return f"{names[0]} high, {'-'.join(names[1:])}"
