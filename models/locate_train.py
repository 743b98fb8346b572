"""Train the network that finds index patches and backs.

In: folders of labelled stills. Out: a checkpoint that can be resumed and exported.
"""

import pickle
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from models.errors import ModelError
from models.identify_train import Report, ahead
from models.locate_data import batches, load_scenes
from models.locate_net import YAML, LocateHead, LocateLoss, new_locate_model
from models.schedule import Plan, Run, half_precision
from models.warm_start import start_from_onnx

STORE_EVERY = 250
REPORT_EVERY = 10
WARM_BATCH = 48
PICTURE_PX = 384  # of the pictures trained on; any size can be read


def train_locate(
    folders: Sequence[Path],
    out: Path,
    plan: Plan,
    *,
    seed: int = 0,
    yaml: Path = YAML,
    init: Path | None = None,
    report: Report | None = None,
) -> Path:
    """Train, or go on training, to the end of the plan; the checkpoint's path."""
    scenes = load_scenes(folders)
    rng = np.random.default_rng([seed, 0])
    torch.manual_seed(seed)
    model = new_locate_model(yaml)
    checkpoint = out / "locate.pt"
    if init is not None and not checkpoint.is_file():
        if init.suffix == ".onnx":
            start_from_onnx(LocateHead(model), init, next(batches(scenes, PICTURE_PX, WARM_BATCH, rng))["img"])
        else:
            start_from(model, init)
    run = Run(model, plan)
    if checkpoint.is_file():
        run.resume(checkpoint)
    run.model.train()
    criterion = LocateLoss(run.model)
    source = ahead(batches(scenes, PICTURE_PX, plan.batch, np.random.default_rng([seed, run.step])))
    for step in run.remaining():
        batch = next(source)
        with half_precision():
            predictions = run.model(batch["img"])
        losses = criterion(predictions, batch)
        run.take_step(torch.stack(list(losses.values())).sum())
        if report is not None and (step % REPORT_EVERY == 0 or run.step == plan.steps):
            report(run.step, plan.steps, {name: float(loss.detach()) for name, loss in losses.items()})
        if run.step % STORE_EVERY == 0 or run.step == plan.steps:
            run.store(checkpoint)
    return checkpoint


def start_from(model: torch.nn.Module, path: Path) -> int:
    """Copy what fits of a pretrained Ultralytics model; how many arrays did."""
    try:
        stored = torch.load(path, map_location="cpu", weights_only=False)
    except (OSError, RuntimeError, ValueError, EOFError, pickle.UnpicklingError) as error:
        raise ModelError(f"{path} cannot be read as weights: {error}") from error
    source = stored.get("ema") or stored.get("model") if isinstance(stored, dict) else stored
    theirs = source.float().state_dict() if isinstance(source, torch.nn.Module) else source
    if not isinstance(theirs, dict):
        raise ModelError(f"{path} holds no weights; give a .pt file of Ultralytics")
    own = model.state_dict()
    fitting = {name: value for name, value in theirs.items() if name in own and own[name].shape == value.shape}
    if not fitting:
        raise ModelError(f"nothing in {path} fits this network; give weights of the same architecture")
    model.load_state_dict(fitting, strict=False)
    return len(fitting)
