"""A folder of images as if it were footage.

In: a folder. Out: `ImageFolderSource`: its pictures in the order a person would count their names, each one interval
after the other. A picture that cannot be read is a gap in the footage, never silently left out.
"""

import math
import re
from collections.abc import Iterator
from pathlib import Path

from vision.frame import Frame
from vision.pictures import PictureError, read_picture
from vision.sources.health import Health
from vision.sources.source import Item, SourceBack, SourceError, SourceLost, StoredSource

SUFFIXES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})


class ImageFolderSource(StoredSource):
    """The pictures of one folder, not of those inside it."""

    def __init__(self, folder: str | Path, *, fps: float = 25.0) -> None:
        """`fps`: how many pictures make a second of footage."""
        self.folder = Path(folder)
        self._fps = fps
        if not 0 < fps < math.inf:
            raise SourceError(f"{fps} pictures a second is wrong; give a number above 0")
        if not self.folder.is_dir():
            raise SourceError(f"{self.folder} is no folder; give one that holds images")
        found = [path for path in self.folder.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file()]
        self._paths = sorted(found, key=_count_order)
        if not self._paths:
            raise SourceError(f"{self.folder} holds no images; put in {', '.join(sorted(SUFFIXES))}")

    @property
    def name(self) -> str:
        """The folder's path."""
        return str(self.folder)

    def __iter__(self) -> Iterator[Item]:
        health = Health(frozen_after_s=math.inf)  # stills may rest
        is_lost, number = False, 0
        for place, path in enumerate(self._paths):
            time_s = place / self._fps
            try:
                picture = read_picture(path)
            except PictureError as error:
                if not is_lost:
                    yield SourceLost(str(error), time_s)
                is_lost = True
                continue
            if is_lost:
                yield SourceBack(time_s)
                is_lost = False
            yield Frame(picture, number, time_s, health.faults_of(picture, time_s))
            number += 1


def _count_order(path: Path) -> tuple[list[tuple[int, str]], str]:
    """'frame9' before 'frame10'."""
    parts = re.findall(r"[0-9]+|[^0-9]+", path.name.lower())
    return [(int(part), "") if part[0] in "0123456789" else (-1, part) for part in parts], path.name
