"""How a still is looked at: a camera over a plane in scene millimetres.

Scene: x right, y down as seen from above, z towards the camera, origin where the camera looks. (`vision.camera` has the
table's own axes, whose x runs the other way; this is the one place that turns one into the other.)
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.picture.compose import Points
from vision.camera import Camera

MAP_STEP_PX = 16


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A camera and the squeeze of a picture whose aspect was changed afterwards."""

    camera: Camera
    size_wh: tuple[int, int]
    _to_px: Points = field(init=False, repr=False)  # (3, 4): scene with heights to the picture, without the lens

    def __post_init__(self) -> None:
        """Solve the projection once: it is asked for several times a card."""
        plane = self.camera.homography_mm_to_px
        bare = np.linalg.inv(self.camera.matrix) @ plane
        upwards = self.camera.matrix @ np.cross(bare[:, 0], bare[:, 1]) / np.linalg.norm(bare[:, 0])
        seen = np.column_stack([-plane[:, 0], plane[:, 1], upwards, plane[:, 2]])
        squeeze = self._squeeze()
        shift = 0.5 * squeeze - 0.5
        squeezed = np.array([[squeeze[0], 0, shift[0]], [0, squeeze[1], shift[1]], [0, 0, 1]])
        object.__setattr__(self, "_to_px", squeezed @ seen)

    @classmethod
    def random(
        cls,
        rng: np.random.Generator,
        size_wh: tuple[int, int],
        px_per_mm: float,
        tilt_rad: float,
        *,
        squeeze: float = 1.0,
        lens: float = 0.0,
    ) -> "View":
        """A hand-held or mounted camera at which the middle of the scene has this scale."""
        taken_wh = (max(16, round(size_wh[0] * squeeze)), max(16, round(size_wh[1] / squeeze)))
        focal_px = max(taken_wh) * float(rng.uniform(0.8, 1.7))
        distance = focal_px / px_per_mm
        azimuth = float(rng.uniform(0, 2 * np.pi))
        across = np.sin(tilt_rad) * distance
        position = (-across * np.cos(azimuth), across * np.sin(azimuth), np.cos(tilt_rad) * distance)
        roll_deg = float(rng.uniform(-180, 180))
        camera = Camera.from_pose(position, (0, 0), focal_px, taken_wh, roll_deg, (lens, 0, 0, 0, 0))
        return cls(camera, size_wh)

    @property
    def is_bent(self) -> bool:
        """Whether the lens bends straight lines."""
        return bool(self.camera.distortion.any())

    def project(self, points_mm: Points, z_mm: float | Points = 0.0) -> Points:
        """Where the picture shows points (N, 2) of the scene at a height."""
        if self.is_bent:
            seen = self.camera.mm_to_px(points_mm * (-1, 1), z_mm)
            return np.asarray((seen + 0.5) * self._squeeze() - 0.5)
        seen = points_mm @ self._to_px[:, :2].T + np.multiply.outer(z_mm, self._to_px[:, 2]) + self._to_px[:, 3]
        seen[seen[:, 2] <= 0] = np.nan
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def unproject(self, points_px: Points, z_mm: float = 0.0) -> Points:
        """Which points of the plane at a height the picture shows there."""
        return self.camera.px_to_mm((points_px + 0.5) / self._squeeze() - 0.5, z_mm) * (-1, 1)

    def plane_map(self, scale: float = 1.0, offset: tuple[float, float] = (0.0, 0.0)) -> NDArray[np.float32]:
        """For each pixel (H, W, 2) the point of the plane it shows, scaled and moved; solved on a coarse grid."""
        width, height = self.size_wh
        columns, rows = -(-width // MAP_STEP_PX) + 2, -(-height // MAP_STEP_PX) + 2
        xs, ys = (np.arange(columns) - 0.5) * MAP_STEP_PX - 0.5, (np.arange(rows) - 0.5) * MAP_STEP_PX - 0.5
        grid = np.dstack(np.meshgrid(xs, ys)).reshape(-1, 2)
        points = np.nan_to_num(self.unproject(grid)) * scale + offset
        coarse = points.astype(np.float32).reshape(rows, columns, 2)
        fine = cv2.resize(coarse, (columns * MAP_STEP_PX, rows * MAP_STEP_PX))
        return np.asarray(fine[MAP_STEP_PX : MAP_STEP_PX + height, MAP_STEP_PX : MAP_STEP_PX + width], np.float32)

    def px_per_mm(self, at_mm: tuple[float, float] = (0.0, 0.0)) -> float:
        """The picture's scale at a point of the plane."""
        around = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) + at_mm
        return float(np.sqrt(max(cv2.contourArea(self.project(around).astype(np.float32)), 1e-6)))

    def camera_mm(self) -> tuple[float, float, float]:
        """Where the camera is, in the scene."""
        x, y, z = self.camera.position_mm()
        return -float(x), float(y), float(z)

    def _squeeze(self) -> Points:
        return np.asarray(np.array(self.size_wh) / np.array(self.camera.size_wh))
