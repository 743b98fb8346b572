"""Settle a whole round: check it, compare every hand with the dealer's, and pay every wager exactly.

>>> seat = {"seat": 4, "cards": ["9s", "9h", "9d", "Kc", "4d"], "wagers": {"ante": 1000}}
>>> seat |= {"decision": "play", "play": 3000}
>>> dealer = {"cards": ["Ks", "Kh", "Ad", "Tc", "5c", "2d"], "up": "Ad"}
>>> result = settle_case({"game": "FCP", "tables": {"fcp": "FCP-05"}, "dealer": dealer, "seats": [seat]})
>>> result["players_net"]
'6000'
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from game.caps import cap_seats
from game.cards import parse_cards
from game.checks import check_round
from game.hands import best_fours
from game.house_rules import FCP_WAGERS, PRIME_WAGERS
from game.meter import coin_in
from game.paytables import PayTable, bundled_paytables
from game.progressive import settle_progressive
from game.results import Json, ProgressiveResult, SeatResult, Settlement, WagerResult
from game.rounds import InvalidRound, Round, Seat
from game.wagers import ReadHand, compare, read_hand, settle_fcp_seat, settle_prime_seat


def settle_case(content: object, paytables: Mapping[str, PayTable] | None = None) -> Json:
    """Settle the `input` of a case into the `expected` form; content that is no round raises `GameError`."""
    return settle_json(content, paytables).to_json()


def settle_json(content: object, paytables: Mapping[str, PayTable] | None = None) -> Settlement:
    """Settle the `input` of a case."""
    try:
        round_ = Round.from_json(content, bundled_paytables() if paytables is None else paytables)
    except InvalidRound as fault:
        return Settlement("invalid", fault.reason, str(fault))
    return settle(round_)


def settle(round_: Round) -> Settlement:
    """Settle a round."""
    try:
        miscount = check_round(round_)
    except InvalidRound as fault:
        return Settlement("invalid", fault.reason, str(fault))
    return _settle_hands(round_) if miscount is None else void(round_, "wrong_card_count", miscount.sentence)


def settle_order(round_: Round) -> tuple[int, ...]:
    """Seats in the order the house settles them; the dealer's right has the highest number."""
    return tuple(sorted((seat.seat for seat in round_.seats), reverse=round_.rules.settle_order == "right_to_left"))


def _settle_hands(round_: Round) -> Settlement:
    dealer = best_fours(parse_cards(round_.dealer_cards))
    hands = {seat.seat: read_hand(seat.cards) for seat in round_.seats}
    order = settle_order(round_)
    comparisons = {seat.seat: compare(seat, hands[seat.seat], dealer[-1]) for seat in round_.seats}
    wagers: dict[int, dict[str, WagerResult]] = {}
    for seat in round_.seats:
        number, comparison = seat.seat, comparisons[seat.seat]
        if round_.game == "FCP":
            wagers[number] = dict(settle_fcp_seat(round_, seat, hands[number], dealer[-1], comparison))
        else:
            wagers[number] = dict(settle_prime_seat(round_, seat, hands[number], comparison))
    if round_.game == "PRIME":
        aggregate = round_.limits.maximum_aggregate
        wagers = {number: dict(capped) for number, capped in cap_seats(wagers, order, round_.rules, aggregate).items()}
    seats = tuple(
        SeatResult(
            seat.seat,
            _in_order(wagers[seat.seat], round_),
            comparisons[seat.seat],
            hands[seat.seat].fours,
            hands[seat.seat].five,
        )
        for seat in round_.seats
    )
    settlement = Settlement("settled", dealer=dealer, seats=seats, settle_order=order, game=round_.game)
    return _with_progressive(settlement, round_, hands)


def _with_progressive(settlement: Settlement, round_: Round, hands: Mapping[int, ReadHand]) -> Settlement:
    table = round_.tables.get("progressive")
    if table is None or round_.progressive is None:
        return settlement
    outcome = settle_progressive(round_, table, round_.progressive, hands, settlement.settle_order)
    seats = tuple(
        replace(
            seat,
            wagers=_in_order(_add(seat.wagers, "progressive", outcome.wagers.get(seat.seat)), round_),
            envy=outcome.envy[seat.seat],
        )
        for seat in settlement.seats
    )
    return replace(settlement, seats=seats, progressive=outcome.result)


def _add(wagers: Mapping[str, WagerResult], name: str, wager: WagerResult | None) -> Mapping[str, WagerResult]:
    return wagers if wager is None else {**wagers, name: wager}


def _in_order(wagers: Mapping[str, WagerResult], round_: Round) -> Mapping[str, WagerResult]:
    """Wagers in the order they are settled; those the house's own order leaves out come last."""
    usual = FCP_WAGERS if round_.game == "FCP" else PRIME_WAGERS
    order = [*(round_.rules.wager_order or ()), *usual]
    return {name: wagers[name] for name in sorted(wagers, key=order.index)}


def void(round_: Round, reason: str, sentence: str) -> Settlement:
    """Every hand is void: wagers go back, and so does the coin-in unless it is carried to the re-deal."""
    seats = tuple(SeatResult(seat.seat, _voided(seat, round_)) for seat in round_.seats)
    progressive = None
    if round_.tables.get("progressive") is not None and round_.progressive is not None:
        start = round_.progressive.meter
        wagered = sum((seat.staked.get("progressive", Fraction(0)) for seat in round_.seats), Fraction(0))
        kept = Fraction(0) if round_.rules.void_refunds_progressive else wagered
        progressive = ProgressiveResult(start, None, coin_in(start, round_.progressive.terms, kept))
    return Settlement("void", reason, sentence, seats=seats, progressive=progressive, game=round_.game)


def _voided(seat: Seat, round_: Round) -> Mapping[str, WagerResult]:
    play_name = "play" if round_.game == "FCP" else "raise"
    stakes = {**seat.staked, **({play_name: seat.play} if seat.play else {})}
    carried = set() if round_.rules.void_refunds_progressive else {"progressive"}
    results = {
        name: WagerResult(stake, "carried") if name in carried else WagerResult(stake, "void", returned=stake)
        for name, stake in stakes.items()
    }
    return _in_order(results, round_)
