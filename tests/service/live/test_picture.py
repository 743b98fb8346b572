"""The picture for the pages: the felt alone, zones outlined, each read card named, drawn once for each frame."""

import cv2
import numpy as np
import pytest

from game.cards import Card
from service.live.picture import AMBER, PAPER, WIDTH_PX, FeltCut, Moment, PictureSlot
from vision.frame import Frame
from vision.recording import open_recording
from vision.view import PlaceView, SeenFace

GREY = 90


@pytest.fixture(scope="module")
def table():
    return open_recording("datasets/demo").table


def moment(table, faces=(), number=0):
    width, height = table.camera.size_wh
    frame = Frame(np.full((height, width, 3), GREY, np.uint8), number, number * 0.04)
    places = {"seat-4/work": PlaceView("seat-4", "work", None, tuple(faces), ())} if faces else {}
    return Moment(frame, places)


def colours(picture):
    return {tuple(pixel) for pixel in np.unique(picture.reshape(-1, 3), axis=0).tolist()}


def test_there_is_no_picture_before_the_first_frame(table):
    assert PictureSlot(table).jpeg() is None


def test_an_empty_table_shows_its_zones_and_nothing_else(table):
    drawn = FeltCut.of(table, table.camera.to_camera()).draw(moment(table))
    assert drawn.shape[1] == WIDTH_PX
    assert PAPER not in colours(drawn)
    assert AMBER not in colours(drawn)
    assert len(colours(drawn)) > 1


def test_cards_are_named_and_unread_ones_are_amber(table):
    cut = FeltCut.of(table, table.camera.to_camera())
    faces = [
        SeenFace(Card.parse("9s"), 0.99, (60.0, 670.0)),
        SeenFace(Card.parse("Td"), 0.99, (120.0, 660.0)),
        SeenFace(None, 0.4, (180.0, 650.0), "covered"),
    ]
    read, doubtful = cut.draw(moment(table, faces[:2])), cut.draw(moment(table, faces))
    assert PAPER in colours(read)
    assert AMBER not in colours(read)
    assert AMBER in colours(doubtful)


def test_tags_at_the_pictures_edge_stay_inside(table):
    faces = [SeenFace(Card.parse("Td"), 0.99, (x, 5.0)) for x in (-1070.0, 1070.0)]
    assert FeltCut.of(table, table.camera.to_camera()).draw(moment(table, faces)).shape[1] == WIDTH_PX


def test_a_frame_is_drawn_once_however_many_ask(table):
    slot = PictureSlot(table)
    slot.put(moment(table, number=3))
    number, first = slot.jpeg()
    assert slot.jpeg()[1] is first
    assert number == slot.number == 3
    assert cv2.imdecode(np.frombuffer(first, np.uint8), cv2.IMREAD_COLOR).shape[1] == WIDTH_PX
    slot.put(moment(table, number=4))
    assert slot.jpeg()[0] == 4


def test_somebody_watches_for_a_moment_after_asking(table):
    slot = PictureSlot(table)
    assert not slot.is_watched
    assert slot.number is None
    assert slot.is_watched
