"""Cases as JSON lines: settle each, and compare with what was expected where a line says so.

A line is `{"id", "input", "expected"?}`; what is no case gives an error for that line and the rest goes on.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from game.actions import Action, dealer_actions
from game.errors import GameError
from game.paytables import PayTable
from game.results import Json, Settlement
from game.settlement import settle_json


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One line, settled. `differences` is None where nothing was expected."""

    output: Json
    differences: tuple[str, ...] | None = None
    settlement: Settlement | None = None  # None where the line was no case
    actions: tuple[Action, ...] = ()

    @property
    def has_error(self) -> bool:
        """Whether the line was no case at all."""
        return "error" in self.output


def run_case(line: str, number: int, paytables: Mapping[str, PayTable], *, with_actions: bool = False) -> CaseResult:
    """Settle one line of a file."""
    case_id: object = f"line {number}"
    try:
        case = _parse(line)
        case_id = case.get("id", case_id)
        content = case if "input" not in case and "game" in case else case.get("input")
        if content is None:
            raise GameError("the case has no 'input'")
        settlement = settle_json(content, paytables)
    except GameError as error:
        return CaseResult({"id": case_id, "error": f"line {number}: {error}"})
    output: Json = {"id": case_id, **settlement.to_json()}
    expected = case.get("expected")
    differences = None if expected is None else tuple(differences_of(expected, settlement.to_json()))
    actions = dealer_actions(settlement)
    if with_actions:
        output["actions"] = [action.to_json() for action in actions]
    return CaseResult(output, differences, settlement, actions)


def _parse(line: str) -> Json:
    try:
        case = json.loads(line.removeprefix("\ufeff"))  # some editors begin a file with a mark
    except json.JSONDecodeError as error:
        raise GameError(f"not JSON ({error.msg} at column {error.colno}); write one whole object a line") from error
    except RecursionError:
        raise GameError("nested too deeply to be a case") from None
    except ValueError as error:  # Python refuses numbers of more than 4,300 digits
        raise GameError("holds a number too long to be money") from error
    if not isinstance(case, dict):
        raise GameError("a case is an object with 'id' and 'input'")
    return case


def differences_of(expected: object, actual: object, path: str = "") -> Iterator[str]:
    """Every place where a result is not what was expected; the order of keys and cards means nothing."""
    if path.endswith("best_four_any_of"):
        listed = _card_sets(expected)
        if not listed or not _card_sets(actual) <= listed:
            yield f"{path}: expected one of {expected}, got {actual}"
    elif isinstance(expected, dict) and isinstance(actual, dict):
        for key in sorted(expected.keys() | actual.keys()):
            yield from differences_of(expected.get(key), actual.get(key), f"{path}.{key}" if path else key)
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        if path == "seats":
            expected, actual = (sorted(seats, key=_seat_number) for seats in (expected, actual))
        for index, (want, got) in enumerate(zip(expected, actual, strict=True)):
            yield from differences_of(want, got, f"{path}[{index}]")
    elif not _is_same(expected, actual):
        yield f"{path}: expected {expected!r}, got {actual!r}"


def _card_sets(fours: object) -> set[frozenset[str]]:
    return {frozenset(four) for four in fours} if isinstance(fours, list) else set()


def _seat_number(seat: object) -> int:
    number = seat.get("seat") if isinstance(seat, dict) else None
    return number if isinstance(number, int) else 0


def _is_same(expected: object, actual: object) -> bool:
    if expected == actual:
        return True
    try:
        return Fraction(str(expected)) == Fraction(str(actual))
    except (ValueError, ZeroDivisionError):
        return False
