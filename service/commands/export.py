"""`foursight export locate|identify CHECKPOINT`: the ONNX file that is run, entered in the manifest with its sha256."""

import argparse
from pathlib import Path

from service.commands.train import DEFAULTS, require_torch
from vision.weights import WEIGHTS_FOLDER


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("network", choices=DEFAULTS)
    add("checkpoint", type=Path, help="what `foursight train` wrote")
    add(
        "--data",
        type=Path,
        nargs="+",
        default=[],
        metavar="DIR",
        help="identify: sets of stills to fit 8-bit numbers on",
    )
    add("--out", type=Path, default=WEIGHTS_FOLDER, metavar="DIR", help="default: the weights that FourSight runs")


def run(options: argparse.Namespace) -> int:
    """Write the file."""
    require_torch()
    from models.errors import ModelError
    from models.export import export_identify, export_locate

    if options.network == "identify":
        path = export_identify(options.checkpoint, options.out, options.data)
    elif options.data:
        raise ModelError("the locator stays in 32 bits, which it needs; leave --data out")
    else:
        path = export_locate(options.checkpoint, options.out)
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
    return 0
