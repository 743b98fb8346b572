"""The pose network that finds index patches and backs, and what it is punished for.

Ultralytics gives the network's parts, the assignment and the losses. Ours is the choice of box: a square about the
index itself, not the box around the patch. Neighbours in a tight fan then overlap by a third, not by two thirds, the
anchors that answer for an index lie on it, and its size does not change as the card is turned. Boxes are a means of
training only: at run time the four key points say everything, and the branch for boxes is cut off.
"""

from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn

from models import torch_setup

torch_setup.prepare()

from ultralytics.cfg import get_cfg  # noqa: E402  # only after torchvision has its operators
from ultralytics.nn.modules.conv import Conv, DWConv  # noqa: E402
from ultralytics.nn.tasks import PoseModel  # noqa: E402
from ultralytics.utils.loss import v8PoseLoss  # noqa: E402
from ultralytics.utils.tal import make_anchors  # noqa: E402

YAML = Path(__file__).with_name("locate.yaml")
BACK = 2  # what the third number of a back's key points says; an index has 1 there
OKS_SIGMA = 0.25
CORNER_WIDTH = 64


def new_locate_model(yaml: Path = YAML) -> PoseModel:
    """An untrained network; nothing is downloaded."""
    model = PoseModel(str(yaml), ch=3, nc=2, data_kpt_shape=(4, 2), verbose=False)
    model.args = get_cfg()
    head = model.model[-1]
    head.cv4 = nn.ModuleList(_corner_branch(branch[0].conv.in_channels, head.nk) for branch in head.cv4)
    return model.to(memory_format=torch.channels_last)


def _corner_branch(before: int, numbers: int) -> nn.Sequential:
    """Key points from features: three times as wide as Ultralytics' branch, and cheaper, as its branch of classes is.

    Eight numbers that turn with the card do not fit through its 20 channels.
    """
    return nn.Sequential(
        DWConv(before, before, 3),
        Conv(before, CORNER_WIDTH, 1),
        DWConv(CORNER_WIDTH, CORNER_WIDTH, 3),
        Conv(CORNER_WIDTH, CORNER_WIDTH, 1),
        nn.Conv2d(CORNER_WIDTH, numbers, 1),
    )


class LocateLoss(v8PoseLoss):
    """The pose loss, with places to ignore, corners to be exact about, and backs that have no top."""

    def __init__(self, model: PoseModel) -> None:
        super().__init__(model)
        self.keypoint_loss = None

    def __call__(self, predictions: dict[str, Any], batch: dict[str, Tensor]) -> dict[str, Tensor]:
        """The five losses of one batch, for a picture."""
        exact = {name: value.float() for name, value in predictions.items() if name != "feats"}
        exact["feats"] = [each.float() for each in predictions["feats"]]
        self.class_weights = self._asked(exact["feats"], batch)
        losses, _ = self.loss(exact, batch)
        names = ("box", "corners", "unused", "class", "spread")
        return {name: loss / len(batch["img"]) for name, loss in zip(names, losses, strict=True)}

    def _asked(self, features: list[Tensor], batch: dict[str, Tensor]) -> Tensor:
        """(B, anchors, 1): 0 where an index is too hidden to be demanded and too visible to be denied."""
        anchors, strides = make_anchors(features, self.stride, 0.5)
        points = anchors * strides
        asked = torch.ones(len(batch["img"]), len(points), 1)
        for number, (x, y, reach) in zip(batch["ignore_idx"].tolist(), batch["ignore"].tolist(), strict=True):
            near = ((points - torch.tensor([x, y])).abs() < reach).all(dim=1)
            asked[int(number), near] = 0.0
        return asked

    def calculate_keypoints_loss(
        self,
        masks: Tensor,
        target_gt_idx: Tensor,
        keypoints: Tensor,
        stride_tensor: Tensor,
        target_bboxes: Tensor,
        pred_kpts: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Distance of the corners in parts of the patch: a steep loss nearby, a straight one from afar.

        OKS alone is either too loose for exact corners or, with a small sigma, has no gradient at the start.
        """
        wanted = keypoints[masks.nonzero(as_tuple=True)[0], target_gt_idx[masks]]
        stride = stride_tensor.view(1, -1).expand(masks.shape[0], -1)[masks][:, None, None]
        boxes = target_bboxes[masks]
        area = ((boxes[:, 2:] - boxes[:, :2]).prod(dim=1)[:, None] / stride[:, 0] ** 2).clamp(min=1e-6)
        found, corners = pred_kpts[masks], wanted[..., :2] / stride
        straight = self._corner_losses(found, corners, area)
        turned = self._corner_losses(found, corners.roll(2, dims=1), area)
        is_back = wanted[:, 0, 2] == BACK
        loss = torch.where(is_back, torch.minimum(straight, turned), straight).mean()
        return loss, torch.zeros(())

    @staticmethod
    def _corner_losses(found: Tensor, wanted: Tensor, area: Tensor) -> Tensor:
        squared = (found - wanted).pow(2).sum(dim=-1) / area
        steep = 1 - torch.exp(-squared / (8 * OKS_SIGMA**2))
        return (steep + (squared + 1e-6).sqrt()).mean(dim=1)


class LocateHead(nn.Module):
    """The network as it is run: for each anchor the logits of its classes and the pixels of its four key points."""

    def __init__(self, model: PoseModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        """Pictures (N, 3, H, W), 0..1, BGR; out: (N, anchors, 2) logits and (N, anchors, 8) pixels."""
        kept: list[Any] = []
        flow: Any = pictures
        layers = list(self.model.model)
        for layer in layers[:-1]:
            if layer.f != -1:
                flow = kept[layer.f] if isinstance(layer.f, int) else [flow if n == -1 else kept[n] for n in layer.f]
            flow = layer(flow)
            kept.append(flow if layer.i in self.model.save else None)
        head = layers[-1]
        features = [flow if n == -1 else kept[n] for n in head.f]
        logits = [branch(each).flatten(2) for branch, each in zip(head.cv3, features, strict=True)]
        points = [
            self._pixels(branch(each), each, float(stride))
            for branch, each, stride in zip(head.cv4, features, head.stride, strict=True)
        ]
        return torch.cat(logits, 2).transpose(1, 2), torch.cat(points, 2).transpose(1, 2)

    @staticmethod
    def _pixels(offsets: Tensor, feature: Tensor, stride: float) -> Tensor:
        """Key points (N, 8, H·W) from what the network says of them: steps of two cells from the cell's corner."""
        height, width = feature.shape[2], feature.shape[3]
        xs = torch.arange(width, dtype=torch.float32).view(1, 1, 1, width)
        ys = torch.arange(height, dtype=torch.float32).view(1, 1, height, 1)
        across = (offsets[:, 0::2] * 2 + xs) * stride
        down = (offsets[:, 1::2] * 2 + ys) * stride
        return cast(Tensor, torch.stack([across, down], dim=2).flatten(1, 2).flatten(2))
