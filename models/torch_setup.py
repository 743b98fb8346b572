"""Make torch, torchvision and Ultralytics ready for training where there is no GPU.

The small training environment has a CPU build of torch and a torchvision whose compiled part wants CUDA libraries.
Ultralytics needs only `nms` of it, so the operator is defined here before torchvision is imported.
"""

import os
from pathlib import Path

import torch
from torch import Tensor

from datasets.decks.cache import cache_folder

_library: torch.library.Library | None = None  # kept alive: operators vanish with their library


def _nms(boxes: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    """Boxes to keep, best first: each removes those after it that overlap it by more than the threshold."""
    order = scores.argsort(descending=True)
    corners = boxes[order]
    areas = (corners[:, 2:] - corners[:, :2]).clamp(min=0).prod(dim=1)
    is_kept = torch.ones(len(order), dtype=torch.bool)
    for index in range(len(order)):
        if is_kept[index]:
            upper, lower = (
                torch.maximum(corners[index, :2], corners[index + 1 :, :2]),
                torch.minimum(corners[index, 2:], corners[index + 1 :, 2:]),
            )
            shared = (lower - upper).clamp(min=0).prod(dim=1)
            is_kept[index + 1 :] &= shared / (areas[index] + areas[index + 1 :] - shared) <= iou_threshold
    return order[is_kept]


def prepare() -> None:
    """Call once before anything of Ultralytics is imported; harmless where torchvision is whole."""
    global _library
    settings = Path(os.environ.setdefault("YOLO_CONFIG_DIR", str(cache_folder("ultralytics"))))
    settings.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("YOLO_OFFLINE", "true")
    if _library is not None or hasattr(torch.ops.torchvision, "nms"):
        return
    _library = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms"):
        _library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    _library.impl("nms", _nms, "CPU")
    from torchvision.ops import boxes

    boxes._assert_has_ops = lambda: None
