"""Train the network that reads index patches.

In: folders of labelled stills. Out: a checkpoint that can be resumed and exported.
"""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
import torch.nn.functional as functional
from numpy.typing import NDArray
from torch import Tensor

from models.identify_data import NONE, Patches, batches, patches_file
from models.identify_located import located_file
from models.identify_net import RANKS, SUITS, IdentifyNet
from models.schedule import Plan, Run, half_precision, load_mean
from models.warm_start import start_from_onnx

STORE_EVERY = 1000
REPORT_EVERY = 50
AHEAD = 4
WARM_BATCH = 256

Report = Callable[[int, int, dict[str, float]], None]
Item = TypeVar("Item")


def ahead(items: Iterator[Item]) -> Iterator[Item]:
    """The same items, made in a thread while the last one is used: OpenCV and torch both let go of Python's lock."""
    waiting: queue.Queue[Item] = queue.Queue(AHEAD)

    def fill() -> None:
        for item in items:
            waiting.put(item)

    threading.Thread(target=fill, daemon=True).start()
    while True:
        yield waiting.get()


def train_identify(
    folders: Sequence[Path],
    out: Path,
    plan: Plan,
    *,
    seed: int = 0,
    workers: int = 2,
    init: Path | None = None,
    located: bool = False,
    report: Report | None = None,
) -> Path:
    """Train, or go on training, to the end of the plan; the checkpoint's path.

    `located`: also on patches as the committed locator cuts them.
    """
    kinds = (patches_file, located_file) if located else (patches_file,)
    patches = Patches.read([cut(folder, workers) for cut in kinds for folder in folders])
    torch.manual_seed(seed)
    model = IdentifyNet().to(memory_format=torch.channels_last)
    checkpoint = out / "identify.pt"
    if init is not None and not checkpoint.is_file():
        if init.suffix == ".onnx":
            some, _, _ = next(batches(patches, WARM_BATCH, np.random.default_rng([seed, 0])))
            start_from_onnx(model, init, to_input(some))
        else:
            load_mean(model, init)
    run = Run(model, plan)
    if checkpoint.is_file():
        run.resume(checkpoint)
    run.model.train()
    source = ahead(batches(patches, plan.batch, np.random.default_rng([seed, run.step])))
    for step in run.remaining():
        pictures, labels, corners = next(source)
        with half_precision():
            logits = run.model(to_input(pictures))
        losses = identify_losses(logits.float(), torch.from_numpy(labels), torch.from_numpy(corners))
        run.take_step(torch.stack(list(losses.values())).sum())
        if report is not None and (step % REPORT_EVERY == 0 or run.step == plan.steps):
            report(run.step, plan.steps, {name: float(loss.detach()) for name, loss in losses.items()})
        if run.step % STORE_EVERY == 0 or run.step == plan.steps:
            run.store(checkpoint)
    return checkpoint


def to_input(pictures: NDArray[np.uint8]) -> Tensor:
    """Pictures (N, H, W, 3) as the network takes them."""
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).float().div_(255)


def identify_losses(said: Tensor, labels: Tensor, corners: Tensor) -> dict[str, Tensor]:
    """Cross entropies of what each label says, and the distance of the corners; where it says nothing, none."""
    rank, suit, legible, at_right = labels.unbind(1)
    places = (0, RANKS, RANKS + SUITS, RANKS + SUITS + 1, RANKS + SUITS + 2)
    is_index = at_right != NONE
    return {
        "rank": functional.cross_entropy(said[:, places[0] : places[1]], rank, ignore_index=NONE),
        "suit": functional.cross_entropy(said[:, places[1] : places[2]], suit, ignore_index=NONE),
        "legible": _binary(said[:, places[2]], legible),
        "right": 0.3 * _binary(said[:, places[3]], at_right),
        "corners": 3 * functional.smooth_l1_loss(said[:, places[4] :][is_index], corners[is_index], beta=0.05),
    }


def _binary(logits: Tensor, wanted: Tensor) -> Tensor:
    asked = wanted != NONE
    return functional.binary_cross_entropy_with_logits(logits[asked], wanted[asked].float())
