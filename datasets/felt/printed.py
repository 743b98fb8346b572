"""What is printed on a felt: the arcs with their words, the logo, every seat's spots and pay table.

In: a `Plane` with the cloth, a `Table`, a `FeltStyle`. Out: ink on that plane. Words stand as a player reads them:
their tops point away from the player, towards the dealer's side.
"""

import numpy as np

from datasets.felt.lettering import SUITS, Colour, Floats, Plane, circle_mm, print_along, print_suit, print_text
from datasets.felt.style import FeltStyle, colour_distance
from vision.layout import DEALER, FOUR_CARD_POKER, Zone
from vision.table import Table

SPOT_RADIUS_MM = 29.0
SENSOR_RADIUS_MM = 19.0

_LABELS = {
    "ante": ("ANTE",),
    "play": ("PLAY",),
    "raise": ("RAISE",),
    "aces-up": ("ACES", "UP"),
    "bad-beat": ("BAD", "BEAT"),
    "aces-baby": ("ACES", "BABY"),
    "prime": ("PRIME",),
}
_BONUS_SPOTS = ("aces-up", "bad-beat", "aces-baby", "prime")
_TITLES = {FOUR_CARD_POKER: "FOUR CARD POKER"}
_PAY_LINES = {
    FOUR_CARD_POKER: (
        "ACES UP",
        "FOUR OF A KIND  50 - 1",
        "STRAIGHT FLUSH  40 - 1",
        "THREE OF A KIND  8 - 1",
        "FLUSH  5 - 1",
        "STRAIGHT  4 - 1",
        "TWO PAIR  3 - 1",
        "ACES  1 - 1",
    ),
}
_PRIME_LINES = (
    "PRIME",
    "FIVE OF ONE COLOR  4 - 1",
    "FOUR OF ONE COLOR  1 - 1",
    "ACES BABY",
    "ROYAL  100 - 1",
    "FOUR OF A KIND  50 - 1",
    "THREE OF A KIND  7 - 1",
)
_ODDS = ("FOUR OF A KIND 25 - 1", "STRAIGHT FLUSH 20 - 1")
_ARC_SPAN = 0.72  # of a half turn: the rest is hidden by what stands beside the tray
_RED: Colour = (44, 40, 190)


def print_layout(plane: Plane, table: Table, style: FeltStyle) -> None:
    """Print everything."""
    _print_arcs(plane, table, style)
    _print_logo(plane, table, style)
    if style.has_card_boxes:
        _print_dealer_box(plane, table.dealer, style)
    for number in range(1, table.seats + 1):
        _print_seat(plane, table, table.seat(number), style)


def _arc_mm(table: Table, share: float, span: float = 1.0, points: int = 240) -> Floats:
    """An arc from the dealer's right to the left, `share` of the way to the rail; `span` of a half turn."""
    middle, reach = np.pi / 2, span * np.pi / 2
    turn = np.linspace(middle - reach, middle + reach, points)
    half, depth = table.felt_mm[0] / 2, table.felt_mm[1] - 30.0
    return np.column_stack([share * half * np.cos(turn), 30.0 + share * depth * np.sin(turn)])


def _print_arcs(plane: Plane, table: Table, style: FeltStyle) -> None:
    """Two lines between dealer and work areas with a motto and the odds between them; one along the rail."""
    inner, outer = (_arc_mm(table, style.arc_share + side, _ARC_SPAN) for side in (-0.045, 0.045))
    if style.has_band:
        plane.fill(np.vstack([inner, outer[::-1]]), style.accent, 0.3)
    plane.line(inner, style.accent, style.line_mm)
    plane.line(outer, style.accent, style.line_mm)
    plane.line(_arc_mm(table, 0.978), style.ink, style.line_mm, 0.8)
    band = _arc_mm(table, style.arc_share, _ARC_SPAN)
    third = len(band) // 3
    texts = (_ODDS[0], style.motto, _ODDS[1])
    for part, text in enumerate(texts):
        print_along(plane, text, style.lettering, band[part * third : (part + 1) * third], 21.0, style.ink)


def _print_logo(plane: Plane, table: Table, style: FeltStyle) -> None:
    """The game's name on an arc below the dealer's hand, suits at its ends."""
    title = _TITLES.get(table.game, "FOUR CARD PRIME")
    curve = _arc_mm(table, style.arc_share - 0.078, 0.62)
    curve = curve * [0.92, 1.0]
    print_along(plane, title, style.lettering, curve, 34.0, style.accent)
    for suit, x in zip(SUITS, (150, 50, -50, -150), strict=True):
        is_red = suit in "♥♦" and colour_distance(_RED, style.cloth) > 90
        colour = _RED if is_red else style.ink
        y = float(np.interp(x, curve[::-1, 0], curve[::-1, 1])) - 52
        print_suit(plane, suit, (x, y), 30.0, colour, (0.0, -1.0))


def _print_dealer_box(plane: Plane, zone: Zone, style: FeltStyle) -> None:
    left, top = zone.work.min(axis=0) + 12
    right, bottom = zone.work.max(axis=0) - 12
    plane.outline(rounded_mm((left, top), (right, bottom), 10.0), style.ink, style.line_mm * 0.7, 0.7)
    print_text(plane, DEALER.upper(), style.lettering, (0.0, float(bottom) - 12), 9.0, style.ink, strength=0.7)


def _print_seat(plane: Plane, table: Table, zone: Zone, style: FeltStyle) -> None:
    inner, outer = zone.work[:2].mean(axis=0), zone.work[2:].mean(axis=0)
    outwards = (outer - inner) / np.linalg.norm(outer - inner)
    up = (float(-outwards[0]), float(-outwards[1]))
    for name, spot in zone.spots.items():
        if name in _LABELS:
            _print_spot(plane, name, spot, up, style)
    if style.has_card_boxes and "cards" in zone.spots:
        box = _turned_box(zone.spots["cards"], up, 92.0, 98.0)
        plane.outline(box, style.ink, style.line_mm * 0.7, 0.6)
    if style.has_pay_tables:
        _print_pay_table(plane, table, zone, up, style)
    number = np.array(zone.spots["ante"]) + outwards * 222
    print_text(plane, str(zone.seat), style.lettering, (number[0], number[1]), 13.0, style.accent, up, 0.8)


def _print_spot(plane: Plane, name: str, spot: tuple[float, float], up: tuple[float, float], style: FeltStyle) -> None:
    is_bonus = name in _BONUS_SPOTS
    shape = style.bonus_shape if is_bonus else style.ante_shape
    outline = _shape_mm(shape, spot, up)
    if is_bonus:
        plane.fill(outline, style.accent, 0.22)
    plane.outline(outline, style.accent if is_bonus else style.ink, style.line_mm)
    if name == "ante":
        plane.outline(spot + (outline - spot) * 0.86, style.ink, style.line_mm * 0.5, 0.8)
    lines = _LABELS[name]
    cap_mm = min(10.5, 34.0 / (max(map(len, lines)) * style.lettering.width))
    for row, text in enumerate(lines):
        offset = (row - (len(lines) - 1) / 2) * cap_mm * 1.45
        at = (spot[0] - up[0] * offset, spot[1] - up[1] * offset)
        print_text(plane, text, style.lettering, at, cap_mm, style.ink, up)


def _shape_mm(shape: str, centre_mm: tuple[float, float], up: tuple[float, float]) -> Floats:
    """A spot's outline, turned with its seat."""
    if shape == "circle":
        return circle_mm(centre_mm, SPOT_RADIUS_MM)
    sides, radius, start = {
        "square": (4, SPOT_RADIUS_MM * 1.28, np.pi / 4),
        "diamond": (4, SPOT_RADIUS_MM * 1.22, 0.0),
        "hexagon": (6, SPOT_RADIUS_MM * 1.1, 0.0),
    }[shape]
    turn = np.linspace(0, 2 * np.pi, sides, endpoint=False) + start + np.arctan2(up[1], up[0])
    return np.array(centre_mm) + radius * np.column_stack([np.cos(turn), np.sin(turn)])


def _print_pay_table(plane: Plane, table: Table, zone: Zone, up: tuple[float, float], style: FeltStyle) -> None:
    """The odds in small print beside the bets, at the seat's side nearer the dealer's right."""
    aside = np.array([-up[1], up[0]])
    aside = aside if aside[0] >= 0 else -aside
    last = "play" if "play" in zone.spots else "raise"
    centre = (np.array(zone.spots["ante"]) + zone.spots[last]) / 2 + aside * 92
    plane.outline(_turned_box((centre[0], centre[1]), up, 82.0, 74.0), style.accent, style.line_mm * 0.6, 0.8)
    lines = _PAY_LINES.get(table.game, _PRIME_LINES)
    for row, text in enumerate(lines):
        at = centre - np.array(up) * (row - (len(lines) - 1) / 2) * 8.8
        cap_mm = 5.6 if row == 0 else 4.4
        cap_mm = min(cap_mm, 92.0 / len(text) / style.lettering.width)
        print_text(plane, text, style.lettering, (at[0], at[1]), cap_mm, style.ink, up, 0.85)


def _turned_box(centre_mm: tuple[float, float], up: tuple[float, float], width: float, height: float) -> Floats:
    along = np.array([-up[1], up[0]])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    turned = corners[:, :1] * width * along + corners[:, 1:] * height * np.array(up)
    return np.asarray(np.array(centre_mm) + turned, np.float64)


def rounded_mm(low: tuple[float, float], high: tuple[float, float], radius_mm: float) -> Floats:
    """A rectangle with round corners."""
    turn = np.linspace(0, np.pi / 2, 8)
    corners = [
        ((high[0] - radius_mm, high[1] - radius_mm), 0.0),
        ((low[0] + radius_mm, high[1] - radius_mm), np.pi / 2),
        ((low[0] + radius_mm, low[1] + radius_mm), np.pi),
        ((high[0] - radius_mm, low[1] + radius_mm), 1.5 * np.pi),
    ]
    pieces = [
        np.array(centre) + radius_mm * np.column_stack([np.cos(turn + start), np.sin(turn + start)])
        for centre, start in corners
    ]
    return np.concatenate(pieces)
