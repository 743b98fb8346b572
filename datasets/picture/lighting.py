"""Random light and random cameras for stills.

In: a generator, how harsh it may be, how large the cards are. Out: the `Light` that shades and shadows a scene, and the
`SensorSettings` that its picture goes through. Blur is measured in cards, not pixels: what a person could not read at
that size is not asked of a reader either.
"""

from dataclasses import dataclass

import numpy as np

from datasets.picture.compose import Shading
from datasets.picture.sensor import SensorSettings, Spot
from datasets.stills.scenes import Lie


@dataclass(frozen=True, slots=True)
class Light:
    """One main lamp and the rest of the room."""

    shift: tuple[float, float]  # of a shadow, millimetres a millimetre of height
    softness: float  # blur of a shadow, millimetres a millimetre of height
    strength: float  # 0..1 of the light that a shadow takes
    gloss: float  # of the cards' coating
    tint_bgr: tuple[float, float, float]  # of the deck's paper
    rim_gain: float

    @classmethod
    def random(cls, rng: np.random.Generator) -> "Light":
        """From a lamp overhead to a low sun."""
        way, low = float(rng.uniform(0, 2 * np.pi)), float(rng.gamma(2.0, 0.35))
        yellow = float(abs(rng.normal(0, 0.03)))
        return cls(
            (low * np.cos(way), low * np.sin(way)),
            float(rng.uniform(0.15, 1.1)),
            float(rng.uniform(0.2, 0.7)),
            float(rng.choice([0.0, 0.0, 0.06, 0.15, 0.35])),
            (1 - yellow * 1.6, 1 - yellow * 0.6, 1 - yellow * 0.2),
            float(rng.uniform(0.8, 1.0)),
        )

    def shading(self, lie: Lie, rng: np.random.Generator) -> Shading:
        """The light on one card: a little different on each, because none lies quite flat."""
        base = float(rng.uniform(0.93, 1.0))
        tilt = np.asarray(rng.normal(0, 0.018, 4))
        if not lie.is_flat:
            way = np.arctan2(self.shift[1], self.shift[0]) - lie.angle_rad - lie.bend_axis_rad
            slope = 0.035 * lie.bend_mm * np.cos(way)
            along = np.cos(lie.bend_axis_rad), np.sin(lie.bend_axis_rad)
            sides = np.array([-along[0] - along[1], along[0] - along[1], along[0] + along[1], along[1] - along[0]])
            tilt = tilt + slope * sides
        upper_left, upper_right, lower_right, lower_left = (float(v) for v in np.clip(base + tilt, 0.55, 1.06))
        return Shading(
            gains=(upper_left, upper_right, lower_right, lower_left),
            sheen=float(rng.uniform(0, self.gloss)),
            sheen_at=(float(rng.uniform(-0.2, 1.2)), float(rng.uniform(-0.2, 1.2))),
            sheen_width=float(rng.uniform(0.12, 0.6)),
            sheen_angle_rad=float(rng.uniform(0, np.pi)),
            rim_gain=self.rim_gain,
            tint_bgr=self.tint_bgr,
        )


def random_sensor(rng: np.random.Generator, harshness: float, card_px: float) -> SensorSettings:
    """A camera and a room; at a harshness of 1 most pictures are good and some are bad."""

    def chance(share: float) -> bool:
        return bool(rng.random() < share * harshness)

    warm, green = float(rng.normal(0.03, 0.11 * harshness)), float(rng.normal(0, 0.03 * harshness))
    dim = chance(0.12)
    noise = float(rng.gamma(1.4, 1.1)) * harshness + (float(rng.uniform(2, 6)) if dim else 0)
    smallest = 46 / card_px
    return SensorSettings(
        exposure=float(rng.uniform(0.3, 0.65) if dim else np.exp(rng.normal(0.12, 0.18 * harshness))),
        gamma=float(np.clip(rng.normal(1.0, 0.08), 0.8, 1.25)),
        gains_bgr=(1 - warm * 1.2, 1 + green, 1 + warm),
        contrast=float(rng.uniform(0.92, 1.12)),
        saturation=float(np.clip(rng.normal(0.98, 0.12), 0.6, 1.3)),
        falloff=float(rng.beta(1.3, 4)) * min(harshness, 1.4),
        falloff_angle_rad=float(rng.uniform(0, 2 * np.pi)),
        vignette=float(rng.beta(1.3, 5)) * min(harshness, 1.5),
        shade=_spots(rng, 0.15, 0.45, 0.25, 0.6) if chance(0.16) else (),
        glare=_spots(rng, 0.03, 0.16, 0.2, 0.9) if chance(0.14) else (),
        haze=float(rng.uniform(0.02, 0.16)) if chance(0.08) else 0.0,
        defocus_px=min(card_px * float(rng.beta(1.1, 5)) * 0.022 * harshness, 5.0),
        motion_px=min(card_px * float(rng.uniform(0.008, 0.045)), 24.0) if chance(0.12) else 0.0,
        motion_angle_rad=float(rng.uniform(0, np.pi)),
        capture_scale=float(rng.uniform(max(0.5, smallest), 1)) if chance(0.15) and smallest < 0.95 else 1.0,
        read_noise=noise,
        shot_noise=noise * float(rng.uniform(0.5, 2.0)),
        grain_px=float(rng.choice([0.0, 0.5, 0.5, 1.0])),
        chroma_noise=noise * float(rng.uniform(0.3, 1.0)) if dim else 0.0,
        sharpen=float(rng.uniform(0.2, 1.3)) if rng.random() < 0.4 else 0.0,
        sharpen_px=float(rng.uniform(0.8, 2.0)),
        jpeg_quality=int(rng.integers(max(22, int(60 - 26 * harshness)), 92)) if rng.random() < 0.3 else 0,
        h264_crf=int(rng.integers(23, 31 + int(5 * harshness))) if chance(0.12) else 0,
    )


def _spots(
    rng: np.random.Generator, smallest: float, largest: float, weakest: float, strongest: float
) -> tuple[Spot, ...]:
    return tuple(
        Spot(
            (float(rng.uniform(0, 1)), float(rng.uniform(0, 1))),
            float(rng.uniform(smallest, largest)),
            float(rng.uniform(weakest, strongest)),
            float(rng.uniform(1, 2.5)),
            float(rng.uniform(0, np.pi)),
        )
        for _ in range(int(rng.integers(1, 3)))
    )
