"""Decks of cards as art: drawn by our own code from a seed, or taken from packages that `make decks` fetches."""

from datasets.decks.backgrounds import backgrounds
from datasets.decks.deck import ART_PX_PER_MM, Deck, deck_names, index_patches_mm, load_deck, random_deck

__all__ = [
    "ART_PX_PER_MM",
    "Deck",
    "backgrounds",
    "deck_names",
    "index_patches_mm",
    "load_deck",
    "random_deck",
]
