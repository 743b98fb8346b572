"""The four suit signs as Bézier shapes of varied proportions.

In: `SuitForm`, the proportions. Out: one mask a suit, cut to its ink.
"""

from dataclasses import dataclass

import numpy as np

from datasets.decks.canvas import Mask, Points, bezier, ellipse, mask_of, mirrored

MASTER_PX = 220  # height of a suit's mask before it is scaled to where it is printed


@dataclass(frozen=True, slots=True)
class SuitForm:
    """Proportions of the suit signs, each within what printed decks show."""

    heart_width: float
    heart_notch: float  # depth of the cleft
    heart_belly: float  # how full the sides are
    diamond_width: float
    diamond_bow: float  # below 0 the sides are hollow, above they are full
    club_lobe: float
    club_spread: float
    spade_width: float
    stem_width: float
    stem_flare: float

    @classmethod
    def random(cls, rng: np.random.Generator) -> "SuitForm":
        """Proportions from a seed."""
        return cls(
            heart_width=rng.uniform(0.86, 1.12),
            heart_notch=rng.uniform(0.14, 0.3),
            heart_belly=rng.uniform(0.3, 0.62),
            diamond_width=rng.uniform(0.68, 0.98),
            diamond_bow=rng.uniform(-0.12, 0.05),
            club_lobe=rng.uniform(0.205, 0.25),
            club_spread=rng.uniform(0.235, 0.285),
            spade_width=rng.uniform(0.82, 1.02),
            stem_width=rng.uniform(0.02, 0.06),
            stem_flare=rng.uniform(0.14, 0.3),
        )


def _heart(form: SuitForm) -> list[Points]:
    half = form.heart_width / 2
    lobe = bezier((0.5, form.heart_notch), (0.46, -0.06), (0.5 - half, -0.1), (0.5 - half, 0.3))
    side = bezier((0.5 - half, 0.3), (0.5 - half, 0.3 + form.heart_belly * 0.55), (0.44, 0.78), (0.5, 1.0))
    return [mirrored(np.concatenate([lobe, side]))]


def _diamond(form: SuitForm) -> list[Points]:
    half, bow = form.diamond_width / 2, form.diamond_bow
    upper = bezier((0.5, 0), (0.5 - half * (0.5 + bow), 0.25 - bow * 0.5), (0.5 - half, 0.5))
    lower = bezier((0.5 - half, 0.5), (0.5 - half * (0.5 + bow), 0.75 + bow * 0.5), (0.5, 1))
    return [mirrored(np.concatenate([upper, lower]))]


def _stem(form: SuitForm, top_y: float) -> Points:
    half = form.stem_width
    return mirrored(
        bezier((0.5 - half, top_y), (0.5 - half, 0.85), (0.5 - half - 0.03, 0.97), (0.5 - form.stem_flare, 1))
    )


def _club(form: SuitForm) -> list[Points]:
    lobe, spread = form.club_lobe, form.club_spread
    centres = [(0.5, lobe), (0.5 - spread, lobe + spread * 1.42), (0.5 + spread, lobe + spread * 1.42)]
    middle = ellipse((0.5, lobe + spread * 1.05), (spread * 0.45, spread * 0.55))
    return [*(ellipse(centre, (lobe, lobe)) for centre in centres), middle, _stem(form, 0.5)]


def _spade(form: SuitForm) -> list[Points]:
    half = form.spade_width / 2
    side = bezier((0.5, 0), (0.46, 0.18), (0.5 - half, 0.36), (0.5 - half, 0.58))
    lobe = bezier((0.5 - half, 0.58), (0.5 - half, 0.92), (0.46, 0.88), (0.5, 0.66))
    return [mirrored(np.concatenate([side, lobe])), _stem(form, 0.6)]


def suit_masks(form: SuitForm) -> dict[str, Mask]:
    """The four signs, by letter."""
    outlines = {"c": _club(form), "d": _diamond(form), "h": _heart(form), "s": _spade(form)}
    return {suit: mask_of(shapes, MASTER_PX) for suit, shapes in outlines.items()}
