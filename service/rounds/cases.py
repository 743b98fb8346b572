"""A table's state as a round of the game: what `game` checks and settles, in the form that `foursight settle` reads."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from game.checks import check_decisions, check_wagers
from game.money import money_text
from game.open_round import is_lost_unseen
from game.paytables import bundled_paytables
from game.rounds import InvalidRound, Round
from service.rounds.rules import TableRules
from service.rounds.state import Seat, TableState

Json = dict[str, Any]
NOMINAL = 100  # cents; a wager of unknown amount is settled with this to learn its odds, and its amount is never shown


def seat_case(seat: Seat, *, cards: tuple[str, ...] | None = None, play: int | None = None) -> Json:
    """A seat as a case has it; `cards=()` leaves its hand to come."""
    has_ante = seat.amount("ante") > 0
    decision = (seat.decision or "play") if has_ante else "none"
    amount = (seat.play if play is None else play) or 0
    return {
        "seat": seat.seat,
        "player": seat.player,
        "cards": list(seat.hand.cards if cards is None else cards),
        "wagers": {wager.name: wager.amount for wager in seat.wagers or () if wager.amount},
        "decision": decision,
        "play": amount if decision == "play" else 0,
    }


def nominal_case(seat: Seat, rules: TableRules) -> Json:
    """A seat of which nobody knows the wagers, with every wager that the table offers."""
    terms = rules.terms
    wagers = {name: NOMINAL for name in rules.offered if name != "progressive"}
    if terms is not None:
        wagers["progressive"] = int(terms.denomination)
    decision = seat.decision or "play"
    return {
        "seat": seat.seat,
        "player": seat.player,
        "cards": list(seat.hand.cards),
        "wagers": wagers,
        "decision": decision,
        "play": NOMINAL if decision == "play" else 0,
    }


def case_of(state: TableState, seats: Iterable[Json], *, limits: bool = True) -> Json:
    """The whole case: tables, rules, meter and dealer of the state, with the seats given."""
    rules = state.round.version.rules
    dealer = state.round.dealer
    case: Json = {
        "game": rules.game,
        "tables": {role: None if table is None else table.name for role, table in rules.pay_tables.items()},
        "house_rules": rules.house_case,
        "dealer": {"cards": list(dealer.cards), "up": dealer.up_card},
        "seats": sorted(seats, key=lambda seat: int(seat["seat"])),
        "progressive": _progressive(state),
    }
    return case | ({"limits": _limits(rules)} if limits else {})


def _progressive(state: TableState) -> Json | None:
    """The meter as it was before this round moved it."""
    terms = state.round.version.rules.terms
    if terms is None or state.meter is None:
        return None
    amount, reserve = state.round.moved
    return {
        "meter": money_text(max(Fraction(0), state.meter.amount - amount)),
        "reserve": money_text(max(Fraction(0), state.meter.reserve - reserve)),
        "seed": int(terms.seed),
        "denomination": int(terms.denomination),
        "contribution_rate": str(terms.contribution_rate),
        "reserve_rate": str(terms.reserve_rate),
    }


def _limits(rules: TableRules) -> Json:
    limits = rules.effective_limits
    aggregate = limits.maximum_aggregate
    return {
        "minimum": {wager: int(amount) for wager, amount in limits.minimum.items()},
        "maximum": {wager: int(amount) for wager, amount in limits.maximum.items()},
        "maximum_aggregate": None if aggregate is None else int(aggregate),
    }


def to_round(case: Json) -> Round:
    """The game's own value."""
    return Round.from_json(case, bundled_paytables())


def wager_fault(state: TableState, seat: Seat) -> InvalidRound | None:
    """The first rule that a seat's wagers break."""
    try:
        check_wagers(to_round(case_of(state, [seat_case(seat, cards=())])))
    except InvalidRound as fault:
        return fault
    return None


def decision_fault(state: TableState, seat: Seat) -> InvalidRound | None:
    """The rule that a seat's decision or play wager breaks."""
    try:
        check_decisions(to_round(case_of(state, [seat_case(seat, cards=())])))
    except InvalidRound as fault:
        return fault
    return None


def is_out(state: TableState, seat: Seat) -> bool:
    """Whether the seat folded with nothing left to win, its cards taken unseen."""
    if seat.decision != "fold" or seat.hand.cards or seat.hand.problem:
        return False
    if seat.wagers is None:  # nobody knows whether a bonus wager is live: what became of the cards tells
        return seat.left in ("", "taken")
    round_ = to_round(case_of(state, [seat_case(seat, cards=())]))
    return is_lost_unseen(round_, round_.seats[0])
