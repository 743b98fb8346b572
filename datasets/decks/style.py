"""How one drawn deck looks: every property at random from its seed.

In: a split and a generator. Out: `Style`, plain numbers in millimetres and inks, which the drawing modules follow.
"""

from dataclasses import dataclass, replace

import numpy as np

from datasets.decks.art import CORNERS, PATCH_HEIGHT, PATCH_WIDTH, TWO_CORNERS
from datasets.decks.canvas import Colour
from datasets.decks.pen import PenForm
from datasets.decks.suits import SuitForm

POKER_MM = (63.0, 88.0)
BRIDGE_MM = (57.0, 88.0)
_EDGE_MM = 1.2  # nothing of an index is printed nearer to the card's edge
_PATCH_MARGIN_MM = 0.6  # nor nearer to the patch's inner edges

BLACKS: tuple[Colour, ...] = ((20, 18, 18), (35, 30, 30), (10, 10, 10), (50, 40, 38), (45, 28, 25))
REDS: tuple[Colour, ...] = ((30, 25, 200), (40, 30, 170), (25, 20, 225), (45, 45, 210), (60, 25, 190), (20, 40, 190))
BLUES: tuple[Colour, ...] = ((190, 60, 20), (170, 90, 15), (215, 110, 30), (140, 50, 40), (200, 80, 60))
GREENS: tuple[Colour, ...] = ((40, 120, 20), (30, 140, 40), (60, 105, 15), (20, 95, 30), (80, 130, 0))
ORANGES: tuple[Colour, ...] = ((20, 110, 240), (0, 130, 225), (40, 90, 235))


@dataclass(frozen=True, slots=True)
class IndexLayout:
    """Where rank and suit of the corner index stand."""

    kind: str
    corners: tuple[str, ...]
    rank_mm: float  # height of the rank
    suit_mm: float  # height of the suit
    left_mm: float  # from the card's edge to the column of the index
    top_mm: float
    gap_mm: float
    beside: bool  # suit beside the rank instead of under it
    ten_reach: float  # how much wider than the column the ten may be


@dataclass(frozen=True, slots=True)
class Style:
    """One look. Inks by suit letter; the seeds draw what is random within a card."""

    seed: int
    split: str
    size_mm: tuple[float, float]
    radius_mm: float
    paper: Colour
    inks: dict[str, Colour]
    layout: IndexLayout
    pen: PenForm
    font: str | None  # file name in the fetched fonts; None draws with the pen
    font_width: float
    ten_gap: float
    ten_narrow: float
    suits: SuitForm
    index_bold_px: int  # the signs are printed this much fatter
    pips: str  # "standard", "big", "rank"
    pip_mm: float  # a factor of the size that the field allows
    pip_column_mm: float  # from the middle to the outer columns, at most
    ace_scale: float
    ace_ornate: bool
    frame: str  # "none", "thin", "double", "rounded", "tinted"
    frame_mm: float
    frame_ink: Colour
    court: str  # "figure", "emblem", "letter"
    court_palette: tuple[Colour, ...]
    court_line_px: int
    court_framed: bool
    court_split: str  # "level", "slant"
    back: str
    back_inks: tuple[Colour, Colour]
    back_border_mm: float


def _one(rng: np.random.Generator, choices: tuple[Colour, ...]) -> Colour:
    base = np.array(choices[int(rng.integers(len(choices)))]) + rng.integers(-12, 13, 3)
    blue, green, red = np.clip(base, 0, 255).tolist()
    return blue, green, red


def _pick(rng: np.random.Generator, **weights: float) -> str:
    shares = np.array(list(weights.values()))
    return str(rng.choice(list(weights), p=shares / shares.sum()))


def _inks(rng: np.random.Generator) -> dict[str, Colour]:
    black, red = _one(rng, BLACKS), _one(rng, REDS)
    if rng.random() < 0.7:
        return {"c": black, "d": red, "h": red, "s": black}
    diamonds = _one(rng, ORANGES if rng.random() < 0.2 else BLUES)
    return {"c": _one(rng, GREENS), "d": diamonds, "h": red, "s": black}


# kind: chance, rank mm, suit over rank, left mm, top mm; heights as casinos and shops sell them.
_LAYOUTS = {
    "standard": (0.36, (6.0, 8.8), (0.55, 0.85), (2.0, 4.0), (3.0, 6.5)),
    "jumbo": (0.3, (10.5, 16.0), (0.55, 0.9), (1.5, 3.0), (2.5, 4.5)),
    "magnum": (0.08, (17.0, 21.0), (0.45, 0.7), (1.4, 2.5), (2.0, 3.5)),
    "small": (0.1, (4.2, 5.8), (0.6, 0.95), (2.2, 4.0), (3.0, 6.0)),
    "peek": (0.06, (3.4, 4.8), (0.6, 0.95), (1.2, 1.8), (1.5, 2.5)),
    "four-corner": (0.1, (4.5, 8.5), (0.55, 0.85), (1.8, 3.2), (2.5, 5.0)),
}


def _layout(rng: np.random.Generator, height_mm: float) -> IndexLayout:
    kind = _pick(rng, **{name: row[0] for name, row in _LAYOUTS.items()})
    _, rank_range, suit_range, left_range, top_range = _LAYOUTS[kind]
    rank = rng.uniform(*rank_range)
    suit = rank * rng.uniform(*suit_range)
    four = kind == "four-corner" or (kind == "peek" and rng.random() < 0.5)
    layout = IndexLayout(
        kind=kind,
        corners=CORNERS if four else TWO_CORNERS,
        rank_mm=rank,
        suit_mm=suit,
        left_mm=rng.uniform(*left_range),
        top_mm=rng.uniform(*top_range),
        gap_mm=rank * rng.uniform(0.06, 0.2) + 0.4,
        beside=bool(kind in ("standard", "small") and rng.random() < 0.06),
        ten_reach=rng.uniform(1.0, 1.4),
    )
    return _shrunk_to_patch(layout, PATCH_HEIGHT * height_mm - _PATCH_MARGIN_MM)


def _shrunk_to_patch(layout: IndexLayout, room_mm: float) -> IndexLayout:
    # The tail of a queen hangs below the line and pushes the suit down.
    used = layout.top_mm + layout.rank_mm * 1.2 + layout.gap_mm + layout.suit_mm
    if used <= room_mm:
        return layout
    scale = (room_mm - layout.top_mm) / (used - layout.top_mm)
    return replace(layout, rank_mm=layout.rank_mm * scale, suit_mm=layout.suit_mm * scale, gap_mm=layout.gap_mm * scale)


def patch_room_mm(size_mm: tuple[float, float]) -> tuple[float, float]:
    """Left and right limit of an index in its corner patch."""
    return _EDGE_MM, size_mm[0] * PATCH_WIDTH - _PATCH_MARGIN_MM


def _court_palette(rng: np.random.Generator) -> tuple[Colour, ...]:
    bright: tuple[Colour, ...] = ((40, 200, 245), (30, 170, 230), (90, 215, 250))
    flesh: tuple[Colour, ...] = ((200, 220, 245), (225, 235, 250), (170, 195, 230), (240, 245, 250))
    extra = (*GREENS, *ORANGES, (120, 60, 130), (160, 160, 60), (90, 90, 160))
    scheme = _pick(rng, classic=0.6, gold=0.15, soft=0.25)
    red, blue, yellow = _one(rng, REDS), _one(rng, BLUES), _one(rng, bright)
    if scheme == "gold":
        blue = _one(rng, BLACKS)
    if scheme == "soft":
        red, blue = _one(rng, extra), _one(rng, extra)
    return _one(rng, flesh), red, blue, yellow, _one(rng, BLACKS), _one(rng, extra)


def _paper(rng: np.random.Generator) -> Colour:
    white = int(rng.integers(236, 256))
    warmth = int(rng.integers(0, 18)) if rng.random() < 0.5 else 0
    return white - warmth, white - warmth // 3, white


def random_style(seed: int, split: str, fonts: tuple[str, ...]) -> Style:
    """The look of a seed; `fonts` are the names it may choose from."""
    rng = np.random.default_rng([seed, 0])
    size_mm = POKER_MM if rng.random() < 0.65 else BRIDGE_MM
    layout = _layout(rng, size_mm[1])
    back_ink = _one(rng, (*REDS, *BLUES, *GREENS, *BLACKS, (110, 40, 90), (60, 20, 90)))
    light = _paper(rng)
    wants_font = rng.random() < 0.75
    font = str(rng.choice(fonts)) if fonts else ""
    return Style(
        seed=seed,
        split=split,
        size_mm=size_mm,
        radius_mm=rng.uniform(2.5, 4.5),
        paper=_paper(rng),
        inks=_inks(rng),
        layout=layout,
        pen=PenForm.random(np.random.default_rng([seed, 1]), split),
        font=font if wants_font and font else None,
        font_width=rng.uniform(0.78, 1.12),
        ten_gap=rng.uniform(-0.05, 0.09),
        ten_narrow=rng.uniform(0.6, 1.0),
        suits=SuitForm.random(rng),
        index_bold_px=int(rng.choice([0, 0, 1, 2, 4])),
        pips=_pick(rng, standard=0.82, big=0.11, rank=0.07),
        pip_mm=rng.uniform(0.82, 1.12),
        pip_column_mm=rng.uniform(10.5, 15),
        ace_scale=rng.uniform(0.22, 0.5),
        ace_ornate=bool(rng.random() < 0.6),
        frame=_pick(rng, none=0.6, thin=0.14, double=0.08, rounded=0.1, tinted=0.08),
        frame_mm=rng.uniform(1.0, 3.0),
        frame_ink=_one(rng, (*BLACKS, *REDS, *BLUES, (60, 150, 190), (150, 150, 150))),
        court=_pick(rng, figure=0.8, emblem=0.1, letter=0.1),
        court_palette=_court_palette(rng),
        court_line_px=int(rng.choice([0, 1, 2, 2, 3])),
        court_framed=bool(rng.random() < 0.8),
        court_split=_pick(rng, level=0.6, slant=0.4),
        back=_pick(rng, lattice=3, rosette=2, scales=1, stripes=1, checks=1, dots=1, vines=2, logo=3, maze=1, weave=1),
        back_inks=(back_ink, light),
        back_border_mm=float(rng.choice([0, 0, rng.uniform(2, 6), rng.uniform(3, 7)])),
    )
