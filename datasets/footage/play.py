"""A round being played out: the stage, the round's data, the clock, and what happened when.

Shared by the two halves of the choreography (`dealing`, `settling`): each adds moves and happenings and moves the
clock on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from datasets.footage.motion import Pose
from datasets.footage.round_plan import Round, SeatPlan, TableCard
from datasets.footage.stage import Stage


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that became true for whoever watches; `numbers` are the cards that must be seen for it."""

    kind: str
    time_s: float
    zone: str | None = None
    cards: tuple[str, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    numbers: tuple[int, ...] = ()


@dataclass(slots=True)
class Play:
    """The state of the performance."""

    stage: Stage
    round: Round
    now_s: float = 0.0
    happenings: list[Happening] = field(default_factory=list)
    discarded: list[TableCard] = field(default_factory=list)
    settled: list[SeatPlan] = field(default_factory=list)  # seats already paid or taken
    on_table: list[TableCard] = field(default_factory=list)  # dealt and not yet collected

    def tell(
        self,
        kind: str,
        time_s: float,
        zone: str | None = None,
        cards: Sequence[TableCard] = (),
        showing: Sequence[TableCard] = (),
        **fields: Any,  # noqa: ANN401 (the fields of any event)
    ) -> None:
        """Note what happened; `showing` are the cards that must lie uncovered for it."""
        texts = tuple(card.text for card in cards)
        numbers = tuple(card.number for card in showing or cards)
        self.happenings.append(Happening(kind, time_s, zone, texts, fields, numbers))

    def discard(self, hand: str, cards: Sequence[TableCard], start_s: float) -> float:
        """A hand brings cards to the discard rack, face down; returns when they are there."""
        stage = self.stage
        x, y = stage.table.zones["discard"].centre_mm
        poses = [
            Pose(x, y, 0.3 * (len(self.discarded) + place), _half_turn(stage.card_pose(card).turn_deg))
            for place, card in enumerate(cards)
        ]
        end_s = stage.carry(hand, cards, start_s, stage.pace.collect_s, poses)
        for hidden in (*self.discarded[-1:], *cards[:-1]):
            stage.remove_card(hidden, end_s + 0.02)
        self.discarded += cards
        self.on_table = [card for card in self.on_table if card not in cards]
        return end_s


def _half_turn(turn_deg: float) -> float:
    """The nearest turn in which a card stands in the rack."""
    return 180.0 * round(turn_deg / 180)


def fold_is_left(round_: Round, plan: SeatPlan) -> str:
    """Where a folded hand's cards go: `taken`, by the `sensor`, under a `bonus` wager, or `kept` for its turn."""
    if round_.house.game == "PRIME":
        return "bonus" if "aces_baby" in plan.wagers or "prime" in plan.wagers else "taken"
    if "progressive" in plan.wagers:
        return "sensor"
    live_bonus = round_.house.house_rules["bbb_on_fold"] == "live" and "bad_beat_bonus" in plan.wagers
    return "kept" if "aces_up" in plan.wagers or live_bonus else "taken"


def is_revealed(round_: Round, plan: SeatPlan) -> bool:
    """Whether a seat's cards are turned when its turn comes."""
    if plan.decision != "fold":
        return True
    left = fold_is_left(round_, plan)
    if left != "sensor":
        return left != "taken"
    qualifies = bool(round_.house.house_rules["progressive_folded_hand_qualifies"])
    return qualifies or "aces_up" in plan.wagers
