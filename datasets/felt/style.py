"""How a table looks: colours of cloth, print, rail and floor, lettering, shapes of the spots; random by seed.

In: a generator. Out: `FeltStyle`, which the drawing of a felt reads.
"""

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from datasets.errors import DatasetError
from datasets.felt.lettering import Colour, Lettering

CLOTHS: dict[str, Colour] = {
    "green": (62, 104, 28),
    "emerald": (84, 122, 16),
    "blue": (136, 78, 24),
    "navy": (88, 46, 24),
    "teal": (112, 104, 18),
    "burgundy": (38, 22, 104),
    "red": (40, 30, 148),
    "purple": (92, 38, 76),
    "black": (40, 38, 38),
    "charcoal": (70, 66, 64),
    "tan": (104, 146, 182),
    "orange": (32, 92, 168),
}
_CLOTH_SHARES = (4, 3, 4, 2, 3, 3, 2, 3, 2, 2, 1, 1)  # of the colours in their order
INKS: tuple[Colour, ...] = (
    (236, 240, 242), (120, 214, 244), (70, 190, 236), (200, 226, 236), (214, 196, 150), (150, 220, 190),
)  # fmt: skip
DARK_INKS: tuple[Colour, ...] = ((36, 34, 34), (70, 36, 20), (26, 22, 92), (30, 60, 24))
ACCENTS: tuple[Colour, ...] = (
    (60, 196, 246), (56, 56, 214), (226, 226, 232), (214, 150, 60), (90, 200, 110), (180, 90, 200),
)  # fmt: skip
RAILS: tuple[Colour, ...] = ((34, 32, 32), (26, 38, 66), (44, 66, 104), (30, 26, 74), (72, 70, 68), (84, 112, 130))
WOODS: tuple[Colour, ...] = ((30, 52, 92), (36, 66, 106), (24, 30, 52), (54, 90, 126), (40, 40, 42))
FLOORS: tuple[Colour, ...] = ((46, 30, 72), (66, 46, 38), (34, 52, 84), (40, 60, 48), (54, 54, 58))
SHAPES = ("circle", "square", "diamond", "hexagon")
MOTTOS = ("PLAYER WINS TIES", "DEALER ALWAYS QUALIFIES", "BEST FOUR CARDS PLAY")
CLOTH_PATTERNS = ("plain", "suits", "diamonds")


@dataclass(frozen=True, slots=True)
class FeltStyle:
    """How one table looks. Hashable, so that a drawn felt can be kept."""

    seed: int  # of what is scattered: wear, weave, chips in the tray
    cloth: Colour = CLOTHS["green"]
    ink: Colour = INKS[0]
    accent: Colour = ACCENTS[0]
    rail: Colour = RAILS[0]
    wood: Colour = WOODS[0]
    floor: Colour = FLOORS[0]
    lettering: Lettering = field(default_factory=Lettering)
    pattern: str = "plain"  # of the cloth, tone on tone
    ante_shape: str = "circle"
    bonus_shape: str = "circle"
    has_pay_tables: bool = True
    has_card_boxes: bool = True  # frames for the dealer's and players' cards
    has_cup_holders: bool = False
    has_placard: bool = True  # a sign with cards and odds in print: letters that are no card
    wear: float = 0.5  # 0 new .. 1 worn
    line_mm: float = 2.2
    motto: str = "PLAYER WINS TIES"
    has_band: bool = False  # the arc around the dealer filled with colour
    arc_share: float = 0.5  # of the way to the rail, where that arc runs

    def __post_init__(self) -> None:
        if self.pattern not in CLOTH_PATTERNS or {self.ante_shape, self.bonus_shape} - set(SHAPES):
            raise DatasetError(
                f"felt pattern {self.pattern!r} with spots {self.ante_shape!r}, {self.bonus_shape!r} is unknown; "
                f"patterns are {', '.join(CLOTH_PATTERNS)}, shapes {', '.join(SHAPES)}"
            )

    @classmethod
    def random(cls, rng: np.random.Generator) -> Self:
        """Any casino's table."""
        cloth = list(CLOTHS.values())[rng.choice(len(CLOTHS), p=np.array(_CLOTH_SHARES) / sum(_CLOTH_SHARES))]
        shift = rng.integers(-10, 11, 3)
        blue, green, red = (int(np.clip(value + step, 0, 255)) for value, step in zip(cloth, shift, strict=True))
        is_light = brightness((blue, green, red)) > 110
        inks = DARK_INKS if is_light else INKS
        accents = [accent for accent in ACCENTS if _stands_out(accent, (blue, green, red))] or list(inks)
        return cls(
            seed=int(rng.integers(2**31)),
            cloth=(blue, green, red),
            ink=inks[rng.integers(len(inks))],
            accent=accents[rng.integers(len(accents))],
            rail=RAILS[rng.integers(len(RAILS))],
            wood=WOODS[rng.integers(len(WOODS))],
            floor=FLOORS[rng.integers(len(FLOORS))],
            lettering=Lettering(
                face=("sans", "sans", "italic", "uni")[rng.integers(4)],
                weight=(450, 600, 750, 900)[rng.integers(4)],
                width=float(rng.uniform(0.78, 1.2)),
                spacing=float(rng.uniform(0.0, 0.14)),
            ),
            pattern=CLOTH_PATTERNS[rng.choice(3, p=[0.5, 0.3, 0.2])],
            ante_shape=SHAPES[rng.choice(4, p=[0.6, 0.2, 0.1, 0.1])],
            bonus_shape=SHAPES[rng.integers(4)],
            has_pay_tables=bool(rng.random() < 0.75),
            has_card_boxes=bool(rng.random() < 0.5),
            has_cup_holders=bool(rng.random() < 0.3),
            has_placard=bool(rng.random() < 0.6),
            wear=float(rng.random()),
            line_mm=float(rng.uniform(1.4, 3.4)),
            motto=MOTTOS[rng.integers(len(MOTTOS))],
            has_band=bool(rng.random() < 0.3),
            arc_share=float(rng.uniform(0.485, 0.515)),
        )


def brightness(colour: Colour) -> float:
    """How light a colour looks, 0 to 255."""
    return 0.11 * colour[0] + 0.59 * colour[1] + 0.3 * colour[2]


def _stands_out(ink: Colour, cloth: Colour) -> bool:
    return colour_distance(ink, cloth) > 110 and abs(brightness(ink) - brightness(cloth)) > 45


def colour_distance(one: Colour, other: Colour) -> float:
    """How far two colours are from each other in a cube of 256."""
    return float(np.linalg.norm(np.subtract(one, other)))
