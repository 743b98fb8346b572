"""Settle what is known so far of a round at the table, while hands are still to be turned.

A seat without cards is still to come, or was folded with nothing left to win: then its wagers are lost unseen. Coin-in
counts every locked progressive bet, turned or not. When every hand is known this is `settle` itself.

>>> from game.paytables import bundled_paytables
>>> play = {"seat": 4, "cards": "9s 9h 9d Kc 4d".split(), "wagers": {"ante": 1000}, "decision": "play", "play": 1000}
>>> fold = {"seat": 5, "cards": [], "wagers": {"ante": 500}, "decision": "fold"}
>>> later = {"seat": 2, "cards": [], "wagers": {"ante": 500}, "decision": "play", "play": 500}
>>> dealer = {"cards": ["Ks", "Kh", "Ad", "Tc", "5c", "2d"]}
>>> case = {"game": "FCP", "tables": {"fcp": "FCP-05"}, "dealer": dealer, "seats": [later, play, fold]}
>>> settlement = settle_open(Round.from_json(case, bundled_paytables()))
>>> [(seat.seat, str(seat.net)) for seat in settlement.seats]
[(4, '4000'), (5, '-500')]
"""

from dataclasses import replace
from fractions import Fraction

from game.meter import Meter, MeterTerms, coin_in
from game.progressive import envy_of
from game.results import ProgressiveResult, SeatResult, Settlement, WagerResult
from game.rounds import Progressive, Round, Seat
from game.settlement import settle, settle_order


def live_after_fold(round_: Round, seat: Seat) -> tuple[str, ...]:
    """What a folded hand can still win: if anything, its cards stay on the table and are turned in their turn."""
    rules, staked = round_.rules, seat.staked
    independent = {
        "aces_up": True,
        "aces_baby": True,
        "prime": True,
        "bad_beat_bonus": rules.bbb_on_fold == "live",
        "progressive": rules.progressive_folded_hand_qualifies,
    }
    live = [name for name in staked if independent.get(name, False)]
    is_bonus_live = round_.game == "FCP" and not rules.auto_bonus_requires_play and rules.auto_bonus_paid_on_loss
    return (*live, *(("automatic_bonus",) if is_bonus_live and "ante" in staked else ()))


def is_lost_unseen(round_: Round, seat: Seat) -> bool:
    """Whether a seat folded, its cards were taken, and nothing of it can win."""
    return seat.decision == "fold" and not seat.cards and not live_after_fold(round_, seat)


def settle_open(round_: Round) -> Settlement:
    """Settle the seats whose cards are known, and those lost unseen; seats still to come are left out."""
    lost = {seat.seat: seat for seat in round_.seats if is_lost_unseen(round_, seat)}
    turned = tuple(seat for seat in round_.seats if seat.cards)
    settlement = settle(replace(round_, seats=turned, progressive=_at_payout(round_)))
    if settlement.status != "settled":
        return settlement
    triggers = settlement.progressive.triggers if settlement.progressive else ()
    table = round_.tables.get("progressive")
    results = {seat.seat: seat for seat in settlement.seats}
    for number, seat in lost.items():
        envy = envy_of(seat, round_, table, triggers) if table is not None else ()
        results[number] = SeatResult(number, _lost(seat), "folded", envy=envy)
    numbers = [seat.seat for seat in round_.seats if seat.seat in results]
    return replace(
        settlement,
        seats=tuple(results[number] for number in numbers),
        settle_order=tuple(number for number in settle_order(round_) if number in results),
        progressive=None if settlement.progressive is None else _with_coin_in(settlement.progressive, round_),
    )


def _lost(seat: Seat) -> dict[str, WagerResult]:
    return {name: WagerResult(stake, "forfeit" if name == "ante" else "lose") for name, stake in seat.staked.items()}


def _wagered(round_: Round) -> Fraction:
    return sum((seat.staked.get("progressive", Fraction(0)) for seat in round_.seats), Fraction(0))


def _at_payout(round_: Round) -> Progressive | None:
    """The meter as awards are paid from it: all coin-in counted, so that it is not counted again."""
    progressive = round_.progressive
    if progressive is None:
        return None
    terms = progressive.terms
    is_before = round_.rules.coin_in_before_payout
    meter = coin_in(progressive.meter, terms, _wagered(round_)) if is_before else progressive.meter
    return Progressive(meter, MeterTerms(terms.seed, terms.denomination))


def _with_coin_in(result: ProgressiveResult, round_: Round) -> ProgressiveResult:
    """The result as the whole round has it: from the meter before the coin-in."""
    assert round_.progressive is not None
    start: Meter = round_.progressive.meter
    is_before = round_.rules.coin_in_before_payout
    end = result.end if is_before else coin_in(result.end, round_.progressive.terms, _wagered(round_))
    return replace(result, start=start, end=end)
