"""`foursight bench observer`: film rounds with random faults, watch them, and count what was right."""

import argparse
import os

from models.bench import keep_metrics
from models.observer_bench import CAMERAS, ROUNDS, SEED, BenchRound, Tally, as_json, fault_words, run_bench, tallies
from models.observer_figures import observer_lines
from service.commands.progress import Progress

_COLUMNS = (
    ("rounds", "{0.rounds}"),
    ("exact", "{0.exact}"),
    ("hands", "{0.hands}"),
    ("right", "{0.right}"),
    ("wrong", "{0.wrong}"),
    ("refused", "{0.refused}"),
    ("for a true reason", "{0.confirmed}"),
    ("voids", "{0.voids_found}/{0.voids}"),
    ("false voids", "{0.false_voids}"),
    ("duplicates", "{0.duplicates_found}/{0.duplicates}"),
    ("other flags missed", "{0.missed_flags}"),
    ("false", "{0.false_flags}"),
)


def run(options: argparse.Namespace) -> int:
    """Measure; 1 if a figure misses its bar."""
    count, cameras = options.rounds or ROUNDS, tuple(options.camera or CAMERAS)
    if options.scratch is not None:
        options.scratch.mkdir(parents=True, exist_ok=True)
    seed = SEED if options.seed is None else options.seed
    workers = options.workers or len(os.sched_getaffinity(0))
    done: list[BenchRound] = []
    with Progress("rounds") as progress:
        for one in run_bench(seed, count, cameras, workers, options.scratch):
            done.append(one)
            progress(len(done), count)
    groups = tallies(done)
    for group, named in groups.items():
        _print_table(group, {fault_words(name) if group == "fault" else name: row for name, row in named.items()})
    for note in groups["all"]["all rounds"].notes:
        print(note)
    measured = as_json(done) | {"seed": seed}
    if options.keep:
        keep_metrics("observer", measured)
    return 0 if all(line.holds for line in observer_lines(measured)) else 1


def _print_table(group: str, named: dict[str, Tally]) -> None:
    rows = [[group, *(name for name, _ in _COLUMNS)]]
    rows += [[name, *(form.format(tally) for _, form in _COLUMNS)] for name, tally in sorted(named.items())]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    print()
