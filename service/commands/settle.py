"""`foursight settle`: one result line a case, compared with what was expected where the case says so."""

import argparse
import json
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from game.cases import CaseResult, run_case
from game.paytables import DATA, load_paytables

_SHOWN = 5  # differences printed for one case


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("cases", metavar="CASES.jsonl", help="cases, one JSON object a line; - reads standard input")
    add("--out", metavar="FILE", type=Path, help="write the results there instead of standard output")
    add("--tables", metavar="DIR", type=Path, action="append", default=[], help="a folder with pay tables of your own")
    add("--actions", action="store_true", help="add the dealer's actions in order, each with its rule")
    add("--words", action="store_true", help="print for people: hands, and what the dealer takes and pays, in order")


def run(options: argparse.Namespace) -> int:
    """Settle every line; 1 if any differs from what was expected, 2 if any was no case."""
    paytables = load_paytables([DATA, *options.tables])
    errors = compared = differing = 0
    with ExitStack() as stack:
        source = _lines(options.cases, stack)
        out = stack.enter_context(options.out.open("w", encoding="utf-8")) if options.out else sys.stdout
        for number, line in enumerate(source, start=1):
            if not line.strip():
                continue
            result = run_case(line, number, paytables, with_actions=options.actions)
            print(_words(result) if options.words else json.dumps(result.output), file=out)
            errors += result.has_error
            compared += result.differences is not None
            differing += bool(result.differences)
            _report(result)
    if compared:
        print(f"{compared - differing} of {compared} cases as expected, {differing} differ", file=sys.stderr)
    if errors:
        print(f"{errors} line{'' if errors == 1 else 's'} could not be settled", file=sys.stderr)
        return 2
    return 1 if differing else 0


def _words(result: CaseResult) -> str:
    """A round as people read it."""
    settlement = result.settlement
    if settlement is None:
        return f"{result.output['id']}: {result.output['error']}"
    head = f"{result.output['id']}: {settlement.status}" + (f", {settlement.sentence}" if settlement.sentence else "")
    hands = [f"dealer: {settlement.dealer[-1].spoken}"] if settlement.dealer else []
    hands += [
        f"seat {seat.seat}: {seat.fours[-1].spoken}, {(seat.comparison or '').replace('_', ' ')}"
        for seat in settlement.seats
        if seat.fours
    ]
    return "\n  ".join([head, *hands, *map(str, result.actions)])


def _lines(name: str, stack: ExitStack) -> Iterable[str]:
    """Lines of a file, with bytes that are no text replaced: such a line is reported, and the rest goes on."""
    if name == "-":
        return (line.decode("utf-8", "replace") for line in sys.stdin.buffer)
    return stack.enter_context(Path(name).open(encoding="utf-8", errors="replace"))


def _report(result: CaseResult) -> None:
    for difference in (result.differences or ())[:_SHOWN]:
        print(f"{result.output['id']}: {difference}", file=sys.stderr)
