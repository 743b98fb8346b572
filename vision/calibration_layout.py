"""Refinement against the printed layout: a table's camera corrected until every printed spot lies where the file says.

In: a picture of the table, best with nothing on it, and its table, whose camera may be off by two centimetres. Out:
`Calibration`. Whatever shape a house prints around a wager (circle, square, diamond, hexagon), it looks the same turned
by half: the place around which the picture does so is the spot's middle. Nothing has to be known of colours or words.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.anchors import peak
from vision.calibration import Calibration, CalibrationError, calibrate_most, verify_same_size
from vision.camera import Camera
from vision.table import Table

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Patch = NDArray[np.float32]

FAR_MM: Final = 22.0  # how far the camera may be off at first; neighbouring spots are 55 mm apart
WITHIN_MM: Final = 2.0  # a spot farther off than this in the end has something on it
FEWEST_SPOTS: Final = 8
UNSURE_MM: Final = 3.0  # a zone that may be off by more than this is not calibrated
_PASSES: Final = ((FAR_MM, 3 * WITHIN_MM), (12.0, 2 * WITHIN_MM), (6.0, WITHIN_MM), (6.0, WITHIN_MM))  # after the first
_NOT_PRINTED: Final = ("cards", "hand", "up-card")  # places of cards: no mark there has a fixed size
_RADIUS_MM: Final = 35.0  # of what is compared: a printed spot with its rim
_COARSE_PX_PER_MM: Final = 0.5
_FINE_PX_PER_MM: Final = 1.0
_FINE_MM: Final = 3.0
_SHADE_MM: Final = 12.0  # light changes over more than this, print over less
_ALIKE: Final = 0.35  # correlation with its own half turn; cloth alone has less


@dataclass(frozen=True, slots=True)
class _Spot:
    """A spot of the file, and where the picture shows its middle."""

    zone: str
    place_mm: tuple[float, float]
    seen_px: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class _Looks:
    """The picture in grey, as it is and as a coarse search needs it."""

    fine: Patch
    coarse: Patch

    @classmethod
    def of(cls, picture_bgr: Picture, camera: Camera, at_mm: Floats) -> "_Looks":
        grey = np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), np.float32)
        coarser = float(np.nanmean(camera.px_per_mm(at_mm))) / _COARSE_PX_PER_MM
        return cls(grey, np.asarray(cv2.GaussianBlur(grey, (0, 0), max(0.5, coarser / 2)), np.float32))


def refine_on_layout(picture_bgr: Picture, table: Table, start: Camera | None = None) -> Calibration:
    """The table's camera (or `start`) corrected by the printed spots that can be seen.

    Raises when too few are seen, or they do not agree.
    """
    camera = table.camera.to_camera() if start is None else start
    verify_same_size(picture_bgr, camera)
    wanted = list(_printed_spots(table))
    if not wanted:
        raise CalibrationError(f"table {table.name!r} names no printed spots; add them to its zones, or give points")
    looks = _Looks.of(picture_bgr, camera, np.array([place for _, place in wanted]))
    result = _corrected(looks, camera, wanted, FAR_MM, 3 * WITHIN_MM)
    for reach_mm, within_mm in _PASSES:
        result = _corrected(looks, result.camera, wanted, reach_mm, within_mm)
    _verify_sure(result, table)
    return result


def _printed_spots(table: Table) -> Iterator[tuple[str, tuple[float, float]]]:
    for zone in table.zones.values():
        for name, place in zone.spots.items():
            if name not in _NOT_PRINTED:
                yield zone.name, place


def _corrected(
    looks: _Looks, camera: Camera, wanted: list[tuple[str, tuple[float, float]]], reach_mm: float, within_mm: float
) -> Calibration:
    """The camera corrected once, by the spots that are seen within `reach_mm` of where it expects them."""
    found = [spot for zone, place in wanted if (spot := _find(looks, camera, zone, place, reach_mm))]
    if len(found) < FEWEST_SPOTS or len({spot.zone for spot in found}) < 2:
        raise CalibrationError(
            f"{len(found)} of {len(wanted)} printed spots are to be seen, {FEWEST_SPOTS} at two seats are needed; "
            "clear the table, or give points"
        )
    places, seen = (np.array([getattr(spot, name) for spot in found]) for name in ("place_mm", "seen_px"))
    return calibrate_most(camera, places, seen, within_mm)


def _verify_sure(result: Calibration, table: Table) -> None:
    """Spots at one side of the table leave the other side open."""
    for zone in table.zones.values():
        if (error_mm := float(result.error_at_mm(zone.work).max())) > UNSURE_MM:
            raise CalibrationError(
                f"zone {zone.name}: the {len(result.points_mm)} printed spots found leave it unsure by {error_mm:.0f} "
                "mm; clear the table, or give points all around the felt"
            )


def _find(looks: _Looks, camera: Camera, zone: str, place_mm: tuple[float, float], reach_mm: float) -> _Spot | None:
    """Where the picture shows a spot that should be at `place_mm`; None when no mark there is like its half turn."""
    at = np.array(place_mm)
    for grey, px_per_mm, reach in (
        (looks.coarse, _COARSE_PX_PER_MM, reach_mm),
        (looks.fine, _FINE_PX_PER_MM, _FINE_MM),
    ):
        patch = _cut(grey, camera, at, _RADIUS_MM + reach, px_per_mm)
        if patch is None:
            return None
        reach_px = round(reach * px_per_mm)
        offset_px, alike = _half_turn(patch, reach_px)
        if alike < _ALIKE or np.abs(offset_px).max() >= reach_px - 0.5:  # at the edge: the best place is farther off
            return None
        at = at + offset_px / px_per_mm
    x, y = camera.mm_to_px(at[None])[0]
    return _Spot(zone, place_mm, (float(x), float(y)))


def _cut(grey: Patch, camera: Camera, at_mm: Floats, half_mm: float, px_per_mm: float) -> Patch | None:
    """A straightened square of felt without its shading, along x and y; None when the picture does not show all."""
    half = round(half_mm * px_per_mm)
    steps = np.arange(-half, half + 1) / px_per_mm
    xs, ys = np.meshgrid(at_mm[0] + steps, at_mm[1] + steps)
    seen = camera.mm_to_px(np.column_stack([xs.ravel(), ys.ravel()]))
    if not camera.contains_px(seen).all():
        return None
    columns, rows = (np.ascontiguousarray(part.reshape(xs.shape), np.float32) for part in seen.T)
    patch = cv2.remap(grey, columns, rows, cv2.INTER_LINEAR)
    return np.asarray(patch - cv2.GaussianBlur(patch, (0, 0), _SHADE_MM * px_per_mm), np.float32)


def _half_turn(patch: Patch, reach: int) -> tuple[Floats, float]:
    """How far (x, y) from the patch's middle, to a fraction, it is most like itself turned by half, and how alike."""
    side = len(patch) - 2 * reach
    radius = side // 2
    ys, xs = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    disc = (xs**2 + ys**2 <= radius**2).astype(np.float32)
    windows = sliding_window_view(patch, (side, side))
    shared = np.einsum("abij,abij,ij->ab", windows, windows[..., ::-1, ::-1], disc)
    own = np.einsum("abij,abij,ij->ab", windows, windows, disc)
    means = np.einsum("abij,ij->ab", windows, disc) ** 2 / disc.sum()
    alike = (shared - means) / np.maximum(own - means, 1e-6)
    row, column = np.unravel_index(int(alike.argmax()), alike.shape)
    best = float(alike[row, column])
    x = int(column) + peak(alike[row], int(column)) - reach
    y = int(row) + peak(alike[:, column], int(row)) - reach
    return np.array([x, y]), best
