"""Sources that lie on a disk, the one door to all, and the parts that live ones share: clock, address, health."""

import shutil
from fractions import Fraction

import cv2
import numpy as np
import pytest

from tests.vision.streams import SIZE_WH, make_picture, make_video, number_in
from vision.camera import Camera
from vision.errors import VisionError
from vision.frame import Frame
from vision.recording import RecordingWriter
from vision.sources.address import Address
from vision.sources.clock import FootageClock
from vision.sources.files import VideoFileSource
from vision.sources.health import Health
from vision.sources.images import ImageFolderSource
from vision.sources.live import LiveSource
from vision.sources.open import open_source
from vision.sources.recordings import RecordingSource
from vision.sources.source import SourceBack, SourceError, SourceLost
from vision.table import default_table


def frame_numbers(items):
    return [number_in(item.picture_bgr) for item in items if isinstance(item, Frame)]


# Frames


def test_a_frame_cannot_be_changed():
    frame = Frame(make_picture(1), 0, 0.0)
    assert (frame.size_wh, frame.faults) == (SIZE_WH, ())
    with pytest.raises(ValueError, match="read-only"):
        frame.picture_bgr[0, 0] = 0


WRONG_FRAMES = [
    pytest.param((np.zeros((4, 4), np.uint8), 0, 0.0), "give BGR", id="grey"),
    pytest.param((np.zeros((4, 4, 3), np.float32), 0, 0.0), "give BGR", id="not 8 bits"),
    pytest.param((np.zeros((4, 4, 3), np.uint8), -1, 0.0), "count from 0", id="number below 0"),
    pytest.param((np.zeros((4, 4, 3), np.uint8), 0, float("nan")), "count from 0", id="no time"),
]


@pytest.mark.parametrize(("values", "message"), WRONG_FRAMES)
def test_a_wrong_frame(values, message):
    with pytest.raises(VisionError, match=message):
        Frame(*values)


# The clock: rows of (stamp, elapsed), None a new session, and the expected times


TIMES = [
    pytest.param([(7, 9.0)], [0.0], id="begins at 0"),
    pytest.param([("1.4", 0), ("1.44", 1), ("1.45", 1), ("2", 1)], [0.0, 0.04, 0.05, 0.6], id="stamps at any rate"),
    pytest.param([(None, 0), (None, 0.04), (None, 0.5)], [0.0, 0.04, 0.54], id="no stamps"),
    pytest.param([(1, 0), (None, 0.04), ("1.08", 9)], [0.0, 0.04, 0.08], id="one stamp missing"),
    pytest.param([(1, 0), (1, 0.04), (1, 0.04), ("1.04", 1)], [0.0, 0.001, 0.002, 0.04], id="same stamp"),
    pytest.param([(50, 0), (51, 1), (3, 0.5), (4, 1)], [0.0, 1.0, 1.5, 2.5], id="stamps begin anew"),
    pytest.param([(5, 0), None, (90000, 2.5), (90001, 1)], [0.0, 2.5, 3.5], id="reconnected"),
    pytest.param([(5, 0), None, (5, 2.5)], [0.0, 2.5], id="reconnected, same stamp"),
    pytest.param([(5, 0), (14, 0.1), (30, 0.1)], [0.0, 9.0, 9.1], id="a burst, then a leap"),
    pytest.param([(5, 0), None, (5, 0.0)], [0.0, 0.001], id="always rises"),
]


@pytest.mark.parametrize(("rows", "expected"), TIMES)
def test_the_time_of_the_footage(rows, expected):
    clock, times = FootageClock(most_ahead_s=10), []
    for row in rows:
        if row is None:
            clock.new_session()
        else:
            stamp, elapsed_s = row
            times.append(clock.time_of(None if stamp is None else Fraction(stamp), elapsed_s).time_s)
    assert times == expected


def test_a_clock_goes_on_after_an_earlier_one():
    clock = FootageClock(last_time_s=12.5)
    assert clock.time_of(Fraction(3), 1.25).time_s == 13.75


# Addresses and their passwords


SECRET = "p@ss:w/rd#1 ü"
QUOTED = "p%40ss%3Aw%2Frd%231%20%C3%BC"
ADDRESSES = [
    pytest.param("rtsp://10.0.0.12/s1", "rtsp://10.0.0.12/s1", "rtsp://10.0.0.12/s1", id="no password"),
    pytest.param(
        "rtsp://me:${CAM}@h:554/s?x=1", "rtsp://me:${CAM}@h:554/s?x=1", f"rtsp://me:{QUOTED}@h:554/s?x=1", id="by name"
    ),
    pytest.param("http://h/v?key=${CAM}", "http://h/v?key=${CAM}", f"http://h/v?key={QUOTED}", id="in the query"),
    pytest.param("rtsp://me:open@h/s", "rtsp://me:***@h/s", "rtsp://me:open@h/s", id="written out"),
    pytest.param("rtsp://me:o@p:en@h/s", "rtsp://me:***@h/s", "rtsp://me:o@p:en@h/s", id="written out with an @"),
    pytest.param("rtsp://me:a${CAM}@h/s", "rtsp://me:***@h/s", f"rtsp://me:a{QUOTED}@h/s", id="half by name"),
    pytest.param("rtsp://me:o/p@h/s", "rtsp://me:***@h/s", "rtsp://me:o/p@h/s", id="written out with a slash"),
    pytest.param("rtsp://h:554/a@b", "rtsp://h:554/a@b", "rtsp://h:554/a@b", id="an @ in the path"),
    pytest.param("rtsp://me@h/s", "rtsp://me@h/s", "rtsp://me@h/s", id="user alone"),
]


@pytest.mark.parametrize(("text", "shown", "full"), ADDRESSES)
def test_a_password_is_sent_and_not_shown(text, shown, full):
    address = Address.parse(text, {"CAM": SECRET})
    assert (address.shown, address.full) == (shown, full)
    for secret in (SECRET, QUOTED, "open", "o@p:en", "o/p"):
        assert secret not in repr(address) + str(address)
        if secret in full:
            assert secret not in address.hide(f"cannot open {full}")
    if "${CAM}" in text:
        assert SECRET not in address.hide(f"wrong password {SECRET}")


@pytest.mark.parametrize("environment", [{}, {"CAM": ""}], ids=["not set", "empty"])
def test_a_password_that_is_not_there(environment):
    with pytest.raises(SourceError, match=r"rtsp://me:\*\*\*@h/s names the variable CAM, which is not set"):
        Address.parse("rtsp://me:open${CAM}@h/s", environment)


# Folders of images


@pytest.fixture
def images(tmp_path):
    for number, name in enumerate(["f-2.png", "f-10.png", "F-11.PNG", "g.jpg"]):
        cv2.imwrite(str(tmp_path / name), make_picture(number))
    (tmp_path / "notes.txt").write_text("not a picture")
    return tmp_path


def test_images_come_in_the_order_of_their_numbers(images):
    frames = list(ImageFolderSource(images, fps=10))
    assert frame_numbers(frames) == [0, 1, 2, 3]
    assert [(frame.number, frame.time_s) for frame in frames] == [(0, 0.0), (1, 0.1), (2, 0.2), (3, 0.3)]


def test_images_that_cannot_be_read_are_a_gap(images):
    for name in ("f-10.png", "F-11.PNG"):
        (images / name).write_bytes(b"nothing")
    first, lost, back, last = ImageFolderSource(images, fps=10)
    assert (first.number, last.number) == (0, 1)
    assert isinstance(lost, SourceLost)
    assert lost.time_s == 0.1
    assert "f-10.png is no picture" in lost.reason
    assert back == SourceBack(0.3)


# Recordings


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings") / "one"
    camera = Camera.from_pose((0, 560, 2700), (0, 560), 360, SIZE_WH)
    with RecordingWriter(folder, default_table("four-card-poker", 6, "south-dakota", camera), fps=10) as writer:
        for number in range(15):
            writer.write(make_picture(number), 0.5 + number / 10)
    return folder


def test_a_recording_keeps_its_numbers_and_times(recording):
    frames = list(RecordingSource(recording))
    assert frame_numbers(frames) == list(range(15)) == [frame.number for frame in frames]
    assert [frame.time_s for frame in frames] == [0.5 + number / 10 for number in range(15)]
    assert {frame.faults for frame in frames} == {()}
    part = list(RecordingSource(recording, from_s=1.05, to_s=1.45))
    assert [frame.number for frame in part] == [6, 7, 8, 9]


# The one door


@pytest.fixture
def places(tmp_path, recording):
    (tmp_path / "film.mkv").write_bytes(make_video(range(0, 200, 40)))
    (tmp_path / "stills").mkdir()
    cv2.imwrite(str(tmp_path / "stills" / "1.png"), make_picture(1))
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.txt").write_text("hello\n" * 50)
    shutil.copytree(recording, tmp_path / "recording")
    return tmp_path


KINDS = [
    pytest.param("film.mkv", VideoFileSource, id="video file"),
    pytest.param("stills", ImageFolderSource, id="folder of images"),
    pytest.param("recording", RecordingSource, id="recording"),
]


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_the_kind_is_told_apart(places, name, kind):
    with open_source(str(places / name)) as source:
        assert type(source) is kind
        assert (source.name, source.is_live, source.skipped) == (str(places / name), False, 0)
        assert isinstance(next(iter(source)), Frame)


LIVE_KINDS = [
    pytest.param("0", "/dev/video0", id="camera index"),
    pytest.param("/dev/video97", "/dev/video97", id="device"),
    pytest.param("rtsp://127.0.0.1:9/s", "rtsp://127.0.0.1:9/s", id="RTSP"),
    pytest.param("HTTPS://127.0.0.1:9/s", "HTTPS://127.0.0.1:9/s", id="HTTPS"),
]


@pytest.mark.parametrize(("text", "name"), LIVE_KINDS)
def test_a_live_source_opens_also_while_nothing_is_there(text, name):
    with open_source(text) as source:
        assert isinstance(source, LiveSource)
        assert (source.name, source.is_live) == (name, True)


REFUSED = [
    pytest.param("", "the source is empty", id="empty"),
    pytest.param(" ", "the source is empty", id="blank"),
    pytest.param("{}/nothing.mp4", "is not there", id="missing"),
    pytest.param("{}/empty", "holds no images", id="folder without images"),
    pytest.param("{}/text.txt", "holds no video|cannot be opened as video", id="text file"),
    pytest.param("ftp://host/film.mp4", "ftp:// is no kind of source", id="other scheme"),
    pytest.param("rtsp://${NO_SUCH_PASSWORD}@h/", "NO_SUCH_PASSWORD, which is not set", id="password not set"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_what_is_no_source_is_refused(places, text, message):
    with pytest.raises(SourceError, match=message):
        open_source(text.format(places) if text.startswith("{}") else text)


# Health: a row is a sequence of (picture, time, what the decoder said), and the expected faults of each


def noisy(seed, light=1.0):
    noise = np.random.default_rng(seed).normal(0, 2, (*SIZE_WH[::-1], 3))
    return np.clip(make_picture(7) * light + noise, 0, 255).astype(np.uint8)


def flat(colour, share=1.0):
    picture = noisy(0)
    picture[: round(share * SIZE_WH[1])] = colour
    return picture


def almost(picture):
    changed = picture.copy()
    changed[101, 77, 1] ^= 1
    return changed


HEALTH = [
    pytest.param([], [], id="nothing"),
    pytest.param([(noisy(1), 0, {}), (noisy(2), 9, {})], [(), ()], id="a still table with noise"),
    pytest.param([(noisy(1, 0.15), 0, {})], [()], id="a dim table"),
    pytest.param([(noisy(1, 0.02), 0, {})], [("black",)], id="lens covered"),
    pytest.param([(flat(0), 0, {})], [("black",)], id="no signal"),
    pytest.param([(flat(130), 0, {})], [("corrupted",)], id="grey fill"),
    pytest.param([(flat(128, 0.3), 0, {})], [("corrupted",)], id="grey fill in part"),
    pytest.param([(flat(130, 0.1), 0, {})], [()], id="a small grey thing"),
    pytest.param([(flat((0, 135, 0), 0.5), 0, {})], [("corrupted",)], id="green fill"),
    pytest.param([(flat((40, 110, 30)), 0, {})], [()], id="green felt"),
    pytest.param([(flat((0, 130, 0)), 0, {}), (flat(77), 1, {})], [(), ()], id="colours that are no fill"),
    pytest.param([(noisy(1), 0, {"is_damaged": True})], [("corrupted",)], id="the decoder says so"),
    pytest.param([(noisy(1), 0, {}), (noisy(2), 1, {"is_repeated": True})], [(), ("repeated",)], id="same stamp"),
    pytest.param([(noisy(1), 0, {}), (almost(noisy(1)), 9, {})], [(), ()], id="one bit differs"),
    pytest.param(
        [(noisy(1), 1, {}), (noisy(1), 3, {}), (noisy(1), 5.9, {}), (noisy(1), 6, {}), (noisy(2), 7, {})],
        [(), ("repeated",), ("repeated",), ("repeated", "frozen"), ()],
        id="frozen after 5 s",
    ),
    pytest.param(
        [(noisy(1), 0, {}), (noisy(1), 4, {}), (noisy(2), 5, {}), (noisy(2), 9, {})],
        [(), ("repeated",), (), ("repeated",)],
        id="two short pauses",
    ),
    pytest.param([(noisy(1), 0, {}), (noisy(1)[:200], 9, {})], [(), ()], id="another size"),
]


@pytest.mark.parametrize(("rows", "expected"), HEALTH)
def test_the_faults_of_pictures(rows, expected):
    health = Health()
    assert [health.faults_of(picture, time_s, **said) for picture, time_s, said in rows] == expected
