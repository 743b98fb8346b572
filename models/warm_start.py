"""Go on training from a network that was exported: its ONNX file is all that is kept of a training.

In: a new model of the same architecture, the ONNX file, and a batch of what it is trained on. Out: the model, which
gives what the exported one gave. An export folds every batch normalisation into the convolution before it; here it is
unfolded again: each normalisation is set to undo what it does to this batch, and to add the folded bias.
"""

from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor, nn

from models.errors import ModelError


def start_from_onnx(network: nn.Module, path: Path, batch: Tensor) -> None:
    """Fill the layers of `network` (as it is exported) in the order in which they run on `batch`.

    A layer that the exported network does not run, like the branch for boxes, keeps its start.
    """
    filling = _Filling(path)
    hooks = [
        layer.register_forward_pre_hook(filling.fill if isinstance(layer, nn.Conv2d | nn.Linear) else filling.unfold)
        for layer in network.modules()
        if isinstance(layer, nn.Conv2d | nn.Linear | nn.BatchNorm2d)
    ]
    try:
        with torch.no_grad():
            network.train()(batch)
    finally:
        for hook in hooks:
            hook.remove()
    filling.verify_all_used()


class _Filling:
    """Fills each layer as it is about to run."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._waiting = list(_stored_layers(path))
        self._bias: Tensor | None = None  # of a convolution whose normalisation comes next

    def fill(self, layer: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        """A convolution or a dense layer."""
        own = layer.weight
        if not self._waiting or not isinstance(own, Tensor) or own.shape != self._waiting[0][0].shape:
            raise ModelError(f"{self._path} is of another architecture; give the file of the network that is trained")
        weight, bias = self._waiting.pop(0)
        own.copy_(weight)
        if isinstance(layer.bias, Tensor):
            layer.bias.copy_(bias)
        else:
            self._bias = bias

    def unfold(self, layer: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        """A normalisation: it shall change nothing but add the bias of the convolution before it."""
        assert isinstance(layer, nn.BatchNorm2d)
        spread, mean = torch.var_mean(inputs[0].float(), dim=(0, 2, 3), unbiased=False)
        layer.weight.copy_(torch.sqrt(spread + layer.eps))
        layer.bias.copy_(mean if self._bias is None else self._bias + mean)
        for kept, value in ((layer.running_mean, mean), (layer.running_var, spread)):
            if kept is not None:
                kept.copy_(value)
        self._bias = None

    def verify_all_used(self) -> None:
        """Every stored layer has found its place."""
        if self._waiting:
            raise ModelError(f"{self._path} has {len(self._waiting)} layers more than this network")


def _stored_layers(path: Path) -> Iterator[tuple[Tensor, Tensor]]:
    """Weight and bias of each convolution and dense layer, in the order in which they run."""
    import onnx
    from google.protobuf.message import DecodeError

    try:
        graph = onnx.load(str(path)).graph
    except (OSError, DecodeError) as error:
        raise ModelError(f"{path} cannot be read as an ONNX file: {error}") from error
    arrays = {each.name: torch.from_numpy(onnx.numpy_helper.to_array(each).copy()) for each in graph.initializer}
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in arrays:
            arrays[node.output[0]] = _dequantized(*(arrays[name] for name in node.input))
        if node.op_type in ("Conv", "Gemm"):
            yield arrays[node.input[1]], arrays[node.input[2]]


def _dequantized(whole: Tensor, scale: Tensor, zero: Tensor) -> Tensor:
    """Weights of 8 bits, a scale for each output channel, or all of one scale."""
    shape = (-1, *[1] * (whole.ndim - 1)) if scale.ndim and scale.numel() > 1 else ()
    return (whole.float() - zero.float().reshape(shape)) * scale.reshape(shape)
