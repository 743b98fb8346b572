"""Calibration: the camera that sees given points of the felt where a picture shows them, lens included.

In: pairs of points (felt millimetres and picture pixels), four or more. Out: `Calibration`: the camera and how far each
pair lies from it in millimetres. Points that no camera above the table could see like this are refused in one sentence.

Four pairs fix the camera; with six or more the lens is estimated too. The focal length is the given one, else the one
that the perspective shows; seen from straight above it shows none, and nothing on the felt depends on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.camera import Camera
from vision.errors import VisionError

Floats = NDArray[np.float64]

LENS_FROM: Final = 6  # pairs: one coefficient
SECOND_COEFFICIENT_FROM: Final = 12
WORST_MM: Final = 12.0  # a pair farther off than this was mistaken for another place
_NO_LENS: Final = (0.0, 0.0, 0.0, 0.0, 0.0)
_USUAL_LENS: Final = (0.15, 0.05)  # how far k1 and k2 of a lens may lie from what was known: keeps few points honest
_CLICK_PX: Final = 0.7  # what a hand's aim is off
_SURE_PX: Final = 0.1  # nothing is seen better than this
_FEWEST_APART_MM: Final = 5.0
_LINE: Final = 2e-3  # the weakest of the equations against the strongest
_FLAT: Final = 0.02  # triangles thinner than this have no side
_STEPS: Final = 30
_NUDGE: Final = 1e-6
_FOCALS: Final = np.geomspace(0.35, 12.0, 90)  # in widths of the picture
_BENT_VIEW: Final = 0.22  # the felt's axes look this different to no camera
_SHOWS_FOCAL: Final = 0.03


class CalibrationError(VisionError):
    """Points or a picture from which no camera can be worked out; the message says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """A camera, and how well it explains what it was made from."""

    camera: Camera
    points_mm: Floats  # (N, 2), of the pairs that were used
    points_px: Floats  # (N, 2)
    left_out: int = 0  # pairs that fit nothing: a chip on the spot, a hand

    def __post_init__(self) -> None:
        for points in (self.points_mm, self.points_px):
            points.setflags(write=False)

    @property
    def residuals_mm(self) -> Floats:
        """How far each pair (N,) lies from the camera's view, on the felt."""
        return residuals_mm(self.camera, self.points_mm, self.points_px)

    @property
    def is_lens_estimated(self) -> bool:
        """Whether there were enough pairs to tell the lens from them."""
        return len(self.points_mm) >= LENS_FROM

    def error_at_mm(self, places_mm: ArrayLike) -> Floats:
        """How far off (N,) the camera may be at these places of the felt: twice the standard deviation.

        Four pairs always fit; what they cannot tell, above all the lens, shows here and not in the residuals.
        """
        places = np.asarray(places_mm, float)
        is_lens_unknown = self.is_lens_estimated or not self.camera.distortion.any()
        model = _Model(self.camera, self.points_mm, self.points_px, 2 if is_lens_unknown else 0)
        values = model.start_values()
        misses = model.misses(values)
        freedom = 2 * len(self.points_mm) - len(values)
        scatter = max(_SURE_PX / _CLICK_PX, float(np.sqrt(misses @ misses / freedom))) if freedom > 0 else 1.0
        slopes = model.slopes(values, misses)
        elsewhere = _Model(self.camera, places, self.camera.mm_to_px(places), model.lens_terms, self.points_mm)
        moved = elsewhere.slopes(values, elsewhere.misses(values))[: 2 * len(places)] * _CLICK_PX
        spread = moved @ np.linalg.pinv(slopes.T @ slopes) @ moved.T
        pixels = scatter * np.sqrt(np.diag(spread).reshape(-1, 2).sum(axis=1))
        return np.asarray(2 * pixels / self.camera.px_per_mm(places))

    @property
    def rms_mm(self) -> float:
        """The root of the mean square of the residuals."""
        return float(np.sqrt(np.mean(self.residuals_mm**2)))

    @property
    def worst_mm(self) -> float:
        """The largest residual."""
        return float(self.residuals_mm.max())


def calibrate(
    points_mm: ArrayLike,
    points_px: ArrayLike,
    size_wh: tuple[int, int],
    distortion: Sequence[float] = _NO_LENS,
    focal_px: float | None = None,
) -> Calibration:
    """The camera that sees these points (N, 2) of the felt there; what is known of its lens is kept or improved."""
    on_felt, seen = np.asarray(points_mm, float), np.asarray(points_px, float)
    _verify_pairs(on_felt, seen)
    _verify_order(on_felt, seen)
    start = _first_camera(on_felt, seen, size_wh, distortion, focal_px)
    camera = fit_camera(start, on_felt, seen)
    _verify_fit(start, on_felt, seen, residuals_mm(camera, on_felt, seen))
    return Calibration(camera, on_felt.copy(), seen.copy())


def calibrate_most(start: Camera, points_mm: Floats, points_px: Floats, within_mm: float) -> Calibration:
    """The camera near `start` on which most pairs agree; pairs farther off than `within_mm` are left out.

    Raises when fewer than six pairs agree, or fewer than half.
    """
    agreed = _agreeing(start, points_mm, points_px, 2 * within_mm)
    camera = start
    for reach_mm in (2 * within_mm, within_mm, within_mm, within_mm):
        if agreed.sum() < max(LENS_FROM, len(points_mm) / 2):
            raise CalibrationError(
                f"only {int(agreed.sum())} of {len(points_mm)} places agree on where the camera is; "
                "clear the table, or give points"
            )
        camera = fit_camera(camera, points_mm[agreed], points_px[agreed])
        fits = residuals_mm(camera, points_mm, points_px) <= reach_mm
        if (fits == agreed).all():
            break
        agreed = fits
    return Calibration(camera, points_mm[agreed], points_px[agreed], int((~agreed).sum()))


def verify_same_size(picture_bgr: NDArray[np.uint8], camera: Camera) -> None:
    """Raise when a picture is not of the size for which the camera's numbers hold."""
    height, width = picture_bgr.shape[:2]
    if (width, height) != camera.size_wh:
        raise CalibrationError(
            f"the picture has {width}×{height} pixels, the table's camera {camera.size_wh[0]}×{camera.size_wh[1]}; "
            "give a picture of that size, or points"
        )


def residuals_mm(camera: Camera, points_mm: Floats, points_px: Floats) -> Floats:
    """How far each pair (N,) lies from the camera's view, on the felt; infinite where the lens shows nothing."""
    away = np.linalg.norm(camera.px_to_mm(points_px) - points_mm, axis=1)
    return np.asarray(np.nan_to_num(away, nan=np.inf))


def fit_camera(start: Camera, points_mm: Floats, points_px: Floats) -> Camera:
    """The camera of least error in pixels near `start`, with as much of a lens as so many pairs can tell."""
    count = len(points_mm)
    lens_terms = 0 if count < LENS_FROM else 1 if count < SECOND_COEFFICIENT_FROM else 2
    model = _Model(start, points_mm, points_px, lens_terms)
    values, damping = model.start_values(), 1e-3
    misses = model.misses(values)
    for _ in range(_STEPS):
        slope = model.slopes(values, misses)
        squared = slope.T @ slope
        step = np.linalg.solve(squared + damping * np.diag(np.diag(squared)), slope.T @ misses)
        tried = model.misses(values - step)
        if not np.isfinite(tried).all() or tried @ tried > misses @ misses:
            damping *= 10
            if damping > 1e6:
                break
            continue
        done = misses @ misses - tried @ tried < 1e-10 * (misses @ misses)
        values, misses, damping = values - step, tried, damping / 10
        if done:
            break
    return model.camera(values)


@dataclass(frozen=True, slots=True, eq=False)
class _Model:
    """Eight numbers of a homography and the first coefficients of the lens, as one row to improve."""

    camera_: Camera
    points_mm: Floats
    points_px: Floats
    lens_terms: int
    unit_mm: Floats | None = None  # the points whose extent is the unit, when not these

    def start_values(self) -> Floats:
        homography = self.camera_.homography_mm_to_px @ _inverse(self._to_unit())
        homography = homography / homography[2, 2]
        return np.append(homography.ravel()[:8], self.camera_.distortion[: self.lens_terms])

    def camera(self, values: Floats) -> Camera:
        homography = np.append(values[:8], 1.0).reshape(3, 3) @ self._to_unit()
        lens = self.camera_.distortion.copy()
        lens[: self.lens_terms] = values[8:]
        return Camera(self.camera_.size_wh, homography, self.camera_.matrix.copy(), lens)

    def misses(self, values: Floats) -> Floats:
        """Pixels by which each point is missed, then how unusual the lens is, in clicks."""
        missed = (self.camera(values).mm_to_px(self.points_mm) - self.points_px).ravel() / _CLICK_PX
        known = self.camera_.distortion[: self.lens_terms]
        return np.append(missed, (values[8:] - known) / np.array(_USUAL_LENS[: self.lens_terms]))

    def slopes(self, values: Floats, misses: Floats) -> Floats:
        columns = []
        for place, value in enumerate(values):
            nudge = _NUDGE * max(1.0, abs(value))
            nudged = values.copy()
            nudged[place] += nudge
            columns.append((self.misses(nudged) - misses) / nudge)
        return np.column_stack(columns)

    def _to_unit(self) -> Floats:
        """Millimetres to numbers around zero and one, for the sake of the arithmetic."""
        points = self.points_mm if self.unit_mm is None else self.unit_mm
        centre, spread = points.mean(axis=0), float(np.ptp(points, axis=0).max())
        return np.array([[1 / spread, 0, -centre[0] / spread], [0, 1 / spread, -centre[1] / spread], [0, 0, 1]])


def _inverse(matrix: Floats) -> Floats:
    return np.asarray(np.linalg.inv(matrix), np.float64)


def _verify_pairs(on_felt: Floats, seen: Floats) -> None:
    if on_felt.ndim != 2 or on_felt.shape[1] != 2 or on_felt.shape != seen.shape or len(on_felt) < 4:
        raise CalibrationError(
            f"{len(on_felt)} points on the felt and {len(seen)} in the picture are too few; give four or more pairs"
        )
    if not (np.isfinite(on_felt).all() and np.isfinite(seen).all()):
        raise CalibrationError("a point is not a number; write millimetres and pixels, like 1075,0=210.5,96")
    for one, other in combinations(range(len(on_felt)), 2):
        if np.linalg.norm(on_felt[one] - on_felt[other]) < _FEWEST_APART_MM:
            raise CalibrationError(
                f"points {one + 1} and {other + 1} are the same place {_said(on_felt[one])} mm; give another one"
            )
    if min(_weakest(on_felt), _weakest(seen)) < _LINE:
        raise CalibrationError("all but one of the points lie on a line; take points that surround the felt")


def _weakest(points: Floats) -> float:
    """How well points tell a homography: 0 when all but one lie on a line.

    With the points as both sides the true answer is the identity, so only their places count.
    """
    spread = float(np.ptp(points, axis=0).max())
    x, y = ((points - points.mean(axis=0)) / max(spread, 1e-9)).T
    one, none = np.ones_like(x), np.zeros_like(x)
    upper = np.column_stack([x, y, one, none, none, none, -x * x, -x * y, -x])
    lower = np.column_stack([none, none, none, x, y, one, -y * x, -y * y, -y])
    strengths = np.linalg.svd(np.vstack([upper, lower]), compute_uv=False)
    return float(strengths[7] / strengths[0])


def _verify_order(on_felt: Floats, seen: Floats) -> None:
    """Seen from above, every triangle of points keeps its sense of turning: reversed, for x runs to the left."""
    wrong, counted = np.zeros(len(on_felt), int), np.zeros(len(on_felt), int)
    for corners in combinations(range(len(on_felt)), 3):
        turn, seen_turn = _turn(on_felt[list(corners)]), _turn(seen[list(corners)])
        if min(abs(turn), abs(seen_turn)) > _FLAT:
            counted[list(corners)] += 1
            wrong[list(corners)] += turn * seen_turn > 0
    if not wrong.any():
        return
    if (wrong == counted).all():
        raise CalibrationError(
            "the points show the table mirrored: x of the felt runs to the dealer's right, y towards the players"
        )
    place = int(np.argmax(wrong))
    named = f"look at {_said(on_felt[place])} mm = {_said(seen[place])} px; " if len(on_felt) > 4 else ""
    raise CalibrationError(f"the points are crossed, two of them may be exchanged; {named}give them in the same order")


def _turn(triangle: Floats) -> float:
    """Twice the signed area of a triangle for its longest side squared."""
    first, second = triangle[1] - triangle[0], triangle[2] - triangle[0]
    longest = max(float(np.linalg.norm(side)) for side in (first, second, second - first))
    return float(first[0] * second[1] - first[1] * second[0]) / max(longest**2, 1e-9)


def _first_camera(
    on_felt: Floats, seen: Floats, size_wh: tuple[int, int], distortion: Sequence[float], focal_px: float | None
) -> Camera:
    try:
        camera = Camera.from_corners(on_felt, seen, size_wh, distortion, focal_px)
    except VisionError as error:
        raise CalibrationError(f"no camera sees these points so ({error}); check each pair") from error
    skews = np.array([_skew(camera, focal) for focal in _FOCALS * size_wh[0]])
    best = int(skews.argmin())
    if skews[best] > _BENT_VIEW:
        raise CalibrationError(
            "no camera above the felt sees these points so: they are turned by a corner, or the felt's "
            "measures are not those of this table; check each pair"
        )
    likely = float(_FOCALS[best] * size_wh[0])
    if focal_px is not None or min(_skew(camera, likely / 1.5), _skew(camera, likely * 1.5)) < _SHOWS_FOCAL:
        return camera
    return Camera.from_corners(on_felt, seen, size_wh, distortion, likely)


def _skew(camera: Camera, focal_px: float) -> float:
    """How far the felt's axes are from square and equal for a lens of this focal length: 0 to 1."""
    matrix = camera.matrix * np.array([[focal_px], [focal_px], [1.0]]) / np.array([[camera.matrix[0, 0]]] * 2 + [[1.0]])
    matrix[:2, 2] = camera.matrix[:2, 2]
    axes = _inverse(matrix) @ camera.homography_mm_to_px[:, :2]
    across, along = axes[:, 0] @ axes[:, 0], axes[:, 1] @ axes[:, 1]
    return float(np.hypot(across - along, 2 * (axes[:, 0] @ axes[:, 1])) / (across + along))


def _verify_fit(start: Camera, on_felt: Floats, seen: Floats, residuals: Floats) -> None:
    """One pair that was mistaken is named: without it, the others agree."""
    if residuals.max() <= WORST_MM:
        return
    if len(on_felt) > 5:
        rests = [np.delete(np.arange(len(on_felt)), place) for place in range(len(on_felt))]
        fits = [residuals_mm(fit_camera(start, on_felt[r], seen[r]), on_felt, seen) for r in rests]
        best = int(np.argmin([fit[rest].max() for fit, rest in zip(fits, rests, strict=True)]))
        if fits[best][rests[best]].max() <= WORST_MM:
            raise CalibrationError(
                f"the point {_said(on_felt[best])} mm = {_said(seen[best])} px lies {fits[best][best]:.0f} mm from "
                "where the others put it; correct it or leave it out"
            )
    raise CalibrationError(
        f"the points contradict each other by up to {residuals.max():.0f} mm; measure the felt and mark them again"
    )


def _said(point: Floats) -> str:
    return f"{point[0]:g},{point[1]:g}"


def homography_between(from_px: Floats, to_px: Floats, within_px: float) -> tuple[Floats, NDArray[np.bool_]] | None:
    """The homography on which most pairs (N, 2) agree, and which do; None when there is none."""
    if len(from_px) < 4:
        return None
    found, agreed = cv2.findHomography(from_px, to_px, cv2.RANSAC, within_px, maxIters=1000, confidence=0.999)
    homography = np.asarray(found, np.float64)  # None, where there is none, becomes NaN
    if homography.shape != (3, 3) or not np.isfinite(homography).all():
        return None
    return homography, np.asarray(agreed.ravel() > 0)


def _agreeing(start: Camera, points_mm: Floats, points_px: Floats, within_mm: float) -> NDArray[np.bool_]:
    """Which pairs one shift of the felt's plane explains, in millimetres, so that `start` may be some way off."""
    found = homography_between(start.px_to_mm(points_px), points_mm, within_mm)
    return np.zeros(len(points_mm), bool) if found is None else found[1]
