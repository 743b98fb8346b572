"""Fonts for the indices of drawn decks: the committed list with its split, and the fetched files.

In: `datasets/data/fonts.toml` and unpacked packages. Out: names of a split, and the path of a font that was fetched.
A deck's look is chosen from the list, not from what is there: fetching more fonts never changes another seed's deck.
"""

import shutil
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from datasets.decks.cache import cache_folder
from datasets.decks.catalogue import DATA, Source
from datasets.decks.pen import SIGNS
from datasets.decks.ranks import font_sign, open_font
from datasets.errors import DatasetError

_ALIKE = 0.97  # correlation above which two signs are one, as the empty boxes of a font without figures are
_INK = (0.08, 0.85)  # share of a sign's box that is ink


@dataclass(frozen=True, slots=True)
class Font:
    """One font file; fonts of one design are in one split."""

    file: str
    design: str
    split: str
    package: str
    licence: str


@lru_cache(maxsize=1)
def read_fonts() -> tuple[Font, ...]:
    """The committed list."""
    table = tomllib.loads((DATA / "fonts.toml").read_text(encoding="utf-8"))
    return tuple(
        Font(package=package["name"], licence=package["licence"], **row)
        for package in table["package"]
        for row in package["fonts"]
    )


@lru_cache(maxsize=4)
def font_names(split: str) -> tuple[str, ...]:
    """File names of a split's fonts, whether fetched or not."""
    return tuple(font.file for font in read_fonts() if font.split == split)


def font_design(file: str) -> str:
    """The design that a font file belongs to."""
    return next(font.design for font in read_fonts() if font.file == file)


def font_path(file: str) -> Path | None:
    """Where a font lies; None when it has not been fetched."""
    path = cache_folder("fonts") / file
    return path if path.is_file() else None


def font_sources() -> tuple[Source, ...]:
    """The packages that hold the fonts."""
    licences = {font.package: font.licence for font in read_fonts()}
    return tuple(Source(name, "debian", name, "fonts", licence) for name, licence in licences.items())


def verify_font(path: Path) -> None:
    """Raise unless all figures and letters of an index are there and are different signs."""
    font = open_font(path)
    vectors = []
    for sign in SIGNS:
        mask = font_sign(font, sign)
        if not _INK[0] < mask.mean() / 255 < _INK[1]:
            raise DatasetError(f"the font {path.name} has no usable {sign!r}")
        small = cv2.resize(mask, (16, 24), interpolation=cv2.INTER_AREA).astype(np.float64).ravel()
        vectors.append((small - small.mean()) / max(float(np.linalg.norm(small - small.mean())), 1e-9))
    alike = np.triu(np.array(vectors) @ np.array(vectors).T, 1)
    if alike.max() > _ALIKE:
        first, second = divmod(int(alike.argmax()), len(SIGNS))
        raise DatasetError(f"the font {path.name} draws {SIGNS[first]!r} and {SIGNS[second]!r} alike")


def missing_fonts(package: str) -> tuple[Font, ...]:
    """The package's fonts that are not in the cache."""
    return tuple(font for font in read_fonts() if font.package == package and font_path(font.file) is None)


def store_fonts(package: str, fetch: Callable[[], Path]) -> None:
    """Copy a package's listed fonts into the cache; `fetch` gives its unpacked folder."""
    folder = fetch()
    cache_folder("fonts").mkdir(parents=True, exist_ok=True)
    for font in missing_fonts(package):
        found = [path for path in sorted(folder.rglob(font.file)) if not path.is_symlink()]
        if not found:
            raise DatasetError(f"the package {package} no longer holds {font.file}")
        verify_font(found[0])
        shutil.copyfile(found[0], cache_folder("fonts") / font.file)
