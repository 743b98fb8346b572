"""A recording: a folder with a table's video, the time of every frame, and what was seen or really happened.

    manifest.json   format version, table, deck, camera, sha256 of every other file
    table.toml      the table as it was
    video.mp4       H.264, fragmented: one fragment a second, each begins with a key frame
    times.jsonl     every frame's number and time
    events.jsonl    what was observed
    truth.jsonl     from the simulator: the same events as they really happened, and one `round` line a round

In: frames with their times (`RecordingWriter`), a folder (`open_recording`). Out: that folder; `Recording`, its frames.
The writer may be killed at any moment: what it leaves opens up to its last whole second. The same frames give the
same bytes: the encoder runs in one thread and nothing of the clock is stored.
"""

import hashlib
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import IO, Self, cast

import av
import cv2
import numpy as np
from av.container import OutputContainer
from av.video.frame import PictureType, VideoFrame
from av.video.stream import VideoStream
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.events import Event, read_lines, write_events
from vision.mp4 import Fragment, FragmentedVideo, read_fragments
from vision.table import Table, load_table

Picture = NDArray[np.uint8]

FORMAT_VERSION = 1
MANIFEST, TABLE, VIDEO = "manifest.json", "table.toml", "video.mp4"
TIMES, EVENTS, TRUTH = "times.jsonl", "events.jsonl", "truth.jsonl"
ENCODER_PRESETS = ("ultrafast", "superfast", "veryfast", "faster", "fast", "medium")

_TIME_BASE = Fraction(1, 90_000)
_BT601 = 6  # the matrix of OpenCV's conversion, ten times faster than that of swscale; players read the tag
_BT709 = 1
_LIMITED_RANGE = 1
_MP4_OPTIONS = {"movflags": "frag_keyframe+empty_moov+default_base_moof", "flush_packets": "1"}


@dataclass(frozen=True, slots=True, eq=False)
class RecordedFrame:
    """One frame of a recording."""

    number: int
    time_s: float
    image_bgr: Picture


class RecordingWriter:
    """Writes a recording frame by frame; a context manager. After an error inside it the recording stays cut off."""

    def __init__(
        self,
        folder: str | Path,
        table: Table,
        *,
        fps: float,
        size_wh: tuple[int, int] | None = None,
        deck: str | None = None,
        camera: str | None = None,
        bit_rate: int = 4_000_000,
        preset: str = "veryfast",
    ) -> None:
        self.folder = Path(folder)
        self.size_wh = table.camera.size_wh if size_wh is None else size_wh
        self.frames = 0
        self._last_time_s = -1.0
        if any(side % 2 for side in self.size_wh) or preset not in ENCODER_PRESETS or fps <= 0:
            raise VisionError(
                f"cannot record {self.size_wh} pixels at {fps} frames a second with preset {preset!r}: sides are even, "
                f"presets are {', '.join(ENCODER_PRESETS)}"
            )
        if self.size_wh != table.camera.size_wh:
            raise VisionError(
                f"frames of {self.size_wh} pixels do not fit a table seen at {table.camera.size_wh}; "
                "give the table the camera that records it"
            )
        _make_empty_folder(self.folder)
        self._manifest = _first_manifest(table, deck, camera, self.size_wh, fps, bit_rate)
        (self.folder / TABLE).write_text(table.to_toml(), encoding="utf-8")
        _write_manifest(self.folder, self._manifest)
        self._lines: dict[str, IO[str]] = {}
        self._open = ExitStack()
        for name in (TIMES, EVENTS):
            self._lines_of(name)
        self._container, self._stream = _open_video(
            self.folder / VIDEO, self.size_wh, Fraction(fps).limit_denominator(1001), bit_rate, preset
        )

    def write(self, frame_bgr: Picture, time_s: float) -> int:
        """Add a frame, later than the one before; gives its number."""
        width, height = self.size_wh
        if frame_bgr.shape != (height, width, 3) or frame_bgr.dtype != np.uint8:
            raise VisionError(
                f"a frame of {frame_bgr.shape} {frame_bgr.dtype} does not fit this recording of {width}×{height}; "
                "give BGR uint8 of that size"
            )
        if not 0 <= time_s < math.inf or _tick(time_s) <= _tick(self._last_time_s):
            raise VisionError(
                f"frame {self.frames} at {time_s} s is not after the one at {self._last_time_s} s; drop it"
            )
        number = self.frames
        # The time goes first: a cut-off recording then has a time for every frame of its video.
        self.line(TIMES, {"frame": number, "time_s": time_s})
        planes = np.asarray(cv2.cvtColor(frame_bgr, cv2.COLOR_BGR2YUV_I420), np.uint8)
        frame = VideoFrame.from_ndarray(planes, format="yuv420p")
        frame.pts, frame.time_base = _tick(time_s), _TIME_BASE
        is_new_second = int(time_s) > int(self._last_time_s) or number == 0
        frame.pict_type = PictureType.I if is_new_second else PictureType.NONE
        self._container.mux(self._stream.encode(frame))
        self.frames, self._last_time_s = number + 1, time_s
        return number

    def event(self, event: Event) -> None:
        """Add what was observed."""
        self._write_line(EVENTS, event.to_json())

    def truth(self, truth: Event | Mapping[str, object]) -> None:
        """Add what really happened: an event, or a round's line."""
        if isinstance(truth, Event):
            self._write_line(TRUTH, truth.to_json())
        else:
            self.line(TRUTH, truth)

    def line(self, file: str, record: Mapping[str, object]) -> None:
        """Add a JSON line to one of the recording's files."""
        text = json.dumps(record, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        self._write_line(file, text)

    def close(self) -> None:
        """Finish the video and complete the manifest."""
        self._close_files()
        files = {path.name: _sha256(path) for path in sorted(self.folder.iterdir()) if path.name != MANIFEST}
        done = {"state": "complete", "frames": self.frames, "files": files}
        _write_manifest(self.folder, self._manifest | done)

    def _close_files(self) -> None:
        with self._open:
            self._container.mux(self._stream.encode(None))
            self._container.close()

    def _write_line(self, name: str, text: str) -> None:
        file = self._lines_of(name)
        file.write(text + "\n")
        file.flush()

    def _lines_of(self, name: str) -> IO[str]:
        if name not in self._lines:
            if Path(name).suffix != ".jsonl" or Path(name).name != name:
                raise VisionError(f"{name!r} is no file of lines in a recording; name it like 'truth.jsonl'")
            path = self.folder / name
            self._lines[name] = self._open.enter_context(path.open("w", encoding="utf-8", newline="\n"))
        return self._lines[name]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self._close_files()


@dataclass(frozen=True, eq=False)
class Recording:
    """A recording that is open for reading. `is_cut_off`: its writer never finished, or the video lost its end."""

    folder: Path
    manifest: Mapping[str, object]
    table: Table
    times_s: NDArray[np.float64]  # (frames,), rising
    is_cut_off: bool
    _video: FragmentedVideo

    @property
    def frame_count(self) -> int:
        """How many frames can be read."""
        return len(self.times_s)

    @property
    def duration_s(self) -> float:
        """The time of the last frame."""
        return float(self.times_s[-1]) if self.frame_count else 0.0

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What was observed."""
        return self._events_of(EVENTS)

    @cached_property
    def truth(self) -> tuple[Event, ...]:
        """What really happened, when the recording knows."""
        return self._events_of(TRUTH)

    @cached_property
    def truth_rounds(self) -> tuple[Mapping[str, object], ...]:
        """The `round` lines of the truth: the settlement's input and what the dealer paid."""
        return tuple(record for record in self.lines(TRUTH) if record.get("event") == "round")

    def lines(self, file: str) -> tuple[dict[str, object], ...]:
        """The JSON lines of one of the recording's files; none when there is no such file."""
        return tuple(record for _, record in self._lines_of(file))

    def frames(
        self, from_s: float | None = None, to_s: float | None = None, threads: int = 1
    ) -> Iterator[RecordedFrame]:
        """The frames with `from_s` <= time < `to_s`: the same pictures wherever reading starts."""
        first = 0 if from_s is None else int(np.searchsorted(self.times_s, from_s))
        last = self.frame_count if to_s is None else int(np.searchsorted(self.times_s, to_s))
        if first >= last:
            return
        fragment = self._video.fragment_of(first)
        number = fragment.first_frame
        for frame in self._decode(fragment, threads):
            if first <= number < last:
                yield RecordedFrame(number, float(self.times_s[number]), _to_bgr(frame))
            number += 1
            if number >= last:
                return
        raise VisionError(f"{self._video.path}: frame {number} of {last} cannot be decoded; the file is damaged")

    def __iter__(self) -> Iterator[RecordedFrame]:
        return self.frames()

    def _decode(self, fragment: Fragment, threads: int) -> Iterator[VideoFrame]:
        with self._video.reader_from(fragment) as file:
            try:
                with av.open(file, "r", format="mp4") as container:
                    stream = container.streams.video[0]
                    stream.codec_context.thread_count = threads
                    yield from container.decode(stream)
            except av.error.FFmpegError as error:
                raise VisionError(f"{self._video.path}: is damaged ({error}); check it with its hashes") from error

    def _events_of(self, name: str) -> tuple[Event, ...]:
        lines = self._lines_of(name)
        return tuple(Event.from_record(record, where) for where, record in lines if record.get("event") != "round")

    def _lines_of(self, name: str) -> list[tuple[str, dict[str, object]]]:
        path = self.folder / name
        return read_lines(path, may_be_cut=self.is_cut_off) if path.exists() else []


def open_recording(folder: str | Path) -> Recording:
    """Open a recording, also one that was cut off."""
    folder = Path(folder)
    manifest = _read_manifest(folder)
    for name in (TABLE, VIDEO, TIMES):
        if not (folder / name).exists():
            raise VisionError(f"{folder}: {name} is missing; this is no whole recording")
    video = read_fragments(folder / VIDEO)
    is_cut_off = manifest.get("state") != "complete" or manifest.get("frames") != video.frames
    times_s = _read_times(folder / TIMES, is_cut_off)
    if not is_cut_off and len(times_s) != video.frames:
        raise VisionError(f"{folder}: {len(times_s)} times for {video.frames} frames; the files do not belong together")
    frames = min(len(times_s), video.frames)
    return Recording(folder, manifest, load_table(folder / TABLE), times_s[:frames], is_cut_off, video)


def verify_recording(folder: str | Path) -> None:
    """Raise unless the recording is complete and every file is as it was written."""
    folder = Path(folder)
    manifest = _read_manifest(folder)
    if manifest.get("state") != "complete":
        raise VisionError(f"{folder}: was cut off while it was written, so it has no hashes to check")
    stated = cast(Mapping[str, str], manifest["files"])
    present = {path.name for path in folder.iterdir() if path.name != MANIFEST}
    if missing := sorted(set(stated) - present):
        raise VisionError(f"{folder}: {', '.join(missing)} is missing; copy the recording again")
    if added := sorted(present - set(stated)):
        raise VisionError(f"{folder}: {', '.join(added)} does not belong to the recording; take it out")
    changed = [name for name, sha256 in sorted(stated.items()) if _sha256(folder / name) != sha256]
    if changed:
        raise VisionError(f"{folder}: {', '.join(changed)} was changed after it was recorded; copy it again")


def keep_events(folder: str | Path, events: Iterable[Event]) -> None:
    """Replace what was observed in a complete recording, and enter the new file in its manifest."""
    folder = Path(folder)
    verify_recording(folder)
    write_events(folder / EVENTS, events)
    manifest = dict(_read_manifest(folder))
    files = {**cast(Mapping[str, str], manifest["files"]), EVENTS: _sha256(folder / EVENTS)}
    _write_manifest(folder, manifest | {"files": files})


def _open_video(
    path: Path, size_wh: tuple[int, int], fps: Fraction, bit_rate: int, preset: str
) -> tuple[OutputContainer, VideoStream]:
    container = av.open(str(path), "w", format="mp4", container_options=_MP4_OPTIONS)
    options = {
        "preset": preset,
        "tune": "zerolatency",  # no frame waits in the encoder, so a killed writer loses less than a second
        "profile": "high",
        "g": "100000",  # the writer asks for key frames itself, at each whole second
        "sc_threshold": "0",
        "forced-idr": "1",
        "qmax": "37",  # the encoder guesses the first second far too coarse otherwise
        "maxrate": str(bit_rate * 3 // 2),
        "bufsize": str(bit_rate * 2),
    }
    stream = container.add_stream("libx264", rate=fps, options=options)
    stream.width, stream.height, stream.pix_fmt = size_wh[0], size_wh[1], "yuv420p"
    stream.bit_rate, stream.time_base = bit_rate, _TIME_BASE
    codec = stream.codec_context
    codec.time_base, codec.thread_count = _TIME_BASE, 1
    codec.color_range, codec.colorspace = _LIMITED_RANGE, _BT601
    codec.color_primaries, codec.color_trc = _BT709, _BT709
    container.start_encoding()  # the header is on disk before the first frame
    return container, stream


def _to_bgr(frame: VideoFrame) -> Picture:
    if frame.format.name == "yuv420p" and frame.colorspace == _BT601 and frame.color_range == _LIMITED_RANGE:
        planes = frame.to_ndarray()
        return np.asarray(cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420), np.uint8)
    return np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)


def _tick(time_s: float) -> int:
    return round(time_s / _TIME_BASE)


def _make_empty_folder(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise VisionError(f"{folder}: is there already; give a folder that is new or empty")
    folder.mkdir(parents=True, exist_ok=True)


def _first_manifest(
    table: Table, deck: str | None, camera: str | None, size_wh: tuple[int, int], fps: float, bit_rate: int
) -> dict[str, object]:
    return {
        "format": "foursight-recording",
        "version": FORMAT_VERSION,
        "state": "recording",
        "table": {"name": table.name, "game": table.game, "profile": table.profile, "seats": table.seats},
        "deck": deck,
        "camera": {"preset": camera, "size_wh": list(size_wh), "fps": fps, "bit_rate": bit_rate},
    }


def _write_manifest(folder: Path, manifest: Mapping[str, object]) -> None:
    """Replace it in one step: there is never half a manifest."""
    fresh = folder / f".{MANIFEST}"
    with fresh.open("w", encoding="utf-8") as file:
        file.write(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(folder / MANIFEST)


def _read_manifest(folder: Path) -> Mapping[str, object]:
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise VisionError(f"{folder}: is no recording, its {MANIFEST} cannot be read ({error})") from error
    if not isinstance(manifest, dict) or manifest.get("format") != "foursight-recording":
        raise VisionError(f"{path}: is not the manifest of a recording")
    if manifest.get("version") != FORMAT_VERSION:
        raise VisionError(
            f"{path}: version {manifest.get('version')!r} is not the {FORMAT_VERSION} that this program reads; "
            "update the program"
        )
    return MappingProxyType(manifest)


def _read_times(path: Path, is_cut_off: bool) -> NDArray[np.float64]:
    """Times in order of frames."""
    times: list[float] = []
    for where, record in read_lines(path, may_be_cut=is_cut_off):
        time_s = record.get("time_s")
        if record.get("frame") != len(times) or not isinstance(time_s, int | float):
            raise VisionError(f"{where}: expected frame {len(times)} with its time_s, got {record}")
        if times and time_s <= times[-1]:
            raise VisionError(f"{where}: time_s {time_s} is not after {times[-1]}; times must rise")
        times.append(float(time_s))
    stored = np.array(times, float)
    stored.setflags(write=False)
    return stored


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
