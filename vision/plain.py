"""Frozen dataclasses as JSON and back: what the observer's state is stored as.

In: a dataclass of plain values (numbers, texts, cards, tuples of them, other such dataclasses). Out: lists, objects and
texts for JSON; and the same dataclass again.

>>> from vision.view import SeenFace
>>> to_plain(SeenFace(Card.parse("As"), 0.99, (1.0, 2.0)))
{'card': 'As', 'confidence': 0.99, 'at_mm': [1.0, 2.0], 'reason': None}
>>> str(from_plain(SeenFace, to_plain(SeenFace(Card.parse("As"), 0.99, (1.0, 2.0)))).card)
'As'
"""

from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from game.cards import Card
from game.errors import GameError
from vision.errors import VisionError

Kind = TypeVar("Kind")


def to_plain(value: object) -> Any:  # noqa: ANN401 (a JSON value of any type)
    """The value for JSON."""
    if isinstance(value, Card):
        return str(value)
    if is_dataclass(value):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    return [to_plain(item) for item in value] if isinstance(value, tuple) else value


def from_plain(kind: type[Kind], content: object) -> Kind:
    """The dataclass again; what does not fit is refused by the name of its field."""
    try:
        made: Kind = _read(kind, content)
    except (TypeError, KeyError, ValueError, GameError) as error:
        raise VisionError(f"this is no stored {kind.__name__} of this version ({error}); start without it") from error
    return made


def _read(hint: Any, content: Any) -> Any:  # noqa: ANN401 (any type and any JSON value)
    if get_origin(hint) is UnionType:
        if content is None and NoneType in get_args(hint):
            return None
        (hint,) = [one for one in get_args(hint) if one is not NoneType]
    if get_origin(hint) is tuple:
        inner = get_args(hint)
        kinds = [inner[0]] * len(content) if inner[1:] == (...,) else inner
        return tuple(_read(one, item) for one, item in zip(kinds, content, strict=True))
    if hint is Card:
        return Card.parse(content)
    if is_dataclass(hint) and isinstance(hint, type):
        hints = _hints(hint)
        if content.keys() != hints.keys():
            raise ValueError(f"{hint.__name__} has {', '.join(content)}")
        return hint(**{name: _read(one, content[name]) for name, one in hints.items()})
    if hint is float and isinstance(content, int) and not isinstance(content, bool):
        return float(content)
    if not isinstance(content, hint) or (hint is int and isinstance(content, bool)):
        raise ValueError(f"{content!r} is no {hint.__name__}")
    return content


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
