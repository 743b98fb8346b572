"""Whose hand it is and what it does: skeleton, poses, skin and sleeves.

In: nothing, or a random generator. Out: `POSES`, and `HandStyle` of anybody or of a dealer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

# knuckle x, y; lengths of the three bones; radius at the knuckle and at the tip (millimetres)
FINGERS = (
    ((-27.0, -90.0), (41.0, 25.0, 19.0), 9.6, 7.0),
    ((-8.0, -95.0), (45.0, 29.0, 20.0), 9.8, 7.2),
    ((11.0, -91.0), (41.0, 27.0, 20.0), 9.2, 6.8),
    ((28.0, -82.0), (33.0, 20.0, 17.0), 8.2, 6.0),
)
THUMB = ((-27.0, -30.0), (31.0, 32.0, 25.0), 11.5, 8.4)


@dataclass(frozen=True, slots=True)
class Pose:
    """Angles in degrees: how far each finger is spread and bent, and what of the hand does the work."""

    spread: tuple[float, float, float, float]
    bend: tuple[tuple[float, float, float], ...]  # four fingers, three joints
    thumb_spread: float
    thumb_bend: tuple[float, float, float]
    palm_mm: float  # how high the knuckles are
    works_at: str  # "tips", "index" or "palm"


_STRAIGHT, _CURLED = (8.0, 8.0, 5.0), (66.0, 84.0, 46.0)
_LOOSE = ((22.0, 24.0, 14.0), (24.0, 26.0, 14.0), (26.0, 28.0, 14.0), (30.0, 30.0, 16.0))
_PINCHED = ((34.0, 46.0, 22.0), (42.0, 48.0, 24.0), (52.0, 54.0, 28.0), (58.0, 58.0, 30.0))
_HOLDING = ((30.0, 38.0, 20.0), (34.0, 40.0, 20.0), (38.0, 42.0, 22.0), (44.0, 44.0, 24.0))
POSES: Mapping[str, Pose] = MappingProxyType(
    {
        "flat": Pose((-11, -3, 4, 13), (_STRAIGHT,) * 4, -48, (6, 6, 6), 22, "palm"),
        "reach": Pose((-7, -2, 3, 9), _LOOSE, -40, (12, 10, 10), 34, "tips"),
        "pinch": Pose((2, 1, 2, 6), _PINCHED, -34, (14, 14, 10), 42, "index"),
        "point": Pose((-4, 0, 2, 5), (_STRAIGHT, *(_CURLED,) * 3), -22, (20, 26, 22), 32, "index"),
        "fist": Pose((-2, 0, 2, 4), (_CURLED,) * 4, -20, (24, 32, 28), 36, "palm"),
        "hold": Pose((-3, 0, 2, 5), _HOLDING, -36, (8, 4, 2), 40, "tips"),
    }
)


@dataclass(frozen=True, slots=True)
class HandStyle:
    """One person's hand. Colours are BGR, 0..255."""

    skin_bgr: tuple[float, float, float]
    sleeve_bgr: tuple[float, float, float] | None  # None: bare arm
    cuff_bgr: tuple[float, float, float] | None
    sleeve_from_mm: float  # how far behind the wrist the cloth begins
    cloth: str  # "plain", "knit", "denim", "stripe"
    build: float  # thickness of fingers, 1 is average
    length: float  # 1 is average
    left: bool
    ring: bool
    watch: bool
    nail_bgr: tuple[float, float, float]
    seed: int

    @classmethod
    def random(cls, rng: np.random.Generator, *, dealer: bool = False) -> "HandStyle":
        """Anybody's hand; a dealer's has a white shirt's or a black jacket's sleeve, and no watch."""
        skin = SKINS[int(rng.integers(len(SKINS)))]
        shade = float(rng.uniform(0.9, 1.08))
        painted = rng.random() < 0.15
        nails = tuple(float(v) for v in rng.uniform(20, 200, 3)) if painted else _nail_of(skin)
        bare = not dealer and rng.random() < 0.35
        sleeve = DEALER_CLOTH if dealer else CLOTH
        sleeve_bgr = None if bare else sleeve[int(rng.integers(len(sleeve)))]
        has_cuff = sleeve_bgr is not None and (rng.random() < (0.7 if dealer else 0.35))
        return cls(
            skin_bgr=(skin[0] * shade, skin[1] * shade, skin[2] * shade),
            sleeve_bgr=sleeve_bgr,
            cuff_bgr=(228.0, 228.0, 226.0) if has_cuff else None,
            sleeve_from_mm=float(rng.uniform(8, 30) if dealer or rng.random() < 0.7 else rng.uniform(60, 200)),
            cloth="plain" if dealer else str(rng.choice(["plain", "knit", "denim", "stripe"])),
            build=float(rng.uniform(0.86, 1.14)),
            length=float(rng.uniform(0.92, 1.06)),
            left=bool(rng.random() < 0.5),
            ring=bool(rng.random() < 0.25),
            watch=bool(not dealer and rng.random() < 0.25),
            nail_bgr=(nails[0], nails[1], nails[2]),
            seed=int(rng.integers(2**31)),
        )


SKINS = (
    (150.0, 178.0, 226.0), (132.0, 164.0, 214.0), (118.0, 152.0, 206.0), (104.0, 140.0, 192.0),
    (84.0, 118.0, 170.0), (66.0, 96.0, 144.0), (52.0, 74.0, 114.0), (40.0, 56.0, 86.0),
)  # fmt: skip
CLOTH = (
    (40.0, 36.0, 34.0), (196.0, 194.0, 192.0), (96.0, 58.0, 40.0), (60.0, 50.0, 120.0), (70.0, 86.0, 62.0),
    (140.0, 120.0, 100.0), (48.0, 70.0, 110.0), (120.0, 116.0, 114.0), (178.0, 156.0, 120.0), (30.0, 24.0, 70.0)
)  # fmt: skip
DEALER_CLOTH = (
    (34.0, 31.0, 30.0),
    (226.0, 226.0, 224.0),
    (58.0, 40.0, 30.0),
    (30.0, 26.0, 66.0),
    (42.0, 42.0, 44.0),
)


def _nail_of(skin: tuple[float, float, float]) -> tuple[float, float, float]:
    return (skin[0] * 0.5 + 88, skin[1] * 0.5 + 86, skin[2] * 0.55 + 100)
