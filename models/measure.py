"""Make simulated pictures and read them in the same process, many processes at once; nothing is stored.

In: a preset, which decks, a seed, how many pictures. Out: for each its label and what was read of it. Pictures go
through the JPEG file that `foursight simulate` would have written.
"""

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing import get_context
from typing import Any

import cv2
import numpy as np

from datasets.picture.sensor import encode_jpeg
from datasets.stills.bursts import Burst, make_burst
from datasets.stills.labels import StillLabel
from datasets.stills.presets import PICTURES_PER_DECK, still_preset
from datasets.stills.simulate import make_still
from vision.reader import CardReader, Sighting

UNCALIBRATED: Mapping[str, float] = {"threshold": 0.0}


@dataclass(frozen=True, slots=True)
class Job:
    """Some pictures of one set; `frames` above 0 makes bursts of so many frames instead of stills."""

    preset: str
    decks: str
    seed: int
    numbers: range
    frames: int = 0
    is_raw: bool = False  # nothing calibrated, whatever is seen is stated: what calibration needs


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """One picture's label and what was read of it (of each frame of it)."""

    label: StillLabel
    sightings: tuple[Sighting, ...]


def read_simulated(
    preset: str, decks: str, seed: int, count: int, *, frames: int = 0, is_raw: bool = False, workers: int | None = None
) -> Iterator[Read]:
    """Each picture of a set in its order."""
    step = 4 if frames else PICTURES_PER_DECK
    jobs = [
        Job(preset, decks, seed, range(start, min(start + step, count)), frames, is_raw)
        for start in range(0, count, step)
    ]
    workers = workers or os.cpu_count() or 1
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_start, initargs=(workers,))
    try:
        for reads in pool.map(_read_job, jobs):
            yield from reads
    finally:  # whoever has seen enough does not wait for the rest
        pool.shutdown(cancel_futures=True)


def _start(workers: int) -> None:
    if workers > 1:
        cv2.setNumThreads(1)


@lru_cache(maxsize=2)
def _reader(is_raw: bool) -> CardReader:
    reader = CardReader.load(threads=1)
    return reader.with_calibration(UNCALIBRATED) if is_raw else reader


def _read_job(job: Job) -> list[Read]:
    reader, preset = _reader(job.is_raw), still_preset(job.preset)
    reads = []
    for number in job.numbers:
        if job.frames:
            burst: Burst = make_burst(job.seed, number, preset, job.decks, job.frames)
            reads.append(Read(burst.label, tuple(reader.read(frame) for frame in burst.frames)))
            continue
        still = make_still(job.seed, number, preset, job.decks)
        stored: Any = cv2.imdecode(
            np.frombuffer(encode_jpeg(still.picture, still.jpeg_quality), np.uint8), cv2.IMREAD_COLOR
        )
        name = f"{job.preset}/{job.seed}/{number}"
        reads.append(Read(replace(still.label, image=name), (reader.read(np.asarray(stored, np.uint8)),)))
    return reads
