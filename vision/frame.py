"""One picture of a table and when it was taken: what every source gives and every later stage begins with.

In: a picture from a source. Out: `Frame`, which nobody can change any more. Its time is that of the footage, from the
stream's own stamps, so that a recording gives the same events as the live table.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture with its place in the footage."""

    picture_bgr: NDArray[np.uint8]  # (H, W, 3), read-only
    number: int  # counts what the source gave, from 0
    time_s: float  # of the footage, later than the frame before
    faults: tuple[str, ...] = ()  # what is wrong with the picture, words of `vision.sources.health`

    def __post_init__(self) -> None:
        shape, kind = self.picture_bgr.shape, self.picture_bgr.dtype
        if len(shape) != 3 or shape[2] != 3 or kind != np.uint8:
            raise VisionError(f"a frame's picture is {shape} {kind}; give BGR (H, W, 3) of uint8")
        if self.number < 0 or not 0 <= self.time_s < math.inf:
            raise VisionError(f"frame {self.number} at {self.time_s} s is wrong; both count from 0")
        self.picture_bgr.setflags(write=False)

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.picture_bgr.shape[1], self.picture_bgr.shape[0]
