"""The order of hands, against a comparer that knows nothing but the rules' sentences."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.cards import DECK, Card, parse_cards
from game.errors import GameError
from game.five_card import five_card_category
from game.hands import best_four, best_fours, strength_of_four

four_cards = st.permutations(DECK).map(lambda deck: tuple(deck[:4]))
hands = st.integers(4, 6).flatmap(lambda n: st.permutations(DECK).map(lambda deck: tuple(deck[:n])))


def brute_force_key(cards):
    """Quads, straight flush, trips, flush, straight, two pair, pair, high card; then rank by rank."""
    ranks = sorted((card.rank for card in cards), reverse=True)
    runs = [list(range(top, top - 4, -1)) for top in range(14, 4, -1)]
    straight = ranks in runs
    if ranks == [14, 4, 3, 2]:
        straight, ranks = True, [4, 3, 2, 1]
    flush = len({card.suit for card in cards}) == 1
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    shape = [count for count, _ in groups]
    tests = [
        shape == [4], straight and flush, shape == [3, 1], flush, straight, shape == [2, 2], shape == [2, 1, 1], True,
    ]  # fmt: skip
    return -tests.index(True), [rank for _, rank in groups]


@given(four_cards, four_cards)
def test_order_agrees_with_brute_force(one, other):
    ours = strength_of_four(one), strength_of_four(other)
    keys = brute_force_key(one), brute_force_key(other)
    assert (ours[0] < ours[1]) == (keys[0] < keys[1])
    assert (ours[0] == ours[1]) == (keys[0] == keys[1])


@given(four_cards, four_cards, four_cards)
def test_order_is_total(one, two, three):
    a, b, c = sorted(map(strength_of_four, (one, two, three)))
    assert a <= b <= c
    assert a <= c


@given(hands)
def test_best_four_is_the_best_of_all_choices(cards):
    best = best_four(cards)
    assert brute_force_key(best.cards) == max(map(brute_force_key, combinations(cards, 4)))
    assert set(best.cards) <= set(cards)


@given(hands, st.randoms())
def test_order_of_cards_never_matters(cards, random):
    shuffled = list(cards)
    random.shuffle(shuffled)
    assert best_fours(shuffled) == best_fours(cards)


@given(hands, st.permutations("cdhs"))
def test_suits_relabelled_change_nothing(cards, suits):
    names = dict(zip("cdhs", suits, strict=True))
    relabelled = [Card(card.rank, names[card.suit]) for card in cards]
    assert best_four(relabelled).strength == best_four(cards).strength


SPOKEN = [
    pytest.param("As Ah Ad Ac 2d", "four of a kind, aces", id="quads"),
    pytest.param("6s 6h 6d Kc 2d", "three of a kind, sixes", id="trips"),
    pytest.param("9s 8s 7s 6s 2d", "straight flush, nine high", id="straight flush"),
    pytest.param("As 2s 3s 4s 9d", "straight flush, four high", id="steel wheel"),
    pytest.param("Ks Js 8s 4s 2d", "flush, king-jack-eight-four", id="flush"),
    pytest.param("As Kh Qd Jc 2d", "straight, ace high", id="straight"),
    pytest.param("As Ah 6d 6c 2d", "two pair, aces and sixes", id="two pair"),
    pytest.param("9s 9h Ad Qc 4d", "pair of nines, ace-queen", id="pair"),
    pytest.param("As Jh 7d 4c 2d", "ace high, jack-seven-four", id="high card"),
    pytest.param("Ks Ah 2d 3c 7h", "ace high, king-seven-three", id="no straight round the corner"),
]


@pytest.mark.parametrize(("cards", "words"), SPOKEN)
def test_a_hand_as_a_dealer_says_it(cards, words):
    assert best_four(parse_cards(cards)).spoken == words


@pytest.mark.parametrize("count", [0, 3, 7])
def test_a_wrong_number_of_cards_makes_no_hand(count):
    with pytest.raises(GameError, match="four to six"):
        best_four(DECK[:count])


def test_a_card_seen_twice_is_never_a_pair():
    with pytest.raises(GameError, match="seen twice: As"):
        best_four(parse_cards("As As Kd Qc 2d"))
    with pytest.raises(GameError, match="seen twice: As"):
        five_card_category(parse_cards("As As Kd Qc 2d"))


def test_five_cards_make_a_five_card_hand():
    with pytest.raises(GameError, match="give five"):
        five_card_category(DECK[:4])
