"""What is wrong with a picture: black, corrupted, repeated, frozen.

In: pictures in order, with what the decoder said of each. Out: words, `FAULTS`, in this order. Looks at a grid of some
30,000 points, and at all of a picture only where the grid is the same as before: well under a millisecond.

A camera's noise makes any two pictures differ, so one that stays the same to the last bit is no view of a table. A
picture that is the same for a moment is no fault of the table's: a coder may leave out what did not change.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

BLACK: Final = "black"  # nothing to see: a covered lens, a camera without its sensor
CORRUPTED: Final = "corrupted"  # not decoded whole, drawn from one that was not, or filled in by the decoder
REPEATED: Final = "repeated"  # the same as the one before, by its stamp or to the last bit
FROZEN: Final = "frozen"  # repeated for seconds, while the stream goes on
FAULTS: Final = (BLACK, CORRUPTED, REPEATED, FROZEN)

_GRID_ROWS = 135
_DARK = 24  # a dim table has cards brighter than this
_DARK_SHARE = 0.995
_FILL_SHARE = 0.2
# By their green channel: a missing reference is filled with the middle of the range, a grey; empty planes are a pure
# green, in BT.709 limited, BT.709 full, and BT.601.
_IS_GREY = np.isin(np.arange(256), (128, 129, 130, 131, 132))
_IS_GREEN = np.isin(np.arange(256), (77, 84, 135))
_IS_FILL = _IS_GREY | _IS_GREEN


class Health:
    """Remembers the last picture, and since when it is the same."""

    def __init__(self, frozen_after_s: float = 5.0) -> None:
        self._frozen_after_s = frozen_after_s
        self._last: tuple[Picture, Picture] | None = None  # the picture and its grid
        self._same_since_s = 0.0

    def faults_of(
        self, picture_bgr: Picture, time_s: float, *, is_damaged: bool = False, is_repeated: bool = False
    ) -> tuple[str, ...]:
        """The faults of the next picture. `is_damaged`, `is_repeated`: what its decoder and its stamp said."""
        grid = _grid(picture_bgr)
        is_same = self._last is not None and _is_same(*self._last, picture_bgr, grid)
        if not is_same:
            self._same_since_s = time_s
        self._last = (picture_bgr, grid)
        found = {
            BLACK: _is_black(grid),
            CORRUPTED: is_damaged or _is_filled(grid),
            REPEATED: is_same or is_repeated,
            FROZEN: time_s - self._same_since_s >= self._frozen_after_s,
        }
        return tuple(fault for fault in FAULTS if found[fault])


def _grid(picture_bgr: Picture) -> Picture:
    step = max(1, min(picture_bgr.shape[:2]) // _GRID_ROWS)
    return np.ascontiguousarray(picture_bgr[::step, ::step])


def _is_same(last: Picture, last_grid: Picture, picture: Picture, grid: Picture) -> bool:
    if last.shape != picture.shape or not np.array_equal(last_grid, grid):
        return False
    return np.array_equal(_words(last), _words(picture))


def _words(picture: Picture) -> NDArray[np.uint8] | NDArray[np.uint64]:
    """The same bytes eight at a time, which compares five times as fast."""
    flat = picture.reshape(-1)
    return flat if flat.size % 8 else flat.view(np.uint64)


def _is_black(grid: Picture) -> bool:
    return bool(np.count_nonzero(grid < _DARK) >= _DARK_SHARE * grid.size)


def _is_filled(grid: Picture) -> bool:
    """Whether a good part is one flat colour that decoders put where they have nothing: neighbours equal to the bit."""
    green = np.ascontiguousarray(grid[..., 1])
    if np.count_nonzero(_IS_FILL[green]) < _FILL_SHARE * green.size:
        return False
    blue, red = grid[..., 0], grid[..., 2]
    is_fill = (blue == red) & (_IS_GREY[green] & (blue == green) | _IS_GREEN[green] & (blue == 0))
    is_flat = is_fill[:, 1:] & is_fill[:, :-1] & (green[:, 1:] == green[:, :-1])
    return bool(np.count_nonzero(is_flat) >= _FILL_SHARE * is_flat.size)
