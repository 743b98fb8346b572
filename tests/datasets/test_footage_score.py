"""What was observed against the truth: a row is what was told of one round, and what it is worth."""

from dataclasses import replace

import pytest

from datasets.footage.score import score_rounds
from game.cards import parse_cards
from vision.events import Event

HAND = Event("player_hand", 12.0, 300, round=1, zone="seat-4", cards=parse_cards("9s 9h 9d Kc 4d"))
VOID = Event("miscount", 13.0, 325, round=1, zone="seat-2", expected=5, seen=6)
LINE = {
    "round": 1,
    "start_s": 0.6,
    "faults": [{"kind": "player-long"}],
    "input": {
        "dealer": {"cards": ["As", "Ad", "7h", "5c", "4c", "2d"]},
        "seats": [{"seat": 4, "cards": ["9s", "9h", "9d", "Kc", "4d"]}, {"seat": 5, "cards": ["2s"] * 5}],
    },
}
LATE = replace(HAND, time_s=12.4)
ASKED = Event("unreadable", 12.6, 315, round=1, zone="seat-4", reason="covered", advice="spread the cards on seat 4")
OTHER = replace(HAND, cards=parse_cards("9s 9h 9d Kc 4c"))

ROWS = [
    pytest.param((LATE, VOID), {"right": 1, "is_exact": True}, id="all as it was"),
    pytest.param((), {"right": 0, "unsaid": ("seat-4",), "missed": ("miscount seat-2 6",)}, id="nothing told"),
    pytest.param((ASKED, VOID), {"right": 0, "refused": 1, "unsaid": ()}, id="a hand refused"),
    pytest.param((OTHER, VOID), {"right": 0, "wrong": ("seat-4: 4c 9d 9h 9s Kc",)}, id="a wrong card"),
    pytest.param((LATE, replace(VOID, seen=4)), {"false": ("miscount seat-2 4",)}, id="another count"),
    pytest.param((LATE, VOID, VOID), {"false": ("miscount seat-2 6",)}, id="told twice"),
    pytest.param((replace(LATE, zone="seat-6"), VOID), {"wrong": ("seat-6: 4d 9d 9h 9s Kc",)}, id="another seat"),
]


@pytest.mark.parametrize(("observed", "expected"), ROWS)
def test_a_round_is_scored(observed, expected):
    (score,) = score_rounds((HAND, VOID), (LINE,), observed)
    assert score.is_void
    assert {name: getattr(score, name) for name in expected} == expected


def test_a_hand_with_a_hidden_card_is_not_demanded():
    (score,) = score_rounds((replace(HAND, extra=(("hidden", ("4d",)),)),), (LINE,), ())
    assert (score.hands, score.unsaid) == (0, ())


def test_delays_are_from_the_truth():
    (score,) = score_rounds((HAND,), (LINE,), (LATE,))
    assert score.delays_s == pytest.approx((0.4,))


def test_what_is_told_belongs_to_the_round_it_is_told_in():
    lines = (LINE, LINE | {"round": 2, "start_s": 20.0})
    first, second = score_rounds((HAND,), lines, (replace(LATE, time_s=21.0),))
    assert (first.right, second.right) == (0, 0)
