"""Photographs and wallpapers to lay cards on, fetched by `make decks` and never committed.

In: unpacked wallpaper packages. Out: pictures of at most 1600 pixels in the cache, split by the hash of their content.
"""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np

from datasets.decks.art import SPLITS
from datasets.decks.cache import cache_folder
from datasets.errors import DatasetError

LARGEST_PX = 1600
_SMALLEST_PX = 600
_JPEG_QUALITY = 90
_HASH_PX = 8
_SUFFIXES = (".jpg", ".jpeg", ".png")


def _split_of(picture: np.ndarray) -> str:
    """By what the picture shows, so that one photograph at two sizes is in one split; a tenth each is held out."""
    grey = cv2.cvtColor(cv2.resize(picture, (_HASH_PX, _HASH_PX), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    # Two levels, above or below the middle, forgive the small differences of scaling.
    bits = np.packbits(grey > np.median(grey)).tobytes()
    return ("test", "validation", *["train"] * 8)[sha256(bits).digest()[0] % 10]


def backgrounds(split: str) -> list[Path]:
    """The pictures of a split that are present, in a fixed order; none is normal before `make decks`."""
    if split not in SPLITS:
        raise DatasetError(f"{split!r} is no split; use {', '.join(SPLITS)}")
    return sorted((cache_folder("backgrounds") / split).glob("*.jpg"))


def _store(path: Path, package: str) -> None:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None or min(picture.shape[:2]) < _SMALLEST_PX:
        return
    scale = min(1.0, LARGEST_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    folder = cache_folder("backgrounds") / _split_of(small)
    folder.mkdir(parents=True, exist_ok=True)
    name = sha256(small.tobytes()).hexdigest()[:12]
    cv2.imwrite(str(folder / f"{package}-{name}.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])


def is_stored(package: str) -> bool:
    """Whether the pictures of a package are in the cache."""
    return (cache_folder("backgrounds") / f"{package}.done").is_file()


def store_backgrounds(package: str, fetch: Callable[[], Path]) -> None:
    """Scale a package's pictures into the cache; `fetch` gives its unpacked folder."""
    folder = fetch()
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in _SUFFIXES and path.is_file() and not path.is_symlink():
            _store(path, package)
    done = cache_folder("backgrounds") / f"{package}.done"
    done.parent.mkdir(parents=True, exist_ok=True)
    done.touch()
