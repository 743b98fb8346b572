"""Confidence that means what it says, fitted on what was seen."""

from dataclasses import replace

import numpy as np
import pytest

from models.calibrate import (
    Witnessed,
    choose_threshold,
    fit_certainty,
    fit_frame_witnesses,
    fit_temperatures,
    outcomes,
    reliability,
    tempered,
)
from models.card import diagram, with_tables
from vision.identify import Readings, readings_from_network


def seen(rng, count, overconfident=1.0, patches=1, frames=1):
    """Cards that a network with honest logits has read, its logits then made this much larger."""
    cards = []
    for _ in range(count):
        truth = int(rng.integers(52))
        logits = np.zeros((patches, 27), np.float32)
        honest = rng.normal(0, 1, (1, 17)).repeat(patches, axis=0)
        honest[:, truth // 4] += 3
        honest[:, 13 + truth % 4] += 3
        # The truth is drawn from what the honest logits say, so that they are right as often as they claim.
        ranks, suits = (np.exp(part) / np.exp(part).sum() for part in (honest[0, :13], honest[0, 13:17]))
        truth = int(rng.choice(13, p=ranks)) * 4 + int(rng.choice(4, p=suits))
        logits[:, :17] = honest * overconfident
        logits[:, 17] = 9.0
        cards.append(Witnessed(readings_from_network(logits, {}), truth, True, frames))
    return cards


def test_an_overconfident_network_is_cooled():
    found = fit_temperatures(seen(np.random.default_rng(1), 3000, overconfident=2.0))
    assert found["rank_temperature"] == pytest.approx(2.0, rel=0.15)
    assert found["suit_temperature"] == pytest.approx(2.0, rel=0.15)


def test_an_honest_network_is_left_alone():
    found = fit_temperatures(seen(np.random.default_rng(2), 3000))
    assert found["rank_temperature"] == pytest.approx(1.0, rel=0.12)


def test_tempering_is_what_the_reader_does():
    logits = np.random.default_rng(3).normal(0, 2, (5, 27)).astype(np.float32)
    numbers = {"rank_temperature": 1.7, "suit_temperature": 1.3}
    there = tempered(readings_from_network(logits, {}), numbers).log_probabilities
    assert np.abs(there - readings_from_network(logits, numbers).log_probabilities).max() < 1e-4


PLAIN = {"rank_temperature": 1.0, "suit_temperature": 1.0, "corner_witnesses": 0.5}


def test_corners_that_say_the_same_thing_twice_are_one_witness():
    """Copies of one patch know no more than one: the fitted power is near nothing."""
    assert fit_certainty(seen(np.random.default_rng(4), 1500, patches=2), PLAIN)["corner_witnesses"] <= 0.2


def test_frames_that_say_the_same_thing_ten_times_are_one_witness():
    numbers = PLAIN | fit_certainty(seen(np.random.default_rng(4), 3000), PLAIN)
    assert fit_frame_witnesses(seen(np.random.default_rng(4), 1500, patches=10, frames=10), numbers) <= 0.1


def test_confidence_comes_true():
    cards = seen(np.random.default_rng(5), 4000)
    confidence, right = outcomes(cards, PLAIN | fit_certainty(cards, PLAIN))
    for row in reliability(confidence, right):
        if row.cards > 200:
            assert row.right == pytest.approx(row.confidence, abs=0.06)


def test_a_shy_legibility_is_corrected():
    """Patches said to be legible by 0.9 that are right as often as their odds say."""
    cards = [
        replace(card, readings=replace(card.readings, legible=np.array([0.9], np.float32)))
        for card in seen(np.random.default_rng(6), 4000)
    ]
    confidence, right = outcomes(cards, PLAIN | fit_certainty(cards, PLAIN))
    assert confidence.mean() == pytest.approx(right.mean(), abs=0.02)


THRESHOLDS = [
    pytest.param([0.9] * 100, [True] * 100, 0.5, id="never wrong"),
    pytest.param([0.99] * 99 + [0.7], [True] * 99 + [False], 0.5, id="one mistake is within the rate"),
    pytest.param([0.99] * 95 + [0.7] * 5, [True] * 95 + [False] * 5, 0.845, id="mistakes lie below it"),
    pytest.param([0.99, 0.99], [False, False], 1.0, id="always wrong"),
]


@pytest.mark.parametrize(("confidence", "right", "expected"), THRESHOLDS)
def test_the_threshold_keeps_mistakes_rare(confidence, right, expected):
    assert choose_threshold(np.array(confidence), np.array(right), 0.02) == pytest.approx(expected, abs=0.15)


def test_nothing_seen_has_no_reliability():
    assert reliability(np.zeros(0), np.zeros(0, bool)) == []
    assert len(Readings.empty()) == 0


def test_the_card_shows_the_diagram_and_the_numbers():
    row = {"low": 0.9, "high": 0.95, "cards": 100, "confidence": 0.93, "right": 0.92}
    assert "<circle" in diagram([row])
    kept = {
        "calibration": {"stated": 9, "cards": 10, "wrong": 0, "fused_stated": 1, "fused_cards": 1, "fused_wrong": 0}
    }
    kept["calibration"]["reliability"] = [row]
    text = with_tables("<!-- calibration -->\n<!-- end -->\n<!-- figures -->\n<!-- end -->", kept)
    assert "| 0.9 to 0.95 | 100 | 0.9300 | 0.9200 |" in text
    assert "| figure | measured | must hold |" in text
