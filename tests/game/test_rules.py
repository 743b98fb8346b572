"""Rules of play, one test each, named after the rule it proves."""

import pytest

from game.actions import dealer_actions
from game.settlement import settle_case, settle_json
from tests.factories import fcp_input, meter_input, prime_input, seat_input

LOSING = "9s 9h 9d Kc 4d"
QUADS_DEALER = "Ks Kh Kd Kc 5c 2d"
TRIPS = "9s 9h 9d Qc 4d"


def wagers(content, seat=0):
    return settle_case(content)["seats"][seat]["wagers"]


def test_the_player_wins_ties():
    case = fcp_input(seat_input(cards="As Kd Qs Jd 2s"), dealer="Ah Kc Qh Jc 3d 4d")
    result = settle_case(case)["seats"][0]
    assert result["comparison"] == "tie_player_wins"
    assert result["net"] == "2000"


def test_a_fold_loses_the_ante_and_leaves_aces_up_live():
    results = wagers(fcp_input(seat_input(decision="fold", ante=1000, aces_up=500)))
    assert results["ante"]["result"] == "forfeit"
    assert results["aces_up"]["profit"] == "4000"
    assert "automatic_bonus" not in results


def test_the_automatic_bonus_is_paid_even_if_the_hand_loses():
    results = wagers(fcp_input(seat_input(cards=TRIPS), dealer=QUADS_DEALER))
    assert results["ante"]["result"] == "lose"
    assert results["automatic_bonus"]["profit"] == "2000"


def test_a_wrong_number_of_cards_voids_all_hands():
    result = settle_case(fcp_input(seat_input(), seat_input(2, cards="2c 3c 4c 6d"), dealer="Ks Kh Ad Tc 5c 2d"))
    assert (result["status"], result["reason"]) == ("void", "wrong_card_count")
    assert [seat["net"] for seat in result["seats"]] == ["0", "0"]


def test_a_prime_misdeal_is_invalid_where_the_house_says_so():
    case = prime_input(seat_input(cards="2c 3c 4c 6d"), rules={"prime_misdeal_voids": False})
    assert settle_case(case) == {"status": "invalid", "reason": "wrong_card_count"}


def test_a_prime_bad_beat_returns_the_ante_and_pays_it_while_the_raise_loses():
    results = wagers(prime_input(seat_input(cards=TRIPS), dealer=QUADS_DEALER))
    assert results["raise"]["result"] == "lose"
    assert (results["ante"]["result"], results["ante"]["net"]) == ("bad_beat", "2000")


def test_wagers_are_reconciled_from_the_dealers_right_play_first_and_envy_last():
    case = fcp_input(
        seat_input(2, cards="9s 8s 7s 6s 5s", ante=1000, aces_up=500, progressive=100),
        seat_input(5, cards="2c 3d 7h 9d Jd", ante=1000, progressive=100),
        progressive=meter_input(),
    )
    case["tables"] = {"fcp": "FCP-05", "bad_beat_bonus": None, "progressive": "PMG-01"}
    actions = [(action.seat, action.wager) for action in dealer_actions(settle_json(case))]
    assert actions == [
        (5, "play"), (5, "ante"), (5, "progressive"),
        (2, "play"), (2, "ante"), (2, "automatic_bonus"), (2, "aces_up"), (2, "progressive"),
        (5, "envy"),
    ]  # fmt: skip


def test_the_house_may_resolve_the_bets_in_the_order_it_wishes():
    case = fcp_input(
        seat_input(1, ante=1000, aces_up=500),
        seat_input(2, cards="2c 3d 7h 9c Jd"),
        rules={"wager_order": ["aces_up", "ante"], "settle_order": "left_to_right"},
    )
    actions = [(action.seat, action.wager) for action in dealer_actions(settle_json(case))]
    assert actions == [(1, "aces_up"), (1, "ante"), (1, "play"), (1, "automatic_bonus"), (2, "ante"), (2, "play")]


def test_every_action_names_the_rule_it_rests_on():
    actions = dealer_actions(settle_json(fcp_input(seat_input(decision="fold", ante=1000, aces_up=500))))
    assert [(str(action.move), str(action.rule).split(":")[0]) for action in actions] == [
        ("take", "Washington rules of play, Playing Against the Dealer"),
        ("pay", "South Dakota 20"),
    ]


def test_a_void_gives_every_wager_back():
    actions = dealer_actions(settle_json(fcp_input(seat_input(cards="2c 3c 4c 6d", ante=1000, aces_up=500))))
    assert {action.move for action in actions} == {"return"}
    assert all("all hands are void" in str(action.rule) for action in actions)


def test_the_lower_of_the_posted_aggregate_and_the_houses_cap_holds():
    case = prime_input(
        seat_input(cards="9s 9h 9d 9c 4d"), rules={"cap_per_round": 20_000}, limits={"maximum_aggregate": 5_000}
    )
    assert wagers(case)["win_bonus"] | {"net": ""} == {
        "stake": "0", "result": "win", "profit": "5000", "returned": "0", "net": "",
        "hand": "four_of_a_kind", "odds": "25 to 1", "uncapped_profit": "25000",
    }  # fmt: skip


LIMITS = {"minimum": {"ante": 500}, "maximum": {"ante": 10_000, "play": 20_000}}
LIMITED = [
    pytest.param(seat_input(ante=400), "below_minimum", id="below the minimum"),
    pytest.param(seat_input(ante=10_001), "above_maximum", id="above the maximum"),
    pytest.param(seat_input(ante=10_000, play=30_000), "above_maximum", id="play above its maximum"),
]


@pytest.mark.parametrize(("seat", "reason"), LIMITED)
def test_table_limits_hold(seat, reason):
    assert settle_case(fcp_input(seat, limits=LIMITS)) == {"status": "invalid", "reason": reason}


INVALID = [
    pytest.param(seat_input(2), {"seats": [seat_input(2)] * 7}, "duplicate_seat", id="seven players on one seat"),
    pytest.param(seat_input(ante=-5), {}, "negative_wager", id="negative wager"),
    pytest.param(seat_input(play=-5), {}, "negative_wager", id="negative play"),
    pytest.param(seat_input(ante=100, insurance=5), {}, "unknown_wager", id="unknown wager"),
    pytest.param(seat_input(ante=100, progressive=100), {}, "wager_not_offered", id="no meter here"),
    pytest.param(seat_input(ante=0), {}, "no_wager", id="nothing staked"),
    pytest.param(seat_input(aces_up=100, decision="fold"), {}, "decision_without_ante", id="fold without ante"),
    pytest.param(seat_input(decision="none"), {}, "missing_decision", id="no decision"),
    pytest.param(seat_input(decision="fold", play=1000), {}, "fold_with_play_wager", id="fold and play"),
    pytest.param(seat_input(play=999), {}, "play_out_of_range", id="play below ante"),
    pytest.param(seat_input(play=3001), {}, "play_out_of_range", id="play above three times"),
    pytest.param(seat_input(), {"house_rules": {"fcp_play_whole_multiple": True}, "seats": [seat_input(play=1500)]},
                 "play_not_whole_multiple", id="one and a half"),
    pytest.param(seat_input(cards="9s 9h 9d Kc 1x"), {}, "bad_card", id="impossible card"),
    pytest.param(seat_input(cards="9s 9h 9d Kc Ks"), {}, "duplicate_card", id="a card of the dealer's"),
    pytest.param(seat_input(), {"dealer": {"cards": ["Ks", "Kh", "Ad", "Tc", "5c", "2d"], "up": "As"}},
                 "upcard_not_in_dealer_hand", id="foreign up card"),
    pytest.param(seat_input(), {"game": "BLACKJACK"}, "unknown_game", id="another game"),
    pytest.param(seat_input(cards="9s 9h 9d 1x"), {}, "bad_card", id="bad card before wrong count"),
]  # fmt: skip


@pytest.mark.parametrize(("seat", "changes", "reason"), INVALID)
def test_a_round_that_breaks_a_rule_is_invalid_with_its_reason(seat, changes, reason):
    assert settle_case(fcp_input(seat) | changes) == {"status": "invalid", "reason": reason}
