"""The committed list of package decks: where each comes from, its licence, its drawing and its split.

In: `datasets/data/decks.toml`. Out: `Entry` and `Source`, checked.
"""

import json
import tomllib
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from datasets.decks.art import SPLITS, TWO_CORNERS
from datasets.errors import DatasetError

DATA = Path(__file__).parent.parent / "data"
_RENDERING = 1  # raised when rendering changes, so that cached art is made anew
_KINDS = ("sheet", "ids", "files")
_STORES = ("debian", "npm", "pypi")


@dataclass(frozen=True, slots=True)
class Source:
    """One package to fetch."""

    name: str
    store: str  # of _STORES
    package: str  # with its version, as the store's tool wants it
    holds: str  # "decks", "fonts" or "backgrounds"
    licence: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One package deck. Words for ranks go from 2 to the ace, those for suits are clubs, diamonds, hearts, spades."""

    name: str
    source: str
    kind: str  # "sheet": 13 by 5 cards on one page; "ids": elements of one SVG; "files": one file a card
    path: str
    drawing: str
    split: str
    licence: str
    identify: bool = True
    index_corners: tuple[str, ...] = TWO_CORNERS
    ranks: tuple[str, ...] = ()
    suits: tuple[str, ...] = ()
    back: str = ""
    page: bool = False  # the card is the whole page, its paper left transparent
    trim_mm: float = 0.0  # cut off all around, where a printed outline would show
    radius_mm: float = 3.2
    notes: str = field(default="", compare=False)

    @property
    def recipe(self) -> str:
        """A digest of all that the rendered art depends on."""
        told = {
            key: value for key, value in asdict(self).items() if key not in ("split", "licence", "notes", "drawing")
        }
        return sha256(json.dumps([_RENDERING, told], sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All sources and package decks."""

    sources: tuple[Source, ...]
    decks: dict[str, Entry]


def _entry(row: dict[str, Any]) -> Entry:
    words: dict[str, tuple[str, ...]] = {key: tuple(str(row[key]).split()) for key in ("ranks", "suits") if key in row}
    if "index_corners" in row:
        words["index_corners"] = tuple(row["index_corners"])
    try:
        entry = Entry(**{**row, **words})
    except TypeError as error:
        raise DatasetError(f"decks.toml: deck {row.get('name')!r}: {error}") from error
    if entry.split not in SPLITS or entry.kind not in _KINDS:
        raise DatasetError(f"decks.toml: deck {entry.name}: split {entry.split!r} or kind {entry.kind!r} is unknown")
    return entry


@lru_cache(maxsize=1)
def read_catalogue() -> Catalogue:
    """The committed catalogue."""
    table = tomllib.loads((DATA / "decks.toml").read_text(encoding="utf-8"))
    sources = tuple(Source(**row) for row in table["source"])
    entries = [_entry(row) for row in table["deck"]]
    decks = {entry.name: entry for entry in entries}
    if len(decks) != len(entries):
        raise DatasetError("decks.toml names a deck twice")
    if unknown := {entry.source for entry in entries} - {source.name for source in sources}:
        raise DatasetError(f"decks.toml: decks come from sources that are not listed: {sorted(unknown)}")
    if strange := {source.store for source in sources} - set(_STORES):
        raise DatasetError(f"decks.toml: {sorted(strange)} are no stores; use {', '.join(_STORES)}")
    return Catalogue(sources, decks)
