"""What a source of frames is, whatever its kind.

Out of each: one iterator of `Frame`, and of `SourceLost` and `SourceBack` where pictures are missing in between. A
source that cannot be opened at all is a `SourceError`; one that was open and fails says so in the iterator.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from vision.errors import VisionError
from vision.frame import Frame


class SourceError(VisionError):
    """A source that cannot be opened; the message never holds a password."""


@dataclass(frozen=True, slots=True)
class SourceLost:
    """No more pictures for now, or ever, since this time of the footage."""

    reason: str
    time_s: float


@dataclass(frozen=True, slots=True)
class SourceBack:
    """Pictures again, from this time of the footage."""

    time_s: float


Item = Frame | SourceLost | SourceBack


class Source(Protocol):
    """Frames in order of their times; a context manager that leaves nothing behind."""

    @property
    def name(self) -> str:
        """What was opened, fit to be shown: no password."""
        ...

    @property
    def is_live(self) -> bool:
        """Whether it goes on while nobody looks."""
        ...

    @property
    def skipped(self) -> int:
        """Frames that came and went before anybody asked for them; only a live source has any."""
        ...

    def __iter__(self) -> Iterator[Item]: ...

    def close(self) -> None:
        """End it; an iterator that waits for a frame then ends too."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class StoredSource:
    """What all sources that lie on a disk have in common: they wait, and hold nothing open between two readings."""

    is_live = False
    skipped = 0

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
