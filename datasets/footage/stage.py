"""The stage on which a round is played out: key frames collected thing by thing, hands that carry them.

In come moves ("the dealer's right hand carries these cards there, from 3.2 s to 3.5 s"); out goes a `Scene`: the
track of every card, stack of chips, hand, head and light, as plain data that a renderer or a test reads.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import cos, radians, sin

import numpy as np

from datasets.errors import DatasetError
from datasets.footage.arrangements import Frame
from datasets.footage.motion import Floats, Key, Pose, Track, card_corners_mm, nearest_turn_deg, turn_between_deg
from datasets.footage.round_plan import TableCard
from vision.table import Table

# Hands lie above everything that lies on the felt, heads above hands.
CHIP_LAYER, CARD_LAYER, HAND_LAYER, HEAD_LAYER = 1_000, 2_000, 1_000_000, 2_000_000
UNDER_CHIPS_LAYER = 500
SHOULDERS_MM = {"dealer-left": (-185.0, -330.0), "dealer-right": (185.0, -330.0)}
HOMES_MM = {"dealer-left": (-170.0, -22.0), "dealer-right": (170.0, -22.0)}
_RAIL_MM = 170.0  # from a player's cards out to where the hands rest
HAND_HALF_WIDTH_MM, ARM_HALF_WIDTH_MM = 62.0, 66.0


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast everybody works, in seconds; `rest_s` is how long a revealed hand at least lies still and uncovered."""

    name: str
    bet_s: float
    settle_in_s: float  # over which players come in with their first bets
    deal_card_s: float
    flight_s: float
    packet_s: float
    count_s: float  # dealt cards lie still before anybody touches them
    look_s: float
    decide_s: float  # over which players come to their decision
    bring_s: float
    turn_s: float
    spread_s: float
    rest_s: float
    pay_s: float
    collect_s: float
    withdraw_s: float
    pause_s: float
    sweeps: bool = False  # the dealer goes from wager to wager without going back to the tray

    def hurried(self, factor: float, least: float = 1.0) -> "Pace":
        """The same with everything but the rests shortened, to no less than `least` of what hands can do."""
        kept = ("name", "rest_s", "sweeps")
        times = {key: getattr(self, key) for key in self.__slots__ if key not in kept}
        return replace(
            self,
            **{key: max(time_s * factor, min(time_s, least * _LEAST_S.get(key, 0.0))) for key, time_s in times.items()},
        )


# What no dealer is faster than, whatever the hurry.
_LEAST_S: Mapping[str, float] = {
    "deal_card_s": 0.055, "flight_s": 0.17, "packet_s": 0.2, "bring_s": 0.16, "turn_s": 0.12, "spread_s": 0.16,
    "pay_s": 0.1, "collect_s": 0.18, "withdraw_s": 0.13, "count_s": 0.8,
}  # fmt: skip


PACES: Mapping[str, Pace] = {
    "real": Pace(
        "real", bet_s=0.8, settle_in_s=2.5, deal_card_s=0.26, flight_s=0.36, packet_s=0.85, count_s=1.0, look_s=1.6,
        decide_s=4.0, bring_s=0.7, turn_s=0.5, spread_s=0.6, rest_s=1.2, pay_s=0.55, collect_s=0.7,
        withdraw_s=0.4, pause_s=0.5,
    ),
    "fast": Pace(
        "fast", bet_s=0.32, settle_in_s=0.5, deal_card_s=0.085, flight_s=0.24, packet_s=0.26, count_s=0.85,
        look_s=0.45, decide_s=0.7, bring_s=0.3, turn_s=0.22, spread_s=0.26, rest_s=0.86, pay_s=0.18,
        collect_s=0.28, withdraw_s=0.2, pause_s=0.12, sweeps=True,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ChipPile:
    """A stack of chips: values in cents from the bottom up."""

    name: str
    chips: tuple[int, ...]
    track: Track


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that moves in one round, by name; times in seconds from the round's start."""

    cards: Mapping[int, tuple[TableCard, Track]]  # by the card's number
    piles: tuple[ChipPile, ...]
    hands: Mapping[str, Track]  # dealer-left, dealer-right, seat-3-left ..: fingertips, turned along the arm
    heads: Mapping[str, Track]  # by seat: the middle of a player's head
    lights: Mapping[str, tuple[float, float]]  # sensors lit from .. to, by seat
    sensors_mm: Mapping[str, tuple[float, float]]  # where they are
    end_s: float


@dataclass(slots=True)
class Stage:
    """Collects the moves of one round."""

    table: Table
    card_size_mm: tuple[float, float]
    pace: Pace
    rng: np.random.Generator
    cards: dict[int, tuple[TableCard, list[Key]]] = field(default_factory=dict)
    piles: dict[str, tuple[tuple[int, ...], list[Key]]] = field(default_factory=dict)
    hands: dict[str, list[Key]] = field(default_factory=dict)
    heads: dict[str, list[Key]] = field(default_factory=dict)
    lights: dict[str, tuple[float, float]] = field(default_factory=dict)
    _heap: int = 0
    _gone: set[str] = field(default_factory=set)  # names of stacks taken off the table

    def next_layer(self, base: int = CARD_LAYER) -> int:
        """A layer above everything laid so far."""
        self._heap += 1
        return base + self._heap

    def place_card(self, card: TableCard, time_s: float, pose: Pose) -> None:
        """A card comes into sight."""
        if card.number in self.cards:
            raise DatasetError(f"card {card.number} ({card.text}) is on the table already")
        self.cards[card.number] = (card, [Key(time_s, pose, layer=self.next_layer())])

    def card_pose(self, card: TableCard) -> Pose:
        """Where a card will be once all moves so far are done."""
        return self.cards[card.number][1][-1].pose

    def move_card(
        self,
        card: TableCard,
        start_s: float,
        end_s: float,
        pose: Pose,
        ease: str = "smooth",
        arc_mm: float = 0.0,
        layer: int | None = None,
    ) -> None:
        """A card rests until `start_s`, then goes to a pose."""
        keys = self.cards[card.number][1]
        layer = self.next_layer() if layer is None else layer
        _append(keys, start_s, end_s, pose, ease, layer, arc_mm)

    def remove_card(self, card: TableCard, time_s: float) -> None:
        """A card goes out of sight, where it lies."""
        keys = self.cards[card.number][1]
        if time_s > keys[-1].time_s:
            keys.append(replace(keys[-1], time_s=time_s))

    def place_pile(self, name: str, chips: Sequence[int], time_s: float, pose: Pose) -> None:
        """Chips come into sight."""
        self.piles[name] = (tuple(chips), [Key(time_s, pose, layer=self.next_layer(CHIP_LAYER))])

    def pile_pose(self, name: str) -> Pose:
        """Where a stack of chips will be once all moves so far are done."""
        return self.piles[name][1][-1].pose

    def move_pile(self, name: str, start_s: float, end_s: float, pose: Pose, arc_mm: float = 12.0) -> None:
        """Chips rest until `start_s`, then go to a pose."""
        keys = self.piles[name][1]
        _append(keys, start_s, end_s, pose, "smooth", keys[-1].layer, arc_mm)

    def remove_pile(self, name: str, time_s: float) -> None:
        """Chips go out of sight."""
        keys = self.piles[name][1]
        keys.append(replace(keys[-1], time_s=max(time_s, keys[-1].time_s)))
        self._gone.add(name)

    def piles_of(self, prefix: str) -> tuple[str, ...]:
        """The stacks of a seat or spot that are still there, once all moves so far are done."""
        return tuple(name for name in self.piles if name.startswith(prefix) and name not in self._gone)

    def hand_at(self, hand: str, time_s: float, xy_mm: tuple[float, float], z_mm: float = 12.0) -> float:
        """A hand is at a place at a time, or as soon as it can be after what it did before; returns when."""
        self.show_hand(hand)
        keys = self.hands[hand]
        time_s = max(time_s, keys[-1].time_s + 0.02)
        if time_s - keys[-1].time_s > self.pace.bring_s:
            keys.append(replace(keys[-1], time_s=time_s - self.pace.bring_s))
        keys.append(Key(time_s, self.hand_pose(hand, xy_mm, z_mm, keys[-1].pose.turn_deg), layer=HAND_LAYER))
        return time_s

    def show_hand(self, hand: str) -> None:
        """A hand that rests where it is until it is needed."""
        self.hands.setdefault(hand, [Key(0.0, self.home_pose(hand), layer=HAND_LAYER)])

    def hand_away(self, hand: str, time_s: float) -> float:
        """A hand goes home; returns when it is out of the way."""
        keys = self.hands.get(hand)
        if keys is None:
            return time_s
        start = max(time_s, keys[-1].time_s)
        if start > keys[-1].time_s:
            keys.append(replace(keys[-1], time_s=start))
        keys.append(Key(start + self.pace.withdraw_s, self.home_pose(hand), layer=HAND_LAYER))
        return start + self.pace.withdraw_s

    def hand_free_s(self, hand: str) -> float:
        """When a hand has done what it was told so far."""
        return self.hands[hand][-1].time_s if hand in self.hands else 0.0

    def carry(
        self,
        hand: str,
        cards: Sequence[TableCard],
        start_s: float,
        duration_s: float,
        poses: Sequence[Pose],
        arc_mm: float = 14.0,
        layer: int | None = None,
    ) -> float:
        """A hand takes cards where they lie and brings them somewhere; returns when they are there."""
        here = _middle(self.card_pose(card).xy_mm for card in cards)
        start_s = self.hand_at(hand, start_s, here)
        end_s = start_s + duration_s
        for card, pose in zip(cards, poses, strict=True):
            self.move_card(card, start_s, end_s, pose, arc_mm=arc_mm, layer=layer)
        self.hand_at(hand, end_s, _middle(pose.xy_mm for pose in poses))
        return end_s

    def carry_pile(self, hand: str, name: str, start_s: float, duration_s: float, to_mm: tuple[float, float]) -> float:
        """A hand moves a stack of chips; returns when it is there."""
        pose = self.pile_pose(name)
        start_s = self.hand_at(hand, start_s, pose.xy_mm)
        end_s = start_s + duration_s
        self.move_pile(name, start_s, end_s, Pose(to_mm[0], to_mm[1], 0.0, pose.turn_deg))
        self.hand_at(hand, end_s, to_mm)
        return end_s

    def home_pose(self, hand: str) -> Pose:
        """Where a hand rests: off the felt."""
        home = HOMES_MM.get(hand) or self._player_point(hand, _RAIL_MM)
        return self.hand_pose(hand, home, 20.0, None)

    def dealer_hand_for(self, xy_mm: tuple[float, float]) -> str:
        """The dealer's hand on that side of the table."""
        return "dealer-right" if xy_mm[0] >= 0 else "dealer-left"

    def player_home(self, zone: str) -> tuple[float, float]:
        """Where a player's own chips are, at the rail."""
        return self._player_point(f"{zone}-right", _RAIL_MM)

    def scene(self, end_s: float) -> Scene:
        """What was collected, from 0 to `end_s`."""
        return Scene(
            cards={number: (card, Track(tuple(keys))) for number, (card, keys) in self.cards.items()},
            piles=tuple(
                ChipPile(name, chips, Track(tuple(keys) if name in self._gone else _until(keys, end_s)))
                for name, (chips, keys) in self.piles.items()
            ),
            hands={name: Track(_until(keys, end_s)) for name, keys in self.hands.items()},
            heads={name: Track(_until(keys, end_s)) for name, keys in self.heads.items()},
            lights=dict(self.lights),
            sensors_mm={zone: self.table.zones[zone].spots["sensor"] for zone in self.lights},
            end_s=end_s,
        )

    def _player_point(self, hand: str, out_mm: float) -> tuple[float, float]:
        """A place out from a seat's cards, a little to the side of the hand."""
        zone = self.table.zones[hand.rsplit("-", 1)[0]]
        frame = Frame.of(zone)
        side = 85.0 if hand.endswith("right") else -85.0
        x, y = zone.spots["cards"]
        return (
            x + frame.outwards[0] * out_mm - frame.along[0] * side,
            y + frame.outwards[1] * out_mm - frame.along[1] * side,
        )

    def hand_pose(self, hand: str, xy_mm: tuple[float, float], z_mm: float, around_deg: float | None) -> Pose:
        """A hand with its fingertips at a place, turned along its arm."""
        shoulder = SHOULDERS_MM.get(hand) or self._player_point(hand, 620.0)
        turn = turn_between_deg(shoulder, xy_mm)
        if around_deg is not None:
            turn = nearest_turn_deg(turn, around_deg)
        return Pose(xy_mm[0], xy_mm[1], z_mm, turn)


def _append(keys: list[Key], start_s: float, end_s: float, pose: Pose, ease: str, layer: int, arc_mm: float) -> None:
    start_s = max(start_s, keys[-1].time_s)
    end_s = max(end_s, start_s + 0.02)
    if start_s > keys[-1].time_s:
        keys.append(replace(keys[-1], time_s=start_s, arc_mm=0.0))
    keys.append(Key(end_s, pose, ease, layer, arc_mm))


def _until(keys: Sequence[Key], end_s: float) -> tuple[Key, ...]:
    if keys[-1].time_s < end_s:
        return (*keys, replace(keys[-1], time_s=end_s, arc_mm=0.0))
    return tuple(keys)


def _middle(points: Iterable[tuple[float, float]]) -> tuple[float, float]:
    x, y = np.mean(list(points), axis=0)
    return float(x), float(y)


def card_points_mm(pose: Pose, card_size_mm: tuple[float, float]) -> Floats:
    """Corners, middles of the sides, and middle of a card (9, 2)."""
    corners, _ = card_corners_mm(pose, card_size_mm)
    return np.vstack([corners, (corners + np.roll(corners, 1, axis=0)) / 2, corners.mean(axis=0)])


def covers(hand: Pose, points_mm: Floats, margin_mm: float) -> bool:
    """Whether a hand or the arm behind it comes near any of the points."""
    turn = radians(hand.turn_deg)
    back = np.array([sin(turn), -cos(turn)])
    offset = points_mm - np.array(hand.xy_mm)
    along = offset @ back
    across = np.abs(offset @ np.array([back[1], -back[0]]))
    half = np.where(along < 190, HAND_HALF_WIDTH_MM, ARM_HALF_WIDTH_MM) + margin_mm
    return bool(((along > -40 - margin_mm) & (across < half)).any())
