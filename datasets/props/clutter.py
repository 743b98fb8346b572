"""Things beside the cards that a reader must not take for one: print, paper, dice, keys, cups, coins, and cards without
an index (jokers, rules, blanks, cut cards).

In: a number. Out: its `Sprite`, drawn once and kept. Ranks and suits are printed here in every way except the one that
would make an index: a rank straight over a suit in a corner.
"""

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.props.sprite import Sprite, cloud

Art = NDArray[np.uint8]
Colour = tuple[int, int, int]

CLUTTER_STOCK = 64
OTHER_CARD_STOCK = 12
SCALE = 4.0  # pixels a millimetre
OTHER_SCALE = 8.0

WORDS = (
    "PAIR OF ACES", "TWO PAIR", "STRAIGHT", "FLUSH", "THREE OF A KIND", "FOUR OF A KIND", "ACES UP", "ANTE", "PLAY",
    "1 TO 1", "4 TO 1", "40 TO 1", "50-1", "the", "king", "10 off", "queen", "news", "of the", "8:45", "No. 7", "A4",
    "Jack", "price", "K 12", "2026", "menu", "coffee", "table", "J. Quinn", "9 mm", "A", "Q", "5", "10", "pay to",
)  # fmt: skip
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)


def _sheet(width_mm: float, height_mm: float, colour: Colour, scale: float = SCALE) -> Art:
    art = np.empty((round(height_mm * scale), round(width_mm * scale), 4), np.uint8)
    art[...] = (*colour, 255)
    return art


def _write(art: Art, text: str, at_px: tuple[int, int], size_px: float, colour: Colour, font: int) -> None:
    cv2.putText(art, text, at_px, font, size_px / 22, (*colour, 255), max(1, round(size_px / 9)), cv2.LINE_AA)


def _ink(rng: np.random.Generator) -> Colour:
    if rng.random() < 0.6:
        return (40, 36, 36)
    red, green, blue = (int(v) for v in rng.integers(0, 200, 3))
    return (blue, green, red)


def _pale(rng: np.random.Generator) -> Colour:
    base = int(rng.integers(205, 250))
    return (base - int(rng.integers(0, 26)), base - int(rng.integers(0, 12)), base)


def _muted(rng: np.random.Generator) -> Colour:
    """Any colour, most of them greyish as things are."""
    grey, colour = rng.uniform(20, 235), rng.uniform(0, 255, 3)
    mixed = grey + (colour - grey) * rng.beta(1.2, 2.0)
    return (int(mixed[0]), int(mixed[1]), int(mixed[2]))


def draw_suit(art: Art, suit: str, centre_px: tuple[float, float], size_px: float, colour: Colour) -> None:
    """A plain suit sign `size_px` high."""
    x, y, r = centre_px[0], centre_px[1], size_px / 2
    ink = (*colour, 255)

    def disc(dx: float, dy: float, radius: float) -> None:
        cv2.circle(art, (round(x + dx * r), round(y + dy * r)), max(1, round(radius * r)), ink, -1, cv2.LINE_AA)

    def shape(*points: tuple[float, float]) -> None:
        corners = np.array([[round(x + dx * r), round(y + dy * r)] for dx, dy in points], np.int32)
        cv2.fillPoly(art, [corners], ink, cv2.LINE_AA)

    if suit == "d":
        shape((0, -1), (0.72, 0), (0, 1), (-0.72, 0))
    elif suit == "h":
        disc(-0.42, -0.4, 0.46)
        disc(0.42, -0.4, 0.46)
        shape((-0.86, -0.25), (0, -0.3), (0.86, -0.25), (0, 1))
    elif suit == "s":
        disc(-0.42, 0.3, 0.44)
        disc(0.42, 0.3, 0.44)
        shape((-0.84, 0.2), (0, -1), (0.84, 0.2), (0, 0.4))
        shape((0, 0.2), (0.34, 1), (-0.34, 1))
    else:
        disc(-0.48, 0.15, 0.42)
        disc(0.48, 0.15, 0.42)
        disc(0, -0.5, 0.42)
        shape((0, -0.1), (0.34, 1), (-0.34, 1))


def _paper(rng: np.random.Generator) -> Art:
    """A printed or blank sheet, lines of words."""
    art = _sheet(float(rng.uniform(70, 170)), float(rng.uniform(90, 210)), _pale(rng))
    if rng.random() < 0.25:
        return art
    ink, font, line = _ink(rng), int(rng.choice(FONTS)), float(rng.uniform(10, 26))
    y = line * 2
    while y < art.shape[0] - line:
        words = " ".join(str(rng.choice(WORDS)) for _ in range(int(rng.integers(2, 7))))
        _write(art, words, (round(line * 1.5), round(y)), line * float(rng.choice([0.8, 0.8, 0.8, 1.6])), ink, font)
        y += line * float(rng.choice([1.5, 1.5, 2.6]))
    return art


def _pay_table(rng: np.random.Generator) -> Art:
    """What a casino prints: hands and odds in two columns, on a coloured panel, suits as ornament."""
    dark = tuple(int(v) for v in rng.integers(10, 120, 3))
    art = _sheet(float(rng.uniform(80, 130)), float(rng.uniform(70, 120)), (dark[0], dark[1], dark[2]))
    light = (int(rng.integers(120, 250)), int(rng.integers(180, 250)), int(rng.integers(200, 255)))
    cv2.rectangle(art, (8, 8), (art.shape[1] - 9, art.shape[0] - 9), (*light, 255), 3)
    line = float(rng.uniform(18, 28))
    for row in range(int((art.shape[0] - 80) / (line * 1.4))):
        y = round(75 + row * line * 1.4)
        _write(art, str(rng.choice(WORDS[:7])), (24, y), line * 0.7, light, FONTS[1])
        _write(art, str(rng.choice(WORDS[9:13])), (round(art.shape[1] * 0.66), y), line * 0.7, light, FONTS[1])
    for number, suit in enumerate("cdhs"):
        draw_suit(art, suit, (art.shape[1] * (0.2 + 0.2 * number), 36), 30, light)
    return art


def _cover(rng: np.random.Generator) -> Art:
    """A book, a leaflet or a magazine: blocks of colour, a picture, large letters and numbers."""
    art = _sheet(float(rng.uniform(80, 160)), float(rng.uniform(100, 200)), _muted(rng))
    height, width = art.shape[:2]
    for _ in range(int(rng.integers(1, 5))):
        x, y = (int(v) for v in rng.integers(0, (width, height)))
        block = _muted(rng)
        cv2.rectangle(
            art, (x, y), (x + int(rng.integers(40, width)), y + int(rng.integers(20, 200))), (*block, 255), -1
        )
    top = int(rng.integers(0, height // 2))
    picture = cloud(rng, height // 2, width, 60)[..., None] * rng.uniform(15, 40, 3) + np.array(_muted(rng))
    art[top : top + height // 2, :, :3] = np.clip(picture, 0, 255)
    for _ in range(int(rng.integers(2, 6))):
        at = (int(rng.integers(0, width // 2)), int(rng.integers(40, height)))
        _write(art, str(rng.choice(WORDS)), at, float(rng.uniform(20, 110)), _ink(rng), int(rng.choice(FONTS)))
    return art


def _signs(rng: np.random.Generator) -> Art:
    """Suits and ranks as ornament, apart from each other: a coaster, a sticker, a logo."""
    art = _sheet(
        float(rng.uniform(40, 90)), float(rng.uniform(40, 90)), _pale(rng) if rng.random() < 0.6 else _ink(rng)
    )
    height, width = art.shape[:2]
    for _ in range(int(rng.integers(2, 8))):
        at = (float(rng.uniform(0.1, 0.9)) * width, float(rng.uniform(0.1, 0.5)) * height)
        draw_suit(art, str(rng.choice(list("cdhs"))), at, float(rng.uniform(20, 120)), _ink(rng))
    at = (int(rng.uniform(0.0, 0.6) * width), int(height * 0.9))
    _write(
        art,
        str(rng.choice(["A", "K", "10", "7", "777", "Q8", "J"])),
        at,
        float(rng.uniform(40, 120)),
        _ink(rng),
        FONTS[1],
    )
    return art


def _keys(rng: np.random.Generator) -> Art:
    """Part of a keyboard."""
    dark = rng.random() < 0.6
    body, key, ink = (
        ((24, 24, 26), (48, 48, 50), (220, 220, 222)) if dark else ((190, 190, 194), (236, 236, 238), (70, 70, 72))
    )
    art = _sheet(190, 76, body)
    letters = "QWERTYUIOPASDFGHJKLZXCVBNM1234567890"
    for row in range(4):
        for column in range(10):
            x, y = round((4 + column * 18.4 + row * 2) * SCALE), round((3 + row * 18) * SCALE)
            cv2.rectangle(art, (x, y), (x + 62, y + 62), (*key, 255), -1)
            _write(art, letters[(row * 10 + column) % len(letters)], (x + 10, y + 34), 24, ink, FONTS[0])
    return art


def _disc(rng: np.random.Generator) -> Art:
    """A cup, a bowl, a glass or a coin from above: rings of light and shade."""
    radius = float(rng.choice([12, 14, 34, 42, 55]))
    size = round(2 * radius * SCALE)
    ys, xs = np.mgrid[0:size, 0:size].astype(np.float32) / (size / 2) - 1
    distance = np.hypot(xs, ys)
    colour = np.array(_muted(rng), np.float32)
    light = 0.75 + 0.25 * np.sin(distance * float(rng.uniform(4, 14)) + 1) - 0.25 * (xs + ys) * (distance > 0.8)
    inner = np.asarray(rng.uniform(10, 120, 3), np.float32)
    shade = np.where(distance[..., None] < rng.uniform(0.5, 0.86), inner, colour) * light[..., None]
    alpha = np.clip((1 - distance) * size / 2, 0, 1) * 255
    return np.dstack([np.clip(shade, 0, 255), alpha]).astype(np.uint8)


def _rod(rng: np.random.Generator) -> Art:
    """A pen, a cable, a cigarette lighter: long, round, shiny along its length."""
    art = _sheet(float(rng.uniform(6, 16)), float(rng.uniform(60, 150)), (0, 0, 0))
    across = np.linspace(-1, 1, art.shape[1], dtype=np.float32)
    light = np.sqrt(1 - across**2 * 0.95) + 0.5 * np.exp(-(((across + 0.35) / 0.12) ** 2))
    colour = rng.uniform(15, 220, 3)
    art[..., :3] = np.clip(light[None, :, None] * colour, 0, 255)
    band = int(rng.integers(art.shape[0] // 2, art.shape[0]))
    art[band:, :, :3] = np.clip(light[None, :, None] * rng.uniform(15, 220, 3), 0, 255)
    return art


def _phone(rng: np.random.Generator) -> Art:
    art = _sheet(72, 148, (22, 22, 24))
    screen = cloud(rng, art.shape[0] - 60, art.shape[1] - 24, 90)[..., None] * 30 + rng.uniform(10, 90, 3)
    art[30:-30, 12:-12, :3] = np.clip(screen, 0, 255)
    _write(art, f"{int(rng.integers(1, 24))}:{int(rng.integers(10, 59))}", (40, 150), 60, (230, 230, 230), FONTS[0])
    return _round_corners(art, 9 * SCALE)


def _die(rng: np.random.Generator) -> Art:
    body = (40, 30, 190) if rng.random() < 0.5 else (232, 236, 238)
    ink = (240, 240, 240) if body[2] == 190 else (30, 28, 28)
    art = _sheet(16, 16, body)
    places = [(0.5, 0.5), (0.25, 0.25), (0.75, 0.75), (0.25, 0.75), (0.75, 0.25), (0.25, 0.5), (0.75, 0.5)]
    for x, y in places[int(rng.integers(0, 2)) : int(rng.integers(2, 8))]:
        cv2.circle(art, (round(x * 64), round(y * 64)), 6, (*ink, 255), -1, cv2.LINE_AA)
    return _round_corners(art, 10)


def _round_corners(art: Art, radius_px: float) -> Art:
    height, width = art.shape[:2]
    ys = np.abs(np.arange(height) + 0.5 - height / 2)[:, None] - (height / 2 - radius_px)
    xs = np.abs(np.arange(width) + 0.5 - width / 2)[None] - (width / 2 - radius_px)
    outside = np.hypot(np.maximum(xs, 0), np.maximum(ys, 0)) - radius_px
    art[..., 3] = np.clip((0.5 - outside) * 255, 0, 255)
    return art


DRAWINGS: tuple[tuple[Callable[[np.random.Generator], Art], float], ...] = (
    (_paper, 0.2), (_pay_table, 1.0), (_cover, 8.0), (_signs, 2.0), (_keys, 12.0), (_disc, 25.0), (_rod, 8.0),
    (_phone, 8.0), (_die, 16.0), (_paper, 0.2), (_cover, 15.0), (_disc, 60.0),
)  # fmt: skip


@lru_cache(maxsize=CLUTTER_STOCK)
def stock_clutter(number: int) -> Sprite:
    """Thing `number` of the stock, 0 to CLUTTER_STOCK - 1."""
    draw, height_mm = DRAWINGS[number % len(DRAWINGS)]
    art = draw(np.random.default_rng([number, 21]))
    return Sprite(art, SCALE, (art.shape[1] / 2, art.shape[0] / 2), height_mm)


@lru_cache(maxsize=OTHER_CARD_STOCK)
def stock_other_card(number: int) -> Sprite:
    """A card without an index, 0 to OTHER_CARD_STOCK - 1: joker, blank, rules, advertisement, coloured cut card."""
    rng = np.random.default_rng([number, 22])
    width = 63.0 if rng.random() < 0.7 else 57.0
    draw = (_joker, _joker, _rules, _blank)[number % 4]
    art = _round_corners(draw(rng, _sheet(width, 88, (246, 248, 249), OTHER_SCALE)), 3.4 * OTHER_SCALE)
    return Sprite(art, OTHER_SCALE, (art.shape[1] / 2, art.shape[0] / 2), 0.3)


def _joker(rng: np.random.Generator, art: Art) -> Art:
    ink: Colour = (30, 26, 26) if rng.random() < 0.5 else (36, 30, 190)
    height, width = art.shape[:2]
    corner = np.zeros_like(art)
    for place, letter in enumerate("JOKER"):
        _write(corner, letter, (24, 60 + place * 44), 40, ink, FONTS[1])
    corner |= np.rot90(corner, 2)
    mark = corner[..., 3] > 0
    art[mark] = corner[mark]
    centre = (width // 2, height // 2)
    for _ in range(int(rng.integers(6, 16))):
        colour = tuple(int(v) for v in rng.integers(0, 230, 3))
        at = (centre[0] + int(rng.normal(0, 60)), centre[1] + int(rng.normal(0, 110)))
        axes = (int(rng.integers(10, 70)), int(rng.integers(10, 90)))
        cv2.ellipse(
            art, at, axes, float(rng.uniform(0, 180)), 0, 360, (*colour, 255), int(rng.choice([-1, 3])), cv2.LINE_AA
        )
    return art


def _rules(rng: np.random.Generator, art: Art) -> Art:
    for row in range(int(rng.integers(8, 17))):
        _write(art, f"{rng.choice(WORDS)}  {rng.choice(WORDS)}", (50, 90 + row * 36), 20, (60, 50, 50), FONTS[0])
    return art


def _blank(rng: np.random.Generator, art: Art) -> Art:
    if rng.random() < 0.6:
        art[..., :3] = rng.integers(10, 245, 3)
    return art
