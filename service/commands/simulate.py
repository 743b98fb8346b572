"""`foursight simulate images|footage`: labelled pictures, or whole rounds as recordings with the truth beside them."""

import argparse
import os
from pathlib import Path

from datasets.cameras import camera_presets
from datasets.footage.faults import FaultChoice
from datasets.footage.simulate import FootageSettings, simulate_footage
from datasets.stills.presets import still_presets
from datasets.stills.simulate import write_stills
from game.profiles import bundled_profiles
from service.commands.progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    kinds = parser.add_subparsers(dest="kind", metavar="images|footage", required=True)
    images = kinds.add_parser("images", help="labelled pictures", description="Make a set of labelled pictures.")
    _add_common(images, "pictures", 100)
    images.add_argument("--preset", default="train", choices=still_presets(), help="what the pictures show")
    images.add_argument("--camera", choices=camera_presets(), help="the camera of a table preset (default: any)")
    images.add_argument("--png", action="store_true", help="store PNG instead of JPEG")
    images.add_argument("--workers", type=_whole, default=os.cpu_count() or 1, help="processes (default: one a core)")
    footage = kinds.add_parser("footage", help="recordings of rounds", description="Make recordings of whole rounds.")
    _add_common(footage, "rounds", 1)
    footage.add_argument("--faults", default="none", help="none, random, or kinds: card-twice,player-short,…")
    footage.add_argument("--profile", default="south-dakota", choices=bundled_profiles(), help="rules of play")
    footage.add_argument("--camera", default="overhead", choices=camera_presets(), help="camera preset")
    footage.add_argument("--seats", type=int, default=6, choices=range(1, 8), help="seats at the table")
    footage.add_argument("--pace", default="real", choices=["real", "fast"], help="fast: a round in 20 s or less")
    footage.add_argument("--split", action="store_true", help="one recording a round")


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 up")
    return int(text)


def _add_common(parser: argparse.ArgumentParser, what: str, count: int) -> None:
    add = parser.add_argument
    add("--out", type=Path, required=True, metavar="DIR", help="a new or empty folder")
    add("--count", type=int, default=count, help=f"how many {what} (default {count})")
    add("--seed", type=_whole, default=0, help="the same seed gives the same bytes (default 0)")
    add("--decks", default="train", metavar="SPLIT|NAME", help="train, validation, test, or one deck's name")


def run(options: argparse.Namespace) -> int:
    """Make what was asked for."""
    if options.kind == "images":
        with Progress("pictures") as progress:
            write_stills(
                options.out,
                options.count,
                preset=options.preset,
                camera=options.camera,
                decks=options.decks,
                seed=options.seed,
                workers=options.workers,
                png=options.png,
                progress=progress,
            )
        print(f"{options.count} pictures in {options.out}")
        return 0
    settings = FootageSettings(
        seed=options.seed,
        rounds=options.count,
        decks=options.decks,
        faults=FaultChoice.parse(options.faults),
        profile=options.profile,
        camera=options.camera,
        pace=options.pace,
        seats=options.seats,
    )
    with Progress("rounds") as progress:
        folders = simulate_footage(options.out, settings, split=options.split, progress=progress)
    print(f"{options.count} rounds in {len(folders)} recording{'' if len(folders) == 1 else 's'} under {options.out}")
    return 0
