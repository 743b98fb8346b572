"""The picture that a page shows of a table: the felt, its zones outlined, what was read named beside it.

In: the newest frame and what the places last showed. Out: JPEG bytes. One slot, overwritten; it is drawn when somebody
asks, once for each frame, so that a table nobody looks at costs nothing. Only the felt is shown: no faces.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from game.cards import Card
from vision.camera import Camera
from vision.decide import REASONS
from vision.frame import Frame
from vision.layout import DEALER, Zone
from vision.table import Table
from vision.view import PlaceView, SeenFace

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]
Box = tuple[int, int, int, int]  # left, top, width, height
Label = tuple[str, tuple[int, int]]  # text and its middle

WIDTH_PX: Final = 1120
WATCHED_S: Final = 5.0
QUALITY: Final = 78
MARGIN: Final = 0.015  # around the felt, of its size
LINE: Final[Colour] = (214, 222, 216)
SEAT_INK: Final[Colour] = (235, 245, 238)
AMBER: Final[Colour] = (54, 186, 255)
INK: Final[Colour] = (26, 24, 20)
RED: Final[Colour] = (28, 22, 195)
PAPER: Final[Colour] = (250, 252, 252)
_SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_FONT: Final = "sans"  # drawn by OpenCV itself; it has the signs of the suits
_TAG_PX: Final = 14
_BOLD: Final = 700


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """One frame and what is known of the table with it."""

    frame: Frame
    places: Mapping[str, PlaceView]  # by `zone/part`, as last read at rest
    camera: Camera | None = None  # where it is now, if not where the table's file says


class PictureSlot:
    """The newest moment of one table; filled by its worker, asked by pages."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._camera = table.camera.to_camera()
        self._cut = FeltCut.of(table, self._camera)
        self._lock = Lock()
        self._moment: Moment | None = None
        self._drawn: tuple[int, bytes] | None = None
        self._asked_s = -math.inf

    @property
    def is_watched(self) -> bool:
        """Whether somebody has asked for it a moment ago."""
        return time.monotonic() - self._asked_s < WATCHED_S

    def put(self, moment: Moment | None) -> None:
        """What is shown from now on; None when nothing is seen."""
        self._moment = moment

    @property
    def number(self) -> int | None:
        """The newest frame's number for whoever shows it; None while there is none."""
        self._asked_s = time.monotonic()
        moment = self._moment
        return None if moment is None else moment.frame.number

    def jpeg(self) -> tuple[int, bytes] | None:
        """The newest frame's number and its picture; None while there is none."""
        with self._lock:  # two pages that ask at once get the same drawing
            moment = self._moment
            if moment is None:
                return None
            if self._drawn is None or self._drawn[0] != moment.frame.number:
                camera = moment.camera or self._camera
                if self._cut.camera is not camera:
                    self._cut = FeltCut.of(self._table, camera)
                self._drawn = moment.frame.number, _encoded(self._cut.draw(moment))
            return self._drawn


@dataclass(frozen=True, slots=True, eq=False)
class FeltCut:
    """Which part of a camera's picture is shown, at which scale, and the lines that lie over it."""

    camera: Camera
    origin_px: tuple[int, int]
    size_wh: tuple[int, int]  # in the camera's picture
    scale: float
    outlines: tuple[tuple[str, Label, NDArray[np.int32]], ...]  # zone name, its label, its outline as shown

    @classmethod
    def of(cls, table: Table, camera: Camera) -> "FeltCut":
        """The felt of a table and a little around it."""
        (half, depth), (width, height) = (table.felt_mm[0] / 2, table.felt_mm[1]), table.camera.size_wh
        edge = np.linspace(0, 1, 9)
        rim = [(-half + 2 * half * part, y) for part in edge for y in (0.0, depth)]
        rim += [(x, depth * part) for part in edge for x in (-half, half)]
        seen = camera.mm_to_px(np.array(rim))
        seen = seen[np.isfinite(seen).all(axis=1)]
        reach = (seen.max(axis=0) - seen.min(axis=0)) * MARGIN
        left, top = np.maximum(seen.min(axis=0) - reach, 0).astype(int).tolist()
        right, bottom = np.minimum(seen.max(axis=0) + reach, (width, height)).astype(int).tolist()
        scale = WIDTH_PX / (right - left)
        origin = np.array((left, top))

        def shown_at(points_mm: NDArray[np.float64]) -> NDArray[np.int32]:
            return np.asarray(np.round((camera.mm_to_px(points_mm) - origin) * scale), np.int32)

        outlines = tuple(
            (zone.name, (_label(zone), tuple(shown_at(_label_mm(zone))[0].tolist())), shown_at(zone.outline_mm()))
            for zone in table.zones.values()
            if zone.name == DEALER or zone.seat is not None
        )
        return cls(camera, (left, top), (right - left, bottom - top), scale, outlines)

    def draw(self, moment: Moment) -> Picture:
        """The shown picture."""
        (left, top), (width, height) = self.origin_px, self.size_wh
        part = moment.frame.picture_bgr[top : top + height, left : left + width]
        size_wh = (WIDTH_PX, round(height * self.scale))
        how = cv2.INTER_AREA if self.scale < 1 else cv2.INTER_CUBIC
        shown = np.ascontiguousarray(cv2.resize(part, size_wh, interpolation=how), np.uint8)
        by_zone: dict[str, list[PlaceView]] = {}
        for view in moment.places.values():
            by_zone.setdefault(view.zone, []).append(view)
        for name, label, outline in self.outlines:
            faces = [face for view in by_zone.get(name, ()) for face in view.faces]
            is_doubtful = any(face.card is None for face in faces)
            _draw_zone(shown, label, outline, AMBER if is_doubtful else LINE)
        for views in by_zone.values():
            for view in views:
                self._draw_names(shown, view.faces)
        return shown

    def _draw_names(self, shown: Picture, faces: tuple[SeenFace, ...]) -> None:
        """A tag on each card, and below the hand why one could not be read."""
        if not faces:
            return
        points = self.camera.mm_to_px(np.array([face.at_mm for face in faces]))
        at = (points - np.array(self.origin_px)) * self.scale
        boxes: list[Box] = []
        for number in np.argsort(at[:, 0], kind="stable"):
            text = _tag_text(faces[number].card)
            boxes.append(_free_box(at[number], (_text_width(text, _TAG_PX) + 5, _TAG_PX + 6), boxes))
            _draw_tag(shown, boxes[-1], text, faces[number].card)
        reasons = sorted({REASONS.get(face.reason or "", "not read") for face in faces if face.card is None})
        if reasons:
            below = min(max(top + height for _, top, _, height in boxes) + 22, shown.shape[0] - 6)
            _draw_text(shown, "; ".join(reasons), (int(at[:, 0].mean()), below), 17, AMBER)


def _label(zone: Zone) -> str:
    return "dealer" if zone.seat is None else str(zone.seat)


def _label_mm(zone: Zone) -> NDArray[np.float64]:
    """Beside the work area, on the dealer's side, where no wagers lie."""
    middle = np.array(zone.centre_mm)
    if zone.seat is None:
        return np.array([[middle[0], zone.work[:, 1].min() - 22.0]])
    out = np.array(zone.spots["ante"]) - middle
    return np.asarray((middle - out / np.linalg.norm(out) * 82.0)[None], np.float64)


def _free_box(middle: NDArray[np.float64], size_wh: tuple[int, int], taken: list[Box]) -> Box:
    """Where a tag lies on its card without covering another tag."""
    (x, y), (width, height) = middle.tolist(), size_wh
    for step in (0, 1, -1, 2, -2):
        box = round(x - width / 2), round(y - height / 2 + step * height), width, height
        if not any(_overlap(box, other) for other in taken):
            return box
    return round(x - width / 2), round(y - height / 2), width, height


def _overlap(one: Box, other: Box) -> bool:
    return all(one[axis] < other[axis] + other[axis + 2] and other[axis] < one[axis] + one[axis + 2] for axis in (0, 1))


def _draw_zone(shown: Picture, label: Label, outline: NDArray[np.int32], colour: Colour) -> None:
    cv2.polylines(shown, [outline], True, INK, 3, cv2.LINE_AA)
    cv2.polylines(shown, [outline], True, colour, 1 if colour is LINE else 2, cv2.LINE_AA)
    text, at = label
    _draw_text(shown, text, at, 20, SEAT_INK)


def _tag_text(card: Card | None) -> str:
    if card is None:
        return "?"
    text = str(card)
    return text[0].replace("T", "10") + _SIGNS[text[1]]


def _draw_tag(shown: Picture, box: Box, text: str, card: Card | None) -> None:
    left, top, width, height = box
    cv2.rectangle(shown, (left - 1, top - 1), (left + width, top + height), INK, -1)
    cv2.rectangle(shown, (left, top), (left + width - 1, top + height - 1), AMBER if card is None else PAPER, -1)
    is_red = card is not None and str(card)[1] in "hd"
    _put(shown, text, (left + 2, top + height - 5), _TAG_PX, RED if is_red else INK)


def _draw_text(shown: Picture, text: str, middle: tuple[int, int], size_px: int, colour: Colour) -> None:
    """Letters with a dark rim, readable on any felt, kept inside the picture."""
    width = _text_width(text, size_px)
    left = int(np.clip(middle[0] - width // 2, 2, max(2, shown.shape[1] - width - 2)))
    for step in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        _put(shown, text, (left + step[0], middle[1] + step[1]), size_px, INK)
    _put(shown, text, (left, middle[1]), size_px, colour)


def _put(shown: Picture, text: str, at: tuple[int, int], size_px: int, colour: Colour) -> None:
    cv2.putText(shown, text, at, colour, _font(), size_px, _BOLD)


def _text_width(text: str, size_px: int) -> int:
    left, _, width, _ = cv2.getTextSize((0, 0), text, (0, 0), _font(), size_px, _BOLD)
    return int(left + width)


def _font() -> "cv2.FontFace":
    return cv2.FontFace(_FONT)


def _encoded(picture: Picture) -> bytes:
    done, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return encoded.tobytes() if done else b""
