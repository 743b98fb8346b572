"""A real RTSP server that is killed, cut off, silenced and drowned in garbage; all on 127.0.0.1."""

import socket
import struct
import subprocess
import time
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.vision.streams import FPS, Proxy, access_units, make_picture, number_in
from tests.vision.test_sources_live import child_of, is_back, is_lost, take, take_frames
from vision.frame import Frame
from vision.sources.open import open_source
from vision.sources.source import SourceLost

PYTHON = "/usr/bin/python3"  # the packages are Debian's, so is the interpreter
SERVER = Path(__file__).with_name("rtsp_server.py")
PACKAGES = (
    "gir1.2-gst-rtsp-server-1.0 python3-gi gstreamer1.0-plugins-base gstreamer1.0-plugins-good "
    "gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly"
)
CHECK = """
import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import Gst, GstRtspServer
Gst.init(None)
assert all(Gst.ElementFactory.find(name) for name in ("appsrc", "h264parse", "rtph264pay"))
"""
UNITS = 75
RECOVERY_S = 5

pytestmark = pytest.mark.rtsp


@pytest.fixture(scope="module")
def units(tmp_path_factory):
    has_packages = Path(PYTHON).exists() and not subprocess.run([PYTHON, "-c", CHECK], capture_output=True).returncode
    if not has_packages:
        pytest.skip(f"needs a real RTSP server; as root: apt-get install {PACKAGES}")
    path = tmp_path_factory.mktemp("rtsp") / "units"
    path.write_bytes(b"".join(struct.pack(">I", len(unit)) + unit for unit in access_units(UNITS)))
    return path


@pytest.fixture
def port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


@contextmanager
def serving(port, units, *credentials):
    command = [PYTHON, str(SERVER), str(port), str(units), str(FPS), *credentials]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout.readline() == "ready\n"
            yield server
        finally:
            server.kill()


def verify_healthy(items):
    """Frames without faults show what was streamed, whole, and times never go back."""
    for picture in (item.picture_bgr for item in items if isinstance(item, Frame) and not item.faults):
        assert number_in(picture) < UNITS
        assert np.abs(picture.astype(int) - make_picture(number_in(picture))).mean() < 8
    assert [item.time_s for item in items] == sorted(item.time_s for item in items)


def time_to_recovery(source):
    """Seconds until the stream is back and gives a frame without faults."""
    started_s = time.monotonic()
    items = take(source, is_back)
    items += take(source, lambda item: isinstance(item, Frame) and not item.faults)
    verify_healthy(items)
    return time.monotonic() - started_s


def test_a_stream_is_read_frame_by_frame(units, port):
    with serving(port, units), open_source(f"rtsp://127.0.0.1:{port}/table") as source:
        frames = take_frames(source, 60)[10:]
    numbers = [number_in(frame.picture_bgr) for frame in frames]
    steps = [(b - a) % UNITS for a, b in pairwise(numbers)]
    times = np.array([frame.time_s for frame in frames])
    assert {frame.faults for frame in frames} == {()}
    assert min(steps) >= 1
    assert np.allclose(np.diff(times), np.array(steps) / FPS, atol=1e-6), "times are the stream's own"


def test_a_server_that_is_killed_and_started_again(units, port):
    with serving(port, units) as server, open_source(f"rtsp://127.0.0.1:{port}/table") as source:
        before = take_frames(source, 20)[-1]
        server.kill()
        lost = take(source, is_lost)[-1]
        assert before.time_s <= lost.time_s
        time.sleep(3)  # attempts fail meanwhile and are spaced as far as they will be
        with serving(port, units):
            assert time_to_recovery(source) < RECOVERY_S
            after = take_frames(source, 1)[-1]
        assert 3 < after.time_s - lost.time_s < 15


def test_a_connection_cut_in_mid_frame(units, port):
    with (
        serving(port, units),
        Proxy(port) as line,
        open_source(f"rtsp://127.0.0.1:{line.port}/table") as source,
    ):
        take_frames(source, 20)
        for pause_s in (0, 2):
            line.cut()
            take(source, is_lost)
            time.sleep(pause_s)
            line.mend()
            assert time_to_recovery(source) < RECOVERY_S


def test_a_line_that_goes_silent(units, port):
    with (
        serving(port, units),
        Proxy(port) as line,
        open_source(f"rtsp://127.0.0.1:{line.port}/table") as source,
    ):
        take_frames(source, 20)
        line.is_held = True
        assert take(source, is_lost)[-1].reason
        time.sleep(1)
        line.mend()
        assert time_to_recovery(source) < RECOVERY_S


def test_garbage_in_the_stream(units, port):
    with (
        serving(port, units),
        Proxy(port) as line,
        open_source(f"rtsp://127.0.0.1:{line.port}/table") as source,
    ):
        take_frames(source, 20)
        for size in (1, 700, 60_000):
            line.garbage = np.random.default_rng(size).bytes(size)
            verify_healthy(take(source, Recovered(), patience_s=2 * RECOVERY_S))


class Recovered:
    """True of a healthy frame after trouble, or where there is no trouble for as long as recovery may take."""

    def __init__(self):
        self._until_s, self._had_trouble = time.monotonic() + RECOVERY_S, False

    def __call__(self, item):
        is_healthy = isinstance(item, Frame) and not item.faults
        self._had_trouble |= not is_healthy
        assert time.monotonic() < self._until_s or is_healthy
        return is_healthy and (self._had_trouble or time.monotonic() > self._until_s)


def test_a_password_opens_the_stream_and_is_never_shown(units, port, monkeypatch):
    secret = "s3cret@/:%"
    address = f"rtsp://dealer:${{CAM_PASSWORD}}@127.0.0.1:{port}/table"
    with serving(port, units, "dealer", secret):
        monkeypatch.setenv("CAM_PASSWORD", secret)
        with open_source(address) as source:
            take_frames(source, 1)
            arguments = Path(f"/proc/{child_of(source)}/cmdline").read_text()
            assert "s3cret" not in arguments + repr(source) + source.name
        monkeypatch.setenv("CAM_PASSWORD", "s3cret")
        with open_source(address) as source:
            lost = take(source, is_lost)[-1]
    assert isinstance(lost, SourceLost)
    assert "401" in lost.reason
    assert "s3cret" not in repr(lost)
