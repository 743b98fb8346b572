"""How fast a frame is read, against the same frame through stock Ultralytics models in the same run.

In: a frame with six cards. Out: medians in milliseconds, the time to the first read in a new process, and its memory.
The other models have random weights: speed does not depend on what they have learnt.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.stills.presets import still_preset
from datasets.stills.simulate import make_still
from models import torch_setup
from vision.reader import CardReader

CARDS = 6
ROUNDS, PER_ROUND = 5, 6
RIVALS = ("yolo11n", "yolov8m")

_NEW_PROCESS = """
import re, sys, time
start = time.perf_counter()
from pathlib import Path
from vision.pictures import read_picture
from vision.reader import CardReader
sighting = CardReader.load().read(read_picture(Path(sys.argv[1])))
seconds = time.perf_counter() - start
print(seconds, int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024, len(sighting.stated))
"""


def frame_with_cards(count: int = CARDS, seed: int = 5) -> NDArray[np.uint8]:
    """A simulated 640×640 frame with so many cards face up."""
    preset = still_preset("count")
    for number in range(500):
        still = make_still(seed, number, preset, "train")
        if len(still.label.cards) == count and still.picture.shape[:2] == (640, 640):
            return still.picture
    raise AssertionError(f"no picture of {count} cards among the first 500")


def measure_speed(folder: Path) -> dict[str, float]:
    """Everything about speed; `folder` is for the frame's file."""
    frame = frame_with_cards()
    reader = CardReader.load()
    readers: dict[str, Callable[[], object]] = {"read": lambda: reader.read(frame)}
    readers |= {name: _rival(name, frame) for name in RIVALS}
    times: dict[str, list[float]] = {name: [] for name in readers}
    for _ in range(ROUNDS):  # in turns: a busy moment of the machine strikes all alike
        for name, call in readers.items():
            call()
            times[name] += [_seconds(call) for _ in range(PER_ROUND)]
    figures = {f"{name}_ms": 1000 * float(np.median(each)) for name, each in times.items()}
    path = folder / "frame.png"
    cv2.imwrite(str(path), frame)
    starts = [_new_process(path) for _ in range(3)]
    seconds, megabytes = np.median(starts, axis=0).tolist()
    return figures | {"first_read_s": seconds, "memory_mb": megabytes}


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _rival(name: str, frame: NDArray[np.uint8]) -> Callable[[], object]:
    torch_setup.prepare()
    from ultralytics import YOLO

    model = YOLO(f"{name}.yaml", verbose=False)
    return lambda: model.predict(frame, imgsz=640, verbose=False)


def _new_process(path: Path) -> tuple[float, float]:
    done = subprocess.run([sys.executable, "-c", _NEW_PROCESS, str(path)], capture_output=True, text=True, check=True)
    seconds, megabytes, _ = done.stdout.split()
    return float(seconds), float(megabytes)
