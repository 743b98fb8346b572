"""The door to all decks: by name, by split, or one at random.

In: a name or a split. Out: `Deck`. Package decks are there once `make decks` has fetched them; drawn ones always.
"""

import re

import numpy as np

from datasets.decks.art import ART_PX_PER_MM, SPLITS, Deck, index_patches_mm
from datasets.decks.catalogue import read_catalogue
from datasets.decks.drawn import VALIDATION_EVERY, draw_deck
from datasets.decks.package import is_present, open_deck
from datasets.errors import DatasetError

__all__ = ["ART_PX_PER_MM", "Deck", "deck_names", "index_patches_mm", "load_deck", "random_deck"]

_DRAWN = re.compile(r"drawn-(\d{1,9})")
_DRAWN_SEEDS = 1_000_000
_DRAWN_SHARE = {"train": 0.7, "validation": 0.6, "test": 0.0}


def load_deck(name: str) -> Deck:
    """Any deck by its name; `drawn-N` is drawn from seed N."""
    if match := _DRAWN.fullmatch(name):
        return draw_deck(int(match[1]))
    decks = read_catalogue().decks
    if name not in decks:
        raise DatasetError(f"there is no deck {name!r}; use drawn-N, or one of {', '.join(decks)}")
    return open_deck(decks[name])


def deck_names(split: str, *, foreign_letters: bool = False) -> tuple[str, ...]:
    """The package decks of a split that are present; the drawn ones are endless and not listed.

    Decks whose courts carry other letters than J Q K A are left out unless asked for: they may train locating an index,
    never reading one.
    """
    if split not in SPLITS:
        raise DatasetError(f"{split!r} is no split; use {', '.join(SPLITS)}")
    return tuple(
        name
        for name, entry in read_catalogue().decks.items()
        if entry.split == split and (entry.identify or foreign_letters) and is_present(entry)
    )


def random_deck(split: str, rng: np.random.Generator, *, foreign_letters: bool = False) -> Deck:
    """One deck of the split: package decks that are present, mixed with drawn ones (none of these in test)."""
    names = deck_names(split, foreign_letters=foreign_letters)
    if split == "test" and not names:
        raise DatasetError("no test deck has been fetched; run `make decks`")
    if names and rng.random() >= _DRAWN_SHARE[split]:
        return load_deck(names[int(rng.integers(len(names)))])
    return draw_deck(_drawn_seed(split, rng))


def _drawn_seed(split: str, rng: np.random.Generator) -> int:
    """Any seed of the split; the last of every five is for validation."""
    first = int(rng.integers(_DRAWN_SEEDS // VALIDATION_EVERY)) * VALIDATION_EVERY
    return first + (VALIDATION_EVERY - 1 if split == "validation" else int(rng.integers(VALIDATION_EVERY - 1)))
