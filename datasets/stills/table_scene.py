"""Whole tables in play, as one camera above them sees them: what a still of preset `table-1080p` shows.

In: a camera preset's view of a drawn felt, a deck, a generator. Out: cards, chips and hands in their places, at some
moment of a round: hands face down before the players, one or several turned in their work areas, the dealer's six.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from datasets.cameras import CameraPreset, camera_preset, camera_presets
from datasets.decks.art import Deck
from datasets.errors import DatasetError
from datasets.felt.draw import FeltStyle, view_felt
from datasets.picture.compose import Picture
from datasets.picture.sensor import SensorSettings
from datasets.picture.views import View
from datasets.props.stock import CHIPS, HAND_STOCK, draw_chip_stack, lean_of, stock_hand
from datasets.stills.presets import StillPreset
from datasets.stills.scenes import Lie, arrange, curl, move
from datasets.stills.still_life import PlacedCard, PlacedProp
from game.cards import Card
from vision.layout import FOUR_CARD_POKER, GAMES, MOST_SEATS, Zone, layout_zones
from vision.table import Table, default_table

FACE_UP = 0.45  # share of the seats whose hand is turned
EMPTY = 0.15
TABLE_CURLED = 0.15
PICTURES_PER_TABLE = 16
ARM_MM = 640.0
CARD_HEIGHT_MM = 88.0


@dataclass(frozen=True, slots=True, eq=False)
class TableSet:
    """An empty table, its camera, and the picture of it."""

    table: Table
    preset: CameraPreset
    view: View
    felt: Picture


@lru_cache(maxsize=2)
def table_set(seed: int, block: int, still: StillPreset) -> TableSet:
    """The table of one block of pictures: any game, seats, cloth, and a camera that shows cards of the right size."""
    rng = np.random.default_rng([seed, 8, block])
    preset = camera_preset(still.camera) if still.camera else _choose_camera(still, rng)
    camera = preset.camera()
    seats = int(rng.integers(4, 8))
    table = default_table(str(rng.choice(GAMES)), seats, "south-dakota", camera)
    felt = view_felt(table, FeltStyle.random(rng), camera)
    felt.setflags(write=False)
    return TableSet(table, preset, View(camera, preset.size_wh), felt)


def _choose_camera(still: StillPreset, rng: np.random.Generator) -> CameraPreset:
    size_wh, card_px = still.sizes_wh[int(rng.integers(len(still.sizes_wh)))], still.card_px
    fitting = []
    for preset in camera_presets().values():
        heights = _card_heights_px(preset)
        if preset.size_wh == size_wh and card_px[0] <= heights.min() and heights.max() <= card_px[1]:
            fitting.append(preset)
    if not fitting:
        raise DatasetError(
            f"no camera of cameras.toml takes {size_wh[0]}x{size_wh[1]} pictures with cards {card_px[0]:.0f} to "
            f"{card_px[1]:.0f} pixels high; widen card_px"
        )
    return fitting[int(rng.integers(len(fitting)))]


@lru_cache(maxsize=64)
def _card_heights_px(preset: CameraPreset) -> NDArray[np.float64]:
    """How high a card is seen at each place where cards lie."""
    camera = preset.camera()
    zones = layout_zones(FOUR_CARD_POKER, MOST_SEATS)
    places = np.array([spot for zone in zones for name, spot in zone.spots.items() if name in ("cards", "hand")])
    return np.asarray(camera.px_per_mm(places) * CARD_HEIGHT_MM)


def table_sensor(preset: StillPreset, camera: CameraPreset, rng: np.random.Generator) -> SensorSettings:
    """The camera's own sensor, a little different each time, through H.264."""
    low, high = preset.h264_crf or (24, 30)
    return replace(
        camera.sensor,
        exposure=camera.sensor.exposure * float(np.exp(rng.normal(0, 0.05))),
        defocus_px=camera.sensor.defocus_px + float(rng.beta(1, 4)) * 0.8,
        h264_crf=int(rng.integers(low, high + 1)),
    )


def table_things(
    preset: StillPreset, scene: TableSet, deck: Deck, turn: Iterator[Card], rng: np.random.Generator
) -> list[PlacedCard | PlacedProp]:
    """Cards, chips on the spots, and hands that reach in, from the bottom up."""
    cards: list[PlacedCard] = []
    props: list[PlacedProp] = []
    for zone in scene.table.zones.values():
        if zone.seat is not None and rng.random() >= EMPTY:
            cards += _seat_cards(zone, deck, turn, preset, rng)
            props += _seat_chips(zone, scene.view, preset, rng)
    cards += _dealer_cards(scene.table.zones["dealer"], deck, turn, preset, rng)
    most = min(preset.cards[1], len(cards))
    if rng.random() < preset.hands:
        props += [_reaching_hand(scene, rng) for _ in range(int(rng.choice([1, 1, 2, 3])))]
    return [*cards[:most], *props]


def _scene_mm(point_mm: tuple[float, float]) -> tuple[float, float]:
    """A point of the table in the scene's axes, whose x runs the other way."""
    return -point_mm[0], point_mm[1]


def _outwards(zone: Zone) -> tuple[float, float]:
    """The direction from the dealer to a seat, in the scene."""
    near, far = _scene_mm(zone.centre_mm), _scene_mm(zone.spots["cards"])
    way = np.array(far) - np.array(near)
    return float(way[0] / np.linalg.norm(way)), float(way[1] / np.linalg.norm(way))


def _group(
    kind: str, count: int, at_mm: tuple[float, float], angle_rad: float, deck: Deck, rng: np.random.Generator
) -> list[Lie]:
    lies = curl(arrange(kind, rng, count, deck.size_mm), rng, TABLE_CURLED)
    dx, dy = rng.normal(0, 5, 2)
    return move(lies, (at_mm[0] + float(dx), at_mm[1] + float(dy)), angle_rad + float(rng.normal(0, 0.08)))


def _kind(preset: StillPreset, rng: np.random.Generator) -> str:
    names, weights = zip(*preset.arrangements, strict=True)
    return str(rng.choice(names, p=np.array(weights) / sum(weights)))


def _seat_cards(
    zone: Zone, deck: Deck, turn: Iterator[Card], preset: StillPreset, rng: np.random.Generator
) -> list[PlacedCard]:
    """Five cards face down before the player, or turned in the work area, legible to dealer or player."""
    x, y = _outwards(zone)
    angle = float(np.arctan2(-x, y))
    if rng.random() < FACE_UP:
        kind = _kind(preset, rng)
        facing = angle + (np.pi if rng.random() < 0.6 else 0.0)
        lies = _group("overlapping-row" if kind == "row" else kind, 5, _scene_mm(zone.centre_mm), facing, deck, rng)
        return [PlacedCard(lie, deck, next(turn)) for lie in lies]
    kind = str(rng.choice(["pairs", "fan", "overlapping-row"]))
    lies = _group(kind, 5, _scene_mm(zone.spots["cards"]), angle, deck, rng)
    return [PlacedCard(lie, deck) for lie in lies]


def _dealer_cards(
    zone: Zone, deck: Deck, turn: Iterator[Card], preset: StillPreset, rng: np.random.Generator
) -> list[PlacedCard]:
    """All six turned and set, or five down and one up."""
    facing = float(rng.choice([0.0, np.pi]))
    if rng.random() < 0.6:
        lies = _group("set-hand", 6, _scene_mm(zone.spots["hand"]), facing, deck, rng)
        return [PlacedCard(lie, deck, next(turn)) for lie in lies]
    down = _group("pairs", 5, _scene_mm(zone.spots["hand"]), facing, deck, rng)
    up = _group("single", 1, _scene_mm(zone.spots["up-card"]), facing, deck, rng)
    return [*(PlacedCard(lie, deck) for lie in down), *(PlacedCard(lie, deck, next(turn)) for lie in up)]


def _seat_chips(zone: Zone, view: View, preset: StillPreset, rng: np.random.Generator) -> list[PlacedProp]:
    placed = []
    for name, spot in zone.spots.items():
        if name == "cards" or rng.random() > 0.6 * preset.chips:
            continue
        dx, dy = rng.normal(0, 4, 2)
        at_mm = (_scene_mm(spot)[0] + float(dx), spot[1] + float(dy))
        count = int(rng.choice([1, 1, 2, 3, 4, 6, 10]))
        lean = lean_of(view.camera_mm(), at_mm, count * 3.3)
        sprite = draw_chip_stack(int(rng.choice(list(CHIPS)[:5])), count, rng, lean=lean, px_per_mm=2.0)
        placed.append(PlacedProp(sprite, at_mm))
    return placed


def _reaching_hand(scene: TableSet, rng: np.random.Generator) -> PlacedProp:
    """A player's hand over the wagers or cards, or the dealer's over a work area."""
    seats = [zone for zone in scene.table.zones.values() if zone.seat is not None]
    zone = seats[int(rng.integers(len(seats)))]
    number = int(rng.integers(HAND_STOCK))
    dx, dy = rng.normal(0, 30, 2)
    if rng.random() < 0.5:
        x, y = _scene_mm(zone.spots["cards"])
        way = _outwards(zone)
    else:
        x, y = _scene_mm(zone.centre_mm)
        # The dealer's arm comes from behind the tray, in the middle of the upper edge.
        way = (-x * 0.5, -y - 350)
    angle = float(np.arctan2(-way[0], way[1]) + rng.normal(0, 0.15))
    return PlacedProp(stock_hand(number, ARM_MM), (x + float(dx), y + float(dy)), angle)
