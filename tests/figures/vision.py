"""Figures of the reader, as `make bench-vision` kept them in models/metrics.json."""

from collections.abc import Iterator

from models.bench import load_metrics
from models.figures import lines
from tests.figures.figure import Figure


def measure() -> Iterator[Figure]:
    """Every kept figure; measuring them takes an hour and is a command of its own."""
    for line in lines(load_metrics()):
        yield Figure(line.name, line.value, line.command, line.bar, line.holds)
