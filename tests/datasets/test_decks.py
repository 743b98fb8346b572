"""Drawn decks, the geometry of index patches, and what is said when decks are missing."""

import numpy as np
import pytest

from datasets.decks import Deck, deck_names, index_patches_mm, load_deck, random_deck
from datasets.decks.art import CORNERS, PATCH_HEIGHT, PATCH_WIDTH, TWO_CORNERS, patch_art, size_px
from datasets.decks.backs import draw_back
from datasets.decks.drawn import draw_deck, drawn_signs, drawn_split, drawn_style
from datasets.decks.faces import draw_index, index_boxes
from datasets.decks.pen import PenForm
from datasets.decks.style import _LAYOUTS
from datasets.errors import DatasetError
from game.cards import DECK, Card

SEEDS = range(40)
SAMPLE = [Card.parse(text) for text in ("2c", "Td", "Qh", "As")]


def test_patches_of_no_corner_are_none():
    assert index_patches_mm((63, 88), ()).shape == (0, 4, 2)


@pytest.mark.parametrize(
    ("corner", "first", "third"),
    [
        pytest.param("upper-left", (0, 0), (21.42, 38.72), id="upright at the upper left"),
        pytest.param("lower-right", (63, 88), (41.58, 49.28), id="turned at the lower right"),
        pytest.param("upper-right", (41.58, 0), (63, 38.72), id="upright at the upper right"),
        pytest.param("lower-left", (21.42, 88), (0, 49.28), id="turned at the lower left"),
    ],
)
def test_patch_key_points_start_at_the_upper_left_as_read(corner, first, third):
    (patch,) = index_patches_mm((63, 88), [corner])
    assert patch[0] == pytest.approx(first)
    assert patch[2] == pytest.approx(third)


def test_patch_key_points_go_clockwise():
    for patch in index_patches_mm((63, 88), CORNERS):
        sides = np.roll(patch, -1, axis=0) - patch
        turns = sides[:, 0] * np.roll(sides, -1, axis=0)[:, 1] - sides[:, 1] * np.roll(sides, -1, axis=0)[:, 0]
        assert (turns > 0).all()


def test_every_patch_of_a_four_corner_deck_shows_the_same_index():
    seed = next(seed for seed in range(400) if drawn_style(seed).layout.corners == CORNERS)
    deck = draw_deck(seed)
    upright, *others = (patch_art(deck.faces[Card.parse("7s")], corner)[..., :3].astype(float) for corner in CORNERS)
    ink = [other.min(axis=2) < 128 for other in (upright, *others)]
    assert all(found.any() for found in ink)
    sizes = [np.ptp(np.argwhere(found[: found.shape[0] // 3]), axis=0) for found in ink]
    assert np.ptp(np.array([size[0] for size in sizes])) <= 2


@pytest.mark.parametrize("seed", [0, 4, 11])
def test_a_drawn_deck_is_the_same_every_time(seed):
    first = draw_deck(seed)
    faces = {card: first.faces[card].copy() for card in SAMPLE}
    draw_deck.cache_clear()
    again = draw_deck(seed)
    assert again is not first
    assert np.array_equal(first.back, again.back)
    assert all(np.array_equal(faces[card], again.faces[card]) for card in SAMPLE)


def test_a_face_does_not_depend_on_what_was_drawn_before():
    draw_deck.cache_clear()
    king = Card.parse("Kh")
    alone = draw_deck(3).faces[king].copy()
    draw_deck.cache_clear()
    deck = draw_deck(3)
    for card in SAMPLE:
        deck.faces[card]
    assert np.array_equal(alone, deck.faces[king])


def test_ten_seeds_look_clearly_different():
    small = [draw_deck(seed).faces[Card.parse("Ks")][::16, ::16, :3].astype(float)[:, :28] for seed in range(10)]
    backs = [draw_deck(seed).back[::16, ::16, :3].astype(float)[:, :28] for seed in range(10)]
    for pictures in (small, backs):
        for number, first in enumerate(pictures):
            for second in pictures[number + 1 :]:
                assert np.abs(first - second).mean() > 4


def test_the_look_covers_all_layouts_sizes_and_colours():
    styles = [drawn_style(seed) for seed in range(300)]
    assert {style.layout.kind for style in styles} == set(_LAYOUTS)
    assert {style.size_mm[0] for style in styles} == {57.0, 63.0}
    assert {len(set(style.inks.values())) for style in styles} == {2, 4}
    assert len({style.back for style in styles}) == 10
    assert {style.court for style in styles} == {"figure", "emblem", "letter"}


@pytest.mark.parametrize("seed", SEEDS)
def test_every_index_lies_within_its_patch(seed):
    style = drawn_style(seed)
    signs, _ = drawn_signs(style)
    width, height = style.size_mm[0] * PATCH_WIDTH, style.size_mm[1] * PATCH_HEIGHT
    for card in DECK:
        for box in index_boxes(style, signs, card):
            assert box.left >= 1
            assert box.top >= 1
            assert box.right <= width
            assert box.bottom <= height


@pytest.mark.parametrize("seed", SEEDS[::5])
def test_the_printed_index_lies_within_its_patches(seed):
    style = drawn_style(seed)
    signs, _ = drawn_signs(style)
    width, height = size_px(style.size_mm)
    for card in SAMPLE:
        face = np.full((height, width, 3), 255, np.uint8)
        draw_index(face, style, signs, card)
        ink = (face < 200).any(axis=2)
        patch_w, patch_h = round(width * PATCH_WIDTH), round(height * PATCH_HEIGHT)
        assert ink[:patch_h, :patch_w].any()
        ink[:patch_h, :patch_w] = False
        if "upper-right" in style.layout.corners:
            assert ink[:patch_h, -patch_w:].any()
            ink[:patch_h, -patch_w:] = False
        assert not ink.any()


def test_number_cards_are_the_same_turned_but_for_their_middle():
    deck = draw_deck(next(seed for seed in range(50) if drawn_style(seed).pips == "standard"))
    face = deck.faces[Card.parse("4s")][..., :3].astype(int)
    assert np.abs(face - face[::-1, ::-1]).mean() < 1.5


def test_faces_and_back_are_bgra_with_rounded_corners():
    deck = draw_deck(2)
    for art in (deck.faces[DECK[0]], deck.back):
        assert art.shape == (*size_px(deck.size_mm)[::-1], 4)
        assert art[0, 0, 3] == 0
        assert art[art.shape[0] // 2, art.shape[1] // 2, 3] == 255
        assert not art.flags.writeable


def test_backs_are_the_same_turned():
    for seed in range(12):
        back = draw_back(drawn_style(seed)).astype(int)
        assert np.abs(back - back[::-1, ::-1]).mean() < 6


def test_drawn_decks_of_train_and_validation_share_no_drawing():
    drawings = {"train": set(), "validation": set()}
    for seed in range(120):
        style = drawn_style(seed)
        drawings[drawn_split(seed)].add(style.pen.drawing)
        assert style.pen.split == drawn_split(seed)
    assert drawings["train"].isdisjoint(drawings["validation"])


def test_a_pen_design_knows_its_split():
    rng = np.random.default_rng(5)
    assert {PenForm.random(rng, split).split for split in ("train", "validation")} == {"train", "validation"}


def test_random_decks_are_of_the_split_and_repeat_by_seed():
    for split in ("train", "validation"):
        names = [random_deck(split, np.random.default_rng([1, number])).name for number in range(6)]
        assert names == [random_deck(split, np.random.default_rng([1, number])).name for number in range(6)]
        assert len(set(names)) > 2
        assert {load_deck(name).split for name in names} == {split}


def test_asking_for_a_test_deck_without_any_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("FOURSIGHT_CACHE", str(tmp_path))
    assert deck_names("test") == ()
    with pytest.raises(DatasetError, match="make decks"):
        random_deck("test", np.random.default_rng(0))


def test_drawn_decks_need_nothing_fetched(monkeypatch, tmp_path):
    monkeypatch.setenv("FOURSIGHT_CACHE", str(tmp_path))
    draw_deck.cache_clear()
    decks = [random_deck("train", np.random.default_rng(number)) for number in range(3)]
    draw_deck.cache_clear()
    assert all(deck.name.startswith("drawn-") and deck.drawing.startswith("pen-") for deck in decks)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        pytest.param(lambda: load_deck("nothing"), "no deck 'nothing'", id="unknown deck"),
        pytest.param(lambda: deck_names("training"), "'training' is no split", id="unknown split"),
        pytest.param(lambda: index_patches_mm((63, 88), ["top"]), "no corners", id="unknown corner"),
    ],
)
def test_wrong_names_are_refused(call, message):
    with pytest.raises(DatasetError, match=message):
        call()


def test_a_deck_refuses_a_back_of_another_size():
    with pytest.raises(DatasetError, match="the back is"):
        Deck("x", "x", "train", (63.0, 88.0), TWO_CORNERS, {}, np.zeros((10, 10, 4), np.uint8), "")
