"""Pictures of a scene over time: only what changed since the last frame is drawn again.

In come a lit background, a wardrobe and scenes; out goes, for any time, the frame and where every card is seen in it.
Everything on the table is a layer. When a layer changes, the rectangles it left and entered are built anew from the
background up; an id map at half size, kept the same way, says how much of each card is visible.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.footage.motion import Pose, Track
from datasets.footage.round_plan import TableCard
from datasets.footage.stage import CHIP_LAYER, Scene
from datasets.footage.wardrobe import Wardrobe
from datasets.picture.compose import Layer, Picture, lay
from datasets.picture.sensor import Spot

Floats = NDArray[np.float64]
Rect = tuple[int, int, int, int]  # left, top, right, bottom

SHUTTER_S = 1 / 55
_ID_STEP = 2
_BLUR_FROM_PX = 1.2
_CARD_SHADOW_PX = 3
_LIGHT_LAYER = CHIP_LAYER - 1


@dataclass(frozen=True, slots=True)
class CardView:
    """A card in one frame."""

    number: int
    card: TableCard
    is_face_up: bool
    quad_px: tuple[float, ...]  # x, y of four corners, clockwise as seen, from the upper left of face or back
    visible: float  # the part of it that is in the picture and not covered
    is_moving: bool


@dataclass(slots=True, eq=False)
class _Item:
    """One thing in the picture: its layer, where in the heap it lies, and what tells that it changed."""

    look: tuple[object, ...]
    order: int
    layer: Layer | None
    number: int = 0  # in the id map; cards only
    pixels: int = 0  # of the id map, uncovered
    quad_px: Floats | None = None  # cards only


@dataclass(slots=True, eq=False)
class Film:
    """The state from frame to frame."""

    background: Picture  # lit, without glare
    wardrobe: Wardrobe
    glare: Sequence[Spot] = ()
    clean: Picture = field(init=False)
    frame: Picture = field(init=False)  # clean with glare; the same array when there is none
    _ids: NDArray[np.int16] = field(init=False)
    _items: dict[str, _Item] = field(default_factory=dict)
    _views: dict[int, CardView] = field(default_factory=dict)
    _glow: NDArray[np.float32] | None = field(init=False)

    def __post_init__(self) -> None:
        self.clean = self.background.copy()
        height, width = self.background.shape[:2]
        self._ids = np.zeros((-(-height // _ID_STEP), -(-width // _ID_STEP)), np.int16)
        self._glow = _glow_map(self.glare, (width, height))
        self.frame = self.clean if self._glow is None else self.clean.copy()
        if self._glow is not None:
            self._add_glare((0, 0, width, height))

    def show(self, scene: Scene, time_s: float) -> Mapping[int, CardView]:
        """Bring the frame to a time; gives the cards as they are seen, by number."""
        fresh = self._look_at(scene, time_s)
        dirty: list[Rect] = []
        for name in {**self._items, **fresh}:
            old, new = self._items.get(name), fresh.get(name)
            if old is not None and new is not None and old.look == new.look and old.order == new.order:
                continue
            dirty += [_rect(item.layer) for item in (old, new) if item is not None and item.layer is not None]
        width, height = self.wardrobe.size_wh
        dirty = [(left, top, min(right, width), min(bottom, height)) for left, top, right, bottom in dirty]
        self._items = fresh
        rects = merge_rects(dirty)
        heap = sorted((item for item in fresh.values() if item.layer is not None), key=lambda item: item.order)
        for rect in rects:
            self._redraw(rect, heap)
        self._update_views(scene, time_s, rects)
        return self._views

    def _look_at(self, scene: Scene, time_s: float) -> dict[str, _Item]:
        """Every thing present, old layers kept where nothing changed."""
        items: dict[str, _Item] = {}
        for number, (card, track) in scene.cards.items():
            if track.is_present(time_s):
                items[f"card {number}"] = self._card(number, card, track, time_s)
        for pile in scene.piles:
            if pile.chips and pile.track.is_present(time_s):
                items[f"pile {pile.name}"] = self._thing(f"pile {pile.name}", pile.track, time_s, pile.chips)
        for owner, track in scene.hands.items():
            items[f"hand {owner}"] = self._thing(f"hand {owner}", track, time_s, None)
        for owner, track in scene.heads.items():
            items[f"head {owner}"] = self._thing(f"head {owner}", track, time_s, None)
        for zone, (on_s, off_s) in scene.lights.items():
            if on_s <= time_s < off_s:
                items[f"light {zone}"] = self._lamp(zone, scene)
        return items

    def _card(self, number: int, card: TableCard, track: Track, time_s: float) -> _Item:
        name = f"card {number}"
        order = track.layer(time_s)
        pose = track.at(time_s)
        resting = track.is_at_rest(time_s)
        look: tuple[object, ...] = (card, pose, resting)
        old = self._items.get(name)
        if old is not None and old.look == look:
            return _Item(look, order, old.layer, number + 1, old.pixels, old.quad_px)
        poses = [track.at(at_s) for at_s in ((time_s,) if resting else _exposure(track, time_s))]
        quads = self.wardrobe.card_quads_px(poses)
        layers = [self._shadowed_card(card, quad, at.z_mm, resting) for quad, at in zip(quads, poses, strict=True)]
        layer = blend_layers([one for one in layers if one is not None])
        pixels = 0 if layer is None else int(np.count_nonzero(_id_mask(layer, self._ids.shape)[1]))
        return _Item(look, order, layer, number + 1, pixels, quads[len(quads) // 2])

    def _shadowed_card(self, card: TableCard, quad_px: Floats, z_mm: float, resting: bool) -> Layer | None:
        layer = self.wardrobe.card_layer(card, quad_px, is_moving=not resting)
        return None if layer is None else _with_shadow(layer, _CARD_SHADOW_PX + int(z_mm / 8), z_mm)

    def _thing(self, name: str, track: Track, time_s: float, chips: tuple[int, ...] | None) -> _Item:
        pose = track.at(time_s)
        resting = track.is_at_rest(time_s)
        look: tuple[object, ...] = (pose, resting, chips)
        order = track.layer(time_s)
        old = self._items.get(name)
        if old is not None and old.look == look:
            return _Item(look, order, old.layer)
        layer = self._thing_layer(name, pose, chips)
        if layer is not None and not resting:
            layer = _smeared(layer, self._shift_px(track, time_s))
        return _Item(look, order, layer)

    def _thing_layer(self, name: str, pose: Pose, chips: tuple[int, ...] | None) -> Layer | None:
        kind, owner = name.split(" ", 1)
        if chips is not None:
            return self.wardrobe.pile_layer(chips, pose)
        return self.wardrobe.hand_layer(owner, pose) if kind == "hand" else self.wardrobe.head_layer(owner, pose)

    def _lamp(self, zone: str, scene: Scene) -> _Item:
        old = self._items.get(f"light {zone}")
        if old is not None:
            return old
        return _Item(("lit",), _LIGHT_LAYER, self.wardrobe.sensor_layer(scene.sensors_mm[zone]))

    def _shift_px(self, track: Track, time_s: float) -> tuple[float, float]:
        ends = [track.at(time_s - SHUTTER_S / 2).xy_mm, track.at(time_s + SHUTTER_S / 2).xy_mm]
        # The lens bends a blur by less than a pixel: the plane's homography is enough here.
        seen = np.array([(*end, 1.0) for end in ends]) @ self.wardrobe.camera.homography_mm_to_px.T
        first, last = seen[:, :2] / seen[:, 2:]
        return float(last[0] - first[0]), float(last[1] - first[1])

    def _redraw(self, rect: Rect, heap: Iterable[_Item]) -> None:
        left, top, right, bottom = rect
        region = self.clean[top:bottom, left:right]
        region[...] = self.background[top:bottom, left:right]
        ids = self._ids[top // _ID_STEP : -(-bottom // _ID_STEP), left // _ID_STEP : -(-right // _ID_STEP)]
        ids[...] = 0
        for item in heap:
            if item.layer is None:
                continue
            clipped = _clip(item.layer, rect)
            if clipped is None:
                continue
            lay(region, clipped)
            window, mask = _id_mask(item.layer, self._ids.shape)
            _book(self._ids, window, mask, item.number, rect)
        if self._glow is not None:
            self._add_glare(rect)

    def _add_glare(self, rect: Rect) -> None:
        """Glare shines most where the surface is light, like a card."""
        left, top, right, bottom = rect
        region = self.clean[top:bottom, left:right]
        if self._glow is None:
            return
        glow = self._glow[top:bottom, left:right]
        shine = cv2.convertScaleAbs(cv2.GaussianBlur(region, (0, 0), 2).max(axis=2), alpha=0.8, beta=60)
        added = cv2.multiply(glow, shine, scale=1 / 255, dtype=cv2.CV_8U)
        self.frame[top:bottom, left:right] = cv2.add(region, cv2.merge([added, added, added]))

    def _update_views(self, scene: Scene, time_s: float, rects: Sequence[Rect]) -> None:
        views: dict[int, CardView] = {}
        for number, (card, track) in scene.cards.items():
            item = self._items.get(f"card {number}")
            if item is None or item.quad_px is None:
                continue
            old = self._views.get(number)
            touched = item.layer is not None and any(_meet(_rect(item.layer), rect) for rect in rects)
            if old is not None and not touched:
                views[number] = old
            else:
                views[number] = self._view(number, card, item.quad_px, not track.is_at_rest(time_s), item)
        self._views = views

    def _view(self, number: int, card: TableCard, quad: Floats, is_moving: bool, item: _Item) -> CardView:
        x, y = quad[:, 0], quad[:, 1]
        is_face = bool(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) > 0)
        shown = quad if is_face else quad[[1, 0, 3, 2]]
        visible = 0.0
        if item.layer is not None and item.pixels:
            window, _ = _id_mask(item.layer, self._ids.shape)
            seen = int(np.count_nonzero(self._ids[window] == item.number))
            visible = min(1.0, seen / item.pixels) * _inside(quad, self.wardrobe.size_wh)
        corners = tuple(round(float(value), 2) for value in shown.ravel())
        return CardView(number, card, is_face, corners, round(visible, 3), is_moving)


def _exposure(track: Track, time_s: float) -> tuple[float, ...]:
    """The moments of an exposure that are mixed into one picture, an odd number, more the faster a thing goes."""
    first, last = track.at(time_s - SHUTTER_S / 2), track.at(time_s + SHUTTER_S / 2)
    way = abs(last.x_mm - first.x_mm) + abs(last.y_mm - first.y_mm)
    count = 1 if way < 2 else 3 if way < 24 else 5
    return tuple(time_s + SHUTTER_S * ((step + 0.5) / count - 0.5) for step in range(count))


def blend_layers(layers: Sequence[Layer]) -> Layer | None:
    """The mean of layers: a thing blurred by its movement."""
    if len(layers) <= 1:
        return layers[0] if layers else None
    rects = np.array([_rect(layer) for layer in layers])
    left, top = rects[:, :2].min(axis=0)
    right, bottom = rects[:, 2:].max(axis=0)
    total = np.zeros((bottom - top, right - left, 4), np.uint16)
    for layer, (x, y, end_x, end_y) in zip(layers, rects, strict=True):
        total[y - top : end_y - top, x - left : end_x - left] += layer.bgra
    return Layer((int(left), int(top)), np.asarray(total // len(layers), np.uint8))


def _smeared(layer: Layer, shift_px: tuple[float, float]) -> Layer:
    """A large thing blurred by a movement in the plane: three copies along the way."""
    dx, dy = round(shift_px[0] / 3), round(shift_px[1] / 3)
    if abs(dx) + abs(dy) < _BLUR_FROM_PX:
        return layer
    pad_x, pad_y = abs(dx), abs(dy)
    height, width = layer.bgra.shape[:2]
    border = cv2.copyMakeBorder(layer.bgra, 2 * pad_y, 2 * pad_y, 2 * pad_x, 2 * pad_x, cv2.BORDER_CONSTANT)
    wide = np.asarray(border, np.uint8)

    def moved(step: int) -> Picture:
        y, x = pad_y - step * dy, pad_x - step * dx
        return wide[y : y + height + 2 * pad_y, x : x + width + 2 * pad_x]

    pair = cv2.addWeighted(moved(-1), 0.5, moved(1), 0.5, 0)
    mixed = np.asarray(cv2.addWeighted(moved(0), 1 / 3, pair, 2 / 3, 0), np.uint8)
    return Layer(*_cut_at_zero(layer.origin_xy[0] - pad_x, layer.origin_xy[1] - pad_y, mixed))


def _cut_at_zero(x: int, y: int, bgra: Picture) -> tuple[tuple[int, int], Picture]:
    """A layer begins inside the picture."""
    return (max(x, 0), max(y, 0)), np.ascontiguousarray(bgra[max(-y, 0) :, max(-x, 0) :])


def _with_shadow(layer: Layer, blur_px: int, z_mm: float) -> Layer:
    """A card and the soft shadow it throws, farther the higher it is held."""
    pad = 2 * blur_px
    wide = cv2.copyMakeBorder(layer.bgra, pad, pad, pad, pad, cv2.BORDER_CONSTANT)
    size = 2 * blur_px + 1
    shadow = cv2.blur(wide[..., 3], (size, size))
    offset = 1 + int(z_mm / 10)
    shadow = np.roll(shadow, (offset, offset), axis=(0, 1)) if z_mm > 1 else shadow
    strength = 0.42 if z_mm <= 2 else 0.3
    under = cv2.multiply(cv2.convertScaleAbs(shadow, alpha=strength), cv2.bitwise_not(wide[..., 3]), scale=1 / 255)
    out = np.asarray(wide, np.uint8).copy()
    out[..., 3] = cv2.add(out[..., 3], under)
    return Layer(*_cut_at_zero(layer.origin_xy[0] - pad, layer.origin_xy[1] - pad, out))


def _rect(layer: Layer) -> Rect:
    x, y = layer.origin_xy
    return x, y, x + layer.bgra.shape[1], y + layer.bgra.shape[0]


def _meet(one: Rect, other: Rect) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def merge_rects(rects: Sequence[Rect]) -> list[Rect]:
    """Rectangles that cover all of these, joined where they overlap: no pixel is drawn twice.

    >>> merge_rects([(0, 0, 4, 4), (2, 2, 6, 6), (10, 0, 12, 2)])
    [(10, 0, 12, 2), (0, 0, 6, 6)]
    """
    waiting = [_even(rect) for rect in rects]
    done: list[Rect] = []
    while waiting:
        rect = waiting.pop()
        hit = next((other for other in done if _meet(rect, other)), None)
        if hit is None:
            done.append(rect)
            continue
        done.remove(hit)
        waiting.append((min(rect[0], hit[0]), min(rect[1], hit[1]), max(rect[2], hit[2]), max(rect[3], hit[3])))
    return done


def _even(rect: Rect) -> Rect:
    """Grown to the id map's grid."""
    left, top, right, bottom = rect
    step = _ID_STEP
    return left // step * step, top // step * step, -(-right // step) * step, -(-bottom // step) * step


def _clip(layer: Layer, rect: Rect) -> Layer | None:
    """The part of a layer in a rectangle, placed relative to it."""
    own = _rect(layer)
    left, top = max(own[0], rect[0]), max(own[1], rect[1])
    right, bottom = min(own[2], rect[2]), min(own[3], rect[3])
    if left >= right or top >= bottom:
        return None
    part = layer.bgra[top - own[1] : bottom - own[1], left - own[0] : right - own[0]]
    return Layer((left - rect[0], top - rect[1]), part)


def _id_mask(layer: Layer, shape: tuple[int, ...]) -> tuple[tuple[slice, slice], NDArray[np.bool_]]:
    """Where in the id map a layer covers what is below, and its window there."""
    x, y = layer.origin_xy
    alpha = layer.bgra[-y % _ID_STEP :: _ID_STEP, -x % _ID_STEP :: _ID_STEP, 3]
    row, column = -(-y // _ID_STEP), -(-x // _ID_STEP)
    alpha = alpha[: max(shape[0] - row, 0), : max(shape[1] - column, 0)]
    window = (slice(row, row + alpha.shape[0]), slice(column, column + alpha.shape[1]))
    return window, alpha >= 128


def _book(
    ids: NDArray[np.int16],
    window: tuple[slice, slice],
    mask: NDArray[np.bool_],
    number: int,
    rect: Rect,
) -> None:
    """Write a number into the id map where the mask says so, inside the rectangle only."""
    rows, columns = window
    top, bottom = max(rows.start, rect[1] // _ID_STEP), min(rows.stop, -(-rect[3] // _ID_STEP))
    left, right = max(columns.start, rect[0] // _ID_STEP), min(columns.stop, -(-rect[2] // _ID_STEP))
    if top < bottom and left < right:
        part = mask[top - rows.start : bottom - rows.start, left - columns.start : right - columns.start]
        ids[top:bottom, left:right][part] = number


def _inside(quad_px: Floats, size_wh: tuple[int, int]) -> float:
    """The part of a quad's area that lies in the picture."""
    width, height = size_wh
    if quad_px.min() >= 0 and (quad_px.max(axis=0) <= (width - 1, height - 1)).all():
        return 1.0
    area = cv2.contourArea(quad_px.astype(np.float32))
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    shared, _ = cv2.intersectConvexConvex(quad_px.astype(np.float32), frame)
    return float(min(1.0, shared / area)) if area > 0 else 0.0


def _glow_map(spots: Sequence[Spot], size_wh: tuple[int, int]) -> NDArray[np.float32] | None:
    """What glare adds to white, over the whole picture."""
    if not spots:
        return None
    ys, xs = np.mgrid[0:270, 0:480].astype(np.float32)
    xs, ys = xs / 479, ys / 269
    glow = np.zeros(xs.shape, np.float32)
    for spot in spots:
        dx, dy = xs - spot.at[0], ys - spot.at[1]
        cos, sin = np.cos(spot.angle_rad), np.sin(spot.angle_rad)
        along, across = (dx * cos + dy * sin) / spot.stretch, dy * cos - dx * sin
        glow += spot.strength * 255 * np.exp(-(along**2 + across**2) / spot.radius**2)
    return np.asarray(cv2.resize(glow, size_wh), np.float32)
