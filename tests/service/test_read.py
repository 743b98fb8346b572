"""`foursight read`, through the committed networks, on pictures of a drawn deck and on files that are no pictures."""

import json

import cv2
import numpy as np
import pytest

from datasets.scoring import PLACE
from datasets.stills.presets import still_preset
from datasets.stills.simulate import make_still
from game.cards import Card
from service.cli import main

SEED, DECK = 21, "drawn-9"
KEYS = {"image", "cards", "face_down", "unreadable"}


@pytest.fixture(scope="module")
def stills():
    preset = still_preset("count")
    return [make_still(SEED, number, preset, DECK) for number in range(6)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, stills):
    folder = tmp_path_factory.mktemp("pictures")
    for number, still in enumerate(stills):
        cv2.imwrite(str(folder / f"{number}.png"), still.picture)
    return folder


def read(capsys, *arguments):
    status = main(["read", *map(str, arguments)])
    return status, capsys.readouterr()


def lying_at(still, quad):
    """The cards that really lie where a quad says one is."""
    middle = np.mean(quad, axis=0)
    return [
        card
        for card in still.label.cards
        if np.linalg.norm(card.quad_px.mean(axis=0) - middle) < PLACE * card.height_px
    ]


def test_cards_are_read_where_they_lie_or_refused_there(capsys, folder, stills):
    status, printed = read(capsys, folder, "--json")
    assert status == 0
    records = [json.loads(line) for line in printed.out.splitlines()]
    assert [record.keys() for record in records] == [KEYS] * len(stills)
    stated = refused = 0
    for record, still in zip(records, stills, strict=True):
        for each in record["cards"]:
            assert Card.parse(each["card"]) in {card.card for card in lying_at(still, each["quad"])}
            assert 0.5 < each["confidence"] <= 1
            stated += 1
        refused += sum(bool(lying_at(still, each["quad"]) and each["reason"]) for each in record["unreadable"])
    cards = sum(len(still.label.cards) for still in stills)
    assert stated >= 0.4 * cards
    assert stated + refused >= 0.9 * cards


def test_the_same_picture_gives_the_same_line(capsys, folder):
    lines = {read(capsys, folder / "0.png", "--json")[1].out for _ in range(3)}
    assert len(lines) == 1


def test_drawn_pictures_show_what_was_read(capsys, folder, tmp_path):
    assert read(capsys, folder / "0.png", "--draw", tmp_path / "drawn")[0] == 0
    drawn = cv2.imread(str(tmp_path / "drawn" / "0.png"))
    assert drawn is not None
    assert not np.array_equal(drawn, cv2.imread(str(folder / "0.png")))


def test_words_for_people(capsys, folder):
    assert "0.png: " in read(capsys, folder / "0.png")[1].out


def test_a_file_that_is_no_picture_does_not_stop_the_rest(capsys, folder, tmp_path):
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no picture")
    status, printed = read(capsys, broken, tmp_path / "missing.png", folder / "0.png", "--json")
    first, second, third = (json.loads(line) for line in printed.out.splitlines())
    assert status == 2
    assert first.keys() == second.keys() == {"image", "error"}
    assert "no picture" in first["error"]
    assert "cannot be opened" in second["error"]
    assert third.keys() == KEYS


NOTHING = [
    pytest.param(np.zeros((480, 640, 3), np.uint8), id="black"),
    pytest.param(np.full((480, 640, 3), 255, np.uint8), id="white"),
    pytest.param(np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8), id="noise"),
    pytest.param(np.zeros((16, 2000, 3), np.uint8), id="a strip"),
    pytest.param(np.tile(np.array([[[0, 0, 0], [255, 255, 255]]], np.uint8), (300, 200, 1)), id="stripes"),
]


@pytest.mark.parametrize("picture", NOTHING)
def test_where_there_is_no_card_none_is_stated(capsys, tmp_path, picture):
    cv2.imwrite(str(tmp_path / "a.png"), picture)
    status, printed = read(capsys, tmp_path / "a.png", "--json")
    assert status == 0
    assert json.loads(printed.out)["cards"] == []


def test_a_model_that_is_not_there(capsys, folder):
    status, printed = read(capsys, folder / "0.png", "--model", folder / "none.pt")
    assert status == 2
    assert printed.err.count("\n") == 1
