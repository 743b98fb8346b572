"""Recordings: the same bytes for the same frames, and readable however the writer ended."""

import json
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from vision.camera import Camera
from vision.errors import VisionError
from vision.events import Event
from vision.recording import RecordingWriter, open_recording, verify_recording
from vision.table import default_table

SIZE_WH = (320, 180)
FPS = 10
CAMERA = Camera.from_pose((0, 560, 2700), (0, 560), 360, SIZE_WH)
TABLE = default_table("four-card-poker", 6, "south-dakota", CAMERA)


@cache
def backdrop():
    rough = np.random.default_rng(0).integers(0, 255, (SIZE_WH[1], SIZE_WH[0], 3), np.uint8)
    return cv2.normalize(cv2.GaussianBlur(rough, (0, 0), 4), None, 30, 220, cv2.NORM_MINMAX)


def make_frame(number):
    """A picture that says its number in sixteen black and white squares."""
    picture = backdrop().copy()
    for bit in range(16):
        picture[:20, bit * 20 : bit * 20 + 20] = 235 if number >> bit & 1 else 16
    return picture


def number_in(picture):
    return sum(1 << bit for bit in range(16) if picture[5:15, bit * 20 + 5 : bit * 20 + 15].mean() > 128)


def write_recording(folder: Path, frames=35, **more) -> Path:
    with RecordingWriter(folder, TABLE, fps=FPS, bit_rate=400_000, **more) as writer:
        for number in range(frames):
            writer.write(make_frame(number), number / FPS)
            if number % 10 == 3:
                writer.event(Event("source_lost", number / FPS, number))
                writer.truth(Event("source_back", number / FPS, number))
        writer.truth({"event": "round", "round": 1, "input": {"game": "FCP"}, "paid": {}})
    return folder


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    return write_recording(tmp_path_factory.mktemp("recordings") / "one", deck="drawn-000001", camera="overhead")


def test_an_empty_recording_opens(tmp_path):
    write_recording(tmp_path / "none", frames=0)
    opened = open_recording(tmp_path / "none")
    assert (opened.frame_count, list(opened), opened.events) == (0, [], ())


def test_what_is_written_is_read(recording):
    opened = open_recording(recording)
    frames = list(opened)
    assert [frame.number for frame in frames] == list(range(35)) == [number_in(f.image_bgr) for f in frames]
    assert [frame.time_s for frame in frames] == [number / FPS for number in range(35)]
    assert np.abs(frames[20].image_bgr.astype(int) - make_frame(20)).mean() < 6
    assert np.abs((frames[20].image_bgr.astype(int) - make_frame(20)).mean(axis=(0, 1))).max() < 1, "no colour cast"
    assert not opened.is_cut_off
    assert opened.table.to_toml() == TABLE.to_toml()
    assert (opened.manifest["deck"], opened.manifest["camera"]["preset"]) == ("drawn-000001", "overhead")
    assert [event.frame for event in opened.events] == [3, 13, 23, 33]
    assert {event.kind for event in opened.truth} == {"source_back"}
    assert [line["round"] for line in opened.truth_rounds] == [1]
    assert opened.lines("nothing.jsonl") == ()


def test_same_frames_same_bytes(recording, tmp_path):
    again = write_recording(tmp_path / "again", deck="drawn-000001", camera="overhead")
    names = sorted(path.name for path in recording.iterdir())
    assert names == sorted(path.name for path in again.iterdir())
    assert [name for name in names if (recording / name).read_bytes() != (again / name).read_bytes()] == []


def test_reading_may_start_anywhere(recording):
    opened = open_recording(recording)
    whole = list(opened)
    for from_s, to_s in [
        (0, 0.35),
        (0.35, 1.0),
        (0.95, 2.05),
        (2.0, None),
        (3.4, 9),
        (None, 0.1),
        (3.41, None),
        (2, 1),
    ]:
        part = list(opened.frames(from_s, to_s))
        expected = [f for f in whole if (from_s or 0) <= f.time_s < (99 if to_s is None else to_s)]
        assert [frame.number for frame in part] == [frame.number for frame in expected]
        assert all((a.image_bgr == b.image_bgr).all() for a, b in zip(part, expected, strict=True))


def test_threads_change_nothing(recording):
    opened = open_recording(recording)
    for one, two in zip(opened.frames(), opened.frames(threads=2), strict=True):
        assert (one.image_bgr == two.image_bgr).all()


def test_a_browser_can_play_it(recording):
    with av.open(str(recording / "video.mp4")) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        profile, _, level = stream.codec_context.extradata[1:4]
        assert profile in (66, 77, 100), "baseline, main or high"
        assert level <= 51
        packets = [packet for packet in container.demux(stream) if packet.size]
        assert [packet.pts for packet in packets] == [number * 9000 for number in range(35)]
        assert [number for number, packet in enumerate(packets) if packet.is_keyframe] == [0, 10, 20, 30]
    head = (recording / "video.mp4").read_bytes()[:4096]
    assert head.index(b"ftyp") < head.index(b"moov") < head.index(b"moof")


def test_times_may_be_uneven(tmp_path):
    times = [0.5, 0.52, 0.9, 1.7, 4.2, 4.21]
    with RecordingWriter(tmp_path / "uneven", TABLE, fps=25) as writer:
        for number, time_s in enumerate(times):
            writer.write(make_frame(number), time_s)
    opened = open_recording(tmp_path / "uneven")
    assert [frame.time_s for frame in opened] == times
    assert [number_in(frame.image_bgr) for frame in opened.frames(1.0)] == [3, 4, 5]


@pytest.mark.parametrize("seed", range(25))
def test_cut_off_anywhere_it_opens_up_to_its_last_whole_second(recording, tmp_path, seed):
    rng = np.random.default_rng(seed)
    folder = tmp_path / "cut"
    folder.mkdir()
    for path in recording.iterdir():
        content = path.read_bytes()
        keep = int(rng.integers(900, len(content))) if path.suffix == ".mp4" else len(content)
        if path.suffix == ".jsonl" and path.name != "times.jsonl":
            keep = int(rng.integers(0, len(content)))
        (folder / path.name).write_bytes(content[:keep])
    manifest = json.loads((folder / "manifest.json").read_text())
    if seed % 2:
        (folder / "manifest.json").write_text(json.dumps(manifest | {"state": "recording"}))
    opened = open_recording(folder)
    frames = list(opened)
    assert opened.is_cut_off
    assert len(frames) in (0, 10, 20, 30, 35)
    assert [number_in(frame.image_bgr) for frame in frames] == list(range(len(frames)))
    assert [event.frame for event in opened.events] == [3, 13, 23, 33][: len(opened.events)]
    with pytest.raises(VisionError):
        verify_recording(folder)


WRITER = """
import sys
from tests.vision.test_recording import *
writer = RecordingWriter(sys.argv[1], TABLE, fps=FPS, bit_rate=400_000)
for number in range(100_000):
    writer.write(make_frame(number), number / FPS)
    writer.event(Event("source_lost", number / FPS, number))
    if number >= int(sys.argv[2]):
        print(number, flush=True)
"""


@pytest.mark.parametrize("frames", [0, 9, 10, 27, 41])
def test_a_killed_writer_leaves_every_whole_second(frames, tmp_path):
    command = [sys.executable, "-c", WRITER, str(tmp_path / "killed"), str(frames)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    opened = open_recording(tmp_path / "killed")
    read = [number_in(frame.image_bgr) for frame in opened]
    assert opened.is_cut_off
    assert read == list(range(len(read)))
    assert len(read) >= frames // 10 * 10
    assert len(opened.events) >= frames


def test_an_error_while_writing_leaves_it_cut_off(tmp_path):
    def write_and_fail():
        with RecordingWriter(tmp_path / "error", TABLE, fps=FPS) as writer:
            for number in range(15):
                writer.write(make_frame(number), number / FPS)
            raise KeyError

    with pytest.raises(KeyError):
        write_and_fail()
    opened = open_recording(tmp_path / "error")
    assert opened.is_cut_off
    assert opened.frame_count == 15


def test_a_whole_recording_is_verified(recording):
    verify_recording(recording)


@pytest.mark.parametrize("name", ["video.mp4", "times.jsonl", "table.toml", "events.jsonl", "truth.jsonl"])
def test_a_changed_file_is_named(recording, tmp_path, name):
    for path in recording.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes() + b"\n")
    with pytest.raises(VisionError, match=f"{name} was changed"):
        verify_recording(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(VisionError, match=f"{name} is missing"):
        verify_recording(tmp_path)


def test_a_damaged_video_says_so(recording, tmp_path):
    for path in recording.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    content = bytearray((tmp_path / "video.mp4").read_bytes())
    at = content.index(b"mdat", len(content) // 2) + 4
    content[at : at + 2000] = bytes(2000)
    (tmp_path / "video.mp4").write_bytes(content)
    with pytest.raises(VisionError, match=r"video.mp4: is damaged"):
        list(open_recording(tmp_path))


REFUSED = [
    pytest.param({"time_s": 0.0}, "is not after", id="the same time"),
    pytest.param({"time_s": float("nan")}, "is not after", id="no time"),
    pytest.param({"time_s": -0.5}, "is not after", id="before the start"),
    pytest.param({"time_s": 0.000001}, "is not after", id="too close"),
    pytest.param({"frame_bgr": np.zeros((90, 160, 3), np.uint8)}, "does not fit", id="other size"),
    pytest.param({"frame_bgr": np.zeros((180, 320, 3), np.float32)}, "give BGR uint8", id="other type"),
]


@pytest.mark.parametrize(("given", "message"), REFUSED)
def test_a_frame_that_does_not_fit(given, message, tmp_path):
    with RecordingWriter(tmp_path / "r", TABLE, fps=FPS) as writer:
        writer.write(make_frame(0), 0.0)
        with pytest.raises(VisionError, match=message):
            writer.write(**({"frame_bgr": make_frame(1), "time_s": 0.1} | given))
        writer.write(make_frame(1), 0.1)
    assert open_recording(tmp_path / "r").frame_count == 2


def test_frames_of_another_size_than_the_tables_camera_are_refused(tmp_path):
    with pytest.raises(VisionError, match="give the table the camera that records it"):
        RecordingWriter(tmp_path / "r", TABLE, fps=FPS, size_wh=(640, 360))


def test_nothing_is_overwritten(recording):
    with pytest.raises(VisionError, match="is there already"):
        RecordingWriter(recording, TABLE, fps=FPS)


def test_a_folder_that_is_no_recording(tmp_path):
    with pytest.raises(VisionError, match="is no recording"):
        open_recording(tmp_path)


def test_another_version_is_not_guessed(recording, tmp_path):
    for path in recording.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    manifest = json.loads((recording / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps(manifest | {"version": 2}))
    with pytest.raises(VisionError, match="version 2 is not the 1"):
        open_recording(tmp_path)
