"""`foursight bench endurance`: a recording in a loop, as many frames as a table has in a day; memory may not grow."""

import argparse
from dataclasses import asdict

from datasets.footage.demo import DEMO
from models.bench import keep_metrics
from models.endurance_bench import run_endurance
from models.observer_figures import endurance_lines
from service.commands.progress import Progress

FRAMES = 100_000


def run(options: argparse.Namespace) -> int:
    """Measure; 1 if memory grows."""
    with Progress("frames") as progress:
        measured = asdict(run_endurance(options.recording or DEMO, options.frames or FRAMES, progress))
    lines = list(endurance_lines(measured))
    for line in lines:
        print(f"{line.name:<58} {line.value}{'' if line.holds else '  NOT REACHED: ' + line.bar}")
    if options.keep:
        keep_metrics("endurance", measured)
    return 0 if all(line.holds for line in lines) else 1
