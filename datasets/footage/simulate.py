"""Whole rounds as video, with the truth beside it.

In come a seed, a number of rounds, a choice of decks, faults, profile, camera and pace; out go recordings (one, or
one a round): video, truth.jsonl with events and a line a round, cards.jsonl with every frame's cards.
Same seed, same bytes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cameras import CameraPreset, camera_preset
from datasets.decks.deck import Deck, load_deck, random_deck
from datasets.errors import DatasetError
from datasets.felt.draw import FeltStyle, view_felt
from datasets.footage.choreography import Performance, perform
from datasets.footage.faults import NO_FAULTS, Fault, FaultChoice
from datasets.footage.film import CardView, Film
from datasets.footage.houses import TABLE_GAMES, House, random_house
from datasets.footage.outages import Outage, corrupt, gain_of, outage_on, plan_outages, shift_matrix
from datasets.footage.play import Happening
from datasets.footage.round_plan import Round
from datasets.footage.rounds import random_round, random_seats
from datasets.footage.truth import CARDS, CardLog, event_of, round_line
from datasets.footage.wardrobe import CameraLight, Wardrobe
from datasets.picture.compose import Picture
from datasets.picture.sensor import NoiseTiles, apply_sensor
from vision.recording import RecordingWriter
from vision.table import Table, default_table

SPLITS = ("train", "validation", "test")
SEATS = 6
_LEAD_IN_S = 0.6
_PAUSE_S = {"real": 1.2, "fast": 0.3}
_ENCODER_PRESET = "superfast"
_WIDE_PX = 2600
_FELT_PX_PER_MM = 1.6

Progress = Callable[[int, int], None]  # rounds done, of how many


@dataclass(frozen=True, slots=True)
class FootageSettings:
    """What footage is wanted."""

    seed: int = 0
    rounds: int = 1
    decks: str = "train"  # a split, or one deck's name
    faults: FaultChoice = NO_FAULTS
    profile: str = "south-dakota"
    camera: str = "overhead"
    pace: str = "real"
    seats: int = SEATS


@dataclass(frozen=True, slots=True, eq=False)
class Set:
    """Everything that stays the same during a recording."""

    table: Table
    preset: CameraPreset
    deck: Deck
    other_deck: Deck
    style: FeltStyle
    house: House
    seed: tuple[int, int]
    pause_s: float  # between rounds
    encoder: str = _ENCODER_PRESET


def simulate_footage(
    out: str | Path,
    settings: FootageSettings,
    *,
    split: bool = False,
    progress: Progress | None = None,
) -> list[Path]:
    """Write the recordings; gives their folders."""
    if settings.rounds < 1:
        raise DatasetError(f"{settings.rounds} rounds make no footage; ask for one or more")
    out = Path(out)
    if not split:
        film_rounds(out, build_set(settings, 0), random_performances(settings, range(settings.rounds), 0), progress)
        return [out]
    folders = []
    for index in range(settings.rounds):
        folder = out / f"round-{index + 1:04d}"
        film_rounds(folder, build_set(settings, index), random_performances(settings, (index,), index))
        folders.append(folder)
        if progress is not None:
            progress(index + 1, settings.rounds)
    return folders


def build_set(settings: FootageSettings, index: int, preset: CameraPreset | None = None) -> Set:
    """The table, camera, deck and felt of recording number `index`."""
    rng = np.random.default_rng([settings.seed, index, 1])
    preset = camera_preset(settings.camera) if preset is None else preset
    house = random_house(settings.profile, rng)
    table = default_table(
        TABLE_GAMES[house.game], settings.seats, settings.profile, preset.camera(), source="simulated"
    )
    deck = random_deck(settings.decks, rng) if settings.decks in SPLITS else load_deck(settings.decks)
    other = load_deck(f"drawn-{int(rng.integers(1_000_000))}")
    return Set(
        table, preset, deck, other, FeltStyle.random(rng), house, (settings.seed, index), _PAUSE_S[settings.pace]
    )


Performances = Callable[[Set], "list[tuple[Performance, tuple[Outage, ...]]]"]


def random_performances(settings: FootageSettings, numbers: Sequence[int], index: int) -> Performances:
    """Random rounds, played out when the recording's set is known."""

    def play_out(stage_set: Set) -> list[tuple[Performance, tuple[Outage, ...]]]:
        taken = random_seats(settings.seats, np.random.default_rng([settings.seed, index, 2]))
        house, done = stage_set.house, []
        for place, number in enumerate(numbers):
            rng = np.random.default_rng([settings.seed, number, 3])
            faults = settings.faults.for_round(number, rng)
            if settings.faults.at_random and settings.seats == 1:  # one hand alone cannot come out of order
                faults = tuple(fault for fault in faults if fault is not Fault.OUT_OF_ORDER)
            taken = _next_seats(taken, settings.seats, faults, rng)
            round_ = random_round(place + 1, house, taken, faults, rng)
            performance = perform(
                round_, stage_set.table, stage_set.deck.size_mm, settings.pace, (settings.seed, number)
            )
            done.append((performance, plan_outages(faults, performance.happenings, performance.scene.end_s, rng)))
            house = _next_meter(house, round_)
        return done

    return play_out


def _next_seats(
    taken: tuple[int, ...], seats: int, faults: Sequence[Fault], rng: np.random.Generator
) -> tuple[int, ...]:
    """Players stay from round to round; now and then one comes or goes."""
    if rng.random() < 0.15:
        changed = int(rng.integers(seats)) + 1
        fresh = set(taken) ^ {changed}
        taken = tuple(sorted(fresh)) if fresh else taken
    if Fault.OUT_OF_ORDER in faults and len(taken) < 2 and seats > 1:
        taken = tuple(sorted({*taken, taken[0] % seats + 1}))
    return taken


def _next_meter(house: House, round_: Round) -> House:
    """The meter as the next round finds it, in whole cents."""
    after = round_.settlement.get("progressive")
    if house.progressive is None or not after:
        return house
    meter, reserve = (int(Fraction(after[key])) for key in ("meter_end", "reserve_end"))
    return replace(house, progressive={**house.progressive, "meter": meter, "reserve": reserve})


def film_rounds(folder: Path, stage_set: Set, performances: Performances, progress: Progress | None = None) -> None:
    """Film rounds one after the other into one recording."""
    rounds = performances(stage_set)
    with RecordingWriter(
        folder,
        stage_set.table,
        fps=stage_set.preset.fps,
        deck=stage_set.deck.name,
        camera=stage_set.preset.name,
        bit_rate=stage_set.preset.bit_rate,
        preset=stage_set.encoder,
    ) as writer:
        camera = Shooting.start(stage_set, writer)
        start_s = _LEAD_IN_S
        for place, (performance, outages) in enumerate(rounds):
            start_s = camera.shoot(performance, outages, start_s, stage_set.pause_s)
            if progress is not None:
                progress(place + 1, len(rounds))


@dataclass(slots=True, eq=False)
class Shooting:
    """A recording being made: the film, the encoder, and what lasts from round to round."""

    writer: RecordingWriter
    film: Film
    noise: NoiseTiles
    fps: int
    log: CardLog
    ticks: int = 0  # frames by the camera's clock, dropped ones included
    lasting: tuple[Outage, ...] = ()
    stuck: Picture | None = None

    @classmethod
    def start(cls, stage_set: Set, writer: RecordingWriter) -> "Shooting":
        """Light the table and make ready."""
        settings = stage_set.preset.sensor
        camera = stage_set.table.camera.to_camera()
        light = CameraLight(settings)
        # Drawn finer than this a felt takes more memory than all the rest; only a 4K camera could tell.
        finest = _FELT_PX_PER_MM if camera.size_wh[0] > _WIDE_PX else None
        empty = view_felt(stage_set.table, stage_set.style, camera, finest)
        background = apply_sensor(empty, light.scene_settings(), np.random.default_rng([*stage_set.seed, 9]))
        seed = int(np.random.default_rng([*stage_set.seed, 8]).integers(2**31))
        wardrobe = Wardrobe(stage_set.deck, stage_set.other_deck, camera, light, seed)
        deviation = float(np.hypot(settings.read_noise, settings.shot_noise * 0.6))
        noise = NoiseTiles(camera.size_wh, deviation, seed, max(settings.grain_px, 0.5))
        return cls(writer, Film(background, wardrobe, settings.glare), noise, stage_set.preset.fps, CardLog())

    def shoot(self, performance: Performance, outages: Sequence[Outage], start_s: float, pause_s: float) -> float:
        """Film one round from `start_s` on and state its truth; returns when the next may begin."""
        round_ = performance.round
        moved = tuple(replace(one, start_s=one.start_s + start_s, end_s=one.end_s + start_s) for one in outages)
        active = (*self.lasting, *moved)
        end_s = start_s + performance.scene.end_s
        frames: dict[int, float] = {}
        while self.ticks / self.fps < end_s + pause_s:
            time_s = self.ticks / self.fps
            views = self.film.show(performance.scene, time_s - start_s)
            frame = self._expose(active, time_s)
            if frame is not None:
                number = self.writer.write(frame, time_s)
                frames[number] = time_s
                self._log_cards(number, round_.number, views, active, time_s)
            self.ticks += 1
        self._state_truth(performance, moved, start_s, end_s, frames)
        self.lasting = tuple(one for one in active if one.end_s == float("inf"))
        return end_s + pause_s

    def _expose(self, outages: Sequence[Outage], time_s: float) -> Picture | None:
        """The frame as it leaves the camera, None when it is lost."""
        if outage_on(outages, Fault.DROPPED_FRAMES, time_s):
            return None
        if self.stuck is not None and outage_on(outages, Fault.FROZEN_FRAMES, time_s):
            return self.stuck
        frame = self.film.frame
        matrix = shift_matrix(outages, time_s, self.film.wardrobe.size_wh)
        if matrix is not None:
            moved = cv2.warpAffine(frame, matrix, self.film.wardrobe.size_wh, borderMode=cv2.BORDER_REFLECT)
            frame = np.asarray(moved, np.uint8)
        gain = gain_of(outages, time_s)
        if gain != 1.0:
            frame = np.asarray(cv2.convertScaleAbs(frame, alpha=gain), np.uint8)
        frame = self.noise.add_to(frame, self.ticks)
        if broken := outage_on(outages, Fault.CORRUPTED_FRAMES, time_s):
            frame = corrupt(frame, broken.seed, self.ticks)
        self.stuck = frame
        return frame

    def _log_cards(
        self,
        number: int,
        round_number: int,
        views: Mapping[int, CardView],
        outages: Sequence[Outage],
        time_s: float,
    ) -> None:
        if outage_on(outages, Fault.FROZEN_FRAMES, time_s):
            return  # the picture still shows what it showed
        shift: NDArray[np.float64] | None = shift_matrix(outages, time_s, self.film.wardrobe.size_wh)
        line = self.log.line(number, round_number, views, shift)
        if line is not None:
            self.writer.line(CARDS, line)

    def _state_truth(
        self,
        performance: Performance,
        outages: Sequence[Outage],
        start_s: float,
        end_s: float,
        frames: dict[int, float],
    ) -> None:
        """Events in order of time, each with the first frame that shows it; then the round's line."""
        shifted = [replace(one, time_s=one.time_s + start_s) for one in performance.happenings]
        told: list[Happening] = [*shifted, *(one for outage in outages for one in outage.happenings())]
        numbers, times = np.array(list(frames)), np.array(list(frames.values()))
        for one in sorted(told, key=lambda happening: happening.time_s):
            place = min(int(np.searchsorted(times, one.time_s - 1e-6)), len(numbers) - 1)
            self.writer.truth(event_of(one, one.time_s, int(numbers[place]), performance.round.number))
        self.writer.truth(round_line(performance.round, start_s, end_s))
