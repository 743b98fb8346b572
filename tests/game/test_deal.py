import pytest

from game.deal import check_deal

DEALER = ["Ks", "Kh", "Ad", "Tc", "5c", "2d"]
FIVE = ["9s", "9h", "9d", "Kc", "4d"]
FAULTS = [
    pytest.param({}, [], id="no hands"),
    pytest.param({"dealer": DEALER, "seat-1": FIVE}, [], id="good deal"),
    pytest.param({"dealer": DEALER[:5]}, [("miscount", "dealer", "6", "5")], id="dealer short"),
    pytest.param({"dealer": [*DEALER, "3h"]}, [("miscount", "dealer", "6", "7")], id="dealer long"),
    pytest.param({"seat-3": FIVE[:4]}, [("miscount", "seat-3", "5", "4")], id="seat short"),
    pytest.param({"seat-3": [*FIVE, "3h"]}, [("miscount", "seat-3", "5", "6")], id="seat long"),
    pytest.param({"seat-3": []}, [("miscount", "seat-3", "5", "0")], id="seat empty"),
    pytest.param({"seat-3": [*FIVE[:4], "9s"]}, [("duplicate_card", "seat-3", "once", "2 times")],
                 id="twice in a hand"),
    pytest.param({"dealer": DEALER, "seat-2": [*FIVE[:4], "Ks"]}, [("duplicate_card", "seat-2", "once", "2 times")],
                 id="twice on the table"),
    pytest.param({"seat-3": [*FIVE[:4], "1x"]}, [("impossible_card", "seat-3", "a card of the deck", "1x")],
                 id="impossible"),
    pytest.param({"seat-3": [*FIVE[:4], "joker"]}, [("foreign_card", "seat-3", "a card of the deck", "joker")],
                 id="joker"),
]  # fmt: skip


@pytest.mark.parametrize(("hands", "expected"), FAULTS)
def test_a_finding_names_zone_expected_and_seen(hands, expected):
    findings = check_deal("FCP", hands)
    assert [(each.kind, each.zone, each.expected, each.seen) for each in findings] == expected
    assert all(each.rule.text and each.zone in each.sentence for each in findings)


def test_only_a_miscount_voids():
    hands = {"dealer": DEALER[:5], "seat-1": [*FIVE[:4], "9s"], "seat-2": ["1x"] * 5}
    assert [each.kind for each in check_deal("FCP", hands) if each.voids] == ["miscount"]


def test_a_miscount_quotes_the_rule():
    (finding,) = check_deal("FCP", {"dealer": DEALER[:5]})
    assert str(finding.rule).startswith(
        "South Dakota 20:18:16:15.10 (14): If any player or dealer is dealt an incorrect"
    )


def test_both_zones_of_a_duplicate_are_named():
    (finding,) = check_deal("FCP", {"dealer": DEALER, "seat-2": [*FIVE[:4], "Ks"]})
    assert finding.sentence == "Ks was seen 2 times: dealer, seat-2"
