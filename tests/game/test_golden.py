"""Exact results: every golden case settles to the cent, every golden hand is named and ranked."""

import json
from pathlib import Path

import pytest

from game.cards import parse_cards
from game.cases import run_case
from game.five_card import five_card_category
from game.hands import best_fours
from game.paytables import bundled_paytables
from game.results import hand_to_json

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = (GOLDEN / "settlements.jsonl").read_text().splitlines()
HANDS = [json.loads(line) for line in (GOLDEN / "hands.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("line", CASES, ids=lambda line: json.loads(line)["id"])
def test_settlement(line):
    result = run_case(line, 1, bundled_paytables())
    assert result.differences == (), result.output


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: "".join(hand["cards"]))
def test_hand(hand):
    cards = parse_cards(hand["cards"])
    result = hand_to_json(best_fours(cards))
    assert result["category"] == hand["category"]
    assert result["strength"] == hand["strength"]
    as_sets = [{frozenset(four) for four in fours["best_four_any_of"]} for fours in (result, hand)]
    assert as_sets[0] == as_sets[1]
    if len(cards) == 5:
        assert five_card_category(cards).key == hand["category_five"]


def test_a_changed_cent_is_noticed():
    case = json.loads(CASES[0])
    case["expected"]["players_net"] = str(int(case["expected"]["players_net"]) + 1)
    result = run_case(json.dumps(case), 1, bundled_paytables())
    assert [difference.split(":")[0] for difference in result.differences] == ["players_net"]
