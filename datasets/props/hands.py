"""Hands and forearms from above, modelled as swept spheres and lit; no pictures of people are used.

In: a pose, a `HandStyle` (skin, sleeve, build) and a scale. Out: a `Sprite`: fingers towards the upper edge, the
arm leaving at the lower edge, anchored at the point that works (fingertips, or the middle of a flat hand).

The hand is a skeleton in millimetres whose bones are swept with spheres; the highest sphere at each pixel gives
the surface, its slope the shading, and the bone it belongs to says where wrinkles, nails and rings go.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.errors import DatasetError
from datasets.props.hand_skin import CUFF, NO_FINGER, SKIN, SLEEVE, Surface, paint_hand
from datasets.props.hand_style import CLOTH, FINGERS, POSES, THUMB, HandStyle, Pose
from datasets.props.sprite import Sprite

__all__ = ["CLOTH", "POSES", "HandStyle", "Pose", "draw_hand"]

Floats = NDArray[np.float32]


class _Sweep:
    """Collects spheres into the surface."""

    def __init__(self, box_mm: tuple[float, float, float, float], px_per_mm: float) -> None:
        self.left, self.top, right, bottom = box_mm
        self.scale = px_per_mm
        shape = (int((bottom - self.top) * px_per_mm), int((right - self.left) * px_per_mm))
        self.height = np.full(shape, -1.0, np.float32)
        self.along = np.zeros(shape, np.float32)
        self.beside = np.zeros(shape, np.float32)
        self.part = np.zeros(shape, np.int8)
        self.finger = np.full(shape, NO_FINGER, np.int8)

    def bone(
        self,
        start: Floats,
        end: Floats,
        radii: tuple[float, float],
        *,
        flat: float = 1.0,
        along: float = 0.0,
        part: int = SKIN,
        finger: int = NO_FINGER,
    ) -> None:
        """Sweep spheres (flattened by `flat`) from start to end, (x, y, z) in millimetres."""
        length = float(np.linalg.norm(end - start))
        steps = max(2, int(length / max(1.2, min(radii) * 0.22)))
        heading = (end - start)[:2]
        heading = heading / max(float(np.linalg.norm(heading)), 1e-6)
        for t in np.linspace(0, 1, steps):
            centre = start + (end - start) * t
            radius = radii[0] + (radii[1] - radii[0]) * float(t)
            self._sphere(centre, radius, flat, heading, along + length * float(t), part, finger)

    def _sphere(
        self,
        centre: Floats,
        radius: float,
        flat: float,
        heading: Floats,
        along: float,
        part: int,
        finger: int,
    ) -> None:
        x, y = (centre[0] - self.left) * self.scale, (centre[1] - self.top) * self.scale
        reach = radius * self.scale + 1
        rows = slice(max(0, int(y - reach)), max(0, int(y + reach) + 1))
        columns = slice(max(0, int(x - reach)), max(0, int(x + reach) + 1))
        window = self.height[rows, columns]
        if window.size == 0:
            return
        ys, xs = np.ogrid[rows.start : rows.start + window.shape[0], columns.start : columns.start + window.shape[1]]
        dx, dy = (xs - x) / self.scale, (ys - y) / self.scale
        squared = dx * dx + dy * dy
        surface = centre[2] + flat * np.sqrt(np.maximum(radius * radius - squared, 0))
        higher = (squared < radius * radius) & (surface > window)
        window[higher] = surface[higher]
        self.along[rows, columns][higher] = (along + dx * heading[0] + dy * heading[1])[higher]
        self.beside[rows, columns][higher] = ((dy * heading[0] - dx * heading[1]) / radius)[higher]
        self.part[rows, columns][higher] = part
        self.finger[rows, columns][higher] = finger

    def surface(self) -> Surface:
        """The surface with the seams between spheres smoothed, most on palm and arm; its outline is kept."""
        solid = self.height > -1
        mask = solid.astype(np.float32)
        fingers = cv2.GaussianBlur((self.finger != NO_FINGER).astype(np.float32), (0, 0), 3 * self.scale)
        fine, broad = (_smooth(self.height, mask, size_mm * self.scale) for size_mm in (0.8, 4.5))
        fine = 0.5 * self.height + 0.5 * fine
        blend = broad + (fine - broad) * np.clip(fingers * 1.6 - 0.3, 0, 1)
        # Near the outline the round edge of the spheres is what makes the body look round.
        rim = np.clip(cv2.distanceTransform(solid.astype(np.uint8), cv2.DIST_L2, 3) / (9 * self.scale), 0, 1)
        height = np.where(solid, fine + (blend - fine) * rim, -1)
        return Surface(height.astype(np.float32), self.along, self.beside, self.part, self.finger)


def _smooth(height: Floats, mask: Floats, sigma_px: float) -> Floats:
    weight = cv2.GaussianBlur(mask, (0, 0), sigma_px)
    return np.asarray(cv2.GaussianBlur(height * mask, (0, 0), sigma_px) / np.maximum(weight, 1e-3), np.float32)


def draw_hand(pose: str, style: HandStyle, *, px_per_mm: float = 2.5, arm_mm: float = 300.0) -> Sprite:
    """A hand in one of `POSES`, with its forearm, lit from the upper left."""
    if pose not in POSES:
        raise DatasetError(f"{pose!r} is no pose of a hand; choose from {', '.join(POSES)}")
    posture = POSES[pose]
    sweep = _Sweep((-95.0, -215.0, 85.0, arm_mm), px_per_mm)
    chains = [_finger_chain(posture, style, number) for number in range(4)]
    thumb = _thumb_chain(posture, style)
    _sweep_arm(sweep, style, arm_mm)
    _sweep_palm(sweep, posture, style)
    for number, (_, lengths, base, tip) in enumerate(FINGERS):
        _sweep_chain(sweep, chains[number], lengths, (base * style.build, tip * style.build), number)
    _sweep_chain(sweep, thumb, THUMB[1], (THUMB[2] * style.build, THUMB[3] * style.build), 4)
    surface = sweep.surface()
    art = paint_hand(surface, style, px_per_mm)
    anchor = _working_point(posture, chains, thumb)
    anchor_px = ((anchor[0] - sweep.left) * px_per_mm, (anchor[1] - sweep.top) * px_per_mm)
    return _trim(art, anchor_px, px_per_mm, style.left)


def _finger_chain(pose: Pose, style: HandStyle, number: int) -> list[Floats]:
    """The four joints of a finger, (x, y, z): each bend turns the bone further down."""
    (x, y), lengths, _, _ = FINGERS[number]
    joints = [np.array([x, y * style.length, pose.palm_mm], np.float32)]
    yaw = np.deg2rad(pose.spread[number])
    pitch = np.deg2rad(-4.0)
    for bend, length in zip(pose.bend[number], lengths, strict=True):
        pitch += np.deg2rad(bend)
        step = np.array([np.sin(yaw) * np.cos(pitch), -np.cos(yaw) * np.cos(pitch), -np.sin(pitch)], np.float32)
        end = joints[-1] + step * np.float32(length * style.length)
        end[2] = max(end[2], 6.0)
        joints.append(end)
    return joints


def _thumb_chain(pose: Pose, style: HandStyle) -> list[Floats]:
    (x, y), lengths, _, _ = THUMB
    joints = [np.array([x, y, pose.palm_mm * 0.75], np.float32)]
    yaw, pitch = np.deg2rad(pose.thumb_spread), np.deg2rad(8.0)
    for bend, length in zip(pose.thumb_bend, lengths, strict=True):
        yaw += np.deg2rad(bend)
        pitch += np.deg2rad(4.0)
        step = np.array([np.sin(yaw) * np.cos(pitch), -np.cos(yaw) * np.cos(pitch), -np.sin(pitch)], np.float32)
        joints.append(joints[-1] + step * np.float32(length * style.length))
    return joints


def _sweep_chain(
    sweep: _Sweep, joints: list[Floats], lengths: tuple[float, ...], radii: tuple[float, float], finger: int
) -> None:
    """A finger, a little thicker at its joints than between them."""
    total, done = sum(lengths), 0.0
    for start, end, length in zip(joints, joints[1:], lengths, strict=False):
        first = radii[0] + (radii[1] - radii[0]) * done / total
        last = radii[0] + (radii[1] - radii[0]) * (done + length) / total
        middle = np.asarray((start + end) / 2, np.float32)
        waist = 0.965 * (first + last) / 2
        half = float(np.linalg.norm(end - start)) / 2
        sweep.bone(start, middle, (first, waist), along=done, finger=finger, flat=0.92)
        sweep.bone(middle, end, (waist, last), along=done + half, finger=finger, flat=0.92)
        done += length


def _sweep_palm(sweep: _Sweep, pose: Pose, style: HandStyle) -> None:
    """The back of the hand: four metacarpals that flow into each other, the heel, the ball of the thumb."""
    wrist = pose.palm_mm * 0.55 + 14
    for number, ((x, y), _, radius, _) in enumerate(FINGERS):
        start = np.array([x * 0.62, -6, wrist - 14], np.float32)
        end = np.array([x, y * style.length, pose.palm_mm - 1.5], np.float32)
        sweep.bone(start, end, (17 * style.build, (radius + 3.2) * style.build), flat=0.72, along=number * 10)
        web = np.array([x, y * style.length * 0.72, pose.palm_mm * 0.86], np.float32)
        sweep.bone(start, web, (18 * style.build, 15.5 * style.build), flat=0.68)
    for x in (-17.0, 0.0, 17.0):
        start = np.array([x, 0, wrist - 15], np.float32)
        end = np.array([x * 1.15, -66 * style.length, pose.palm_mm * 0.84], np.float32)
        sweep.bone(start, end, (19 * style.build, 17 * style.build), flat=0.66)
    ball = np.array([-30, -28, pose.palm_mm * 0.6], np.float32)
    sweep.bone(np.array([-12, -8, wrist - 16], np.float32), ball, (20 * style.build, 15 * style.build), flat=0.7)
    web = np.array([-30, -62 * style.length, pose.palm_mm * 0.62], np.float32)
    sweep.bone(ball, web, (14 * style.build, 9 * style.build), flat=0.6)


def _sweep_arm(sweep: _Sweep, style: HandStyle, arm_mm: float) -> None:
    """Wrist and forearm, then the sleeve around it."""
    radius = 25.0 * style.build
    for x in (-8.0, 8.0):
        near, far = np.array([x, -4, 9], np.float32), np.array([x * 1.9, arm_mm, 22], np.float32)
        sweep.bone(near, far, (radius * 0.88, radius * 1.4), flat=0.78)
    if style.sleeve_bgr is None:
        return
    begin = style.sleeve_from_mm
    for x in (-10.0, 10.0):
        wide = radius * (1.12 + 0.5 * begin / arm_mm)
        near, far = (
            np.array([x, begin + wide, 20], np.float32),
            np.array([x * 2.1, arm_mm + 30, 30], np.float32),
        )
        if style.cuff_bgr is not None:
            edge = near - np.array([0, 11, 0], np.float32)
            sweep.bone(edge, near, (wide * 0.97, wide * 0.97), flat=0.85, part=CUFF)
        sweep.bone(near, far, (wide, radius * 1.9), flat=0.85, part=SLEEVE)


def _working_point(pose: Pose, chains: list[list[Floats]], thumb: list[Floats]) -> Floats:
    if pose.works_at == "index":
        return chains[0][-1] if pose.thumb_spread < -20 else np.asarray((chains[0][-1] + thumb[-1]) / 2)
    if pose.works_at == "tips":
        return np.asarray((chains[0][-1] + chains[1][-1] + thumb[-1]) / 3)
    return np.array([0.0, -95.0, 0.0], np.float32)


def _trim(art: NDArray[np.uint8], anchor_px: tuple[float, float], px_per_mm: float, left: bool) -> Sprite:
    """Cut the empty border off and mirror it for a left hand."""
    rows, columns = np.nonzero(art[..., 3].max(axis=1))[0], np.nonzero(art[..., 3].max(axis=0))[0]
    x0, y0 = max(int(columns[0]) - 2, 0), max(int(rows[0]) - 2, 0)
    cut = art[y0 : int(rows[-1]) + 3, x0 : int(columns[-1]) + 3]
    x, y = anchor_px[0] - x0, anchor_px[1] - y0
    if left:
        cut, x = cut[:, ::-1], cut.shape[1] - 1 - x
    return Sprite(np.ascontiguousarray(cut), px_per_mm, (x, y), 28.0)
