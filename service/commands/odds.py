"""`foursight odds`: exact frequencies and house edges, as text, JSON or CSV."""

import argparse
import csv
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from game import edges
from game.edges import HandCounts, percent
from game.errors import GameError
from game.five_card import FiveCardCategory
from game.hands import Category
from game.money import spoken_money
from game.payable_hands import colour_names
from game.paytables import DATA, PayTable, load_paytables

Cell = str | int


@dataclass(frozen=True, slots=True)
class Section:
    """One table of the answer."""

    title: str
    header: tuple[str, ...]
    rows: list[tuple[Cell, ...]]


@dataclass(frozen=True, slots=True)
class Counts:
    """Every five-card hand, counted three ways."""

    four: HandCounts
    five: HandCounts
    colour: HandCounts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("--table", metavar="NAME", action="extend", default=[], nargs="+", help="the rows of these pay tables alone")
    add("--tables", metavar="DIR", type=Path, action="append", default=[], help="a folder with pay tables of your own")
    add("--recompute", action="store_true", help="count every deal anew (about a minute) and keep the counts")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object")
    form.add_argument("--csv", action="store_true", help="comma-separated values, one block a table")


def run(options: argparse.Namespace) -> int:
    """Print the odds."""
    if options.recompute:
        return _recompute()
    tables = load_paytables([DATA, *options.tables])
    if unknown := [name for name in options.table if name not in tables]:
        raise GameError(f"{unknown[0]!r} is no pay table; use {', '.join(sorted(tables))}")
    if options.table:
        counts = _counts()
        sections = [_table_section(tables[name], counts) for name in options.table]
    else:
        sections = list(_all_sections(tables))
    _print(sections, "json" if options.json else "csv" if options.csv else "text")
    return 0


def _recompute() -> int:
    from game.deals import DATA as KEPT
    from game.deals import write_counts
    from game.odds import recount

    changed = write_counts(*recount())
    print("the counts were written anew" if changed else "the counts are the ones that were kept", "in", KEPT.name)
    return 0


def _counts() -> Counts:
    from game.odds import colour_counts, five_card_counts  # numpy, only when it is needed

    return Counts(
        edges.four_card_hands(),
        five_card_counts(),
        {colour_names(most): count for most, count in colour_counts().items()},
    )


def _all_sections(tables: Mapping[str, PayTable]) -> Iterator[Section]:
    counts = _counts()
    yield _hands_section(counts)
    yield _five_card_section(counts)
    yield _wager_section(tables, counts)
    yield _base_game_section(tables)
    yield _progressive_section(tables, counts)


def _hands_section(counts: Counts) -> Section:
    from game.odds import CATEGORY_STARTS, STRENGTHS, strength_counts

    five, six = strength_counts(5), strength_counts(6)
    ends = [*CATEGORY_STARTS[1:], len(STRENGTHS)]
    rows: list[tuple[Cell, ...]] = []
    for category in reversed(Category):
        part = slice(CATEGORY_STARTS[category], ends[category])
        of_five, of_six = int(five[part].sum()), int(six[part].sum())
        shares = percent(Fraction(of_five, int(five.sum()))), percent(Fraction(of_six, int(six.sum())))
        rows.append((_words(category.key), of_five, shares[0], of_six, shares[1]))
    rows.append(("total", int(five.sum()), "100", int(six.sum()), "100"))
    pair_of_aces = sum(count for names, count in counts.four.items() if "pair_of_aces" in names)
    or_better = pair_of_aces + int(five[CATEGORY_STARTS[Category.TWO_PAIR] :].sum())
    for name, count in (("pair of aces", pair_of_aces), ("aces or better", or_better)):
        rows.append((name, count, percent(Fraction(count, int(five.sum()))), "", ""))
    rows.append(("different strengths", int((five > 0).sum()), "", int((six > 0).sum()), ""))
    title = f"Hands ({len(STRENGTHS):,} strengths over four cards)"
    return Section(title, ("hand", "best 4 of 5", "of 5, %", "best 4 of 6", "of 6, %"), rows)


def _five_card_section(counts: Counts) -> Section:
    total = sum(counts.five.values())
    by_category = {
        category: sum(count for names, count in counts.five.items() if _category_of(names) == category)
        for category in reversed(FiveCardCategory)
    }
    rows: list[tuple[Cell, ...]] = [
        (_words(category.key), count, percent(Fraction(count, total))) for category, count in by_category.items()
    ]
    rows += [
        (_words(next(iter(names))), count, percent(Fraction(count, total)))
        for names, count in counts.colour.items()
        if names
    ]
    return Section("All five cards", ("hand", "count", "%"), rows)


def _category_of(names: frozenset[str]) -> FiveCardCategory:
    return max(category for category in FiveCardCategory if category.key in names)


def _wager_section(tables: Mapping[str, PayTable], counts: Counts) -> Section:
    rows: list[tuple[Cell, ...]] = []
    for table in tables.values():
        for odds in _wagers_of(table, counts):
            key = "" if table.kind == "bad-beat-bonus" else f"{odds.wager}_"
            hits = percent(odds.hits), _printed(odds.hits, table.printed.get(f"{key}hits"))
            edge = percent(odds.edge), _printed(odds.edge, table.printed.get(f"{key}edge"))
            rows.append((table.name, _words(odds.wager), *hits, *(("", "") if odds.stake_free else edge)))
    header = ("table", "wager", "hits %", "document's hits", "edge %", "document's edge")
    return Section("Wagers on a schedule (bad beat bonus: ties lose)", header, rows)


def _wagers_of(table: PayTable, counts: Counts) -> Iterator[edges.WagerOdds]:
    """The wagers of a table that are paid by a schedule whatever the meter shows."""
    match table.kind:
        case "four-card-poker":
            yield edges.ante_bonus_odds(table, "automatic_bonus")
            yield edges.wager_odds(table, "aces_up", counts.four)
        case "bad-beat-bonus":
            yield edges.bad_beat_odds(table)
        case "aces-baby":
            yield edges.wager_odds(table, "aces_baby", counts.four)
        case "prime":
            yield edges.wager_odds(table, "prime", counts.colour)
        case "prime-win-bonus":
            yield edges.ante_bonus_odds(table, "win_bonus")
        case "prime-bad-beat":
            yield edges.ante_bonus_odds(table, "bad_beat")


def _printed(exact: Fraction, printed: str | None) -> str:
    """What a document prints beside an exact figure, marked where its own cells do not produce it."""
    if printed is None:
        return ""
    figure = printed.removesuffix(" %")
    digits = len(figure.partition(".")[2])
    return figure if percent(exact, digits) == figure else f"{figure} (its cells give {percent(exact, digits)})"


def _base_game_section(tables: Mapping[str, PayTable]) -> Section:
    rows: list[tuple[Cell, ...]] = []
    for table in tables.values():
        if table.kind in ("four-card-poker", "prime-bad-beat"):
            stated, best = edges.base_game(table), edges.optimal_base_game(table)
            printed = _printed(stated.of_action, table.printed.get("base_game_edge"))
            others = (percent(figure) for figure in (stated.of_ante, best.of_action, best.of_ante))
            rows.append((table.name, percent(stated.of_action), printed, *others))
    header = ("table", "of action %", "document's", "of ante %", "optimal, of action %", "optimal, of ante %")
    return Section(f"Base game with its bonus ({edges.STRATEGY_WORDS}; optimal sees the up card)", header, rows)


def _progressive_section(tables: Mapping[str, PayTable], counts: Counts) -> Section:
    rows: list[tuple[Cell, ...]] = []
    for table in tables.values():
        if table.progressive is None:
            continue
        bases = {"five cards": counts.five}
        if table.progressive.hand_from == "house_rule":
            bases["best four"] = counts.four
        for basis, hands in bases.items():
            odds = edges.progressive_odds(table, hands)
            even = "" if odds.break_even is None else spoken_money(round(odds.break_even))
            rows.append((table.name, basis, percent(odds.hits), percent(odds.fixed_return), even, percent(odds.envy)))
    header = ("table", "hand from", "hits %", "fixed return %", "fair at a meter of", "envy % a neighbour")
    return Section("Progressive wagers (of the base wager)", header, rows)


def _table_section(table: PayTable, counts: Counts) -> Section:
    rows: list[tuple[Cell, ...]] = []
    for odds in _wagers_of(table, counts):
        rows += [_row(odds.wager, row) for row in odds.rows]
        rows.append((_words(odds.wager), "all", "", sum(row.count for row in odds.rows), percent(odds.hits), ""))
        if not odds.stake_free:
            rows.append((_words(odds.wager), "house edge", "", "", percent(odds.edge), ""))
    if table.progressive is not None:
        hands = counts.five if table.progressive.hand_from == "five_cards" else counts.four
        rows += [_row("progressive", row) for row in edges.progressive_odds(table, hands).rows]
    return Section(f"{table.name} ({table.source})", ("wager", "hand", "pays", "count", "%", "gives back %"), rows)


def _row(wager: str, row: edges.RowOdds) -> tuple[Cell, ...]:
    return (_words(wager), _words(row.hand), row.pays, row.count, percent(row.probability), percent(row.gives))


def _words(key: str) -> str:
    return key.replace("_", " ")


def _print(sections: list[Section], form: str) -> None:
    if form == "json":
        content = {
            section.title: [dict(zip(section.header, row, strict=True)) for row in section.rows] for section in sections
        }
        print(json.dumps(content, indent=1))
        return
    for number, section in enumerate(sections):
        if number:
            print()
        if form == "csv":
            csv.writer(sys.stdout, lineterminator="\n").writerows([(section.title,), section.header, *section.rows])
        else:
            _print_text(section)


def _print_text(section: Section) -> None:
    body = [[f"{cell:,}" if isinstance(cell, int) else cell for cell in row] for row in section.rows]
    widths = [max(len(line[column]) for line in [section.header, *body]) for column in range(len(section.header))]
    print(section.title)
    for first, *rest in [section.header, *body]:
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))]
        print("  " + "  ".join(cells).rstrip())
