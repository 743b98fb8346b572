"""`foursight bench WHAT`: measure the reader, the observer, live tables, long watches; `--keep` keeps the figures."""

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from models.bench import BENCHES, CARDS, FRAMES, keep_metrics, load_metrics, run_bench, run_sample
from models.calibrate import calibrate
from models.card import write_card
from models.figures import Line, lines
from models.manifest import enter_calibration
from models.measure import Read, read_simulated
from service.commands.progress import Progress
from service.commands.read import record
from service.commands.train import require_torch
from vision.errors import VisionError
from vision.pictures import read_picture
from vision.reader import CardReader

MEASURED = ("observer", "live", "endurance")  # each with a module of its own
CALIBRATION_SEED = 505
CALIBRATION_STILLS = {"bench-80": 1400, "bench-50-80": 600, "fans": 400}  # pictures
CALIBRATION_BURSTS = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add(
        "what",
        choices=["vision", "speed", "calibration", *MEASURED],
        help="accuracy on decks never trained on; speed against YOLO; confidence, fitted on validation decks; whole "
        "filmed rounds with random faults; live tables at once; memory over a day's frames",
    )
    add("--cards", type=int, default=CARDS, help=f"cards a set (default {CARDS:,})")
    add("--set", action="append", choices=[bench.preset for bench in BENCHES], help="only this set (may be repeated)")
    add("--real", type=Path, metavar="DIR", help="real photographs with labels.jsonl and score.py")
    add("--keep", action="store_true", help="keep the figures in models/metrics.json")
    add("--rounds", type=int, help="observer: rounds filmed and watched (default 200)")
    add("--camera", action="append", metavar="NAME", help="observer: only this camera preset (may be repeated)")
    add("--seed", type=int, help="observer: another seed than the usual one")
    add("--workers", type=int, help="observer: processes (default one a core)")
    add(
        "--scratch", type=Path, metavar="DIR", help="observer: keep the recordings here, and watch those that are there"
    )
    add("--tables", type=int, default=4, help="live: tables at once (default 4)")
    add("--frames", type=int, help="endurance: frames watched (default 100,000)")
    add("--seconds", type=float, default=90.0, help="live: of footage (default 90)")
    add("--recording", type=Path, metavar="DIR", help="live, endurance: what the tables show (default: the demo)")
    add("--mistakes", type=Path, metavar="FILE", help="write every wrong statement here, a line each")


def run(options: argparse.Namespace) -> int:
    """Measure; 1 if a figure misses its bar."""
    if options.what in MEASURED:
        return int(import_module(f"service.commands.bench_{options.what}").run(options))
    if options.what == "calibration":
        return _calibration(options)
    measured = _speed() if options.what == "speed" else _vision(options)
    if options.keep:
        for part, figures in measured.items():
            keep_metrics(part, (load_metrics().get(part) or {}) | figures if part in ("sets", "sample") else figures)
        write_card(load_metrics())
    shown = list(lines(measured))
    for line in shown:
        print(_said(line))
    return 0 if all(line.holds for line in shown) else 1


def _said(line: Line) -> str:
    bar = f"  (at least {line.bar})" if line.bar and "under" not in line.bar else f"  ({line.bar})" if line.bar else ""
    return f"{line.name:<58} {line.value}{bar}{'' if line.holds else '  NOT REACHED'}"


def _speed() -> dict[str, Any]:
    require_torch()
    from models.speed import measure_speed

    with tempfile.TemporaryDirectory() as folder:
        return {"speed": measure_speed(Path(folder))}


def _calibration(options: argparse.Namespace) -> int:
    """Fit on validation decks and, with --keep, enter the numbers beside the weights."""
    scale = options.cards / CARDS
    reads: list[Read] = []
    for preset, count in CALIBRATION_STILLS.items():
        reads += read_simulated(preset, "validation", CALIBRATION_SEED, max(4, round(count * scale)), is_raw=True)
    count = max(2, round(CALIBRATION_BURSTS * scale))
    bursts = list(read_simulated("table-1080p", "validation", CALIBRATION_SEED, count, frames=FRAMES, is_raw=True))
    found = calibrate(reads, bursts)
    for name, number in found.numbers.items():
        print(f"{name:<24} {number:.5f}")
    print(f"one frame: {found.stated:,} of {found.cards:,} seen are stated, {found.wrong} wrongly")
    print(
        f"{FRAMES} frames: {found.fused_stated:,} of {found.fused_cards:,} seen are stated, {found.fused_wrong} wrongly"
    )
    for row in found.reliability:
        span = f"{row.low:.4f} to {row.high:.4f}"
        print(f"confidence {span}: {row.cards:>7,} cards, mean {row.confidence:.4f}, right {row.right:.4f}")
    if options.keep:
        enter_calibration(found.numbers)
        keep_metrics("calibration", asdict(found))
        write_card(load_metrics())
    return 0


def _vision(options: argparse.Namespace) -> dict[str, Any]:
    measured: dict[str, Any] = {"sets": {}, "sample": {}}
    mistakes: list[str] = []
    for bench in BENCHES:
        if options.set and bench.preset not in options.set:
            continue
        with Progress(f"{bench.counts} of {bench.preset}") as progress:
            result = run_bench(bench, options.cards, progress)
        measured["sets"][bench.name] = result.record()
        mistakes += result.score.mistakes + (result.fused.mistakes if result.fused else ())
        if options.keep:
            measured["sample"][bench.name] = run_sample(bench).record()
    if options.real is not None:
        measured["real"] = _real(options.real)
    if options.mistakes is not None:
        options.mistakes.write_text("".join(line + "\n" for line in mistakes), encoding="utf-8")
    return measured


def _real(folder: Path) -> dict[str, Any]:
    """Read every photograph that the folder's labels name, and let its own scorer count."""
    if not (folder / "score.py").is_file() or not (folder / "labels.jsonl").is_file():
        raise VisionError(f"{folder} has no score.py and labels.jsonl; give a folder of labelled photographs")
    reader = CardReader.load()
    names = [json.loads(line)["image"] for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as scratch:
        predictions, figures = Path(scratch) / "predictions.jsonl", Path(scratch) / "figures.json"
        with predictions.open("w", encoding="utf-8") as file:
            for name in names:
                sighting = reader.read(read_picture(folder / name))
                file.write(json.dumps(record(Path(name), sighting)) + "\n")
        command = [sys.executable, str(folder / "score.py"), str(predictions), "--json", str(figures)]
        subprocess.run(command, check=True, capture_output=True)
        sets = json.loads(figures.read_text(encoding="utf-8"))["sets"]
    keys = ("images", "cards", "correct", "missed", "wrong", "duplicates")
    return {
        name.removeprefix("dev_"): {key: each[key] for key in keys} for name, each in sets.items() if "+" not in name
    }
