"""Measure whether watching a table for a day needs more and more memory.

In: a recording and a number of frames; 24 hours of a table are some 100,000 frames in which something is read. Out: an
`Endurance`. The recording plays in a loop, with times and numbers that go on, through one `TableWatch`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Final

import numpy as np

from vision.frame import Frame
from vision.reader import CardReader
from vision.recording import open_recording
from vision.sources.recordings import RecordingSource
from vision.watch_table import TableWatch

EVERY: Final = 250  # frames between two looks at the memory
WARM_SHARE: Final = 0.1  # of the frames, after which everything that is kept has been made once


@dataclass(frozen=True, slots=True)
class Endurance:
    """What a long watch took."""

    frames: int
    events: int
    warm_mb: float  # resident memory, the middle of the tenth of the frames after the warm-up
    last_mb: float  # and of the last tenth

    @property
    def growth_mb(self) -> float:
        """From the one to the other."""
        return self.last_mb - self.warm_mb


def run_endurance(folder: Path, frames: int, progress: Callable[[int, int], None] | None = None) -> Endurance:
    """So many frames of the recording over and over."""
    recording = open_recording(folder)
    reference = next(iter(recording.frames())).image_bgr
    watch = TableWatch(recording.table, CardReader.load(), reference_bgr=reference)
    sizes, events = [], 0
    for number, frame in zip(range(frames), looped(folder), strict=False):
        events += len(watch.step(frame).events)
        if number % EVERY == 0:
            sizes.append(resident_mb())
            if progress is not None:
                progress(number, frames)
    tenth = max(1, round(WARM_SHARE * len(sizes)))
    return Endurance(
        frames, events, float(np.median(sizes[tenth : 2 * tenth] or sizes)), float(np.median(sizes[-tenth:]))
    )


def looped(folder: Path) -> Iterator[Frame]:
    """A recording's frames without an end: numbers and times go on where the last showing ended."""
    number, shift_s, last_s = 0, 0.0, 0.0
    for _ in count():
        for item in RecordingSource(folder):
            if isinstance(item, Frame):
                yield replace(item, number=number, time_s=item.time_s + shift_s)
                number, last_s = number + 1, item.time_s
        shift_s += last_s + 0.04


def resident_mb() -> float:
    """Of this process, now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6
