"""What a settlement says, as frozen values, and its JSON form."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from game.five_card import FiveCardCategory
from game.hands import FourCardHand
from game.meter import Award, Meter
from game.money import money_text
from game.paytables import Odds

Outcome = Literal["win", "lose", "forfeit", "push", "bad_beat", "void", "carried"]
Comparison = Literal["player_wins", "tie_player_wins", "dealer_wins", "folded", "not_contesting"]
Status = Literal["settled", "void", "invalid"]
Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class WagerResult:
    """One wager, settled; `profit` comes on top of what is `returned` of the stake."""

    stake: Fraction
    outcome: Outcome
    profit: Fraction = Fraction(0)
    returned: Fraction = Fraction(0)
    hand: str | None = None
    odds: Odds | None = None
    uncapped_profit: Fraction | None = None

    @property
    def net(self) -> Fraction:
        """What the player gains or loses by it."""
        return self.profit + self.returned - self.stake

    def to_json(self) -> Json:
        """Its form in results."""
        content: Json = {
            "stake": money_text(self.stake),
            "result": self.outcome,
            "profit": money_text(self.profit),
            "returned": money_text(self.returned),
            "net": money_text(self.net),
        }
        if self.hand is not None:
            content["hand"] = self.hand
        if self.odds is not None:
            content["odds"] = self.odds.text
        if self.uncapped_profit is not None:
            content["uncapped_profit"] = money_text(self.uncapped_profit)
        return content


@dataclass(frozen=True, slots=True)
class Envy:
    """An envy bonus that a seat collects."""

    from_seat: int
    hand: str
    amount: Fraction


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat, settled. A voided seat has no hand."""

    seat: int
    wagers: Mapping[str, WagerResult]
    comparison: Comparison | None = None
    fours: tuple[FourCardHand, ...] = ()  # every choice of four as good as the best
    five: FiveCardCategory | None = None
    envy: tuple[Envy, ...] = ()

    @property
    def net(self) -> Fraction:
        """What the player gains or loses at this seat."""
        return sum((wager.net for wager in self.wagers.values()), Fraction(0)) + sum(
            (envy.amount for envy in self.envy), Fraction(0)
        )

    def to_json(self) -> Json:
        """Its form in results."""
        content: Json = {"seat": self.seat}
        if self.fours and self.five is not None:
            content |= hand_to_json(self.fours) | {
                "category_five": self.five.key,
                "comparison": self.comparison,
            }
        content["wagers"] = {name: wager.to_json() for name, wager in self.wagers.items()}
        if self.envy:
            content["envy"] = [
                {"from_seat": envy.from_seat, "hand": envy.hand, "amount": money_text(envy.amount)}
                for envy in self.envy
            ]
        content["net"] = money_text(self.net)
        return content


@dataclass(frozen=True, slots=True)
class Trigger:
    """A hand that pays envy bonuses to others."""

    seat: int
    hand: str


@dataclass(frozen=True, slots=True)
class ProgressiveResult:
    """What the round did to the meter."""

    start: Meter
    at_payout: Meter | None  # None in a void round: nothing was paid
    end: Meter
    awards: tuple[Award, ...] = ()
    triggers: tuple[Trigger, ...] = ()

    def to_json(self) -> Json:
        """Its form in results."""
        content: Json = {"meter_start": money_text(self.start.amount)}
        if self.at_payout is not None:
            content["meter_at_payout"] = money_text(self.at_payout.amount)
        content |= {"meter_end": money_text(self.end.amount), "reserve_end": money_text(self.end.reserve)}
        content["awards"] = [_award_to_json(award) for award in self.awards]
        if self.at_payout is not None:
            content["envy_triggers"] = [{"seat": each.seat, "hand": each.hand} for each in self.triggers]
        return content


@dataclass(frozen=True, slots=True)
class Settlement:
    """A whole round, settled, void or invalid."""

    status: Status
    reason: str | None = None
    sentence: str | None = None  # the reason in words, for people
    dealer: tuple[FourCardHand, ...] = ()
    seats: tuple[SeatResult, ...] = ()
    progressive: ProgressiveResult | None = None
    settle_order: tuple[int, ...] = ()
    game: str = ""  # "FCP" or "PRIME"; an invalid round may be of neither

    @property
    def players_net(self) -> Fraction:
        """What all players gain or lose together."""
        return sum((seat.net for seat in self.seats), Fraction(0))

    def to_json(self) -> Json:
        """The `expected` form of a case."""
        content: Json = {"status": self.status}
        if self.status == "invalid":
            return content | {"reason": self.reason}
        if self.status == "void":
            content["reason"] = self.reason
        else:
            content["dealer"] = hand_to_json(self.dealer)
        content["seats"] = [seat.to_json() for seat in self.seats]
        if self.progressive is not None:
            content["progressive"] = self.progressive.to_json()
        if self.status == "settled":
            content |= {"settle_order": list(self.settle_order), "players_net": money_text(self.players_net)}
        return content


def hand_to_json(fours: tuple[FourCardHand, ...]) -> Json:
    """Category, strength and every best four of a hand."""
    strength = fours[0].strength
    return {
        "category": strength.category.key,
        "strength": [int(strength.category), *strength.ranks],
        "best_four_any_of": [[str(card) for card in four.cards] for four in fours],
    }


def _award_to_json(award: Award) -> Json:
    content: Json = {
        "seat": award.seat,
        "hand": award.hand,
        "odds": award.odds.text,
        "amount": money_text(award.amount),
        "source": award.source,
        "meter_before": money_text(award.before.amount),
    }
    if award.after is not None:
        content["meter_after"] = money_text(award.after.amount)
    return content
