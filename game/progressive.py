"""The progressive wager of a round: whose hand hits, what the meter pays, who collects envy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from game.house_rules import HouseRules
from game.meter import Award, Hit, coin_in, pay_hits
from game.money import round_payout
from game.paytables import PayRow, PayTable
from game.results import Envy, ProgressiveResult, Trigger, WagerResult
from game.rounds import Progressive, Round, Seat
from game.wagers import ReadHand


@dataclass(frozen=True, slots=True)
class ProgressiveOutcome:
    """What the progressive adds to a settled round."""

    result: ProgressiveResult
    wagers: Mapping[int, WagerResult]  # by seat
    envy: Mapping[int, tuple[Envy, ...]]  # by seat


def _is_live(seat: Seat, rules: HouseRules) -> bool:
    """Whether the seat's hand can win or trigger anything: a folded one only where the house says so."""
    return seat.decision != "fold" or (rules.progressive_folded_hand_qualifies and "progressive" in seat.staked)


def _row(table: PayTable, hand: ReadHand, rules: HouseRules) -> PayRow | None:
    terms = table.progressive
    by_five = terms is None or terms.hand_from == "five_cards" or rules.fcpp_basis == "five_cards"
    return table.schedules["pays"].row_for(hand.five_names if by_five else hand.four_names)


def settle_progressive(
    round_: Round,
    table: PayTable,
    progressive: Progressive,
    hands: Mapping[int, ReadHand],
    order: Sequence[int],
) -> ProgressiveOutcome:
    """Coin-in, awards in the order of settling, and envy."""
    rules, terms, start = round_.rules, progressive.terms, progressive.meter
    seats = {seat.seat: seat for seat in round_.seats}
    wagered = sum((seat.staked.get("progressive", Fraction(0)) for seat in round_.seats), Fraction(0))
    rows = {
        number: _row(table, hands[number], rules) if _is_live(seat, rules) else None for number, seat in seats.items()
    }
    hits = [
        Hit(number, row.hand, row.odds, seats[number].staked["progressive"])
        for number in order
        if (row := rows[number]) is not None and "progressive" in seats[number].staked
    ]
    at_payout = coin_in(start, terms, wagered) if rules.coin_in_before_payout else start
    end, awards = pay_hits(at_payout, terms, rules, hits)
    end = end if rules.coin_in_before_payout else coin_in(end, terms, wagered)
    by_seat = {award.seat: award for award in awards}
    wagers = {
        number: _wager(seat.staked["progressive"], by_seat.get(number))
        for number, seat in seats.items()
        if "progressive" in seat.staked
    }
    triggers = _triggers(round_, table, rows)
    result = ProgressiveResult(start, at_payout, end, awards, triggers)
    return ProgressiveOutcome(
        result, wagers, {number: envy_of(seat, round_, table, triggers) for number, seat in seats.items()}
    )


def _wager(stake: Fraction, award: Award | None) -> WagerResult:
    """The wager itself is never returned."""
    if award is None:
        return WagerResult(stake, "lose")
    return WagerResult(stake, "win", award.amount, Fraction(0), award.hand, award.odds)


def _triggers(round_: Round, table: PayTable, rows: Mapping[int, PayRow | None]) -> tuple[Trigger, ...]:
    amounts = table.progressive.envy if table.progressive else {}
    needs_bet = round_.rules.envy_trigger_requires_progressive
    return tuple(
        Trigger(seat.seat, row.hand)
        for seat in round_.seats
        if (row := rows[seat.seat]) is not None
        and row.hand in amounts
        and ("progressive" in seat.staked or not needs_bet)
    )


def envy_of(seat: Seat, round_: Round, table: PayTable, triggers: Sequence[Trigger]) -> tuple[Envy, ...]:
    """What one seat collects: never from itself, nor from the same player where `envy_self_is` says so."""
    rules, terms = round_.rules, table.progressive
    if "progressive" not in seat.staked or terms is None:
        return ()
    if seat.decision == "fold" and not rules.envy_folded_bettor_collects:
        return ()
    if not rules.envy_hitter_collects_from_others and any(trigger.seat == seat.seat for trigger in triggers):
        return ()
    players = {each.seat: each.player for each in round_.seats}
    scale = seat.staked["progressive"] / terms.base_wager if rules.envy_scales_with_wager else Fraction(1)
    return tuple(
        Envy(
            trigger.seat,
            trigger.hand,
            round_payout(terms.envy[trigger.hand] * scale, rules.payout_rounding, rules.payout_unit_cents),
        )
        for trigger in triggers
        if trigger.seat != seat.seat and not (rules.envy_self_is == "player" and players[trigger.seat] == seat.player)
    )
