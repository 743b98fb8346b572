"""Paint one scene, surface, clutter, cards, what lies on the cards, and count what of each card is left to be seen.

In: a view, a light, and things with their places. Out: the clean picture and a `LabelledCard` for each card.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from datasets.decks.art import Deck, index_patches_mm
from datasets.picture.compose import (
    Booked,
    Canvas,
    Layer,
    Picture,
    Points,
    book,
    cast_layer_shadow,
    cast_shadow,
    quad_area_px,
    visibility,
    warp_art,
)
from datasets.picture.lighting import Light
from datasets.picture.views import View
from datasets.props.sprite import Sprite
from datasets.stills.index_area import index_quad_mm
from datasets.stills.labels import IndexPatch, LabelledCard
from datasets.stills.scenes import Lie
from game.cards import Card

MESH_ROWS, MESH_COLUMNS = 9, 7
PROPS_FROM = 1000  # numbers in the id map below this are cards
LENS_MATTERS_FROM = 0.12  # of the picture's width; smaller cards are flat enough under any lens


@dataclass(frozen=True, slots=True, eq=False)
class PlacedCard:
    """A card of a deck (None: its back; or the art of a card that has no index) and how it lies."""

    lie: Lie
    deck: Deck
    card: Card | None = None
    other: Sprite | None = None

    @property
    def face(self) -> str:
        """As labels name it."""
        if self.other is not None:
            return "other"
        return "down" if self.card is None else "up"

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height."""
        return self.deck.size_mm if self.other is None else self.other.size_mm

    @property
    def art(self) -> Picture:
        """What is to be seen of it."""
        if self.other is not None:
            return self.other.art
        return self.deck.back if self.card is None else self.deck.faces[self.card]


@dataclass(frozen=True, slots=True, eq=False)
class PlacedProp:
    """A sprite and where it is put."""

    sprite: Sprite
    at_mm: tuple[float, float]
    angle_rad: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Shape:
    """Where the picture shows a card and its parts."""

    quad_px: Points
    outline_px: Points
    mesh_px: Points | None
    patches_px: tuple[Points, ...]
    indices_px: tuple[Points, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """A card in the picture and the areas of it that were booked."""

    placed: PlacedCard
    shape: _Shape
    card_area: Booked
    patch_areas: tuple[Booked, ...]
    index_areas: tuple[Booked, ...]


class StillLife:
    """A picture being painted, from the bottom up."""

    def __init__(self, view: View, light: Light, background: Picture, rng: np.random.Generator) -> None:
        self._view = view
        self._light = light
        self._rng = rng
        self._canvas = Canvas(background)
        self._laid: list[_Laid] = []
        self._props = PROPS_FROM

    @property
    def picture(self) -> Picture:
        """The clean picture as painted so far."""
        return self._canvas.picture

    def lay_card(self, placed: PlacedCard) -> None:
        """Put a card on top of everything so far."""
        shape = self._shape(placed)
        if shape is None:
            return
        number = len(self._laid) + 1
        self._shadow_of_card(placed, shape)
        shading = self._light.shading(placed.lie, self._rng)
        self._canvas.paste(placed.art, shape.quad_px, number, mesh_px=shape.mesh_px, shading=shading)
        booked = book(self._canvas, number, [shape.outline_px, *shape.patches_px, *shape.indices_px])
        middle = 1 + len(shape.patches_px)
        self._laid.append(_Laid(placed, shape, booked[0], booked[1:middle], booked[middle:]))

    def lay_prop(self, prop: PlacedProp) -> None:
        """Put a thing that is no card on top of everything so far."""
        quad_mm = prop.sprite.quad_mm(prop.at_mm, prop.angle_rad)
        quad = self._view.project(quad_mm, prop.sprite.height_mm)
        if not np.isfinite(quad).all():
            return
        layer = warp_art(prop.sprite.art, quad, self._view.size_wh)
        if layer is None:
            return
        self._shadow_of_prop(prop, layer)
        self._props += 1
        self._canvas.lay(layer, self._props)

    def labels(self) -> tuple[LabelledCard, ...]:
        """Every card of which anything was in view when it was laid, with what is left of it now."""
        return tuple(self._label(laid) for laid in self._laid)

    def _label(self, laid: _Laid) -> LabelledCard:
        placed = laid.placed
        corners = placed.deck.index_corners if placed.face == "up" else ()
        patches = tuple(
            IndexPatch(corner, points, index_px, visibility(self._canvas, patch), visibility(self._canvas, index))
            for corner, points, index_px, patch, index in zip(
                corners,
                laid.shape.patches_px,
                laid.shape.indices_px,
                laid.patch_areas,
                laid.index_areas,
                strict=True,
            )
        )
        seen = visibility(self._canvas, laid.card_area)
        return LabelledCard(placed.card, placed.face, laid.shape.quad_px, seen, placed.deck.name, patches)

    def _shape(self, placed: PlacedCard) -> _Shape | None:
        """Everything of a card that the camera is asked for, in one go; None when it is out of view."""
        corners, flat = _corners(placed.size_mm), placed.lie.is_flat
        wanted = [corners, _border(placed.size_mm), _mesh(placed.size_mm), *_index_areas(placed)]
        if flat and not self._view.is_bent:
            wanted[1:3] = [corners, np.empty((0, 2))]
        seen = self._view.project(*placed.lie.place(np.vstack(wanted), placed.size_mm))
        parts = np.split(seen, np.cumsum([len(points) for points in wanted])[:-1])
        quad = parts[0]
        if not np.isfinite(seen).all() or not _in_view(quad, self._view.size_wh):
            return None
        small = np.ptp(quad[:, 0]) < LENS_MATTERS_FROM * self._view.size_wh[0]
        needs_mesh = len(parts[2]) > 0 and not (flat and small)
        mesh = parts[2].reshape(MESH_ROWS, MESH_COLUMNS, 2) if needs_mesh else None
        corner_count = (len(parts) - 3) // 2
        patches, indices = parts[3 : 3 + corner_count], parts[3 + corner_count :]
        return _Shape(quad, parts[1] if needs_mesh else quad, mesh, tuple(patches), tuple(indices))

    def _shadow_of_card(self, placed: PlacedCard, shape: _Shape) -> None:
        """The dark line of contact around it and the softer shadow that the lamp casts."""
        width, height_mm = placed.size_mm
        scale = float(np.sqrt(quad_area_px(shape.quad_px) / (width * height_mm)))
        height = 0.45
        if not placed.lie.is_flat:
            heights = placed.lie.place(_corners(placed.size_mm), placed.size_mm)[1]
            height += 0.6 * float(heights.max() - placed.lie.z_mm)
        shift = (self._light.shift[0] * height * scale, self._light.shift[1] * height * scale)
        cast_shadow(self.picture, shape.outline_px, (0, 0), 0.9 * scale, 0.8 * self._light.strength)
        if height > 0.8 or np.hypot(*shift) > 0.6:
            blur = (0.4 + self._light.softness * height) * scale
            cast_shadow(self.picture, shape.outline_px, shift, blur, self._light.strength)

    def _shadow_of_prop(self, prop: PlacedProp, layer: Layer) -> None:
        height = max(prop.sprite.height_mm, 1.0)
        scale = self._view.px_per_mm(prop.at_mm)
        shift = (self._light.shift[0] * height * scale, self._light.shift[1] * height * scale)
        blur = min((0.6 + self._light.softness * height) * scale, 0.06 * max(self._view.size_wh))
        cast_layer_shadow(self.picture, layer, (0, 0), min(2.0 * scale, blur), 0.4 * self._light.strength)
        cast_layer_shadow(self.picture, layer, shift, blur, self._light.strength)


def _corners(size_mm: tuple[float, float]) -> Points:
    width, height = size_mm
    return np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])


def _border(size_mm: tuple[float, float]) -> Points:
    """Points along the four edges, so that a bent card has a bent outline."""
    corners = _corners(size_mm)
    steps = np.linspace(0, 1, 6, endpoint=False)[:, None]
    return np.vstack([a + (b - a) * steps for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)])


def _mesh(size_mm: tuple[float, float]) -> Points:
    """A regular grid over the card, row by row."""
    xs, ys = np.meshgrid(np.linspace(0, size_mm[0], MESH_COLUMNS), np.linspace(0, size_mm[1], MESH_ROWS))
    return np.column_stack([xs.ravel(), ys.ravel()])


def _index_areas(placed: PlacedCard) -> list[Points]:
    """The patches of a face, then the areas of their indices; none of a back."""
    if placed.card is None:
        return []
    corners = placed.deck.index_corners
    indices = [index_quad_mm(placed.deck, placed.card, corner) for corner in corners]
    return [*index_patches_mm(placed.size_mm, corners), *indices]


def _in_view(quad: Points, size_wh: tuple[int, int]) -> bool:
    return bool((quad.max(axis=0) > 0).all() and (quad.min(axis=0) < size_wh).all())


def lay_all(still: StillLife, things: Sequence[PlacedCard | PlacedProp]) -> None:
    """Lay things in their order, the first at the bottom."""
    for thing in things:
        if isinstance(thing, PlacedCard):
            still.lay_card(thing)
        else:
            still.lay_prop(thing)
