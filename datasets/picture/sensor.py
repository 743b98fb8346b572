"""What light, lens, sensor and encoder do to a scene.

In: a clean picture of the scene and `SensorSettings`. Out: the picture as a camera would have stored it.
Nothing here moves a thing: blur is centred and scaling goes back to where it was, so labels stay true.

Stills use `apply_sensor`; video uses `NoiseTiles`, which costs a copy and an addition a frame.
"""

import io
from dataclasses import dataclass, field
from functools import lru_cache

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.errors import DatasetError
from datasets.picture.compose import Picture

Floats = NDArray[np.float32]

NOISE_TILE_PX = 1024


@dataclass(frozen=True, slots=True)
class Spot:
    """A soft patch of light; positions and radius in parts of the picture's width and height."""

    at: tuple[float, float]
    radius: float
    strength: float  # 1 burns out
    stretch: float = 1.0  # of its length to its breadth
    angle_rad: float = 0.0


@dataclass(frozen=True, slots=True)
class SensorSettings:
    """A camera under a light. The defaults change nothing."""

    exposure: float = 1.0
    gamma: float = 1.0
    gains_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)  # the light's colour less the white balance
    contrast: float = 1.0
    saturation: float = 1.0
    falloff: float = 0.0  # 0..1 of the light lost at the far side
    falloff_angle_rad: float = 0.0
    vignette: float = 0.0  # 0..1 of the light lost in the corners
    shade: tuple[Spot, ...] = ()  # broad soft shadows: a person, a lamp's edge
    glare: tuple[Spot, ...] = ()
    haze: float = 0.0  # 0..1 of veiling light
    defocus_px: float = 0.0  # radius
    motion_px: float = 0.0  # length
    motion_angle_rad: float = 0.0
    capture_scale: float = 1.0  # below 1: taken smaller and enlarged
    read_noise: float = 0.0  # standard deviation in grey levels
    shot_noise: float = 0.0  # the same at white
    grain_px: float = 0.0  # how far noise is smeared by the camera's denoising
    chroma_noise: float = 0.0  # in grey levels, in blotches
    sharpen: float = 0.0
    sharpen_px: float = 1.0
    jpeg_quality: int = 0  # 0: none; first of two saves, the file itself is the second
    h264_crf: int = 0  # 0: none


NEUTRAL = SensorSettings()


def apply_sensor(picture: Picture, settings: SensorSettings, rng: np.random.Generator) -> Picture:
    """The picture as this camera stores it: light, lens, sensor, then the camera's own processing."""
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        raise DatasetError(f"a picture is BGR uint8 of shape (H, W, 3), got {picture.shape} {picture.dtype}")
    out = _light(picture, settings)
    out = _blur(out, settings)
    out = _expose(out, settings)
    out = _noise(out, settings, rng)
    out = _process(out, settings)
    return _compress(out, settings)


def _light(picture: Picture, settings: SensorSettings) -> Picture:
    """Uneven light multiplied in, glare added: most of it where the surface is light and shiny: a card."""
    height, width = picture.shape[:2]
    field_ = light_field(settings)
    if field_ is not None:
        gain = cv2.resize(field_, (width, height), interpolation=cv2.INTER_LINEAR)
        picture = np.asarray(cv2.multiply(picture, cv2.merge([gain] * 3), dtype=cv2.CV_8U), np.uint8)
    for spot in settings.glare:
        picture = _add_glare(picture, spot)
    return picture


def light_field(settings: SensorSettings) -> Floats | None:
    """Gains (48, 48) over the picture, None when it is even."""
    if not (settings.falloff or settings.vignette or settings.shade):
        return None
    ys, xs = np.mgrid[0:48, 0:48].astype(np.float32) / np.float32(47)
    along = (xs - 0.5) * np.cos(settings.falloff_angle_rad) + (ys - 0.5) * np.sin(settings.falloff_angle_rad)
    gain = 1 - settings.falloff * np.clip(along + 0.5, 0, 1)
    gain *= 1 - settings.vignette * 2 * ((xs - 0.5) ** 2 + (ys - 0.5) ** 2)
    for spot in settings.shade:
        gain *= 1 - spot.strength * _blob(spot, xs, ys, sharp=4)
    return np.asarray(gain, np.float32)


def _blob(spot: Spot, xs: Floats, ys: Floats, sharp: int = 2) -> Floats:
    dx, dy = xs - spot.at[0], ys - spot.at[1]
    cos, sin = np.cos(spot.angle_rad), np.sin(spot.angle_rad)
    along, across = (dx * cos + dy * sin) / spot.stretch, dy * cos - dx * sin
    return np.asarray(np.exp(-(((along**2 + across**2) / spot.radius**2) ** (sharp / 2))), np.float32)


def _add_glare(picture: Picture, spot: Spot) -> Picture:
    height, width = picture.shape[:2]
    reach = spot.radius * max(spot.stretch, 1 / spot.stretch, 1) * 2.2
    left, right = max(0, int((spot.at[0] - reach) * width)), min(width, int((spot.at[0] + reach) * width) + 1)
    top, bottom = (
        max(0, int((spot.at[1] - reach) * height)),
        min(height, int((spot.at[1] + reach) * height) + 1),
    )
    if left >= right or top >= bottom:
        return picture
    ys, xs = np.mgrid[0:40, 0:40].astype(np.float32) / np.float32(39)
    xs, ys = (left + xs * (right - left)) / width, (top + ys * (bottom - top)) / height
    low = np.asarray(spot.strength * 255 * _blob(spot, xs, ys), np.float32)
    glow = np.asarray(cv2.resize(low, (right - left, bottom - top)), np.float32)
    window = picture[top:bottom, left:right]
    shine = cv2.convertScaleAbs(cv2.GaussianBlur(window, (0, 0), 2).max(axis=2), alpha=0.8, beta=60)
    added = cv2.multiply(glow, shine, scale=1 / 255, dtype=cv2.CV_8U)
    out: Picture = picture.copy()
    out[top:bottom, left:right] = cv2.add(window, cv2.merge([added] * 3))
    return out


def _blur(picture: Picture, settings: SensorSettings) -> Picture:
    """Lens and movement, then the loss of taking it smaller and enlarging."""
    if settings.defocus_px >= 0.3:
        picture = np.asarray(cv2.filter2D(picture, -1, disc_kernel(round(settings.defocus_px, 1))), np.uint8)
    if settings.motion_px >= 1:
        kernel = motion_kernel(round(settings.motion_px, 1), round(settings.motion_angle_rad, 2))
        picture = np.asarray(cv2.filter2D(picture, -1, kernel), np.uint8)
    if settings.capture_scale < 1:
        height, width = picture.shape[:2]
        small = (
            max(1, round(width * settings.capture_scale)),
            max(1, round(height * settings.capture_scale)),
        )
        taken = cv2.resize(picture, small, interpolation=cv2.INTER_AREA)
        picture = np.asarray(cv2.resize(taken, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)
    return picture


@lru_cache(maxsize=64)
def disc_kernel(radius_px: float) -> Floats:
    """A lens out of focus: a disc with soft edges."""
    reach = int(np.ceil(radius_px))
    ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    disc = np.clip(radius_px + 0.5 - np.hypot(xs, ys), 0, 1)
    return np.asarray(disc / disc.sum(), np.float32)


@lru_cache(maxsize=256)
def motion_kernel(length_px: float, angle_rad: float) -> Floats:
    """A movement during the exposure, centred so that nothing shifts."""
    reach = int(np.ceil(length_px / 2)) + 1
    size = 2 * reach + 1
    kernel = np.zeros((size, size), np.float32)
    steps = np.linspace(-length_px / 2, length_px / 2, 8 * size)
    xs, ys = reach + steps * np.cos(angle_rad), reach + steps * np.sin(angle_rad)
    left, top = np.floor(xs).astype(int), np.floor(ys).astype(int)
    for dx in (0, 1):
        for dy in (0, 1):
            weight = np.abs(1 - dx - (xs - left)) * np.abs(1 - dy - (ys - top))
            np.add.at(kernel, (np.minimum(top + dy, size - 1), np.minimum(left + dx, size - 1)), weight)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _expose(picture: Picture, settings: SensorSettings) -> Picture:
    """One table look-up: exposure, white balance, haze, contrast curve; then saturation."""
    table = tone_table(settings)
    if table is not None:
        picture = np.asarray(cv2.LUT(picture, table), np.uint8)
    if settings.saturation != 1:
        share = (1 - settings.saturation) / 3
        matrix = np.full((3, 3), share) + np.eye(3) * settings.saturation
        picture = np.asarray(cv2.transform(picture, matrix), np.uint8)
    return picture


def tone_table(settings: SensorSettings) -> Picture | None:
    """The look-up (256, 1, 3) from scene to stored value, None when it changes nothing."""
    tone = (settings.exposure, settings.gamma, settings.contrast, settings.haze, *settings.gains_bgr)
    if tone == (1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0):
        return None
    linear = (np.arange(256) / 255)[:, None] ** 2.2
    light = linear * settings.exposure * np.array(settings.gains_bgr)
    light = light + settings.haze * (0.6 - light * 0.6)
    # A shoulder instead of a hard clip: what real cameras do to white cards in strong light.
    light = np.where(light > 0.8, 0.8 + 0.2 * (1 - np.exp(-(light - 0.8) / 0.2)), light)
    stored = np.clip(light, 0, 1) ** (settings.gamma / 2.2)
    stored = 0.5 + (stored - 0.5) * settings.contrast
    return np.asarray(np.clip(stored * 255 + 0.5, 0, 255), np.uint8).reshape(256, 1, 3)


def _noise(picture: Picture, settings: SensorSettings, rng: np.random.Generator) -> Picture:
    if not (settings.read_noise or settings.shot_noise or settings.chroma_noise):
        return picture
    height, width = picture.shape[:2]
    grain = noise_field(settings.grain_px, height, width, rng)
    deviation = cv2.LUT(picture, _deviation(settings))
    noisy = cv2.multiply(grain, deviation, scale=1.0)
    if settings.chroma_noise:
        low = rng.standard_normal((-(-height // 6), -(-width // 6), 3), np.float32) * np.float32(settings.chroma_noise)
        noisy = cv2.add(noisy, cv2.resize(low, (width, height), interpolation=cv2.INTER_CUBIC))
    return np.asarray(cv2.add(picture, noisy, dtype=cv2.CV_8U), np.uint8)


def _deviation(settings: SensorSettings) -> Floats:
    grey = np.arange(256, dtype=np.float32) / 255
    return np.asarray(np.sqrt(settings.read_noise**2 + settings.shot_noise**2 * grey), np.float32)


@lru_cache(maxsize=4)
def _unit_noise(grain_px: float) -> Floats:
    """A square of noise of unit deviation, made once: fresh numbers would cost more than the scene."""
    rng = np.random.default_rng([77, round(grain_px * 10)])
    tile = rng.standard_normal((NOISE_TILE_PX, NOISE_TILE_PX, 3), np.float32)
    if grain_px > 0:
        tile = np.asarray(cv2.GaussianBlur(tile, (0, 0), grain_px), np.float32)
        grey = tile.mean(axis=2, keepdims=True)
        tile = 0.6 * tile + 0.4 * grey
        tile /= tile.std()
    return np.asarray(tile, np.float32)


def noise_field(grain_px: float, height: int, width: int, rng: np.random.Generator) -> Floats:
    """Unit noise (height, width, 3), cut at a random place from a large tile."""
    tile = _unit_noise(round(grain_px * 2) / 2)
    if height > NOISE_TILE_PX - 64 or width > NOISE_TILE_PX - 64:
        tile = np.tile(tile, (-(-height // NOISE_TILE_PX) + 1, -(-width // NOISE_TILE_PX) + 1, 1))
    top = int(rng.integers(tile.shape[0] - height + 1))
    left = int(rng.integers(tile.shape[1] - width + 1))
    return tile[top : top + height, left : left + width]


def _process(picture: Picture, settings: SensorSettings) -> Picture:
    """The halo of a phone's sharpening."""
    if settings.sharpen:
        soft = cv2.GaussianBlur(picture, (0, 0), settings.sharpen_px)
        picture = np.asarray(cv2.addWeighted(picture, 1 + settings.sharpen, soft, -settings.sharpen, 0), np.uint8)
    return picture


def _compress(picture: Picture, settings: SensorSettings) -> Picture:
    if settings.h264_crf:
        picture = h264_round_trip(picture, settings.h264_crf)
    if settings.jpeg_quality:
        stored = encode_jpeg(picture, settings.jpeg_quality)
        picture = np.asarray(cv2.imdecode(np.frombuffer(stored, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    return picture


def encode_jpeg(picture: Picture, quality: int) -> bytes:
    """The picture as a JPEG file."""
    done, stored = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise DatasetError(f"a picture of shape {picture.shape} cannot be stored as JPEG")
    return bytes(stored.tobytes())


def h264_round_trip(picture: Picture, crf: int) -> Picture:
    """One frame through H.264 and back: blocks, smeared cloth, lost colour. Odd sizes are padded for it."""
    height, width = picture.shape[:2]
    padding = ((0, height % 2), (0, width % 2), (0, 0))
    even = np.pad(picture, padding, "edge") if height % 2 or width % 2 else picture
    store = io.BytesIO()
    with av.open(store, "w", format="h264") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = even.shape[1], even.shape[0], "yuv420p"
        stream.options = {"crf": str(crf), "preset": "ultrafast", "tune": "zerolatency", "threads": "1"}
        frame = av.VideoFrame.from_ndarray(even, format="bgr24")
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    store.seek(0)
    with av.open(store, "r", format="h264") as container:
        for decoded in container.decode(video=0):
            out = decoded.to_ndarray(format="bgr24")
            return np.ascontiguousarray(out[:height, :width], np.uint8)
    raise DatasetError(f"H.264 at quality {crf} gave no frame of a {width}x{height} picture")


@dataclass(slots=True, eq=False)
class NoiseTiles:
    """Sensor noise for video: a few ready tiles of small integers, one chosen and shifted a frame."""

    size_wh: tuple[int, int]
    noise: float  # standard deviation in grey levels
    seed: int
    grain_px: float = 0.7
    tiles: int = 4
    _raised: list[Picture] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        rng = np.random.default_rng([self.seed, 31])
        width, height = self.size_wh[0] + 64, self.size_wh[1] + 64
        for _ in range(self.tiles if self.noise > 0 else 0):
            white = rng.standard_normal((height, width, 3), np.float32)
            grain = cv2.GaussianBlur(white, (0, 0), self.grain_px)
            raised = grain * (self.noise / grain.std()) + 128.5
            self._raised.append(np.asarray(np.clip(raised, 0, 255), np.uint8))

    def add_to(self, frame: Picture, number: int) -> Picture:
        """The frame with the noise of its number: the same number, the same noise."""
        if not self._raised:
            return frame
        rng = np.random.default_rng([self.seed, 32, number])
        tile = self._raised[int(rng.integers(self.tiles))]
        x, y = (int(v) for v in rng.integers(0, 64, 2))
        grain = tile[y : y + self.size_wh[1], x : x + self.size_wh[0]]
        return np.asarray(cv2.addWeighted(frame, 1.0, grain, 1.0, -128.0), np.uint8)
