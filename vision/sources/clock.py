"""The time of the footage, from the stamps of a stream.

In: each frame's own stamp, and about how long after the frame before it came. Out: seconds since the first frame,
which always rise, and go on where the stamps break off: after a reconnect, a camera's restart, a wrap of its counter.

>>> clock = FootageClock()
>>> [clock.time_of(Fraction(stamp), 0.04).time_s for stamp in ("3.5", "3.54", "3.6")]
[0.0, 0.04, 0.1]
>>> clock.time_of(Fraction("3.6"), 0.04)
FrameTime(time_s=0.101, is_repeated=True)
>>> clock.new_session()
>>> clock.time_of(Fraction("80000"), 2.5).time_s
2.601
"""

import math
from dataclasses import dataclass
from fractions import Fraction

_TICK = Fraction(1, 1000)  # what two frames of the same stamp are apart


@dataclass(frozen=True, slots=True)
class FrameTime:
    """When a frame was taken. `is_repeated`: the stream had the same stamp on the one before."""

    time_s: float
    is_repeated: bool


class FootageClock:
    """Turns stamps into times. Exact: fractions until the last step, so that the same stamps give the same floats."""

    def __init__(self, last_time_s: float | None = None, most_ahead_s: float = math.inf) -> None:
        """`last_time_s`: of an earlier frame to go on after. `most_ahead_s`: a stamp further on is a break."""
        self._last_time = None if last_time_s is None else Fraction(last_time_s)
        self._last_stamp: Fraction | None = None
        self._offset = Fraction(0)
        self._most_ahead_s = most_ahead_s

    def new_session(self) -> None:
        """What follows has stamps of its own: the stream was opened again."""
        self._last_stamp = None

    def time_of(self, stamp: Fraction | None, elapsed_s: float) -> FrameTime:
        """The time of the next frame; `elapsed_s` since the one before is used where stamps do not tell."""
        elapsed = Fraction(round(elapsed_s * 1_000_000), 1_000_000)
        is_repeated = stamp is not None and stamp == self._last_stamp
        if self._last_time is None:
            time = Fraction(0)
        elif stamp is None or self._is_break(stamp, elapsed):
            time = self._last_time + max(elapsed, _TICK)
        else:
            time = max(stamp + self._offset, self._last_time + _TICK)
        if stamp is not None:
            if self._last_time is None or self._is_break(stamp, elapsed):
                self._offset = time - stamp
            self._last_stamp = stamp
        self._last_time = time
        return FrameTime(float(time), is_repeated)

    def _is_break(self, stamp: Fraction, elapsed: Fraction) -> bool:
        if self._last_stamp is None:
            return True
        ahead = stamp - self._last_stamp
        return ahead < 0 or ahead - elapsed > self._most_ahead_s
