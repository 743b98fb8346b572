"""Figures of the observer, as `foursight bench observer|live --keep` left them in models/metrics.json."""

from collections.abc import Iterator

from models.bench import load_metrics
from models.observer_figures import live_lines, observer_lines
from tests.figures.figure import Figure


def measure() -> Iterator[Figure]:
    """Every kept figure; measuring them takes an hour and is a command of its own."""
    kept = load_metrics()
    for line in (*observer_lines(kept.get("observer", {})), *live_lines(kept.get("live", {}))):
        yield Figure(line.name, line.value, line.command, line.bar, line.holds)
