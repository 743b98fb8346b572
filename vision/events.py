"""What happened at a table, one JSON object a line: the language of observer, replay, review, service and truth.

In and out: `Event`, a line of `events.jsonl` or `truth.jsonl`. Which fields a kind must have is a table, `KINDS`;
a kind may carry more than that, and what this version does not know is kept as it came.

>>> line = '{"event":"cards_dealt","time_s":3.2,"frame":80,"round":1,"zone":"seat-4","count":5}'
>>> event = Event.from_json(line)
>>> event.kind, event.zone, event.count
('cards_dealt', 'seat-4', 5)
>>> event.to_json() == line
True
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

from game.cards import Card
from game.errors import GameError
from vision.errors import VisionError
from vision.layout import DEALER, MOST_SEATS

Value = str | int | float | bool | None | tuple["Value", ...]
Extra = tuple[tuple[str, Value], ...]

ZONES = (DEALER, *(f"seat-{number}" for number in range(1, MOST_SEATS + 1)))

# The fields that a kind must have besides `event`, `time_s` and `frame`.
KINDS: Mapping[str, tuple[str, ...]] = {
    "round_started": ("round",),
    "cards_dealt": ("round", "zone", "count"),
    "up_card": ("round", "zone", "cards"),
    "dealer_hand": ("round", "zone", "cards", "set_in_front"),
    "player_hand": ("round", "zone", "cards"),
    "fold": ("round", "zone"),
    "miscount": ("round", "zone", "expected", "seen"),
    "duplicate_card": ("round", "zone", "cards"),
    "foreign_card": ("round", "zone"),
    "exposed_card": ("round", "zone", "cards"),
    "out_of_order": ("round", "zone"),
    "dealer_set_wrong": ("round", "zone", "cards"),
    "unreadable": ("round", "zone", "reason", "advice"),
    "bet_spot_changed": ("round", "zone"),
    "hand_cleared": ("round", "zone"),
    "round_void": ("round",),
    "round_ended": ("round",),
    "source_lost": (),
    "source_back": (),
    "camera_moved": (),
    "light_changed": (),
}
_CARD_FIELDS = ("cards", "set_in_front")
_WHOLE_FIELDS = ("frame", "round", "count", "expected", "seen")
_TEXT_FIELDS = ("reason", "advice")


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. Times are of the footage, never of the clock."""

    kind: str
    time_s: float
    frame: int
    round: int | None = None
    zone: str | None = None
    cards: tuple[Card, ...] | None = None
    confidence: float | None = None
    count: int | None = None  # cards_dealt
    set_in_front: tuple[Card, ...] | None = None  # dealer_hand: the four that play
    expected: int | None = None  # miscount: cards that should be there
    seen: int | None = None  # miscount: cards that are
    reason: str | None = None
    advice: str | None = None
    extra: Extra = ()  # what the kind gained since, by name

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise VisionError(f"{self.kind!r} is no kind of event; use one of {', '.join(KINDS)}")
        for name in KINDS[self.kind]:
            if getattr(self, name) is None:
                raise VisionError(f"{self.kind}: {name!r} is missing; add it")
        self._verify_values()
        object.__setattr__(self, "extra", tuple(sorted(self.extra, key=lambda pair: pair[0])))

    def _verify_values(self) -> None:
        if not math.isfinite(self.time_s) or self.time_s < 0:
            raise VisionError(f"{self.kind}: time_s {self.time_s!r} is wrong; write seconds from the start")
        for name in _WHOLE_FIELDS:
            if (value := getattr(self, name)) is not None and value < 0:
                raise VisionError(f"{self.kind}: {name} {value!r} is wrong; it is 0 or more")
        if self.zone is not None and self.zone not in ZONES:
            raise VisionError(f"{self.kind}: zone {self.zone!r} is unknown; use one of {', '.join(ZONES)}")
        if self.confidence is not None and not 0 <= self.confidence <= 1:
            raise VisionError(f"{self.kind}: confidence {self.confidence!r} is wrong; it is 0 to 1")
        if clash := {name for name, _ in self.extra} & _KNOWN_NAMES:
            raise VisionError(f"{self.kind}: {', '.join(sorted(clash))} has a field of its own; use that")

    @property
    def seat(self) -> int | None:
        """The seat's number, when it happened at one."""
        return int(self.zone.removeprefix("seat-")) if self.zone and self.zone != DEALER else None

    def extra_value(self, name: str) -> Value:
        """A field that the kind gained, None when it is not there."""
        return dict(self.extra).get(name)

    def to_record(self) -> dict[str, object]:
        """The JSON object, keys in their fixed order, what is not there left out."""
        record: dict[str, object] = {"event": self.kind}
        for name in _FIELD_ORDER:
            value = getattr(self, name)
            if value is not None:
                record[name] = [str(card) for card in value] if name in _CARD_FIELDS else value
        return record | {name: _thawed(value) for name, value in self.extra}

    def to_json(self) -> str:
        """One line, without its end."""
        return json.dumps(self.to_record(), separators=(",", ":"), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, line: str, where: str = "event") -> Self:
        """Read one line; `where` names it in messages."""
        return cls.from_record(parse_line(line, where), where)

    @classmethod
    def from_record(cls, record: Mapping[str, object], where: str = "event") -> Self:
        """Read a JSON object; fields this version does not know become `extra`."""
        if "event" not in record:
            raise VisionError(f"{where}: 'event', the kind, is missing; add it")
        try:
            known = {name: _read(name, record[name]) for name in _FIELD_ORDER if name in record}
            extra = tuple((name, _frozen(value)) for name, value in record.items() if name not in _KNOWN_NAMES)
            if missing := [name for name in ("time_s", "frame") if name not in known]:
                raise VisionError(f"{missing[0]!r} is missing; add it")
            return cls(kind=str(record["event"]), extra=extra, **known)  # type: ignore[arg-type]
        except (VisionError, GameError) as error:
            raise VisionError(f"{where}: {error}") from error


_FIELD_ORDER = tuple(field.name for field in fields(Event) if field.name not in ("kind", "extra"))
_KNOWN_NAMES = {"event", *_FIELD_ORDER}


def parse_line(line: str, where: str) -> dict[str, object]:
    """A line of JSON that is an object."""
    try:
        record = json.loads(line, parse_constant=_refuse_constant)
    except ValueError as error:
        raise VisionError(f"{where}: {line[:60]!r} is not JSON ({error}); write one object a line") from error
    if not isinstance(record, dict):
        raise VisionError(f"{where}: {line[:60]!r} is not a JSON object; write one object a line")
    return record


def read_lines(path: Path, *, may_be_cut: bool = False) -> list[tuple[str, dict[str, object]]]:
    """Every line's place and object. With `may_be_cut` a last line that was not finished is left out."""
    text = path.read_bytes()
    whole, _, rest = text.rpartition(b"\n")
    if not may_be_cut and rest:
        whole = text
    try:
        lines = whole.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise VisionError(f"{path}: is not UTF-8 text ({error}); write one JSON object a line") from error
    numbered = [(f"{path}, line {number}", line) for number, line in enumerate(lines, 1) if line.strip()]
    return [(where, parse_line(line, where)) for where, line in numbered]


def read_events(path: str | Path, *, may_be_cut: bool = False) -> tuple[Event, ...]:
    """The events of a file, one a line; a wrong line is named by its number."""
    return tuple(Event.from_record(record, where) for where, record in read_lines(Path(path), may_be_cut=may_be_cut))


def write_events(path: str | Path, events: Iterable[Event]) -> None:
    """Write events, one a line."""
    Path(path).write_text("".join(event.to_json() + "\n" for event in events), encoding="utf-8")


def _read(name: str, value: object) -> object:
    """A known field's value, of its type."""
    if name in _CARD_FIELDS:
        if not isinstance(value, list):
            raise VisionError(f'{name} {value!r} is wrong; write a list like ["As", "Td"]')
        return tuple(Card.parse(card) for card in value)
    if name in _WHOLE_FIELDS:
        if isinstance(value, bool) or not isinstance(value, int):
            raise VisionError(f"{name} {value!r} is wrong; write a whole number")
        return value
    if name in ("time_s", "confidence"):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise VisionError(f"{name} {value!r} is wrong; write a number")
        return value
    if not isinstance(value, str):
        raise VisionError(f"{name} {value!r} is wrong; write a text in quotes")
    return value


def _frozen(value: object) -> Value:
    """A JSON value that can be hashed."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list | tuple):
        return tuple(_frozen(item) for item in value)
    raise VisionError(f"{value!r} is wrong for a further field; use texts, numbers and lists of them")


def _thawed(value: Value) -> object:
    return [_thawed(item) for item in value] if isinstance(value, tuple) else value


def _refuse_constant(text: str) -> object:
    raise ValueError(f"{text} is no JSON number")
