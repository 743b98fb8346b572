"""`foursight calibrate` and `foursight check-camera` as commands: what they write, print and return."""

import argparse
import json
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.cameras import camera_preset
from datasets.felt.draw import FeltStyle, view_felt
from datasets.picture.sensor import apply_sensor
from service.commands import calibrate, check_camera
from vision.calibration import CalibrationError
from vision.camera import Camera
from vision.errors import VisionError
from vision.recording import RecordingWriter
from vision.table import Table, default_table, felt_corners_mm, load_table

TRUE = camera_preset("overhead").camera()
SOURCE = "rtsp://eye@10.0.0.12/stream1"


def run(command, *arguments) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args([str(each) for each in arguments]))


def error_mm(table: Table, true: Camera = TRUE) -> float:
    corners = np.concatenate([zone.work for zone in table.zones.values()])
    return float(np.linalg.norm(table.camera.to_camera().px_to_mm(true.mm_to_px(corners)) - corners, axis=1).max())


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A picture of a table, one after a bump, and a table file that is a few millimetres off."""
    folder, rng = tmp_path_factory.mktemp("table"), np.random.default_rng(3)
    table = default_table("four-card-poker", 6, "south-dakota", TRUE, source=SOURCE)
    style, sensor = FeltStyle.random(rng), replace(camera_preset("overhead").sensor, h264_crf=27)
    bumped = Camera.from_pose((0, 560, 2700), (15, 570), TRUE.matrix[0, 0], (1920, 1080), 0.5, TRUE.distortion)
    for name, camera in (("table.png", TRUE), ("bumped.png", bumped)):
        cv2.imwrite(str(folder / name), apply_sensor(view_felt(table, style, camera), sensor, rng))
    good = replace(table, camera=replace(table.camera, password_env="CAM_12"))
    (folder / "good.toml").write_text(good.to_toml())
    off = tuple((x + dx, y) for (x, y), dx in zip(table.camera.corners_px, (6, -5, 4, 7), strict=True))
    (folder / "off.toml").write_text(replace(good, camera=replace(good.camera, corners_px=off)).to_toml())
    return folder


def test_the_printed_layout_corrects_a_table_file(folder, tmp_path, capsys):
    new = tmp_path / "new.toml"
    assert run(calibrate, "--table", folder / "off.toml", "--picture", folder / "table.png", "--out", new) == 0
    assert error_mm(load_table(folder / "off.toml")) > 4
    assert error_mm(load_table(new)) < 0.5
    assert load_table(new).camera.password_env == "CAM_12"
    assert load_table(new).camera.source == SOURCE
    assert re.match(r"\d\d printed spots.*: 0\.\d\d mm off on average", capsys.readouterr().out)


def points(far_px: float = 0.0) -> list[str]:
    places = felt_corners_mm((2150.0, 1120.0))
    seen = TRUE.mm_to_px(places) + far_px
    return [f"{x:g},{y:g}={u:.1f},{v:.1f}" for (x, y), (u, v) in zip(places, seen, strict=True)]


def test_points_are_refined_by_the_layout(folder, tmp_path, capsys):
    new = tmp_path / "new.toml"
    common = ["--table", folder / "off.toml", "--picture", folder / "table.png", "--out", new]
    assert run(calibrate, *common, "--points", *points(5.0), "--no-layout") == 0
    assert 4 < error_mm(load_table(new)) < 12
    assert "4 points: 0.00 mm off on average, 0.00 mm at most, lens not estimated" in capsys.readouterr().out
    assert run(calibrate, *common, "--points", *points(5.0)) == 0
    assert error_mm(load_table(new)) < 0.5


def test_points_are_kept_where_no_layout_is_seen(folder, tmp_path, capsys):
    blank, new = tmp_path / "blank.png", tmp_path / "new.toml"
    cv2.imwrite(str(blank), np.full((1080, 1920, 3), 70, np.uint8))
    assert run(calibrate, "--table", folder / "off.toml", "--picture", blank, "--points", *points(), "--out", new) == 0
    assert error_mm(load_table(new)) < 0.5
    assert "kept as the points give it: 0 of 30 printed spots" in capsys.readouterr().err


def test_a_reference_picture_gives_the_camera_after_a_bump(folder, tmp_path, capsys):
    new = tmp_path / "new.toml"
    pictures = ["--picture", folder / "bumped.png", "--reference", folder / "table.png"]
    assert run(calibrate, "--table", folder / "good.toml", *pictures, "--out", new) == 0
    bumped = Camera.from_pose((0, 560, 2700), (15, 570), TRUE.matrix[0, 0], (1920, 1080), 0.5, TRUE.distortion)
    assert error_mm(load_table(new), bumped) < 0.5
    assert "the camera moved 2" in capsys.readouterr().out


def test_wrong_points_are_refused_and_nothing_is_written(folder, tmp_path, capsys):
    new = tmp_path / "new.toml"
    common = ["--table", folder / "off.toml", "--picture", folder / "table.png", "--out", new]
    crossed = [points()[0].split("=")[0] + "=" + points()[1].split("=")[1], *points()[1:]]
    with pytest.raises(CalibrationError):
        run(calibrate, *common, "--points", *crossed)
    with pytest.raises(CalibrationError, match="two ways"):
        run(calibrate, *common, "--points", *points(), "--reference", folder / "table.png")
    with pytest.raises(SystemExit):
        run(calibrate, *common, "--points", "here=there")
    assert "'here=there' is no pair of points; write mm_x,mm_y=px_x,px_y" in capsys.readouterr().err
    assert not new.exists()


def test_a_camera_is_checked_from_a_picture(folder, capsys):
    common = ["--table", folder / "good.toml", "--source", folder / "table.png"]
    assert run(check_camera, *common) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["zone", "px/mm", "card", "px", "sharpness", "white", "glare", "contrast", "verdict"]
    assert len(lines) == 11
    assert all(line.endswith("reads well") for line in lines[1:8])
    assert all(line.endswith("no cards are read here") for line in lines[8:])
    assert run(check_camera, *common, "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert record["reads_well"] is True
    assert [zone["zone"] for zone in record["zones"]][:2] == ["dealer", "seat-1"]
    assert record["zones"][0]["card_px"] == pytest.approx(76, abs=1)


def test_a_camera_is_checked_from_film_without_the_hand_that_passes(folder, tmp_path, capsys):
    table, picture = load_table(folder / "good.toml"), cv2.imread(str(folder / "table.png"))
    with RecordingWriter(tmp_path / "film", table, fps=1) as writer:
        for number in range(7):
            frame = picture.copy()
            if number == 2:
                frame[300:900, 400:1500] = 255
            writer.write(frame, float(number))
    for source in (tmp_path / "film", tmp_path / "film" / "video.mp4"):
        assert run(check_camera, "--table", folder / "good.toml", "--source", source, "--json") == 0
        assert json.loads(capsys.readouterr().out)["zones"][3]["blown_share"] < 0.01


SOURCES = [
    pytest.param(".", "is a folder without manifest.json", id="a folder"),
    pytest.param("none.mp4", "none.mp4 cannot be read", id="no such film"),
    pytest.param("none.png", "cannot be opened", id="no such picture"),
]


@pytest.mark.parametrize(("source", "message"), SOURCES)
def test_a_source_that_shows_nothing(folder, source, message):
    with pytest.raises(VisionError, match=message):
        run(check_camera, "--table", folder / "good.toml", "--source", folder / source)
