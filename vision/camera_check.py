"""What a camera can and cannot read: size, focus, light and glare in each zone of a table, and what to change.

In: a picture of the table, best with nothing on it or between hands, and the table. Out: `CameraCheck`, a `ZoneCheck`
for each zone with figures and a verdict in plain words. Cards are read in the dealer's zone and at the seats; of the
other zones only the figures are given.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import verify_same_size
from vision.camera import Camera
from vision.layout import DEALER, Zone
from vision.table import Table

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

READS_WELL: Final = "reads well"
NOT_READ: Final = "no cards are read here"
CARD_MM: Final = 88.0
NEEDED_PX: Final = 64.0  # height of a card that is read surely
SHARP: Final = 0.6  # below this, edges are washed out
WHITE_LEVEL: Final = 130.0  # what is white on the table has at least this grey level in good light
BLOWN_SHARE: Final = 0.3  # of a zone without any drawing left
GLARE_SHARE: Final = 0.12  # of a zone
CONTRAST: Final = 45.0  # grey levels from the darkest to the lightest
_AROUND_MM: Final = 35.0  # a spot with its rim
_CLIPPED: Final = 252
_GLARE_LEVELS: Final = 42.0  # grey levels; the light of several lamps is uneven by less
_GLARE_MM: Final = 60.0  # glare is wider than any white without print: a card has pips, a chip is smaller
_COARSE_PX_PER_MM: Final = 0.4
_USUAL_CARD_PX: Final = 80.0
_BARE: Final = 0.5  # a zone with less of the table's contrast shows nothing to judge focus and light by


@dataclass(frozen=True, slots=True)
class ZoneCheck:
    """One zone as the camera sees it."""

    name: str
    px_per_mm: float  # where it is smallest
    card_px: float  # height of a card there
    sharpness: float  # steepness of edges for their contrast; SHARP and more is in focus
    white_level: float  # grey level of what is white there
    blown_share: float  # of the zone's area at full white
    glare_share: float  # of the zone's area under mirrored light
    contrast: float  # grey levels
    is_read: bool  # whether cards are read there at all
    problems: tuple[str, ...] = ()  # with what to change; none when it reads well

    @property
    def is_good(self) -> bool:
        """Whether nothing keeps cards from being read there."""
        return not self.problems

    @property
    def verdict(self) -> str:
        """For people."""
        return "; ".join(self.problems) or (READS_WELL if self.is_read else NOT_READ)


@dataclass(frozen=True, slots=True)
class CameraCheck:
    """A camera over its table."""

    size_wh: tuple[int, int]
    zones: tuple[ZoneCheck, ...]

    @property
    def is_good(self) -> bool:
        """Whether cards are read well in every zone."""
        return all(zone.is_good for zone in self.zones)


def check_camera(picture_bgr: Picture, table: Table) -> CameraCheck:
    """Judge every zone of a table by one picture of it."""
    camera = table.camera.to_camera()
    verify_same_size(picture_bgr, camera)
    view = _View(picture_bgr, camera, table)
    areas = {zone.name: view.area(zone) for zone in table.zones.values()}
    all_read = np.asarray(np.any([areas[zone.name] for zone in table.zones.values() if _is_read(zone)], axis=0))
    whole, glare = view.figures(all_read), view.glare(all_read)
    checks = [_check(zone, view, areas[zone.name], whole, glare) for zone in table.zones.values()]
    return CameraCheck(camera.size_wh, tuple(checks))


def _is_read(zone: Zone) -> bool:
    """Whether cards are read there."""
    return zone.name == DEALER or zone.seat is not None


@dataclass(frozen=True, slots=True)
class _Figures:
    """What the pixels of an area say."""

    steepness: float  # of the steepest edges for the contrast, per pixel
    white: float
    cloth: float
    contrast: float


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """A picture and the geometry it is measured with."""

    picture_bgr: Picture
    camera: Camera
    table: Table

    def area(self, zone: Zone) -> Mask:
        """The pixels (H, W) of a zone: its work area and its spots with what lies between."""
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * _AROUND_MM
        places = [zone.work, *(np.array(spot) + square for spot in zone.spots.values())]
        hull = cv2.convexHull(np.concatenate(places).astype(np.float32))[:, 0]
        mask = np.zeros(self.picture_bgr.shape[:2], np.uint8)
        seen = np.nan_to_num(self.camera.mm_to_px(hull), nan=-1.0)
        cv2.fillPoly(mask, [np.round(seen).astype(np.int32)], (255,))
        return np.asarray(mask > 0)

    def figures(self, area: Mask) -> _Figures:
        (left, top), (right, bottom) = _bounds(area)
        inside = area[top:bottom, left:right]
        grey = np.asarray(cv2.cvtColor(self.picture_bgr[top:bottom, left:right], cv2.COLOR_BGR2GRAY), np.uint8)
        dark, cloth, white = np.percentile(grey[inside], (1, 50, 99))
        slope = np.abs(cv2.Laplacian(grey, cv2.CV_32F))[inside]
        contrast = float(white - dark)
        return _Figures(float(np.percentile(slope, 99)) / (contrast + 1), float(white), float(cloth), contrast)

    def glare(self, felt: Mask) -> Mask:
        """Where (H, W) the felt mirrors a lamp: much lighter than the cloth elsewhere, over more than a card's white.

        The darkest of each disc counts, so that print, chips and cards with their pips are no glare.
        """
        centre_mm = np.array([[0.0, self.table.felt_mm[1] / 2]])
        scale = min(1.0, _COARSE_PX_PER_MM / float(self.camera.px_per_mm(centre_mm)[0]))
        small = cv2.resize(self.picture_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        side = max(3, round(_GLARE_MM * _COARSE_PX_PER_MM) | 1)
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
        level = cv2.morphologyEx(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), cv2.MORPH_OPEN, disc).astype(np.float32)
        is_felt = cv2.resize(felt.astype(np.uint8), (small.shape[1], small.shape[0]), interpolation=cv2.INTER_NEAREST)
        mask = level > float(np.median(level[is_felt > 0])) + _GLARE_LEVELS
        height, width = self.picture_bgr.shape[:2]
        whole = cv2.resize(mask.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
        return np.asarray(whole > 0)


def _bounds(area: Mask) -> tuple[tuple[int, int], tuple[int, int]]:
    """Left, top and right, bottom of an area; no zone of a table is out of its picture."""
    rows, columns = np.flatnonzero(area.any(axis=1)), np.flatnonzero(area.any(axis=0))
    return (int(columns[0]), int(rows[0])), (int(columns[-1]) + 1, int(rows[-1]) + 1)


def _check(zone: Zone, view: _View, area: Mask, whole: _Figures, glare: Mask) -> ZoneCheck:
    here = view.figures(area)
    is_bare = here.contrast < _BARE * whole.contrast
    px_per_mm = float(view.camera.px_per_mm(zone.outline_mm()).min())
    card_px = CARD_MM * px_per_mm
    # Where nothing is printed, what is white elsewhere would be as much darker as the cloth is.
    elsewhere = whole.white * min(1.5, here.cloth / max(whole.cloth, 1.0))
    measured = ZoneCheck(
        name=zone.name,
        px_per_mm=px_per_mm,
        card_px=card_px,
        sharpness=(whole if is_bare else here).steepness * max(1.0, card_px / _USUAL_CARD_PX),
        white_level=max(here.white, elsewhere) if is_bare else here.white,
        blown_share=float((view.picture_bgr[area].min(axis=1) >= _CLIPPED).mean()),
        glare_share=float(glare[area].mean()),
        contrast=(whole if is_bare else here).contrast,
        is_read=_is_read(zone),
    )
    return _judged(measured, view) if measured.is_read else measured


def _judged(check: ZoneCheck, view: _View) -> ZoneCheck:
    """The same with everything that keeps cards from being read there, the worst first."""
    place = check.name.replace("-", " ")
    said = {
        _too_small(check, view): check.card_px < NEEDED_PX,
        f"too dark: white is at {check.white_level:.0f} of 255, {WHITE_LEVEL:.0f} are needed; more light, or a longer "
        "exposure": check.white_level < WHITE_LEVEL,
        f"blown out: {check.blown_share:.0%} of {place} is plain white; less light, or a shorter "
        "exposure": check.blown_share > BLOWN_SHARE,
        f"glare on {place}: {check.glare_share:.0%} of it mirrors a lamp; move the lamp or the "
        "camera": check.glare_share > GLARE_SHARE,
        f"out of focus: sharpness {check.sharpness:.2f}, {SHARP:.2f} is needed; focus the lens, clean the "
        "dome": check.sharpness < SHARP,
        f"flat: {check.contrast:.0f} grey levels from dark to light, {CONTRAST:.0f} are needed; clean the dome, keep "
        "light off the lens": check.contrast < CONTRAST,
    }
    problems = tuple(words for words, is_so in said.items() if is_so)
    figures = {name: getattr(check, name) for name in check.__slots__ if name != "problems"}
    return ZoneCheck(**figures, problems=problems)


def _too_small(check: ZoneCheck, view: _View) -> str:
    """How to make cards larger: closer when there is room around the table, else more pixels."""
    factor = NEEDED_PX / check.card_px
    words = f"too small: cards are {check.card_px:.0f} px high, {NEEDED_PX:.0f} are needed"
    middle = (np.array(view.camera.size_wh) - 1) / 2
    corners = np.concatenate([zone.work for zone in view.table.zones.values()])
    grown = (view.camera.mm_to_px(corners) - middle) * factor + middle
    if not view.camera.contains_px(grown).all():
        width, height = (int(np.ceil(side * factor / 16)) * 16 for side in view.camera.size_wh)
        return f"{words}; the table fills the picture, so use a camera with {width}×{height} pixels or more"
    away_mm = float(np.linalg.norm(view.camera.position_mm() - np.append(corners.mean(axis=0), 0.0)))
    closer_cm = max(10, round(away_mm * (1 - 1 / factor) / 100) * 10)
    return f"{words}; move the camera {closer_cm} cm closer or use a longer lens"
