"""The wagers of one seat against the dealer and the pay tables, for both games; caps and progressives come after."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from fractions import Fraction

from game.cards import parse_cards
from game.five_card import FiveCardCategory, five_card_category
from game.hands import FourCardHand, best_fours
from game.house_rules import HouseRules
from game.money import round_payout
from game.payable_hands import (
    colour_names,
    five_card_names,
    four_card_names,
    has_four_aces,
    most_of_one_colour,
)
from game.paytables import EVEN_MONEY, PayRow, PayTable, bundled_paytables
from game.results import Comparison, Outcome, WagerResult
from game.rounds import Round, Seat

WIN_BONUS = "WIN-COPY"


@dataclass(frozen=True, slots=True)
class ReadHand:
    """A seat's hand, evaluated once."""

    fours: tuple[FourCardHand, ...]
    five: FiveCardCategory
    four_names: frozenset[str]
    five_names: frozenset[str]
    colours: frozenset[str]

    @property
    def four(self) -> FourCardHand:
        """The four cards that play."""
        return self.fours[-1]


def read_hand(texts: tuple[str, ...]) -> ReadHand:
    """Evaluate a player's five cards."""
    cards = parse_cards(texts)
    fours = best_fours(cards)
    five = five_card_category(cards)
    return ReadHand(
        fours,
        five,
        four_card_names(fours[-1].strength),
        five_card_names(five, four_aces=has_four_aces(cards)),
        colour_names(most_of_one_colour(cards)),
    )


def compare(seat: Seat, hand: ReadHand, dealer: FourCardHand) -> Comparison:
    """How the seat's hand stands against the dealer's; ties look at the four cards only."""
    if "ante" not in seat.staked:
        return "not_contesting"
    if seat.decision == "fold":
        return "folded"
    return _contest(hand, dealer)


def _contest(hand: ReadHand, dealer: FourCardHand) -> Comparison:
    if hand.four.strength == dealer.strength:
        return "tie_player_wins"
    return "player_wins" if hand.four.strength > dealer.strength else "dealer_wins"


def paid(stake: Fraction, row: PayRow, rules: HouseRules, basis: Fraction, outcome: Outcome = "win") -> WagerResult:
    """A wager paid by a row of a schedule, odds on `basis`, rounded as the house rounds."""
    profit = round_payout(row.odds.ratio * basis, rules.payout_rounding, rules.payout_unit_cents)
    return WagerResult(stake, outcome, profit, stake, row.hand, row.odds)


def _even_money(stake: Fraction) -> WagerResult:
    """Matched chip for chip, so there is nothing to round."""
    return WagerResult(stake, "win", stake, stake, odds=EVEN_MONEY)


def _by_schedule(stake: Fraction, table: PayTable, schedule: str, names: Set[str], rules: HouseRules) -> WagerResult:
    row = table.schedules[schedule].row_for(names)
    return WagerResult(stake, "lose") if row is None else paid(stake, row, rules, stake)


def _ante_and_play(seat: Seat, play_name: str, comparison: Comparison) -> dict[str, WagerResult]:
    ante = seat.staked.get("ante")
    if ante is None:
        return {}
    if comparison == "folded":
        return {"ante": WagerResult(ante, "forfeit")}
    if comparison == "dealer_wins":
        return {play_name: WagerResult(seat.play, "lose"), "ante": WagerResult(ante, "lose")}
    return {play_name: _even_money(seat.play), "ante": _even_money(ante)}


def settle_fcp_seat(
    round_: Round, seat: Seat, hand: ReadHand, dealer: FourCardHand, comparison: Comparison
) -> Mapping[str, WagerResult]:
    """A Four Card Poker seat, without its progressive wager."""
    rules, table, staked = round_.rules, round_.tables["fcp"], seat.staked
    results = _ante_and_play(seat, "play", comparison)
    if table is not None:
        bonus = table.schedules["automatic_bonus"].row_for(hand.four_names)
        if bonus is not None and _bonus_is_due(comparison, rules):
            results["automatic_bonus"] = paid(Fraction(0), bonus, rules, staked["ante"])
        if "aces_up" in staked:
            results["aces_up"] = _by_schedule(staked["aces_up"], table, "aces_up", hand.four_names, rules)
    bad_beat_table = round_.tables["bad_beat_bonus"]
    if "bad_beat_bonus" in staked and bad_beat_table is not None:
        results["bad_beat_bonus"] = _bad_beat_bonus(
            staked["bad_beat_bonus"], bad_beat_table, hand, dealer, comparison, rules
        )
    return results


def _bonus_is_due(comparison: Comparison, rules: HouseRules) -> bool:
    match comparison:
        case "not_contesting":
            return False
        case "folded":  # a fold loses the ante, so a house that pays no loser pays no fold either
            return not rules.auto_bonus_requires_play and rules.auto_bonus_paid_on_loss
        case "dealer_wins":
            return rules.auto_bonus_paid_on_loss
        case _:
            return True


def _bad_beat_bonus(
    stake: Fraction,
    table: PayTable,
    hand: ReadHand,
    dealer: FourCardHand,
    comparison: Comparison,
    rules: HouseRules,
) -> WagerResult:
    """Pays on the hand that was beaten, the player's or the dealer's."""
    if comparison == "folded":
        if rules.bbb_on_fold == "lose":
            return WagerResult(stake, "lose")
        comparison = _contest(hand, dealer)
    beaten = four_card_names(dealer.strength) if comparison == "player_wins" else hand.four_names
    row = table.schedules["bad_beat_bonus"].row_for(beaten)
    if row is None:
        return WagerResult(stake, "lose")
    if comparison == "tie_player_wins" and rules.bbb_tie != "win":
        return WagerResult(stake, "lose") if rules.bbb_tie == "lose" else WagerResult(stake, "push", returned=stake)
    return paid(stake, row, rules, stake)


def settle_prime_seat(round_: Round, seat: Seat, hand: ReadHand, comparison: Comparison) -> Mapping[str, WagerResult]:
    """A Four Card Prime seat, before caps."""
    rules, staked = round_.rules, seat.staked
    results = _ante_and_play(seat, "raise", comparison)
    bad_beat = round_.tables["bad_beat"]
    if comparison in ("player_wins", "tie_player_wins"):
        bonus = bundled_paytables()[WIN_BONUS].schedules["win_bonus"].row_for(hand.four_names)
        if bonus is not None:
            results["win_bonus"] = paid(Fraction(0), bonus, rules, staked["ante"])
    elif comparison == "dealer_wins" and bad_beat is not None:
        row = bad_beat.schedules["bad_beat"].row_for(hand.four_names)
        if row is not None:
            results["ante"] = paid(staked["ante"], row, rules, staked["ante"], "bad_beat")
    for name, names in (("aces_baby", hand.four_names), ("prime", hand.colours)):
        table = round_.tables[name]
        if name in staked and table is not None:
            results[name] = _by_schedule(staked[name], table, name, names, rules)
    return results
