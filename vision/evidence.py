"""The picture that proves an event: its zone, cut from the very frame, as a small JPEG with a name.

In: events of one frame, the frame, and where the camera is. Out: the events, each with the name of its crop, and the
crops by name. Names follow from the event alone, so that a replay names them alike.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.events import Event
from vision.frame import Frame
from vision.layout import Zone
from vision.table import Table

MARGIN_MM: Final = 30.0
LARGEST_PX: Final = 560
QUALITY: Final = 82

Picture = NDArray[np.uint8]


def evidence_of(
    events: Iterable[Event], frame: Frame, table: Table, camera: Camera
) -> tuple[tuple[Event, ...], dict[str, bytes]]:
    """The events with their crops named, and the crops."""
    named, crops = [], {}
    for event in events:
        zone = table.zones.get(event.zone or "")
        if zone is None:
            named.append(event)
            continue
        name = f"r{event.round or 0:04d}-f{frame.number:06d}-{event.zone}-{event.kind}.jpg"
        named.append(replace(event, extra=(*event.extra, ("evidence", name))))
        crops[name] = _jpeg(_crop(frame.picture_bgr, zone, camera))
    return tuple(named), crops


def _crop(picture_bgr: Picture, zone: Zone, camera: Camera) -> Picture:
    """The zone with all that belongs to it, as the camera saw it."""
    points = np.vstack([zone.work, np.array(list(zone.spots.values()), float).reshape(-1, 2)])
    low, high = points.min(axis=0) - MARGIN_MM, points.max(axis=0) + MARGIN_MM
    corners = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    seen = camera.mm_to_px(corners)
    seen = seen[np.isfinite(seen).all(axis=1)]
    height, width = picture_bgr.shape[:2]
    left, top = np.clip(np.floor(seen.min(axis=0)), 0, (width - 2, height - 2)).astype(int).tolist()
    right, bottom = np.clip(np.ceil(seen.max(axis=0)), (left + 2, top + 2), (width, height)).astype(int).tolist()
    return picture_bgr[top:bottom, left:right]


def _jpeg(crop_bgr: Picture) -> bytes:
    scale = min(1.0, LARGEST_PX / max(crop_bgr.shape[:2]))
    if scale < 1:
        crop_bgr = np.asarray(cv2.resize(crop_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    _, encoded = cv2.imencode(".jpg", crop_bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return encoded.tobytes()
