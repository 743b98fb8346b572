"""Figures of the observer, as `foursight bench observer|live|endurance --keep` left them in models/metrics.json."""

from collections.abc import Iterator

from models.bench import load_metrics
from models.observer_figures import endurance_lines, live_lines, observer_lines
from tests.figures.figure import Figure


def measure() -> Iterator[Figure]:
    """Every kept figure; measuring them takes an hour and is a command of its own."""
    kept = load_metrics()
    lines = (
        *observer_lines(kept.get("observer", {})),
        *live_lines(kept.get("live", {})),
        *endurance_lines(kept.get("endurance", {})),
    )
    for line in lines:
        yield Figure(line.name, line.value, line.command, line.bar, line.holds)
