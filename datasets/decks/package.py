"""Package decks: a package's pictures cut, scaled and checked into art, kept in the cache, and opened from there.

In: an `Entry` and its unpacked package. Out: `<name>.npy`, 53 pictures (52 faces by card number, then the back),
mapped into memory when the deck is opened, and `<name>.json`, written last, which says by which recipe it was made.
"""

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.art import ART_PX_PER_MM, Art, Deck, LazyFaces, patch_art
from datasets.decks.backs import draw_back
from datasets.decks.cache import cache_folder
from datasets.decks.canvas import rounded_corners
from datasets.decks.catalogue import Entry
from datasets.decks.drawn import drawn_style
from datasets.decks.render import SvgElements, read_svg, render_file, render_svg
from datasets.errors import DatasetError
from game.cards import DECK, SUITS, Card

HEIGHT_MM = 88
_RENDER_PX = 3 * HEIGHT_MM * ART_PX_PER_MM // 2  # larger than the art, averaged down
_SHEET_PX = 5 * HEIGHT_MM * ART_PX_PER_MM // 4  # of one card on a sheet; all 65 are rendered at once
_SHEET_COLUMNS, _SHEET_ROWS, _SHEET_BACK = 13, 5, 2
_ASPECT_SPREAD = 0.03  # how far one card's outline may be from its deck's
_OUTLINE_ALPHA = 128
_SAME_PICTURE = 30.0  # largest difference of grey levels below which two faces are the same picture
_SAME_INDEX = 0.8  # correlation above which two corners show the same index
_INK_CONTRAST = 12.0  # standard deviation of grey levels that an index leaves in its patch


def _sheet_cell(sheet: Art, row: int, column: int) -> Art:
    height, width = sheet.shape[0] / _SHEET_ROWS, sheet.shape[1] / _SHEET_COLUMNS
    return sheet[round(row * height) : round((row + 1) * height), round(column * width) : round((column + 1) * width)]


def _from_sheet(entry: Entry, folder: Path) -> Iterator[Art]:
    sheet = render_svg(read_svg(folder / entry.path), _SHEET_ROWS * _SHEET_PX)
    for card in DECK:
        yield _sheet_cell(sheet, SUITS.index(card.suit), (card.rank - 1) % 13)
    yield _sheet_cell(sheet, _SHEET_ROWS - 1, _SHEET_BACK)


def _words(entry: Entry, pattern: str, card: Card) -> str:
    suit = entry.suits[SUITS.index(card.suit)]
    rank = entry.ranks[card.rank - 2].format(suit=suit)
    number = int(rank) + int(suit) if "{number}" in pattern else 0
    return pattern.format(rank=rank, suit=suit, number=number)


def _from_ids(entry: Entry, folder: Path) -> Iterator[Art]:
    elements = SvgElements(folder / entry.path)
    for card in DECK:
        yield elements.render(_words(entry, "{rank}_{suit}", card), _RENDER_PX)
    yield elements.render(entry.back, _RENDER_PX) if entry.back else _own_back(entry)


def _from_files(entry: Entry, folder: Path) -> Iterator[Art]:
    for card in DECK:
        yield render_file(folder / _words(entry, entry.path, card), _RENDER_PX)
    yield render_file(folder / entry.back, _RENDER_PX) if entry.back else _own_back(entry)


def _own_back(entry: Entry) -> Art:
    """For a package without a back, or with one that shows faces."""
    return draw_back(drawn_style(int(sha256(entry.name.encode()).hexdigest()[:6], 16)))


_READERS: dict[str, Callable[[Entry, Path], Iterator[Art]]] = {
    "sheet": _from_sheet, "ids": _from_ids, "files": _from_files,
}  # fmt: skip


def _cut(art: Art, trim_mm: float, page: bool) -> Art:
    """The card without what lies outside its outline, and without its outermost `trim_mm`, corners included."""
    solid = np.pad(((art[..., 3] > _OUTLINE_ALPHA) | page).astype(np.uint8), 1)
    rows = np.flatnonzero(solid.any(axis=1))
    if not len(rows):
        raise DatasetError("a card's picture is empty")
    if trim_px := round(trim_mm / HEIGHT_MM * (rows[-1] + 1 - rows[0])):
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * trim_px + 1,) * 2)
        solid = np.asarray(cv2.erode(solid, disc, borderValue=0), np.uint8)
    rows, columns = np.flatnonzero(solid.any(axis=1)), np.flatnonzero(solid.any(axis=0))
    box = np.s_[rows[0] - 1 : rows[-1], columns[0] - 1 : columns[-1]]  # minus the padding
    return np.dstack([_on_paper(art)[box], solid[1:-1, 1:-1][box] * 255])


def _on_paper(art: Art) -> NDArray[np.uint8]:
    """BGR over white."""
    alpha = art[..., 3:].astype(np.uint16)
    return ((art[..., :3] * alpha + 255 * (255 - alpha)) // 255).astype(np.uint8)


def _scaled(art: Art, size_wh: tuple[int, int], rounded: NDArray[np.uint8]) -> Art:
    shrinks = art.shape[0] > size_wh[1]
    sized = cv2.resize(art[..., :3], size_wh, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC)
    alpha = cv2.resize(art[..., 3], size_wh, interpolation=cv2.INTER_AREA)
    return np.dstack([np.asarray(sized, np.uint8), np.minimum(np.asarray(alpha, np.uint8), rounded)])


def render_deck(entry: Entry, folder: Path) -> NDArray[np.uint8]:
    """The art of an entry (53, H, W, 4), checked; `folder` holds its unpacked package."""
    cuts = [_cut(art, entry.trim_mm, entry.page) for art in _READERS[entry.kind](entry, folder)]
    aspects = np.array([cut.shape[1] / cut.shape[0] for cut in cuts[:-1]])
    aspect = float(np.median(aspects))
    if np.abs(aspects / aspect - 1).max() > _ASPECT_SPREAD:
        odd = DECK[int(np.argmax(np.abs(aspects / aspect - 1)))]
        raise DatasetError(f"the outline of {odd} is not like the others ({aspects.min():.3f} to {aspects.max():.3f})")
    height = HEIGHT_MM * ART_PX_PER_MM
    size_wh = (round(height * aspect), height)
    rounded = rounded_corners(size_wh, entry.radius_mm * ART_PX_PER_MM)
    deck = np.stack([_scaled(cut, size_wh, rounded) for cut in cuts])
    verify_art(deck, entry)
    return deck


def verify_art(deck: NDArray[np.uint8], entry: Entry) -> None:
    """Raise unless there are 52 different faces with ink in the stated corners, and the back is none of them."""
    small = np.stack([cv2.resize(art[..., :3], (63, 88), interpolation=cv2.INTER_AREA) for art in deck]).astype(
        np.float32
    )
    for number in range(len(deck) - 1):
        distances = np.abs(small[number + 1 :] - small[number]).max(axis=(1, 2, 3))
        if distances.min() < _SAME_PICTURE:
            twin = number + 1 + int(distances.argmin())
            name = str(DECK[twin]) if twin < len(DECK) else "the back"
            raise DatasetError(f"{DECK[number]} and {name} are the same picture")
    for card in DECK:
        for corner in entry.index_corners:
            if patch_art(deck[card.index][..., :3], corner).std() < _INK_CONTRAST:
                raise DatasetError(f"{card} has nothing printed in its {corner} corner")
    _verify_corners(deck, entry)


def _verify_corners(deck: NDArray[np.uint8], entry: Entry) -> None:
    """Raise when an index stands in an upper right corner that is not stated: its cards would be labelled wrong."""
    if "upper-right" in entry.index_corners:
        return
    for text in ("2s", "3h"):
        grey = deck[Card.parse(text).index][..., :3].min(axis=2)
        height, width = grey.shape
        index = grey[round(0.02 * height) : round(0.25 * height), round(0.03 * width) : round(0.16 * width)]
        corner = grey[: round(0.32 * height), round(0.72 * width) :]
        if cv2.matchTemplate(corner, index, cv2.TM_CCOEFF_NORMED).max() > _SAME_INDEX:
            raise DatasetError(f"{text} has an index in its upper right corner, which the catalogue does not state")


def _art_path(name: str) -> Path:
    return cache_folder("decks") / f"{name}.npy"


def _note_path(name: str) -> Path:
    return cache_folder("decks") / f"{name}.json"


def is_present(entry: Entry) -> bool:
    """Whether the deck's art is in the cache, made by this recipe."""
    try:
        note = json.loads(_note_path(entry.name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(note.get("recipe") == entry.recipe) and _art_path(entry.name).is_file()


def store_deck(entry: Entry, folder: Path) -> None:
    """Render a deck into the cache."""
    deck = render_deck(entry, folder)
    _art_path(entry.name).parent.mkdir(parents=True, exist_ok=True)
    _note_path(entry.name).unlink(missing_ok=True)
    np.save(_art_path(entry.name), deck)
    _note_path(entry.name).write_text(json.dumps({"recipe": entry.recipe, "licence": entry.licence}), encoding="utf-8")


@lru_cache(maxsize=64)
def open_deck(entry: Entry) -> Deck:
    """A deck from the cache; its pictures are read from disk when they are used."""
    if not is_present(entry):
        raise DatasetError(f"the deck {entry.name} has not been fetched; run `make decks`")
    art = np.load(_art_path(entry.name), mmap_mode="r")
    height, width = art.shape[1:3]
    return Deck(
        name=entry.name,
        drawing=entry.drawing,
        split=entry.split,
        size_mm=(width / ART_PX_PER_MM, height / ART_PX_PER_MM),
        index_corners=entry.index_corners,
        faces=LazyFaces(lambda card: np.asarray(art[card.index])),
        back=np.asarray(art[len(DECK)]),
        licence=entry.licence,
        identify=entry.identify,
    )
