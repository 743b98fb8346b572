"""Live sources against a camera that fails in every way, on 127.0.0.1, and the process and memory behind them."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.streams import HttpCamera, number_in
from vision.frame import Frame
from vision.sources.capture_process import Limits
from vision.sources.open import open_source
from vision.sources.slot import FrameSlot, SlotState
from vision.sources.source import SourceBack, SourceLost

LIMITS = Limits(open_s=2, read_s=1.5, first_frame_s=4, longest_wait_s=0.5)
PATIENCE_S = 30  # a busy machine; what the source promises is measured apart


def take(source, is_last, patience_s=PATIENCE_S):
    """The items up to the one that `is_last`."""
    items, until_s = [], time.monotonic() + patience_s
    watch = threading.Timer(patience_s, source.close)
    watch.start()
    try:
        for item in source:
            items.append(item)
            if is_last(item):
                return items
    finally:
        watch.cancel()
    raise AssertionError(f"nothing for {time.monotonic() - until_s + patience_s:.0f} s after {items[-3:]}")


def take_frames(source, count):
    seen = []
    return take(source, lambda item: isinstance(item, Frame) and (seen.append(item) or len(seen) == count))


def is_lost(item):
    return isinstance(item, SourceLost)


def is_back(item):
    return isinstance(item, SourceBack)


def child_of(source):
    return source._process.pid


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(is_so, patience_s=PATIENCE_S):
    until_s = time.monotonic() + patience_s
    while not is_so() and time.monotonic() < until_s:
        time.sleep(0.02)
    return is_so()


@pytest.fixture
def camera():
    with HttpCamera() as running:
        yield running


@pytest.fixture
def source(camera):
    with open_source(camera.address, limits=LIMITS) as opened:
        yield opened


def test_frames_come_in_order_with_rising_times(source):
    frames = take_frames(source, 20)
    numbers, times = [number_in(f.picture_bgr) for f in frames], [f.time_s for f in frames]
    assert [frame.number for frame in frames] == list(range(20))
    assert numbers == sorted(set(numbers))
    assert times == sorted(set(times))
    assert times[0] == 0
    assert numbers[-1] - numbers[0] == 19 + source.skipped
    assert {frame.faults for frame in frames} == {()}


def test_the_newest_frame_wins_and_the_skipped_are_counted(camera, source):
    first = take_frames(source, 1)[-1]
    time.sleep(1.5)
    second = take_frames(source, 1)[-1]
    behind = camera.number - number_in(second.picture_bgr)
    assert behind <= 5, "no queue of old frames"
    assert source.skipped == number_in(second.picture_bgr) - number_in(first.picture_bgr) - 1 > 10
    assert (second.number, second.time_s > 1) == (1, True)


BREAKS = [
    pytest.param("cut", id="connection closed"),
    pytest.param("hang", id="connection hangs"),
    pytest.param("garbage", id="no pictures any more"),
]


@pytest.mark.parametrize("mode", BREAKS)
def test_a_stream_that_breaks_is_lost_and_comes_back(camera, source, mode):
    before = take_frames(source, 10)[-1]
    camera.mode = mode
    lost = take(source, is_lost)[-1]
    time.sleep(1)
    camera.mode = "play"
    returned_s = time.monotonic()
    items = take(source, is_back)
    took_s = time.monotonic() - returned_s
    assert len(items) == 1, "nothing between lost and back"
    after = take_frames(source, 1)[-1]
    assert took_s < 5
    assert before.time_s <= lost.time_s < items[-1].time_s <= after.time_s
    assert after.time_s - before.time_s > 1, "the gap is as long as it was"
    assert after.number >= before.number + 1
    assert lost.reason


def test_a_camera_that_is_not_there_yet(camera):
    camera.mode = "refuse"
    with open_source(camera.address, limits=LIMITS) as source:
        (lost,) = take(source, is_lost)
        assert (lost.time_s, bool(lost.reason)) == (0.0, True)
        camera.mode = "play"
        back, frame = take_frames(source, 1)
        assert (back, frame.number, frame.time_s) == (SourceBack(0.0), 0, 0.0)


def test_a_loss_that_nobody_watched_is_told(camera, source):
    take_frames(source, 3)
    camera.mode = "cut"
    assert wait_until(lambda: source._slot.state.is_lost)
    camera.mode = "play"
    assert wait_until(lambda: not source._slot.state.is_lost)
    items = take_frames(source, 1)
    kinds = [type(item) for item in items]
    assert kinds in ([SourceLost, SourceBack, Frame], [Frame, SourceLost, SourceBack, Frame])
    assert [item.time_s for item in items] == sorted(item.time_s for item in items)


def test_attempts_are_spaced(camera):
    camera.mode = "refuse"
    with open_source(camera.address, limits=LIMITS) as source:
        take(source, is_lost)
        time.sleep(3)
        assert 4 <= camera.connections <= 14


def test_a_frozen_picture_is_told(camera, source):
    source._health._frozen_after_s = 0.5
    camera.mode = "freeze"
    frames = take(source, lambda item: isinstance(item, Frame) and "frozen" in item.faults)
    assert {"repeated", "frozen"} == set(frames[-1].faults)


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "hung in a driver"])
def test_a_capture_process_that_fails_is_replaced(source, kind):
    before = take_frames(source, 5)[-1]
    first = child_of(source)
    os.kill(first, kind)
    lost = take(source, is_lost)[-1]
    assert "the capture process" in lost.reason
    back, after = take_frames(source, 1)
    assert before.time_s <= lost.time_s < back.time_s <= after.time_s
    assert not is_alive(first)
    assert child_of(source) != first


# What the slot says at one look and at the next, and what the source tells of it


def at(losses, is_lost, frames=0):
    return SlotState(frames=frames, losses=losses, is_lost=is_lost, is_whole=frames > 0, time_s=frames, reason="why")


LOOKS = [
    pytest.param(at(0, False), at(0, False), "", id="nothing"),
    pytest.param(at(0, False), at(0, False, 1), "frame", id="a frame"),
    pytest.param(at(0, False), at(1, True, 1), "frame lost", id="a last frame and the loss"),
    pytest.param(at(1, True), at(1, True), "", id="still lost"),
    pytest.param(at(1, True), at(1, False, 1), "back frame", id="back"),
    pytest.param(at(0, False), at(1, False, 1), "lost back frame", id="lost and back between two looks"),
    pytest.param(at(1, True), at(2, True, 1), "back frame lost", id="back and lost again"),
    pytest.param(at(1, True), at(2, False, 1), "back frame", id="back, lost, and back"),
]


@pytest.mark.parametrize(("seen", "state", "expected"), LOOKS)
def test_what_happened_between_two_looks(source, seen, state, expected):
    names = {Frame: "frame", SourceLost: "lost", SourceBack: "back"}
    source._seen = seen
    picture = np.zeros((20, 20, 3), np.uint8) if state.frames else None
    assert " ".join(names[type(item)] for item in source._items_of(state, picture)) == expected


# What is left behind: nothing


def own_memory():
    maps = Path("/proc/self/maps").read_text().count("foursight-frame")
    return maps, len(list(Path("/proc/self/fd").iterdir())), threading.active_count()


def test_closing_leaves_nothing_behind(camera):
    before = own_memory(), sorted(Path("/dev/shm").iterdir())
    with open_source(camera.address, limits=LIMITS) as source:
        take_frames(source, 3)
        process = child_of(source)
        assert own_memory()[0] > 0
    source.close()
    assert not is_alive(process)
    assert list(source) == []
    assert wait_until(lambda: own_memory()[2] <= before[0][2] + 1, 5), "the camera's own thread may still send"
    assert own_memory()[:2] <= (before[0][0], before[0][1] + 1)
    assert sorted(Path("/dev/shm").iterdir()) == before[1]


def test_an_iterator_that_waits_ends_when_the_source_is_closed(camera):
    camera.mode = "hang"
    source = open_source(camera.address, limits=Limits(open_s=20, read_s=20))
    threading.Timer(0.5, source.close).start()
    started_s = time.monotonic()
    assert list(source) == []
    assert time.monotonic() - started_s < 5


PARENT = """
import os
import sys
import time
from vision.sources.capture_process import Limits
from vision.sources.open import open_source
source = open_source(sys.argv[1], limits=Limits(open_s=60, read_s=60))
if sys.argv[2] == "inherited" and os.fork() == 0:
    time.sleep(8)
    os._exit(0)
for item in source:
    print(source._process.pid, flush=True)
"""


@pytest.mark.parametrize("way", ["alone", "inherited"], ids=["pipe closes", "another process holds the pipe"])
def test_a_hanging_capture_process_dies_with_a_killed_parent(camera, way):
    shared = sorted(Path("/dev/shm").iterdir())
    command = [sys.executable, "-c", PARENT, camera.address, way]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        process = int(parent.stdout.readline())
        camera.mode = "hang"
        time.sleep(0.2)
        assert is_alive(process)
        parent.send_signal(signal.SIGKILL)
    assert wait_until(lambda: not is_alive(process), 5)
    assert sorted(Path("/dev/shm").iterdir()) == shared


def test_no_password_anywhere(camera, monkeypatch, capfd):
    monkeypatch.setenv("CAM_PASSWORD", "hidden&77")
    address = camera.address.replace("//", "//me:${CAM_PASSWORD}@")
    camera.mode = "refuse"
    with open_source(address, limits=LIMITS) as source:
        lost = take(source, is_lost)[-1]
        arguments = Path(f"/proc/{child_of(source)}/cmdline").read_text()
        shown = [repr(source), str(source), source.name, repr(lost), arguments, *capfd.readouterr()]
        assert source.name == address
        assert not [text for text in shown if "hidden" in text]


# The shared slot


def test_an_empty_slot():
    slot = FrameSlot()
    assert slot.take(0) == (SlotState(), None)
    slot.close()


def test_a_slot_holds_the_newest_of_any_size():
    ours = FrameSlot()
    theirs = FrameSlot(os.dup(ours.fd))
    for frames, (height, width) in enumerate([(4, 6), (400, 600), (5, 5)], 1):
        theirs.put(SlotState(frames=frames, reason="é" * 300), np.full((height, width, 3), frames, np.uint8))
        state, picture = ours.take(frames - 1)
        assert (picture.shape, set(picture.ravel().tolist())) == ((height, width, 3), {frames})
        assert (state.frames, state.reason) == (frames, "é" * 240)
        assert ours.take(frames)[1] is None
    ours.close()
    theirs.close()


def test_a_picture_that_was_not_written_to_its_end_is_not_taken():
    slot = FrameSlot()
    state = slot.put(SlotState(frames=1), np.zeros((4, 4, 3), np.uint8))
    slot.update(replace(state, frames=2, is_whole=False))
    assert slot.take(1)[1] is None
    slot.close()


WRITER = """
import sys
import numpy as np
from vision.sources.slot import FrameSlot, SlotState
slot = FrameSlot(int(sys.argv[1]))
print("ready", flush=True)
for frames in range(1, 101):
    slot.put(SlotState(frames=frames), np.full((240, 320, 3), frames, np.uint8))
"""


def test_no_picture_is_torn_between_two_processes():
    slot, seen, until_s = FrameSlot(), 0, time.monotonic() + PATIENCE_S
    command = [sys.executable, "-c", WRITER, str(slot.fd)]
    with subprocess.Popen(command, pass_fds=[slot.fd], stdout=subprocess.PIPE, text=True) as writer:
        with slot._locked():
            assert writer.stdout.readline() == "ready\n"
            time.sleep(0.3)
            assert slot._read().frames == 0, "whoever comes second waits"
        while seen < 100 and time.monotonic() < until_s:
            state, picture = slot.take(seen)
            if picture is not None:
                assert (picture == state.frames).all()
                seen = state.frames
    assert (writer.returncode, seen) == (0, 100)
    slot.close()
