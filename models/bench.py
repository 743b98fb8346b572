"""Measure the reader on decks it never trained on, and keep the figures in `metrics.json`.

In: the committed networks and the simulator's presets. Out: a figure a line, and the whole as JSON. `foursight bench
vision` measures at full size; a small sample of the same sets is measured by the tests and may not get worse.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from datasets.decks.deck import deck_names
from datasets.errors import DatasetError
from datasets.scoring import Score, score_picture
from datasets.stills.presets import PICTURES_PER_DECK
from models.measure import Read, read_simulated
from vision.fuse import fuse_sightings
from vision.weights import load_weights

METRICS: Final = Path(__file__).with_name("metrics.json")
SEED: Final = 606
CARDS: Final = 15_000
FRAMES: Final = 10
ALL_HEIGHTS: Final = (0.0, np.inf)
SAMPLE_DECK: Final = "npm-cardsjs"


@dataclass(frozen=True, slots=True)
class Bench:
    """One set: what it is made of and what of it is counted."""

    name: str
    preset: str
    heights_px: tuple[float, float] = ALL_HEIGHTS
    frames: int = 0
    counts: str = "cards"  # what 15,000 of are wanted: "cards" or "backs"
    sample: int = 24  # pictures that the tests read


BENCHES: Final = (
    Bench("stills, 80 px and more", "bench-80", (80.0, np.inf)),
    Bench("stills, 50 to 80 px", "bench-50-80", (50.0, 80.0)),
    Bench("whole table, 1080p", "table-1080p", frames=FRAMES, sample=3),
    Bench("tight fans", "fans"),
    Bench("count", "count"),
    Bench("backs", "backs", counts="backs"),
    Bench("harsh", "harsh"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """What one set gave; `fused` only for bursts."""

    bench: Bench
    score: Score
    fused: Score | None = None

    def record(self) -> dict[str, Any]:
        """For metrics.json."""
        return _record(self.score) | ({"fused": _record(self.fused)} if self.fused is not None else {})


def _record(score: Score) -> dict[str, Any]:
    names = ("pictures", "cards", "right", "wrong", "refused", "backs", "backs_found", "backs_wrong", "exact_count")
    return {name: getattr(score, name) for name in names}


def run_bench(bench: Bench, cards: int = CARDS, progress: Callable[[int, int], None] | None = None) -> Result:
    """Read pictures of a set, every test deck in turn, until so many cards were demanded."""
    if not deck_names("test"):
        raise DatasetError("no test deck has been fetched; run `make decks`")
    score, fused = Score(), Score()
    least = PICTURES_PER_DECK * len(deck_names("test"))  # every test deck once
    for number, read in enumerate(_reads(bench), 1):
        one, together = score_read(bench, read)
        score, fused = score + one, fused + together
        done = score.backs if bench.counts == "backs" else score.cards // max(1, bench.frames)
        if progress is not None:
            progress(min(done, cards), cards)
        if done >= cards and (number >= least or bench.frames):
            break
    return Result(bench, score, fused if bench.frames else None)


def _reads(bench: Bench) -> Iterator[Read]:
    start = 0
    while True:
        yield from read_simulated(bench.preset, "test", SEED + start, 2000, frames=bench.frames)
        start += 1


def run_sample(bench: Bench) -> Result:
    """The few pictures of a set, of one test deck, that the tests read."""
    reads = read_simulated(bench.preset, SAMPLE_DECK, SEED, bench.sample, frames=bench.frames, workers=1)
    pairs = [score_read(bench, read) for read in islice(reads, bench.sample)]
    score, fused = Score(), Score()
    for one, together in pairs:
        score, fused = score + one, fused + together
    return Result(bench, score, fused if bench.frames else None)


def score_read(bench: Bench, read: Read) -> tuple[Score, Score]:
    """The frames one by one, and all of them together."""
    score = Score()
    for sighting in read.sightings:
        score = score + score_picture(read.label, sighting, bench.heights_px)
    if not bench.frames:
        return score, Score()
    return score, score_picture(read.label, fuse_sightings(read.sightings, _calibration()), bench.heights_px)


@cache
def _calibration() -> dict[str, float]:
    return load_weights("identify").calibration


def load_metrics() -> dict[str, Any]:
    """The kept figures."""
    kept: dict[str, Any] = json.loads(METRICS.read_text(encoding="utf-8")) if METRICS.is_file() else {}
    return kept


def keep_metrics(part: str, figures: dict[str, Any]) -> None:
    """Replace one part of the kept figures, and say which weights they are of."""
    kept = load_metrics()
    kept[part] = figures
    kept["weights"] = {name: load_weights(name).sha256 for name in ("locate", "identify")}
    METRICS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
