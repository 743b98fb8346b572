"""Measure the observer on filmed rounds it has never seen: test decks, random faults, every camera in turn.

In: a seed, a number of rounds, cameras. Out: a `Tally` of all of them, by kind of fault and by camera. Each round is a
recording of its own with its own deck, table and players; it is filmed, watched and deleted again.
"""

import json
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from datasets.cameras import camera_preset
from datasets.footage.faults import FAULT_KINDS, Fault, FaultChoice
from datasets.footage.score import RoundScore, score_rounds
from datasets.footage.simulate import FootageSettings, build_set, film_rounds, random_performances
from datasets.footage.truth import CARDS, CardTruth, cards_by_frame
from game.profiles import bundled_profiles
from vision.decide import TOO_SMALL_PX
from vision.events import Event
from vision.reader import CardReader
from vision.recording import Recording, open_recording
from vision.sources.recordings import RecordingSource
from vision.watch_table import TableWatch

SEED: Final = 7007
ROUNDS: Final = 200
CAMERAS: Final = (
    "overhead", "tilt-30", "behind-dealer", "side-mount", "low-light", "glare", "720p", "low-bitrate", "warm-light",
    "cold-light",
)  # fmt: skip
COVERED: Final = 0.9  # of a card's area that shows, below which another card may well cover its index
NEAR_MM: Final = 40.0


@dataclass(frozen=True, slots=True)
class BenchRound:
    """One round's result."""

    camera: str
    score: RoundScore
    refused: int  # hands said to be unreadable
    confirmed: int  # of those, with a reason that the truth has for that very card
    frames: int
    film_s: float
    watch_s: float


@dataclass(slots=True)
class Tally:
    """Sums over rounds."""

    rounds: int = 0
    exact: int = 0
    hands: int = 0
    right: int = 0
    wrong: int = 0
    refused: int = 0
    confirmed: int = 0
    unsaid: int = 0
    voids: int = 0
    voids_found: int = 0
    false_voids: int = 0
    duplicates: int = 0
    duplicates_found: int = 0
    missed_flags: int = 0
    false_flags: int = 0
    delays_s: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, done: BenchRound) -> None:
        """One round more."""
        score = done.score
        found = [flag for flag in score.false if flag.startswith("miscount")]
        self.rounds += 1
        self.exact += score.is_exact
        self.hands += score.hands
        self.right += score.right
        self.wrong += len(score.wrong)
        self.refused += done.refused
        self.confirmed += done.confirmed
        self.unsaid += len(score.unsaid)
        self.voids += score.is_void
        self.voids_found += score.is_void and not any(flag.startswith("miscount") for flag in score.missed)
        self.false_voids += bool(found) and not score.is_void
        twice = str(Fault.CARD_TWICE) in score.faults
        self.duplicates += twice
        self.duplicates_found += twice and not any(flag.startswith("duplicate") for flag in score.missed)
        self.missed_flags += len(score.missed)
        self.false_flags += len(score.false)
        self.delays_s += [round(delay, 3) for delay in score.delays_s]
        if not score.is_exact or score.unsaid:
            parts = {"wrong": score.wrong, "missed": score.missed, "false": score.false, "unsaid": score.unsaid}
            said = "; ".join(f"{name} {', '.join(texts)}" for name, texts in parts.items() if texts)
            self.notes.append(f"{done.camera}, {' + '.join(score.faults) or 'no fault'}: {said or 'a hand refused'}")

    def record(self) -> dict[str, Any]:
        """For metrics.json."""
        names = [name for name in self.__slots__ if name not in ("delays_s", "notes")]
        record = {name: int(getattr(self, name)) for name in names}
        return record | {"delay_s": [round(float(p), 3) for p in np.percentile(self.delays_s or [0.0], (50, 95))]}


def run_bench(
    seed: int, rounds: int, cameras: tuple[str, ...], workers: int, scratch: Path | None = None
) -> Iterator[BenchRound]:
    """The rounds as they are done; `scratch` keeps the recordings there."""
    jobs = [(seed, number, cameras[number % len(cameras)], scratch) for number in range(rounds)]
    if workers <= 1:
        yield from map(_round, jobs)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(_round, jobs)


def tallies(done: list[BenchRound]) -> Mapping[str, Mapping[str, Tally]]:
    """All rounds, by camera, and by kind of fault."""
    groups: dict[str, dict[str, Tally]] = {"all": {"all rounds": Tally()}, "camera": {}, "fault": {}}
    for one in done:
        groups["all"]["all rounds"].add(one)
        groups["camera"].setdefault(one.camera, Tally()).add(one)
        for fault in one.score.faults or ("none",):
            groups["fault"].setdefault(fault, Tally()).add(one)
    return groups


@cache
def _reader() -> CardReader:
    return CardReader.load()


def _round(job: tuple[int, int, str, Path | None]) -> BenchRound:
    seed, number, camera, scratch = job
    if scratch is not None:
        return _watched(scratch / f"round-{number:04d}", seed, number, camera)
    with tempfile.TemporaryDirectory() as folder:
        return _watched(Path(folder) / "round", seed, number, camera)


def _watched(folder: Path, seed: int, number: int, camera: str) -> BenchRound:
    start = time.perf_counter()
    if not folder.exists():
        profiles = list(bundled_profiles())
        settings = FootageSettings(
            seed=seed,
            decks="test",
            faults=FaultChoice(at_random=True),
            profile=profiles[number % len(profiles)],
            camera=camera,
            pace="fast",
        )
        film_rounds(folder, build_set(settings, number), random_performances(settings, (number,), number))
    filmed = time.perf_counter()
    recording = open_recording(folder)
    events = list(watched_events(recording))
    done = time.perf_counter()
    (score,) = score_rounds(recording.truth, recording.truth_rounds, events)
    refused, confirmed = _refusals(recording, score, events, camera)
    return BenchRound(camera, score, refused, confirmed, recording.frame_count, filmed - start, done - filmed)


def watched_events(recording: Recording) -> Iterator[Event]:
    """Everything told of a recording."""
    reference = next(iter(recording.frames())).image_bgr
    watch = TableWatch(recording.table, _reader(), reference_bgr=reference)
    for item in RecordingSource(recording.folder):
        yield from watch.step(item).events


def _refusals(recording: Recording, score: RoundScore, events: list[Event], camera: str) -> tuple[int, int]:
    """Hands that were refused, and how many of them for a reason that the truth confirms."""
    stated = {event.zone for event in events if event.kind in ("player_hand", "dealer_hand")}
    last = {event.zone: event for event in events if event.kind == "unreadable" and event.zone not in stated}
    demanded = {event.zone for event in recording.truth if event.kind in ("player_hand", "dealer_hand")}
    asked = [event for zone, event in last.items() if zone in demanded]
    frames = {event.frame for event in asked}
    cards = {
        number: seen
        for number, seen in enumerate(cards_by_frame(recording.lines(CARDS), recording.frame_count))
        if number in frames
    }
    return len(asked), sum(_is_confirmed(recording, event, cards[event.frame], camera) for event in asked)


def _is_confirmed(recording: Recording, event: Event, cards: tuple[CardTruth, ...], camera: str) -> bool:
    """Whether the card that could not be read is, in truth, covered, small, or badly lit."""
    seen_by = recording.table.camera.to_camera()
    zone = recording.table.zones[event.zone or ""]
    unread = event.extra_value("unread_mm")
    points = [np.array(point, float) for point in unread] if isinstance(unread, tuple) else []
    for card in cards:
        quad = np.array(card.quad_px).reshape(4, 2)
        middle = seen_by.px_to_mm(quad).mean(axis=0)
        if points and not any(np.linalg.norm(middle - point) < NEAR_MM for point in points):
            continue
        if not points and not zone.contains_mm((float(middle[0]), float(middle[1]))):
            continue
        if _has_reason(card, float(np.linalg.norm(quad[3] - quad[0])), str(event.reason), camera):
            return True
    return False


def _has_reason(card: CardTruth, height_px: float, reason: str, camera: str) -> bool:
    sensor = camera_preset(camera).sensor
    is_covered = card.visible < COVERED
    holds = {
        "covered": is_covered,
        "small": height_px < TOO_SMALL_PX * 1.3,
        "glare": bool(sensor.glare),
        "dark": sensor.exposure < 0.6,
        "blurred": card.is_moving or sensor.defocus_px > 1 or height_px < TOO_SMALL_PX * 1.6,
    }
    return holds.get(reason, is_covered or holds["small"] or card.card in ("joker", "blank"))


def fault_words(fault: str) -> str:
    """A kind of fault for people."""
    return FAULT_KINDS[Fault(fault)].says if fault != "none" else "nothing wrong"


def as_json(done: list[BenchRound]) -> dict[str, Any]:
    """All tallies for metrics.json."""
    groups = {
        group: {name: tally.record() for name, tally in sorted(named.items())} for group, named in tallies(done).items()
    }
    rate = sum(one.frames for one in done) / max(1e-9, sum(one.watch_s for one in done))
    return json.loads(json.dumps({**groups, "frames_a_second": round(rate, 1)}))  # type: ignore[no-any-return]
