"""The pieces of a fragmented MP4 file: which of them are whole, where they begin, how many frames they hold.

In: a file, perhaps cut off anywhere. Out: `FragmentedVideo`, the header and the whole fragments, and a reader that
plays from any of them: each begins with a key frame and says its own time, so that the header and a fragment are a
video of their own.
"""

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from vision.errors import VisionError

_CONTAINERS = (b"moof", b"traf")


@dataclass(frozen=True, slots=True)
class Fragment:
    """One `moof` and its `mdat`: a second of video."""

    start: int  # bytes from the file's start
    end: int
    first_frame: int
    frames: int


@dataclass(frozen=True, slots=True)
class FragmentedVideo:
    """The whole parts of a video file."""

    path: Path
    header_end: int  # the bytes before it describe the stream
    fragments: tuple[Fragment, ...]
    is_finished: bool  # nothing follows the whole fragments but what closes a file

    @property
    def frames(self) -> int:
        """The number of frames in whole fragments."""
        return self.fragments[-1].first_frame + self.fragments[-1].frames if self.fragments else 0

    def fragment_of(self, frame: int) -> Fragment:
        """The fragment that holds a frame."""
        for fragment in self.fragments:
            if fragment.first_frame <= frame < fragment.first_frame + fragment.frames:
                return fragment
        raise VisionError(f"{self.path}: frame {frame} is not in its {self.frames} frames")

    def reader_from(self, fragment: Fragment) -> io.BufferedIOBase:
        """The file as if it began with this fragment and ended with the last whole one."""
        spans = [(0, self.header_end), (fragment.start, self.fragments[-1].end)]
        return io.BufferedReader(_Spans(self.path.open("rb"), spans))


def read_fragments(path: Path) -> FragmentedVideo:
    """Find the whole fragments of a file."""
    header_end, frames = 0, 0
    fragments: list[Fragment] = []
    moof: tuple[int, int] | None = None  # its start and its number of frames
    size = path.stat().st_size
    with path.open("rb") as file:
        for kind, start, body, end in _boxes(file, 0, size):
            if end > size:
                break
            if kind == b"moov":
                header_end = end
            elif kind == b"moof":
                moof = (start, _count_frames(file, body, end))
            elif kind == b"mdat" and moof is not None:
                fragments.append(Fragment(moof[0], end, frames, moof[1]))
                frames, moof = frames + moof[1], None
            elif kind == b"mfra":
                return FragmentedVideo(path, header_end, tuple(fragments), is_finished=end == size)
    return FragmentedVideo(path, header_end, tuple(fragments), is_finished=False)


def _boxes(file: BinaryIO, start: int, limit: int) -> Iterator[tuple[bytes, int, int, int]]:
    """Each box's kind, start, start of its content, and end, which may lie beyond the limit."""
    while start + 8 <= limit:
        file.seek(start)
        length, kind = struct.unpack(">I4s", file.read(8))
        body = start + 8
        if length == 1 and start + 16 <= limit:
            (length,) = struct.unpack(">Q", file.read(8))
            body = start + 16
        if length < body - start:
            return  # no box at all: the file was damaged here
        yield kind, start, body, start + length
        start += length


def _count_frames(file: BinaryIO, start: int, end: int) -> int:
    count = 0
    for kind, _, body, stop in _boxes(file, start, end):
        if kind in _CONTAINERS:
            count += _count_frames(file, body, stop)
        elif kind == b"trun":
            file.seek(body + 4)
            count += struct.unpack(">I", file.read(4))[0]
    return count


class _Spans(io.RawIOBase):
    """Parts of a file read one after the other, as if they were all of it."""

    def __init__(self, file: BinaryIO, spans: list[tuple[int, int]]) -> None:
        self._file = file
        self._spans = spans
        self._at = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        offset = self._at
        for start, end in self._spans:
            if offset < end - start:
                self._file.seek(start + offset)
                piece = self._file.read(min(len(buffer), end - start - offset))
                buffer[: len(piece)] = piece
                self._at += len(piece)
                return len(piece)
            offset -= end - start
        return 0

    def close(self) -> None:
        self._file.close()
        super().close()
