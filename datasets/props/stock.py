"""The things on a table that are not cards, in one place: chips, hands, and a stock of ready-drawn ones.

In: a number. Out: the `Sprite` of that number, drawn once and kept; the same number is the same thing in every
process, so that pictures do not depend on how the work was divided.
"""

from functools import lru_cache

import numpy as np

from datasets.props.chips import CHIP_HEIGHT_MM, CHIP_MM, CHIPS, draw_chip_stack, lean_of
from datasets.props.hands import POSES, HandStyle, draw_hand
from datasets.props.sprite import Sprite, turn

__all__ = [
    "CHIPS",
    "CHIP_HEIGHT_MM",
    "CHIP_MM",
    "HAND_STOCK",
    "POSES",
    "HandStyle",
    "Sprite",
    "draw_chip_stack",
    "draw_hand",
    "lean_of",
    "stock_hand",
    "turn",
]

HAND_STOCK = 18


@lru_cache(maxsize=HAND_STOCK)
def stock_hand(number: int, arm_mm: float = 420.0) -> Sprite:
    """Hand `number` of the stock, 0 to HAND_STOCK - 1: every pose in turn, each of another person.

    An arm across a table is longer than what is seen of one beside a few cards.
    """
    rng = np.random.default_rng([number, 11])
    pose = list(POSES)[number % len(POSES)]
    return draw_hand(pose, HandStyle.random(rng, dealer=number % 4 == 0), px_per_mm=2.0, arm_mm=arm_mm)
