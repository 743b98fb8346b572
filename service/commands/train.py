"""`foursight train locate|identify`: train a network on simulated stills; it goes on where it was stopped."""

import argparse
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from vision.errors import VisionError

DEFAULTS = {"locate": (12_000, 16, 2e-3), "identify": (12_000, 256, 2e-3)}  # steps, batch, learning rate


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("network", choices=DEFAULTS, help="locate finds index patches and backs, identify reads patches")
    add("--data", type=Path, nargs="+", required=True, metavar="DIR", help="sets that `simulate images` wrote")
    add("--out", type=Path, required=True, metavar="DIR", help="where the checkpoint is kept, and taken up again")
    add("--steps", type=int, help="batches to train on (default 12000)")
    add("--batch", type=int, help="pictures or patches a batch (default 16, 256)")
    add("--rate", type=float, help="highest learning rate (default 0.002)")
    add("--seed", type=int, default=0, help="of the weights' start and the order of the data")
    add("--init", type=Path, metavar="FILE", help="begin with the weights of a checkpoint, or (locate) of Ultralytics")
    add("--located", action="store_true", help="identify: also patches as the committed locator cuts them")
    add("--yaml", type=Path, metavar="FILE", help="locate: another architecture in Ultralytics' form")


def run(options: argparse.Namespace) -> int:
    """Train to the end of the plan."""
    require_torch()
    from models.schedule import Plan

    steps, batch, rate = DEFAULTS[options.network]
    plan = Plan(options.steps or steps, options.batch or batch, options.rate or rate)
    if min(plan.steps, plan.batch) < 1 or not 0 < plan.rate < 1:
        raise VisionError("--steps and --batch are 1 or more, --rate is between 0 and 1")
    report = Report()
    if options.network == "locate":
        from models.locate_net import YAML
        from models.locate_train import train_locate

        yaml = options.yaml or YAML
        path = train_locate(
            options.data, options.out, plan, seed=options.seed, yaml=yaml, init=options.init, report=report
        )
    else:
        from models.identify_train import train_identify

        path = train_identify(
            options.data,
            options.out,
            plan,
            seed=options.seed,
            init=options.init,
            located=options.located,
            report=report,
        )
    print(f"{path}: {plan.steps} steps; `foursight export {options.network} {path}` makes the file that is run")
    return 0


def require_torch() -> None:
    """Say what to install, in one sentence, before a traceback would."""
    if find_spec("torch") is None or find_spec("ultralytics") is None:
        raise VisionError(
            "training needs PyTorch and Ultralytics: `pip install 'foursight[train]'`, or make .venv-train"
        )


class Report:
    """A line now and then: steps done, losses (running mean), pictures a second, time left."""

    EVERY_S = 20.0

    def __init__(self) -> None:
        self._started = self._said = time.monotonic()
        self._first: int | None = None
        self._mean: dict[str, float] = {}

    def __call__(self, step: int, steps: int, losses: dict[str, float]) -> None:
        """Called every few steps."""
        if self._first is None:
            self._first, self._started = step, time.monotonic()
        for name, value in losses.items():
            self._mean[name] = 0.9 * self._mean.get(name, value) + 0.1 * value
        now = time.monotonic()
        if now - self._said < self.EVERY_S and step < steps:
            return
        self._said = now
        pace = (step - self._first) / max(now - self._started, 1e-9)
        left = f"{(steps - step) / pace / 60:.0f} min left" if pace > 0 else ""
        words = "  ".join(f"{name} {value:.4f}" for name, value in self._mean.items())
        print(f"step {step:,} of {steps:,}  {words}  {pace:.2f} steps/s  {left}", file=sys.stderr, flush=True)
