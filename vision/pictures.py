"""Picture files of any kind as BGR arrays, or one sentence about why not.

In: a path. Out: 8-bit BGR as a person would see it: turned as EXIF says, without alpha, colours converted.
"""

import warnings
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from vision.errors import VisionError

MOST_PIXELS: Final = 120_000_000  # 360 MB as BGR; a 6000 by 4000 still has 24 million
LEAST_SIDE: Final = 16


class PictureError(VisionError):
    """A file that is no picture that can be read."""


def read_picture(path: Path) -> NDArray[np.uint8]:
    """The picture (H, W, 3), BGR."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # our own limit is below
            with Image.open(path) as image:
                _verify_size(path, image.size)
                return _to_bgr(path, image)
    except UnidentifiedImageError as error:
        raise PictureError(f"{path} is no picture; give JPEG, PNG, TIFF, WebP or BMP") from error
    except Image.DecompressionBombError as error:
        raise PictureError(f"{path} claims too many pixels to be read; scale it down") from error
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        if isinstance(error, VisionError):
            raise
        if isinstance(error, OSError) and error.errno is not None:
            raise PictureError(f"{path} cannot be opened: {error.strerror}") from error
        raise PictureError(
            f"{path} is damaged and cannot be read whole ({error}); take it from its source again"
        ) from error


def _verify_size(path: Path, size_wh: tuple[int, int]) -> None:
    width, height = size_wh
    if width * height > MOST_PIXELS:
        raise PictureError(
            f"{path} has {width}×{height} pixels, more than {MOST_PIXELS // 1_000_000} million; scale it down"
        )
    if min(width, height) < LEAST_SIDE:
        raise PictureError(f"{path} has {width}×{height} pixels; no card can be read in less than {LEAST_SIDE}")


def _to_bgr(path: Path, image: Image.Image) -> NDArray[np.uint8]:
    if image.mode.startswith("I") or image.mode == "F":
        grey = _from_deep(np.asarray(ImageOps.exif_transpose(image), np.float64))
        return np.ascontiguousarray(np.repeat(grey[..., None], 3, axis=2))
    upright = ImageOps.exif_transpose(image)
    if upright.mode in ("RGBA", "LA", "PA") or "transparency" in upright.info:
        layer = upright.convert("RGBA")
        below = Image.new("RGBA", layer.size, (128, 128, 128, 255))  # what shows through is neither card nor ink
        upright = Image.alpha_composite(below, layer)
    rgb = np.asarray(upright.convert("RGB"), np.uint8)
    return np.ascontiguousarray(rgb[..., ::-1])


def _from_deep(levels: NDArray[np.float64]) -> NDArray[np.uint8]:
    """16 bits and more to 8: by their range where they fill more than 8 bits."""
    highest = float(levels.max(initial=0.0))
    scale = 1.0 if highest <= 255 else (255 / 65535 if highest <= 65535 else 255 / highest)
    return np.asarray(np.clip(levels * scale, 0, 255), np.uint8)
