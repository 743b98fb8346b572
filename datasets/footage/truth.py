"""What really happened, as a recording states it: events with frames, one line a round, and every frame's cards.

In come a round's happenings and the cards seen in each frame; out go `Event`s, the `round` line of truth.jsonl, and
the lines of cards.jsonl, which hold only what changed since the frame before.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.errors import DatasetError
from datasets.footage.film import CardView
from datasets.footage.play import Happening
from datasets.footage.round_plan import Round
from game.cards import Card, parse_cards
from vision.events import Event

CARDS = "cards.jsonl"
_OWN_FIELDS = ("count", "expected", "seen", "reason", "advice")


def event_of(happening: Happening, time_s: float, frame: int, round_number: int) -> Event:
    """A happening as an event at its time of the footage."""
    fields = dict(happening.fields)
    own = {name: fields.pop(name) for name in _OWN_FIELDS if name in fields}
    in_front = fields.pop("set_in_front", None)
    return Event(
        happening.kind,
        round(time_s, 3),
        frame,
        round=round_number,
        zone=happening.zone,
        cards=tuple(Card.parse(text) for text in happening.cards if len(text) == 2) or None,
        set_in_front=None if in_front is None else parse_cards(in_front),
        extra=tuple((name, _frozen(value)) for name, value in fields.items()),
        **own,
    )


def _frozen(value: Any) -> Any:  # noqa: ANN401 (a JSON value of any type)
    return tuple(_frozen(item) for item in value) if isinstance(value, list | tuple) else value


def round_line(round_: Round, start_s: float, end_s: float) -> dict[str, object]:
    """The line that says what the round was: its settlement's input, the settlement, and what the dealer paid."""
    return {
        "event": "round",
        "round": round_.number,
        "start_s": round(start_s, 3),
        "end_s": round(end_s, 3),
        "input": round_.settlement_input,
        "settlement": round_.settlement,
        "paid": list(round_.paid),
        "faults": [fault.to_json() for fault in round_.faults],
        "manner": {"deal": round_.manner.deal, "apart": round_.manner.apart, "settle": round_.manner.settle},
    }


@dataclass(frozen=True, slots=True)
class CardTruth:
    """A card in a frame as cards.jsonl tells it."""

    number: int  # of the piece of pasteboard: round x 100 + its place in the pack
    card: str  # "As"; "joker" or "blank" for what is none of the 52
    is_face_up: bool
    visible: float
    is_moving: bool
    quad_px: tuple[float, ...]  # x, y of the corners, clockwise from the upper left of what is seen

    def to_json(self) -> list[object]:
        """Its form in a line."""
        face, moving = int(self.is_face_up), int(self.is_moving)
        return [self.number, self.card, face, self.visible, moving, list(self.quad_px)]

    @classmethod
    def from_json(cls, row: Sequence[Any]) -> "CardTruth":
        """The inverse of `to_json`."""
        number, card, face, visible, moving, quad = row
        return cls(number, card, bool(face), float(visible), bool(moving), tuple(quad))


@dataclass(slots=True)
class CardLog:
    """Turns the cards of each frame into lines; a frame in which nothing changed has none."""

    last: dict[int, CardTruth] = field(default_factory=dict)

    def line(
        self, frame: int, round_number: int, views: Mapping[int, CardView], shift: NDArray[np.float64] | None
    ) -> dict[str, object] | None:
        """The line of a frame, None when everything is as before."""
        now = {
            100 * round_number + number: _seen(100 * round_number + number, view, shift)
            for number, view in views.items()
        }
        changed = [card.to_json() for number, card in now.items() if self.last.get(number) != card]
        gone = [number for number in self.last if number not in now]
        self.last = now
        if not changed and not gone:
            return None
        return {"frame": frame, "cards": changed, "gone": gone}


def _seen(number: int, view: CardView, shift: NDArray[np.float64] | None) -> CardTruth:
    quad = np.array(view.quad_px).reshape(4, 2)
    if shift is not None:
        quad = quad @ shift[:, :2].T + shift[:, 2]
    corners = tuple(round(float(value), 1) for value in quad.ravel())
    return CardTruth(number, view.card.text, view.is_face_up, view.visible, view.is_moving, corners)


def cards_by_frame(lines: Iterable[Mapping[str, Any]], frames: int) -> Iterator[tuple[CardTruth, ...]]:
    """Every frame's cards from the lines of cards.jsonl."""
    waiting = iter(lines)
    line = next(waiting, None)
    cards: dict[int, CardTruth] = {}
    for frame in range(frames):
        while line is not None and line["frame"] <= frame:
            if line["frame"] < frame:
                raise DatasetError(f"{CARDS}: frame {line['frame']} comes after frame {frame}; lines are out of order")
            for number in line["gone"]:
                cards.pop(number, None)
            for row in line["cards"]:
                truth = CardTruth.from_json(row)
                cards[truth.number] = truth
            line = next(waiting, None)
        yield tuple(cards.values())
