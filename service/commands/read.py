"""`foursight read IMAGE…`: the cards in still images, for people or as one JSON line an image."""

import argparse
import json
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decide import REASONS
from vision.draw import draw_sighting
from vision.locate import Detector
from vision.pictures import PictureError, read_picture
from vision.reader import CardReader, Sighting

PICTURES = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("images", type=Path, nargs="+", metavar="IMAGE", help="picture files, or folders of them")
    add("--json", action="store_true", help="one JSON line an image")
    add("--draw", type=Path, metavar="DIR", help="also store each picture with what was read drawn into it")
    add(
        "--model", type=Path, metavar="FILE", help="locate with an Ultralytics .pt file of your own (needs Ultralytics)"
    )


def run(options: argparse.Namespace) -> int:
    """Read every image; 2 if one of them could not be read as a picture."""
    reader = CardReader.load(detector=_own_detector(options.model))
    if options.draw is not None:
        options.draw.mkdir(parents=True, exist_ok=True)
    status = 0
    for path in _files(options.images):
        try:
            picture = read_picture(path)
        except PictureError as error:
            status = 2
            print(json.dumps({"image": str(path), "error": str(error)}) if options.json else f"{error}", flush=True)
            continue
        sighting = reader.read(picture)
        print(json.dumps(record(path, sighting)) if options.json else _words(path, sighting), flush=True)
        if options.draw is not None:
            _store(options.draw / f"{path.stem}.png", draw_sighting(picture, sighting))
    return status


def _own_detector(model: Path | None) -> Detector | None:
    if model is None:
        return None
    if find_spec("torch") is not None:
        from models.torch_setup import prepare

        prepare()  # a CPU build of torch beside a torchvision made for GPUs
    from vision.ultralytics_detector import UltralyticsDetector

    return UltralyticsDetector.load(model)


def _files(paths: list[Path]) -> list[Path]:
    """Folders stand for the pictures in them, in the order of their names."""
    files: list[Path] = []
    for path in paths:
        files += sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURES) if path.is_dir() else [path]
    return files


def record(path: Path, sighting: Sighting) -> dict[str, Any]:
    """What `--json` prints of one image."""
    return {
        "image": str(path),
        "cards": [
            {"card": str(seen.card), "confidence": round(seen.verdict.confidence, 5), "quad": _corners(seen.quad_px)}
            for seen in sighting.stated
        ],
        "face_down": [{"quad": _corners(back.quad_px)} for back in sighting.backs],
        "unreadable": [
            {"quad": _corners(seen.quad_px), "reason": REASONS[str(seen.verdict.reason)]}
            for seen in sighting.unreadable
        ],
    }


def _corners(quad: NDArray[np.float32]) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in quad]


def _words(path: Path, sighting: Sighting) -> str:
    cards = " ".join(str(seen.card) for seen in sighting.stated) or "no card"
    backs = f", {len(sighting.backs)} face down" if sighting.backs else ""
    reasons = "".join(f"\n  one card {REASONS[str(seen.verdict.reason)]}" for seen in sighting.unreadable)
    return f"{path}: {cards}{backs}{reasons}"


def _store(path: Path, picture: NDArray[np.uint8]) -> None:
    done, encoded = cv2.imencode(".png", picture)
    if done:
        path.write_bytes(encoded.tobytes())
    else:
        print(f"foursight: {path} could not be encoded", file=sys.stderr)
