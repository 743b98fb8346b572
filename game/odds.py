"""Counting hands in bulk with numpy: strengths of millions of hands, and every deal of a player against a dealer.

A hand is a row of card numbers (`Card.index`). A strength is a number: its place among the 2,535 strengths that four
cards can have, weakest first (`STRENGTHS`). `game.edges` turns the counts into exact odds.

How it is fast: each card adds to a 64-bit key that holds how often every rank and suit occurs. The ranks are looked
up in a table of all rank counts; suits matter only where four cards share one, in about one hand of twenty.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations, permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from game.cards import SUITS
from game.deals import DECISIONS, DealRow, OptimalRow
from game.five_card import FiveCardCategory as Five
from game.hands import Category, Strength, straight_top
from game.payable_hands import five_card_names

Hands = NDArray[np.uint8]  # (N, cards) card numbers 0..51
Strengths = NDArray[np.uint16]  # (N,) places in STRENGTHS

_LOW_RANKS = 7  # ranks 2..8 in the lower 21 bits of a key, 9..A in the next 18
_LOW_BITS, _HIGH_BITS, _SUIT_SHIFT = 3 * _LOW_RANKS, 3 * (13 - _LOW_RANKS), 40
_CARDS = np.arange(52)
_KEYS = (np.uint64(1) << (3 * (_CARDS // 4)).astype(np.uint64)) + (
    np.uint64(1) << (_SUIT_SHIFT + 4 * (_CARDS % 4)).astype(np.uint64)
)
_FOUR_SUITED = np.uint64(0x4444 << _SUIT_SHIFT)  # a count of four to six sets bit 2 of its suit's nibble
_CHUNK = 1 << 15  # hands at a time, so that what is worked on stays in the cache


def _all_strengths() -> tuple[Strength, ...]:
    ranks = range(14, 1, -1)
    tops = range(14, 3, -1)
    fours = [four for four in combinations(ranks, 4) if straight_top(four) is None]
    strengths = [
        *(Strength(Category.FOUR_OF_A_KIND, (rank,)) for rank in ranks),
        *(Strength(Category.STRAIGHT_FLUSH, (top,)) for top in tops),
        *(Strength(Category.THREE_OF_A_KIND, (rank, kicker)) for rank in ranks for kicker in ranks if kicker != rank),
        *(Strength(Category.FLUSH, four) for four in fours),
        *(Strength(Category.STRAIGHT, (top,)) for top in tops),
        *(Strength(Category.TWO_PAIR, pairs) for pairs in combinations(ranks, 2)),
        *(
            Strength(Category.PAIR, (rank, *kickers))
            for rank in ranks
            for kickers in combinations(ranks, 2)
            if rank not in kickers
        ),
        *(Strength(Category.HIGH_CARD, four) for four in fours),
    ]
    return tuple(sorted(strengths))


STRENGTHS = _all_strengths()
_PLACE = {strength: place for place, strength in enumerate(STRENGTHS)}
CATEGORY_STARTS = tuple(
    next(place for place, strength in enumerate(STRENGTHS) if strength.category == category) for category in Category
)


def place_of(strength: Strength) -> int:
    """The number of a strength."""
    return _PLACE[strength]


def _best_by_ranks(times: dict[int, int]) -> Strength:
    """The best four of cards given as how often each rank occurs, whatever the suits."""
    ranks = sorted(times, reverse=True)
    by_times = {count: [rank for rank in ranks if times[rank] >= count] for count in (2, 3, 4)}
    if by_times[4]:
        return Strength(Category.FOUR_OF_A_KIND, (by_times[4][0],))
    if by_times[3]:
        three = by_times[3][0]
        return Strength(Category.THREE_OF_A_KIND, (three, next(rank for rank in ranks if rank != three)))
    if top := max((straight_top(four) or 0 for four in combinations(ranks, 4)), default=0):
        return Strength(Category.STRAIGHT, (top,))
    if len(by_times[2]) >= 2:
        return Strength(Category.TWO_PAIR, tuple(by_times[2][:2]))
    if by_times[2]:
        pair = by_times[2][0]
        return Strength(Category.PAIR, (pair, *[rank for rank in ranks if rank != pair][:2]))
    return Strength(Category.HIGH_CARD, tuple(ranks[:4]))


def _rank_counts(ranks: range, most: int) -> Iterator[dict[int, int]]:
    """Every way that up to `most` cards fall on some ranks, four at most on each."""
    if not ranks:
        yield {}
        return
    for count in range(min(4, most) + 1):
        for rest in _rank_counts(ranks[1:], most - count):
            yield ({ranks[0]: count} if count else {}) | rest


@cache
def _rank_tables() -> tuple[NDArray[np.uint16], NDArray[np.uint16], Strengths]:
    """Half keys to half numbers, low and high, and the strength for each pair of halves."""
    lows, highs = list(_rank_counts(range(2, 9), 6)), list(_rank_counts(range(9, 15), 6))
    low_table, high_table = np.zeros(1 << _LOW_BITS, np.uint16), np.zeros(1 << _HIGH_BITS, np.uint16)
    for number, counts in enumerate(lows):
        low_table[sum(count << 3 * (rank - 2) for rank, count in counts.items())] = number
    for number, counts in enumerate(highs):
        high_table[sum(count << 3 * (rank - 9) for rank, count in counts.items())] = number
    strengths = np.zeros((len(lows), len(highs)), np.uint16)
    by_size = [
        [(number, counts) for number, counts in enumerate(highs) if sum(counts.values()) == size] for size in range(7)
    ]
    for low, low_counts in enumerate(lows):
        size = sum(low_counts.values())
        for high, high_counts in chain(*by_size[max(0, 4 - size) : 7 - size]):
            strengths[low, high] = _PLACE[_best_by_ranks(low_counts | high_counts)]
    return low_table, high_table, strengths


@cache
def _suited_table() -> Strengths:
    """The strength of cards of one suit, by the bits of their ranks; 0 for fewer than four."""
    table = np.zeros(1 << 13, np.uint16)
    for bits in range(1 << 13):
        ranks = [rank for rank in range(14, 1, -1) if bits >> (rank - 2) & 1]
        if 4 <= len(ranks) <= 6:
            top = max(straight_top(four) or 0 for four in combinations(ranks, 4))
            best = Strength(Category.STRAIGHT_FLUSH, (top,)) if top else Strength(Category.FLUSH, tuple(ranks[:4]))
            table[bits] = _PLACE[best]
    return table


def four_card_strengths(hands: Hands) -> Strengths:
    """The strength of the best four of each hand of four to six cards.

    >>> from game.cards import parse_cards
    >>> hand = np.array([[card.index for card in parse_cards("9s 9h Ac Qd 4d")]], np.uint8)
    >>> STRENGTHS[four_card_strengths(hand)[0]]
    Strength(category=<Category.PAIR: 1>, ranks=(9, 14, 12))
    """
    result = np.empty(len(hands), np.uint16)
    for start in range(0, len(hands), _CHUNK):
        columns = np.ascontiguousarray(hands[start : start + _CHUNK].T)
        keys = _KEYS.take(columns[0])
        for column in columns[1:]:
            keys += _KEYS.take(column)
        result[start : start + _CHUNK] = _strengths_of_keys(keys, columns)
    return result


def _strengths_of_keys(keys: NDArray[np.uint64], columns: NDArray[np.uint8]) -> Strengths:
    low_table, high_table, by_ranks = _rank_tables()
    low = low_table.take((keys & np.uint64((1 << _LOW_BITS) - 1)).view(np.int64))
    high = high_table.take(((keys >> np.uint64(_LOW_BITS)) & np.uint64((1 << _HIGH_BITS) - 1)).view(np.int64))
    strengths: Strengths = by_ranks.ravel().take(low.astype(np.int64) * by_ranks.shape[1] + high)
    suited = np.flatnonzero(keys & _FOUR_SUITED)
    if suited.size:
        strengths[suited] = np.maximum(strengths[suited], _suited_strengths(keys[suited], columns[:, suited]))
    return strengths


def _suited_strengths(keys: NDArray[np.uint64], columns: NDArray[np.uint8]) -> Strengths:
    counts = keys >> np.uint64(_SUIT_SHIFT)
    suit = np.zeros(len(keys), np.uint8)
    for number in (1, 2, 3):
        suit[(counts >> np.uint64(4 * number)) & np.uint64(4) > 0] = number
    bits = np.zeros(len(keys), np.int64)
    for column in columns:
        bits |= np.where(column % 4 == suit, np.int64(1) << (column // 4).astype(np.int64), 0)
    result: Strengths = _suited_table().take(bits)
    return result


def all_hands(cards: int, deck: NDArray[np.uint8] | None = None) -> Hands:
    """Every choice of so many cards of a deck, each row ascending, one row each."""
    deck = _CARDS.astype(np.uint8) if deck is None else deck
    rows = np.arange(len(deck), dtype=np.uint8)[:, None]
    for _ in range(cards - 1):
        room = len(deck) - 1 - rows[:, -1].astype(np.int64)
        starts = np.repeat(rows[:, -1].astype(np.int64) + 1, room)
        within = np.arange(room.sum()) - np.repeat(np.cumsum(room) - room, room)
        rows = np.column_stack([np.repeat(rows, room, axis=0), (starts + within).astype(np.uint8)])
    return deck[rows]


def strength_counts(cards: int) -> NDArray[np.int64]:
    """How many hands of so many cards have each strength, over the whole deck."""
    counts = np.zeros(len(STRENGTHS), np.int64)
    for first in range(52 - cards + 1):  # by the lowest card, so that 20 million hands never lie in memory at once
        rest = all_hands(cards - 1, _CARDS[first + 1 :].astype(np.uint8))
        hands = np.column_stack([np.full(len(rest), first, np.uint8), rest])
        counts += np.bincount(four_card_strengths(hands), minlength=len(STRENGTHS))
    return counts


def five_card_counts() -> dict[frozenset[str], int]:
    """How many hands of five cards go by each set of names that five-card progressives use."""
    hands = all_hands(5)
    ranks, suits = hands // 4, hands % 4
    same = ranks[:, 1:] == ranks[:, :-1]
    repeats = same.sum(axis=1)
    in_a_row = (same[:, 1:] & same[:, :-1]).sum(axis=1)  # 1 three of a kind, 2 four of a kind, 1 of 3 a full house
    wheel = (ranks == [0, 1, 2, 3, 12]).all(axis=1)
    straight = (repeats == 0) & ((ranks[:, 4] - ranks[:, 0] == 4) | wheel)
    flush = (suits == suits[:, :1]).all(axis=1)
    royal = straight & (ranks[:, 0] == 8)
    by_repeats = np.array([[Five.HIGH_CARD, 0, 0], [Five.PAIR, 0, 0], [Five.TWO_PAIR, Five.THREE_OF_A_KIND, 0],
                           [0, Five.FULL_HOUSE, Five.FOUR_OF_A_KIND]])  # fmt: skip
    category = by_repeats[repeats, in_a_row]
    category[straight] = Five.STRAIGHT
    category[flush] = np.where(straight, Five.STRAIGHT_FLUSH, Five.FLUSH)[flush]
    category[flush & royal] = Five.ROYAL_FLUSH
    four_aces = (category == Five.FOUR_OF_A_KIND) & (ranks[:, 1] == 12)
    counts = {
        five_card_names(each, four_aces=aces): int(np.count_nonzero((category == each) & (four_aces == aces)))
        for each in Five
        for aces in (False, True)
    }
    return {names: count for names, count in counts.items() if count}


def colour_counts() -> dict[int, int]:
    """How many hands of five cards have so many of the more frequent colour."""
    reds = np.isin(all_hands(5) % 4, [SUITS.index("d"), SUITS.index("h")]).sum(axis=1)
    return {
        int(most): int(count)
        for most, count in zip(*np.unique(np.maximum(reds, 5 - reds), return_counts=True), strict=True)
    }


# Every deal of five cards to a player and six to the dealer. The dealer's hands that avoid the player's cards follow by
# inclusion and exclusion from those that contain each part of them, and parts that differ only in suits count alike.

Classes = NDArray[np.int32]  # the class of every set of cards, by its place among all sets of that size
_CHOOSE = np.array([[comb(card, size) for size in range(8)] for card in range(53)], np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class CardSets:
    """Sets of so many cards, alike when relabelling suits makes them the same."""

    class_of: Classes
    examples: Hands  # (classes, cards), one set each, ascending
    sizes: NDArray[np.int64]  # (classes,) how many sets are alike


def _places(columns: Sequence[NDArray[np.uint8]]) -> NDArray[np.int64]:
    """The place of ascending sets among all sets of their size."""
    places = np.zeros(len(columns[0]) if columns else 1, np.int64)
    for size, column in enumerate(columns, start=1):
        places += _CHOOSE[column, size]
    return places


def _places_with(columns: Sequence[NDArray[np.uint8]], card: int) -> NDArray[np.int64]:
    """The place of ascending sets after one more card has joined them."""
    if not columns:
        return np.array([card], np.int64)
    places = np.zeros(len(columns[0]), np.int64)
    below = np.zeros(len(columns[0]), np.int64)
    for size, column in enumerate(columns, start=1):
        is_below = column < card
        places += np.where(is_below, _CHOOSE[column, size], _CHOOSE[column, size + 1])
        below += is_below
    places += _CHOOSE[card, below + 1]
    return places


@cache
def card_sets(cards: int) -> CardSets:
    """All sets of so many cards, sorted into classes."""
    sets = all_hands(cards) if cards else np.zeros((1, 0), np.uint8)
    places = _places(list(sets.T))
    lowest = places.copy()
    for suits in permutations(range(4)):
        relabelled = np.sort(sets // 4 * 4 + np.array(suits, np.uint8)[sets % 4], axis=1)
        np.minimum(lowest, _places(list(relabelled.T)), out=lowest)
    _, first, classes, sizes = np.unique(lowest, return_index=True, return_inverse=True, return_counts=True)
    class_of = np.empty(len(sets), np.int32)
    class_of[places] = classes
    return CardSets(class_of, sets[first], sizes.astype(np.int64))


class _DealerBelow:
    """For classes of sets: how many six-card hands that contain the set are below each strength; counted when asked."""

    def __init__(self, cards: int) -> None:
        self._cards = cards
        self._examples = card_sets(cards).examples
        fits = np.uint8 if cards == 5 else np.int32  # 47 hands contain five given cards
        self._below = np.zeros((len(self._examples), len(STRENGTHS) + 1), fits)
        self._is_counted = np.zeros(len(self._examples), bool)

    def __call__(self, classes: Classes, strengths: NDArray[np.int64]) -> NDArray[np.int64]:
        asked = np.unique(classes)
        for number in asked[~self._is_counted[asked]]:
            self._below[number, 1:] = np.cumsum(self._count(self._examples[number]))
            self._is_counted[number] = True
        return self._below[classes, strengths].astype(np.int64)

    def _count(self, example: NDArray[np.uint8]) -> NDArray[np.int64]:
        counts = np.zeros(len(STRENGTHS), np.int64)
        for others in _completions(np.setdiff1d(_CARDS.astype(np.uint8), example), 6 - self._cards):
            hands = np.column_stack([np.broadcast_to(example, (len(others), self._cards)), others])
            counts += np.bincount(four_card_strengths(hands), minlength=len(STRENGTHS))
        return counts


@cache
def _dealer_below(cards: int) -> _DealerBelow:
    return _DealerBelow(cards)


def _completions(deck: NDArray[np.uint8], cards: int) -> Iterator[Hands]:
    """Every choice of so many cards, in pieces that fit into memory."""
    if cards <= 3:
        yield all_hands(cards, deck)
        return
    for first in range(len(deck) - cards + 1):
        rest = all_hands(cards - 1, deck[first + 1 :])
        yield np.column_stack([np.full(len(rest), deck[first]), rest])


def _parts(hands: Hands) -> Iterator[list[NDArray[np.uint8]]]:
    """Every part of each hand, from none of its cards to all, as columns."""
    columns = list(np.ascontiguousarray(hands.T))
    for size in range(len(columns) + 1):
        yield from ([columns[index] for index in chosen] for chosen in combinations(range(len(columns)), size))


def dealer_below(hands: Hands, strengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many dealer's hands that avoid each player's hand are below a strength, one strength a hand."""
    total = np.zeros(len(hands), np.int64)
    for part in _parts(hands):
        classes = card_sets(len(part)).class_of[_places(part)]
        total += (-1) ** len(part) * _dealer_below(len(part))(classes, strengths)
    return total


def dealer_below_with(hands: Hands, strengths: NDArray[np.int64], up_card: int) -> NDArray[np.int64]:
    """The same among the dealer's hands that hold the up card, which is in none of the players' hands."""
    total = np.zeros(len(hands), np.int64)
    for part in _parts(hands):
        if len(part) == 5:
            full = np.column_stack([*part, np.full(len(hands), up_card, np.uint8)])
            total -= four_card_strengths(full) < strengths
            continue
        classes = card_sets(len(part) + 1).class_of[_places_with(part, up_card)]
        total += (-1) ** len(part) * _dealer_below(len(part) + 1)(classes, strengths)
    return total


@dataclass(frozen=True, slots=True, eq=False)
class DealCounts:
    """Deals by the player's strength: how many hands have it, and how the dealer's hands fall against them."""

    hands: NDArray[np.int64]  # (2535,)
    by_category: NDArray[np.int64]  # (2535, 8) deals by the dealer's category
    lower_in_category: NDArray[np.int64]  # (2535,) deals where the dealer's hand is of the same category, and below
    ties: NDArray[np.int64]  # (2535,)


def count_deals(players: CardSets | None = None) -> DealCounts:
    """Count 2.8e13 deals; about a minute and 2 GB for all players' hands, less for some of them."""
    players = card_sets(5) if players is None else players
    places = four_card_strengths(players.examples).astype(np.int64)
    ends = [*CATEGORY_STARTS[1:], len(STRENGTHS)]
    up_to = np.column_stack([dealer_below(players.examples, np.full_like(places, end)) for end in ends])
    below, up_to_equal = dealer_below(players.examples, places), dealer_below(players.examples, places + 1)
    starts = np.column_stack([np.zeros_like(places), up_to[:, :-1]])
    category = np.searchsorted(CATEGORY_STARTS, places, side="right") - 1

    def by_place(values: NDArray[np.int64]) -> NDArray[np.int64]:
        total = np.zeros(len(STRENGTHS), np.int64)
        np.add.at(total, places, values * players.sizes)
        return total

    return DealCounts(
        by_place(np.ones_like(places)),
        np.column_stack([by_place(column) for column in (up_to - starts).T]),
        by_place(below - starts[np.arange(len(places)), category]),
        by_place(up_to_equal - below),
    )


DEALER_HANDS_WITH_UP_CARD = comb(46, 5)


def count_optimal_play(players: CardSets | None = None) -> NDArray[np.int64]:
    """Deals under the best decision for each hand and up card; (category, fold/1x/3x, deals/won).

    Raising pays more the more there is on the table, so 3x is best when the hand wins more often than not; otherwise
    1x, unless giving up the ante costs less than playing: 2 (won - lost) < -deals. Ties are won.
    """
    players = card_sets(5) if players is None else players
    places = four_card_strengths(players.examples).astype(np.int64)
    category = np.searchsorted(CATEGORY_STARTS, places, side="right") - 1
    total = np.zeros((len(Category) * 3, 2), np.int64)
    for up_card in range(52):
        free = ~(players.examples == up_card).any(axis=1)
        won = dealer_below_with(players.examples[free], places[free] + 1, up_card)
        margin = 2 * won - DEALER_HANDS_WITH_UP_CARD
        decision = np.where(margin > 0, 2, np.where(2 * margin >= -DEALER_HANDS_WITH_UP_CARD, 1, 0))
        sizes = players.sizes[free]
        cell = category[free] * 3 + decision
        np.add.at(total[:, 0], cell, sizes * DEALER_HANDS_WITH_UP_CARD)
        np.add.at(total[:, 1], cell, sizes * won)
    return total.reshape(len(Category), 3, 2)


def recount() -> tuple[list[DealRow], list[OptimalRow]]:
    """Everything that `game.deals` keeps, counted anew."""
    counts, optimal = count_deals(), count_optimal_play()
    deals = [
        DealRow(
            strength,
            int(counts.hands[place]),
            tuple(int(count) for count in counts.by_category[place]),
            int(counts.lower_in_category[place]),
            int(counts.ties[place]),
        )
        for place, strength in enumerate(STRENGTHS)
        if counts.hands[place]
    ]
    return deals, [
        OptimalRow(category, play, int(optimal[category, number, 0]), int(optimal[category, number, 1]))
        for category in Category
        for number, play in enumerate(DECISIONS)
    ]
