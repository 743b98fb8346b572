"""State a card only when it is certain; otherwise say why not.

In: what the patches of one physical card say, in one frame or in several. Out: a `Verdict`: the card and a confidence
that means what it says, or the reason why none is stated.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from game.cards import Card
from vision.identify import Readings

TOO_SMALL_PX: Final = 42.0  # height of a card
JUDGED_PX_WH: Final = (48, 80)  # the size at which light and sharpness of a patch are judged
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


@dataclass(frozen=True, slots=True)
class Evidence:
    """What all patches of one physical card say together."""

    card: int  # number of the likeliest
    log_odds: float  # of that card against all others
    clear: float  # how legible the patches are that it rests on, 0 to 1

    def confidence(self, calibration: Mapping[str, float]) -> float:
        """The probability that the card is right: that it was not misread, and that it was an index at all.

        Both were fitted apart. How legible an index looks is said shyly (nobody can draw that line), and would refuse
        many cards whose rank and suit are beyond doubt if it were taken by its word.
        """
        is_named = _logistic(calibration.get("odds_slope", 1.0) * self.log_odds)
        clear = min(max(self.clear, 1e-6), 1 - 1e-6)
        shyness, slope = calibration.get("legible_bias", 0.0), calibration.get("legible_slope", 1.0)
        return is_named * _logistic(shyness + slope * float(np.log(clear / (1 - clear))))


def _logistic(score: float) -> float:
    return float(1 / (1 + np.exp(-score)))


def weigh(readings: Readings, calibration: Mapping[str, float], frames: int = 1) -> Evidence:
    """What N patches of one physical card, seen in so many frames, say together.

    Each patch counts as far as it is legible. Patches of one card share its light and its print, and frames share the
    patch as well, so C corners count as C to the power `corner_witnesses`, and F frames as F to the power
    `frame_witnesses`: two corners are nearly two witnesses, ten frames of one patch are not ten.
    """
    weights, logs = readings.legible.astype(np.float64), readings.log_probabilities.astype(np.float64)
    total = float(weights.sum())
    if total <= 1e-9:
        return Evidence(int(logs.mean(axis=0).argmax()), 0.0, 0.0)
    corners = max(1.0, total / frames) ** calibration.get("corner_witnesses", 0.5)
    evidence = (weights[:, None] * logs).sum(axis=0) / total * corners
    evidence *= frames ** calibration.get("frame_witnesses", 0.2)
    best = int(evidence.argmax())
    others = np.delete(evidence, best)
    against = float(others.max() + np.log(np.exp(others - others.max()).sum()))
    return Evidence(best, float(evidence[best]) - against, float((weights**2).sum()) / total)


def decide(
    readings: Readings,
    members: NDArray[np.intp],
    height_px: float,
    patches_bgr: NDArray[np.uint8],
    calibration: Mapping[str, float],
) -> Verdict:
    """The verdict on one physical card from its patches in one frame."""
    evidence = weigh(readings.chosen(members), calibration)
    card, confidence = Card.from_index(evidence.card), evidence.confidence(calibration)
    if confidence >= calibration.get("threshold", 0.9):
        return Verdict(card, confidence)
    return Verdict(card, confidence, reason_for(readings, members, height_px, patches_bgr))


def reason_for(readings: Readings, members: NDArray[np.intp], height_px: float, patches_bgr: NDArray[np.uint8]) -> str:
    """Why a card is not stated: the first of these that holds for its most legible patch."""
    if height_px < TOO_SMALL_PX:
        return "small"
    clearest = int(members[readings.legible[members].argmax()])
    small = cv2.resize(patches_bgr[clearest], JUDGED_PX_WH, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
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
