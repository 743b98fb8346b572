"""The simulator's cameras: a committed list of poses, lenses, pictures, lights and sensors.

In: `data/cameras.toml`. Out: `camera_presets()`, whose presets make a `Camera` for a table and carry the
`SensorSettings` and the bit rate with which its pictures are taken and stored.
"""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from datasets.errors import DatasetError
from datasets.picture.sensor import SensorSettings, Spot
from vision.camera import Camera
from vision.layout import FELT_MM, felt_outline_mm
from vision.table import Table

T = TypeVar("T")

_SPOTS = ("glare", "shade")


@dataclass(frozen=True, slots=True)
class CameraPreset:
    """One camera over one table, its light and its encoder."""

    name: str
    says: str  # what it stands for, for people
    position_mm: tuple[float, float, float]
    look_at_mm: tuple[float, float]
    size_wh: tuple[int, int]
    bit_rate: int  # of the recording, bits a second
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    roll_deg: float = 0.0
    margin: float = 0.02  # of the picture's width and height, left around the table
    fps: int = 25
    sensor: SensorSettings = field(default_factory=SensorSettings)

    def __post_init__(self) -> None:
        checks = {
            "position_mm": self.position_mm[2] > 300,
            "size_wh": min(self.size_wh) >= 64 and all(side % 2 == 0 for side in self.size_wh),
            "bit_rate": self.bit_rate >= 50_000,
            "margin": 0 <= self.margin < 0.4,
            "fps": 1 <= self.fps <= 120,
        }
        for name, is_right in checks.items():
            if not is_right:
                raise DatasetError(f"camera {self.name}: {name} = {getattr(self, name)} is out of range")

    def camera(self, table: Table | None = None) -> Camera:
        """This camera over a table (or a felt of the usual size), zoomed until the felt fills the picture."""
        outline = felt_outline_mm(FELT_MM if table is None else table.felt_mm)
        shortest, longest = 50.0, 20.0 * self.size_wh[0]
        for _ in range(40):
            focal_px = math.sqrt(shortest * longest)
            if self._shows(self._at(focal_px), outline):
                shortest = focal_px
            else:
                longest = focal_px
        return self._at(round(shortest, 2))

    def _at(self, focal_px: float) -> Camera:
        return Camera.from_pose(
            self.position_mm, self.look_at_mm, focal_px, self.size_wh, self.roll_deg, self.distortion
        )

    def _shows(self, camera: Camera, outline_mm: NDArray[np.float64]) -> bool:
        """Whether all of the outline is in the picture, the margin kept."""
        seen = camera.mm_to_px(outline_mm)
        inset = np.array(self.size_wh) * self.margin
        inside = (seen >= inset) & (seen <= np.array(self.size_wh) - 1 - inset)
        return bool(inside.all())  # NaN, which a lens does not show, is in no picture


@cache
def camera_presets() -> Mapping[str, CameraPreset]:
    """Every preset by its name, in the order of the file."""
    text = resources.files("datasets").joinpath("data/cameras.toml").read_text(encoding="utf-8")
    return parse_camera_presets(text)


def camera_preset(name: str) -> CameraPreset:
    """The preset of this name."""
    presets = camera_presets()
    if name not in presets:
        raise DatasetError(f"{name!r} is no camera preset; choose one of {', '.join(presets)}")
    return presets[name]


def parse_camera_presets(text: str) -> Mapping[str, CameraPreset]:
    """Read presets from TOML; a wrong or unknown key is refused with the preset's name."""
    content = tomllib.loads(text)
    return MappingProxyType({name: _read_preset(name, values) for name, values in content.items()})


def _read_preset(name: str, values: dict[str, Any]) -> CameraPreset:
    sensor = dict(values.get("sensor", {}))
    for spots in _SPOTS:
        if spots in sensor:
            sensor[spots] = tuple(_make(Spot, f"{name}.{spots}", spot) for spot in sensor[spots])
    settings = _make(SensorSettings, f"{name}.sensor", sensor)
    return _make(CameraPreset, name, {**values, "name": name, "sensor": settings})


def _make(kind: type[T], where: str, values: dict[str, Any]) -> T:
    """A dataclass from TOML values: every key known, none missing, every value of its field's type."""
    hints = get_type_hints(kind)
    for key in values:
        if key not in hints:
            raise DatasetError(f"camera {where}: {key!r} is not a known key; use {', '.join(hints)}")
    ready = {key: _as(hints[key], value, f"camera {where}: {key}") for key, value in values.items()}
    try:
        return kind(**ready)
    except TypeError as error:
        raise DatasetError(f"camera {where}: {error}; add it") from error


def _as(hint: Any, value: Any, where: str) -> Any:  # noqa: ANN401 (a value of any TOML type)
    """The value as its field's type wants it: lists as tuples of that length, whole numbers as floats."""
    wanted = get_args(hint)
    if wanted and Ellipsis not in wanted and isinstance(value, list) and len(value) == len(wanted):
        return tuple(_as(inner, item, where) for inner, item in zip(wanted, value, strict=True))
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, get_origin(hint) or hint) and not isinstance(value, bool):
        return value
    raise DatasetError(f"{where} = {value!r} is wrong; it is a {hint}")
