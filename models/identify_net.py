"""The network that reads an index patch: rank, suit, whether it can be read at all, which side, and how far it is off.

In: upright patches (N, 3, HEIGHT, WIDTH) as `vision.identify` cuts them. Out: (N, 27): logits of 13 ranks, 4 suits,
legible, and at the card's right edge (decks with four indices have them there too); then how far the four corners of
the true patch lie from where this one was cut, x and y in parts of its width and height.

It looks twice, as a person does. A first look at the whole patch, at half its resolution, says where the card's corner
and where in it the index stands: indices fill from a twelfth to nearly all of a patch, and in a fan a neighbour's index
stands in it too. Then that place alone is taken out of the full patch, upright and always of one size, and read.
"""

from dataclasses import dataclass
from typing import Final, cast

import torch
import torch.nn.functional as functional
from torch import Tensor, nn

from vision.identify import PATCH_MARGIN_WH, PATCH_PX_WH

RANKS, SUITS = 13, 4
CORNERS = 8
PLACE = 6  # of the index: its middle, and from there to its right and lower edges; in parts of the patch
LOOK_STEM, LOOK_WIDTHS, LOOK_BLOCKS, LOOK_HIDDEN = 24, (48, 96), 2, 192
READ_STEM, READ_WIDTHS, READ_BLOCKS, READ_HIDDEN = 32, (64, 112), (2, 2), 160
GLIMPSE_PX_WH: Final = (40, 56)
GLIMPSE_REACH_WH: Final = (1.4, 1.25)  # of the index's own width and height
USUAL_PLACE: Final = (0.29, 0.36, 0.22, 0.0, 0.0, 0.28)


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """What the first look says of N patches, as logits and parts of the patch."""

    rank: Tensor  # (N, 13), by which it learns which index is meant
    suit: Tensor  # (N, 4)
    at_right: Tensor  # (N,)
    corners: Tensor  # (N, 8)
    place: Tensor  # (N, 6)


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """What is read at a place of N patches, as logits."""

    rank: Tensor  # (N, 13)
    suit: Tensor  # (N, 4)
    legible: Tensor  # (N,)


class Residual(nn.Module):
    """Two convolutions beside a straight way through."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(inplace=True),
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False),
            nn.BatchNorm2d(channels),
        )
        self.last = nn.ReLU(inplace=True)

    def forward(self, features: Tensor) -> Tensor:
        """The same shape."""
        return cast(Tensor, self.last(features + self.body(features)))


def _trunk(
    size_wh: tuple[int, int], stem: int, widths: tuple[int, ...], blocks: tuple[int, ...], hidden: int
) -> nn.Sequential:
    layers: list[nn.Module] = [*_smaller(3, stem, 5)]
    before = stem
    for channels, count in zip(widths, blocks, strict=True):
        layers += [*_smaller(before, channels, 3), *(Residual(channels) for _ in range(count))]
        before = channels
    shrink = 2 ** (1 + len(widths))
    cells = (size_wh[0] // shrink) * (size_wh[1] // shrink)
    return nn.Sequential(
        *layers, nn.Flatten(), nn.Dropout(0.15), nn.Linear(before * cells, hidden), nn.ReLU(inplace=True)
    )


def _smaller(before: int, after: int, size: int) -> tuple[nn.Module, ...]:
    return (
        nn.Conv2d(before, after, size, 2, size // 2, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )


class IdentifyNet(nn.Module):
    """Two small residual networks, one after the other: where the index stands, and what it says."""

    def __init__(self) -> None:
        super().__init__()
        half = (PATCH_PX_WH[0] // 2, PATCH_PX_WH[1] // 2)
        self.look = _trunk(half, LOOK_STEM, LOOK_WIDTHS, (LOOK_BLOCKS,) * 2, LOOK_HIDDEN)
        self.read = _trunk(GLIMPSE_PX_WH, READ_STEM, READ_WIDTHS, READ_BLOCKS, READ_HIDDEN)
        self.look_heads = nn.Linear(LOOK_HIDDEN, RANKS + SUITS + 1 + CORNERS + PLACE)
        self.read_heads = nn.Linear(READ_HIDDEN, RANKS + SUITS)
        self.legible_head = nn.Linear(LOOK_HIDDEN + READ_HIDDEN, 1)
        self.register_buffer("usual_place", torch.tensor(USUAL_PLACE), persistent=False)

    def forward(self, patches: Tensor) -> Tensor:
        """Patches are 0..1, BGR as OpenCV has them."""
        seen, looked = self.first_look(patches)
        read = self.read_at(patches, looked.place, seen)
        rank, suit = read.rank + looked.rank, read.suit + looked.suit  # two looks err apart
        columns = [rank, suit, read.legible[:, None], looked.at_right[:, None], looked.corners]
        return torch.cat(columns, dim=1)

    def first_look(self, patches: Tensor) -> tuple[Tensor, Looked]:
        """Its features (N, LOOK_HIDDEN), and what it says."""
        seen = self.look(functional.avg_pool2d(patches, 2))
        rank, suit, right, corners, place = self.look_heads(seen).split([RANKS, SUITS, 1, CORNERS, PLACE], 1)
        return seen, Looked(rank, suit, right[:, 0], corners, place + self.usual_place)

    def read_at(self, patches: Tensor, places: Tensor, seen: Tensor) -> Read:
        """What stands at places (N, 6) of patches of which the first look gave these features."""
        read = self.read(glimpse(patches, places))
        rank, suit = self.read_heads(read).split([RANKS, SUITS], 1)
        return Read(rank, suit, self.legible_head(torch.cat([seen, read], dim=1))[:, 0])


def glimpse(patches: Tensor, places: Tensor) -> Tensor:
    """What stands at these places (N, 6) of patches, turned upright and of one size."""
    inner = torch.tensor([1 / (1 + 2 * margin) for margin in PATCH_MARGIN_WH])
    middle = (places[:, 0:2] - 0.5) * 2 * inner
    across = places[:, 2:4] * 2 * GLIMPSE_REACH_WH[0] * inner
    down = places[:, 4:6] * 2 * GLIMPSE_REACH_WH[1] * inner
    xs, ys = ((torch.arange(count) + 0.5) * 2 / count - 1 for count in GLIMPSE_PX_WH)
    grid = middle[:, None, None] + ys[None, :, None, None] * down[:, None, None] + xs[:, None] * across[:, None, None]
    return functional.grid_sample(patches, grid, mode="bilinear", padding_mode="border", align_corners=False)
