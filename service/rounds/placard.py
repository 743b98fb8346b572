"""What stands on a table's placard: every pay schedule it plays, its limits, and the house rules a player asks about.

>>> from service.rounds.rules import RulesVersion, first_rules
>>> sign = placard("Table 12", RulesVersion(1, first_rules("washington")))
>>> [schedule.title for schedule in sign.schedules]
['Automatic Bonus', 'Aces Up', 'Bad Beat Bonus', 'Progressive']
>>> sign.schedules[1].rows[0]
PlacardRow(hand='Four of a kind', pays='50 to 1', envy=None)
"""

from dataclasses import dataclass
from fractions import Fraction

from game.house_rules import HouseRules
from game.money import spoken_money
from game.paytables import PayTable, bundled_paytables
from game.wagers import WIN_BONUS
from service.rounds.rules import RulesVersion, TableRules
from service.rounds.words import GAME_TITLES, WAGER_TITLES, hand_words

_TITLES = {
    "automatic_bonus": "Automatic Bonus",
    "aces_up": "Aces Up",
    "bad_beat_bonus": "Bad Beat Bonus",
    "pays": "Progressive",
    "win_bonus": "Win or Copy Bonus",
    "bad_beat": "Bad Beat",
    "aces_baby": "Aces Baby",
    "prime": "Prime",
}
_NOTES = {
    "automatic_bonus": "Paid on the ante.",
    "bad_beat_bonus": "The player loses with the hand, or beats the dealer's.",
    "pays": "The wager is not returned. Percentages are of the meter.",
    "bad_beat": "The player loses with the hand; the ante is not taken.",
    "win_bonus": "Paid on the ante, besides even money.",
}


@dataclass(frozen=True)
class PlacardRow:
    """One line of a schedule."""

    hand: str
    pays: str
    envy: str | None


@dataclass(frozen=True)
class PlacardSchedule:
    """One wager's schedule."""

    title: str
    table: str
    rows: tuple[PlacardRow, ...]
    note: str | None

    @property
    def has_envy(self) -> bool:
        """Whether any row pays envy."""
        return any(row.envy for row in self.rows)


@dataclass(frozen=True)
class Placard:
    """The whole sign."""

    name: str
    game: str
    source: str
    version: int
    schedules: tuple[PlacardSchedule, ...]
    limits: tuple[tuple[str, str], ...]  # wager and what it may be
    rules: tuple[str, ...]


def placard(name: str, version: RulesVersion) -> Placard:
    """The sign of a table under a version of its rules."""
    rules = version.rules
    schedules = [schedule for table in _tables(rules) for schedule in _schedules(table, rules)]
    return Placard(
        name, GAME_TITLES[rules.game], rules.play.source, version.number, tuple(schedules), _limits(rules),
        _sentences(rules),
    )  # fmt: skip


def _tables(rules: TableRules) -> list[PayTable]:
    played = [table for table in rules.pay_tables.values() if table is not None]
    return [bundled_paytables()[WIN_BONUS], *played] if rules.game == "PRIME" else played


def _schedules(table: PayTable, rules: TableRules) -> list[PlacardSchedule]:
    envy = dict(table.progressive.envy) if table.progressive else {}
    scale = Fraction(1)
    if table.progressive and rules.terms is not None and rules.house.envy_scales_with_wager:
        scale = rules.terms.denomination / table.progressive.base_wager
    found = []
    for key, schedule in table.schedules.items():
        rows = tuple(
            PlacardRow(
                _hand(row.hand),
                _odds(row.odds.text),
                spoken_money(envy[row.hand] * scale) if row.hand in envy else None,
            )
            for row in schedule.rows
        )
        found.append(PlacardSchedule(_TITLES[key], table.name, rows, _NOTES.get(key)))
    return found


def _hand(row: str) -> str:
    return (hand_words(row) or row).capitalize()


def _odds(text: str) -> str:
    """With thousands set apart: `25,000 to 1`."""
    times, space, rest = text.partition(" ")
    return f"{int(times):,}{space}{rest}" if times.isdecimal() else text


def _limits(rules: TableRules) -> tuple[tuple[str, str], ...]:
    limits, play = rules.effective_limits, "raise" if rules.game == "PRIME" else "play"
    lines = []
    for wager in (*rules.offered, play):
        least, most = limits.minimum.get(wager), limits.maximum.get(wager)
        parts = [f"from {spoken_money(least)}"] if least is not None else []
        parts += [f"to {spoken_money(most)}"] if most is not None else []
        if wager == "progressive" and rules.terms is not None:
            parts = [spoken_money(rules.terms.denomination)]
        if wager == play:
            parts.append("one, two or three times the ante" if _is_whole(rules) else "one to three times the ante")
        if parts:
            lines.append((WAGER_TITLES[wager], ", ".join(parts)))
    if limits.maximum_aggregate is not None:
        lines.append(("Maximum aggregate", f"{spoken_money(limits.maximum_aggregate)} a round"))
    return (*lines, *_caps(rules))


def _is_whole(rules: TableRules) -> bool:
    return rules.house.prime_raise_whole_multiple if rules.game == "PRIME" else rules.house.fcp_play_whole_multiple


def _caps(rules: TableRules) -> tuple[tuple[str, str], ...]:
    """The most that Prime's bonuses and bad beats pay, where the house sets it."""
    caps = {"a hand": rules.house.cap_per_hand, "a round": rules.house.cap_per_round}
    posted = caps if rules.game == "PRIME" else {}
    return tuple(("Maximum payout", f"{spoken_money(cap)} {per}") for per, cap in posted.items() if cap is not None)


def _sentences(rules: TableRules) -> tuple[str, ...]:
    """What a player asks about, as this house decides it."""
    house: HouseRules = rules.house
    sentences = ["The dealer always qualifies. The player wins ties."]
    if rules.game == "FCP" and house.auto_bonus_paid_on_loss:
        sentences.append("The automatic bonus is paid even if the hand loses.")
    if rules.tables.get("bad_beat_bonus"):
        tie = {"lose": "loses", "win": "wins", "push": "pushes"}[house.bbb_tie]
        sentences.append(f"The bad beat bonus wager {tie} on a tie.")
    if rules.terms is not None:
        folded = "qualify" if house.progressive_folded_hand_qualifies else "do not qualify"
        sentences.append(f"Folded hands {folded} for the progressive.")
        sentences.append("Envy is paid to each other player with a progressive bet, never for one's own hand.")
    if house.payout_rounding != "exact":
        how = {"down": "down", "up": "up", "half_up": "to the nearest"}[house.payout_rounding]
        unit = spoken_money(house.payout_unit_cents)
        sentences.append(f"Payouts are rounded {how} {unit if how == 'to the nearest' else f'to whole {unit}'}.")
    if rules.game == "FCP" or house.prime_misdeal_voids:
        sentences.append("An incorrect number of cards in any hand voids all hands.")
    return tuple(sentences)
