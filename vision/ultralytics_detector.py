"""Locate with any Ultralytics pose model: for users with a GPU, or with models of their own.

In: a `.pt` (or exported) pose model of four key points, class 0 an index patch, class 1 a back. Out: the same
`IndexMarks`. Ultralytics and PyTorch are imported only here, and only when this is asked for.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.locate import CANDIDATE_FROM, IndexMarks, merge_marks


class UltralyticsDetector:
    """Any Ultralytics pose model behind the protocol `Detector`."""

    def __init__(self, model: Any) -> None:  # noqa: ANN401  # Ultralytics has no types
        self._model = model

    @classmethod
    def load(cls, path: Path) -> Self:
        """Open a model file; it must have four key points."""
        if find_spec("ultralytics") is None:
            raise VisionError(f"{path} needs Ultralytics: `pip install 'foursight[train]'`")
        if not path.exists():
            raise VisionError(
                f"{path} is not there; give an Ultralytics pose model, like runs/pose/train/weights/best.pt"
            )
        from ultralytics import YOLO

        model = YOLO(str(path), task="pose")
        shape = getattr(getattr(model.model, "model", [None])[-1], "kpt_shape", (4, 2))
        if int(shape[0]) != 4:
            raise VisionError(f"{path} has {shape[0]} key points; a model for index patches has 4")
        return cls(model)

    def locate(self, picture_bgr: NDArray[np.uint8]) -> IndexMarks:
        """Marks in the picture's own pixels, each thing once."""
        side = max(32, -(-max(picture_bgr.shape[:2]) // 32) * 32)
        (result,) = self._model.predict(picture_bgr, imgsz=side, conf=CANDIDATE_FROM, iou=0.9, verbose=False)
        return marks_from_ultralytics(result)


def marks_from_ultralytics(result: Any) -> IndexMarks:  # noqa: ANN401
    """One picture's result as marks. Ultralytics counts pixels from the corner of the first, we from its middle."""
    if result.keypoints is None or not len(result.boxes):
        return IndexMarks.empty()
    points = result.keypoints.xy.cpu().numpy().astype(np.float32).reshape(-1, 4, 2) - 0.5
    confidence = result.boxes.conf.cpu().numpy().astype(np.float32)
    return merge_marks(IndexMarks(points, confidence, result.boxes.cls.cpu().numpy() == 1))
