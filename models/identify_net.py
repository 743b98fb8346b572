"""The network that reads an index patch: rank, suit, whether it can be read at all, which side, and how far it is off.

In: upright patches (N, 3, HEIGHT, WIDTH) as `vision.identify` cuts them. Out: (N, 27): logits of 13 ranks, 4 suits,
legible, and at the card's right edge (decks with four indices have them there too); then how far the four corners of
the true patch lie from where this one was cut, x and y in parts of its width and height.
"""

from typing import cast

from torch import Tensor, nn

from vision.identify import PATCH_PX_WH

STEM, WIDTHS = 24, (48, 96)
BLOCKS = 2
RANKS, SUITS = 13, 4
CORNERS = 8
HIDDEN = 192


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


class IdentifyNet(nn.Module):
    """A small residual network and a look at the whole patch: a dozen patches in some ten milliseconds.

    Most of it works at a quarter of the resolution, where the strokes of a rank are still apart.
    """

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = [*_smaller(3, STEM, 5)]
        before, (width, height) = STEM, PATCH_PX_WH
        for channels in WIDTHS:
            layers += [*_smaller(before, channels, 3), *(Residual(channels) for _ in range(BLOCKS))]
            before = channels
        self.features = nn.Sequential(*layers)
        cells = (width // 8) * (height // 8)
        self.look = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.15), nn.Linear(before * cells, HIDDEN), nn.ReLU(inplace=True)
        )
        self.heads = nn.Linear(HIDDEN, RANKS + SUITS + 2 + CORNERS)

    def forward(self, patches: Tensor) -> Tensor:
        """Patches are 0..1, BGR as OpenCV has them."""
        return cast(Tensor, self.heads(self.look(self.features(patches))))


def _smaller(before: int, after: int, size: int) -> tuple[nn.Module, ...]:
    return (
        nn.Conv2d(before, after, size, 2, size // 2, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )
