"""What was observed of simulated rounds against what really happened.

In: the truth's events and `round` lines, and the observed events. Out: a `RoundScore` for each round: hands right,
wrong or refused, what had to be flagged and was, what was flagged and was not there, and how long after the truth.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from vision.events import Event

HANDS: Final = ("dealer_hand", "player_hand")
FLAGS: Final = ("miscount", "duplicate_card", "foreign_card", "exposed_card", "out_of_order", "dealer_set_wrong")
LATE: Final = "late wager"  # a bet_spot_changed that is late counts as a flag of this name


@dataclass(frozen=True, slots=True)
class RoundScore:
    """One round."""

    number: int
    faults: tuple[str, ...]
    hands: int = 0  # that can be read
    right: int = 0
    wrong: tuple[str, ...] = ()  # stated and not true, as texts
    refused: int = 0  # not stated, and said to be unreadable
    unsaid: tuple[str, ...] = ()  # zones neither stated nor said to be unreadable
    missed: tuple[str, ...] = ()  # flags of the truth that were not raised
    false: tuple[str, ...] = ()  # flags raised that the truth does not have
    delays_s: tuple[float, ...] = field(default=(), compare=False)  # from truth to event, of right hands and up cards

    @property
    def is_void(self) -> bool:
        """Whether a miscount was to be flagged."""
        return any(fault.startswith(("player-", "dealer-")) for fault in self.faults)

    @property
    def is_exact(self) -> bool:
        """Whether the round needs nobody's help: every hand right, every flag right."""
        return self.right == self.hands and not self.wrong and not self.missed and not self.false


def score_rounds(
    truth: Iterable[Event], rounds: Sequence[Mapping[str, Any]], observed: Iterable[Event]
) -> tuple[RoundScore, ...]:
    """Each round's score; what was observed belongs to the round during which it was told."""
    truth, observed = tuple(truth), tuple(observed)
    starts = [float(line["start_s"]) for line in rounds] + [float("inf")]
    return tuple(
        _score(
            line,
            [event for event in truth if event.round == line["round"]],
            [event for event in observed if starts[place] <= event.time_s < starts[place + 1]],
        )
        for place, line in enumerate(rounds)
    )


def _score(line: Mapping[str, Any], truth: list[Event], observed: list[Event]) -> RoundScore:
    true_hands = {event.zone: event for event in truth if event.kind in HANDS}
    demanded = {zone: event for zone, event in true_hands.items() if event.extra_value("hidden") is None}
    seen = {event.zone: event for event in observed if event.kind in HANDS}
    asked = {event.zone for event in observed if event.kind == "unreadable"}
    right = [zone for zone, event in demanded.items() if zone in seen and _is_same(event, seen[zone])]
    wrong = [f"{event.zone}: {_text(event)}" for event in seen.values() if not _is_true(event, true_hands, line)]
    left = [zone for zone in demanded if zone not in right and zone not in seen]
    due, raised = Counter(_flags(truth)), Counter(_flags(observed))
    return RoundScore(
        number=int(line["round"]),
        faults=tuple(fault["kind"] for fault in line["faults"]),
        hands=len(demanded),
        right=len(right),
        wrong=tuple(wrong),
        refused=sum(zone in asked for zone in left),
        unsaid=tuple(str(zone) for zone in left if zone not in asked),
        missed=tuple((due - raised).elements()),
        false=tuple((raised - due).elements()),
        delays_s=tuple(seen[zone].time_s - demanded[zone].time_s for zone in right),
    )


def _is_same(event: Event, seen: Event) -> bool:
    """The same cards, and for the dealer the same four in front."""
    is_set = event.set_in_front is None or set(event.set_in_front) == set(seen.set_in_front or ())
    return set(event.cards or ()) == set(seen.cards or ()) and is_set


def _is_true(seen: Event, true_hands: Mapping[str | None, Event], line: Mapping[str, Any]) -> bool:
    """Whether a stated hand is the one that was dealt there."""
    event = true_hands.get(seen.zone)
    if event is not None:
        return _is_same(event, seen)
    return sorted(map(str, seen.cards or ())) == sorted(_dealt(line, seen))


def _dealt(line: Mapping[str, Any], seen: Event) -> list[str]:
    if seen.seat is None:
        return list(line["input"]["dealer"]["cards"])
    return next((list(row["cards"]) for row in line["input"]["seats"] if row["seat"] == seen.seat), [])


def _flags(events: Iterable[Event]) -> Iterable[str]:
    """Each flag as a text that says all that has to agree."""
    for event in events:
        if event.kind == "bet_spot_changed" and event.extra_value("late"):
            yield f"{LATE} {event.zone} {event.extra_value('spot')}"
        elif event.kind == "miscount":
            yield f"miscount {event.zone} {event.seen}"
        elif event.kind in ("duplicate_card", "exposed_card"):
            yield f"{event.kind} {event.zone} {_text(event)}"
        elif event.kind in FLAGS:
            yield f"{event.kind} {event.zone}"


def _text(event: Event) -> str:
    return " ".join(sorted(map(str, event.cards or ())))
