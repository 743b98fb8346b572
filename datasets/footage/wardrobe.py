"""The look of everything that moves in footage, under one camera's light: cards, chips, hands, heads, lit sensors.

In come a deck, a camera with its sensor settings, and who sits at the table; out go layers ready to be laid into a
picture. Light is put on the art, not on the frame: a thing at rest costs nothing, and a moving one is only warped.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.deck import Deck
from datasets.footage.motion import Pose, card_corners_mm
from datasets.footage.people import draw_head
from datasets.footage.round_plan import TableCard
from datasets.picture.compose import Layer, Picture, Points, premultiply, warp_art
from datasets.picture.sensor import SensorSettings, apply_sensor, disc_kernel, light_field
from datasets.props.chips import CHIP_HEIGHT_MM, draw_chip_stack, lean_of
from datasets.props.clutter import stock_other_card
from datasets.props.hands import HandStyle, draw_hand
from datasets.props.sprite import Sprite
from vision.camera import Camera

Floats = NDArray[np.float64]

SHADE_STEPS = 40  # how finely light is told apart from place to place
SHADOW_ALPHA = 0.42  # below one half, so that a shadow hides nothing in the id map
_MIP_MARGIN = 1.25  # art is kept a little larger than it is seen
_HAND_PX_PER_MM = 1.25
_ARM_MM = 900.0
ARM_STOCK = 24
_MOST_KEPT = 500  # dressed chips, hands and heads


@dataclass(frozen=True, slots=True)
class CameraLight:
    """What a camera's light and lens do to one flat thing; noise comes later, to the whole frame."""

    settings: SensorSettings

    def scene_settings(self) -> SensorSettings:
        """For a whole picture: everything but glare, noise and compression."""
        return replace(
            self.settings, glare=(), read_noise=0.0, shot_noise=0.0, chroma_noise=0.0, jpeg_quality=0, h264_crf=0
        )

    def gain_at(self, at_px: tuple[float, float], size_wh: tuple[int, int]) -> float:
        """How much of the light falls on a place, in steps."""
        gains = _gains(self.settings)
        if gains is None:
            return 1.0
        rows, columns = gains.shape
        x = min(max(round(at_px[0] / size_wh[0] * (columns - 1)), 0), columns - 1)
        y = min(max(round(at_px[1] / size_wh[1] * (rows - 1)), 0), rows - 1)
        return round(float(gains[y, x]) * SHADE_STEPS) / SHADE_STEPS

    def dress(self, art: Picture, gain: float) -> Picture:
        """Art (straight alpha) as this camera would show it where the light has this gain."""
        colour = _without_holes(art)
        lit = cv2.convertScaleAbs(colour, alpha=gain)
        settings = replace(self.scene_settings(), falloff=0.0, vignette=0.0, shade=())
        done = apply_sensor(np.asarray(lit, np.uint8), settings, np.random.default_rng(0))
        alpha = art[..., 3]
        if settings.defocus_px >= 0.3:
            kernel = disc_kernel(round(settings.defocus_px, 1))
            alpha = np.asarray(cv2.filter2D(alpha, -1, kernel, borderType=cv2.BORDER_CONSTANT), np.uint8)
        return np.dstack([done, alpha]).astype(np.uint8)


@lru_cache(maxsize=8)
def _gains(settings: SensorSettings) -> NDArray[np.float32] | None:
    return light_field(settings)


def _without_holes(art: Picture) -> Picture:
    """The colours with what is transparent filled by the mean, so that blur takes nothing dark from there."""
    colour: Picture = np.ascontiguousarray(art[..., :3])
    clear = art[..., 3] == 0
    if clear.any() and not clear.all():
        colour = colour.copy()
        colour[clear] = colour[~clear].mean(axis=0).astype(np.uint8)
    return colour


def shrink(art: Picture, scale: float) -> Picture:
    """Straight-alpha art made smaller by area."""
    if scale >= 1:
        return art
    size = (max(2, round(art.shape[1] * scale)), max(2, round(art.shape[0] * scale)))
    small = np.asarray(cv2.resize(premultiply(art), size, interpolation=cv2.INTER_AREA), np.float32)
    alpha = np.maximum(small[..., 3:], 1.0)
    small[..., :3] = np.minimum(small[..., :3] * 255.0 / alpha, 255.0)
    return np.asarray(small + 0.5, np.uint8)


def warp_ready(art: Picture, quad_px: Floats, size_wh: tuple[int, int]) -> Layer | None:
    """Warp art that is premultiplied and of about the right size already: for large things in every frame."""
    left, top = np.maximum(np.floor(quad_px.min(axis=0)).astype(int) - 1, 0)
    right, bottom = np.minimum(np.ceil(quad_px.max(axis=0)).astype(int) + 2, size_wh)
    if left >= right or top >= bottom:
        return None
    height, width = art.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    target = (quad_px - (left, top)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    warped = cv2.warpPerspective(art, matrix, (int(right - left), int(bottom - top)), flags=cv2.INTER_LINEAR)
    return Layer((int(left), int(top)), np.asarray(warped, np.uint8))


def soft_shadow(art: Picture, blur_px: float, strength: float, pad_px: int) -> Picture:
    """Premultiplied art on its own soft shadow, in a frame wide enough for it."""
    wide = cv2.copyMakeBorder(premultiply(art), pad_px, pad_px, pad_px, pad_px, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))
    out = np.asarray(wide, np.uint8)
    step = max(1, int(blur_px / 2))  # a blur has no detail: made small, then enlarged
    size = (-(-out.shape[1] // step), -(-out.shape[0] // step))
    low = cv2.GaussianBlur(cv2.resize(out[..., 3], size, interpolation=cv2.INTER_AREA), (0, 0), blur_px / step)
    shadow = cv2.resize(cv2.convertScaleAbs(low, alpha=strength), (out.shape[1], out.shape[0]))
    under = cv2.multiply(shadow, cv2.bitwise_not(out[..., 3]), scale=1 / 255)
    out[..., 3] = cv2.add(out[..., 3], under)
    return out


def arm_style(number: int, is_dealer: bool) -> HandStyle:
    """Whose arm `number` is: skin, build and sleeve."""
    style = HandStyle.random(np.random.default_rng([number, is_dealer, 12]), dealer=is_dealer)
    return replace(style, left=False)


@lru_cache(maxsize=2 * ARM_STOCK)
def stock_arm(number: int, is_dealer: bool) -> Sprite:
    """Right hand and arm `number` of the stock: drawing one takes longer than filming a second."""
    pose = "hold" if is_dealer else "reach"
    return draw_hand(pose, arm_style(number, is_dealer), px_per_mm=_HAND_PX_PER_MM, arm_mm=_ARM_MM)


def mirrored(sprite: Sprite) -> Sprite:
    """A right hand as a left one."""
    art = np.ascontiguousarray(sprite.art[:, ::-1])
    x, y = sprite.anchor_px
    return replace(sprite, art=art, anchor_px=(art.shape[1] - 1 - x, y))


@dataclass(slots=True, eq=False)
class Wardrobe:
    """Art for one recording. What was dressed once is kept."""

    deck: Deck
    other_deck: Deck
    camera: Camera
    light: CameraLight
    seed: int
    lens_mm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    _cards: dict[tuple[object, ...], Picture] = field(default_factory=dict)
    _ready: dict[int, Picture] = field(default_factory=dict)  # of `_cards`, premultiplied, by identity
    _sprites: dict[tuple[object, ...], Sprite] = field(default_factory=dict)
    _dressed: dict[tuple[object, ...], Picture] = field(default_factory=dict)

    def __post_init__(self) -> None:
        x, y, z = (float(value) for value in self.camera.position_mm())
        self.lens_mm = (x, y, z)

    @property
    def size_wh(self) -> tuple[int, int]:
        """The picture's size."""
        return self.camera.size_wh

    def card_quads_px(self, poses: Sequence[Pose]) -> Points:
        """Where the corners of cards are seen (N, 4, 2), clockwise from the upper left of the face as printed."""
        corners = [card_corners_mm(pose, self.deck.size_mm) for pose in poses]
        points = np.concatenate([xy for xy, _ in corners])
        heights = np.concatenate([z for _, z in corners])
        return self.camera.mm_to_px(points, heights).reshape(-1, 4, 2)

    def card_layer(self, card: TableCard, quad_px: Points, is_moving: bool) -> Layer | None:
        """A card with these corners; face or back is what the corners' order says. A moving one is warped faster."""
        is_face = _turns_clockwise(quad_px)
        shown = quad_px if is_face else quad_px[[1, 0, 3, 2]]
        middle = quad_px.mean(axis=0)
        gain = self.light.gain_at((float(middle[0]), float(middle[1])), self.size_wh)
        scale = _step_up(float(np.linalg.norm(shown[3] - shown[0])) / self.deck.size_mm[1])
        art = self._card_art(card, is_face, scale, gain)
        if not is_moving:
            return warp_art(art, shown, self.size_wh)
        if id(art) not in self._ready:
            self._ready[id(art)] = premultiply(art)
        return warp_ready(self._ready[id(art)], shown, self.size_wh)

    def _card_art(self, card: TableCard, is_face: bool, px_per_mm: float, gain: float) -> Picture:
        what = (card.made_of, card.face) if is_face else (card.made_of == "other-deck", None)
        key = (*what, is_face, px_per_mm, gain)
        if key not in self._cards:
            art = self._face(card) if is_face else self._back(card)
            scale = px_per_mm * self.deck.size_mm[1] / art.shape[0]
            self._cards[key] = self.light.dress(shrink(art, scale), gain)
        return self._cards[key]

    def _face(self, card: TableCard) -> Picture:
        if card.face is None:
            return stock_other_card(0 if card.made_of == "joker" else 3).art
        return (self.other_deck if card.made_of == "other-deck" else self.deck).faces[card.face]

    def _back(self, card: TableCard) -> Picture:
        return (self.other_deck if card.made_of == "other-deck" else self.deck).back

    def hand_layer(self, owner: str, pose: Pose) -> Layer | None:
        """A hand and its arm, fingertips at the pose."""
        sprite = self._hand(owner)
        quad_px = self._sprite_quad_px(sprite, pose, float(np.pi) - float(np.radians(pose.turn_deg)), 20.0)
        return self._large(sprite, owner, quad_px, shadow_mm=11.0)

    def head_layer(self, owner: str, pose: Pose) -> Layer | None:
        """A player's head and shoulders."""
        key = ("head", owner)
        if key not in self._sprites:
            rng = np.random.default_rng([self.seed, 5, _number(owner)])
            self._sprites[key] = draw_head(rng, arm_style(self._arm_number(owner), False).sleeve_bgr)
        sprite = self._sprites[key]
        quad_px = self._sprite_quad_px(sprite, pose, -float(np.radians(pose.turn_deg)), 0.0)
        return self._large(sprite, f"head {owner}", quad_px, shadow_mm=30.0)

    def pile_layer(self, chips: tuple[int, ...], pose: Pose) -> Layer | None:
        """A stack of chips, the largest values at the bottom."""
        lean = _stepped_lean(self.lens_mm, pose)
        sprite = self._pile(chips, lean)
        quad_px = self._sprite_quad_px(sprite, pose, 0.0, 0.0)
        return self._large(sprite, f"{chips} {lean}", quad_px, shadow_mm=4.0)

    def sensor_layer(self, at_mm: tuple[float, float]) -> Layer | None:
        """The light of a progressive sensor."""
        key = ("sensor",)
        if key not in self._sprites:
            self._sprites[key] = _draw_sensor_light()
        quad_px = self._sprite_quad_px(self._sprites[key], Pose(*at_mm), 0.0, 0.0)
        return warp_ready(premultiply(self._sprites[key].art), quad_px, self.size_wh)

    def _sprite_quad_px(self, sprite: Sprite, pose: Pose, angle_rad: float, z_mm: float) -> Points:
        # A sprite's x runs the other way than the table's.
        corners = sprite.quad_mm((-pose.x_mm, pose.y_mm), angle_rad) * (-1, 1)
        return self.camera.mm_to_px(corners, pose.z_mm + z_mm)

    def _large(self, sprite: Sprite, name: str, quad_px: Points, shadow_mm: float) -> Layer | None:
        if not np.isfinite(quad_px).all():
            return None
        anchor = np.clip(quad_px.mean(axis=0), 0, self.size_wh)
        gain = round(self.light.gain_at((float(anchor[0]), float(anchor[1])), self.size_wh) * 12) / 12
        pad = int(shadow_mm * 2.2 * sprite.px_per_mm)
        key = (name, gain)
        if key not in self._dressed:
            if len(self._dressed) >= _MOST_KEPT:  # hundreds of rounds have thousands of different stacks of chips
                self._dressed.clear()
                self._sprites.clear()
            art = self.light.dress(sprite.art, gain)
            self._dressed[key] = soft_shadow(art, shadow_mm * sprite.px_per_mm, SHADOW_ALPHA, pad)
        wider = _grown(quad_px, pad / sprite.art.shape[1], pad / sprite.art.shape[0])
        return warp_ready(self._dressed[key], wider, self.size_wh)

    def _hand(self, owner: str) -> Sprite:
        key = ("hand", owner)
        if key not in self._sprites:
            person, side = owner.rsplit("-", 1)
            arm = stock_arm(self._arm_number(person), person == "dealer")
            self._sprites[key] = mirrored(arm) if side == "left" else arm
        return self._sprites[key]

    def _arm_number(self, person: str) -> int:
        return int(np.random.default_rng([self.seed, 4, _number(person)]).integers(ARM_STOCK))

    def _pile(self, chips: tuple[int, ...], lean: tuple[float, float]) -> Sprite:
        key = ("pile", chips, lean)
        if key not in self._sprites:
            self._sprites[key] = draw_pile(chips, lean, np.random.default_rng([self.seed, 6, len(chips)]))
        return self._sprites[key]


def draw_pile(chips: tuple[int, ...], lean: tuple[float, float], rng: np.random.Generator) -> Sprite:
    """Stacks of one value each, one on the other."""
    values: Mapping[int, int] = {value: chips.count(value) for value in sorted(set(chips), reverse=True)}
    below = 0
    parts: list[tuple[Sprite, float, float]] = []
    for value, count in values.items():
        sprite = draw_chip_stack(value // 100, min(count, 60), rng, lean=lean, px_per_mm=2.5)
        height = below * CHIP_HEIGHT_MM * sprite.px_per_mm
        parts.append((sprite, lean[0] * height, lean[1] * height))
        below += count
    return _stacked(parts)


def _stacked(parts: list[tuple[Sprite, float, float]]) -> Sprite:
    boxes = np.array(
        [
            (x - part.anchor_px[0], y - part.anchor_px[1], x - part.anchor_px[0] + part.art.shape[1],
             y - part.anchor_px[1] + part.art.shape[0])
            for part, x, y in parts
        ]
    )  # fmt: skip
    left, top = np.floor(boxes[:, :2].min(axis=0)).astype(int)
    right, bottom = np.ceil(boxes[:, 2:].max(axis=0)).astype(int)
    art = np.zeros((bottom - top + 1, right - left + 1, 4), np.uint8)
    for (part, _, _), box in zip(parts, boxes, strict=True):
        x, y = round(box[0]) - left, round(box[1]) - top
        window = art[y : y + part.art.shape[0], x : x + part.art.shape[1]]
        over = part.art[: window.shape[0], : window.shape[1]]
        alpha = over[..., 3:].astype(np.float32) / 255
        window[..., :3] = (over[..., :3] * alpha + window[..., :3] * (1 - alpha)).astype(np.uint8)
        window[..., 3] = np.maximum(window[..., 3], over[..., 3])
    first = parts[0][0]
    return Sprite(art, first.px_per_mm, (-float(left), -float(top)), 0.0)


def _draw_sensor_light() -> Sprite:
    """A red glow with a bright ring, over the printed sensor."""
    scale, reach = 3.0, 34
    ys, xs = np.mgrid[0 : int(2 * reach * scale), 0 : int(2 * reach * scale)].astype(np.float32) / scale - reach
    far = np.hypot(xs, ys)
    ring = np.exp(-(((far - 15.5) / 2.2) ** 2))
    glow = 0.42 * np.exp(-((far / 16) ** 2))
    alpha = np.clip(ring * 0.95 + glow, 0, 1)
    art = np.zeros((*far.shape, 4), np.uint8)
    art[..., :3] = (np.array([60, 60, 255]) + ring[..., None] * np.array([120, 130, 0])).clip(0, 255).astype(np.uint8)
    art[..., 3] = (alpha * 255).astype(np.uint8)
    return Sprite(art, scale, (reach * scale, reach * scale), 0.0)


def _turns_clockwise(quad_px: Points) -> bool:
    x, y = quad_px[:, 0], quad_px[:, 1]
    return bool(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) > 0)


def _step_up(px_per_mm: float) -> float:
    """A scale a little above this one, from a ladder, so that art is shared by cards seen about as large."""
    return float(1.15 ** np.ceil(np.log(max(px_per_mm, 0.05) * _MIP_MARGIN) / np.log(1.15)))


def _stepped_lean(lens_mm: tuple[float, float, float], pose: Pose) -> tuple[float, float]:
    x, y = lean_of(lens_mm, pose.xy_mm, 0.0)
    return -round(x * 12) / 12, round(y * 12) / 12


def _grown(quad_px: Points, share_x: float, share_y: float) -> Points:
    """A quad with a margin added on all sides, in parts of its own width and height."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, quad_px.astype(np.float32))
    wide = unit * (1 + 2 * np.array([share_x, share_y], np.float32)) - np.array([share_x, share_y], np.float32)
    return np.asarray(cv2.perspectiveTransform(wide[None], matrix)[0], np.float64)


def _number(name: str) -> int:
    """A number for a person, the same in every process."""
    return 0 if name == "dealer" else int("".join(letter for letter in name if letter.isdigit()) or 99)
