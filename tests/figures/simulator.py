"""Figures of the simulator: speed and memory on one core, honest labels, truth that agrees with the game."""

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from datasets.cameras import camera_presets
from datasets.decks.deck import deck_names, load_deck
from datasets.stills.label_check import PatchCheck, check_still
from datasets.stills.labels import read_labels
from game.cards import DECK
from game.settlement import settle_case
from tests.figures.figure import ROOT, Figure
from vision.recording import open_recording, verify_recording

SEED = 11
STILLS, FOOTAGE_ROUNDS, TRUTH_ROUNDS = 400, 3, 200
CLEAR_PX = 24
DEMO = ROOT / "datasets/demo"


def measure() -> Iterator[Figure]:
    """Everything that the simulator promises."""
    with tempfile.TemporaryDirectory() as scratch:
        yield from _stills(Path(scratch))
        yield from _footage(Path(scratch))
    yield from _truth()
    yield from _demo()


# The program on one core, then its own peak of memory: rusage would count the parent's, which forked it.
_ON_ONE_CORE = """
import os, re, sys
os.sched_setaffinity(0, {0})
from service.cli import main
status = main(sys.argv[1:])
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
sys.exit(status)
"""


def _run_on_one_core(arguments: list[str]) -> tuple[float, float]:
    """Seconds and megabytes that the program takes when it may use one core."""
    start = time.perf_counter()
    command = [sys.executable, "-c", _ON_ONE_CORE, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return time.perf_counter() - start, int(done.stdout.splitlines()[-1]) / 1024


def _stills(scratch: Path) -> Iterator[Figure]:
    out = scratch / "stills"
    options = ["simulate", "images", "--seed", str(SEED), "--count", str(STILLS)]
    seconds, megabytes = _run_on_one_core([*options, "--workers", "1", "--out", str(out)])
    command = f"foursight {' '.join(options)} --workers 1 --out DIR"
    rate = STILLS / seconds
    yield Figure("stills, 640×640, one core", f"{rate:.1f} a second", command, "10 a second", rate >= 10, SEED)
    yield Figure("memory for it", f"{megabytes:.0f} MB", command, "1 GB", megabytes < 1000, SEED)
    labels = list(read_labels(out / "labels.jsonl"))
    counts = Counter(card.card for label in labels for card in label.cards if card.card is not None)
    each = np.array([counts[card] for card in DECK])
    spread, deviation = each.max() / each.min(), each.std() / each.mean()
    found = f"{spread:.2f} times ({deviation:.1%} deviation at {each.mean():.0f} of each card)"
    yield Figure("most frequent card against the rarest", found, command, "even: 1.3 times", bool(spread < 1.3), SEED)
    checks = [check for label in labels for check in check_still(_picture(out, label.image), label, load_deck)]
    yield from _label_figures(checks, command)


def _picture(folder: Path, name: str) -> np.ndarray:
    picture = cv2.imread(str(folder / name))
    assert picture is not None
    return picture


def _label_figures(checks: list[PatchCheck], command: str) -> Iterator[Figure]:
    agreement = float(np.mean([check.agreement for check in checks]))
    clear = [check for check in checks if check.height_px >= CLEAR_PX]
    right = sum(check.likeliest == check.stated for check in clear) / len(clear)
    found = f"{agreement:.3f} mean correlation of {len(checks):,}"
    yield Figure("index patches against their deck's art", found, command, "labels true", agreement > 0.9, SEED)
    found = f"{right:.2%} of {len(clear):,} patches {CLEAR_PX} px high or more"
    yield Figure("stated card is the likeliest of 52", found, command, "labels true", right > 0.97, SEED)


def _footage(scratch: Path) -> Iterator[Figure]:
    decks = "test" if deck_names("test") else "train"
    for camera in ("overhead", "tilt-30", "4k"):
        out = scratch / camera
        options = ["simulate", "footage", "--seed", str(SEED), "--count", str(FOOTAGE_ROUNDS), "--pace", "fast"]
        options += ["--decks", decks, "--camera", camera]
        seconds, megabytes = _run_on_one_core([*options, "--out", str(out)])
        recording = open_recording(out)
        rate = recording.frame_count / seconds
        is_full_hd = camera_presets()[camera].size_wh == (1920, 1080)
        command = f"foursight {' '.join(options)} --out DIR"
        name = f"footage, {camera}, one core"
        bar = "25 frames a second" if is_full_hd else ""
        yield Figure(name, f"{rate:.1f} frames a second", command, bar, rate >= 25 or not is_full_hd, SEED)
        yield Figure(f"memory for it, {camera}", f"{megabytes:.0f} MB", command, "1 GB" if is_full_hd else "",
                     megabytes < 1000 or not is_full_hd, SEED)  # fmt: skip


def _truth() -> Iterator[Figure]:
    """Rounds played out without a picture: what their truth says against what `game` settles."""
    from datasets.footage.faults import FaultChoice
    from datasets.footage.houses import random_house
    from datasets.footage.rounds import random_round, random_seats
    from game.profiles import bundled_profiles

    agree = 0
    for index in range(TRUTH_ROUNDS):
        rng = np.random.default_rng([SEED, index])
        house = random_house(list(bundled_profiles())[index % len(bundled_profiles())], rng)
        faults = FaultChoice.parse("random" if index % 2 else "none").for_round(index, rng)
        taken = random_seats(6, rng)
        round_ = random_round(1, house, taken if len(taken) > 1 else (1, 4), faults, rng)
        agree += settle_case(json.loads(json.dumps(round_.settlement_input))) == round_.settlement
    name, command = "random rounds whose truth settles as `game` says", "python -m tests.figures simulator"
    yield Figure(name, f"{agree} of {TRUTH_ROUNDS}", command, "200", agree == TRUTH_ROUNDS, SEED)


def _demo() -> Iterator[Figure]:
    verify_recording(DEMO)
    recording = open_recording(DEMO)
    size = sum(path.stat().st_size for path in DEMO.iterdir()) / 1e6
    found = f"{recording.duration_s:.0f} s, {len(recording.truth_rounds)} rounds, {size:.1f} MB"
    yield Figure("bundled demo recording", found, "ls -l datasets/demo", "about 90 s, under 8 MB", size < 8)
