"""Rank signs as masks, from our own pen or from a font file, with the ten composed of its two figures.

In: a `PenForm` or the path of a font. Out: `RankSigns`, one mask a rank.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from datasets.decks.canvas import Mask, cut_to_ink, resized
from datasets.decks.pen import SIGNS, PenForm, pen_mask
from datasets.errors import DatasetError

HEIGHT_PX = 200
DESCENDING = 1.2  # a queen's tail may hang below the line by this much of the height
TEN = 10
_LETTERS = {11: "J", 12: "Q", 13: "K", 14: "A"}


@dataclass(frozen=True, slots=True, eq=False)
class RankSigns:
    """One mask a rank, all `HEIGHT_PX` high but for the tails of J and Q."""

    masks: dict[int, Mask]

    def size_mm(self, rank: int, height_mm: float) -> tuple[float, float]:
        """Width and height of a sign where plain ones are `height_mm` high."""
        height, width = self.masks[rank].shape
        scale = height_mm / HEIGHT_PX
        return width * scale, height * scale


def font_sign(font: ImageFont.FreeTypeFont, text: str) -> Mask:
    """A text in a font as a mask, cut to its ink."""
    left, top, right, bottom = font.getbbox(text)
    image = Image.new("L", (max(1, round(right - left)) + 8, max(1, round(bottom - top)) + 8))
    ImageDraw.Draw(image).text((4 - left, 4 - top), text, fill=255, font=font)
    return cut_to_ink(np.asarray(image))


def open_font(path: Path, height_px: int = HEIGHT_PX) -> ImageFont.FreeTypeFont:
    """A font at about this height of its capitals."""
    try:
        return ImageFont.truetype(str(path), round(height_px * 1.4), layout_engine=ImageFont.Layout.BASIC)
    except OSError as error:
        raise DatasetError(f"the font {path} cannot be opened ({error}); delete it and run `make decks`") from error


def _of_height(mask: Mask, height: float) -> Mask:
    return resized(mask, (mask.shape[1] * height / mask.shape[0], height))


def _ten(one: Mask, zero: Mask, gap: float, narrow: float) -> Mask:
    """1 and 0 side by side; a gap below zero joins them, `narrow` squeezes both."""
    one, zero = (resized(part, (part.shape[1] * narrow, HEIGHT_PX)) for part in (one, zero))
    gap_px = round(gap * HEIGHT_PX)
    width = one.shape[1] + gap_px + zero.shape[1]
    ten = np.zeros((HEIGHT_PX, width), np.uint8)
    ten[:, : one.shape[1]] = one
    np.maximum(ten[:, -zero.shape[1] :], zero, out=ten[:, -zero.shape[1] :])
    return ten


def _composed(signs: dict[str, Mask], ten_gap: float, ten_narrow: float) -> RankSigns:
    plain = signs["K"].shape[0]
    masks = {rank: _of_height(signs[str(rank)], HEIGHT_PX) for rank in range(2, TEN)}
    for rank, letter in _LETTERS.items():
        taller = np.clip(signs[letter].shape[0] / plain, 1, DESCENDING) if letter in "JQ" else 1
        masks[rank] = _of_height(signs[letter], round(HEIGHT_PX * taller))
    masks[TEN] = _ten(_of_height(signs["1"], HEIGHT_PX), _of_height(signs["0"], HEIGHT_PX), ten_gap, ten_narrow)
    return RankSigns(masks)


def pen_ranks(form: PenForm, ten_gap: float, ten_narrow: float) -> RankSigns:
    """The signs as our pen draws them."""
    return _composed({sign: pen_mask(form, sign) for sign in SIGNS}, ten_gap, ten_narrow)


def font_ranks(path: Path, width: float, ten_gap: float, ten_narrow: float) -> RankSigns:
    """The signs of a font, made narrower or wider by a factor."""
    font = open_font(path)
    signs = {sign: font_sign(font, sign) for sign in SIGNS}
    signs = {sign: resized(mask, (mask.shape[1] * width, mask.shape[0])) for sign, mask in signs.items()}
    return _composed(signs, ten_gap, ten_narrow)
