"""Decks drawn by our own code, endless by seed: `drawn-000123` is the look of seed 123.

In: a seed. Out: a `Deck` whose faces are drawn when first asked for. One seed in five belongs to validation; its index
signs come from fonts and skeletons that no training seed uses.
"""

from functools import lru_cache
from typing import Final

from datasets.decks.art import Deck, LazyFaces
from datasets.decks.backs import draw_back
from datasets.decks.faces import Signs, blank_face, draw_face
from datasets.decks.fonts import font_design, font_names, font_path
from datasets.decks.ranks import font_ranks, pen_ranks
from datasets.decks.style import Style, random_style
from datasets.decks.suits import suit_masks

VALIDATION_EVERY: Final = 5
LICENCE: Final = "AGPL-3.0-or-later"


def drawn_split(seed: int) -> str:
    """The split that a seed's deck belongs to.

    >>> [drawn_split(seed) for seed in (3, 4)]
    ['train', 'validation']
    """
    return "validation" if seed % VALIDATION_EVERY == VALIDATION_EVERY - 1 else "train"


def drawn_style(seed: int) -> Style:
    """The look of a seed."""
    split = drawn_split(seed)
    return random_style(seed, split, font_names(split))


def drawn_signs(style: Style) -> tuple[Signs, str]:
    """The masks of a look and the name of their drawing. A font that was not fetched is replaced by the pen."""
    path = font_path(style.font) if style.font else None
    if style.font is None or path is None:
        ranks, drawing = pen_ranks(style.pen, style.ten_gap, style.ten_narrow), style.pen.drawing
    else:
        ranks = font_ranks(path, style.font_width, style.ten_gap, style.ten_narrow)
        drawing = f"font-{font_design(style.font)}"
    return Signs(ranks, suit_masks(style.suits), blank_face(style)), drawing


@lru_cache(maxsize=8)
def draw_deck(seed: int) -> Deck:
    """The deck of a seed; the last few are kept, because a deck is asked for by name again and again."""
    style = drawn_style(seed)
    signs, drawing = drawn_signs(style)
    return Deck(
        name=f"drawn-{seed:06d}",
        drawing=drawing,
        split=style.split,
        size_mm=style.size_mm,
        index_corners=style.layout.corners,
        faces=LazyFaces(lambda card: draw_face(style, signs, card)),
        back=draw_back(style),
        licence=LICENCE,
    )
