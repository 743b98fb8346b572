"""Every exact count and edge of the rules, and a part of the kept counts counted anew another way."""

from fractions import Fraction

import numpy as np
import pytest

from game import edges
from game.cards import DECK
from game.deals import DEALER_HANDS, OddsError, kept_deals, kept_optimal, write_counts
from game.edges import percent
from game.hands import Category, best_four
from game.odds import (
    CATEGORY_STARTS,
    DEALER_HANDS_WITH_UP_CARD,
    STRENGTHS,
    CardSets,
    all_hands,
    card_sets,
    colour_counts,
    count_deals,
    dealer_below_with,
    five_card_counts,
    four_card_strengths,
    place_of,
    strength_counts,
)
from game.payable_hands import colour_names
from game.paytables import bundled_paytables

BEST_FOUR = {  # high card first
    5: [1_150_080, 1_047_552, 123_552, 101_808, 114_616, 58_656, 2_072, 624],
    6: [4_872_000, 8_194_320, 2_342_736, 1_744_080, 2_245_352, 897_616, 47_752, 14_664],
}
ATTAINED = {4: 2_535, 5: 2_150, 6: 1_755}


@pytest.fixture(scope="module")
def counts():
    return {cards: strength_counts(cards) for cards in (4, 5, 6)}


@pytest.mark.parametrize("cards", [5, 6])
def test_categories_are_counted_exactly(counts, cards):
    assert [part.sum() for part in np.split(counts[cards], CATEGORY_STARTS[1:])] == BEST_FOUR[cards]


@pytest.mark.parametrize("cards", [4, 5, 6])
def test_distinct_strengths(counts, cards):
    assert np.count_nonzero(counts[cards]) == ATTAINED[cards]


def test_pairs_of_aces():
    named = edges.four_card_hands()
    assert sum(count for names, count in named.items() if "pair_of_aces" in names) == 81_096
    aces_up = edges.wager_odds(bundled_paytables()["FCP-05"], "aces_up", named)
    assert aces_up.hits == Fraction(482_424, 2_598_960)


def test_five_card_hands_and_colours():
    found = five_card_counts()
    named = {name: sum(count for names, count in found.items() if name in names) for names in found for name in names}
    assert named["royal_flush"] == 4
    assert named["straight_flush"] - 4 == 36
    assert [named[hand] for hand in ("four_of_a_kind", "full_house", "flush", "straight")] == [
        624,
        3_744,
        5_108,
        10_200,
    ]
    assert named["three_of_a_kind"] - named["full_house"] == 54_912
    assert colour_counts() == {5: 131_560, 4: 777_400, 3: 2_598_960 - 131_560 - 777_400}


ACES_UP = ["1.9786", "2.5752", "2.7759", "3.3724", "3.8917", "4.2355", "6.1486", "0.2789", "5.0328"]
ACES_BABY = ["1.1060", "2.0479", "3.4318", "5.0232", "6.6146", "3.3724", "2.7759", "3.8917"]
EDGES = [
    *((f"FCP-0{number}", "aces_up", edge) for number, edge in enumerate(ACES_UP, start=1)),
    *((f"AB-{number}", "aces_baby", edge) for number, edge in enumerate(ACES_BABY, start=1)),
]


@pytest.mark.parametrize(("table", "wager", "edge"), EDGES)
def test_edge_of_a_wager_on_four_cards(table, wager, edge):
    assert percent(edges.wager_odds(bundled_paytables()[table], wager, edges.four_card_hands()).edge) == edge


@pytest.mark.parametrize(("table", "edge"), [("PRIME-1", "4.7419"), ("PRIME-2", "9.8039")])
def test_edge_of_the_prime_wager(table, edge):
    named = {colour_names(most): count for most, count in colour_counts().items()}
    assert percent(edges.wager_odds(bundled_paytables()[table], "prime", named).edge) == edge


@pytest.mark.parametrize(("table", "edge"), [("BBB-01", "19.472"), ("BBB-02", "21.382"), ("BBB-03", "10.858")])
def test_edge_of_the_bad_beat_bonus(table, edge):
    odds = edges.bad_beat_odds(bundled_paytables()[table])
    assert (percent(odds.edge, 3), percent(odds.hits)) == (edge, "5.5782")


def test_ties_that_win_or_push_help_the_player():
    table = bundled_paytables()["BBB-01"]
    lose, push, win = (edges.bad_beat_odds(table, ties).edge for ties in ("lose", "push", "win"))
    assert lose > push > win


def test_base_game():
    usual, cheap = (bundled_paytables()[name] for name in ("FCP-01", "FCP-08"))
    assert percent(edges.base_game(usual).of_action) == "1.5832"
    assert percent(edges.optimal_base_game(usual).of_ante) == "2.7879"
    assert percent(edges.base_game(cheap).of_action) == "0.7790"


@pytest.mark.parametrize(("table", "hits"), [("FCP-01", "2.3606"), ("FCP-08", "6.7707")])
def test_hits_of_the_automatic_bonus(table, hits):
    assert percent(edges.ante_bonus_odds(bundled_paytables()[table], "automatic_bonus").hits) == hits


def test_no_strategy_beats_optimal_play():
    for table in ("FCP-01", "BB-1"):
        stated, best = edges.base_game(bundled_paytables()[table]), edges.optimal_base_game(bundled_paytables()[table])
        assert best.of_ante < stated.of_ante


def test_bulk_agrees_with_the_evaluator():
    rng = np.random.default_rng(4)
    for cards in (4, 5, 6):
        hands = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (400, 1)), axis=1)[:, :cards]
        expected = [place_of(best_four([DECK[card] for card in hand]).strength) for hand in hands]
        assert four_card_strengths(hands).tolist() == expected


def test_no_hands_have_no_strengths():
    assert four_card_strengths(np.zeros((0, 5), np.uint8)).tolist() == []


def test_strengths_are_in_order():
    assert list(STRENGTHS) == sorted(set(STRENGTHS))
    assert [STRENGTHS[start].category for start in CATEGORY_STARTS] == list(Category)


def test_suit_classes_are_as_many_as_known():
    assert [len(card_sets(cards).examples) for cards in range(5)] == [1, 13, 169, 1_755, 16_432]
    assert all(card_sets(cards).sizes.sum() == len(card_sets(cards).class_of) for cards in range(5))


def test_kept_counts_of_one_strength_counted_directly():
    """Every dealer's hand against the player's hands of one strength, with no inclusion and exclusion."""
    kept = next(row for row in kept_deals() if row.strength == STRENGTHS[CATEGORY_STARTS[Category.FOUR_OF_A_KIND] + 7])
    place = place_of(kept.strength)
    hands = all_hands(5)
    players = hands[four_card_strengths(hands) == place]
    first, sizes = _classes_of(players)
    assert sizes.sum() == kept.hands == 48
    lower = ties = 0
    by_category = np.zeros(8, np.int64)
    for example, size in zip(players[first], sizes, strict=True):
        places = _dealers(example)
        by_category += size * np.bincount(np.searchsorted(CATEGORY_STARTS, places, side="right") - 1, minlength=8)
        lower += size * np.count_nonzero((places < place) & (places >= CATEGORY_STARTS[Category.FOUR_OF_A_KIND]))
        ties += size * np.count_nonzero(places == place)
    assert (by_category.tolist(), lower, ties) == (list(kept.by_category), kept.lower_in_category, kept.ties)


def test_inclusion_and_exclusion_agree_with_counting_directly():
    examples = card_sets(5).examples[:: 134_459 // 2][:2]
    found = count_deals(CardSets(np.zeros(0, np.int32), examples, np.ones(2, np.int64)))
    for example, place in zip(examples, four_card_strengths(examples).tolist(), strict=True):
        places = _dealers(example)
        category = np.searchsorted(CATEGORY_STARTS, places, side="right") - 1
        assert found.by_category[place].tolist() == np.bincount(category, minlength=8).tolist()
        assert found.ties[place] == np.count_nonzero(places == place)


def _classes_of(players):
    """Suit classes among some hands, found without the module's own classes."""
    keys = []
    for hand in players:
        ranks, suits = hand // 4, hand % 4
        by_suit = sorted(tuple(sorted(ranks[suits == suit])) for suit in range(4))
        keys.append(str(by_suit))
    _, first, sizes = np.unique(keys, return_index=True, return_counts=True)
    return first, sizes


def _dealers(example):
    rest = np.setdiff1d(np.arange(52, dtype=np.uint8), example)
    parts = (all_hands(5, rest[first + 1 :]) for first in range(42))
    found = [
        four_card_strengths(np.column_stack([np.full(len(part), rest[first]), part]))
        for first, part in enumerate(parts)
    ]
    places = np.concatenate(found)
    assert len(places) == DEALER_HANDS
    return places


def test_up_cards_add_up_to_all_deals():
    """Each dealer's hand is counted once for each of its six cards as the up card."""
    examples = card_sets(5).examples[:: 134_459 // 2][:2]
    places = four_card_strengths(examples).astype(np.int64)
    total = np.zeros(len(examples), np.int64)
    for up_card in range(52):
        free = ~(examples == up_card).any(axis=1)
        total[free] += dealer_below_with(examples[free], places[free] + 1, up_card)
    expected = [np.count_nonzero(_dealers(example) <= place) for example, place in zip(examples, places, strict=True)]
    assert (total == 6 * np.array(expected)).all()


def test_optimal_decisions_cover_every_deal():
    assert sum(row.deals for row in kept_optimal()) == 2_598_960 * 47 * DEALER_HANDS_WITH_UP_CARD


def test_missing_and_foreign_counts_are_refused(tmp_path):
    with pytest.raises(OddsError, match=r"deals.csv cannot be read.*--recompute"):
        kept_deals(tmp_path)
    (tmp_path / "deals.csv").write_text("something else\n")
    with pytest.raises(OddsError, match="not of this version"):
        kept_deals(tmp_path)


def test_counts_that_do_not_add_up_are_refused(tmp_path):
    assert write_counts(kept_deals()[:-1], kept_optimal(), tmp_path)
    with pytest.raises(OddsError, match="does not add up"):
        kept_deals(tmp_path)


def test_writing_the_same_counts_changes_nothing(tmp_path):
    assert write_counts(kept_deals(), kept_optimal(), tmp_path)
    assert not write_counts(kept_deals(), kept_optimal(), tmp_path)
