"""What every training here shares: a learning rate over time, a running mean of the weights, checkpoints to go on from.

In: a model and how many steps there are. Out: a `Run`, which takes one step at a time and can be stored and resumed.
"""

import copy
import math
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from models.errors import ModelError

WARM_UP = 0.03  # share of the steps
LAST_RATE = 0.02  # of the highest learning rate
MEAN_OVER = 600  # steps that the mean of the weights looks back on, once it has run for as long
CLIP = 10.0


@dataclass(frozen=True, slots=True)
class Plan:
    """How long, and how fast."""

    steps: int
    batch: int
    rate: float
    weight_decay: float = 5e-4

    def rate_at(self, step: int) -> float:
        """Up in a line, down in half a cosine."""
        warm = max(1, int(self.steps * WARM_UP))
        if step < warm:
            return self.rate * (step + 1) / warm
        along = (step - warm) / max(1, self.steps - warm)
        return self.rate * (LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * min(1.0, along))))


class Run:
    """One training: weights, their running mean, the optimizer, and the number of the next step."""

    def __init__(self, model: nn.Module, plan: Plan) -> None:
        self.model = model
        self.plan = plan
        self.step = 0
        self.mean = copy.deepcopy(model).eval()
        for parameter in self.mean.parameters():
            parameter.requires_grad_(False)
        decayed = [each for each in model.parameters() if each.ndim > 1]
        free = [each for each in model.parameters() if each.ndim <= 1]  # biases and the scales of normalisation
        groups = [{"params": decayed, "weight_decay": plan.weight_decay}, {"params": free, "weight_decay": 0.0}]
        self.optimizer = torch.optim.AdamW(groups, lr=plan.rate, betas=(0.9, 0.99))

    def take_step(self, loss: Tensor) -> None:
        """Follow the gradient of one batch's loss."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.plan.rate_at(self.step)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        self.optimizer.step()
        self._follow()
        self.step += 1

    @torch.no_grad()
    def _follow(self) -> None:
        """Move the mean towards the weights; fast at first, so that it does not remember the random start."""
        keep = min(1 - 1 / MEAN_OVER, (1 + self.step) / (10 + self.step))
        theirs = self.model.state_dict()
        for name, value in self.mean.state_dict().items():
            if value.dtype.is_floating_point:
                value.lerp_(theirs[name].to(value.dtype), 1 - keep)
            else:
                value.copy_(theirs[name])

    def store(self, path: Path) -> None:
        """Write all of it; whole or not at all, because a training may be ended at any moment."""
        path.parent.mkdir(parents=True, exist_ok=True)
        state = {
            "model": self.model.state_dict(),
            "mean": self.mean.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "steps": self.plan.steps,
        }
        part = path.with_suffix(".part")
        torch.save(state, part)
        part.replace(path)

    def resume(self, path: Path) -> None:
        """Go on where a stored run was."""
        state = _stored(path)
        try:
            self.model.load_state_dict(state["model"])
            self.mean.load_state_dict(state["mean"])
            self.optimizer.load_state_dict(state["optimizer"])
        except (KeyError, RuntimeError, ValueError) as error:
            raise ModelError(f"{path} is a checkpoint of another model; train with another --out") from error
        self.step = int(state["step"])

    def remaining(self) -> Iterator[int]:
        """The numbers of the steps that are left."""
        while self.step < self.plan.steps:
            yield self.step


def _stored(path: Path) -> dict[str, Any]:
    try:
        state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, ValueError, EOFError, KeyError, pickle.UnpicklingError) as error:
        raise ModelError(f"{path} is no checkpoint that can be read: {error}") from error
    return state


def load_mean(model: nn.Module, path: Path) -> nn.Module:
    """The model with the averaged weights of a checkpoint, ready to be exported."""
    try:
        model.load_state_dict(_stored(path)["mean"])
    except (KeyError, RuntimeError) as error:
        raise ModelError(f"{path} is a checkpoint of another model") from error
    return model.eval()


@contextmanager
def half_precision() -> Iterator[None]:
    """bfloat16 inside; on a processor or accelerator without it torch falls back by itself."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    with torch.autocast(device, dtype=torch.bfloat16):
        yield
