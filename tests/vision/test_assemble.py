"""Patches of one card are one card; patches of two cards are two, even if they say the same."""

import numpy as np
import pytest

from datasets.decks.art import CORNERS, index_patches_mm
from vision.assemble import assemble, card_quads, distinct
from vision.identify import Readings
from vision.locate import IndexMarks

SIZE_MM = (63.0, 88.0)


def placed(points_mm, at, angle, scale=1.2):
    """Points of a card as a picture shows them when its middle lies at `at`."""
    centred = (points_mm - np.array(SIZE_MM) / 2) * scale
    cos, sin = np.cos(angle), np.sin(angle)
    return centred @ np.array([[cos, sin], [-sin, cos]]) + at


def patch(at, angle, corner="upper-left", wobble=0.0, seed=0):
    quad = placed(index_patches_mm(SIZE_MM, [corner])[0], at, angle)
    return quad + np.random.default_rng(seed).normal(0, wobble, (4, 2))


def marks_of(quads):
    points = np.array(quads, np.float32).reshape(-1, 4, 2)
    return IndexMarks(points, np.full(len(points), 0.9, np.float32), np.zeros(len(points), bool))


def readings_of(cards, legible=None, right=None):
    logs = np.full((len(cards), 52), np.log(0.001), np.float32)
    for row, card in enumerate(cards):
        if card is not None:
            logs[row, card] = np.log(0.95)
    legible = [0.99 if card is not None else 0.1 for card in cards] if legible is None else legible
    right = [False] * len(cards) if right is None else right
    return Readings(
        logs, np.array(legible, np.float32), np.array(right, np.float32), np.zeros((len(logs), 4, 2), np.float32)
    )


def grouped(quads, cards, right=None):
    return assemble(marks_of(quads), readings_of(cards, right=right)).owner.tolist()


def test_nothing_is_no_card():
    assert len(assemble(IndexMarks.empty(), Readings.empty())) == 0


ONE_OR_TWO = [
    pytest.param([patch((300, 300), 0.3)], [7], [0], id="one corner"),
    pytest.param([patch((300, 300), 0.3), patch((300, 300), 0.3, "lower-right")], [7, 7], [0, 0], id="both corners"),
    pytest.param(
        [patch((300, 300), 2.0, wobble=1.0), patch((300, 300), 2.0, "lower-right", 1.0, 5)], [7, 7], [0, 0], id="wobbly"
    ),
    pytest.param([patch((300, 300), 0.3), patch((300, 300), 0.3, "lower-right")], [7, None], [0, 0], id="one hidden"),
    pytest.param([patch((300, 300), 0.3), patch((300, 300), 0.3, "lower-right")], [7, 8], [0, 1], id="contradiction"),
    pytest.param([patch((300, 300), 0.3), patch((420, 300), 0.3)], [7, 7], [0, 1], id="the same card twice"),
    pytest.param([patch((300, 300), 0.0), patch((312, 300), 0.0)], [7, 9], [0, 1], id="neighbours in a fan"),
    pytest.param(
        [patch((300, 300), 0.0), patch((300, 300), 0.0, "lower-right"), patch((310, 308), 0.0)],
        [7, 7, 9],
        [0, 0, 1],
        id="a card almost on another",
    ),
    pytest.param(
        [patch((300, 300), 0.0), patch((380, 300), 0.0, "lower-right")], [7, 7], [0, 1], id="duplicate side by side"
    ),
]


@pytest.mark.parametrize(("quads", "cards", "owners"), ONE_OR_TWO)
def test_patches_become_cards(quads, cards, owners):
    assert grouped(quads, cards) == owners


def test_four_indices_are_one_card():
    quads = [patch((300, 300), 1.1, corner) for corner in CORNERS]
    right = [corner in ("upper-right", "lower-left") for corner in CORNERS]
    assert grouped(quads, [7] * 4, right) == [0, 0, 0, 0]


def test_a_weak_echo_of_an_index_is_no_card():
    quads = [patch((300, 300), 0.0), patch((300, 300), 0.0, "lower-right"), patch((306, 305), 0.0)]
    marks = IndexMarks(np.array(quads, np.float32), np.array([0.8, 0.7, 0.2], np.float32), np.zeros(3, bool))
    assert assemble(marks, readings_of([7, 7, 7])).owner.tolist() == [0, 0, 0]


def test_two_equal_cards_almost_on_each_other_stay_two():
    quads = [patch((300, 300), 0.0), patch((309, 300), 0.0)]
    assert grouped(quads, [7, 7]) == [0, 1]


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("angle", [0.0, 0.7, 3.0, 5.5])
def test_a_patch_predicts_its_card(corner, angle):
    right = np.array([corner in ("upper-right", "lower-left")])
    whole = placed(np.array([[0, 0], [63, 0], [63, 88], [0, 88]], float), (300, 300), angle)
    expected = np.roll(whole, -2, axis=0) if corner.startswith("lower") else whole
    predicted = card_quads(np.array([patch((300, 300), angle, corner)], np.float32), right)[0]
    assert np.abs(predicted - expected).max() < 0.01


def test_two_corners_give_the_exact_quad_under_perspective():
    matrix = np.array([[1.1, 0.1, 5], [0.05, 0.9, 8], [0.0004, 0.0006, 1]])

    def seen(points):
        out = np.column_stack([points, np.ones(len(points))]) @ matrix.T
        return out[:, :2] / out[:, 2:]

    quads = [seen(patch((300, 300), 0.4, corner)) for corner in ("upper-left", "lower-right")]
    assembly = assemble(marks_of(quads), readings_of([7, 7]))
    whole = seen(placed(np.array([[0, 0], [63, 0], [63, 88], [0, 88]], float), (300, 300), 0.4))
    assert len(assembly) == 1
    assert np.abs(assembly.quads[0] - whole).max() < 0.05


def test_a_known_height_makes_up_for_a_misleading_index():
    """One corner, seen a quarter too small: its card lies where it does because cards are as high as they are."""
    quad = patch((300, 300), 0.4)
    shrunk = quad[0] + (quad - quad[0]) * 0.75
    whole = placed(np.array([[0, 0], [63, 0], [63, 88], [0, 88]], float), (300, 300), 0.4)
    assembly = assemble(marks_of([shrunk]), readings_of([7]), card_height_px=88 * 1.2)
    assert np.abs(assembly.quads[0] - whole).max() < 2


def test_cards_with_two_corners_tell_how_large_the_others_are():
    """A deck with a small index: every corner predicts its card a sixth too small."""
    places = [(150, 150), (300, 150), (450, 150), (150, 300)]
    corners = [(at, corner) for at in places[:3] for corner in ("upper-left", "lower-right")] + [
        (places[3], "upper-left")
    ]
    quads = [patch(at, 0.0, corner) for at, corner in corners]
    small = [quad[0] + (quad - quad[0]) * 0.85 for quad in quads]
    assembly = assemble(marks_of(small), readings_of([1, 1, 2, 2, 3, 3, 4]))
    assert assembly.owner.tolist() == [0, 0, 1, 1, 2, 2, 3]
    alone = card_quads(np.array([small[6]], np.float32), np.array([False]))[0]
    error, error_alone = (np.linalg.norm(quad.mean(axis=0) - places[3]) for quad in (assembly.quads[3], alone))
    assert error < 0.7 * error_alone


READ_TWICE = [
    pytest.param([], [], [], id="nothing"),
    pytest.param([patch((300, 300), 0.3)], [7], [0], id="once"),
    pytest.param([patch((300, 300), 0.3), patch((301, 300), 0.3)], [7, 7], [0], id="one index read twice"),
    pytest.param([patch((300, 300), 0.3), patch((301, 300), 0.3)], [7, None], [0], id="the second is not legible"),
    pytest.param([patch((300, 300), 0.3), patch((301, 300), 0.3)], [7, 8], [0, 1], id="two that contradict"),
    pytest.param([patch((300, 300), 0.3), patch((312, 300), 0.3)], [7, 7], [0, 1], id="two that agree, apart"),
]


@pytest.mark.parametrize(("quads", "cards", "kept"), READ_TWICE)
def test_an_index_that_was_read_twice_counts_once(quads, cards, kept):
    assert distinct(marks_of(quads), readings_of(cards)).tolist() == kept
