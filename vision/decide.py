"""State a card only when it is certain; otherwise say why not.

In: what the patches of one physical card say, in one frame or in several. Out: a `Verdict`: the card and a confidence
that means what it says, or the reason why none is stated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from game.cards import Card
from vision.identify import Readings

Floats = NDArray[np.float32]

PRIOR: Final = -np.log(52.0)
TOO_SMALL_PX: Final = 42.0  # height of a card
SOFT: Final = 0.010  # below this sharpness, a patch is blurred
WHITE, WHITE_SHARE = 250, 0.35
DARK: Final = 60.0
REASONS: Final = {
    "small": "too small to read: move the camera closer",
    "covered": "the index is covered: spread the cards",
    "blurred": "blurred: hold the cards still, or focus the camera",
    "glare": "glare on the index: turn the card or the light",
    "dark": "too dark to read: more light",
    "unclear": "rank or suit is not certain: spread the cards",
    "twice": "this may be one card seen twice: spread the cards",
    "contradiction": "its corners say different things: spread the cards",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The likeliest card, how sure that is, and whether it is stated: `reason` is a key of REASONS if not."""

    card: Card
    confidence: float
    reason: str | None = None

    @property
    def is_stated(self) -> bool:
        """Whether it is certain enough to be said."""
        return self.reason is None


def fuse(log_probabilities: Floats, legible: Floats, calibration: Mapping[str, float]) -> tuple[int, float]:
    """The likeliest card of N patches of one physical card, and the probability that it is right.

    Evidence adds up in proportion to how legible each patch is. Patches of one card share its light and its print, and
    frames share the patch: they are not N independent witnesses, so N count as N to the power `witnesses` (below 1).
    """
    weights = legible.astype(np.float64)
    total = float(weights.sum())
    if total <= 1e-9:
        return int(log_probabilities.mean(axis=0).argmax()), 0.0
    mean = (weights[:, None] * log_probabilities.astype(np.float64)).sum(axis=0) / total
    count = max(1.0, total) ** calibration.get("witnesses", 0.5)
    evidence = mean * count
    evidence -= evidence.max()
    chances = np.exp(evidence)
    best = int(chances.argmax())
    certain = float(chances[best] / chances.sum())
    readable = 1.0 - float(np.prod(1.0 - np.minimum(weights, 1.0)) ** (1.0 / max(1.0, len(weights) ** 0.5)))
    return best, certain * readable


def decide(
    readings: Readings,
    members: NDArray[np.intp],
    height_px: float,
    patches_bgr: NDArray[np.uint8],
    calibration: Mapping[str, float],
) -> Verdict:
    """The verdict on one physical card from its patches in one frame."""
    legible = readings.legible[members]
    best, confidence = fuse(readings.log_probabilities[members], legible, calibration)
    card = Card.from_index(best)
    if confidence >= calibration.get("threshold", 0.9):
        return Verdict(card, confidence)
    return Verdict(card, confidence, reason_for(readings, members, height_px, patches_bgr))


def reason_for(readings: Readings, members: NDArray[np.intp], height_px: float, patches_bgr: NDArray[np.uint8]) -> str:
    """Why a card is not stated: the first of these that holds for its most legible patch."""
    if height_px < TOO_SMALL_PX:
        return "small"
    clearest = int(members[readings.legible[members].argmax()])
    grey = cv2.cvtColor(patches_bgr[clearest], cv2.COLOR_BGR2GRAY)
    if float(np.percentile(grey, 90)) < DARK:
        return "dark"
    if float((grey >= WHITE).mean()) > WHITE_SHARE and float(np.ptp(np.percentile(grey, (5, 95)))) < 60:
        return "glare"
    if sharpness(grey) < SOFT:
        return "blurred"
    if _contradict(readings, members):
        return "contradiction"
    return "covered" if float(readings.legible[clearest]) < 0.5 else "unclear"


def _contradict(readings: Readings, members: NDArray[np.intp]) -> bool:
    sure = members[(readings.legible[members] > 0.5) & (readings.log_probabilities[members].max(axis=1) > np.log(0.9))]
    return len(set(readings.log_probabilities[sure].argmax(axis=1).tolist())) > 1


def sharpness(grey: NDArray[np.uint8]) -> float:
    """How steep the edges are for the contrast there is; does not depend on light or print."""
    contrast = float(np.ptp(np.percentile(grey, (2, 98)))) + 1.0
    slope = np.abs(cv2.Laplacian(grey, cv2.CV_32F))
    return float(np.percentile(slope, 95)) / contrast / 10


def fuse_frames(frames: Sequence[Readings], calibration: Mapping[str, float]) -> tuple[Card, float]:
    """The likeliest card of all the patches that show one physical card in several frames."""
    readings = Readings.joined(frames)
    best, confidence = fuse(readings.log_probabilities, readings.legible, calibration)
    return Card.from_index(best), confidence
