"""Several frames of cards at rest as one sighting: the same place is the same card, and evidence adds up.

In: the sightings of some consecutive frames in which nothing moved. Out: one `Sighting`, surer than any of them.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

import numpy as np

from game.cards import Card
from vision.decide import Verdict, weigh
from vision.identify import Readings
from vision.locate import ALONG
from vision.reader import SeenBack, SeenCard, Sighting, without_doubles

SAME_PLACE: Final = 0.1  # of the card's height, between the middles of its quads, or between their first corners
SEEN_IN: Final = 0.5  # share of the frames in which a card must have been seen to count

Seen = TypeVar("Seen", SeenCard, SeenBack)


def fuse_sightings(sightings: Sequence[Sighting], calibration: Mapping[str, float]) -> Sighting:
    """One sighting of all these frames; what was seen in less than half of them was not there."""
    least = SEEN_IN * len(sightings)
    backs = by_place([sighting.backs for sighting in sightings])
    return Sighting(
        without_doubles(
            tuple(
                _fused(group, calibration)
                for group in by_place([sighting.cards for sighting in sightings])
                if len(group) >= least
            )
        ),
        tuple(max(group, key=lambda each: each.confidence) for group in backs if len(group) >= least),
    )


def by_place(frames: Sequence[Sequence[Seen]]) -> list[list[Seen]]:
    """What was seen in several frames, a group for each place."""
    groups: list[list[Seen]] = []
    for seen in frames:
        for each in seen:
            _join(groups, each)
    return groups


def _join(groups: list[list[Seen]], seen: Seen) -> None:
    """Into the group that is nearest, or a new one."""
    apart = [_apart(group[0], seen) for group in groups]
    nearest = int(np.argmin(apart)) if apart else -1
    if nearest >= 0 and apart[nearest] < SAME_PLACE:
        groups[nearest].append(seen)
    else:
        groups.append([seen])


def _apart(first: SeenCard | SeenBack, second: SeenCard | SeenBack) -> float:
    """Between the middles of two cards, or between the corners beside their indices, in parts of a card's height.

    A card of which one corner is seen is placed well at that corner; how far it reaches from there trembles.
    """
    height = float(np.linalg.norm(first.quad_px[3] - first.quad_px[0]))
    way, other = first.quad_px[1] - first.quad_px[0], second.quad_px[1] - second.quad_px[0]
    apart = float(np.linalg.norm(first.quad_px.mean(axis=0) - second.quad_px.mean(axis=0)))
    if float(way @ other) > ALONG * float(np.linalg.norm(way) * np.linalg.norm(other)):
        apart = min(apart, float(np.linalg.norm(first.quad_px[0] - second.quad_px[0])))
    return apart / max(height, 1e-3)


def _fused(group: list[SeenCard], calibration: Mapping[str, float]) -> SeenCard:
    readings = Readings.joined([seen.readings for seen in group])
    evidence = weigh(readings, calibration, len(group))
    card, confidence = Card.from_index(evidence.card), evidence.confidence(calibration)
    threshold = calibration.get("fused_threshold", calibration.get("threshold", 0.9))
    surest = max(group, key=lambda seen: seen.verdict.confidence)
    reason = None if confidence >= threshold else (surest.verdict.reason or "unclear")
    return SeenCard(Verdict(card, confidence, reason), surest.quad_px, readings)
