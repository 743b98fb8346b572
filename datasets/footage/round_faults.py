"""Faults put into a round: cards too many, too few, twice or foreign, and what dealer and players do wrong.

In come a round without the fault and a random generator; out goes the round with it, and a `FaultPlan` that says where
it is. Faults of the camera are only noted: the footage decides when they happen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from datasets.errors import DatasetError
from datasets.footage.faults import Fault
from datasets.footage.round_plan import FaultPlan, Round, SeatPlan, TableCard
from game.cards import DECK
from game.hands import strength_of_four


def with_fault(draft: Round, kind: Fault, rng: np.random.Generator) -> Round:
    """The round with one more fault."""
    make = _FAULT_MAKERS.get(kind)
    if make is None:  # of the camera: the footage decides when
        return replace(draft, faults=(*draft.faults, FaultPlan(kind)))
    return make(draft, kind, rng)


def _playing(draft: Round, count: int, rng: np.random.Generator) -> tuple[Round, tuple[SeatPlan, ...]]:
    """`count` seats whose hand is sure to be revealed: those that play, and others made to play."""
    if len(draft.seats) < count:
        raise DatasetError(f"this fault needs {count} seats in the round, not {len(draft.seats)}")
    order = [draft.seats[place] for place in rng.permutation(len(draft.seats))]
    order.sort(key=lambda plan: plan.decision != "play")
    chosen = {plan.seat for plan in order[:count]}
    seats = tuple(_made_to_play(plan) if plan.seat in chosen else plan for plan in draft.seats)
    draft = replace(draft, seats=seats)
    return draft, tuple(plan for plan in seats if plan.seat in chosen)


def _made_to_play(plan: SeatPlan) -> SeatPlan:
    if plan.decision == "fold":
        return replace(plan, decision="play", play=plan.wagers["ante"])
    return plan


def _with_hand(draft: Round, seat: int, cards: tuple[TableCard, ...]) -> Round:
    seats = tuple(replace(plan, cards=cards) if plan.seat == seat else plan for plan in draft.seats)
    return replace(draft, seats=seats)


def _noted(draft: Round, fault: FaultPlan) -> Round:
    return replace(draft, faults=(*draft.faults, fault))


def _miscounted_seat(draft: Round, kind: Fault, rng: np.random.Generator) -> Round:
    draft, (plan,) = _playing(draft, 1, rng)
    if kind is Fault.PLAYER_SHORT:
        draft = replace(draft, rest=(plan.cards[-1], *draft.rest))
        draft = _with_hand(draft, plan.seat, plan.cards[:-1])
    else:
        extra, *rest = draft.rest
        draft = _with_hand(replace(draft, rest=tuple(rest)), plan.seat, (*plan.cards, extra))
    return _noted(draft, FaultPlan(kind, plan.name))


def _miscounted_dealer(draft: Round, kind: Fault, rng: np.random.Generator) -> Round:
    *down, up = draft.dealer
    if kind is Fault.DEALER_SHORT:
        spare = down.pop(int(rng.integers(5)))
        draft = replace(draft, rest=(spare, *draft.rest))
    else:
        extra, *rest = draft.rest
        down.append(extra)
        draft = replace(draft, rest=tuple(rest))
    draft = replace(draft, dealer=(*down, up), in_front=())
    return _noted(draft, FaultPlan(kind, "dealer"))


def _card_twice(draft: Round, kind: Fault, rng: np.random.Generator) -> Round:
    """The card of one revealed hand lies in another as well, or in the dealer's."""
    pair = len(draft.seats) > 1 and rng.random() < 0.6
    draft, chosen = _playing(draft, 2 if pair else 1, rng)
    first = chosen[0].cards if pair else draft.dealer
    model = first[rng.integers(len(first))]
    target = chosen[-1]
    place = int(rng.integers(len(target.cards)))
    twin = replace(target.cards[place], face=model.face)
    draft = _with_hand(draft, target.seat, (*target.cards[:place], twin, *target.cards[place + 1 :]))
    return _noted(draft, FaultPlan(kind, target.name, (model, twin)))


def _foreign_card(draft: Round, kind: Fault, rng: np.random.Generator) -> Round:
    draft, (plan,) = _playing(draft, 1, rng)
    place = int(rng.integers(len(plan.cards)))
    made_of = ("other-deck", "joker", "blank")[rng.integers(3)]
    old = plan.cards[place]
    foreign = replace(old, made_of=made_of, face=old.face if made_of == "other-deck" else None)
    draft = _with_hand(draft, plan.seat, (*plan.cards[:place], foreign, *plan.cards[place + 1 :]))
    return _noted(draft, FaultPlan(kind, plan.name, (foreign,), made_of))


def _hidden_card(draft: Round, kind: Fault, rng: np.random.Generator) -> Round:
    draft, (plan,) = _playing(draft, 1, rng)
    hidden = plan.cards[rng.integers(1, len(plan.cards))]
    detail = "spread" if rng.random() < 0.6 else "left"
    return _noted(draft, FaultPlan(kind, plan.name, (hidden,), detail))


def _exposed_card(draft: Round, kind: Fault, rng: np.random.Generator) -> Round:
    plan = draft.seats[rng.integers(len(draft.seats))]
    return _noted(draft, FaultPlan(kind, plan.name, (plan.cards[-1],)))


def _out_of_order(draft: Round, kind: Fault, rng: np.random.Generator) -> Round:
    draft, chosen = _playing(draft, 2, rng)
    return _noted(draft, FaultPlan(kind, min(chosen, key=lambda plan: plan.seat).name))


def _wrong_set(draft: Round, kind: Fault, rng: np.random.Generator) -> Round:
    best = strength_of_four([card.face for card in draft.in_front if card.face])
    worse = [
        four
        for four in combinations(draft.dealer, 4)
        if strength_of_four([card.face for card in four if card.face]) < best
    ]
    four = sorted(worse[rng.integers(len(worse))], key=lambda card: card.face or DECK[0], reverse=True)
    return _noted(replace(draft, in_front=tuple(four)), FaultPlan(kind, "dealer", tuple(four)))


def _late_wager(draft: Round, kind: Fault, rng: np.random.Generator) -> Round:
    plan = draft.seats[rng.integers(len(draft.seats))]
    spots = [spot for name, spot in draft.house.spots.items() if name not in ("progressive", *draft.house.play_names)]
    return _noted(draft, FaultPlan(kind, plan.name, (), spots[rng.integers(len(spots))]))


def _wrong_payout(draft: Round, kind: Fault, rng: np.random.Generator) -> Round:
    row = draft.settlement["seats"][rng.integers(len(draft.settlement["seats"]))]
    names = [name for name, wager in row["wagers"].items() if name != "progressive" and wager["stake"] != "0"]
    if not names:
        names = list(row["wagers"])
    return _noted(draft, FaultPlan(kind, f"seat-{row['seat']}", (), names[rng.integers(len(names))]))


_FAULT_MAKERS = {
    Fault.PLAYER_SHORT: _miscounted_seat,
    Fault.PLAYER_LONG: _miscounted_seat,
    Fault.DEALER_SHORT: _miscounted_dealer,
    Fault.DEALER_LONG: _miscounted_dealer,
    Fault.CARD_TWICE: _card_twice,
    Fault.FOREIGN_CARD: _foreign_card,
    Fault.HIDDEN_CARD: _hidden_card,
    Fault.EXPOSED_CARD: _exposed_card,
    Fault.OUT_OF_ORDER: _out_of_order,
    Fault.WRONG_SET: _wrong_set,
    Fault.LATE_WAGER: _late_wager,
    Fault.WRONG_PAYOUT: _wrong_payout,
}


def paid_wrongly(paid: Sequence[Mapping[str, Any]], fault: FaultPlan) -> tuple[Mapping[str, Any], ...]:
    """One wager paid wrongly: what won is paid half of itself too much, what lost is paid all the same."""

    def wrong(row: Mapping[str, Any]) -> Mapping[str, Any]:
        if f"seat-{row['seat']}" != fault.zone:
            return row
        right = Fraction(row["wagers"][fault.detail])
        amount = right + max(Fraction(500), Fraction(int(right) // 2)) if right else Fraction(1000)
        return {**row, "wagers": {**row["wagers"], fault.detail: str(amount)}}

    return tuple(wrong(row) for row in paid)
