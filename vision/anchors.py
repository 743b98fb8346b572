"""Marks printed on a felt, picked from one picture of it and found again in another.

In: a reference picture and its table; later any picture of the same camera. Out: `Anchors`; where each is seen now
(`Sightings`), and the shift of the felt's plane on which most of them agree (`Motion`).

Anchors lie on the felt outside work areas, where cards come and go, and outside wagers too unless little else is
printed. Each is looked for near its place by correlation, which does not mind the light; one that a hand or a chip
covers is not found, and no matter.
"""

from dataclasses import dataclass
from typing import Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import CalibrationError, homography_between, verify_same_size
from vision.camera import Camera
from vision.layout import felt_outline_mm
from vision.table import Table

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

FEWEST: Final = 10
FOUND: Final = 0.62  # correlation from which an anchor is seen
AGREE_MM: Final = 1.5
_USUAL_WIDTH: Final = 1920  # larger pictures are looked at as if they had this width
_HALF: Final = 12  # of an anchor's square, pixels
_REACH: Final = 6  # how far around its place it is looked for
_WIDE_REACH: Final = 14  # the same after a rough guess
_APART_PX: Final = 34.0
_EDGE_MM: Final = 22.0  # kept from the rail, which stands above the felt
_WORK_MM: Final = 12.0
_SPOT_MM: Final = 46.0
_RIM_MM: Final = 38.0
_CARDS_MM: Final = 75.0
_SURROUNDED: Final = 0.35  # of the felt's width times its depth
_LIVELY: Final = 2.0  # an anchor's contrast for that of the cloth: print has more, weave and noise have not
_ALONE: Final = 0.8  # an anchor that is this much like its own surroundings may be taken for them
_WIDE_SCALE: Final = 4.0
_WIDE_FOUND: Final = 0.5
_FAR_SHARE: Final = 0.12  # of the picture's width: how far a mark may have gone
_ROUGH_MM: Final = 9.0
_TURN: Final = np.linspace(0, 2 * np.pi, 24, endpoint=False)
_CIRCLE: Final = np.column_stack([np.cos(_TURN), np.sin(_TURN)])


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """How the felt is seen to have moved: true millimetres to those that the reference camera would say."""

    homography: Floats  # (3, 3)
    agreed: Bools  # (N,), which anchors it explains

    def moved(self, points_mm: Floats) -> Floats:
        """Where the reference camera sees these points (N, 2) now, in its millimetres."""
        homogeneous = points_mm @ self.homography[:, :2].T + self.homography[:, 2]
        return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])

    def camera(self, reference: Camera) -> Camera:
        """The reference camera as it hangs now."""
        homography = reference.homography_mm_to_px @ self.homography
        return Camera(reference.size_wh, homography, reference.matrix.copy(), reference.distortion.copy())


@dataclass(frozen=True, slots=True, eq=False)
class Sightings:
    """Where the anchors are seen in one picture."""

    at_mm: Floats  # (N, 2), as the reference camera would say
    score: NDArray[np.float32]  # (N,) correlation
    level: NDArray[np.float32]  # (N,) mean grey level there

    @property
    def is_seen(self) -> Bools:
        """Which were found."""
        return np.asarray(self.score >= FOUND)


@dataclass(frozen=True, slots=True, eq=False)
class Anchors:
    """Marks of one reference picture."""

    camera: Camera
    at_mm: Floats  # (N, 2)
    marks: NDArray[np.uint8]  # (N, side, side) grey
    wide_marks: NDArray[np.uint8]  # (N, side, side) grey, a quarter of the size, for a camera that moved far

    @classmethod
    def from_picture(cls, picture_bgr: Picture, table: Table, most: int = 36) -> Self:
        """The most telling marks of an empty table, well spread; raises when the felt shows too few."""
        camera = table.camera.to_camera()
        verify_same_size(picture_bgr, camera)
        allowed = _allowed(table, camera)
        grey = np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        places = _distinct_places(grey, allowed, allowed, camera, most)
        if _is_crowded(camera.px_to_mm(places), table):
            rims = _distinct_places(grey, _wagers(table, camera), allowed, camera, most // 2)
            places = np.vstack([places[: most - len(rims)], rims])
        if len(places) < FEWEST:
            raise CalibrationError(
                f"the felt shows {len(places)} marks outside the work areas, {FEWEST} are needed to watch the camera "
                "by; take the reference picture in focus, in good light, with nothing on the table"
            )
        marks = _squares(picture_bgr, places, _still(camera), _HALF)
        wide_marks = _squares(_shrunk(grey, camera), places / _shrinking(camera), np.eye(2)[None], _HALF)
        return cls(camera, camera.px_to_mm(places), np.array(marks), np.array(wide_marks))

    def look(self, picture_bgr: Picture, motion: Motion | None = None, *, is_rough: bool = False) -> Sightings:
        """Look for each anchor near its place, or near where a motion took it, known roughly or well."""
        reach = _WIDE_REACH if is_rough else _REACH
        expected_mm = self.at_mm if motion is None else motion.moved(self.at_mm)
        expected_px = self.camera.mm_to_px(expected_mm)
        turns = _still(self.camera) if motion is None else _turns(self.camera, motion, self.at_mm)
        squares = _squares(picture_bgr, expected_px, turns, _HALF + reach)
        found = [_best_place(square, mark, reach) for square, mark in zip(squares, self.marks, strict=True)]
        offsets, scores, levels = (np.array(part) for part in zip(*found, strict=True))
        seen_px = expected_px + np.einsum("nij,nj->ni", np.broadcast_to(turns, (len(offsets), 2, 2)), offsets)
        at_mm = np.nan_to_num(self.camera.px_to_mm(seen_px), nan=1e6)
        return Sightings(at_mm, np.asarray(scores, np.float32), np.asarray(levels, np.float32))

    def motion(self, seen: Sightings) -> Motion | None:
        """The shift on which most of the anchors that are seen agree; None when there is none."""
        return self.motion_of(seen, np.flatnonzero(seen.is_seen))

    def motion_of(self, seen: Sightings, which: NDArray[np.intp]) -> Motion | None:
        """The same of some of the anchors."""
        found = homography_between(self.at_mm[which], seen.at_mm[which], AGREE_MM)
        if found is None:
            return None
        agreed = np.zeros(len(self.at_mm), bool)
        agreed[which[found[1]]] = True
        return Motion(found[0], agreed)

    def far_motion(self, picture_bgr: Picture) -> Motion | None:
        """A rough guess for a camera that moved too far for `look`; dearer."""
        shrinking = _shrinking(self.camera)
        small = _shrunk(np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), np.uint8), self.camera)
        expected = self.camera.mm_to_px(self.at_mm) / shrinking
        reach = round(_FAR_SHARE * small.shape[1])
        squares = _squares(small, expected, np.eye(2)[None], _HALF + reach)
        found = [_best_place(square, mark, reach) for square, mark in zip(squares, self.wide_marks, strict=True)]
        offsets, scores, _ = (np.array(part) for part in zip(*found, strict=True))
        now_mm = self.camera.px_to_mm((expected + offsets) * shrinking)
        which = (scores >= _WIDE_FOUND) & np.isfinite(now_mm).all(axis=1)
        motion = homography_between(self.at_mm[which], now_mm[which], _ROUGH_MM)
        if motion is None or motion[1].sum() < FEWEST // 2:
            return None
        return Motion(motion[0], np.zeros(len(self.at_mm), bool))


def _allowed(table: Table, camera: Camera) -> Picture:
    """White where an anchor may lie: on the felt, away from what comes and goes."""
    mask = np.zeros((camera.size_wh[1], camera.size_wh[0]), np.uint8)
    _fill(mask, camera, felt_outline_mm(table.felt_mm))
    centre_mm = np.array([[0.0, table.felt_mm[1] / 2]])
    px_per_mm = float(camera.px_per_mm(centre_mm)[0])
    mask = np.asarray(cv2.erode(mask, _disc(_EDGE_MM * px_per_mm), borderValue=0), np.uint8)
    taken = np.zeros_like(mask)
    for zone in table.zones.values():
        _fill(taken, camera, zone.outline_mm())
    taken = np.asarray(cv2.dilate(taken, _disc(_WORK_MM * px_per_mm)), np.uint8)
    for zone in table.zones.values():
        for name, spot in zone.spots.items():
            _fill(taken, camera, np.array(spot) + _CIRCLE * (_CARDS_MM if name == "cards" else _SPOT_MM))
    mask[taken > 0] = 0
    return mask


def _wagers(table: Table, camera: Camera) -> Picture:
    """White at the seats' wagers: chips cover them in play, but on some felts little else is printed."""
    mask = np.zeros((camera.size_wh[1], camera.size_wh[0]), np.uint8)
    for zone in table.zones.values():
        if zone.seat is not None:
            for name, spot in zone.spots.items():
                if name != "cards":
                    _fill(mask, camera, np.array(spot) + _CIRCLE * _RIM_MM)
    return mask


def _is_crowded(places_mm: Floats, table: Table) -> bool:
    """Whether places surround too little of the felt to tell how its ends have moved."""
    if len(places_mm) < FEWEST:
        return True
    hull = cv2.convexHull(places_mm.astype(np.float32))
    return cv2.contourArea(hull) < _SURROUNDED * table.felt_mm[0] * table.felt_mm[1]


def _fill(mask: Picture, camera: Camera, outline_mm: Floats) -> None:
    seen = camera.mm_to_px(outline_mm)
    seen = seen[np.isfinite(seen).all(axis=1)]
    if len(seen) > 2:
        cv2.fillPoly(mask, [np.round(seen).astype(np.int32)], (255,))


def _disc(radius_px: float) -> Picture:
    side = 2 * max(1, round(radius_px)) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def _scale(camera: Camera) -> float:
    """Pixels of the picture for one pixel of a mark."""
    return max(1.0, camera.size_wh[0] / _USUAL_WIDTH)


def _shrinking(camera: Camera) -> float:
    """Pixels of the picture for one pixel of a wide mark."""
    return _WIDE_SCALE * _scale(camera)


def _shrunk(grey: Picture, camera: Camera) -> Picture:
    factor = 1 / _shrinking(camera)
    return np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)


def _still(camera: Camera) -> Floats:
    return np.eye(2)[None] * _scale(camera)


def _turns(camera: Camera, motion: Motion, at_mm: Floats) -> Floats:
    """How a small square around each anchor (N, 2, 2) is turned and stretched by a motion, in pixels."""
    places = camera.mm_to_px(at_mm)
    columns = []
    for step in (np.array([1.0, 0.0]), np.array([0.0, 1.0])):
        ahead, behind = (camera.mm_to_px(motion.moved(camera.px_to_mm(places + way * step))) for way in (1, -1))
        columns.append((ahead - behind) / 2)
    return np.nan_to_num(np.stack(columns, axis=2)) * _scale(camera)


def _squares(picture: Picture, at_px: Floats, turns: Floats, half: int) -> list[Picture]:
    """Grey squares (side, side) around places of a picture in colour or grey, sampled along each one's own axes."""
    side = 2 * half + 1
    squares = []
    for place, turn in zip(np.nan_to_num(at_px, nan=-1e4), np.broadcast_to(turns, (len(at_px), 2, 2)), strict=True):
        matrix = np.column_stack([turn, place - turn @ (half, half)])
        cut = cv2.warpAffine(picture, matrix, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        squares.append(np.asarray(cv2.cvtColor(cut, cv2.COLOR_BGR2GRAY) if cut.ndim == 3 else cut, np.uint8))
    return squares


def _best_place(square: Picture, mark: Picture, reach: int) -> tuple[Floats, float, float]:
    """How far (x, y) from the square's middle the mark is found, its correlation and the grey level there."""
    alike = np.asarray(cv2.matchTemplate(square, mark, cv2.TM_CCOEFF_NORMED), np.float32)
    _, score, _, (column, row) = cv2.minMaxLoc(alike)
    side = len(mark)
    level = float(square[row : row + side, column : column + side].mean())
    x = column + peak(alike[row], column) - reach
    y = row + peak(alike[:, column], row) - reach
    return np.array([x, y]), (score if np.isfinite(score) else 0.0), level


def peak(values: NDArray[np.floating], at: int) -> float:
    """Where between its neighbours a maximum lies, from -0.5 to 0.5; 0 at the end of the row."""
    if not 0 < at < len(values) - 1:
        return 0.0
    before, top, after = (float(value) for value in values[at - 1 : at + 2])
    bend = before - 2 * top + after
    return 0.0 if bend >= 0 else float(np.clip((before - after) / (2 * bend), -0.5, 0.5))


def _distinct_places(grey: Picture, allowed: Picture, cloth: Picture, camera: Camera, most: int) -> Floats:
    """Corners (N, 2) in the picture, livelier than the cloth, whose surroundings are not like a little further on."""
    scale = _scale(camera)
    size_wh = (round(grey.shape[1] / scale), round(grey.shape[0] / scale))
    small = np.asarray(cv2.resize(grey, size_wh, interpolation=cv2.INTER_AREA) if scale > 1 else grey, np.uint8)
    mask = np.asarray(cv2.resize(allowed, size_wh, interpolation=cv2.INTER_NEAREST), np.uint8)
    border = _HALF + _WIDE_REACH + 1
    mask[:border], mask[-border:], mask[:, :border], mask[:, -border:] = 0, 0, 0, 0
    mask[~_lively(small, np.asarray(cv2.resize(cloth, size_wh, interpolation=cv2.INTER_NEAREST), np.uint8))] = 0
    corners = np.asarray(cv2.goodFeaturesToTrack(small, 6 * most, 0.01, _APART_PX, mask=mask, blockSize=9), float)
    places = np.round(corners[:, 0] if corners.ndim == 3 else np.empty((0, 2))).astype(int)  # None when there is none
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.5), np.uint8)  # noise is like nothing, not even itself
    alone = [place for place in places if _is_alone(soft, place)]
    return np.array(_spread(alone, most), float).reshape(-1, 2) * scale + (scale - 1) / 2


def _lively(grey: Picture, cloth: Picture) -> Bools:
    """Where (H, W) a mark's square would have more contrast than the cloth has."""
    levels = np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.0), np.float32)
    side = (2 * _HALF + 1, 2 * _HALF + 1)
    squares = cv2.blur(levels * levels, side) - cv2.blur(levels, side) ** 2
    contrast = np.sqrt(np.maximum(squares, 0))
    plain = contrast[cloth > 0]
    return np.asarray(contrast > _LIVELY * (float(np.median(plain)) if plain.size else np.inf))


def _is_alone(grey: Picture, place: NDArray[np.int_]) -> bool:
    x, y = int(place[0]), int(place[1])
    reach = _HALF + _WIDE_REACH
    square = grey[y - reach : y + reach + 1, x - reach : x + reach + 1]
    mark = square[_WIDE_REACH:-_WIDE_REACH, _WIDE_REACH:-_WIDE_REACH]
    alike = cv2.matchTemplate(square, mark, cv2.TM_CCOEFF_NORMED)
    alike[_WIDE_REACH - 3 : _WIDE_REACH + 4, _WIDE_REACH - 3 : _WIDE_REACH + 4] = 0
    return bool(alike.max() < _ALONE)


def _spread(places: list[NDArray[np.int_]], most: int) -> list[NDArray[np.int_]]:
    """So many of the places, each time the one farthest from those already taken; the best one first."""
    if len(places) <= most:
        return places
    points = np.array(places, float)
    taken = [0]
    away = np.linalg.norm(points - points[0], axis=1)
    while len(taken) < most:
        taken.append(int(away.argmax()))
        away = np.minimum(away, np.linalg.norm(points - points[taken[-1]], axis=1))
    return [places[number] for number in taken]
