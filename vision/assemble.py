"""From index patches to physical cards: which patches are two corners of one card, and where the whole card lies.

In: the index patches of one picture and what they say. Out: `Assembly`, one entry a physical card.

Each patch predicts the whole card's quad. Two patches whose quads coincide, turned by half a turn or standing on the
two sides of one edge, are one card; two that do not are two cards, even if they say the same.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.identify import UNIT, Readings
from vision.locate import ALONG, IndexMarks, directions, patch_scale

PATCH_OF_CARD_WH: Final = (0.34, 0.44)
# Mean distance of the corners of two predicted quads, in parts of the card, up to which they are one card: when both
# patches say the same, when one of them is not certain, and when they contradict each other.
SAME_IF_AGREED: Final = 0.30
SAME_IF_UNKNOWN: Final = 0.13
SAME_IF_CONTRARY: Final = 0.0
FEW_AT_RIGHT: Final = 0.2  # share of the legible patches; fewer seem to stand at their card's right edge by mistake,
SURELY_AT_RIGHT: Final = 0.98  # unless they are as certain as that: decks have such indices on all cards or on none
LEAST_GROWTH: Final = 0.03  # a smaller correction changes nothing
CARD_ASPECT: Final = (0.62, 0.74)  # width for height: bridge to poker, with some error
MOST_GROWTH: Final = 1.6  # how far a single patch may be wrong about the size of its card
ONE_INDEX: Final = 0.2  # mean distance of the corners, in parts of the patch, of one index that was read twice
ONE_IF_AGREED: Final = 0.32  # or of two that say the same; no two indices of one kind lie that near
ONE_CORNER: Final = 0.12  # or of their outer corners alone
ECHO: Final = 0.22  # mean distance of corners, in parts of the card, of one index that was located twice
ECHO_CORNER: Final = 0.12  # or of their outer corners alone, pointing the same way
ECHO_CONFIDENCE: Final = 0.6  # of the surer one's, at most
SURE: Final = 0.5  # legible from here: what the patch says counts for or against
NAMED: Final = float(np.log(0.9))  # from here a patch is certain of what it says

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Assembly:
    """Physical cards whose face is up, C of them, made of N patches."""

    quads: Floats  # (C, 4, 2) pixels, clockwise from the corner beside the card's first patch
    owner: NDArray[np.intp]  # (N,) the card that each patch belongs to

    def __post_init__(self) -> None:
        if self.quads.shape[1:] != (4, 2) or self.owner.ndim != 1:
            raise VisionError(f"an assembly has quads (C, 4, 2) and owners (N,), got {self.quads.shape}")
        self.quads.setflags(write=False)
        self.owner.setflags(write=False)

    def __len__(self) -> int:
        return len(self.quads)


def card_quads(keypoints: Floats, at_right: NDArray[np.bool_]) -> Floats:
    """The whole card as each patch (N, 4, 2) predicts it: corners clockwise from the card's upper left as read.

    Affine: a projective prediction from a third of the card would magnify every pixel of error.

    >>> patch = np.array([[[0, 0], [34, 0], [34, 44], [0, 44]]], np.float32)
    >>> card_quads(patch, np.array([False])).round().tolist()
    [[[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]]]
    """
    across = (keypoints[:, 1] - keypoints[:, 0] + keypoints[:, 2] - keypoints[:, 3]) / (2 * PATCH_OF_CARD_WH[0])
    down = (keypoints[:, 3] - keypoints[:, 0] + keypoints[:, 2] - keypoints[:, 1]) / (2 * PATCH_OF_CARD_WH[1])
    left = np.where(at_right, 0.5 * PATCH_OF_CARD_WH[0] - 1, -0.5 * PATCH_OF_CARD_WH[0])
    corner = keypoints.mean(axis=1) + left[:, None] * across - 0.5 * PATCH_OF_CARD_WH[1] * down
    return np.stack([corner, corner + across, corner + across + down, corner + down], axis=1).astype(np.float32)


def distinct(indices: IndexMarks, readings: Readings) -> NDArray[np.intp]:
    """Which marks to keep (K,) so that no index is counted twice: of those that turned out to be one, the most legible.

    Where they lie is known to a few hundredths of a patch only now that they have been read.
    """
    points, best = indices.keypoints, readings.log_probabilities.argmax(axis=1)
    scale, outer = patch_scale(points), _at_right(readings).astype(int)
    order = np.argsort(-readings.legible * indices.confidence, kind="stable")
    kept: list[int] = []
    for number in order.tolist():
        near = np.array(kept, np.intp)
        apart = np.linalg.norm(points[near] - points[number], axis=2).mean(axis=1)
        corner = np.linalg.norm(points[near, outer[number]] - points[number, outer[number]], axis=1)
        is_agreed = best[near] == best[number]
        reach = np.where(is_agreed, ONE_IF_AGREED, ONE_INDEX) * scale[number]
        is_one = (apart < reach) | (corner < ONE_CORNER * scale[number])
        is_one &= is_agreed | (readings.legible[number] < SURE)
        if not is_one.any():
            kept.append(number)
    return np.sort(np.array(kept, np.intp))


def assemble(indices: IndexMarks, readings: Readings, card_height_px: float | None = None) -> Assembly:
    """Group the patches of one picture into cards, the closest pairs first.

    How large a card is shows badly in one corner of it: decks differ in how large their index is. Where the height of
    cards is known, as in a straightened zone, it is taken; elsewhere cards of which two corners are seen tell by how
    much single corners of this deck mislead.
    """
    at_right = _at_right(readings)
    quads = card_quads(indices.keypoints, at_right)
    if card_height_px is not None:
        return _grouped(indices, readings, _straight(quads, at_right, card_height_px), at_right)
    found = _grouped(indices, readings, quads, at_right)
    growth = _growth(found, quads)
    if abs(growth - 1) < LEAST_GROWTH:
        return found
    outer = quads[np.arange(len(quads)), at_right.astype(int)][:, None]
    return _grouped(indices, readings, (outer + (quads - outer) * growth).astype(np.float32), at_right)


def _at_right(readings: Readings) -> NDArray[np.bool_]:
    """Which patches (N,) stand at their card's right edge."""
    is_right, is_legible = readings.at_right > 0.5, readings.legible > SURE
    few = is_legible.any() and is_right[is_legible].mean() < FEW_AT_RIGHT
    return np.asarray(is_right & (readings.at_right > SURELY_AT_RIGHT) if few else is_right, np.bool_)


def _straight(quads: Floats, at_right: NDArray[np.bool_], height_px: float) -> Floats:
    """Predicted cards as rectangles of a known height; their outer corners stay, which are the surest."""
    across, down = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    width, height = np.linalg.norm(across, axis=1), np.linalg.norm(down, axis=1)
    aspect = np.clip(width / np.maximum(height, 1e-3), *CARD_ASPECT)[:, None]
    way = across / np.maximum(width, 1e-3)[:, None]
    way = way + np.column_stack([down[:, 1], -down[:, 0]]) / np.maximum(height, 1e-3)[:, None]
    way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-6)
    across, down = way * aspect * height_px, np.column_stack([-way[:, 1], way[:, 0]]) * height_px
    first = quads[np.arange(len(quads)), at_right.astype(int)] - np.where(at_right[:, None], across, 0)
    return np.stack([first, first + across, first + across + down, first + down], axis=1).astype(np.float32)


def _growth(found: Assembly, quads: Floats) -> float:
    """By how much cards are larger than single corners of this picture predict, as those with several corners show."""
    predicted, true = patch_scale(quads), patch_scale(found.quads)
    several = np.flatnonzero(np.bincount(found.owner, minlength=len(found)) > 1)
    logs = [float(np.log(true[card] / predicted[found.owner == card]).mean()) for card in several]
    if not logs:
        return 1.0
    return float(
        np.exp(np.clip(np.median(logs) * len(logs) / (len(logs) + 1), -np.log(MOST_GROWTH), np.log(MOST_GROWTH)))
    )


def _grouped(indices: IndexMarks, readings: Readings, quads: Floats, at_right: NDArray[np.bool_]) -> Assembly:
    """Patches with what they predict of their cards, as cards."""
    size = patch_scale(quads)
    best = readings.log_probabilities.argmax(axis=1) if len(indices) else np.zeros(0, np.intp)
    owner = _echoes(indices, quads, size, at_right, best)
    own = np.flatnonzero(owner == np.arange(len(indices)))
    is_legible = readings.legible > SURE
    is_named = is_legible & (readings.log_probabilities.max(axis=1) > NAMED)
    taken = {int(number): {(0, bool(at_right[number]))} for number in own}
    for apart, first, second, turn in _pairs(quads, size, at_right, own):
        is_agreed = best[first] == best[second] and is_legible[first] and is_legible[second]
        limit = _limit(bool(is_agreed), bool(is_named[first] and is_named[second]))
        if apart > limit or owner[first] == owner[second]:
            continue
        keeper, joined = sorted((int(owner[first]), int(owner[second])))
        between = int(_is_turned(quads[joined], quads[keeper]))
        places = {((half + between) % 2, side) for half, side in taken[joined]}
        if places & taken[keeper] or (turn == 0 and at_right[first] == at_right[second]):
            continue  # a card has one index at each corner
        taken[keeper] |= places
        owner[owner == joined] = keeper
    cards, numbered = np.unique(owner, return_inverse=True)
    whole = [_joint_quad(indices, quads, at_right, own[owner[own] == card]) for card in cards]
    return Assembly(np.array(whole, np.float32).reshape(-1, 4, 2), numbered.astype(np.intp))


def _echoes(
    indices: IndexMarks, quads: Floats, size: Floats, at_right: NDArray[np.bool_], best: NDArray[np.intp]
) -> NDArray[np.intp]:
    """For each patch (N,) itself, or the surer one of which it is a weak echo: the same index, located a little off.

    Two cards of one identity that lie almost on each other are found with like confidence, and stay two.
    """
    owner, ways = np.arange(len(indices)), directions(indices.keypoints)
    for number in np.argsort(indices.confidence, kind="stable"):
        outer = int(at_right[number])
        apart = np.linalg.norm(quads - quads[number], axis=2).mean(axis=1) / np.maximum(size, 1e-3)
        corner = np.linalg.norm(quads[:, outer] - quads[number, outer], axis=1) / np.maximum(size, 1e-3)
        is_echo = (apart < ECHO) | ((corner < ECHO_CORNER) & (ways @ ways[number] > ALONG))
        is_echo &= (best == best[number]) & (at_right == at_right[number])
        is_echo &= indices.confidence[number] < ECHO_CONFIDENCE * indices.confidence
        if is_echo.any():
            strong = int(np.flatnonzero(is_echo)[indices.confidence[is_echo].argmax()])
            owner[owner == number] = strong
    return owner


def _limit(is_agreed: bool, are_named: bool) -> float:
    if is_agreed:
        return SAME_IF_AGREED
    return SAME_IF_CONTRARY if are_named else SAME_IF_UNKNOWN


def _pairs(
    quads: Floats, size: Floats, at_right: NDArray[np.bool_], own: NDArray[np.intp]
) -> list[tuple[float, int, int, int]]:
    """Pairs that may be one card, closest first: distance, both numbers, and half turns between them (0 or 1)."""
    mine, scale = quads[own], np.maximum(np.sqrt(size[own][:, None] * size[own]), 1e-3)
    straight = np.linalg.norm(mine[:, None] - mine, axis=3).mean(axis=2) / scale
    turned = np.linalg.norm(mine[:, None] - np.roll(mine, 2, axis=1), axis=3).mean(axis=2) / scale
    sides = at_right[own]
    is_close = (straight <= SAME_IF_AGREED) | (turned < 2 * SAME_IF_AGREED)
    found = []
    for left, right in np.argwhere(np.triu(is_close, 1)).tolist():
        near, across = float(straight[left, right]), float(turned[left, right])
        if across < 2 * SAME_IF_AGREED and sides[left] == sides[right]:
            across = min(across, _apart_at_one_scale(mine[left], mine[right], int(sides[left])))
        if min(near, across) <= SAME_IF_AGREED:
            found.append((min(near, across), int(own[left]), int(own[right]), int(across < near)))
    return sorted(found)


def _apart_at_one_scale(first: Floats, second: Floats, outer: int) -> float:
    """The distance of two opposite corners' predictions once both are as large as the corners lie apart.

    How large a card is, is the least certain thing about a single patch; where its outer corner lies and which way it
    points is the surest. A card twice as large or half as large as predicted is none.
    """
    between = float(np.linalg.norm(second[outer] - first[outer]))
    grown = []
    for quad in (first, second):
        factor = between / max(float(np.linalg.norm(quad[outer + 2] - quad[outer])), 1e-3)
        if not 1 / MOST_GROWTH <= factor <= MOST_GROWTH:
            return float("inf")
        grown.append(quad[outer] + (quad - quad[outer]) * factor)
    height = np.sqrt(np.prod(patch_scale(np.array(grown, np.float32))))
    return float(np.linalg.norm(np.roll(grown[1], 2, axis=0) - grown[0], axis=1).mean() / max(float(height), 1e-3))


def _is_turned(quad: Floats, other: Floats) -> bool:
    """Whether one prediction of a card fits the other better upside down."""
    straight = np.linalg.norm(quad - other, axis=1).mean()
    return bool(np.linalg.norm(np.roll(quad, 2, axis=0) - other, axis=1).mean() < straight)


def _joint_quad(indices: IndexMarks, quads: Floats, at_right: NDArray[np.bool_], members: NDArray[np.intp]) -> Floats:
    """The card's corners from all its patches: with two or more, projective and exact; with one, its prediction."""
    first = np.asarray(quads[members[0]], np.float32)
    if len(members) == 1:
        return first
    width, height = PATCH_OF_CARD_WH
    units, points = [], []
    for member in members:
        left = 1 - width if at_right[member] else 0.0
        unit = np.array([[left, 0], [left + width, 0], [left + width, height], [left, height]], np.float32)
        units.append(1 - unit if _is_turned(quads[member], first) else unit)
        points.append(indices.keypoints[member])
    whole = _projected(np.concatenate(units), np.concatenate(points), UNIT)
    return whole if np.isfinite(whole).all() else first


def _projected(units: Floats, points: Floats, wanted: Floats) -> Floats:
    """Where a projection that takes `units` (N, 2) as near as can be to `points` takes `wanted` (M, 2).

    Least squares of eight numbers; OpenCV's search for them takes ten times as long.
    """
    middle, spread = points.mean(axis=0), max(float(np.ptp(points, axis=0).max()), 1e-3)
    seen = (points.astype(np.float64) - middle) / spread
    ones, none = np.ones((len(units), 1)), np.zeros((len(units), 3))
    along = np.hstack([units, ones])
    rows = np.vstack([np.hstack([along, none, -units * seen[:, :1]]), np.hstack([none, along, -units * seen[:, 1:]])])
    numbers = np.linalg.lstsq(rows, seen.T.ravel(), rcond=None)[0]
    matrix = np.append(numbers, 1.0).reshape(3, 3)
    there = np.hstack([wanted, np.ones((len(wanted), 1))]) @ matrix.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(there[:, :2] / there[:, 2:] * spread + middle, np.float32)
