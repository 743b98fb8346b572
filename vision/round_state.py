"""What the observer knows of a round: plain frozen data, stored as JSON between any two frames.

Out: `ObserverState.start(table)` before the first frame; what `observe` makes of it; `to_json` and `from_json`.
"""

import json
from dataclasses import dataclass, replace
from typing import Final, Self

from game.cards import Card
from game.profiles import bundled_profiles
from vision.errors import VisionError
from vision.layout import DEALER, FOUR_CARD_POKER
from vision.places import SPOT
from vision.plain import from_plain, to_plain
from vision.table import Table
from vision.view import LOOKS, PlaceView, SeenFace

IDLE, DEAL, DECISION, SETTLEMENT = "idle", "deal", "decision", "settlement"  # phases of a round
TAKEN, SENSOR, BONUS, KEPT = "taken", "sensor", "bonus", "kept"  # what becomes of a folded hand
VERSION: Final = 3
DUE_APART: Final = 5  # cards dealt face down to a seat, and to the dealer

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class TableRules:
    """What the observer has to know of the table."""

    game: str  # "FCP" or "PRIME"
    order: tuple[str, ...]  # the seats' zones as they are settled
    play_spot: str  # where the wager lies that is made after looking at the cards
    has_bonus_side: bool  # folded hands may lie under the bonus wagers, not by a sensor
    misdeal_voids: bool
    turns_folded: bool  # a folded hand by the sensor is turned for its progressive wager
    up_card_mm: Point

    @classmethod
    def of(cls, table: Table) -> Self:
        """From the table's file and the house rules of its profile."""
        is_poker = table.game == FOUR_CARD_POKER
        profile = bundled_profiles().get(table.profile)
        from_right = profile is None or profile.house_rules.settle_order == "right_to_left"
        seats = [zone.name for zone in table.zones.values() if zone.seat is not None]
        return cls(
            game="FCP" if is_poker else "PRIME",
            order=tuple(sorted(seats, key=lambda name: int(name.rpartition("-")[2]), reverse=from_right)),
            play_spot="play" if is_poker else "raise",
            has_bonus_side=not is_poker,
            misdeal_voids=is_poker or profile is None or profile.house_rules.prime_misdeal_voids,
            turns_folded=profile is not None and profile.house_rules.progressive_folded_hand_qualifies,
            up_card_mm=table.dealer.spots.get("up-card", table.dealer.centre_mm),
        )


@dataclass(frozen=True, slots=True)
class Backs:
    """Cards lying face down in one place, as they last lay still."""

    at_mm: tuple[Point, ...] = ()  # of every one that can be told from the others, in all looks at them
    are_apart: bool = False  # so evenly side by side that none is missed between two others
    looks: int = 0
    whole: int = 0  # of the looks, those that showed every one of them and nothing else

    @property
    def count(self) -> int:
        """How many there are at least."""
        return len(self.at_mm)

    @property
    def is_counted(self) -> bool:
        """Whether the count is sure: one that is overlooked at an end leaves most looks with something besides."""
        if self.count == DUE_APART:
            return self.are_apart and self.whole > 0
        least = 2 if self.count > DUE_APART else LOOKS
        return self.are_apart and self.looks >= least and self.whole >= 2 and 3 * self.whole > self.looks


@dataclass(frozen=True, slots=True)
class ZoneState:
    """The dealer's zone or a seat in this round."""

    zone: str
    backs: Backs = Backs()  # before they are turned
    is_dealt: bool = False  # cards came here in this round
    is_dealt_told: bool = False
    is_here: bool = False  # cards lie here now, not yet turned
    gone_s: float | None = None  # since when the place of the face-down cards is empty, and nothing moved
    gone_in: str = ""  # the phase in which they went
    exposed: tuple[Card, ...] = ()  # faces that showed before the hand was turned
    forfeit_s: float | None = None  # when its ante was taken before its hand was turned
    left: str = ""  # how the hand was folded
    faces: tuple[SeenFace, ...] = ()  # what the work area last showed, at rest
    is_shown: bool = False  # the hand was turned, at least in part
    shown_count: int = 0  # cards of it that were seen when that was last sure
    most_left: float = 0.0  # the most that lay there besides, in the looks at this rest that saw as many cards
    hand: tuple[Card, ...] = ()  # as it was stated
    in_front: tuple[Card, ...] = ()  # dealer: as it was stated
    is_off_count: bool = False  # the number of cards seen is wrong, but one may be hidden, or be no card
    is_strange: bool = False  # one card cannot be read although it lies open
    settled_s: float | None = None  # when, since it lay open, the dealer paid or took a wager of it
    asked: tuple[str, int] | None = None  # the reason and number of cards seen with which help was asked for
    is_miscounted: bool = False
    is_cleared: bool = False
    cleared_s: float = 0.0


@dataclass(frozen=True, slots=True)
class SpotState:
    """A wager's spot as it last lay still, and a change that has not lasted long enough to be told."""

    zone: str
    spot: str
    texture: tuple[int, ...] = ()
    is_occupied: bool = False
    changed: tuple[int, ...] = ()  # its new look; none while nothing changed
    changed_occupied: bool = False
    changed_s: float = 0.0
    changed_frame: int = 0
    changed_phase: str = ""
    is_late: bool = False  # the change, if it is one, came when cards lay on the table
    was_late: bool = False  # told so in this round
    is_changed_across: bool = False  # by somebody who reached over the hand, as the dealer does
    moved_s: float | None = None  # since when it is not known to lie still
    is_moved_across: bool = False  # since then something moved over the spot and the seat's work area at once


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card that was read in this round, and where first; it stays seen when it is collected."""

    card: Card
    zone: str


@dataclass(frozen=True, slots=True)
class ObserverState:
    """Everything that `observe` remembers."""

    rules: TableRules
    zones: tuple[ZoneState, ...]  # the dealer's first
    spots: tuple[SpotState, ...]
    round: int = 0  # the last one that began
    phase: str = IDLE
    since_s: float = 0.0  # when something of the deal last came to rest
    dealt_s: float = 0.0  # when the first card of the round, or of what may become one, lay there
    last_s: float = 0.0  # of the last view
    up_card: Card | None = None
    has_up_card: bool = False  # it lies there, read or not
    waiting: tuple[PlaceView, ...] = ()  # between rounds: places with cards, which may begin one
    cards: tuple[SeenCard, ...] = ()
    told_twice: tuple[Card, ...] = ()  # duplicates that were told
    last_shown: str = ""  # the zone whose hand was turned last
    is_void: bool = False
    is_stopped: bool = False  # for another reason

    @classmethod
    def start(cls, table: Table) -> Self:
        """Before the first frame."""
        seats = [zone for zone in table.zones.values() if zone.seat is not None]
        zones = [ZoneState(name) for name in (DEALER, *(zone.name for zone in seats))]
        spots = [SpotState(zone.name, spot) for zone in seats for spot in zone.spots if spot not in ("cards", "sensor")]
        return cls(TableRules.of(table), tuple(zones), tuple(spots))

    def zone(self, name: str) -> ZoneState:
        """One zone by its name."""
        return next(zone for zone in self.zones if zone.zone == name)

    def with_zone(self, zone: ZoneState) -> "ObserverState":
        """The same with one zone replaced."""
        return replace(self, zones=tuple(zone if one.zone == zone.zone else one for one in self.zones))

    def with_spot(self, spot: SpotState) -> "ObserverState":
        """The same with one spot replaced."""
        key = (spot.zone, spot.spot)
        return replace(self, spots=tuple(spot if (one.zone, one.spot) == key else one for one in self.spots))

    def to_json(self) -> str:
        """One line."""
        return json.dumps({"version": VERSION} | to_plain(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The inverse of `to_json`; a state of another version is refused."""
        content = json.loads(text)
        if not isinstance(content, dict) or content.pop("version", None) != VERSION:
            raise VisionError("this observer's state is of another version; start without it")
        return from_plain(cls, content)


def spot_place(zone: str, spot: str) -> str:
    """The name of a spot's place."""
    return f"{zone}/{SPOT}/{spot}"
