"""What goes wrong between the table and the recording: a camera that moves, light that jumps, frames that are lost.

In come a round's faults and the spans in which hands have to be read; out go `Outage`s placed between those spans,
what each does to a frame, and the happenings that tell of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.footage.faults import FAULT_KINDS, Fault
from datasets.footage.play import Happening
from datasets.picture.compose import Picture

Floats = NDArray[np.float64]

READ_S = 1.0  # a hand that was revealed is left readable at least this long
_READ_KINDS = ("dealer_hand", "player_hand", "miscount", "up_card", "exposed_card", "cards_dealt", "unreadable")
_LASTS = {Fault.CAMERA_SHIFT, Fault.EXPOSURE_JUMP}
_REASONS = {
    Fault.FROZEN_FRAMES: "frozen",
    Fault.DROPPED_FRAMES: "dropped",
    Fault.CORRUPTED_FRAMES: "corrupted",
}


@dataclass(frozen=True, slots=True)
class Outage:
    """One fault of the camera, in seconds of the round."""

    kind: Fault
    start_s: float
    end_s: float
    amount: tuple[float, float, float] = (0.0, 0.0, 0.0)  # shift x, y in px of 1080p and turn; or a gain
    seed: int = 0

    def is_on(self, time_s: float) -> bool:
        """Whether it is going on."""
        return self.start_s <= time_s < self.end_s

    def happenings(self) -> tuple[Happening, ...]:
        """What the truth says of it."""
        event = FAULT_KINDS[self.kind].event or ""
        if self.kind in _REASONS:
            reason = {"reason": _REASONS[self.kind]}
            return Happening(event, self.start_s, fields=reason), Happening("source_back", self.end_s, fields=reason)
        if self.kind is Fault.EXPOSURE_JUMP:
            return (Happening(event, self.start_s, fields={"gain": self.amount[0]}),)
        lasting = self.kind is Fault.CAMERA_SHIFT
        return (Happening(event, self.start_s, fields={"shift_px": list(self.amount[:2]), "lasting": lasting}),)


def plan_outages(
    faults: Iterable[Fault], happenings: Sequence[Happening], end_s: float, rng: np.random.Generator
) -> tuple[Outage, ...]:
    """Outages of a round, each where no hand has to be read."""
    outages = []
    for kind in faults:
        if FAULT_KINDS[kind].of == "camera":
            start_s, stop_s = _gap(happenings, end_s, rng)
            amount = _amount(kind, rng)
            last_s = inf if kind in _LASTS else stop_s
            outages.append(Outage(kind, round(start_s, 2), round(last_s, 2), amount, int(rng.integers(2**31))))
    return tuple(outages)


def _gap(happenings: Sequence[Happening], end_s: float, rng: np.random.Generator) -> tuple[float, float]:
    """A span without anything to read."""
    reads = sorted((one.time_s - 0.15, one.time_s + READ_S) for one in happenings if one.kind in _READ_KINDS)
    gaps, free_s = [], 0.6
    for start_s, stop_s in [*reads, (end_s - 0.4, end_s)]:
        if start_s - free_s > 0.5:
            gaps.append((free_s, start_s))
        free_s = max(free_s, stop_s)
    start_s, stop_s = gaps[int(rng.integers(len(gaps)))] if gaps else (0.1, 0.6)
    length = min(stop_s - start_s, float(rng.uniform(0.5, 2.4)))
    begin = start_s + float(rng.random()) * (stop_s - start_s - length)
    return begin, begin + length


def _amount(kind: Fault, rng: np.random.Generator) -> tuple[float, float, float]:
    if kind is Fault.EXPOSURE_JUMP:
        gain = float(rng.uniform(0.5, 0.7)) if rng.random() < 0.6 else float(rng.uniform(1.3, 1.55))
        return round(gain, 3), 0.0, 0.0
    far = rng.uniform(6, 26) if kind is Fault.CAMERA_SHIFT else rng.uniform(4, 11)
    way = rng.uniform(0, 2 * np.pi)
    turn = float(rng.normal(0, 0.35)) if kind is Fault.CAMERA_SHIFT else 0.0
    return round(float(far * np.cos(way)), 2), round(float(far * np.sin(way)), 2), round(turn, 3)


def shift_matrix(outages: Sequence[Outage], time_s: float, size_wh: tuple[int, int]) -> Floats | None:
    """How the picture is moved at this time (2, 3), None when it is where it should be."""
    x = y = turn = 0.0
    for outage in outages:
        if outage.kind is Fault.CAMERA_SHIFT and outage.is_on(time_s):
            x, y, turn = x + outage.amount[0], y + outage.amount[1], turn + outage.amount[2]
        elif outage.kind is Fault.CAMERA_SHAKE and outage.is_on(time_s):
            past = time_s - outage.start_s
            swing = np.exp(-past * 2.2) * np.cos(past * 2 * np.pi * 6.5)
            x, y = x + outage.amount[0] * swing, y + outage.amount[1] * swing
    if x == y == turn == 0:
        return None
    scale = size_wh[1] / 1080
    matrix = cv2.getRotationMatrix2D((size_wh[0] / 2, size_wh[1] / 2), turn, 1.0)
    moved = np.asarray(matrix, np.float64)
    moved[:, 2] += np.array([x, y]) * scale
    return moved


def gain_of(outages: Sequence[Outage], time_s: float) -> float:
    """How much lighter or darker the picture is at this time."""
    gain = 1.0
    for outage in outages:
        if outage.kind is Fault.EXPOSURE_JUMP and outage.is_on(time_s):
            gain *= outage.amount[0]
    return gain


def outage_on(outages: Sequence[Outage], kind: Fault, time_s: float) -> Outage | None:
    """The outage of a kind that is going on."""
    return next((outage for outage in outages if outage.kind is kind and outage.is_on(time_s)), None)


def corrupt(frame: Picture, seed: int, number: int) -> Picture:
    """A frame whose data was damaged on the way: rows of blocks displaced, repeated, or grey and green."""
    rng = np.random.default_rng([seed, number])
    out = frame.copy()
    height, width = out.shape[:2]
    for _ in range(int(rng.integers(6, 16))):
        top = int(rng.integers(height // 16)) * 16
        left = int(rng.integers(width // 16)) * 16
        rows, columns = 16 * int(rng.integers(1, 5)), 16 * int(rng.integers(8, 60))
        window = out[top : top + rows, left : left + columns]
        if rng.random() < 0.4:
            window[...] = ((128, 128, 128), (60, 135, 0), (150, 90, 160))[int(rng.integers(3))]
        else:
            window[...] = np.roll(window, int(rng.integers(16, 200)), axis=1)
            window[..., int(rng.integers(3))] //= 2
    band = int(rng.integers(height // 2, height - 32)) // 16 * 16
    out[band:] = cv2.resize(out[band : band + 2], (width, height - band)) if rng.random() < 0.5 else out[band:]
    return out
