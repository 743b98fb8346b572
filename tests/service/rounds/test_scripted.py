"""Whole rounds: what is confirmed at the table is what the settlement says, to the cent."""

from fractions import Fraction

import pytest

from game.errors import GameError
from service.errors import ServiceError
from service.rounds.facts import PayoutConfirmed, RoundClosed, RoundVoided
from tests.service.rounds.play import (
    Table,
    bet_all,
    decide_all,
    demo_rounds,
    golden_cases,
    meter_of,
    paid_out,
    play_by_hand,
    rules_of,
    settle_all,
)

SETTLED = [case for case in golden_cases() if case["expected"]["status"] == "settled"]
# A sample with every kind of case in it; the game's own tests settle them all.
SCRIPTED = [
    case for number, case in enumerate(SETTLED) if number % (9 if case["input"].get("progressive") else 30) == 0
]


def nets(expected):
    return {seat["seat"]: Fraction(seat["net"]) for seat in expected["seats"]}


@pytest.mark.parametrize("case", SCRIPTED, ids=lambda case: case["id"])
def test_a_round_entered_by_hand_pays_the_golden_settlement(case):
    table = play_by_hand(case["input"])
    assert table.view.phase == "finished"
    due = {seat: net for seat, net in nets(case["expected"]).items() if seat in paid_out(table)}
    assert paid_out(table) == due
    assert set(nets(case["expected"])) - set(due) == set(), "every seat was confirmed: its hand was entered"
    table.do("end_game")
    (closed,) = table.facts_of(RoundClosed)
    assert closed.status == "closed"
    assert closed.unsettled == ()
    if "progressive" in case["expected"]:
        end = case["expected"]["progressive"]
        assert (table.state.meter.amount, table.state.meter.reserve) == (
            Fraction(end["meter_end"]),
            Fraction(end["reserve_end"]),
        )


@pytest.mark.parametrize("case", SCRIPTED, ids=lambda case: case["id"])
def test_a_void_after_every_payout_leaves_nobody_richer_or_poorer(case):
    """A progressive bet that is carried to the re-deal is all that a player may then have less."""
    table = play_by_hand(case["input"])
    before = paid_out(table)
    table.do("void_round", reason="wrong_card_count")
    for undo in table.state.round.void.undo:
        before[undo.seat] += (undo.taken or 0) - (undo.paid or 0)
    is_kept = not table.state.round.version.rules.house.void_refunds_progressive
    kept = {seat.seat: -seat.amount("progressive") if is_kept else 0 for seat in table.state.round.seats}
    assert before == {seat: kept[seat] for seat in before}
    table.do("end_game")
    carried = {seat.seat: -seat.amount("progressive") for seat in table.state.round.seats}
    assert carried == kept


def test_the_bundled_recording_is_played_as_it_happened():
    rounds = demo_rounds()
    case = rounds[0][1]["input"]
    table = Table(rules_of(case), 6, meter_of(case))
    for number, (events, truth) in enumerate(rounds, 1):
        expected = truth["settlement"]
        bet_all(table, truth["input"])
        for event in events:
            if event.kind == "dealer_hand":
                decide_all(table, truth["input"])
            table.watch(event)
        assert table.view.round == number
        if expected["status"] == "settled":
            settle_all(table)
            confirmed = paid_out(table)
            assert confirmed == {seat: net for seat, net in nets(expected).items() if seat in confirmed}
            folded = {seat["seat"] for seat in expected["seats"] if seat["comparison"] == "folded"}
            assert set(nets(expected)) - set(confirmed) == folded
        else:
            assert table.view.void.pending
            assert table.view.void.words == "seat 4 has 6 cards, not 5"
            assert not paid_out(table)
            table.do("void_round", reason="wrong_card_count")
            (fact,) = table.facts_of(RoundVoided)
            assert {(line["seat"], line["wager"], line["amount"]) for line in fact.returns} == {
                (seat["seat"], name, wager["returned"])
                for seat in expected["seats"]
                for name, wager in seat["wagers"].items()
            }
        table.do("end_game")
    closed = table.facts_of(RoundClosed)
    assert [fact.status for fact in closed] == ["closed", "closed", "void"]
    assert closed[0].settlement["players_net"] == rounds[0][1]["settlement"]["players_net"]
    assert closed[1].settlement == without_unseen(rounds[1][1]["settlement"])
    assert len(table.facts_of(PayoutConfirmed)) == 4


def without_unseen(settlement):
    """A settlement without the hand of a seat that folded and was never turned."""
    unseen = ("category", "strength", "best_four_any_of", "category_five", "comparison")
    seats = [
        {key: value for key, value in seat.items() if seat["comparison"] != "folded" or key not in unseen}
        for seat in settlement["seats"]
    ]
    return settlement | {"seats": seats}


VOID = [case for case in golden_cases() if case["expected"]["status"] == "void"]


@pytest.mark.parametrize("case", VOID, ids=lambda case: case["id"])
def test_a_void_gives_back_what_the_golden_settlement_gives_back(case):
    content, expected = case["input"], case["expected"]
    table = Table(rules_of(content), max(seat["seat"] for seat in content["seats"]), meter_of(content))
    bet_all(table, content)
    decide_all(table, content)
    table.see("miscount", "dealer", expected=6, seen=5)
    table.do("void_round", reason="wrong_card_count")
    (fact,) = table.facts_of(RoundVoided)
    assert {(line["seat"], line["wager"], line["amount"], line["result"]) for line in fact.returns} == {
        (seat["seat"], name, wager["stake"], wager["result"])
        for seat in expected["seats"]
        for name, wager in seat["wagers"].items()
    }
    if table.state.round.locked:
        assert table.state.meter.amount == Fraction(expected["progressive"]["meter_end"])


INVALID = [case for case in golden_cases() if case["expected"]["status"] == "invalid"]


@pytest.mark.parametrize("case", INVALID, ids=lambda case: f"{case['id']}-{case['expected']['reason']}")
def test_a_round_that_breaks_a_rule_is_never_settled_whole(case):
    try:
        table = play_by_hand(case["input"])
    except (ServiceError, GameError, KeyError, AttributeError):
        return  # refused at the table: no such game, wager, card or amount
    assert table.view.phase != "finished"
