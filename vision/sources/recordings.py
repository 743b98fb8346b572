"""Our own recordings as a source: frames with the numbers and times they were recorded with.

In: a recording's folder, perhaps cut off. Out: `RecordingSource`.
"""

from collections.abc import Iterator
from pathlib import Path

from vision.frame import Frame
from vision.recording import open_recording
from vision.sources.health import Health
from vision.sources.source import Item, SourceLost, StoredSource


class RecordingSource(StoredSource):
    """The frames of a recording, or a piece of them; may be read more than once."""

    def __init__(
        self, folder: str | Path, *, from_s: float | None = None, to_s: float | None = None, threads: int = 1
    ) -> None:
        """`from_s` <= time < `to_s`; the same pictures wherever reading starts."""
        self.recording = open_recording(folder)
        self._from_s, self._to_s, self._threads = from_s, to_s, threads

    @property
    def name(self) -> str:
        """The folder's path."""
        return str(self.recording.folder)

    def __iter__(self) -> Iterator[Item]:
        health = Health()
        for frame in self.recording.frames(self._from_s, self._to_s, self._threads):
            faults = health.faults_of(frame.image_bgr, frame.time_s)
            yield Frame(frame.image_bgr, frame.number, frame.time_s, faults)
        if not self.recording.frame_count:
            yield SourceLost("the recording holds no whole second of video", 0.0)
