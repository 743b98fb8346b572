"""Labels go out in three formats and mean the same in each."""

import numpy as np
import pytest

from datasets.errors import DatasetError
from datasets.stills.labels import (
    IndexPatch,
    LabelledCard,
    StillLabel,
    coco,
    count_cards,
    label_from_json,
    label_to_json,
    orientation,
    read_labels,
    targets,
    targets_from_yolo,
    upright_back,
    yolo_dataset,
    yolo_text,
)
from game.cards import Card


def quad(x, y, width=40.0, height=56.0):
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])


def face_up(text="As", x=10.0, y=12.0, seen=(1.0, 1.0)):
    corners = ("upper-left", "lower-right")
    patches = tuple(
        IndexPatch(corner, points, points * 1.0, visible, visible)
        for corner, points, visible in zip(
            corners, (quad(x, y, 14, 24), quad(x + 26, y + 32, 14, 24)[[2, 3, 0, 1]]), seen, strict=True
        )
    )
    return LabelledCard(Card.parse(text), "up", quad(x, y), 0.9, "drawn-000001", patches)


def face_down(x=90.0, y=20.0, visible=1.0):
    return LabelledCard(None, "down", quad(x, y), visible, "drawn-000001")


def label(*cards, size_wh=(160, 120)):
    return StillLabel("images/000003.jpg", size_wh, "train", 5, 3, cards)


SETS = [
    pytest.param(label(), id="empty"),
    pytest.param(label(face_up()), id="one card"),
    pytest.param(label(face_up(), face_down(), LabelledCard(None, "other", quad(60, 60), 1.0, "d")), id="mixed"),
    pytest.param(label(face_up(x=-8, y=80)), id="cut by the edge"),
    pytest.param(label(face_up(seen=(1.0, 0.3)), face_down(visible=0.05)), id="half hidden"),
]


@pytest.mark.parametrize("given", SETS)
def test_json_lines_go_there_and_back(given):
    read = label_from_json(label_to_json(given))
    assert label_to_json(read) == label_to_json(given)
    assert read.size_wh == given.size_wh
    for card, other in zip(read.cards, given.cards, strict=True):
        assert (card.card, card.face, card.deck) == (other.card, other.face, other.deck)
        assert card.quad_px == pytest.approx(other.quad_px, abs=1e-3)


@pytest.mark.parametrize("given", SETS)
def test_yolo_goes_there_and_back(given):
    for ignored in (False, True):
        wanted = [target for target in targets(given) if target.is_ignored == ignored]
        read = targets_from_yolo(yolo_text(given, ignored=ignored), given.size_wh)
        assert [target.kind for target in read] == [target.kind for target in wanted]
        for target, other in zip(read, wanted, strict=True):
            assert target.keypoints_px == pytest.approx(other.keypoints_px, abs=1e-3)


@pytest.mark.parametrize("given", SETS)
def test_coco_says_the_same(given):
    found = coco([given])
    assert found["images"][0]["file_name"] == given.image
    assert len(found["annotations"]) == len(targets(given))
    for annotation, target in zip(found["annotations"], targets(given), strict=True):
        points = np.array(annotation["keypoints"]).reshape(4, 3)
        assert points[:, :2] - 0.5 == pytest.approx(target.keypoints_px, abs=1e-3)
        assert annotation["category_id"] == target.kind + 1
        assert annotation["iscrowd"] == int(target.is_ignored)
        x, y, width, height = annotation["bbox"]
        assert x >= 0
        assert y >= 0
        assert x + width <= given.size_wh[0]
        assert y + height <= given.size_wh[1]


def test_yolo_boxes_are_clipped_and_key_points_are_not():
    (line, *_) = yolo_text(label(face_up(x=-8, y=80))).splitlines()
    _, cx, _, width, *_ = (float(value) for value in line.split())
    assert cx - width / 2 == pytest.approx(0, abs=1e-5)
    assert min(float(value) for value in line.split()[5:]) < 0


def test_what_is_hidden_is_ignored_and_what_is_gone_is_left_out():
    found = targets(label(face_up(seen=(1.0, 0.3)), face_down(visible=0.05)))
    assert [(target.kind, target.is_ignored) for target in found] == [(0, False), (0, True)]


def test_a_back_begins_at_its_higher_corner_either_way_round():
    corners = quad(0, 0)
    assert np.array_equal(upright_back(corners), corners)
    assert np.array_equal(upright_back(np.roll(corners, 2, axis=0)), corners)
    assert orientation(upright_back(np.roll(corners, 2, axis=0))) > 0


def test_classes_and_flips_are_named():
    text = yolo_dataset()
    assert "names: {0: index, 1: back}" in text
    assert "kpt_shape: [4, 2]" in text
    assert "fliplr: 0.0" in text


def test_counts_are_of_faces():
    counts = count_cards([label(face_up("As"), face_up("As"), face_down()), label(face_up("2c"))])
    assert counts[Card.parse("As").index] == 2
    assert counts[Card.parse("2c").index] == 1
    assert counts.sum() == 3


def test_orientation_is_positive_clockwise():
    assert orientation(quad(0, 0)) > 0
    assert orientation(quad(0, 0)[::-1]) < 0


BROKEN = [
    pytest.param("", id="empty"),
    pytest.param("{}", id="nothing in it"),
    pytest.param('{"image":"a","size":[1],"preset":"p","seed":0,"index":0,"cards":[]}', id="one side"),
    pytest.param(label_to_json(label(face_up())).replace('"As"', '"1x"', 1), id="no such card"),
]


@pytest.mark.parametrize("line", BROKEN)
def test_broken_lines_are_refused_with_their_number(tmp_path, line):
    path = tmp_path / "labels.jsonl"
    path.write_text(label_to_json(label()) + "\n" + line + "\n")
    with pytest.raises(DatasetError, match="line 2"):
        list(read_labels(path))


def test_yolo_of_another_shape_is_refused():
    with pytest.raises(DatasetError, match="13 numbers"):
        targets_from_yolo("0 0.5 0.5 0.1 0.1\n", (100, 100))


@pytest.mark.parametrize(
    ("card", "face"),
    [
        pytest.param(None, "up", id="a face without a card"),
        pytest.param(Card.parse("As"), "down", id="a back with a card"),
        pytest.param(None, "sideways", id="no such face"),
    ],
)
def test_impossible_cards_are_refused(card, face):
    with pytest.raises(DatasetError):
        LabelledCard(card, face, quad(0, 0), 1.0, "d")
