"""What stands on and around a felt: rail, dealer's edge, floor, chip tray, shuffler, discard rack, sensors, signs.

In: a `Plane` with the printed cloth, a `Table`, a `FeltStyle`, a generator. Out: these things painted over it, shaded
as round or raised bodies under the ceiling's light.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.felt.lettering import (
    SUITS,
    Colour,
    Floats,
    Lettering,
    Picture,
    Plane,
    circle_mm,
    print_suit,
    print_text,
)
from datasets.felt.printed import SENSOR_RADIUS_MM, rounded_mm
from datasets.felt.style import FeltStyle
from vision.table import Table

Field = NDArray[np.float32]

RACE_MM, RAIL_MM, EDGE_MM = 16.0, 118.0, 26.0
CHIP_MM, CHIP_THICKNESS_MM = 39.0, 3.4
CHIP_COLOURS: tuple[tuple[Colour, Colour], ...] = (
    ((226, 228, 228), (170, 110, 50)),
    ((44, 40, 182), (232, 232, 232)),
    ((58, 112, 34), (220, 226, 226)),
    ((38, 36, 36), (216, 216, 220)),
    ((126, 48, 104), (230, 214, 160)),
    ((36, 150, 226), (60, 50, 160)),
)
_LIGHT = np.array([0.28, -0.34, 0.9]) / np.linalg.norm([0.28, -0.34, 0.9])  # picture right, picture down, up


def draw_surroundings(
    plane: Plane, table: Table, outline_mm: Floats, style: FeltStyle, rng: np.random.Generator
) -> None:
    """Everything beyond the felt's edge, by the distance from it."""
    height, width = plane.image.shape[:2]
    small = (width // 3, height // 3)
    inside = np.zeros((small[1], small[0]), np.uint8)
    cv2.fillPoly(inside, [np.round((plane.to_px(outline_mm) + 0.5) / 3 - 0.5).astype(np.int32)], (255,))
    away = cv2.distanceTransform(255 - inside, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    # Smoothed, because the steps of the small mask would show in the rail.
    away_mm = np.asarray(cv2.GaussianBlur(away, (0, 0), 1.6) * (3 / plane.px_per_mm), np.float32)
    paint, cover = _surroundings(away_mm, plane, table, style, rng)
    grain = rng.normal(0, 0.035, (height // 2, width // 2)).astype(np.float32)
    gain = 1 + _enlarged(cv2.GaussianBlur(grain, (0, 0), 0.7), (width, height))
    beyond = _lit(cv2.resize(np.clip(paint, 0, 255).astype(np.uint8), (width, height)), gain)
    felt = _lit(plane.image, _enlarged(cover, (width, height)))
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [plane.fixed_point(outline_mm)], (255,), cv2.LINE_AA, 4)
    share = mask.astype(np.float32) / np.float32(255)
    plane.image[:] = cv2.blendLinear(felt, beyond, share, 1 - share)


def _lit(picture: NDArray[np.generic], gain: Field) -> Picture:
    return np.asarray(cv2.multiply(np.asarray(picture, np.uint8), cv2.merge([gain] * 3), dtype=cv2.CV_8U), np.uint8)


def _enlarged(field: NDArray[np.generic], size_wh: tuple[int, int]) -> Field:
    return np.asarray(cv2.resize(np.asarray(field, np.float32), size_wh), np.float32)


def _surroundings(
    away: Field, plane: Plane, table: Table, style: FeltStyle, rng: np.random.Generator
) -> tuple[Field, Field]:
    """Colours (h, w, 3) beyond the edge and the gain (h, w) of the felt, darker where the rail shades it."""
    height, width = away.shape
    rows = (np.arange(height, dtype=np.float32) * 3 + 1) / plane.px_per_mm + plane.top_mm
    is_dealer = (rows < 0)[:, None] & np.ones((1, width), bool)
    out_y, out_x = np.gradient(cv2.GaussianBlur(away, (0, 0), 2.0))
    norm = np.maximum(np.hypot(out_x, out_y), 1e-6)
    outwards = np.stack([out_x / norm, out_y / norm], axis=-1)
    floor = _floor(away, style, rng)
    reach = np.where(is_dealer, EDGE_MM, RACE_MM + RAIL_MM).astype(np.float32)
    floor *= (0.35 + 0.65 * np.clip((away - reach) / 160, 0, 1))[..., None]
    race = _wood(width, height, style.wood, rng) * _round_light(away / RACE_MM, outwards, 0.7)[..., None]
    rail = _leather(style.rail, rng, away.shape) * _round_light((away - RACE_MM) / RAIL_MM, outwards)[..., None]
    rail += _shine((away - RACE_MM) / RAIL_MM, outwards)[..., None] * 46
    edge = _wood(width, height, style.wood, rng) * _round_light(away / EDGE_MM, outwards, 0.7)[..., None]
    step = 3 / plane.px_per_mm  # one pixel here: borders fade over it, so that they are smooth when enlarged
    beyond_race = np.clip((away - RACE_MM) / step + 0.5, 0, 1)[..., None]
    border = np.where(is_dealer[..., None], edge, race + (rail - race) * beyond_race)
    beyond = np.clip((away - reach) / step + 0.5, 0, 1)[..., None]
    paint = border + (floor - border) * beyond
    inner = cv2.distanceTransform((away < step).astype(np.uint8) * 255, cv2.DIST_L2, 3) * (3 / plane.px_per_mm)
    shade = 1 - 0.3 * np.exp(-np.asarray(inner, np.float32) / 16)
    return np.asarray(paint, np.float32), np.asarray(shade, np.float32)


def _round_light(across: Field, outwards: Field, bulge: float = 1.0) -> Field:
    """The light on a rounded body, `across` it from 0 to 1."""
    angle = (np.clip(across, 0, 1) - 0.5) * np.pi * 0.92 * bulge
    lit = np.sin(angle) * (outwards @ _LIGHT[:2].astype(np.float32)) + np.cos(angle) * np.float32(_LIGHT[2])
    return np.asarray(0.32 + 0.8 * np.clip(lit, 0, 1), np.float32)


def _shine(across: Field, outwards: Field) -> Field:
    """The ceiling's lamps on polished leather."""
    angle = (np.clip(across, 0, 1) - 0.5) * np.pi * 0.92
    lit = np.sin(angle) * (outwards @ _LIGHT[:2].astype(np.float32)) + np.cos(angle) * np.float32(_LIGHT[2])
    return np.asarray(np.clip(lit, 0, 1) ** 24 * ((across > 0) & (across < 1)), np.float32)


def _noise(rng: np.random.Generator, shape: tuple[int, ...], size_x: float, size_y: float) -> Field:
    """Smooth noise of about unit strength with grains of this size in pixels."""
    small = rng.normal(0, 1, (max(2, int(shape[0] / size_y)), max(2, int(shape[1] / size_x))))
    return np.asarray(cv2.resize(small.astype(np.float32), (shape[1], shape[0]), None, 0, 0, cv2.INTER_CUBIC))


def _leather(colour: Colour, rng: np.random.Generator, shape: tuple[int, ...]) -> Field:
    tone = 1 + 0.05 * _noise(rng, shape, 2, 2) + 0.06 * _noise(rng, shape, 60, 60)
    return np.asarray(tone[..., None] * np.array(colour, np.float32) * 1.35, np.float32)


def _wood(width: int, height: int, colour: Colour, rng: np.random.Generator) -> Field:
    tone = 1 + 0.05 * _noise(rng, (height, width), 40, 3) + 0.03 * _noise(rng, (height, width), 9, 3)
    return np.asarray(tone[..., None] * np.array(colour, np.float32) * 1.25, np.float32)


def _floor(away: Field, style: FeltStyle, rng: np.random.Generator) -> Field:
    """A casino carpet: two colours in large curls."""
    shape = away.shape
    curls = np.sin(3.2 * _noise(rng, shape, 70, 70) + 2 * _noise(rng, shape, 28, 28))
    other = np.array(style.floor[::-1], np.float32) * 0.35 + np.array(style.floor, np.float32) * 0.45
    share = np.clip(curls * 1.4 + 0.5, 0, 1)[..., None]
    carpet = share * np.array(style.floor, np.float32) + (1 - share) * other
    return np.asarray(carpet * (1 + 0.08 * _noise(rng, shape, 1.2, 1.2))[..., None], np.float32)


def draw_furniture(plane: Plane, table: Table, style: FeltStyle, rng: np.random.Generator) -> None:
    """The tray, the shuffler, the rack, the sensors and the signs."""
    if "tray" in table.zones:
        _draw_tray(plane, *_span(table.zones["tray"].work), rng)
    if "shuffler" in table.zones:
        _draw_shuffler(plane, *_span(table.zones["shuffler"].work), rng)
    if "discard" in table.zones:
        _draw_rack(plane, *_span(table.zones["discard"].work))
    for zone in table.zones.values():
        if "sensor" in zone.spots:
            _draw_sensor(plane, zone.spots["sensor"])
    if style.has_cup_holders:
        _draw_cup_holders(plane, table)
    _draw_signs(plane, table, style, rng)


def _span(work: Floats) -> tuple[Floats, Floats]:
    return work.min(axis=0), work.max(axis=0)


def _shadow(plane: Plane, low: Floats, high: Floats, reach_mm: float, strength: float = 0.5) -> None:
    """A soft shadow around a box that stands on the felt."""
    left, top = plane.to_px(np.array([[high[0], low[1]]]))[0]
    right, bottom = plane.to_px(np.array([[low[0], high[1]]]))[0]
    pad = int(reach_mm * plane.px_per_mm * 2) + 2
    mask = np.zeros((int(bottom - top) + 2 * pad, int(right - left) + 2 * pad), np.uint8)
    mask[pad:-pad, pad:-pad] = 255
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.6, pad / 3)), np.uint8)
    shift = int(reach_mm * plane.px_per_mm * 0.4)
    plane.ink(soft, int(left) - pad - shift, int(top) - pad + shift, (8, 8, 8), strength)


def _paste(plane: Plane, art: Picture, low: Floats, high: Floats) -> None:
    """Put a picture of a box's top on the plane, upright in the plane's picture."""
    left, top = plane.to_px(np.array([[high[0], low[1]]]))[0] + 0.5
    right, bottom = plane.to_px(np.array([[low[0], high[1]]]))[0] + 0.5
    x0, y0, x1, y1 = round(left), round(top), round(right), round(bottom)
    plane.image[y0:y1, x0:x1] = cv2.resize(art, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)


def _draw_tray(plane: Plane, low: Floats, high: Floats, rng: np.random.Generator) -> None:
    """Columns of chips lying on their edges in a metal tray."""
    _shadow(plane, low, high, 8.0)
    scale = 3.0
    width, height = ((high - low) * scale).astype(int).tolist()
    art = np.full((height, width, 3), (74, 76, 78), np.float32)
    art *= np.linspace(1.25, 0.8, height, dtype=np.float32)[:, None, None]
    count = int((high[0] - low[0] - 16) // (CHIP_MM + 3.5))
    pitch = (width - 16 * scale) / count
    bore = int(CHIP_MM * scale)
    top, bottom = int(9 * scale), height - int(9 * scale)
    order = sorted(rng.integers(0, len(CHIP_COLOURS), count).tolist())
    for column, kind in enumerate(order):
        left = int(8 * scale + column * pitch + (pitch - bore) / 2)
        art[top:bottom, left : left + bore] = _chip_column(bottom - top, bore, scale, kind, rng)
    _paste(plane, np.clip(art, 0, 255).astype(np.uint8), low, high)


def _chip_column(length: int, bore: int, scale: float, kind: int, rng: np.random.Generator) -> Field:
    """A tube of chips seen from the side, part of it empty."""
    thickness = CHIP_THICKNESS_MM * scale
    chips = int(length / thickness)
    filled = int(chips * rng.uniform(0.45, 1.0))
    angle = np.arcsin(np.linspace(-0.999, 0.999, bore))
    roundness = (0.35 + 0.75 * np.cos(angle - 0.25)).astype(np.float32)
    main, spot = (np.array(colour, np.float32) for colour in CHIP_COLOURS[kind])
    column = np.full((length, bore, 3), 30, np.float32) * roundness[::-1, None] * 0.8
    for chip in range(filled):
        start, end = int(chip * thickness), int((chip + 1) * thickness)
        is_spot = (angle + rng.uniform(0, 2 * np.pi)) * 6 / (2 * np.pi) % 1 < 0.34
        stripe = np.where(is_spot[:, None], spot, main) * roundness[:, None] * np.float32(rng.uniform(0.93, 1.05))
        column[start:end] = stripe
        column[end - 1] *= 0.55
    return column


def _draw_shuffler(plane: Plane, low: Floats, high: Floats, rng: np.random.Generator) -> None:
    """A dark machine with a lid, a slot and a small display."""
    _shadow(plane, low, high, 14.0, 0.6)
    body = int(rng.integers(28, 60))
    plane.fill(rounded_mm(tuple(low), tuple(high), 14.0), (body, body, body + 2))
    plane.outline(rounded_mm(tuple(low + 3), tuple(high - 3), 12.0), (body + 46,) * 3, 1.4, 0.6)
    lid_high = (high[0] - 18, low[1] + 0.56 * (high[1] - low[1]))
    plane.fill(rounded_mm((low[0] + 18, low[1] + 14), lid_high, 8.0), (body + 14,) * 3)
    plane.outline(rounded_mm((low[0] + 18, low[1] + 14), lid_high, 8.0), (body // 2,) * 3, 1.6)
    middle = float(low[0] + high[0]) / 2
    slot_low, slot_high = (middle - 36, high[1] - 62), (middle + 36, high[1] - 12)
    plane.fill(rounded_mm(slot_low, slot_high, 5.0), (12, 12, 12))
    plane.outline(rounded_mm(slot_low, slot_high, 5.0), (body + 60,) * 3, 1.2, 0.7)
    glow = ((90, 200, 60), (210, 150, 40), (40, 120, 220))[int(rng.integers(3))]
    screen = (float(high[0]) - 62, float(lid_high[1]) - 44)
    plane.fill(rounded_mm(screen, (screen[0] + 36, screen[1] + 22), 2.0), glow, 0.75)
    lettering = Lettering("sans", 600)
    print_text(plane, "READY", lettering, (screen[0] + 18, screen[1] + 11), 6.0, (20, 20, 20))
    print_text(
        plane, "FS-1", lettering, (float(low[0]) + 50, float(lid_high[1]) - 22), 9.0, (190, 190, 190), strength=0.6
    )
    plane.fill(circle_mm((float(low[0]) + 30, float(high[1]) - 26), 3.0), (60, 220, 90))


def _draw_rack(plane: Plane, low: Floats, high: Floats) -> None:
    """A discard rack of smoked acrylic, open towards the dealer."""
    _shadow(plane, low, high, 7.0, 0.3)
    plane.fill(rounded_mm(tuple(low), tuple(high), 4.0), (26, 24, 24), 0.5)
    wall = 5.0
    for start, end in ((low, (high[0], low[1] + wall)), (low, (low[0] + wall, high[1]))):
        plane.fill(rounded_mm(tuple(start), tuple(end), 2.0), (150, 150, 150), 0.45)
    right_wall = ((high[0] - wall, low[1]), tuple(high))
    plane.fill(rounded_mm(*right_wall, 2.0), (190, 190, 190), 0.5)
    gloss = np.array([[low[0] + 14, high[1] - 14], [low[0] + 30, high[1] - 14], [high[0] - 30, low[1] + 14]])
    plane.fill(np.vstack([gloss, [high[0] - 46, low[1] + 14]]), (235, 235, 235), 0.1)


def _draw_sensor(plane: Plane, spot: tuple[float, float]) -> None:
    """A coin sensor that is not lit: a plastic disc with a ring of lamps."""
    rings = (
        (1.0, (120, 122, 124), 1.0),
        (0.9, (30, 30, 32), 1.0),
        (0.74, (34, 36, 88), 0.9),
        (0.58, (22, 22, 24), 1.0),
    )
    plane.fill(circle_mm((spot[0] - 2, spot[1] + 2.5), SENSOR_RADIUS_MM * 1.1), (10, 10, 10), 0.35)
    for share, colour, strength in rings:
        plane.fill(circle_mm(spot, SENSOR_RADIUS_MM * share), colour, strength)
    glint = circle_mm((spot[0] + 4, spot[1] - 5), SENSOR_RADIUS_MM * 0.2)
    plane.fill(glint, (220, 220, 224), 0.35)


def _draw_cup_holders(plane: Plane, table: Table) -> None:
    """Steel cups in the rail between the seats."""
    half, depth = table.felt_mm[0] / 2 + RACE_MM + RAIL_MM / 2, table.felt_mm[1] - 30 + RACE_MM + RAIL_MM / 2
    for turn in np.linspace(0.13, 0.87, table.seats + 1) * np.pi:
        spot = (half * float(np.cos(turn)), 30 + depth * float(np.sin(turn)))
        for share, grey in ((1.0, 176), (0.9, 120), (0.84, 52), (0.7, 34)):
            offset = (1 - share) * 14
            plane.fill(circle_mm((spot[0] - offset, spot[1] + offset), 40.0 * share), (grey, grey, grey + 2))


def _draw_signs(plane: Plane, table: Table, style: FeltStyle, rng: np.random.Generator) -> None:
    """A limit sign, and sometimes a placard with hands in print: letters and suits that are no cards."""
    paper = ((40, 36, 170), (46, 120, 40), (150, 80, 30), (40, 40, 40))[int(rng.integers(4))]
    low, high = (492.0, 20.0), (572.0, 78.0)
    _shadow(plane, np.array(low), np.array(high), 5.0, 0.4)
    plane.fill(rounded_mm(low, high, 3.0), paper)
    plane.outline(rounded_mm((low[0] + 3, low[1] + 3), (high[0] - 3, high[1] - 3), 3.0), (230, 230, 230), 1.0)
    least = int(rng.choice([5, 10, 15, 25]))
    lettering = Lettering("sans", 800)
    for row, text in enumerate((f"MIN ${least}", f"MAX ${least * 50}", "AGGREGATE $50K")):
        size = min((10.0, 10.0, 4.6)[row], 68.0 / len(text))
        print_text(plane, text, lettering, (532.0, 35.0 + row * 15), size, (238, 240, 240))
    if style.has_placard:
        _draw_placard(plane, rng)


def _draw_placard(plane: Plane, rng: np.random.Generator) -> None:
    """Winning hands in rows of rank and suit, as such placards show them."""
    low, high = (-320.0, 228.0), (-240.0, 330.0)
    _shadow(plane, np.array(low), np.array(high), 4.0, 0.4)
    paper = ((206, 222, 228), (60, 44, 30), (36, 30, 88))[int(rng.integers(3))]
    is_light = sum(paper) > 380
    plane.fill(rounded_mm(low, high, 3.0), paper)
    lettering = Lettering("sans", 700)
    for row, ranks in enumerate(("AAAA", "AKQJ", "999", "QJ98", "T987")):
        y = low[1] + 15 + row * 18
        for column, rank in enumerate(ranks):
            suit = SUITS[int(rng.integers(4))]
            red = (50, 44, 200)
            colour = red if suit in "♥♦" else ((30, 30, 30) if is_light else (235, 235, 235))
            x = high[0] - 14 - column * 17
            print_text(plane, rank, lettering, (x, y), 6.5, colour)
            print_suit(plane, suit, (x - 7.5, y), 6.5, colour, (0.0, -1.0))
