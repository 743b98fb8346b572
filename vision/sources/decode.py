"""Packets to pictures, with the knowledge of which pictures rest on damage.

In: packets of a video stream. Out: its frames, each with `is_damaged`. A frame that could not be decoded whole spoils
all that are drawn from it: the grey or smeared ones that follow, up to the next key frame.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import av
import numpy as np
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream
from numpy.typing import NDArray

MOST_PIXELS = 50_000_000  # 8K has 33 million; a damaged header may claim anything


@dataclass(frozen=True, slots=True)
class DecodedFrame:
    """A frame as the decoder gave it."""

    frame: VideoFrame
    is_damaged: bool

    @property
    def stamp(self) -> Fraction | None:
        """Seconds on the stream's own clock, where it has one."""
        pts, time_base = self.frame.pts, self.frame.time_base
        return None if pts is None or time_base is None else pts * time_base


class Decoder:
    """Decodes the packets of one stream; goes on after those that it cannot decode."""

    def __init__(self) -> None:
        self._is_damaged = False

    def frames(self, packet: "Packet[VideoStream]") -> Iterator[DecodedFrame]:
        """The frames that this packet completes; none is normal."""
        if packet.is_corrupt:
            self._is_damaged = True
        try:
            frames = packet.decode()
        except av.error.FFmpegError:
            self._is_damaged = True
            return
        for frame in frames:
            self._is_damaged = frame.is_corrupt or (self._is_damaged and not frame.key_frame)
            if frame.width * frame.height > MOST_PIXELS:
                self._is_damaged = True
            else:
                yield DecodedFrame(frame, self._is_damaged)


def to_bgr(frame: VideoFrame) -> NDArray[np.uint8]:
    """The picture as a person would see it: colours as tagged, turned as the file says."""
    picture = np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)
    quarter_turns = round(frame.rotation / 90) % 4
    return np.ascontiguousarray(np.rot90(picture, quarter_turns)) if quarter_turns else picture
