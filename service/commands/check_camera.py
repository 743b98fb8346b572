"""`foursight check-camera`: what a table's camera can and cannot read, zone by zone, and what to change."""

import argparse
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import av
import numpy as np
from numpy.typing import NDArray

from service.commands.read import PICTURES
from vision.camera_check import CameraCheck, ZoneCheck, check_camera
from vision.errors import VisionError
from vision.pictures import read_picture
from vision.recording import MANIFEST, open_recording
from vision.table import load_table

Picture = NDArray[np.uint8]

FRAMES: Final = 5  # their median shows the table without the hands that pass over it
EVERY_S: Final = 2.0
TIMEOUT_S: Final = (5.0, 5.0)  # to open, to read
_COLUMNS: Final = (
    ("zone", "{0.name}"),
    ("px/mm", "{0.px_per_mm:.2f}"),
    ("card px", "{0.card_px:.0f}"),
    ("sharpness", "{0.sharpness:.2f}"),
    ("white", "{0.white_level:.0f}"),
    ("glare", "{0.glare_share:.0%}"),
    ("contrast", "{0.contrast:.0f}"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("--table", type=Path, required=True, metavar="T.toml", help="the table file")
    add("--source", required=True, metavar="S", help="a picture, a video or its address, or a recording's folder")
    add("--json", action="store_true", help="one JSON object instead of a table")


def run(options: argparse.Namespace) -> int:
    """Check the camera; 1 if a zone does not read well."""
    check = check_camera(view_of(options.source), load_table(options.table))
    if options.json:
        print(json.dumps(_record(options.source, check)))
    else:
        print(_words(check))
    return 0 if check.is_good else 1


def view_of(source: str) -> Picture:
    """What a source shows: a picture, or the median of a few frames."""
    path = Path(source)
    if path.suffix.lower() in PICTURES:
        return read_picture(path)
    frames = list(islice(_recorded(path) if (path / MANIFEST).exists() else _filmed(source), FRAMES))
    if not frames:
        raise VisionError(f"{source} shows no frame; give a picture, a video or a recording")
    return np.asarray(np.median(np.stack(frames), axis=0), np.uint8)


def _recorded(folder: Path) -> Iterator[Picture]:
    recording = open_recording(folder)
    for time_s in np.arange(0.0, recording.duration_s + EVERY_S, EVERY_S).tolist():
        yield from (frame.image_bgr for frame in islice(recording.frames(time_s), 1))


def _filmed(source: str) -> Iterator[Picture]:
    """A frame every so often, by the film's own time."""
    if Path(source).is_dir():
        raise VisionError(f"{source} is a folder without {MANIFEST}; give a recording, a picture or a video")
    try:
        with av.open(source, timeout=TIMEOUT_S) as container:
            if not container.streams.video:
                raise VisionError(f"{source} has no pictures; give a video")
            next_s = -1.0
            for frame in container.decode(container.streams.video[0]):
                time_s = frame.time or 0.0
                if time_s >= next_s:
                    next_s = time_s + EVERY_S
                    yield np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)
    except av.error.FFmpegError as error:
        raise VisionError(f"{source} cannot be read ({error}); give a picture, a video or a recording") from error


def _record(source: str, check: CameraCheck) -> dict[str, Any]:
    return {
        "source": source,
        "size_wh": list(check.size_wh),
        "reads_well": check.is_good,
        "zones": [_zone_record(zone) for zone in check.zones],
    }


def _zone_record(zone: ZoneCheck) -> dict[str, Any]:
    return {
        "zone": zone.name,
        "px_per_mm": round(zone.px_per_mm, 3),
        "card_px": round(zone.card_px, 1),
        "sharpness": round(zone.sharpness, 3),
        "white_level": round(zone.white_level, 1),
        "blown_share": round(zone.blown_share, 4),
        "glare_share": round(zone.glare_share, 4),
        "contrast": round(zone.contrast, 1),
        "reads_well": zone.is_read and zone.is_good,
        "problems": list(zone.problems),
    }


def _words(check: CameraCheck) -> str:
    """A line a zone: figures, then the verdict."""
    rows = [[name for name, _ in _COLUMNS] + ["verdict"]]
    rows += [[form.format(zone) for _, form in _COLUMNS] + [zone.verdict] for zone in check.zones]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]) for row in rows
    )
