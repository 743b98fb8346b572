"""A table that nothing moves on, filmed for a moment: the frames of one scene through H.264 at a camera's bit rate.

In: a table preset, which decks, a seed, a number. Out: a `Burst`: frames that differ by noise and by what the encoder
made of it, and one label for all of them. This is what fusing several frames is measured on.
"""

import io
from dataclasses import dataclass, replace

import av
import numpy as np

from datasets.errors import DatasetError
from datasets.picture.compose import Picture
from datasets.picture.sensor import apply_sensor
from datasets.stills.labels import StillLabel
from datasets.stills.presets import StillPreset
from datasets.stills.simulate import arrange_scene

FPS = 25
BIT_RATE = 4_000_000
RUN_IN = 4  # frames before the first one that counts: the encoder has begun some time ago


@dataclass(frozen=True, slots=True, eq=False)
class Burst:
    """Consecutive frames of one scene."""

    frames: tuple[Picture, ...]
    label: StillLabel


def make_burst(seed: int, index: int, preset: StillPreset, decks: str, frames: int, bit_rate: int = BIT_RATE) -> Burst:
    """Burst `index` of a seed."""
    if frames < 1:
        raise DatasetError(f"a burst of {frames} frames; give 1 or more")
    scene = arrange_scene(seed, index, preset, decks)
    settings = replace(scene.settings, h264_crf=0, jpeg_quality=0)
    taken = [apply_sensor(scene.still.picture, settings, scene.rng) for _ in range(RUN_IN + frames)]
    size_wh = (taken[0].shape[1], taken[0].shape[0])
    label = StillLabel(
        f"{preset.name}/{seed}/{index}", size_wh, preset.name, seed, index, scene.still.labels(), scene.camera
    )
    return Burst(tuple(through_h264(taken, bit_rate)[RUN_IN:]), label)


def through_h264(frames: list[Picture], bit_rate: int) -> list[Picture]:
    """Frames as a network camera would send them, and decoded again."""
    height, width = frames[0].shape[:2]
    store = io.BytesIO()
    with av.open(store, "w", format="h264") as container:
        stream = container.add_stream("libx264", rate=FPS)
        stream.width, stream.height, stream.pix_fmt, stream.bit_rate = width, height, "yuv420p", bit_rate
        rate = f"{bit_rate // 1000}k"
        stream.options = {"preset": "veryfast", "tune": "zerolatency", "threads": "1", "maxrate": rate, "bufsize": rate}
        for frame in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(frame, format="bgr24")))
        container.mux(stream.encode(None))
    store.seek(0)
    with av.open(store, "r", format="h264") as container:
        decoded = [np.asarray(each.to_ndarray(format="bgr24"), np.uint8) for each in container.decode(video=0)]
    if len(decoded) != len(frames):
        raise DatasetError(f"H.264 gave {len(decoded)} frames of {len(frames)}")
    return decoded
