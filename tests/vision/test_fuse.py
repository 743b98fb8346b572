"""Frames of cards at rest add up to one sighting."""

import numpy as np

from game.cards import Card
from tests.vision.test_assemble import readings_of
from vision.decide import Verdict
from vision.fuse import fuse_sightings
from vision.reader import SeenBack, SeenCard, Sighting

CALIBRATION = {"threshold": 0.99, "fused_threshold": 0.9, "corner_witnesses": 0.5, "frame_witnesses": 0.5}
ACE = Card.parse("As").index


def quad(x, y):
    return np.array([[x, y], [x + 63, y], [x + 63, y + 88], [x, y + 88]], np.float32)


def frame(*cards, backs=()):
    """Each card: its number, x, y; seen, and in no frame certain enough."""
    seen = tuple(
        SeenCard(Verdict(Card.from_index(card), 0.8, "unclear"), quad(x, y), readings_of([card], [0.95]))
        for card, x, y in cards
    )
    return Sighting(seen, tuple(SeenBack(quad(x, y), 0.8) for x, y in backs))


def named(sighting):
    return sorted(str(seen.card) for seen in sighting.stated)


def test_no_frames_show_nothing():
    fused = fuse_sightings([], CALIBRATION)
    assert fused.cards == ()
    assert fused.backs == ()


def test_what_no_frame_was_sure_of_all_are():
    frames = [frame((ACE, 10 + shake, 10)) for shake in (0, 1, -1, 0, 1)]
    assert named(fuse_sightings(frames, CALIBRATION)) == ["As"]


def test_cards_at_two_places_are_two():
    assert named(fuse_sightings([frame((ACE, 10, 10), (ACE, 200, 10))] * 4, CALIBRATION)) == ["As", "As"]


def test_what_was_seen_once_was_not_there():
    frames = [frame((ACE, 10, 10)), frame((ACE, 10, 10)), frame((ACE, 10, 10), (3, 300, 10), backs=[(500, 10)])]
    fused = fuse_sightings(frames, CALIBRATION)
    assert named(fused) == ["As"]
    assert fused.backs == ()


def test_backs_are_kept_where_most_frames_saw_them():
    frames = [frame(backs=[(10, 10)]), frame(backs=[(11, 10)]), frame()]
    assert len(fuse_sightings(frames, CALIBRATION).backs) == 1


def test_frames_that_differ_are_not_stated():
    fused = fuse_sightings([frame((ACE, 10, 10)), frame((ACE - 1, 10, 10))], CALIBRATION)
    assert fused.stated == ()
    assert fused.unreadable[0].verdict.reason == "unclear"
