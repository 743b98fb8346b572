"""Rounds played out without a picture, one after the other: their views, their truth.

In: what footage is wanted and how well a reader reads. Out: `Played`, round by round: `TableView`s, the truth's events
and the `round` line, as a recording of the same seed would have them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from datasets.footage.simulate import FootageSettings, Set, build_set, random_performances
from datasets.footage.truth import event_of, round_line
from datasets.footage.views import PERFECT, ReaderModel, views_of
from vision.events import Event
from vision.table import Table
from vision.view import TableView

_LEAD_IN_S = 0.6
_FPS = 25


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """One round."""

    views: tuple[TableView, ...]
    truth: tuple[Event, ...]
    line: Mapping[str, Any]


def play_rounds(settings: FootageSettings, model: ReaderModel = PERFECT) -> tuple[Table, Iterator[Played]]:
    """The table, and its rounds in order."""
    stage_set = build_set(settings, 0)
    return stage_set.table, _rounds(settings, stage_set, model)


def _rounds(settings: FootageSettings, stage_set: Set, model: ReaderModel) -> Iterator[Played]:
    start_s, frame = _LEAD_IN_S, 0
    for performance, outages in random_performances(settings, range(settings.rounds), 0)(stage_set):
        number, end_s = performance.round.number, start_s + performance.scene.end_s
        views = tuple(
            views_of(
                performance,
                stage_set.table,
                model,
                outages=outages,
                start_s=start_s,
                pause_s=stage_set.pause_s,
                first_frame=frame,
            )
        )
        told = [*performance.happenings, *(one for outage in outages for one in outage.happenings())]
        shifted = [replace(one, time_s=one.time_s + start_s) for one in sorted(told, key=lambda one: one.time_s)]
        truth = tuple(event_of(one, one.time_s, round(one.time_s * _FPS), number) for one in shifted)
        yield Played(views, truth, round_line(performance.round, start_s, end_s))
        start_s, frame = end_s + stage_set.pause_s, frame + len(views)
