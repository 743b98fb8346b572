"""Random rounds: they settle as `game` says, hold every card once, and have the fault that was asked for."""

from fractions import Fraction

import numpy as np
import pytest

from datasets.errors import DatasetError
from datasets.footage.faults import FAULT_KINDS, Fault, FaultChoice
from datasets.footage.houses import random_house
from datasets.footage.round_plan import Round
from datasets.footage.rounds import random_round, random_seats
from game.cards import DECK, Card
from game.hands import best_fours
from game.settlement import settle_case

PROFILES = ("south-dakota", "washington", "nemacolin", "handout", "prime")


def make_round(index: int, *faults: Fault, profile: str | None = None, seats: int = 6) -> Round:
    rng = np.random.default_rng([41, index])
    house = random_house(profile or PROFILES[index % len(PROFILES)], rng)
    taken = random_seats(seats, rng)
    if len(taken) < 2:
        taken = (1, 4)
    return random_round(index + 1, house, taken, faults, rng)


def test_200_random_rounds_settle_as_game_says() -> None:
    statuses = set()
    for index in range(200):
        rng = np.random.default_rng([42, index])
        round_ = make_round(index, *FaultChoice(at_random=True).for_round(index, rng))
        settled = settle_case(round_.settlement_input)
        assert settled == round_.settlement
        statuses.add(settled["status"])
        if settled["status"] != "settled" or round_.fault(Fault.WRONG_PAYOUT):
            continue
        for row, paid in zip(settled["seats"], round_.paid, strict=True):
            profits = {name: Fraction(w["profit"]) + Fraction(w["returned"]) for name, w in row["wagers"].items()}
            assert {name: Fraction(amount) for name, amount in paid["wagers"].items()} == profits
            stakes = sum(Fraction(wager["stake"]) for wager in row["wagers"].values())
            assert sum(profits.values()) + Fraction(paid["envy"]) - stakes == Fraction(row["net"])
    assert statuses == {"settled", "void", "invalid"}


def test_every_card_is_in_the_pack_once() -> None:
    for index in range(40):
        round_ = make_round(index)
        cards = [*round_.dealer, *round_.rest, *(card for plan in round_.seats for card in plan.cards)]
        assert sorted(card.number for card in cards) == list(range(52))
        assert sorted(card.face for card in cards if card.face) == sorted(DECK)


def test_dealers_four_are_the_best_four() -> None:
    for index in range(40):
        round_ = make_round(index)
        best = {frozenset(hand.cards) for hand in best_fours([card.face for card in round_.dealer if card.face])}
        assert frozenset(card.face for card in round_.in_front) in best


COUNTS = [
    pytest.param(Fault.PLAYER_SHORT, 4, None, id="four to a player"),
    pytest.param(Fault.PLAYER_LONG, 6, None, id="six to a player"),
    pytest.param(Fault.DEALER_SHORT, None, 5, id="five to the dealer"),
    pytest.param(Fault.DEALER_LONG, None, 7, id="seven to the dealer"),
]


@pytest.mark.parametrize(("kind", "player", "dealer"), COUNTS)
def test_a_wrong_count_is_void_and_all_stakes_go_back(kind: Fault, player: int | None, dealer: int | None) -> None:
    for index in range(8):
        round_ = make_round(index, kind)
        counts = {len(plan.cards) for plan in round_.seats}
        assert counts <= ({5, player} if player else {5})
        assert player is None or player in counts
        assert len(round_.dealer) == (dealer or 6)
        assert (round_.settlement["status"], round_.settlement["reason"]) == ("void", "wrong_card_count")
        for plan, row in zip(round_.seats, round_.paid, strict=True):
            assert sum(map(int, row["wagers"].values())) == sum(plan.wagers.values()) + plan.play


def test_a_card_twice_is_in_two_hands_that_are_turned() -> None:
    for index in range(12):
        round_ = make_round(index, Fault.CARD_TWICE)
        fault = round_.fault(Fault.CARD_TWICE)
        assert fault is not None
        first, second = fault.cards
        assert first.face == second.face
        assert first.number != second.number
        assert round_.settlement["reason"] == "duplicate_card"


def test_a_foreign_card_is_another_decks_or_none_of_the_52() -> None:
    kinds = set()
    for index in range(20):
        round_ = make_round(index, Fault.FOREIGN_CARD)
        (card,) = round_.fault(Fault.FOREIGN_CARD).cards  # type: ignore[union-attr]
        kinds.add(card.made_of)
        assert (card.face is None) == (card.made_of != "other-deck")
        assert round_.settlement["status"] == ("settled" if card.face else "invalid")
    assert kinds == {"other-deck", "joker", "blank"}


def test_a_wrong_set_is_not_the_best_four() -> None:
    for index in range(10):
        round_ = make_round(index, Fault.WRONG_SET)
        best = {frozenset(hand.cards) for hand in best_fours([card.face for card in round_.dealer if card.face])}
        assert frozenset(card.face for card in round_.in_front) not in best


def test_a_wrong_payout_differs_in_one_wager() -> None:
    for index in range(15):
        round_ = make_round(index, Fault.WRONG_PAYOUT)
        wrong = 0
        for row, paid in zip(round_.settlement["seats"], round_.paid, strict=True):
            for name, wager in row["wagers"].items():
                right = Fraction(wager["profit"]) + Fraction(wager["returned"])
                wrong += Fraction(paid["wagers"][name]) != right
        assert wrong == 1


def test_all_wagers_and_decisions_occur() -> None:
    seen: set[str] = set()
    for index in range(60):
        for plan in make_round(index).seats:
            seen |= {*plan.wagers, plan.decision, plan.arrangement}
    assert {"ante", "aces_up", "bad_beat_bonus", "progressive", "aces_baby", "prime"} <= seen
    assert {"play", "fold", "none"} <= seen
    assert {"row", "overlap", "tight", "fan", "two-rows"} <= seen


def test_the_same_seed_gives_the_same_round() -> None:
    assert make_round(5, Fault.CARD_TWICE) == make_round(5, Fault.CARD_TWICE)
    assert make_round(5) != make_round(10)


def test_faults_are_read_from_text() -> None:
    assert FaultChoice.parse("none").for_round(3, np.random.default_rng(1)) == ()
    named = FaultChoice.parse("wrong-set, late-wager")
    rng = np.random.default_rng(1)
    assert [named.for_round(index, rng) for index in range(3)] == [
        (Fault.WRONG_SET,),
        (Fault.LATE_WAGER,),
        (Fault.WRONG_SET,),
    ]
    with pytest.raises(DatasetError, match=r"'lost-card' is no fault; write none, random, or some of: player-short"):
        FaultChoice.parse("lost-card")


def test_random_faults_are_of_every_kind() -> None:
    choice = FaultChoice.parse("random")
    drawn = [choice.for_round(index, np.random.default_rng(index)) for index in range(400)]
    assert {fault for faults in drawn for fault in faults} == set(FAULT_KINDS)
    assert 0.35 < sum(bool(faults) for faults in drawn) / 400 < 0.65


def test_an_unknown_profile_is_refused_by_name() -> None:
    with pytest.raises(DatasetError, match=r"'nevada' is no profile; the profiles are .*south-dakota"):
        random_house("nevada", np.random.default_rng(0))


def test_a_face_is_written_as_a_card() -> None:
    assert all(Card.parse(card.text) == card.face for card in make_round(1).dealer)
