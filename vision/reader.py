"""Read the cards of one picture: locate, identify, assemble, decide.

In: a picture of any size, or one zone of a calibrated table straightened to a fixed scale. Out: a `Sighting`: cards
that are stated, cards that are seen and not stated, with the reason, and backs.

A free image is first looked at as a whole; where its cards turn out too small or too large for the network, it is
looked at again at a scale that suits them, in tiles if it must be.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from game.cards import Card
from vision.assemble import PATCH_OF_CARD_WH, Assembly, assemble, distinct
from vision.camera import Camera, RectifiedView
from vision.decide import Verdict, decide
from vision.identify import Identifier, OnnxIdentifier, Readings, read_patches
from vision.locate import Detector, IndexMarks, OnnxDetector, merge_marks, patch_scale
from vision.weights import THREADS, load_weights

FIRST_LOOK: Final = 0.65  # the scale of what is looked at first: most pictures show their cards larger than need be
FIRST_LOOK_PX: Final = 1280  # and the longer side of it, at most
TILE_PX: Final = 1536
TILE_AREA: Final = 2_400_000  # larger than this, a picture is looked at in tiles
GOOD_CARD_PX: Final = (50.0, 165.0)  # heights of cards that the network sees well
AIM_PX: Final = 90.0
CROWDED: Final = 0.75  # mean distance of two patches, in parts of them
CROWDED_CARD_PX: Final = 95.0  # cards in a fan are looked at closer if they are lower than that
LINEAR_FROM: Final = 0.55  # a shrinking by less skips no pixel, and averages of areas take ten times as long
LARGEST_SCALE: Final = 2.0  # more pixels than that cannot be made up
NOTHING_SCALES: Final = (0.35, 1.0)  # of the first look, where that found nothing: very large cards; all the pixels
SEEN_FROM: Final = 0.45  # a located patch that cannot be read is reported from here, if it is at all like an index
LIKE_INDEX: Final = 0.15
SURELY_SEEN: Final = 0.7
BACK_FROM: Final = 0.4
DOUBLE_WITHIN: Final = 0.7  # of the card's height, between the middles of two that say the same
ZONE_PX_PER_MM: Final = 1.3  # a card is 114 pixels high
ZONE_MARGIN_MM: Final = 40.0
CARD_HEIGHT_MM: Final = 88.0  # of poker and bridge cards

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class SeenCard:
    """One physical card whose face is up: what it is, or why that is not said."""

    verdict: Verdict
    quad_px: Floats  # (4, 2), clockwise from the corner beside the index that was read
    readings: Readings  # of its patches, for fusing with other frames

    @property
    def card(self) -> Card | None:
        """The card, if it is stated."""
        return self.verdict.card if self.verdict.is_stated else None


@dataclass(frozen=True, slots=True, eq=False)
class SeenBack:
    """One card that lies face down."""

    quad_px: Floats  # (4, 2)
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """Everything that was seen in one picture; nothing is normal."""

    cards: tuple[SeenCard, ...] = ()
    backs: tuple[SeenBack, ...] = ()

    @property
    def stated(self) -> tuple[SeenCard, ...]:
        """The cards that are certain."""
        return tuple(seen for seen in self.cards if seen.verdict.is_stated)

    @property
    def unreadable(self) -> tuple[SeenCard, ...]:
        """The cards that are there and not certain."""
        return tuple(seen for seen in self.cards if not seen.verdict.is_stated)


class CardReader:
    """The four steps with their networks; it keeps nothing from one picture to the next."""

    def __init__(self, detector: Detector, identifier: Identifier, calibration: Mapping[str, float]) -> None:
        self._detector = detector
        self._identifier = identifier
        self._calibration = calibration

    @classmethod
    def load(cls, threads: int = THREADS, detector: Detector | None = None) -> Self:
        """With the networks that come with FourSight, or another detector."""
        calibration = load_weights("identify").calibration
        return cls(detector or OnnxDetector.load(threads), OnnxIdentifier.load(threads), calibration)

    @property
    def calibration(self) -> Mapping[str, float]:
        """Temperatures, the threshold, and how far evidence adds up."""
        return self._calibration

    def with_calibration(self, calibration: Mapping[str, float]) -> "CardReader":
        """The same networks under other numbers."""
        return CardReader(self._detector, self._identifier.with_calibration(calibration), calibration)

    def read(self, picture_bgr: Picture) -> Sighting:
        """A whole image of any size, cards of any size."""
        return self.read_marks(picture_bgr, locate_at_all_scales(self._detector, picture_bgr))

    def read_zone(self, picture_bgr: Picture, view: RectifiedView) -> Sighting:
        """One zone of a calibrated table; quads are in pixels of the straightened zone."""
        zone = view.cut(picture_bgr)
        px_per_mm = float(np.hypot(*view.homography_mm_to_px[:2, 0]))
        return self.read_marks(zone, self._detector.locate(zone), CARD_HEIGHT_MM * px_per_mm)

    def read_marks(self, picture_bgr: Picture, marks: IndexMarks, card_height_px: float | None = None) -> Sighting:
        """What has been located in a picture; with the height of its cards, where that is known."""
        indices = marks.chosen(~marks.is_back)
        keypoints, readings, patches = read_patches(picture_bgr, indices.keypoints, self._identifier)
        indices = IndexMarks(keypoints, indices.confidence, indices.is_back)
        kept = distinct(indices, readings)
        indices, readings, patches = indices.chosen(kept), readings.chosen(kept), patches[kept]
        assembly = assemble(indices, readings, card_height_px)
        cards = tuple(
            seen
            for number in range(len(assembly))
            if (seen := self._seen(number, assembly, indices, readings, patches)) is not None
        )
        cards = without_doubles(cards)
        return Sighting(cards, tuple(_seen_backs(marks.chosen(marks.is_back), cards)))

    def _seen(
        self, number: int, assembly: Assembly, indices: IndexMarks, readings: Readings, patches: Picture
    ) -> SeenCard | None:
        members = np.flatnonzero(assembly.owner == number)
        quad = assembly.quads[number]
        verdict = decide(readings, members, _height_px(quad), patches, self._calibration)
        found, legible = float(indices.confidence[members].max()), float(readings.legible[members].max())
        if not verdict.is_stated and not (found >= SURELY_SEEN or (found >= SEEN_FROM and legible >= LIKE_INDEX)):
            return None
        return SeenCard(verdict, quad, readings.chosen(members))


def zone_view(camera: Camera, zone_mm: NDArray[np.float64], px_per_mm: float = ZONE_PX_PER_MM) -> RectifiedView:
    """A zone and a little around it, straightened to the scale at which the networks see cards best."""
    middle = zone_mm.mean(axis=0)
    reach = np.linalg.norm(zone_mm - middle, axis=1, keepdims=True)
    return camera.rectify_map(middle + (zone_mm - middle) * (1 + ZONE_MARGIN_MM / reach), px_per_mm)


def without_doubles(cards: tuple[SeenCard, ...]) -> tuple[SeenCard, ...]:
    """Of two that say the same and lie on each other only the surer one is stated.

    They may be two corners of one card, one of which misled about where the rest of it lies; or a deck with two such
    cards. Spread apart, both will be stated.
    """
    kept: list[SeenCard] = []
    order = sorted(range(len(cards)), key=lambda number: -cards[number].verdict.confidence)
    doubts = set()
    for number in order:
        seen = cards[number]
        if seen.card is not None and any(other.card == seen.card and _overlap(other, seen) for other in kept):
            doubts.add(number)
        elif seen.card is not None:
            kept.append(seen)
    return tuple(
        replace(seen, verdict=replace(seen.verdict, reason="twice")) if number in doubts else seen
        for number, seen in enumerate(cards)
    )


def _overlap(first: SeenCard, second: SeenCard) -> bool:
    apart = float(np.linalg.norm(first.quad_px.mean(axis=0) - second.quad_px.mean(axis=0)))
    return apart < DOUBLE_WITHIN * max(_height_px(first.quad_px), _height_px(second.quad_px))


def _height_px(quad: Floats) -> float:
    return float(np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2


def _seen_backs(backs: IndexMarks, cards: tuple[SeenCard, ...]) -> Iterator[SeenBack]:
    """Backs, except where a face was read: a card shows one side."""
    for quad, confidence in zip(backs.keypoints, backs.confidence, strict=True):
        middle, size = quad.mean(axis=0), _height_px(quad)
        is_face = any(np.linalg.norm(seen.quad_px.mean(axis=0) - middle) < 0.12 * size for seen in cards if seen.card)
        if confidence >= BACK_FROM and not is_face:
            yield SeenBack(quad, float(confidence))


def card_heights_px(marks: IndexMarks) -> Floats:
    """How high the card of each mark is in the picture (N,)."""
    points = marks.keypoints
    down = (
        np.linalg.norm(points[:, 3] - points[:, 0], axis=1) + np.linalg.norm(points[:, 2] - points[:, 1], axis=1)
    ) / 2
    return np.asarray(np.where(marks.is_back, down, down / PATCH_OF_CARD_WH[1]), np.float32)


def locate_at_all_scales(detector: Detector, picture_bgr: Picture) -> IndexMarks:
    """Marks in the picture's own pixels, looked for at the scales that its cards turn out to need."""
    first = min(FIRST_LOOK, FIRST_LOOK_PX / max(picture_bgr.shape[:2]))
    marks = _locate_at(detector, picture_bgr, first)
    if not len(marks):
        scales = [scale for scale in (first * NOTHING_SCALES[0], NOTHING_SCALES[1]) if scale != first]
    else:
        least_px = CROWDED_CARD_PX if _is_crowded(marks) else GOOD_CARD_PX[0]
        scales = _better_scales(card_heights_px(marks), marks.confidence, first, least_px)
    if not scales:
        return marks
    looks = [_trusted(marks, first)]
    looks += [_trusted(_locate_at(detector, picture_bgr, scale), scale) for scale in scales]
    return merge_marks(IndexMarks.joined(looks))


def _is_crowded(marks: IndexMarks) -> bool:
    """Whether some indices lie so near each other, as in a fan, that it takes more pixels to keep them apart."""
    points = marks.keypoints[~marks.is_back]
    apart = np.linalg.norm(points[:, None] - points, axis=3).mean(axis=2) / patch_scale(points)
    np.fill_diagonal(apart, np.inf)
    return int((apart < CROWDED).sum()) >= 2


def _better_scales(heights_px: Floats, confidence: Floats, looked: float, least_px: float) -> list[float]:
    """Scales at which the smallest and the largest cards found would have the right size, if they had not."""
    sure = heights_px[confidence >= min(0.4, float(confidence.max()))]
    small, large = np.percentile(sure, (10, 90)) * looked
    scales = []
    if small < least_px:
        closer = min(max(AIM_PX, 1.2 * least_px) * looked / float(small), LARGEST_SCALE)
        if looked < 1.0 < closer and float(small) / looked >= GOOD_CARD_PX[0]:
            closer = 1.0  # all the pixels there are, and no made-up ones
        if closer > looked * 1.15:
            scales.append(closer)
    if large > GOOD_CARD_PX[1]:
        scales.append(looked * 0.7 * GOOD_CARD_PX[1] / float(large))
    return scales


def _trusted(marks: IndexMarks, scale: float) -> IndexMarks:
    """Marks with their confidence lowered where the scale they were found at did not suit them."""
    heights = card_heights_px(marks) * scale
    low, high = GOOD_CARD_PX
    fit = np.clip(np.minimum(heights / low, high / np.maximum(heights, 1e-3)), 0.3, 1.0)
    return IndexMarks(marks.keypoints, (marks.confidence * fit).astype(np.float32), marks.is_back)


def _locate_at(detector: Detector, picture_bgr: Picture, scale: float) -> IndexMarks:
    """Marks in the picture's own pixels, found at another scale, in tiles where that is large."""
    height, width = picture_bgr.shape[:2]
    seen = picture_bgr
    if scale != 1.0:
        way = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_LINEAR if scale > LINEAR_FROM else cv2.INTER_AREA
        size_wh = (max(1, round(width * scale)), max(1, round(height * scale)))
        seen = np.asarray(cv2.resize(picture_bgr, size_wh, interpolation=way), np.uint8)
    factor = width / seen.shape[1]
    if seen.shape[0] * seen.shape[1] <= TILE_AREA:
        return detector.locate(seen).scaled(factor)
    parts = []
    for left, top in _tile_corners(seen.shape[1], seen.shape[0]):
        tile = np.ascontiguousarray(seen[top : top + TILE_PX, left : left + TILE_PX])
        parts.append(_away_from_cuts(detector.locate(tile), (left, top), seen.shape[1::-1]).scaled(factor, (left, top)))
    return merge_marks(IndexMarks.joined(parts))


def _tile_corners(width: int, height: int) -> Iterator[tuple[int, int]]:
    """Where tiles begin so that neighbours share a card's length."""
    for top in _starts(height):
        for left in _starts(width):
            yield left, top


def _starts(length: int) -> list[int]:
    step = TILE_PX - round(GOOD_CARD_PX[1])
    count = max(1, -(-(length - TILE_PX) // step) + 1)
    return [0] if count == 1 else [round(number * (length - TILE_PX) / (count - 1)) for number in range(count)]


def _away_from_cuts(marks: IndexMarks, origin: tuple[int, int], whole_wh: tuple[int, ...]) -> IndexMarks:
    """Without the marks that a tile's edge cuts through; the neighbour sees them whole."""
    low, high = marks.keypoints.min(axis=1), marks.keypoints.max(axis=1)
    is_whole = np.ones(len(marks), bool)
    for axis in (0, 1):
        if origin[axis] > 0:
            is_whole &= low[:, axis] > 1
        if origin[axis] + TILE_PX < whole_wh[axis]:
            is_whole &= high[:, axis] < TILE_PX - 2
    return marks.chosen(is_whole)
