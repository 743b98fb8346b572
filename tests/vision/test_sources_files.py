"""Video files: every frame with its own time, whatever the file went through."""

import io
import struct
from fractions import Fraction
from itertools import pairwise

import av
import numpy as np
import pytest

from tests.vision.streams import FPS, SIZE_WH, make_picture, make_video, number_in
from vision.frame import Frame
from vision.sources.files import VideoFileSource
from vision.sources.source import SourceError, SourceLost

STAMPS = range(0, 2000, 40)


def read(path, content, **more):
    path.write_bytes(content)
    return list(VideoFileSource(path, **more))


def frames_of(items):
    return [item for item in items if isinstance(item, Frame)]


FORMATS = [
    pytest.param("matroska", "mkv", id="Matroska"),
    pytest.param("mp4", "mp4", id="MP4"),
    pytest.param("mpegts", "ts", id="MPEG-TS, begins at 1.4 s"),
    pytest.param("flv", "flv", id="FLV"),
    pytest.param("h264", "h264", id="raw H.264, no stamps"),
]


@pytest.mark.parametrize(("format", "suffix"), FORMATS)
def test_every_frame_comes_with_its_time(tmp_path, format, suffix):
    frames = read(tmp_path / f"a.{suffix}", make_video(STAMPS, format=format))
    assert [number_in(frame.picture_bgr) for frame in frames] == list(range(50)) == [f.number for f in frames]
    assert [frame.time_s for frame in frames] == [number / FPS for number in range(50)]
    assert {frame.faults for frame in frames} == {()}


def test_a_file_may_be_read_twice_and_in_more_threads(tmp_path):
    path = tmp_path / "a.mkv"
    path.write_bytes(make_video(STAMPS))
    source = VideoFileSource(path)
    for other in (source, VideoFileSource(path, threads=2)):
        for one, two in zip(source, other, strict=True):
            assert (one.picture_bgr == two.picture_bgr).all()
            assert (one.number, one.time_s) == (two.number, two.time_s)


def test_frames_may_come_at_any_rate(tmp_path):
    stamps = [500, 520, 521, 900, 4200, 4210]
    frames = read(tmp_path / "a.mkv", make_video(stamps))
    assert [frame.time_s for frame in frames] == [0.0, 0.02, 0.021, 0.4, 3.7, 3.71]


def test_frames_out_of_order_in_the_file_come_in_order(tmp_path):
    more = {"preset": "medium", "tune": "film", "bf": "3"}
    frames = read(tmp_path / "a.mp4", make_video(STAMPS, format="mp4", more=more))
    assert [number_in(frame.picture_bgr) for frame in frames] == list(range(50))
    assert [frame.time_s for frame in frames] == [number / FPS for number in range(50)]


def test_files_joined_end_to_end_go_on(tmp_path):
    once = make_video(range(0, 400, 40), format="mpegts")
    frames = frames_of(read(tmp_path / "a.ts", once + once))
    times = [frame.time_s for frame in frames]
    assert len(frames) == 20
    assert all(a < b for a, b in pairwise(times))
    assert 0.6 < times[-1] < 1.2


@pytest.mark.parametrize(("format", "suffix"), FORMATS)
@pytest.mark.parametrize("seed", range(6))
def test_a_file_cut_off_anywhere_gives_what_it_holds(tmp_path, format, suffix, seed):
    content = make_video(STAMPS, format=format, key_every=1, movflags="frag_keyframe+empty_moov")
    keep = int(np.random.default_rng(seed).integers(len(content) // 4, len(content)))
    items = read(tmp_path / f"a.{suffix}", content[:keep])
    whole = [frame for frame in frames_of(items) if "corrupted" not in frame.faults]
    assert len(whole) >= 50 * keep // len(content) - 3
    assert [number_in(frame.picture_bgr) for frame in whole] == list(range(len(whole)))
    assert all(isinstance(item, Frame) for item in items[:-1]), "a loss only at the end"


@pytest.mark.parametrize(("format", "suffix"), [row for row in FORMATS if row.values[0] != "flv"])
def test_damage_spoils_the_frames_up_to_the_next_key_frame(tmp_path, format, suffix):
    content = bytearray(make_video(STAMPS, format=format, key_every=10))
    middle = len(content) // 2
    content[middle : middle + 60] = np.random.default_rng(1).bytes(60)
    frames = frames_of(read(tmp_path / f"a.{suffix}", bytes(content)))
    spoilt = [frame.number for frame in frames if "corrupted" in frame.faults]
    assert len(frames) == 50
    assert 1 <= len(spoilt) <= 20
    assert spoilt == list(range(spoilt[0], spoilt[-1] + 1))
    assert (spoilt[-1] + 1) % 10 == 0, "ends with a key frame"


def test_the_same_damage_gives_the_same_pictures(tmp_path):
    content = bytearray(make_video(STAMPS, format="mp4"))
    middle = len(content) // 2
    content[middle : middle + 60] = np.random.default_rng(1).bytes(60)
    first, second = (read(tmp_path / "a.mp4", bytes(content)) for _ in range(2))
    assert all((a.picture_bgr == b.picture_bgr).all() for a, b in zip(first, second, strict=True))


def test_a_still_picture_is_told(tmp_path):
    pictures = [make_picture(0)] * 30
    frames = read(
        tmp_path / "a.mkv", make_video(range(0, 6000, 200), pictures=pictures, key_every=1000, more={"qp": "0"})
    )
    assert [frame.faults for frame in frames[:2]] == [(), ("repeated",)]
    assert {frame.faults for frame in frames if frame.time_s >= 5} == {("repeated", "frozen")}


def test_a_turned_file_is_turned_back(tmp_path):
    content = bytearray(make_video(STAMPS[:3], format="mp4"))
    matrix = content.index(b"tkhd") + 4 + 40  # a phone held upright: a quarter turn clockwise
    content[matrix : matrix + 36] = struct.pack(">9i", 0, 1 << 16, 0, -(1 << 16), 0, 0, 0, 0, 1 << 30)
    frames = read(tmp_path / "a.mp4", bytes(content))
    assert frames[2].size_wh == SIZE_WH[::-1]
    assert [number_in(np.rot90(frame.picture_bgr)) for frame in frames] == [0, 1, 2]


def _sound():
    file = io.BytesIO()
    with av.open(file, "w", format="wav") as container:
        stream = container.add_stream("pcm_s16le", rate=8000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 800), np.int16), format="s16", layout="mono")
        frame.rate, frame.pts, frame.time_base = 8000, 0, Fraction(1, 8000)
        container.mux(stream.encode(frame))
    return file.getvalue()


NO_VIDEO = [
    pytest.param(b"", id="empty"),
    pytest.param(b"hello\n" * 100, id="text"),
    pytest.param(np.random.default_rng(3).bytes(5000), id="noise"),
    pytest.param(make_video(STAMPS, format="mp4")[:3000], id="MP4 that lost its index"),
    pytest.param(_sound(), id="sound alone"),
    pytest.param(b"#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n#EXT-X-ENDLIST\n", id="a list of addresses"),
]


@pytest.mark.parametrize("suffix", ["mp4", "txt", "m3u8"])
@pytest.mark.parametrize("content", NO_VIDEO)
def test_what_is_no_video_is_refused_in_one_sentence(tmp_path, content, suffix):
    path = tmp_path / f"a:b.{suffix}"
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        VideoFileSource(path)
    assert str(caught.value).startswith(f"{path} ")
    assert "; give a" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_without_a_picture_says_so(tmp_path):
    content = bytearray(make_video(STAMPS[:5]))
    start = content.index(bytes.fromhex("1f43b675")) + 30  # where Matroska's header ends and its first frame begins
    content[start:] = bytes(len(content) - start)
    items = read(tmp_path / "a.mkv", bytes(content))
    assert items == [SourceLost("the file holds no picture that can be decoded", 0.0)]


def test_a_file_that_ends_in_an_error_says_so(tmp_path, monkeypatch):
    path = tmp_path / "a.mkv"
    path.write_bytes(make_video(STAMPS[:10]))
    items = iter(VideoFileSource(path))
    first = next(items)
    monkeypatch.setattr("vision.sources.files.to_bgr", _fail)
    assert (first.number, list(items)) == (0, [SourceLost("the rest of the file cannot be read: no more", 0.0)])


def _fail(_):
    raise av.error.InvalidDataError(1, "no more")


def test_a_file_of_too_many_pixels_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("vision.sources.files.MOST_PIXELS", 1000)
    with pytest.raises(SourceError, match="claims 320×240 pixels"):
        read(tmp_path / "a.mkv", make_video(STAMPS[:2]))
