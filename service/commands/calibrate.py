"""`foursight calibrate`: a table file's camera worked out from points, the printed layout or a reference picture."""

import argparse
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.calibration import Calibration, CalibrationError, calibrate
from vision.calibration_layout import refine_on_layout
from vision.camera import Camera
from vision.camera_watch import refine_on_reference
from vision.pictures import read_picture
from vision.table import CameraSettings, Table, load_table

Picture = NDArray[np.uint8]
Pair = tuple[tuple[float, float], tuple[float, float]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser._negative_number_matcher = re.compile(r"^-\d")  # a pair may begin with -1075, which is no option
    add = parser.add_argument
    add("--table", type=Path, required=True, metavar="T.toml", help="the table file to start from")
    add("--picture", type=Path, required=True, metavar="P.png", help="what the camera sees, best with an empty table")
    add(
        "--points",
        type=_pair,
        nargs="+",
        default=[],
        metavar="MM_X,MM_Y=PX_X,PX_Y",
        help="four or more points of the felt and where the picture shows them; six or more tell the lens too",
    )
    add("--reference", type=Path, metavar="R.png", help="an earlier picture, for which the table file is right")
    add("--no-layout", action="store_true", help="leave the camera as the points give it, without the printed spots")
    add("--out", type=Path, required=True, metavar="NEW.toml", help="where to write the table file")


def run(options: argparse.Namespace) -> int:
    """Work out the camera and write the new table file."""
    table, picture = load_table(options.table), read_picture(options.picture)
    if options.reference is not None:
        if options.points:
            raise CalibrationError("points and a reference picture are two ways to calibrate; give one of them")
        camera = _by_reference(picture, read_picture(options.reference), table)
    elif options.points:
        camera = _by_points(picture, table, options.points, is_refined=not options.no_layout)
    else:
        result = refine_on_layout(picture, table)
        print(_words(result, table, "printed spots"))
        camera = result.camera
    options.out.write_text(_seen_by(table, camera).to_toml(), encoding="utf-8")
    print(f"{options.out}: written; look at it with `foursight check-camera --table {options.out} --source …`")
    return 0


def _pair(text: str) -> Pair:
    """A point of the felt and of the picture, as `1075,0=210.5,96`."""
    try:
        (mm_x, mm_y), (px_x, px_y) = ([float(number) for number in side.split(",")] for side in text.split("="))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no pair of points; write mm_x,mm_y=px_x,px_y") from error
    return (mm_x, mm_y), (px_x, px_y)


def _by_reference(picture: Picture, reference: Picture, table: Table) -> Camera:
    camera, moved_mm = refine_on_reference(picture, reference, table)
    print(f"reference picture: the camera moved {moved_mm:.1f} mm at most")
    return camera


def _by_points(picture: Picture, table: Table, pairs: list[Pair], *, is_refined: bool) -> Camera:
    size_wh = (picture.shape[1], picture.shape[0])
    is_same = size_wh == table.camera.size_wh  # another size is another camera, of whose lens nothing is known
    lens = table.camera.distortion if is_same else (0.0, 0.0, 0.0, 0.0, 0.0)
    focal_px = table.camera.focal_px if is_same else None
    on_felt, seen = ([pair[side] for pair in pairs] for side in (0, 1))
    result = calibrate(on_felt, seen, size_wh, lens, focal_px)
    print(_words(result, table, "points"))
    if not is_refined:
        return result.camera
    try:
        finer = refine_on_layout(picture, table, result.camera)
    except CalibrationError as error:
        print(f"foursight: kept as the points give it: {error}", file=sys.stderr)
        return result.camera
    print(_words(finer, table, "printed spots"))
    return finer.camera


def _words(result: Calibration, table: Table, what: str) -> str:
    """How well it fits, and how far off it may be where it is worst."""
    errors = {zone.name: float(result.error_at_mm(zone.work).max()) for zone in table.zones.values()}
    worst = max(errors, key=lambda name: errors[name])
    aside = f", {result.left_out} left out" if result.left_out else ""
    lens = "" if result.is_lens_estimated else ", lens not estimated"
    return (
        f"{len(result.points_mm)} {what}{aside}: {result.rms_mm:.2f} mm off on average, {result.worst_mm:.2f} mm at "
        f"most{lens}; zones may be off by up to {errors[worst]:.1f} mm ({worst})"
    )


def _seen_by(table: Table, camera: Camera) -> Table:
    settings = CameraSettings.from_camera(camera, table.camera.source, table.felt_mm, table.camera.password_env)
    return replace(table, camera=settings)
