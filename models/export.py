"""Turn a checkpoint into the ONNX file that is run, and enter it in the manifest.

In: a checkpoint of `foursight train`; for `identify` also sets of stills on which the ranges of 8-bit numbers are
fitted (without them the file keeps 32-bit ones). Out: `locate.onnx` or `identify.onnx` in the weights' folder, and
`weights.json` with its sha256. Pictures go in as they are, 8-bit BGR: what becomes of them is part of the network.

The locator keeps 32 bits: in 8 it gained a third in speed, and lost one card in five to corners that were off by more
than a pixel.
"""

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.errors import ModelError
from models.identify_data import Patches, batches, patches_file
from models.identify_net import IdentifyNet
from models.locate_net import YAML, LocateHead, new_locate_model
from models.manifest import enter
from models.quantize import quantize
from models.schedule import load_mean
from vision.identify import PATCH_PX_WH
from vision.weights import WEIGHTS_FOLDER

OPSET = 18
MOST_BYTES = 15_000_000
FITTED_ON = 150  # batches of patches, for the ranges of 8-bit numbers


class FromBytes(nn.Module):
    """A network that takes 8-bit pictures (N, H, W, 3)."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, pictures: Tensor) -> Any:  # noqa: ANN401  # whatever the network gives
        """Scale to 0..1 and run."""
        return self.network(pictures.permute(0, 3, 1, 2).float() / 255)


def export_locate(checkpoint: Path, folder: Path = WEIGHTS_FOLDER, yaml: Path = YAML) -> Path:
    """The locator: `picture` in, `logits` and `points` of every anchor out; any size that is a multiple of 32."""
    model = load_mean(new_locate_model(yaml), checkpoint)
    model.fuse(verbose=False)
    sizes = {0: "batch", 1: "height", 2: "width"}
    anchors = {0: "batch", 1: "anchors"}
    return _export(
        FromBytes(LocateHead(model)),
        torch.zeros(1, 320, 416, 3, dtype=torch.uint8),
        folder / "locate.onnx",
        {"picture": sizes, "logits": anchors, "points": anchors},
    )


def export_identify(checkpoint: Path, folder: Path = WEIGHTS_FOLDER, sets: Sequence[Path] = ()) -> Path:
    """The reader of patches: `patches` in, `logits` out, any number at once."""
    model = load_mean(IdentifyNet(), checkpoint)
    width, height = PATCH_PX_WH
    return _export(
        FromBytes(model),
        torch.zeros(2, height, width, 3, dtype=torch.uint8),
        folder / "identify.onnx",
        {"patches": {0: "patches"}, "logits": {0: "patches"}},
        _patches_of(sets),
    )


def _patches_of(sets: Sequence[Path]) -> Iterator[NDArray[np.uint8]] | None:
    """Patches as the reader of them is trained on, sixteen at a time."""
    if not sets:
        return None
    patches = Patches.read([patches_file(folder, os.cpu_count() or 1) for folder in sets])
    return (batch.pictures for batch in islice(batches(patches, 16, np.random.default_rng(0)), FITTED_ON))


def _export(
    network: nn.Module,
    example: Tensor,
    path: Path,
    axes: Mapping[str, Mapping[int, str]],
    fitted_on: Iterator[NDArray[np.uint8]] | None = None,
) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    names = list(axes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracing exporter is deprecated, and right for plain convolutions
        torch.onnx.export(
            network.eval(),
            (example,),
            str(path),
            input_names=names[:1],
            output_names=names[1:],
            dynamic_axes={name: dict(each) for name, each in axes.items()},
            opset_version=OPSET,
            dynamo=False,
        )
    if fitted_on is not None:
        quantize(path, fitted_on)
    if path.stat().st_size > MOST_BYTES:
        raise ModelError(f"{path} has {path.stat().st_size:,} bytes; weights may have {MOST_BYTES:,}")
    enter(path)
    return path
