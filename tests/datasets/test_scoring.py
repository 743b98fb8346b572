"""Scores: right is the right card at the right place, wrong is a statement that is not true."""

import numpy as np
import pytest

from datasets.scoring import Score, score_picture, total
from datasets.stills.labels import IndexPatch, LabelledCard, StillLabel
from game.cards import Card
from vision.decide import Verdict
from vision.identify import Readings
from vision.reader import SeenBack, SeenCard, Sighting


def quad(x, y, height=100.0):
    width = height * 63 / 88
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


def lying(card, x, y, seen=1.0, height=100.0):
    place = quad(x, y, height).astype(float)
    patch = IndexPatch("upper-left", place * 1.0, place * 1.0, seen, seen)
    return LabelledCard(Card.parse(card), "up", place, 1.0, "drawn-1", (patch,))


def down(x, y):
    return LabelledCard(None, "down", quad(x, y).astype(float), 1.0, "drawn-1")


def said(card, x, y, reason=None, confidence=0.99):
    return SeenCard(Verdict(Card.parse(card), confidence, reason), quad(x, y), Readings.empty())


def scored(cards, seen, backs=(), **options):
    label = StillLabel("a.jpg", (640, 640), "count", 0, 0, tuple(cards))
    return score_picture(label, Sighting(tuple(seen), tuple(SeenBack(each, 0.9) for each in backs)), **options)


def test_nothing_there_and_nothing_said():
    score = scored([], [])
    assert (score.cards, score.right, score.wrong, score.exact_count) == (0, 0, 0, 1)


CASES = [
    pytest.param([lying("As", 10, 10)], [said("As", 12, 9)], (1, 1, 0), id="right"),
    pytest.param([lying("As", 10, 10)], [], (1, 0, 0), id="missed"),
    pytest.param([lying("As", 10, 10)], [said("As", 10, 10, "covered")], (1, 0, 0), id="refused"),
    pytest.param([lying("As", 10, 10)], [said("Ac", 10, 10)], (1, 0, 1), id="misread"),
    pytest.param([lying("As", 10, 10)], [said("As", 300, 300)], (1, 0, 1), id="elsewhere"),
    pytest.param([lying("As", 10, 10)], [said("As", 10, 10), said("As", 12, 12)], (1, 1, 1), id="said twice"),
    pytest.param(
        [lying("As", 9, 9), lying("As", 200, 9)], [said("As", 9, 9), said("As", 200, 9)], (2, 2, 0), id="twice there"
    ),
    pytest.param([lying("As", 10, 10, seen=0.5)], [], (0, 0, 0), id="half hidden, not demanded"),
    pytest.param([lying("As", 10, 10, seen=0.5)], [said("As", 10, 10)], (0, 0, 0), id="half hidden and read"),
    pytest.param([lying("As", 10, 10, seen=0.5)], [said("Ks", 10, 10)], (0, 0, 1), id="half hidden and misread"),
    pytest.param([down(10, 10)], [said("Ks", 10, 10)], (0, 0, 1), id="a back taken for a face"),
]  # fmt: skip


@pytest.mark.parametrize(("cards", "seen", "expected"), CASES)
def test_cards_are_counted(cards, seen, expected):
    score = scored(cards, seen)
    assert (score.cards, score.right, score.wrong) == expected
    assert len(score.mistakes) == score.wrong


def test_heights_choose_what_is_demanded():
    score = scored([lying("As", 10, 10, height=60), lying("Ks", 200, 10)], [], heights_px=(80.0, np.inf))
    assert score.cards == 1


def test_backs_are_counted():
    score = scored([down(10, 10), down(300, 300)], [], backs=[quad(11, 9), quad(500, 100)])
    assert (score.backs, score.backs_found, score.backs_wrong) == (2, 1, 1)


def test_a_mistake_says_what_was_there():
    assert scored([lying("As", 10, 10)], [said("Ac", 10, 10)]).mistakes == ("a.jpg: stated Ac (0.9900), there lies As",)


def test_scores_add_up():
    one = scored([lying("As", 10, 10)], [said("As", 10, 10)])
    two = scored([lying("As", 10, 10)], [said("Ac", 10, 10)])
    both = total([one, two])
    assert (both.pictures, both.cards, both.right, both.wrong) == (2, 2, 1, 1)
    assert both.right_share == 0.5
    assert total([]) == Score()
