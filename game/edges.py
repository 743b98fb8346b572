"""Exact frequencies and house edges of every pay table, as fractions, from counts of hands and deals.

>>> aces_up = wager_odds(bundled_paytables()["FCP-05"], "aces_up", four_card_hands())
>>> f"{percent(aces_up.edge)} hit {percent(aces_up.hits)}"
'3.8917 hit 18.5622'
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal

from game.deals import PLAYER_HANDS, OddsError, PlayDecision, kept_deals, kept_optimal
from game.hands import Category, Strength
from game.payable_hands import four_card_names
from game.paytables import PayTable, Schedule, bundled_paytables

HandCounts = Mapping[frozenset[str], int]  # how many of all five-card hands go by these names
TieRule = Literal["lose", "win", "push"]
Strategy = Callable[[Strength], PlayDecision]


@dataclass(frozen=True, slots=True)
class RowOdds:
    """One row of a schedule: how often it is paid, and what it gives back of one unit wagered."""

    hand: str
    pays: str
    count: int
    probability: Fraction
    gives: Fraction


@dataclass(frozen=True, slots=True)
class WagerOdds:
    """One wager against its schedule."""

    table: str
    wager: str
    rows: tuple[RowOdds, ...]
    hits: Fraction
    edge: Fraction  # the house's part of one unit wagered
    stake_free: bool = False  # a bonus on the ante, which has no stake of its own and so no edge


def percent(value: Fraction, digits: int = 4) -> str:
    """A fraction as per cent, rounded half up: `3.8917`."""
    scaled = abs(value) * 100 * 10**digits + Fraction(1, 2)
    whole, rest = divmod(int(scaled), 10**digits)
    return f"{'-' if value < 0 else ''}{whole}.{rest:0{digits}}"


def four_card_hands() -> HandCounts:
    """Five-card hands by the names of their best four."""
    counts: Counter[frozenset[str]] = Counter()
    for row in kept_deals():
        counts[four_card_names(row.strength)] += row.hands
    return counts


def _by_row(schedule: Schedule, counts: HandCounts) -> Counter[str]:
    found: Counter[str] = Counter()
    for names, count in counts.items():
        if row := schedule.row_for(names):
            found[row.hand] += count
    return found


def wager_odds(table: PayTable, wager: str, counts: HandCounts) -> WagerOdds:
    """A wager on the player's hand alone: Aces Up, Aces Baby, Prime."""
    return _odds(table, wager, _by_row(table.schedules[wager], counts), PLAYER_HANDS)


def _odds(table: PayTable, wager: str, found: Mapping[str, int], total: int, pushed: int = 0) -> WagerOdds:
    rows = tuple(
        RowOdds(row.hand, row.odds.text, found[row.hand], chance := Fraction(found[row.hand], total),
                chance * (row.odds.ratio + 1))
        for row in table.schedules[wager].rows
    )  # fmt: skip
    hits = sum((row.probability for row in rows), Fraction(0))
    back = sum((row.gives for row in rows), Fraction(pushed, total))
    return WagerOdds(table.name, wager, rows, hits, 1 - back)


def ante_bonus_odds(table: PayTable, bonus: str) -> WagerOdds:
    """A bonus on the ante, every hand played: counted in hands, or in deals where only those won or lost are paid."""
    found: Counter[str] = Counter()
    total = 0
    for row in kept_deals():
        total += row.hands if bonus == "automatic_bonus" else row.deals
        if paid := table.schedules[bonus].row_for(four_card_names(row.strength)):
            found[paid.hand] += {"win_bonus": row.won, "bad_beat": row.lost}.get(bonus, row.hands)
    rows = tuple(
        RowOdds(row.hand, row.odds.text, found[row.hand], chance := Fraction(found[row.hand], total),
                chance * row.odds.ratio)
        for row in table.schedules[bonus].rows
    )  # fmt: skip
    hits = sum((row.probability for row in rows), Fraction(0))
    return WagerOdds(table.name, bonus, rows, hits, -sum((row.gives for row in rows), Fraction(0)), stake_free=True)


def bad_beat_odds(table: PayTable, ties: TieRule = "lose") -> WagerOdds:
    """The bad beat bonus over all deals, every hand played: it pays on the hand that is beaten."""
    schedule = table.schedules["bad_beat_bonus"]
    found: Counter[str] = Counter()
    total = pushed = 0
    for row in kept_deals():
        total += row.deals
        own = schedule.row_for(four_card_names(row.strength))
        if own is not None:
            found[own.hand] += row.lost + (row.ties if ties == "win" else 0)
            pushed += row.ties if ties == "push" else 0
        for category, deals in row.beaten.items():
            if beaten := schedule.row_for({category.key}):
                found[beaten.hand] += deals
    return _odds(table, "bad_beat_bonus", found, total, pushed)


def pairs_strategy(strength: Strength) -> PlayDecision:
    """The strategy the documents' figures rest on: 3x with tens or better, 1x with threes to nines, else fold."""
    if strength.category > Category.PAIR:
        return 3
    if strength.category < Category.PAIR or strength.ranks[0] < 3:
        return 0
    return 3 if strength.ranks[0] >= 10 else 1


STRATEGY_WORDS = "3x with a pair of tens or better, 1x with threes to nines, else fold"


@dataclass(frozen=True, slots=True)
class BaseGame:
    """Ante and play together, with the bonus that comes with them."""

    table: str
    of_ante: Fraction
    of_action: Fraction  # of all money put down, ante and play
    action: Fraction  # money put down for an ante of one


@dataclass(frozen=True, slots=True)
class _Bonuses:
    """What an ante of one is paid besides even money, by the player's category."""

    on_win: Mapping[Category, Fraction]
    on_loss: Mapping[Category, Fraction]
    ante_kept_on_loss: frozenset[Category]  # Prime's bad beat returns the ante

    def gain(self, category: Category, play: PlayDecision, won: int, lost: int) -> Fraction:
        """What the player gains over so many deals."""
        if play == 0:
            return Fraction(-(won + lost))
        on_win = 1 + play + self.on_win.get(category, Fraction(0))
        ante = 0 if category in self.ante_kept_on_loss else -1
        return won * on_win + lost * (self.on_loss.get(category, Fraction(0)) + ante - play)


def _by_category(schedule: Schedule) -> dict[Category, Fraction]:
    """Odds of a schedule by category; the schedules of bonuses on the ante have no finer rows."""
    rows = {category: schedule.row_for({category.key}) for category in Category}
    return {category: row.odds.ratio for category, row in rows.items() if row is not None}


def _bonuses(table: PayTable) -> _Bonuses:
    if table.kind == "prime-bad-beat":
        won = _by_category(bundled_paytables()["WIN-COPY"].schedules["win_bonus"])
        lost = _by_category(table.schedules["bad_beat"])
        return _Bonuses(won, lost, frozenset(lost))
    bonus = _by_category(table.schedules["automatic_bonus"])
    return _Bonuses(bonus, bonus, frozenset())


_Played = Mapping[tuple[Category, PlayDecision], tuple[int, int]]  # deals won and lost by category and decision


def base_game(table: PayTable, strategy: Strategy = pairs_strategy) -> BaseGame:
    """The base game under a strategy that looks at the player's hand alone."""
    return _base_game(table, _played(strategy))


@cache
def _played(strategy: Strategy) -> _Played:
    played: dict[tuple[Category, PlayDecision], tuple[int, int]] = {}
    for row in kept_deals():
        cell = row.strength.category, strategy(row.strength)
        won, lost = played.get(cell, (0, 0))
        played[cell] = won + row.won, lost + row.lost
    return played


def optimal_base_game(table: PayTable) -> BaseGame:
    """The base game under the best decision for each hand and up card.

    The kept decisions are the best ones without a bonus. A bonus only adds to playing, so they stay the best as long as
    no hand that has one is folded; a table for which that does not hold is refused.
    """
    bonuses = _bonuses(table)
    for row in kept_optimal():
        if row.play == 0 and row.deals and row.category in bonuses.on_win.keys() | bonuses.on_loss.keys():
            raise OddsError(f"{table.name} pays a bonus on {row.category.key}, which is folded at times: not kept")
    return _base_game(table, {(row.category, row.play): (row.won, row.deals - row.won) for row in kept_optimal()})


def _base_game(table: PayTable, played: _Played) -> BaseGame:
    bonuses = _bonuses(table)
    gain = sum((bonuses.gain(*cell, *counts) for cell, counts in played.items()), Fraction(0))
    deals = sum(won + lost for won, lost in played.values())
    action = sum((1 + play) * (won + lost) for (_, play), (won, lost) in played.items())
    return BaseGame(table.name, -gain / deals, -gain / action, Fraction(action, deals))


@dataclass(frozen=True, slots=True)
class ProgressiveOdds:
    """A progressive wager of its base amount; what its meter pays depends on the meter."""

    table: str
    rows: tuple[RowOdds, ...]  # `gives` of a percentage row is 0: it is in `meter_share`
    hits: Fraction
    fixed_return: Fraction
    meter_share: Fraction  # expected part of the meter won by a wager
    break_even: Fraction | None  # cents on the meter at which the house has no edge, envy left aside
    envy: Fraction  # of one unit wagered, for each other hand at the table


def progressive_odds(table: PayTable, counts: HandCounts) -> ProgressiveOdds:
    """What the rows of a progressive are worth, given how hands are counted (best four, or all five cards)."""
    terms, schedule = table.progressive, table.schedules["pays"]
    if terms is None:
        raise OddsError(f"{table.name} is no progressive table")
    found = _by_row(schedule, counts)
    chances = {row.hand: Fraction(found[row.hand], PLAYER_HANDS) for row in schedule.rows}
    rows = tuple(
        RowOdds(row.hand, row.odds.text, found[row.hand], chances[row.hand],
                chances[row.hand] * row.odds.ratio if row.odds.kind == "for" else Fraction(0))
        for row in schedule.rows
    )  # fmt: skip
    fixed = sum((row.gives for row in rows), Fraction(0))
    share = sum(
        (chances[row.hand] * row.odds.ratio for row in schedule.rows if row.odds.kind == "percent"), Fraction(0)
    )
    envy = sum((chances[hand] * amount / terms.base_wager for hand, amount in terms.envy.items()), Fraction(0))
    break_even = (1 - fixed) * terms.base_wager / share if share else None
    return ProgressiveOdds(table.name, rows, sum(chances.values(), Fraction(0)), fixed, share, break_even, envy)
