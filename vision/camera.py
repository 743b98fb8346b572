"""How a camera sees the table: millimetres on the felt to pixels in the picture and back, lens included.

In: a pose (the simulator) or four or more reference points found in the picture (a table file).
Out: `Camera`, which converts points, and the maps with which `cv2.remap` makes a zone's straightened picture.

Table: millimetres, x to the dealer's right, y towards the players, z up. Seen from above this is not the
order of a picture (x right and y down would be its mirror image): with the dealer at the top of the picture, x
runs to the left. Pixels and lens follow OpenCV: whole numbers are pixel centres, the five coefficients are
k1, k2, p1, p2, k3.
"""

from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.errors import VisionError

Floats = NDArray[np.float64]

_NEWTON_STEPS = 12
_MAP_STEP = 4
_MAP_LIMIT = 16_000.0
_HALF_X, _HALF_Y = np.array([0.5, 0.0]), np.array([0.0, 0.5])
_TOWARDS_DEALER = np.array([0.0, -1.0, 0.0])


@dataclass(frozen=True, slots=True, eq=False)
class RectifiedView:
    """How to cut one zone out of the picture, straightened to a fixed scale."""

    map_xy: NDArray[np.float32]  # (H, W, 2): the picture's pixel for each pixel of the straightened zone
    homography_mm_to_px: Floats  # (3, 3): table millimetres to pixels of the straightened zone

    def __post_init__(self) -> None:
        _freeze(self.map_xy, self.homography_mm_to_px)

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of the straightened zone in pixels."""
        return self.map_xy.shape[1], self.map_xy.shape[0]

    def cut(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The straightened zone; black where the picture does not reach."""
        return remap(picture, self.map_xy)


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A camera over one table. A point that it cannot see at all (behind it, beyond its lens) becomes NaN."""

    size_wh: tuple[int, int]
    homography_mm_to_px: Floats  # (3, 3), felt to the undistorted picture, positive depth
    matrix: Floats  # (3, 3), focal lengths and centre in pixels
    distortion: Floats  # (5,), OpenCV's k1, k2, p1, p2, k3

    def __post_init__(self) -> None:
        for name, shape in (("homography_mm_to_px", (3, 3)), ("matrix", (3, 3)), ("distortion", (5,))):
            array = getattr(self, name)
            if array.shape != shape or not np.isfinite(array).all():
                raise VisionError(f"a camera's {name} is {shape} finite numbers, not {array.tolist()}")
        if min(self.size_wh) < 16:
            raise VisionError(f"a camera's picture of {self.size_wh} pixels is too small; give width, height")
        _freeze(self.homography_mm_to_px, self.matrix, self.distortion)

    @classmethod
    def from_pose(
        cls,
        position_mm: ArrayLike,
        look_at_mm: ArrayLike,
        focal_px: float,
        size_wh: tuple[int, int],
        roll_deg: float = 0.0,
        distortion: ArrayLike = (0, 0, 0, 0, 0),
    ) -> Self:
        """A camera at (x, y, z) looking at a point (x, y) of the felt.

        Upright, the dealer is at the top of the picture; `roll_deg` turns the camera clockwise.
        """
        position = np.asarray(position_mm, float)
        target = np.append(np.asarray(look_at_mm, float)[:2], 0.0)
        if position.shape != (3,) or position[2] <= 0 or focal_px <= 0:
            raise VisionError(
                f"no camera at {position.tolist()} with a focal length of {focal_px} pixels: "
                "give x, y and a height above the felt in millimetres, and a positive focal length"
            )
        rotation = _looking(target - position, roll_deg)
        matrix = _matrix(focal_px, size_wh)
        translation = -rotation @ position
        homography = matrix @ np.column_stack([rotation[:, 0], rotation[:, 1], translation])
        return cls((size_wh[0], size_wh[1]), homography, matrix, np.array(distortion, float))

    @classmethod
    def from_corners(
        cls,
        corners_mm: ArrayLike,
        corners_px: ArrayLike,
        size_wh: tuple[int, int],
        distortion: ArrayLike = (0, 0, 0, 0, 0),
        focal_px: float | None = None,
    ) -> Self:
        """A camera from four or more points of the felt and where the picture shows them.

        The coefficients of the lens belong to `focal_px`; without one it is taken as the picture's width.
        """
        on_felt, seen = _points(corners_mm), _points(corners_px)
        if len(on_felt) < 4 or len(on_felt) != len(seen):
            raise VisionError(
                f"{len(on_felt)} reference points on the felt and {len(seen)} in the picture; give four or more pairs"
            )
        matrix = _matrix(size_wh[0] if focal_px is None else focal_px, size_wh)
        lens = np.array(distortion, float)
        straight = _apply(matrix, _undistort(_apply(_inverse(matrix), seen), lens))
        homography = _fit_homography(on_felt, straight)
        _verify_seen_from_above(homography, on_felt)
        return cls((size_wh[0], size_wh[1]), homography, matrix, lens)

    def mm_to_px(self, points_mm: ArrayLike, z_mm: float | ArrayLike = 0.0) -> Floats:
        """Where the picture shows these points (N, 2) of the table, `z_mm` above the felt."""
        points = _points(points_mm)
        heights = np.broadcast_to(np.asarray(z_mm, float), len(points))
        homogeneous = np.column_stack([points, heights, np.ones(len(points))]) @ self._projection().T
        depth = homogeneous[:, 2:]
        with np.errstate(divide="ignore", invalid="ignore"):
            straight = np.where(depth > 0, homogeneous[:, :2] / depth, np.nan)
        return _apply(self.matrix, _distort(_apply(_inverse(self.matrix), straight), self.distortion))

    def px_to_mm(self, points_px: ArrayLike, z_mm: float = 0.0) -> Floats:
        """Which points of the plane `z_mm` above the felt these pixels (N, 2) show."""
        straight = _undistort(_apply(_inverse(self.matrix), _points(points_px)), self.distortion)
        plane = self._projection()[:, [0, 1, 3]]
        plane = plane + np.outer(self._projection()[:, 2] * z_mm, [0, 0, 1])
        return _apply(_inverse(plane) @ self.matrix, straight)

    def px_per_mm(self, points_mm: ArrayLike) -> Floats:
        """The picture's scale at these points of the felt: the root of the area of a square millimetre."""
        points = _points(points_mm)
        along_x = self.mm_to_px(points + _HALF_X) - self.mm_to_px(points - _HALF_X)
        along_y = self.mm_to_px(points + _HALF_Y) - self.mm_to_px(points - _HALF_Y)
        return np.sqrt(np.abs(along_x[:, 0] * along_y[:, 1] - along_x[:, 1] * along_y[:, 0]))

    def contains_px(self, points_px: ArrayLike) -> NDArray[np.bool_]:
        """Which pixels (N, 2) lie in the picture."""
        points = _points(points_px)
        return np.asarray(((points >= -0.5) & (points <= np.array(self.size_wh) - 0.5)).all(axis=1))

    def position_mm(self) -> Floats:
        """Where the camera hangs: x, y and height."""
        projection = self._projection()
        return -_inverse(projection[:, :3]) @ projection[:, 3]

    def rectify_map(self, zone_mm: ArrayLike, px_per_mm: float) -> RectifiedView:
        """The view that cuts out the rectangle around a zone, along its longest edge, dealer's side on top."""
        zone = _points(zone_mm)
        to_zone = _rectangle_around(zone, px_per_mm)
        size_wh = np.ceil(_apply(to_zone, zone).max(axis=0) + 0.5 - 1e-6).astype(int)
        grid = _pixel_grid(int(size_wh[0]), int(size_wh[1]))
        seen = self.mm_to_px(_apply(_inverse(to_zone), grid))
        return RectifiedView(_as_map(seen.reshape(size_wh[1], size_wh[0], 2)), to_zone)

    def plane_map(self, homography_mm_to_plane: Floats, z_mm: float = 0.0) -> NDArray[np.float32]:
        """The map (H, W, 2) for `cv2.remap` that shows a picture of the table plane as this camera sees it."""
        # Every fourth pixel, the rest between them: off by about a hundredth of a pixel, ten times faster.
        width, height = (-(-side // _MAP_STEP) + 2 for side in self.size_wh)
        coarse_px = (_pixel_grid(width, height) - 0.5) * _MAP_STEP - 0.5
        coarse = _as_map(_apply(homography_mm_to_plane, self.px_to_mm(coarse_px, z_mm)).reshape(height, width, 2))
        fine = cv2.resize(coarse, None, fx=_MAP_STEP, fy=_MAP_STEP)
        inner = fine[_MAP_STEP : _MAP_STEP + self.size_wh[1], _MAP_STEP : _MAP_STEP + self.size_wh[0]]
        return np.ascontiguousarray(inner, np.float32)

    def _projection(self) -> Floats:
        """(3, 4): table with heights to the undistorted picture. Plane and lens fix the third axis."""
        bare = _inverse(self.matrix) @ self.homography_mm_to_px
        scale = (np.linalg.norm(bare[:, 0]) + np.linalg.norm(bare[:, 1])) / 2
        upwards = self.matrix @ np.cross(bare[:, 0], bare[:, 1]) / scale
        flat = self.homography_mm_to_px
        return np.column_stack([flat[:, 0], flat[:, 1], upwards, flat[:, 2]])


def remap(
    picture: NDArray[np.uint8], map_xy: NDArray[np.float32], border: int = cv2.BORDER_CONSTANT
) -> NDArray[np.uint8]:
    """`cv2.remap` by a map (H, W, 2), whose type stubs do not know that the second map may be left out."""
    shown = cv2.remap(picture, map_xy, None, cv2.INTER_LINEAR, borderMode=border)  # type: ignore[call-overload]
    return np.asarray(shown, np.uint8)


def plane_homography(dealer_right_mm: float, dealer_edge_mm: float, px_per_mm: float) -> Floats:
    """Table millimetres to a picture of the plane from above, dealer on top, x to the left.

    `dealer_right_mm` is the x of the picture's left edge, `dealer_edge_mm` the y of its upper edge.
    """
    return np.array(
        [
            [-px_per_mm, 0.0, dealer_right_mm * px_per_mm - 0.5],
            [0.0, px_per_mm, -dealer_edge_mm * px_per_mm - 0.5],
            [0.0, 0.0, 1.0],
        ]
    )


def _freeze(*arrays: NDArray[np.generic]) -> None:
    for array in arrays:
        array.setflags(write=False)


def _points(points: ArrayLike) -> Floats:
    array = np.asarray(points, float)
    if array.size == 0:
        return np.empty((0, 2))
    if array.ndim != 2 or array.shape[1] != 2:
        raise VisionError(f"points have the shape (N, 2), these have {array.shape}")
    return array


def _pixel_grid(width: int, height: int) -> Floats:
    columns, rows = np.meshgrid(np.arange(width, dtype=float), np.arange(height, dtype=float))
    return np.column_stack([columns.ravel(), rows.ravel()])


def _apply(homography: Floats, points: Floats) -> Floats:
    homogeneous = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])


def _as_map(points: Floats) -> NDArray[np.float32]:
    """Points as `cv2.remap` takes them: it holds whole pixels in 16 bits."""
    near = np.clip(np.nan_to_num(points, nan=-_MAP_LIMIT), -_MAP_LIMIT, _MAP_LIMIT)
    return np.asarray(near, np.float32)


def _inverse(matrix: Floats) -> Floats:
    return np.asarray(np.linalg.inv(matrix), np.float64)


def _matrix(focal_px: float, size_wh: tuple[int, int]) -> Floats:
    width, height = size_wh
    return np.array(
        [[focal_px, 0.0, (width - 1) / 2], [0.0, focal_px, (height - 1) / 2], [0.0, 0.0, 1.0]],
    )


def _looking(direction: Floats, roll_deg: float) -> Floats:
    """Rotation (3, 3) from the table's axes to the camera's: right, down, forward."""
    forward = direction / np.linalg.norm(direction)
    down = -(_TOWARDS_DEALER - (_TOWARDS_DEALER @ forward) * forward)
    down /= np.linalg.norm(down)
    right = np.cross(down, forward)
    turn = np.deg2rad(roll_deg)
    rolled_right = np.cos(turn) * right + np.sin(turn) * down
    rolled_down = np.cos(turn) * down - np.sin(turn) * right
    return np.array([rolled_right, rolled_down, forward])


def _distort(points: Floats, lens: Floats) -> Floats:
    """Normalised points (N, 2) as the lens bends them; NaN beyond the radius where it would fold back."""
    if not lens.any():
        return points
    k1, k2, p1, p2, k3 = lens
    x, y = points[:, 0], points[:, 1]
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    bent = np.column_stack(
        [
            x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
            y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
        ]
    )
    bent[~(r2 < _fold_radius2(lens))] = np.nan
    return bent


def _fold_radius2(lens: Floats) -> float:
    """The squared radius at which the radial part stops growing: nothing beyond it is in any picture."""
    k1, k2, _, _, k3 = lens
    slope = np.array([7 * k3, 5 * k2, 3 * k1, 1.0])
    roots = np.roots(np.where(np.abs(slope) < 1e-9, 0.0, slope))
    real = roots[(np.abs(roots.imag) < 1e-12) & (roots.real > 0)].real
    return float(real.min()) if real.size else np.inf


def _undistort(points: Floats, lens: Floats) -> Floats:
    """The inverse of `_distort` by Newton's method: a fixed point is too slow at a wide lens's corners."""
    if not lens.any() or not len(points):
        return points
    # A start inside the fold: from there Newton climbs the branch that a lens shows.
    limit = 0.98 * np.sqrt(_fold_radius2(lens))
    radius = np.linalg.norm(points, axis=1, keepdims=True)
    guess = points * np.minimum(1.0, limit / np.maximum(radius, 1e-12))
    with np.errstate(invalid="ignore", over="ignore"):  # what no lens shows may run away; it becomes NaN
        for _ in range(_NEWTON_STEPS):
            step = _newton_step(guess, points, lens)
            guess = guess - step
            if np.abs(step).max(initial=0.0) < 1e-12:
                break
        hit = np.abs(_distort(guess, lens) - points).max(axis=1) < 1e-7
    return np.where(hit[:, None], guess, np.nan)


def _newton_step(guess: Floats, points: Floats, lens: Floats) -> Floats:
    """What to take off each guess so that the lens bends it to its point."""
    k1, k2, p1, p2, k3 = lens
    x, y = guess[:, 0], guess[:, 1]
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    slope = 2 * (k1 + r2 * (2 * k2 + r2 * 3 * k3))
    off_x = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x) - points[:, 0]
    off_y = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y - points[:, 1]
    xx = radial + slope * x * x + 2 * p1 * y + 6 * p2 * x
    yy = radial + slope * y * y + 6 * p1 * y + 2 * p2 * x
    xy = slope * x * y + 2 * p1 * x + 2 * p2 * y
    determinant = xx * yy - xy * xy
    determinant = np.where(np.abs(determinant) < 1e-9, 1e-9, determinant)
    return np.column_stack([yy * off_x - xy * off_y, xx * off_y - xy * off_x]) / determinant[:, None]


def _fit_homography(on_felt: Floats, straight: Floats) -> Floats:
    """The homography of least error, scaled so that the points lie in front of the camera."""
    if not np.isfinite(straight).all():
        raise VisionError("a reference point lies where this lens shows nothing; check distortion and corners_px")
    system = []
    centre, spread = on_felt.mean(axis=0), max(float(np.ptp(on_felt)), 1e-9)
    for (x, y), (u, v) in zip((on_felt - centre) / spread, straight, strict=True):
        system += [[x, y, 1, 0, 0, 0, -u * x, -u * y, -u], [0, 0, 0, x, y, 1, -v * x, -v * y, -v]]
    _, strengths, rows = np.linalg.svd(np.array(system))
    if strengths[7] < 1e-9 * strengths[0]:
        raise VisionError(f"the reference points {straight.tolist()} lie on a line; take the felt's four corners")
    shift = np.array([[1 / spread, 0, -centre[0] / spread], [0, 1 / spread, -centre[1] / spread], [0, 0, 1]])
    homography = rows[-1].reshape(3, 3) @ shift
    return np.asarray(homography / (np.append(centre, 1) @ homography[2]))


def _verify_seen_from_above(homography: Floats, on_felt: Floats) -> None:
    depths = np.column_stack([on_felt, np.ones(len(on_felt))]) @ homography[2]
    if np.linalg.det(homography) >= 0 or (depths <= 0).any():
        raise VisionError(
            "the reference points show the table from below or crossed: corners_px must be in the order of "
            "corners_mm (dealer's edge: the dealer's right, left; players' edge: the dealer's left, right)"
        )


def _rectangle_around(zone: Floats, px_per_mm: float) -> Floats:
    """Millimetres to pixels of the rectangle along the zone's longest edge that holds the zone."""
    edges = np.roll(zone, -1, axis=0) - zone
    along = edges[np.argmax(np.linalg.norm(edges, axis=1).round(6))]
    along = along / np.linalg.norm(along)
    across = np.array([-along[1], along[0]])
    # The side of the dealer, who stands at the origin, comes on top: rows run away from the dealer.
    if across @ zone.mean(axis=0) < 0:
        across = -across
    right = np.array([-across[1], across[0]])  # not mirrored: from right to down is clockwise, seen from above
    axes = np.array([right, across]) * px_per_mm
    start = (zone @ axes.T).min(axis=0)
    return np.vstack([np.column_stack([axes, -start - 0.5]), [0.0, 0.0, 1.0]])
