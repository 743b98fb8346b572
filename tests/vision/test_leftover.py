"""What lies on the felt besides the cards that were seen: felt, print and shadow are nothing, cards and hands are."""

import cv2
import numpy as np
import pytest

from vision.leftover import covered_share, leftover_cards, packet_shapes, spot_look, things_on_felt
from vision.reader import ZONE_PX_PER_MM

GREEN, BLUE, GREY = (60, 110, 30), (120, 60, 30), (95, 95, 95)
WIDE, HIGH = 530, 260
OUTLINE = np.array([[52, 52], [WIDE - 52, 52], [WIDE - 52, HIGH - 52], [52, HIGH - 52]], np.float32)
CARD_PX = (round(63 * ZONE_PX_PER_MM), round(88 * ZONE_PX_PER_MM))


def felt(colour=GREEN):
    rng = np.random.default_rng(1)
    picture = np.full((HIGH, WIDE, 3), colour, np.float32) + rng.normal(0, 4, (HIGH, WIDE, 3))
    return picture.clip(0, 255).astype(np.uint8)


def quad(left, top=70):
    width, height = CARD_PX
    right, bottom = left + width, top + height
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)


def with_card(picture, corners, colour=(235, 235, 235)):
    cv2.fillConvexPoly(picture, corners.astype(np.int32), colour)
    return picture


@pytest.mark.parametrize("colour", [GREEN, BLUE, GREY])
def test_felt_is_nothing(colour):
    assert leftover_cards(things_on_felt(felt(colour)), OUTLINE, ()) == 0


@pytest.mark.parametrize("colour", [GREEN, BLUE, GREY])
def test_a_card_that_was_not_seen_is_left_over(colour):
    picture = with_card(felt(colour), quad(100))
    assert leftover_cards(things_on_felt(picture), OUTLINE, ()) == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("colour", [GREEN, BLUE, GREY])
def test_a_printed_frame_covers_no_felt_and_a_card_does(colour):
    printed = felt(colour)
    cv2.polylines(printed, [quad(100).astype(np.int32)], True, (235, 235, 235), 3)
    assert covered_share(things_on_felt(printed), quad(100)) < 0.2
    assert covered_share(things_on_felt(with_card(felt(colour), quad(100))), quad(100)) > 0.9


def test_a_card_that_was_seen_is_not():
    picture = with_card(felt(), quad(100))
    assert leftover_cards(things_on_felt(picture), OUTLINE, [quad(102, 71)]) == 0


def test_a_card_half_under_another_that_was_seen():
    picture = with_card(with_card(felt(), quad(100)), quad(140))
    assert leftover_cards(things_on_felt(picture), OUTLINE, [quad(140)]) == pytest.approx(0.4, abs=0.12)


def test_thin_print_is_nothing():
    picture = felt()
    cv2.rectangle(picture, (80, 70), (440, 190), (220, 230, 230), 4)
    cv2.putText(picture, "SEAT 4", (150, 150), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (220, 230, 230), 3)
    assert leftover_cards(things_on_felt(picture), OUTLINE, ()) < 0.05


def test_a_shadow_is_nothing():
    picture = felt()
    picture[60:200, 100:300] = (picture[60:200, 100:300] * 0.7).astype(np.uint8)
    assert leftover_cards(things_on_felt(picture), OUTLINE, ()) < 0.05


def test_a_picture_that_ends_is_nothing():
    picture = felt()
    picture[:, :150] = 0
    assert leftover_cards(things_on_felt(picture), OUTLINE, ()) == 0


def test_a_packet_has_the_shape_of_a_card_whatever_its_back():
    picture = with_card(felt(), quad(200), (150, 60, 40))
    (shape,) = packet_shapes(things_on_felt(picture), OUTLINE, ())
    assert shape.mean(axis=0) == pytest.approx(quad(200).mean(axis=0), abs=4)
    assert packet_shapes(things_on_felt(picture), OUTLINE, [quad(200)]) == []


def test_a_row_of_backs_is_a_shape_too():
    picture = felt()
    for number in range(5):
        with_card(picture, quad(120 + 35 * number), (150, 60, 40))
    assert len(packet_shapes(things_on_felt(picture), OUTLINE, ())) == 1


def test_an_arm_is_no_packet():
    picture = felt()
    picture[:150, 200:290] = (140, 170, 220)
    assert packet_shapes(things_on_felt(picture), OUTLINE, ()) == []


def test_letters_do_not_occupy_a_spot():
    outline = np.array([[52, 52], [110, 52], [110, 110], [52, 110]], np.float32)
    picture = felt()[:162, :162].copy()
    cv2.circle(picture, (81, 81), 27, (220, 230, 230), 2)
    cv2.putText(picture, "ANTE", (58, 86), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (220, 230, 230), 2)
    assert not spot_look(picture, outline)[1]


def test_a_spot_with_a_chip_is_occupied_and_looks_different():
    outline = np.array([[52, 52], [110, 52], [110, 110], [52, 110]], np.float32)
    empty, chip = felt()[:162, :162], felt()[:162, :162].copy()
    cv2.circle(chip, (81, 81), round(20 * ZONE_PX_PER_MM), (40, 40, 200), -1)
    (bare, is_bare), (full, is_full) = spot_look(empty, outline), spot_look(chip, outline)
    assert (is_bare, is_full) == (False, True)
    assert max(abs(one - other) for one, other in zip(bare, full, strict=True)) > 8


def test_a_hand_over_a_spot_tells_nothing():
    outline = np.array([[52, 52], [110, 52], [110, 110], [52, 110]], np.float32)
    picture = felt()[:162, :162].copy()
    picture[:, 60:] = (140, 170, 220)
    assert spot_look(picture, outline) is None
