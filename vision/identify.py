"""Name the index in each patch: rank, suit, or neither.

In: a picture and where index patches are (`IndexMarks.keypoints`). Out: `Readings`, calibrated log-probabilities of the
52 cards for each patch, whether it can be read at all, which side of the card it stands on, and where its corners
really lie: a locator sees a whole picture coarsely, so a patch that was cut off the mark is cut once more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, Self

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.weights import THREADS, load_weights, open_session

PATCH_PX_WH: Final = (96, 160)
PATCH_MARGIN_WH: Final = (0.10, 0.06)  # on each side, of the patch's own width and height
RANKS: Final = 13
SUITS: Final = 4
HEADS: Final = RANKS + SUITS + 2  # then come the shifts of the corners
RECUT_FROM: Final = 0.05  # a patch cut farther off than that, in parts of it, is cut and read again
RECUT_IF_SURE_FROM: Final = 0.12  # the same of one that was read beyond doubt: only its corners are to gain
SURELY_NAMED: Final = 0.999
LIKE_INDEX: Final = 0.1  # legible: below this, what is said of corners means nothing
KEPT_LEGIBLE: Final = 0.7  # the second reading counts unless it is so much less legible than the first
FARTHEST_SHIFT: Final = 0.45
UNIT: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """What N patches say. Cards are in the order of `game.cards.DECK`."""

    log_probabilities: Floats  # (N, 52), of each card if the patch is an index that can be read
    legible: Floats  # (N,) in [0, 1]: the patch is an index, upright, and enough of it shows
    at_right: Floats  # (N,) in [0, 1]: it stands at the card's right edge as read, as in decks with four indices
    corner_shifts: (
        Floats  # (N, 4, 2): how far its true corners lie from where it was cut, in parts of its width and height
    )

    def __post_init__(self) -> None:
        count = len(self.log_probabilities)
        for name, shape in (
            ("log_probabilities", (count, RANKS * SUITS)),
            ("legible", (count,)),
            ("at_right", (count,)),
            ("corner_shifts", (count, 4, 2)),
        ):
            array = getattr(self, name)
            if array.shape != shape:
                raise VisionError(f"readings of {count} patches have {name} of shape {shape}, got {array.shape}")
            array.setflags(write=False)

    @classmethod
    def empty(cls) -> Self:
        """No patches."""
        none = np.zeros(0, np.float32)
        return cls(np.zeros((0, RANKS * SUITS), np.float32), none, none.copy(), np.zeros((0, 4, 2), np.float32))

    @classmethod
    def joined(cls, parts: Sequence["Readings"]) -> Self:
        """The patches of several pictures as one set."""
        if not parts:
            return cls.empty()
        return cls(
            np.concatenate([part.log_probabilities for part in parts]),
            np.concatenate([part.legible for part in parts]),
            np.concatenate([part.at_right for part in parts]),
            np.concatenate([part.corner_shifts for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.legible)

    def chosen(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> "Readings":
        """Those of some patches."""
        return Readings(
            self.log_probabilities[which], self.legible[which], self.at_right[which], self.corner_shifts[which]
        )


class Identifier(Protocol):
    """Whatever can name patches that have been cut upright."""

    def identify(self, patches_bgr: Picture) -> Readings:
        """Read patches (N, PATCH height, PATCH width, 3)."""
        ...

    def with_calibration(self, calibration: Mapping[str, float]) -> "Identifier":
        """The same under other temperatures."""
        ...


def read_patches(
    picture_bgr: Picture, keypoints_px: Floats, identifier: Identifier
) -> tuple[Floats, Readings, Picture]:
    """Read located patches: where they really lie (N, 4, 2), what they say, and the pictures that say so.

    A patch that turns out to be cut off the mark is cut anew where it lies, and read again.
    """
    patches = cut_patches(picture_bgr, keypoints_px)
    readings = identifier.identify(patches)
    points = shifted(keypoints_px, readings)
    again = np.flatnonzero(_is_off_the_mark(readings))
    if not len(again):
        return points, readings, patches
    recut = cut_patches(picture_bgr, points[again])
    reread = identifier.identify(recut)
    better = reread.legible >= KEPT_LEGIBLE * readings.legible[again]
    chosen = np.arange(len(readings))
    chosen[again[better]] = len(readings) + np.flatnonzero(better)
    points[again[better]] = shifted(points[again], reread)[better]
    everything = Readings.joined([readings, reread])
    return points, everything.chosen(chosen), np.concatenate([patches, recut])[chosen]


def _is_off_the_mark(readings: Readings) -> NDArray[np.bool_]:
    if not len(readings):
        return np.zeros(0, np.bool_)
    far = np.abs(readings.corner_shifts).max(axis=(1, 2))
    is_sure = readings.log_probabilities.max(axis=1) > np.log(SURELY_NAMED)
    least = np.where(is_sure, RECUT_IF_SURE_FROM, RECUT_FROM)
    return np.asarray((readings.legible > LIKE_INDEX) & (far > least), np.bool_)


def shifted(keypoints_px: Floats, readings: Readings) -> Floats:
    """Patches moved (N, 4, 2) to where their readings say that their corners lie; what is no index stays."""
    moved = keypoints_px.astype(np.float32).copy()
    for number in np.flatnonzero(readings.legible > LIKE_INDEX):
        shift = np.clip(readings.corner_shifts[number], -FARTHEST_SHIFT, FARTHEST_SHIFT)
        matrix = cv2.getPerspectiveTransform(UNIT, keypoints_px[number].astype(np.float32))
        corners = cv2.perspectiveTransform((UNIT + shift)[None].astype(np.float32), matrix)[0]
        if np.isfinite(corners).all():
            moved[number] = corners
    return moved


def cut_patches(picture_bgr: Picture, keypoints_px: NDArray[np.floating]) -> Picture:
    """Each patch upright, with a little of what is around it: (N, PATCH height, PATCH width, 3)."""
    width, height = PATCH_PX_WH
    patches = np.empty((len(keypoints_px), height, width, 3), np.uint8)
    for number, quad in enumerate(keypoints_px):
        patches[number] = cut_patch(picture_bgr, quad, PATCH_PX_WH, PATCH_MARGIN_WH)
    return patches


def cut_patch(
    picture_bgr: Picture, quad_px: NDArray[np.floating], size_wh: tuple[int, int], margin_wh: tuple[float, float]
) -> Picture:
    """One quad straightened to a size; `margin_wh` on each side, in parts of it. The picture's edge is repeated."""
    window, source = _window(picture_bgr, np.asarray(quad_px, np.float64), size_wh, margin_wh)
    across, down = size_wh[0] / (1 + 2 * margin_wh[0]), size_wh[1] / (1 + 2 * margin_wh[1])
    left, top = across * margin_wh[0], down * margin_wh[1]
    corners = np.array([[left, top], [left + across, top], [left + across, top + down], [left, top + down]]) - 0.5
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), corners.astype(np.float32))
    if not np.isfinite(matrix).all():
        return np.zeros((size_wh[1], size_wh[0], 3), np.uint8)
    straight = cv2.warpPerspective(window, matrix, size_wh, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(straight, np.uint8)


def _window(
    picture_bgr: Picture, quad_px: NDArray[np.float64], size_wh: tuple[int, int], margin_wh: tuple[float, float]
) -> tuple[Picture, NDArray[np.float64]]:
    """The part of the picture that is needed, shrunk by area when it is much larger, and the quad in it."""
    sides = np.linalg.norm(quad_px - np.roll(quad_px, -1, axis=0), axis=1)
    pad = float(sides.max()) * max(margin_wh) * 1.5 + 2
    height, width = picture_bgr.shape[:2]
    low = np.clip(np.floor(quad_px.min(axis=0) - pad), 0, (width - 1, height - 1)).astype(int)
    high = np.clip(np.ceil(quad_px.max(axis=0) + pad) + 1, low + 1, (width, height)).astype(int)
    window = picture_bgr[low[1] : high[1], low[0] : high[0]]
    shrink = min(float(sides[1] + sides[3]) / 2 / size_wh[1], float(sides[0] + sides[2]) / 2 / size_wh[0])
    if shrink < 1.5:
        return window, quad_px - low
    small_wh = (max(1, round(window.shape[1] / shrink)), max(1, round(window.shape[0] / shrink)))
    scale = np.array(small_wh) / (window.shape[1], window.shape[0])
    small = np.asarray(cv2.resize(window, small_wh, interpolation=cv2.INTER_AREA), np.uint8)
    return small, (quad_px - low + 0.5) * scale - 0.5


class OnnxIdentifier:
    """The committed network, on the processor."""

    def __init__(self, session: onnxruntime.InferenceSession, calibration: Mapping[str, float]) -> None:
        self._session = session
        self._calibration = calibration

    @classmethod
    def load(cls, threads: int = THREADS) -> Self:
        """With the weights that come with FourSight."""
        weights = load_weights("identify")
        return cls(open_session(weights.path, threads), weights.calibration)

    def with_calibration(self, calibration: Mapping[str, float]) -> "OnnxIdentifier":
        """The same network under other temperatures."""
        return OnnxIdentifier(self._session, calibration)

    def identify(self, patches_bgr: Picture) -> Readings:
        """Read patches that have been cut upright."""
        if not len(patches_bgr):
            return Readings.empty()
        (logits,) = self._session.run(None, {"patches": patches_bgr})
        return readings_from_network(logits, self._calibration)


def readings_from_network(logits: Floats, calibration: Mapping[str, float]) -> Readings:
    """Logits (N, 27) of ranks, suits, legible and right, and the corners' shifts, as calibrated readings."""
    wide = logits.astype(np.float64)
    ranks = _log_softmax(wide[:, :RANKS] / calibration.get("rank_temperature", 1.0))
    suits = _log_softmax(wide[:, RANKS : RANKS + SUITS] / calibration.get("suit_temperature", 1.0))
    cards = (ranks[:, :, None] + suits[:, None, :]).reshape(len(wide), RANKS * SUITS)
    legible = 1 / (1 + np.exp(-wide[:, RANKS + SUITS] / calibration.get("legible_temperature", 1.0)))
    at_right = 1 / (1 + np.exp(-wide[:, RANKS + SUITS + 1]))
    shifts = wide[:, HEADS:].reshape(-1, 4, 2)
    return Readings(*(each.astype(np.float32) for each in (cards, legible, at_right, shifts)))


def _log_softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    highest = logits.max(axis=1, keepdims=True)
    return np.asarray(logits - highest - np.log(np.exp(logits - highest).sum(axis=1, keepdims=True)))
