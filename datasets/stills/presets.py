"""The committed list of what stills are made of: `data/stills.toml`.

In: the file. Out: `still_presets()`, by name.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from datasets.cameras import CameraPreset
from datasets.errors import DatasetError
from datasets.stills.scenes import ARRANGEMENTS

SURFACES = ("any", "felt", "table")
PICTURES_PER_DECK = 24


@dataclass(frozen=True, slots=True)
class StillPreset:
    """What a set of stills is made of; the file says what each means."""

    name: str
    says: str
    sizes_wh: tuple[tuple[int, int], ...]
    card_px: tuple[float, float]
    tilt_deg: float
    cards: tuple[int, int]
    backs: float
    others: float
    hands: float
    chips: float
    clutter: float
    harshness: float
    squeeze: float
    arrangements: tuple[tuple[str, float], ...]
    surfaces: str = "any"
    inside: bool = False
    h264_crf: tuple[int, int] | None = None
    pictures_per_deck: int = PICTURES_PER_DECK
    camera: str | None = None  # the one camera preset to use, of those above a table

    def __post_init__(self) -> None:
        if unknown := [name for name, _ in self.arrangements if name not in ARRANGEMENTS]:
            raise DatasetError(f"preset {self.name}: no arrangement {unknown}; choose from {', '.join(ARRANGEMENTS)}")
        if self.surfaces not in SURFACES:
            raise DatasetError(f"preset {self.name}: surfaces {self.surfaces!r} is not one of {', '.join(SURFACES)}")
        if not 10 <= self.card_px[0] <= self.card_px[1] or not 0 <= self.cards[0] <= self.cards[1] <= 52:
            raise DatasetError(f"preset {self.name}: card_px {self.card_px} or cards {self.cards} is out of order")
        if self.pictures_per_deck < 1:
            raise DatasetError(f"preset {self.name}: {self.pictures_per_deck} pictures_per_deck; give 1 or more")
        if not 0 <= self.tilt_deg <= 75:
            raise DatasetError(f"preset {self.name}: a tilt of {self.tilt_deg} degrees; give 0 to 75")


@cache
def still_presets() -> Mapping[str, StillPreset]:
    """Every preset by its name, in the order of the file."""
    text = resources.files("datasets").joinpath("data/stills.toml").read_text(encoding="utf-8")
    return parse_still_presets(text)


def still_preset(name: str) -> StillPreset:
    """The preset of this name."""
    presets = still_presets()
    if name not in presets:
        raise DatasetError(f"{name!r} is no preset of stills; choose one of {', '.join(presets)}")
    return presets[name]


def seen_by(preset: StillPreset, camera: CameraPreset) -> StillPreset:
    """The preset of whole tables as one camera sees them, at whatever size its cards are."""
    if preset.surfaces != "table":
        tables = ", ".join(each.name for each in still_presets().values() if each.surfaces == "table")
        raise DatasetError(f"preset {preset.name} has no camera above a table; a camera goes with {tables}")
    return replace(preset, camera=camera.name, sizes_wh=(camera.size_wh,))


def parse_still_presets(text: str) -> Mapping[str, StillPreset]:
    """Read presets from TOML; an unknown or missing key is refused with the preset's name."""
    content = tomllib.loads(text)
    return MappingProxyType({name: _read(name, values) for name, values in content.items()})


def _read(name: str, values: dict[str, Any]) -> StillPreset:
    known = {field.name for field in fields(StillPreset)} - {"name", "camera"}
    if unknown := set(values) - known:
        raise DatasetError(f"preset {name}: {sorted(unknown)} are no keys of it; use {', '.join(sorted(known))}")
    ready: dict[str, Any] = {key: _frozen(value) for key, value in values.items()}
    try:
        return StillPreset(name=name, **ready)
    except TypeError as error:
        raise DatasetError(f"preset {name}: {error}; add it") from error


def _frozen(value: object) -> object:
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, dict):
        return tuple((key, float(weight)) for key, weight in value.items())
    return value
