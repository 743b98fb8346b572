"""A progress line for long work: on a terminal it shows how far and how long still, in a pipe it is quiet."""

import sys
import time
from types import TracebackType
from typing import Self


class Progress:
    """Call it with how many are done of how many; use it as a context so that the line is cleared."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._start = time.monotonic()
        self._is_shown = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        """Show how far the work is."""
        if not self._is_shown:
            return
        elapsed = time.monotonic() - self._start
        left = elapsed / done * (total - done) if done else 0.0
        filled = 30 * done // total if total else 30
        bar = "█" * filled + "·" * (30 - filled)
        remaining = f"{int(left) // 60}:{int(left) % 60:02} left" if done < total else "done"
        print(f"\r{bar} {done}/{total} {self._what}, {remaining}  ", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_shown:
            print(file=sys.stderr)
