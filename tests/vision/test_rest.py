"""Rest: a place that nothing moves in, whatever noise and light do."""

import numpy as np
import pytest

from vision.camera import Camera
from vision.errors import VisionError
from vision.rest import SPAN_S, Atlas, Rest, watch

FPS = 25.0
CAMERA = Camera.from_pose((0, 560, 2700), (0, 560), 2100.0, (1920, 1080))
PLACES = {
    "left": np.array([[100.0, 300], [400, 300], [400, 420], [100, 420]]),
    "right": np.array([[-400.0, 300], [-100, 300], [-100, 420], [-400, 420]]),
}
ATLAS = Atlas.of(CAMERA, PLACES)
RNG = np.random.default_rng(3)
FELT = RNG.normal(90, 4, (1080, 1920, 3)).clip(0, 255).astype(np.uint8)


def frame(card_mm=None, light=1.0, noise=3.0):
    """The felt with a white card whose corner lies at a point of it."""
    picture = FELT.astype(np.float32)
    if card_mm is not None:
        corners = np.array([card_mm, np.add(card_mm, (63, 88))])
        (x0, y0), (x1, y1) = np.sort(CAMERA.mm_to_px(corners), axis=0).round().astype(int)
        picture[y0:y1, x0:x1] = 230
    return (picture * light + RNG.normal(0, noise, picture.shape)).clip(0, 255).astype(np.uint8)


def quiet(frames):
    """Frames since each place moved, after every frame."""
    rest, seen = Rest.start(ATLAS), []
    for picture in frames:
        rest = watch(rest, ATLAS, picture, FPS)
        seen.append(rest.quiet)
    return seen


def test_places_are_needed():
    with pytest.raises(VisionError, match="nothing to watch"):
        Atlas.of(CAMERA, {})


STILL = [
    pytest.param([{}] * 6, id="empty felt"),
    pytest.param([{"noise": 9.0}] * 6, id="a noisy camera"),
    pytest.param([{"light": 1 + 0.01 * step} for step in range(6)], id="light that grows"),
    pytest.param([{"light": 1.0}, {"light": 1.25}, {"light": 1.25}, {"light": 1.25}], id="a lamp is switched on"),
]


@pytest.mark.parametrize("frames", STILL)
def test_nothing_moves(frames):
    assert quiet([frame(**each) for each in frames])[-1] == (len(frames) - 1,) * 2


def test_a_card_put_down_moves_its_place_alone():
    pictures = [frame()] * 3 + [frame((200, 310))] * 4
    counts = quiet(pictures)
    assert counts[3][0] == 0
    assert counts[-1][1] == len(pictures) - 1


def test_rest_is_counted_from_the_last_movement():
    moving = [frame((150 + 10 * step, 310)) for step in range(5)]
    counts = quiet(moving + [frame((190, 310))] * 9)
    assert [each[0] for each in counts[:5]] == [0] * 5
    assert counts[-1][0] in range(4, 10)  # what lies LOOK_BACK frames ago still differs for a while


def test_a_push_of_two_millimetres_is_movement():
    assert quiet([frame((200, 310))] * 3 + [frame((202, 310))])[-1][0] == 0


def test_a_card_that_creeps_is_movement():
    assert quiet([frame((200 + 0.6 * step, 310)) for step in range(12)])[-1][0] == 0


def test_no_more_is_remembered_than_the_span():
    still = frame()
    whole = quiet([frame((200, 310))] + [still] * 80)
    assert whole[-1] == (SPAN_S * FPS,) * 2


def test_footage_can_be_cut_anywhere():
    pictures = [frame((150 + 12 * max(0, step - 30), 310)) for step in range(60)] + [frame((498, 310))] * 30
    whole = quiet(pictures)
    for cut in (5, 33, 38):
        run_in = round(SPAN_S * FPS)
        assert quiet(pictures[cut:])[run_in:] == whole[cut + run_in :]
