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

from models.identify_data import NONE, Batch, Patches, batches, patches_file
from models.identify_located import located_file
from models.identify_net import IdentifyNet
from models.schedule import Plan, Run, half_precision, load_mean
from models.warm_start import start_from_onnx

STORE_EVERY = 1000
REPORT_EVERY = 50
AHEAD = 4
WARM_BATCH = 256
FIRST = 0.3  # weight of what the first look says of rank and suit
JITTER = 0.09  # of an index's own half width and height
FOUND = 0.4
BESIDE = 0.06  # share of the patches read so far beside the index that they must be refused

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
            some = next(batches(patches, WARM_BATCH, np.random.default_rng([seed, 0])))
            start_from_onnx(model, init, to_input(some.pictures))
        else:
            load_mean(model, init)
    run = Run(model, plan)
    if checkpoint.is_file():
        run.resume(checkpoint)
    run.model.train()
    rng = torch.Generator().manual_seed(seed + run.step)
    source = ahead(batches(patches, plan.batch, np.random.default_rng([seed, run.step])))
    for step in run.remaining():
        losses = _losses(run.model, next(source), rng)
        run.take_step(torch.stack(list(losses.values())).sum())
        if report is not None and (step % REPORT_EVERY == 0 or run.step == plan.steps):
            report(run.step, plan.steps, {name: float(loss.detach()) for name, loss in losses.items()})
        if run.step % STORE_EVERY == 0 or run.step == plan.steps:
            run.store(checkpoint)
    return checkpoint


def to_input(pictures: NDArray[np.uint8]) -> Tensor:
    """Pictures (N, H, W, 3) as the network takes them."""
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).float().div_(255)


def _losses(model: IdentifyNet, batch: Batch, rng: torch.Generator) -> dict[str, Tensor]:
    """Where the index stands is taught; what is read there, is read mostly about where it really stands."""
    rank, suit, legible, at_right = torch.from_numpy(batch.labels).unbind(1)
    is_index, true = torch.from_numpy(batch.is_index), torch.from_numpy(batch.places)
    with half_precision():
        seen, looked = model.first_look(to_input(batch.pictures))
        places, is_beside = places_to_read(looked.place.detach().float(), true, is_index, rng)
        read = model.read_at(to_input(batch.pictures), places, seen)
    rank, suit, legible = (
        torch.where(is_beside, other, each) for each, other in ((rank, NONE), (suit, NONE), (legible, 0))
    )
    named = {"rank": (read.rank, rank), "suit": (read.suit, suit)}
    losses = {
        name: functional.cross_entropy(said.float(), wanted, ignore_index=NONE)
        for name, (said, wanted) in named.items()
    }
    first = functional.cross_entropy(looked.rank.float(), rank, ignore_index=NONE)
    first = first + functional.cross_entropy(looked.suit.float(), suit, ignore_index=NONE)
    wanted_corners, wanted_places = torch.from_numpy(batch.corners)[is_index], true[is_index]
    return losses | {
        "first": FIRST * first,
        "legible": _binary(read.legible.float(), legible),
        "right": 0.3 * _binary(looked.at_right.float(), at_right),
        "corners": 3 * functional.smooth_l1_loss(looked.corners.float()[is_index], wanted_corners, beta=0.05),
        "place": 3 * functional.smooth_l1_loss(looked.place.float()[is_index], wanted_places, beta=0.05),
    }


def places_to_read(found: Tensor, true: Tensor, is_index: Tensor, rng: torch.Generator) -> tuple[Tensor, Tensor]:
    """Where each patch is read (N, 6), and whether that is beside its index (N,), where nothing can be read.

    Half of them where the first look found the index, if it did; the others a little off the true place; a few so far
    off that half of the index is lost.
    """
    count = len(true)
    half_wh = torch.stack([true[:, 2:4].norm(dim=1), true[:, 4:6].norm(dim=1)], dim=1)
    near = true + JITTER * torch.randn(count, 6, generator=rng) * half_wh.repeat(1, 3)
    is_found = ((found - true).abs() < FOUND * half_wh.repeat(1, 3)).all(dim=1)
    chance = torch.rand(count, generator=rng)
    is_taken = ~is_index | (is_found & (chance < 0.5))
    is_beside = is_index & (chance > 1 - BESIDE)
    way = torch.where(torch.rand(count, generator=rng) < 0.5, 1.0, -1.0) * (
        0.9 + 0.5 * torch.rand(count, generator=rng)
    )
    step = torch.where((torch.rand(count, generator=rng) < 0.5)[:, None], true[:, 2:4], true[:, 4:6]) * way[:, None]
    near = near + functional.pad(torch.where(is_beside[:, None], step, torch.zeros(())), (0, 4))
    return torch.where(is_taken[:, None], found, near), is_beside


def _binary(logits: Tensor, wanted: Tensor) -> Tensor:
    asked = wanted != NONE
    return functional.binary_cross_entropy_with_logits(logits[asked], wanted[asked].float())
