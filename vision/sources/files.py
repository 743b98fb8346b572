"""Video files, frame by frame: none is left out, as fast as the machine allows.

In: a path. Out: `VideoFileSource`. Times are the file's own stamps from its first frame on, at whatever rate; where
stamps are missing, its stated rate fills in. A file that was cut off gives what it still holds.
"""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
from av.container import InputContainer
from av.video.stream import VideoStream

from vision.frame import Frame
from vision.sources.clock import FootageClock
from vision.sources.decode import MOST_PIXELS, DecodedFrame, Decoder, to_bgr
from vision.sources.health import Health
from vision.sources.source import Item, SourceError, SourceLost, StoredSource

_ATTACHED_PICTURE = 1024  # a song's cover is a stream of one frame
_NO_VIDEO = ("tty",)  # plain text, which the library would draw as pictures
_USUAL_RATE = Fraction(25)


class VideoFileSource(StoredSource):
    """The frames of a video file; may be read more than once."""

    def __init__(self, path: str | Path, *, threads: int = 1) -> None:
        """`threads` of the decoder: more are faster, but may fill the holes of a damaged file differently each time."""
        self.path = Path(path)
        self._threads = threads
        with _open(self.path) as container:
            _video_stream(self.path, container)

    @property
    def name(self) -> str:
        """The path."""
        return str(self.path)

    def __iter__(self) -> Iterator[Item]:
        clock, health = FootageClock(), Health()
        number, time_s = 0, 0.0
        with _open(self.path) as container:
            stream = _video_stream(self.path, container)
            stream.codec_context.thread_count = self._threads
            stream.codec_context.thread_type = "AUTO"
            interval_s = float(1 / (stream.average_rate or stream.guessed_rate or _USUAL_RATE))
            try:
                for decoded in _decode(container, stream):
                    time = clock.time_of(decoded.stamp, interval_s)
                    picture, time_s = to_bgr(decoded.frame), time.time_s
                    faults = health.faults_of(
                        picture, time_s, is_damaged=decoded.is_damaged, is_repeated=time.is_repeated
                    )
                    yield Frame(picture, number, time_s, faults)
                    number += 1
            except av.error.FFmpegError as error:
                yield SourceLost(f"the rest of the file cannot be read: {error.strerror}", time_s)
                return
        if number == 0:
            yield SourceLost("the file holds no picture that can be decoded", 0.0)


def _open(path: Path) -> InputContainer:
    # The prefix and the list: a file whose name has a colon, or that names an address, never reaches for the network.
    try:
        return av.open(f"file:{path}", "r", container_options={"protocol_whitelist": "file"}, metadata_errors="replace")
    except (av.error.FFmpegError, OSError) as error:
        raise SourceError(f"{path} cannot be opened as video ({error.strerror}); give a whole video file") from error


def _video_stream(path: Path, container: InputContainer) -> VideoStream:
    streams = [stream for stream in container.streams.video if not stream.disposition.value & _ATTACHED_PICTURE]
    if container.format.name in _NO_VIDEO or not streams or streams[0].codec_context is None:
        raise SourceError(f"{path} holds no video that can be decoded; give a video file, such as MP4 or MKV")
    width, height = streams[0].width, streams[0].height
    if width * height > MOST_PIXELS:
        raise SourceError(
            f"{path} claims {width}×{height} pixels; give one of at most {MOST_PIXELS // 1_000_000} million"
        )
    return streams[0]


def _decode(container: InputContainer, stream: VideoStream) -> Iterator[DecodedFrame]:
    decoder = Decoder()
    for packet in container.demux(stream):
        yield from decoder.frames(packet)
