"""Find index patches and backs in a picture.

In: a picture at a scale where cards are some 50 to 300 pixels high. Out: `IndexMarks`, oriented patches with four
ordered key points each. What runs the network is behind the small protocol `Detector`.
"""

from dataclasses import dataclass
from typing import Final, Protocol, Self

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.weights import THREADS, load_weights, open_session

STRIDE: Final = 32  # pictures are padded to whole multiples of it
PAD_LEVEL: Final = 114
CANDIDATE_FROM: Final = 0.12  # confidence; whatever is weaker is noise
MOST_CANDIDATES: Final = 3000
# Mean distance of key points, in parts of the patch, at which two candidates are one. Neighbours in a tight fan pull at
# each other's corners until they lie as near as a quarter: what is not surely one is read twice, which tells it.
SAME_INDEX: Final = 0.12
SAME_CORNER: Final = 0.1  # or of their outer corners alone, pointing the same way: one index, seen at two sizes
ALONG: Final = 0.87  # cosine of 30 degrees
SAME_BACK: Final = 0.3  # distance of the middles of two backs, in parts of a card
JOIN_FROM: Final = 0.5  # of the best one's confidence: such candidates sharpen its key points

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class IndexMarks:
    """Index patches and backs found in one picture; none is normal."""

    keypoints: Floats  # (N, 4, 2) pixels, clockwise from the upper left as read; a back's are its four corners
    confidence: Floats  # (N,) in [0, 1]
    is_back: NDArray[np.bool_]  # (N,)

    def __post_init__(self) -> None:
        count = len(self.keypoints)
        for name, shape in (("keypoints", (count, 4, 2)), ("confidence", (count,)), ("is_back", (count,))):
            array = getattr(self, name)
            if array.shape != shape:
                raise VisionError(f"{count} marks have {name} of shape {shape}, got {array.shape}")
            array.setflags(write=False)

    @classmethod
    def empty(cls) -> Self:
        """Nothing found."""
        return cls(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32), np.zeros(0, np.bool_))

    @classmethod
    def joined(cls, parts: "list[IndexMarks]") -> Self:
        """All of these, one after the other."""
        if not parts:
            return cls.empty()
        return cls(
            np.concatenate([part.keypoints for part in parts]),
            np.concatenate([part.confidence for part in parts]),
            np.concatenate([part.is_back for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.confidence)

    def chosen(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> "IndexMarks":
        """Some of them."""
        return IndexMarks(self.keypoints[which], self.confidence[which], self.is_back[which])

    def scaled(self, factor: float, origin_px: tuple[float, float] = (0.0, 0.0)) -> "IndexMarks":
        """The same marks in a picture `factor` times as large, of which theirs began at `origin_px` (in theirs)."""
        points = (self.keypoints + np.array(origin_px, np.float32) + 0.5) * factor - 0.5
        return IndexMarks(points.astype(np.float32), self.confidence.copy(), self.is_back.copy())


class Detector(Protocol):
    """Whatever can find index patches and backs in a picture as it is."""

    def locate(self, picture_bgr: Picture) -> IndexMarks:
        """Marks in the picture's own pixels, each thing once."""
        ...


class OnnxDetector:
    """The committed network, on the processor."""

    def __init__(self, session: onnxruntime.InferenceSession) -> None:
        self._session = session

    @classmethod
    def load(cls, threads: int = THREADS) -> Self:
        """With the weights that come with FourSight."""
        return cls(open_session(load_weights("locate").path, threads))

    def locate(self, picture_bgr: Picture) -> IndexMarks:
        """Marks in the picture's own pixels, each thing once."""
        height, width = picture_bgr.shape[:2]
        below, right = -height % STRIDE, -width % STRIDE
        if below or right:
            picture_bgr = np.asarray(
                cv2.copyMakeBorder(picture_bgr, 0, below, 0, right, cv2.BORDER_CONSTANT, value=(PAD_LEVEL,) * 3),
                np.uint8,
            )
        logits, points = self._session.run(None, {"picture": picture_bgr[None]})
        return marks_from_network(logits[0], points[0])


def marks_from_network(logits: Floats, points: Floats) -> IndexMarks:
    """What the network says of every anchor ((A, 2) logits, (A, 8) pixels) as marks, each thing once."""
    kinds = logits.argmax(axis=1)
    best = logits.max(axis=1)
    kept = np.flatnonzero(best > np.log(CANDIDATE_FROM / (1 - CANDIDATE_FROM)))
    if len(kept) > MOST_CANDIDATES:
        kept = kept[np.argsort(-best[kept], kind="stable")[:MOST_CANDIDATES]]
    confidence = 1 / (1 + np.exp(-best[kept].astype(np.float64)))
    candidates = IndexMarks(
        points[kept].reshape(-1, 4, 2).astype(np.float32), confidence.astype(np.float32), kinds[kept] == 1
    )
    return merge_marks(candidates)


def patch_scale(keypoints: Floats) -> Floats:
    """The square root of each quad's area, in pixels (N,)."""
    across = keypoints[:, 2] - keypoints[:, 0]
    down = keypoints[:, 3] - keypoints[:, 1]
    area = 0.5 * np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0])
    return np.asarray(np.sqrt(np.maximum(area, 1e-3)), np.float32)


def directions(keypoints: Floats) -> Floats:
    """The direction (N, 2) of each patch's upper edge."""
    across = keypoints[:, 1] - keypoints[:, 0]
    return np.asarray(across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-6), np.float32)


def merge_marks(marks: IndexMarks) -> IndexMarks:
    """Each thing once: the best candidate, its key points averaged with those that agree with it."""
    order = np.argsort(-marks.confidence, kind="stable")
    points, confidence, is_back = marks.keypoints[order], marks.confidence[order], marks.is_back[order]
    scale, ways, middle = patch_scale(points), directions(points), points.mean(axis=1)
    is_open = np.ones(len(order), bool)
    kept, kept_points = [], []
    for number in range(len(order)):
        if not is_open[number]:
            continue
        near = np.flatnonzero(is_open & (is_back == is_back[number]))
        apart = np.linalg.norm(points[near] - points[number], axis=2).mean(axis=1)
        smaller = np.minimum(scale[number], scale[near])
        if is_back[number]:  # a back has no top: it may have been found the other way up
            same = np.linalg.norm(middle[near] - middle[number], axis=1) < SAME_BACK * smaller
        else:
            corner = np.linalg.norm(points[near, 0] - points[number, 0], axis=1)
            is_along = ways[near] @ ways[number] > ALONG
            same = (apart < SAME_INDEX * smaller) | ((corner < SAME_CORNER * smaller) & is_along)
        agrees = same & (apart < SAME_INDEX * smaller) & (confidence[near] > JOIN_FROM * confidence[number])
        weights = confidence[near[agrees]]
        kept_points.append((points[near[agrees]] * weights[:, None, None]).sum(axis=0) / weights.sum())
        kept.append(number)
        is_open[near[same]] = False
    if not kept:
        return IndexMarks.empty()
    return IndexMarks(np.array(kept_points, np.float32), confidence[kept], is_back[kept])
