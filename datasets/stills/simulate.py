"""Labelled stills: from a seed and a number to a picture, and whole sets written to a folder.

In: a preset, which decks, a seed, how many. Out: `Still`s, or a folder with `images/`, `labels/` (YOLO pose), `ignore/`
(the same for what is too hidden to demand), `labels.jsonl` (our own), `coco.json` and `dataset.yaml`.

Picture number n of a seed is the same bytes however many processes make the set. The cards of picture n are n's turn
in a shuffled deck, so that every card comes up equally often.
"""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from datasets.cameras import camera_preset
from datasets.decks.art import PATCH_WIDTH, SPLITS, Deck
from datasets.decks.deck import deck_names, load_deck, random_deck
from datasets.decks.drawn import draw_deck
from datasets.errors import DatasetError
from datasets.picture.compose import Picture
from datasets.picture.lighting import Light, random_sensor
from datasets.picture.sensor import SensorSettings, apply_sensor, encode_jpeg
from datasets.picture.views import View
from datasets.props.clutter import OTHER_CARD_STOCK, stock_other_card
from datasets.stills.index_area import index_area
from datasets.stills.labels import StillLabel, coco, label_from_json, label_to_json, yolo_dataset, yolo_text
from datasets.stills.presets import StillPreset, seen_by, still_preset
from datasets.stills.scenes import TYPICAL, Lie, arrange, curl, move, reach_mm
from datasets.stills.setting import draw_setting, random_props
from datasets.stills.still_life import PlacedCard, StillLife, lay_all
from datasets.stills.table_scene import PICTURES_PER_TABLE, table_sensor, table_set, table_things
from game.cards import DECK, Card

PICTURES_PER_JOB = 24  # what one process does at a time: decks are drawn once where a preset's count divides it
CARD_MM = (63.0, 88.0)
TWO_DECKS = 0.1  # share of the pictures that mix two decks
CURLED = 0.35  # share of the cards that are bent

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """A picture, what is in it, and the quality at which it is to be stored."""

    picture: Picture
    label: StillLabel
    jpeg_quality: int

    def __post_init__(self) -> None:
        self.picture.setflags(write=False)


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A painted scene, the camera's sensor that will look at it, and the generator to go on with."""

    still: StillLife
    settings: SensorSettings
    camera: str | None
    rng: np.random.Generator


def arrange_scene(seed: int, index: int, preset: StillPreset, decks: str) -> Scene:
    """What picture `index` of a seed shows, before any sensor. `decks` is a split, or the name of one deck."""
    rng = np.random.default_rng([seed, index])
    block = index // preset.pictures_per_deck
    pack = [deck_of(decks, seed, block)]
    if block > 0 and rng.random() < TWO_DECKS:
        pack.append(deck_of(decks, seed, block - 1))
    paint = _table_scene if preset.surfaces == "table" else _free_scene
    still, settings, camera = paint(preset, seed, index, pack, rng)
    return Scene(still, settings, camera, rng)


def make_still(seed: int, index: int, preset: StillPreset, decks: str) -> Still:
    """Picture `index` of a seed."""
    scene = arrange_scene(seed, index, preset, decks)
    picture = apply_sensor(scene.still.picture, scene.settings, scene.rng)
    size_wh = (picture.shape[1], picture.shape[0])
    cards = scene.still.labels()
    label = StillLabel(f"images/{index:06d}.jpg", size_wh, preset.name, seed, index, cards, scene.camera)
    return Still(picture, label, int(scene.rng.integers(72, 97)))


def _free_scene(
    preset: StillPreset, seed: int, index: int, pack: list[Deck], rng: np.random.Generator
) -> tuple[StillLife, SensorSettings, str | None]:
    """Cards on any surface, through anybody's camera."""
    size_wh = preset.sizes_wh[int(rng.integers(len(preset.sizes_wh)))]
    card_px = float(np.exp(rng.uniform(*np.log(preset.card_px))))
    view = _random_view(preset, size_wh, card_px, rng)
    still = StillLife(view, Light.random(rng), draw_setting(preset, view, pack[0].split, rng), rng)
    cards = _random_cards(preset, view, pack, _turn(seed, index), rng)
    below, above = random_props(preset, view, cards, rng)
    lay_all(still, [*below, *cards, *above])
    return still, random_sensor(rng, preset.harshness, card_px), None


def _table_scene(
    preset: StillPreset, seed: int, index: int, pack: list[Deck], rng: np.random.Generator
) -> tuple[StillLife, SensorSettings, str | None]:
    """A whole table through one of the cameras above it."""
    table = table_set(seed, index // PICTURES_PER_TABLE, preset)
    still = StillLife(table.view, Light.random(rng), table.felt.copy(), rng)
    lay_all(still, table_things(preset, table, pack[0], _turn(seed, index), rng))
    return still, table_sensor(preset, table.preset, rng), table.preset.name


def _random_view(preset: StillPreset, size_wh: tuple[int, int], card_px: float, rng: np.random.Generator) -> View:
    tilt = np.deg2rad(preset.tilt_deg) * float(rng.beta(1.1, 2.0))
    squeeze = float(np.clip(np.exp(rng.normal(0, 0.2)), 0.62, 1.6)) if rng.random() < preset.squeeze else 1.0
    lens = float(np.clip(rng.normal(-0.03, 0.06), -0.18, 0.08)) if rng.random() < 0.35 else 0.0
    return View.random(rng, size_wh, card_px / CARD_MM[1], tilt, squeeze=squeeze, lens=lens)


@lru_cache(maxsize=2)
def deck_of(decks: str, seed: int, block: int) -> Deck:
    """The deck of one block of pictures: the one named, the split's test decks in turn, else one at random."""
    if decks not in SPLITS:
        return load_deck(decks)
    names = deck_names(decks)
    if decks == "test" and names:
        return load_deck(names[block % len(names)])
    return random_deck(decks, np.random.default_rng([seed, 7, block]))


def _turn(seed: int, index: int) -> Iterator[Card]:
    """The cards of a picture: 52 pictures share a shuffled deck, each begins one card later."""
    order = np.random.default_rng([seed, 52, index // 52]).permutation(52)
    start = index % 52
    while True:
        yield DECK[order[start % 52]]
        start += 1


def _random_cards(
    preset: StillPreset, view: View, pack: list[Deck], turn: Iterator[Card], rng: np.random.Generator
) -> list[PlacedCard]:
    """Groups of cards, each arranged its own way, apart from each other as far as there is room."""
    extent_mm = np.array(view.size_wh) / view.px_per_mm()
    room = max(1, round(float(np.prod(extent_mm)) / (CARD_MM[0] * CARD_MM[1]) * 0.9))
    wanted = min(int(rng.integers(preset.cards[0], preset.cards[1] + 1)), room)
    cards: list[PlacedCard] = []
    taken: list[tuple[float, float, float]] = []
    for _ in range(12):
        if len(cards) >= wanted:
            break
        deck = pack[int(rng.integers(len(pack)))]
        lies = _random_group(preset, wanted - len(cards), float(extent_mm.min()), deck, rng)
        place = _free_place(preset, view, reach_mm(lies, deck.size_mm), taken, rng)
        if place is None:
            continue
        taken.append((*place, reach_mm(lies, deck.size_mm)))
        cards += _dress(preset, move(lies, place, float(rng.uniform(0, 2 * np.pi))), deck, turn, rng)
    return cards


def _random_group(preset: StillPreset, most: int, extent_mm: float, deck: Deck, rng: np.random.Generator) -> list[Lie]:
    """One arrangement of at most so many cards that about fits the picture."""
    names, weights = zip(*preset.arrangements, strict=True)
    kind = str(rng.choice(names, p=np.array(weights) / sum(weights)))
    low, high = TYPICAL[kind]
    count = max(1, min(most, int(rng.integers(low, high + 1))))
    longest = extent_mm * (0.48 if preset.inside else 0.75)
    index_mm = index_area(deck, deck.index_corners[0])[2] * PATCH_WIDTH * deck.size_mm[0]
    lies = arrange(kind, rng, count, deck.size_mm, index_mm)
    while len(lies) > 1 and reach_mm(lies, deck.size_mm) > longest:
        lies = arrange(kind, rng, len(lies) - 1, deck.size_mm, index_mm)
    return curl(lies, rng, CURLED)


def _free_place(
    preset: StillPreset,
    view: View,
    reach: float,
    taken: list[tuple[float, float, float]],
    rng: np.random.Generator,
) -> tuple[float, float] | None:
    """A place for a group where it covers no other by much; the first one always finds one."""
    margin = min(0.5, reach / (min(view.size_wh) / view.px_per_mm())) if preset.inside else 0.06
    clear = 1.0 if preset.inside else 0.72
    tries = view.unproject(rng.uniform(margin, 1 - margin, (12, 2)) * view.size_wh)
    for x, y in tries[np.isfinite(tries).all(axis=1)].tolist():  # above the horizon there is no table
        if all(np.hypot(x - ox, y - oy) > clear * (reach + other) for ox, oy, other in taken):
            return x, y
    return None


def _dress(
    preset: StillPreset, lies: list[Lie], deck: Deck, turn: Iterator[Card], rng: np.random.Generator
) -> list[PlacedCard]:
    """Say of each place whether a face, a back or a card without an index lies there."""
    all_down = rng.random() < preset.backs * 0.6
    dressed = []
    for lie in lies:
        if rng.random() < preset.others:
            other = stock_other_card(int(rng.integers(OTHER_CARD_STOCK)))
            dressed.append(PlacedCard(lie, deck, other=other))
        elif all_down or rng.random() < preset.backs * 0.4:
            dressed.append(PlacedCard(lie, deck))
        else:
            dressed.append(PlacedCard(lie, deck, next(turn)))
    return dressed


def write_stills(
    out: Path,
    count: int,
    *,
    preset: str = "train",
    camera: str | None = None,
    decks: str = "train",
    seed: int = 0,
    workers: int = 1,
    png: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Write a set to a folder that must be new or empty; `progress` is told how many of how many are done."""
    if count < 1:
        raise DatasetError(f"a set of {count} pictures; give 1 or more")
    if out.exists() and any(out.iterdir()):
        raise DatasetError(f"{out} is not empty; name a new folder for the set")
    chosen = still_preset(preset) if camera is None else seen_by(still_preset(preset), camera_preset(camera))
    deck_of(decks, seed, 0)  # a deck that is not there is said before any work
    for name in ("images", "labels", "ignore"):
        (out / name).mkdir(parents=True, exist_ok=True)
    size = min(PICTURES_PER_JOB, max(4, count // (4 * max(workers, 1))))  # a small set still shows progress
    blocks = [range(start, min(start + size, count)) for start in range(0, count, size)]
    jobs = [_Job(out, block, chosen, decks, seed, png) for block in blocks]
    labels: list[StillLabel] = []
    for lines in _run(jobs, workers):
        labels += [label_from_json(line) for line in lines]
        if progress is not None:
            progress(len(labels), count)
    _write_sheets(out, labels)
    return out


@dataclass(frozen=True, slots=True)
class _Job:
    """One block of pictures for one process."""

    out: Path
    numbers: range
    preset: StillPreset
    decks: str
    seed: int
    png: bool


def _run(jobs: list[_Job], workers: int) -> Iterator[list[str]]:
    if workers <= 1:
        yield from map(_write_block, jobs)
        return
    fresh = get_context("spawn")  # a forked child of a process with OpenCV's threads may hang
    with ProcessPoolExecutor(workers, fresh, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        yield from pool.map(_write_block, jobs)


def _write_block(job: _Job) -> list[str]:
    """Make and store pictures; give back their labels as our own lines."""
    lines = []
    for number in job.numbers:
        still = make_still(job.seed, number, job.preset, job.decks)
        label = replace(still.label, image=f"images/{number:06d}.{'png' if job.png else 'jpg'}")
        (job.out / label.image).write_bytes(_stored(still, job.png))
        (job.out / "labels" / f"{number:06d}.txt").write_text(yolo_text(label), encoding="utf-8")
        (job.out / "ignore" / f"{number:06d}.txt").write_text(yolo_text(label, ignored=True), encoding="utf-8")
        lines.append(label_to_json(label))
    draw_deck.cache_clear()  # drawn decks do not come again, and each is 70 MB
    return lines


def _stored(still: Still, png: bool) -> bytes:
    if not png:
        return encode_jpeg(still.picture, still.jpeg_quality)
    return bytes(cv2.imencode(".png", still.picture, [cv2.IMWRITE_PNG_COMPRESSION, 3])[1].tobytes())


def _write_sheets(out: Path, labels: list[StillLabel]) -> None:
    lines = "".join(label_to_json(label) + "\n" for label in labels)
    (out / "labels.jsonl").write_text(lines, encoding="utf-8")
    (out / "coco.json").write_text(json.dumps(coco(labels), separators=(",", ":")), encoding="utf-8")
    (out / "dataset.yaml").write_text(yolo_dataset(), encoding="utf-8")
