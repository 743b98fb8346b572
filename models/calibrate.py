"""Make confidence mean what it says: temperatures, how evidence adds up, and the threshold, from validation decks.

In: what the networks say of simulated pictures with validation decks, nothing calibrated. Out: the numbers that are
kept beside the weights, and the reliability that they give.

1. Temperatures of rank and suit: those under which the true card is likeliest.
2. `corner_witnesses`, `odds_slope`, `legible_bias`, `legible_slope`: how far two corners count as independent, and what
   the odds and the legibility together mean: what makes the confidence of single frames come true.
3. `frame_witnesses`: how far ten frames count as independent.
4. The threshold: the lowest at which fewer than WRONG_RATE of the cards are stated wrongly.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from datasets.stills.labels import LabelledCard
from models.measure import Read
from vision.decide import Evidence, weigh
from vision.fuse import SEEN_IN, by_place
from vision.identify import RANKS, SUITS, Readings
from vision.reader import LIKE_INDEX, SeenCard

CORNER = 0.15  # of the card's height
WRONG_RATE = 1e-4
FUSED_WRONG_RATE = 1e-5
TEMPERATURES = np.exp(np.linspace(np.log(0.5), np.log(4.0), 43))
WITNESSES = np.linspace(0.0, 1.0, 11)
STEPS = 40  # of the search for the least loss
TAIL = 1e-6  # no prediction is punished as if it had been surer than this
BINS = np.array([0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9995, 1.0])
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Witnessed:
    """The patches of one physical card, in one frame or several, and the card that really lies there (None: none)."""

    readings: Readings
    truth: int | None  # number of the card
    is_demanded: bool  # an index of it is whole
    frames: int = 1


@dataclass(frozen=True, slots=True)
class Reliability:
    """Of the cards whose confidence lies between `low` and `high`: how many, their mean confidence, the share right."""

    low: float
    high: float
    cards: int
    confidence: float
    right: float


def witnessed(reads: Sequence[Read], whole: float = 0.98) -> list[Witnessed]:
    """What was seen in single frames, matched with what lies there; without what is never stated: a card's double."""
    return [
        Witnessed(seen.readings, _truth(seen, read.label.cards), _is_whole(seen, read.label.cards, whole))
        for read in reads
        for seen in read.sightings[0].stated
    ]


def fused_witnesses(reads: Sequence[Read]) -> list[Witnessed]:
    """The same of bursts: the patches of all frames that show one card, put together as `vision.fuse` does."""
    found = []
    for read in reads:
        frames = [[s for s in each.cards if s.readings.legible.max() >= LIKE_INDEX] for each in read.sightings]
        for group in by_place(frames):
            if len(group) >= SEEN_IN * len(frames):
                surest = max(group, key=lambda seen: seen.verdict.confidence)
                truth, is_whole = _truth(surest, read.label.cards), _is_whole(surest, read.label.cards, 0.98)
                readings = Readings.joined([seen.readings for seen in group])
                found.append(Witnessed(readings, truth, is_whole, len(group)))
    return found


def _nearest(seen: SeenCard, cards: Sequence[LabelledCard]) -> list[LabelledCard]:
    """Cards that lie face up and have a corner where the index was read, nearest first.

    By the corner, not by the middle: calibration asks whether what was read is what is printed there. How well a single
    index tells where the rest of its card lies is another question, and `datasets.scoring` asks it.
    """
    apart = [
        (_corner_apart(seen, card) / card.height_px, number) for number, card in enumerate(cards) if card.face == "up"
    ]
    return [cards[number] for far, number in sorted(apart) if far < CORNER]


def _corner_apart(seen: SeenCard, card: LabelledCard) -> float:
    """Pixels between a corner of the card and one beside an index: the upper left of it, or in some decks the right."""
    corners = seen.quad_px[:2] if seen.readings.at_right.max() > 0.5 else seen.quad_px[:1]
    return float(np.linalg.norm(card.quad_px[:, None] - corners, axis=2).min())


def _truth(seen: SeenCard, cards: Sequence[LabelledCard]) -> int | None:
    """The card there; of several, the one that was read, if it is among them."""
    near = [card.card.index for card in _nearest(seen, cards) if card.card is not None]
    said = int(seen.readings.log_probabilities.sum(axis=0).argmax())
    return said if said in near else (near[0] if near else None)


def _is_whole(seen: SeenCard, cards: Sequence[LabelledCard], whole: float) -> bool:
    near = _nearest(seen, cards)
    return bool(near) and any(patch.index_visibility >= whole for patch in near[0].patches)


def fit_temperatures(cards: Sequence[Witnessed]) -> dict[str, float]:
    """The temperatures under which what legible patches said of rank and suit fits best what lay there."""
    chosen = [card for card in cards if card.truth is not None and card.is_demanded]
    logs = np.concatenate([card.readings.log_probabilities for card in chosen]).astype(np.float64)
    truth = np.concatenate([np.full(len(card.readings), card.truth) for card in chosen])
    legible = np.concatenate([card.readings.legible for card in chosen]) > 0.5
    grid = logs[legible].reshape(-1, RANKS, SUITS)
    ranks, suits = np.log(np.exp(grid).sum(axis=2)), np.log(np.exp(grid).sum(axis=1))
    return {
        "rank_temperature": _temperature(ranks, truth[legible] // SUITS),
        "suit_temperature": _temperature(suits, truth[legible] % SUITS),
    }


def _temperature(logs: Floats, truth: NDArray[np.int64]) -> float:
    rows = np.arange(len(logs))
    losses = []
    for temperature in TEMPERATURES:
        cooled = logs / temperature
        cooled -= np.log(np.exp(cooled - cooled.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)) + cooled.max(
            axis=1, keepdims=True
        )
        losses.append(-float(cooled[rows, truth].mean()))
    return float(TEMPERATURES[int(np.argmin(losses))])


def tempered(readings: Readings, numbers: dict[str, float]) -> Readings:
    """Readings that were taken uncalibrated, under these temperatures."""
    grid = readings.log_probabilities.astype(np.float64).reshape(-1, RANKS, SUITS)
    ranks, suits = np.log(np.exp(grid).sum(axis=2)), np.log(np.exp(grid).sum(axis=1))
    parts = []
    for logs, name in ((ranks, "rank_temperature"), (suits, "suit_temperature")):
        cooled = logs / numbers[name]
        parts.append(cooled - np.log(np.exp(cooled).sum(axis=1, keepdims=True)))
    cards = (parts[0][:, :, None] + parts[1][:, None, :]).reshape(len(grid), -1)
    return replace(readings, log_probabilities=cards.astype(np.float32))


def weighed(cards: Sequence[Witnessed], numbers: dict[str, float]) -> tuple[list[Evidence], NDArray[np.bool_]]:
    """For each card what its patches say together, and whether the likeliest card is the true one."""
    found = [weigh(tempered(card.readings, numbers), numbers, card.frames) for card in cards]
    return found, np.array([each.card == card.truth for each, card in zip(found, cards, strict=True)], bool)


def outcomes(cards: Sequence[Witnessed], numbers: dict[str, float]) -> tuple[Floats, NDArray[np.bool_]]:
    """For each card its confidence and whether the likeliest card is the true one."""
    found, right = weighed(cards, numbers)
    return np.array([each.confidence(numbers) for each in found]), right


def fit_certainty(cards: Sequence[Witnessed], numbers: dict[str, float]) -> dict[str, float]:
    """How two corners add up and what odds and legibility mean: the likeliest outcome of right and wrong."""
    best: tuple[float, dict[str, float]] = (np.inf, {})
    for power in WITNESSES:
        found, right = weighed(cards, numbers | {"corner_witnesses": float(power)})
        odds, clear = _scores(found)
        slopes = _climb(odds, clear, right)
        loss = _loss(slopes, odds, clear, right)
        if loss < best[0]:
            names = ("odds_slope", "legible_bias", "legible_slope")
            fitted = dict(zip(names, (float(each) for each in slopes), strict=True))
            best = (loss, {"corner_witnesses": float(power)} | fitted)
    return best[1]


def _scores(found: Sequence[Evidence]) -> tuple[Floats, Floats]:
    clear = np.clip([each.clear for each in found], 1e-6, 1 - 1e-6)
    return np.array([each.log_odds for each in found]), np.log(clear / (1 - clear))


def _loss(slopes: Floats, odds: Floats, clear: Floats, right: NDArray[np.bool_]) -> float:
    """Of what `Evidence.confidence` makes of these numbers, a logarithm a card."""
    sure = 1 / (1 + np.exp(-slopes[0] * odds)) / (1 + np.exp(-slopes[1] - slopes[2] * clear))
    safe = np.clip(sure, TAIL, 1 - TAIL)
    return -float(np.where(right, np.log(safe), np.log(1 - safe)).mean())


def _climb(odds: Floats, clear: Floats, right: NDArray[np.bool_]) -> Floats:
    """The three numbers of the least loss: one after the other, in steps that shrink; there is one valley."""
    slopes, steps = np.array([1.0, 2.0, 0.5]), np.array([0.4, 1.0, 0.3])
    loss = _loss(slopes, odds, clear, right)
    for _ in range(STEPS):
        is_better = False
        for place in range(3):
            for way in (1.0, -1.0):
                tried = slopes.copy()
                tried[place] += way * steps[place]
                if min(tried[0], tried[2]) >= 0 and (there := _loss(tried, odds, clear, right)) < loss:
                    slopes, loss, is_better = tried, there, True
                    break
        if not is_better:
            steps /= 2
    return slopes


def fit_frame_witnesses(cards: Sequence[Witnessed], numbers: dict[str, float]) -> float:
    """The power under which the confidence of several frames comes true."""
    losses = []
    for power in WITNESSES:
        found, right = weighed(cards, numbers | {"frame_witnesses": float(power)})
        losses.append(
            _loss(
                np.array([numbers["odds_slope"], numbers["legible_bias"], numbers["legible_slope"]]),
                *_scores(found),
                right,
            )
        )
    return float(WITNESSES[int(np.argmin(losses))])


def choose_threshold(confidence: Floats, right: NDArray[np.bool_], rate: float) -> float:
    """The lowest confidence from which on wrong statements are rarer than the rate: of few cards, none is wrong."""
    order = np.argsort(-confidence)
    wrong = np.cumsum(~right[order])
    fine = np.flatnonzero(wrong < max(rate * len(confidence), 1.0))
    if not len(fine):
        return 1.0
    last = int(fine[-1])
    below = confidence[order[last + 1]] if last + 1 < len(order) else 0.0
    return float(max(0.5, (confidence[order[last]] + below) / 2))


def reliability(confidence: Floats, right: NDArray[np.bool_]) -> list[Reliability]:
    """The reliability diagram as numbers."""
    rows = []
    for low, high in pairwise(BINS.tolist()):
        inside = (confidence >= low) & ((confidence < high) | (high == 1.0))
        if inside.any():
            rows.append(
                Reliability(
                    float(low),
                    float(high),
                    int(inside.sum()),
                    float(confidence[inside].mean()),
                    float(right[inside].mean()),
                )
            )
    return rows


@dataclass(frozen=True, slots=True)
class Calibration:
    """The numbers, what they rest on, and how far confidence then means what it says."""

    numbers: dict[str, float]
    cards: int
    stated: int
    wrong: int
    fused_cards: int
    fused_stated: int
    fused_wrong: int
    reliability: tuple[Reliability, ...]


def calibrate(reads: Sequence[Read], bursts: Sequence[Read]) -> Calibration:
    """From stills, and from bursts of the table: one frame, then all frames together."""
    single = witnessed([*reads, *bursts])
    fused = fused_witnesses(bursts)
    numbers = fit_temperatures(single)
    numbers |= fit_certainty(single, numbers)
    numbers["frame_witnesses"] = fit_frame_witnesses(fused, numbers)
    confidence, right = outcomes(single, numbers)
    numbers["threshold"] = choose_threshold(confidence, right, WRONG_RATE)
    fused_confidence, fused_right = outcomes(fused, numbers)
    lowest = choose_threshold(fused_confidence, fused_right, FUSED_WRONG_RATE)
    numbers["fused_threshold"] = max(numbers["threshold"], lowest)
    stated, fused_stated = confidence >= numbers["threshold"], fused_confidence >= numbers["fused_threshold"]
    return Calibration(
        numbers,
        len(single),
        int(stated.sum()),
        int((stated & ~right).sum()),
        len(fused),
        int(fused_stated.sum()),
        int((fused_stated & ~fused_right).sum()),
        tuple(reliability(confidence, right)),
    )
