"""Values of a table file, taken key by key and checked; a wrong one is named with its place and what to write.

In: what `tomllib` read of a table file. Out: texts, numbers and points of the right type. Each known key is taken
once; what is left over at the end is unknown, and said so.
"""

import math
from dataclasses import dataclass

from vision.errors import TableFileError

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the file from which each known key is taken once; what is left is unknown."""

    where: str
    content: dict[str, object]

    def section(self, key: str) -> "Section":
        """The part under this key."""
        value = self._take(key)
        if not isinstance(value, dict):
            raise self._wrong(key, value, f"a section [{key}]")
        return Section(f"{self.where}: [{key}]", dict(value))

    def sections(self, key: str) -> list["Section"]:
        """The parts of a list of tables."""
        value = self._take(key)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self._wrong(key, value, f"sections [[{key}]]")
        return [Section(f"{self.where}: [[{key}]] {i}", dict(item)) for i, item in enumerate(value, 1)]

    def text(self, key: str, default: str | None = None) -> str:
        """A text that is not blank."""
        value = self._take(key, default)
        if not isinstance(value, str) or not value.strip():
            raise self._wrong(key, value, "a text in quotes")
        return value

    def whole(self, key: str) -> int:
        """A whole number."""
        value = self._take(key)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong(key, value, "a whole number")
        return value

    def number(self, key: str) -> float:
        """A number."""
        return self._as_number(key, self._take(key))

    def numbers(self, key: str, count: int, default: object = None) -> tuple[float, ...]:
        """So many numbers."""
        value = self._take(key, default)
        if not isinstance(value, list | tuple) or len(value) != count:
            raise self._wrong(key, value, f"a list of {count} numbers")
        return tuple(self._as_number(key, item) for item in value)

    def pair(self, key: str, default: object = None) -> tuple[float, float]:
        """Two numbers."""
        first, second = self.numbers(key, 2, default)
        return first, second

    def points(self, key: str, default: object = None) -> Points:
        """A list of points."""
        value = self._take(key, default)
        if not isinstance(value, list | tuple):
            raise self._wrong(key, value, "a list of points [x, y]")
        return tuple(Section(self.where, {key: point}).pair(key) for point in value)

    def verify_nothing_left(self) -> None:
        """Raise when a key was never taken: it is misspelt or means nothing."""
        if self.content:
            key = next(iter(self.content))
            raise TableFileError(f"{self.where}: {key!r} is not a known key; remove it or correct its spelling")

    def __contains__(self, key: str) -> bool:
        return key in self.content

    def _take(self, key: str, default: object = None) -> object:
        if key not in self.content and default is None:
            raise TableFileError(f"{self.where}: {key!r} is missing; add it")
        return self.content.pop(key, default)

    def _as_number(self, key: str, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self._wrong(key, value, "numbers")
        return float(value)

    def _wrong(self, key: str, value: object, wanted: str) -> TableFileError:
        return TableFileError(f"{self.where}: {key} = {value!r} is wrong; write {wanted}")
