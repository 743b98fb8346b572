"""The committed split, and the package decks where `make decks` has fetched them."""

import cv2
import numpy as np
import pytest

from datasets.decks import backgrounds, deck_names, load_deck
from datasets.decks.art import SPLITS, patch_art, size_px
from datasets.decks.catalogue import read_catalogue
from datasets.decks.fonts import font_names, font_path, read_fonts, verify_font
from datasets.decks.likeness import index_vectors, likeness
from datasets.decks.package import is_present
from game.cards import DECK

ENTRIES = list(read_catalogue().decks.values())
SAME_DRAWING = 0.93  # one drawing under two names is above, different ones are below


def fetched(name):
    if not is_present(read_catalogue().decks[name]):
        pytest.skip(f"deck {name} is not fetched; run `make decks`")
    return load_deck(name)


def test_no_drawing_is_in_two_splits():
    splits = {}
    for entry in ENTRIES:
        splits.setdefault(entry.drawing, set()).add(entry.split)
    assert {drawing for drawing, found in splits.items() if len(found) > 1} == set()
    assert {entry.split for entry in ENTRIES} == set(SPLITS)


def test_no_font_design_is_in_two_splits_and_none_is_for_test():
    splits = {}
    for font in read_fonts():
        splits.setdefault(font.design, set()).add(font.split)
    assert {design for design, found in splits.items() if len(found) > 1} == set()
    assert font_names("test") == ()
    assert min(len(font_names(split)) for split in ("train", "validation")) > 10


def test_test_decks_can_be_read():
    assert all(entry.identify for entry in ENTRIES if entry.split != "train")


def test_decks_with_foreign_letters_are_given_only_when_asked_for():
    foreign = {entry.name for entry in ENTRIES if not entry.identify and is_present(entry)}
    if not foreign:
        pytest.skip("no deck with foreign letters is fetched; run `make decks`")
    assert all(load_deck(name).identify for name in deck_names("train"))
    assert set(deck_names("train", foreign_letters=True)) - set(deck_names("train")) == foreign


def test_every_deck_and_font_has_a_licence():
    assert all(entry.licence for entry in ENTRIES)
    assert all(font.licence for font in read_fonts())


@pytest.mark.parametrize("name", [entry.name for entry in ENTRIES])
def test_a_package_deck_has_52_different_faces_with_an_index_in_each_stated_corner(name):
    deck = fetched(name)
    assert all(deck.faces[card].shape == (*size_px(deck.size_mm)[::-1], 4) for card in DECK[::9])
    seen = set()
    for card in DECK:
        face = deck.faces[card]
        seen.add(cv2.resize(face[..., :3], (63, 88), interpolation=cv2.INTER_AREA).tobytes())
        if card.rank % 4 == 2:
            assert all(patch_art(face, corner)[..., :3].std() > 12 for corner in deck.index_corners)
    assert len(seen) == 52


def test_no_test_drawing_is_like_one_that_trains():
    held_out = deck_names("test")
    others = [name for split in ("train", "validation") for name in deck_names(split, foreign_letters=True)]
    if not held_out or not others:
        pytest.skip("no package decks are fetched; run `make decks`")
    vectors = {name: index_vectors(load_deck(name)) for name in (*held_out, *others)}
    worst = max((likeness(vectors[a], vectors[b]), a, b) for a in held_out for b in others)
    assert worst[0] < SAME_DRAWING, worst


def test_one_drawing_under_two_names_is_found():
    pair = [name for name in ("npm-cardsjs", "npm-standard-deck") if is_present(read_catalogue().decks[name])]
    if len(pair) < 2:
        pytest.skip("the decks of one drawing are not fetched; run `make decks`")
    first, second = (index_vectors(load_deck(name)) for name in pair)
    assert likeness(first, second) > SAME_DRAWING


def test_fetched_fonts_have_all_signs():
    present = [path for font in read_fonts()[::20] if (path := font_path(font.file))]
    if not present:
        pytest.skip("no fonts are fetched; run `make decks`")
    for path in present:
        verify_font(path)


def test_backgrounds_are_in_one_split_each():
    found = {split: {path.name for path in backgrounds(split)} for split in SPLITS}
    if not any(found.values()):
        pytest.skip("no backgrounds are fetched; run `make decks`")
    assert found["train"].isdisjoint(found["test"] | found["validation"])
    picture = cv2.imread(str(backgrounds("train")[0]))
    assert 600 <= max(picture.shape[:2]) <= 1600
    assert np.ptp(picture) > 20
