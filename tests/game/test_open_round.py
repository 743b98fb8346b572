"""Settling while hands are still to come gives, in the end, what settling the whole round gives."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from game.open_round import is_lost_unseen, settle_open
from game.paytables import bundled_paytables
from game.rounds import InvalidRound, Round
from game.settlement import settle
from tests.factories import fcp_input, meter_input, round_of, seat_input

GOLDEN = Path(__file__).parents[1] / "golden" / "settlements.jsonl"


def golden_rounds():
    for line in GOLDEN.read_text().splitlines():
        case = json.loads(line)
        try:
            yield case, Round.from_json(case["input"], bundled_paytables())
        except InvalidRound:
            continue


def test_with_every_hand_known_it_is_the_settlement_itself():
    for case, round_ in golden_rounds():
        if case["expected"]["status"] == "settled":
            assert settle_open(round_).to_json() == settle(round_).to_json(), case["id"]


def test_a_folded_hand_lost_unseen_changes_no_amount():
    compared = 0
    for case, round_ in golden_rounds():
        seats = tuple(replace(seat, cards=()) if seat.decision == "fold" else seat for seat in round_.seats)
        if case["expected"]["status"] != "settled" or seats == round_.seats:
            continue
        unseen = replace(round_, seats=seats)
        if not all(is_lost_unseen(unseen, seat) for seat in seats if not seat.cards):
            continue
        whole, part = settle(round_), settle_open(unseen)
        assert [(seat.seat, seat.net) for seat in part.seats] == [(seat.seat, seat.net) for seat in whole.seats]
        assert part.progressive == whole.progressive
        compared += 1
    assert compared > 10


@pytest.mark.parametrize(
    ("wagers", "rules", "lost"),
    [
        pytest.param({"ante": 1000}, {}, True, id="ante alone"),
        pytest.param({"ante": 1000, "aces_up": 500}, {}, False, id="aces up stays live"),
        pytest.param({"ante": 1000, "bad_beat_bonus": 500}, {}, True, id="bad beat bonus is lost"),
        pytest.param(
            {"ante": 1000, "bad_beat_bonus": 500}, {"bbb_on_fold": "live"}, False, id="or lives by house rule"
        ),
        pytest.param({"ante": 1000, "progressive": 100}, {}, True, id="progressive is lost"),
        pytest.param(
            {"ante": 1000, "progressive": 100}, {"progressive_folded_hand_qualifies": True}, False, id="or qualifies"
        ),
    ],
)
def test_which_folded_hands_are_not_turned(wagers, rules, lost):
    seat = seat_input(4, "", "fold", **wagers)
    round_ = round_of(
        fcp_input(seat, rules=rules, bad_beat_bonus="BBB-01", progressive=meter_input(), fcp="FCP-05")
        | {"tables": {"fcp": "FCP-05", "bad_beat_bonus": "BBB-01", "progressive": "FCPP-1"}}
    )
    assert is_lost_unseen(round_, round_.seats[0]) is lost


def test_an_award_counts_the_coin_in_of_hands_still_to_come():
    tables = {"tables": {"fcp": "FCP-05", "bad_beat_bonus": None, "progressive": "FCPP-1"}}
    winner = seat_input(4, "As Ah Ad Ac 2c", ante=1000, progressive=100)
    later = seat_input(2, "9s 9h 8d 7c 4d", ante=1000, progressive=100)
    dealer = "Ks Kh Qd Tc 5c 2d"
    meter = meter_input(contribution="1/2")
    whole = round_of(fcp_input(later, winner, dealer=dealer, progressive=meter) | tables)
    now = replace(whole, seats=(replace(whole.seats[0], cards=()), whole.seats[1]))
    assert settle_open(now).seats[0].wagers == settle(whole).seats[1].wagers
    assert settle_open(now).progressive.end == settle(whole).progressive.end
