"""Zones of a calibrated table, straightened and read through the committed networks."""

import cv2
import numpy as np
import pytest

from datasets.cameras import camera_preset
from datasets.stills.presets import seen_by, still_preset
from datasets.stills.simulate import make_still
from datasets.stills.table_scene import table_set
from vision.camera import RectifiedView
from vision.reader import CardReader, zone_view

SEED, DECK = 4, "drawn-12"
PRESET = seen_by(still_preset("table-1080p"), camera_preset("overhead"))


@pytest.fixture(scope="module")
def reader():
    return CardReader.load()


def zone_to_picture(view: RectifiedView, camera, quad):
    """Corners in a straightened zone as pixels of the whole picture."""
    felt = cv2.perspectiveTransform(quad[None].astype(np.float64), np.linalg.inv(view.homography_mm_to_px))[0]
    return camera.mm_to_px(felt)


def test_the_cards_of_a_table_are_read_zone_by_zone(reader):
    right = wrong = demanded = 0
    for number in range(3):
        still = make_still(SEED, number, PRESET, DECK)
        scene = table_set(SEED, 0, PRESET)
        camera = scene.view.camera
        faces = [card for card in still.label.cards if card.face == "up"]
        for zone in scene.table.zones.values():
            if zone.seat is None and zone.name != "dealer":
                continue
            view = zone_view(camera, zone.work)
            inside = [card for card in faces if zone.contains_mm(tuple(camera.px_to_mm(card.quad_px).mean(axis=0)))]
            demanded += sum(any(patch.index_visibility > 0.98 for patch in card.patches) for card in inside)
            for seen in reader.read_zone(still.picture, view).cards:
                middle = zone_to_picture(view, camera, seen.quad_px).mean(axis=0)
                near = [card for card in faces if np.linalg.norm(card.quad_px.mean(axis=0) - middle) < 22]
                is_right = any(card.card == seen.verdict.card for card in near)  # the likeliest card, stated or not
                right += is_right and near[0] in inside
                wrong += seen.verdict.is_stated and not is_right
    assert demanded > 20
    assert wrong == 0
    assert right >= 0.7 * demanded


def test_a_zone_has_the_scale_that_the_networks_like():
    scene = table_set(SEED, 0, PRESET)
    zone = scene.table.zones["seat-2"]
    view = zone_view(scene.view.camera, zone.work)
    side = np.linalg.norm(zone.work[1] - zone.work[0])
    assert view.size_wh[0] == pytest.approx((side + 80) * 1.3, rel=0.12)
