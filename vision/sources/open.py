"""The one door to every kind of source.

In: what a person writes behind `--source`, or a table file as its camera's source:

    0                       the first camera of this machine
    /dev/video2             a camera by its device
    rtsp://10.0.0.12/main   a camera on the network; also rtsps, http and https
    evening.mp4             a video file
    frames/                 a folder of images
    recordings/table-12/    a recording of ours

Out: a `Source`, open. What is none of these is refused in one sentence.
"""

import re
from pathlib import Path

from vision.recording import MANIFEST
from vision.sources.address import Address, has_scheme
from vision.sources.capture_process import Limits
from vision.sources.files import VideoFileSource
from vision.sources.images import ImageFolderSource
from vision.sources.live import LiveSource
from vision.sources.recordings import RecordingSource
from vision.sources.source import Source, SourceError

_INDEX = re.compile(r"[0-9]{1,2}")
_DEVICES = "/dev/"


def open_source(
    text: str, *, size_wh: tuple[int, int] | None = None, limits: Limits | None = None, threads: int = 1
) -> Source:
    """Open a source. `size_wh`: asked of a camera of this machine; `limits` of live sources, `threads` of files."""
    if not text.strip():
        raise SourceError("the source is empty; give a camera's number or address, a video file or a folder")
    if _INDEX.fullmatch(text):
        return _open_device(f"{_DEVICES}video{text}", size_wh, limits)
    if text.startswith(_DEVICES):
        return _open_device(text, size_wh, limits)
    if has_scheme(text):
        return _open_address(Address.parse(text), limits)
    path = Path(text)
    if path.is_dir():
        return RecordingSource(path, threads=threads) if (path / MANIFEST).exists() else ImageFolderSource(path)
    if path.is_file():
        return VideoFileSource(path, threads=threads)
    raise SourceError(f"{text} is not there; give a camera's number or address, a video file or a folder")


def _open_address(address: Address, limits: Limits | None) -> LiveSource:
    limits = limits or Limits()
    options = {
        "rtsp_transport": "tcp",  # over UDP a lost packet is a spoilt picture
        "timeout": str(round(limits.read_s * 1_000_000)),  # of the socket, for what the library does unasked
        "analyzeduration": "500000",  # what comes meanwhile is kept: it may hold the only key frame for seconds
    }
    return LiveSource(address, attempts=(options,), limits=limits)


def _open_device(path: str, size_wh: tuple[int, int] | None, limits: Limits | None) -> LiveSource:
    size = {"video_size": "{}x{}".format(*size_wh)} if size_wh else {}
    # Most cameras give large pictures at full rate only as JPEG; those that do not are asked for what they have.
    attempts: tuple[dict[str, str], ...] = ({"input_format": "mjpeg"} | size, size, {})
    return LiveSource(Address(path, path, ()), format="v4l2", attempts=attempts, limits=limits)
