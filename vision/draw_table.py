"""Draw what a table's places show into a frame, for people to look at.

In: a frame, the view of that moment, the camera and the table. Out: a copy: places outlined, red where something moves,
green where all is read; cards named where they lie, backs and cards that cannot be read marked.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.draw import AMBER, BLUE, GREEN, INK
from vision.places import Place, places_of
from vision.round_state import ObserverState
from vision.table import Table
from vision.view import Point, SeenFace, TableView

RED: Final = (60, 60, 230)
QUIET: Final = (150, 150, 150)

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]


def draw_view(picture_bgr: Picture, view: TableView, state: ObserverState, table: Table, camera: Camera) -> Picture:
    """A copy with the places, what was read in them just now, and the hands that were read before."""
    drawn = picture_bgr.copy()
    seen = {(one.zone, one.part, one.spot): one for one in view.places}
    for place in places_of(table):
        found = seen.get((place.zone, place.part, place.spot))
        if place.name in view.moving:
            _outline(drawn, place, camera, RED)
        elif found is not None:
            _outline(drawn, place, camera, GREEN if found.is_certain else AMBER)
            for at_mm in found.backs_mm:
                _mark(drawn, camera, at_mm, "back", BLUE)
            for face in found.faces:
                _mark_face(drawn, camera, face)
        elif place.is_read:
            _outline(drawn, place, camera, QUIET)
    shown = {one.zone for one in view.places if one.faces}
    for zone in state.zones:
        for face in zone.faces if zone.zone not in shown else ():
            _mark_face(drawn, camera, face)
    words = f"{view.time_s:.2f} s  frame {view.frame}  round {state.round}  {state.phase}"
    cv2.putText(drawn, words, (16, 34), cv2.FONT_HERSHEY_SIMPLEX, 0.8, INK, 2, cv2.LINE_AA)
    return drawn


def _outline(picture: Picture, place: Place, camera: Camera, colour: Colour) -> None:
    corners = np.round(camera.mm_to_px(place.corners_mm)).astype(np.int32)
    cv2.polylines(picture, [corners], True, colour, 2, cv2.LINE_AA)


def _mark_face(picture: Picture, camera: Camera, face: SeenFace) -> None:
    text = str(face.card) if face.card else str(face.reason)
    _mark(picture, camera, face.at_mm, text, GREEN if face.card else AMBER)


def _mark(picture: Picture, camera: Camera, at_mm: Point, text: str, colour: Colour) -> None:
    x, y = (int(value) for value in np.round(camera.mm_to_px([at_mm])[0]))
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
    cv2.rectangle(picture, (x - width // 2 - 2, y - height - 2), (x + width // 2 + 2, y + 4), colour, -1)
    cv2.putText(picture, text, (x - width // 2, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, INK, 1, cv2.LINE_AA)
