"""Any Ultralytics pose model of four key points can locate."""

import numpy as np
import pytest
import torch
from ultralytics import YOLO

from models.locate_net import new_locate_model
from vision.errors import VisionError
from vision.ultralytics_detector import UltralyticsDetector, marks_from_ultralytics

pytestmark = pytest.mark.train


class Found:
    """A result as Ultralytics gives it, with two indices and a back."""

    def __init__(self, points, confidence, classes):
        self.keypoints = type("Points", (), {"xy": torch.tensor(points)})()
        self.boxes = type("Boxes", (), {"conf": torch.tensor(confidence), "cls": torch.tensor(classes)})
        self.boxes.__len__ = lambda boxes: len(confidence)
        self.boxes = self.boxes()


def square(x, y, side=20.0):
    return [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]


def test_results_become_marks():
    marks = marks_from_ultralytics(Found([square(10.5, 10.5), square(80.5, 10.5)], [0.9, 0.8], [0.0, 1.0]))
    assert marks.keypoints[0, 0].tolist() == [10, 10]
    assert marks.is_back.tolist() == [False, True]


def test_a_model_file_is_run(tmp_path):
    model = new_locate_model()
    torch.save({"model": model, "train_args": {}}, tmp_path / "own.pt")
    marks = UltralyticsDetector.load(tmp_path / "own.pt").locate(np.zeros((96, 160, 3), np.uint8))
    assert marks.keypoints.shape[1:] == (4, 2)


def test_a_model_of_people_is_refused(tmp_path):
    YOLO("yolo11n-pose.yaml", verbose=False).save(tmp_path / "people.pt")
    with pytest.raises(VisionError, match="17 key points"):
        UltralyticsDetector.load(tmp_path / "people.pt")
    with pytest.raises(VisionError, match="is not there"):
        UltralyticsDetector.load(tmp_path / "none.pt")
