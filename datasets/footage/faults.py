"""The faults a simulated round can have: one table of kinds, what each shows, and how a choice of them is written.

In comes the text of `--faults` (`none`, `random`, or kinds by name); out goes, for each round, which faults it has.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from datasets.errors import DatasetError


class Fault(StrEnum):
    """One thing that goes wrong at the table or in its camera."""

    PLAYER_SHORT = "player-short"
    PLAYER_LONG = "player-long"
    DEALER_SHORT = "dealer-short"
    DEALER_LONG = "dealer-long"
    CARD_TWICE = "card-twice"
    FOREIGN_CARD = "foreign-card"
    HIDDEN_CARD = "hidden-card"
    EXPOSED_CARD = "exposed-card"
    OUT_OF_ORDER = "out-of-order"
    WRONG_SET = "wrong-set"
    LATE_WAGER = "late-wager"
    WRONG_PAYOUT = "wrong-payout"
    CAMERA_SHAKE = "camera-shake"
    CAMERA_SHIFT = "camera-shift"
    EXPOSURE_JUMP = "exposure-jump"
    FROZEN_FRAMES = "frozen-frames"
    DROPPED_FRAMES = "dropped-frames"
    CORRUPTED_FRAMES = "corrupted-frames"


@dataclass(frozen=True, slots=True)
class FaultKind:
    """What a fault is about and which event the truth states for it; a wrong payout shows in the round line alone."""

    of: str  # "deal": the cards; "table": what dealer and players do; "camera": the picture
    event: str | None
    says: str


FAULT_KINDS: Mapping[Fault, FaultKind] = {
    Fault.PLAYER_SHORT: FaultKind("deal", "miscount", "four cards to a player"),
    Fault.PLAYER_LONG: FaultKind("deal", "miscount", "six cards to a player"),
    Fault.DEALER_SHORT: FaultKind("deal", "miscount", "five cards to the dealer"),
    Fault.DEALER_LONG: FaultKind("deal", "miscount", "seven cards to the dealer"),
    Fault.CARD_TWICE: FaultKind("deal", "duplicate_card", "one card twice in the deck"),
    Fault.FOREIGN_CARD: FaultKind("deal", "foreign_card", "a card of another deck, or none of the 52"),
    Fault.HIDDEN_CARD: FaultKind("table", "unreadable", "a card hides another when a hand is revealed"),
    Fault.EXPOSED_CARD: FaultKind("table", "exposed_card", "a card shows its face during the deal"),
    Fault.OUT_OF_ORDER: FaultKind("table", "out_of_order", "a hand is revealed before its turn"),
    Fault.WRONG_SET: FaultKind("table", "dealer_set_wrong", "the dealer's four are not the best four"),
    Fault.LATE_WAGER: FaultKind("table", "bet_spot_changed", "a wager is put down after the deal began"),
    Fault.WRONG_PAYOUT: FaultKind("table", None, "the dealer pays something else than the settlement"),
    Fault.CAMERA_SHAKE: FaultKind("camera", "camera_moved", "the camera shakes and comes to rest where it was"),
    Fault.CAMERA_SHIFT: FaultKind("camera", "camera_moved", "the camera is bumped and stays moved"),
    Fault.EXPOSURE_JUMP: FaultKind("camera", "light_changed", "the picture gets lighter or darker at once"),
    Fault.FROZEN_FRAMES: FaultKind("camera", "source_lost", "the same picture again and again"),
    Fault.DROPPED_FRAMES: FaultKind("camera", "source_lost", "no pictures for a while"),
    Fault.CORRUPTED_FRAMES: FaultKind("camera", "source_lost", "pictures with broken blocks"),
}

_RANDOM_SHARE = 0.5  # of rounds that have a fault when faults are random
_SECOND_SHARE = 0.15  # of those, that have one of the camera beside one of the table


@dataclass(frozen=True, slots=True)
class FaultChoice:
    """Which faults rounds get: none, at random, or the kinds named, one a round in turn."""

    kinds: tuple[Fault, ...] = ()
    at_random: bool = False

    @classmethod
    def parse(cls, text: str) -> "FaultChoice":
        """Read `none`, `random` or `player-short,card-twice`.

        >>> FaultChoice.parse("wrong-set,late-wager").kinds
        (<Fault.WRONG_SET: 'wrong-set'>, <Fault.LATE_WAGER: 'late-wager'>)
        """
        if text == "none":
            return cls()
        if text == "random":
            return cls(at_random=True)
        return cls(tuple(_fault_named(name.strip()) for name in text.split(",")))

    def for_round(self, index: int, rng: np.random.Generator) -> tuple[Fault, ...]:
        """The faults of round number `index`."""
        if self.kinds:
            return (self.kinds[index % len(self.kinds)],)
        if not self.at_random or rng.random() >= _RANDOM_SHARE:
            return ()
        first = list(Fault)[rng.integers(len(Fault))]
        camera = [fault for fault in Fault if FAULT_KINDS[fault].of == "camera"]
        second = camera[rng.integers(len(camera))]
        if rng.random() < _SECOND_SHARE and first not in camera:
            return (first, second)
        return (first,)


NO_FAULTS = FaultChoice()


def _fault_named(name: str) -> Fault:
    try:
        return Fault(name)
    except ValueError:
        raise DatasetError(f"{name!r} is no fault; write none, random, or some of: {', '.join(Fault)}") from None
