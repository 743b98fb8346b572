"""Random rounds from the rules: who bets what, which card goes where, who plays, what is paid.

In come a house (pay tables and house rules of a profile), the seats taken, the faults wanted and a random generator;
out goes a `Round`, with the settlement `input` of the rules, what `game` settles it to, and what the dealer paid.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from datasets.footage.faults import Fault
from datasets.footage.houses import House
from datasets.footage.round_faults import paid_wrongly, with_fault
from datasets.footage.round_plan import Manner, Round, SeatPlan, TableCard, settlement_input
from game.cards import DECK, Card
from game.hands import Category, best_four
from game.settlement import settle_case

ANTES_CENTS = (500, 1000, 1000, 1500, 2000, 2500, 2500, 5000, 10000)
SIDE_BETS_CENTS = (500, 500, 1000, 1000, 1500, 2500)
ARRANGEMENTS = ("row", "overlap", "overlap", "fan", "tight", "two-rows")


def random_round(
    number: int,
    house: House,
    taken: Sequence[int],
    faults: Sequence[Fault],
    rng: np.random.Generator,
) -> Round:
    """One round with players at these seats and with these faults."""
    pack = _spiced(rng.permutation(52).tolist(), rng)
    cards = [TableCard(index, DECK[face]) for index, face in enumerate(pack)]
    dealer = tuple(cards[:6])
    hands = [tuple(cards[6 + 5 * place : 11 + 5 * place]) for place in range(len(taken))]
    rest = tuple(cards[6 + 5 * len(taken) :])
    plans = tuple(_seat_plan(seat, hand, house, rng) for seat, hand in zip(taken, hands, strict=True))
    plans = _two_spots(plans, rng)
    return finish_round(number, house, plans, dealer, rest, _manner(rng), faults, rng)


def finish_round(
    number: int,
    house: House,
    plans: tuple[SeatPlan, ...],
    dealer: tuple[TableCard, ...],
    rest: tuple[TableCard, ...],
    manner: Manner,
    faults: Sequence[Fault],
    rng: np.random.Generator,
) -> Round:
    """A round from hands and wagers: its faults put in, then settled and paid."""
    best = best_four([card.face for card in dealer if card.face]).cards
    in_front = tuple(next(card for card in dealer if card.face == face) for face in best)
    settlement = settle_case(settlement_input(house, plans, dealer))
    draft = Round(number, house, plans, dealer, in_front, rest, manner, (), settlement, (), ())
    for kind in faults:
        draft = with_fault(draft, kind, rng)
    dealt = {plan.seat: plan.cards for plan in plans}
    as_dealt = tuple(replace(plan, cards=dealt[plan.seat]) for plan in draft.seats)
    paying = _paid(settle_case(settlement_input(house, as_dealt, dealer)))
    if wrong := draft.fault(Fault.WRONG_PAYOUT):
        paying = paid_wrongly(paying, wrong)
    draft = replace(draft, settlement=settle_case(draft.settlement_input), paying=paying)
    return replace(draft, paid=paying if draft.is_settled else _given_back(draft))


def random_seats(seats: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Which of a table's seats are taken; a full table is likelier than an empty one."""
    weights = np.arange(1, seats + 1, dtype=float)
    count = int(rng.choice(seats, p=weights / weights.sum())) + 1
    return tuple(sorted(int(seat) + 1 for seat in rng.choice(seats, size=count, replace=False)))


def _manner(rng: np.random.Generator) -> Manner:
    deal = ("packets", "cards")[int(rng.random() < 0.4)]
    return Manner(
        deal=deal,
        apart=deal == "cards" and bool(rng.random() < 0.6),
        settle=("pick-and-pay", "lay-and-pay")[int(rng.random() < 0.35)],
        unused=("behind", "beside")[int(rng.random() < 0.4)],
        dealer_row=("row", "overlap")[int(rng.random() < 0.3)],
    )


# Hands too rare to wait for, put into the first seat's place now and then: ranks and suits by pattern.
_SPICES = ("As Ah Ad Ac", "9s 9h 9d", "Th Jh Qh Kh Ah", "4c 5c 6c 7c", "8s 8h 8d 8c", "Ks Kd Kh 2c 2d", "Ad Ah")
_SPICED_SHARE = 0.18


def _spiced(pack: list[int], rng: np.random.Generator) -> list[int]:
    """The pack, now and then with a rare hand at the first or second seat dealt."""
    if rng.random() >= _SPICED_SHARE:
        return pack
    wanted = [Card.parse(word).index for word in _SPICES[rng.integers(len(_SPICES))].split()]
    start = 6 + 5 * int(rng.integers(2))
    for place, face in enumerate(wanted, start):
        other = pack.index(face)
        pack[place], pack[other] = pack[other], pack[place]
    return pack


def _seat_plan(seat: int, hand: tuple[TableCard, ...], house: House, rng: np.random.Generator) -> SeatPlan:
    wagers = _wagers(house, rng)
    decision, times = _decision([card.face for card in hand if card.face], rng) if "ante" in wagers else ("none", 0)
    ante = wagers.get("ante", 0)
    play = ante * times
    if times == 2 and not house.play_whole_multiple and ante % 1000 == 0 and rng.random() < 0.3:
        play = ante * 3 // 2
    arrangement = ARRANGEMENTS[rng.integers(len(ARRANGEMENTS))]
    return SeatPlan(seat, f"P{seat}", hand, wagers, decision, play, arrangement)


def _wagers(house: House, rng: np.random.Generator) -> dict[str, int]:
    ante = int(rng.choice(ANTES_CENTS))
    side = [int(amount) for amount in rng.choice(SIDE_BETS_CENTS, size=3)]
    wants = rng.random(4)
    if house.game == "PRIME":
        wagers = {"ante": ante, "aces_baby": side[0] * (wants[0] < 0.5), "prime": side[1] * (wants[1] < 0.5)}
        return {name: int(cents) for name, cents in wagers.items() if cents}
    denomination = int(house.progressive["denomination"]) if house.progressive else 0
    only_aces_up = wants[3] < 0.06
    wagers = {
        "ante": 0 if only_aces_up else ante,
        "aces_up": side[0] * (only_aces_up or wants[0] < 0.6),
        "bad_beat_bonus": side[1]
        * (house.tables["bad_beat_bonus"] is not None and not only_aces_up and wants[1] < 0.4),
        "progressive": denomination * (wants[2] < 0.5),
    }
    return {name: int(cents) for name, cents in wagers.items() if cents}


def _decision(hand: Sequence[Card], rng: np.random.Generator) -> tuple[str, int]:
    """What this player does: three times with tens or better, once with a pair of threes, and now and then oddly."""
    if rng.random() < 0.07:
        return (("fold", 0), ("play", 1), ("play", 2), ("play", 3))[rng.integers(4)]
    strength = best_four(hand).strength
    if strength.category > Category.PAIR or (strength.category is Category.PAIR and strength.ranks[0] >= 10):
        return "play", int(rng.choice((3, 3, 3, 2, 1)))
    lowest = 3 if rng.random() < 0.7 else 2
    if strength.category is Category.PAIR and strength.ranks[0] >= lowest:
        return "play", int(rng.choice((1, 1, 1, 2)))
    return ("play", 1) if strength.ranks[0] == 14 and rng.random() < 0.25 else ("fold", 0)


def _two_spots(plans: tuple[SeatPlan, ...], rng: np.random.Generator) -> tuple[SeatPlan, ...]:
    """Now and then one player holds two seats side by side."""
    for left, right in pairwise(plans):
        if right.seat == left.seat + 1 and rng.random() < 0.06:
            return tuple(replace(plan, player=left.player) if plan is right else plan for plan in plans)
    return plans


def _paid(settlement: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """What a dealer who makes no mistake hands back, by seat and wager: winnings and stakes together."""
    return tuple(
        {
            "seat": row["seat"],
            "wagers": {
                name: str(Fraction(wager["profit"]) + Fraction(wager["returned"]))
                for name, wager in row["wagers"].items()
            },
            "envy": str(sum((Fraction(envy["amount"]) for envy in row.get("envy", ())), Fraction(0))),
        }
        for row in settlement.get("seats", ())
    )


def _given_back(draft: Round) -> tuple[Mapping[str, Any], ...]:
    """A round that was stopped: every stake goes back, as the void settlement says or all the same without one."""
    if draft.settlement["status"] == "void":
        return _paid(draft.settlement)
    names = draft.house.play_names
    return tuple(
        {
            "seat": plan.seat,
            "wagers": {name: str(cents) for name, cents in {**plan.wagers, names[0]: plan.play}.items() if cents},
            "envy": "0",
        }
        for plan in draft.seats
    )
