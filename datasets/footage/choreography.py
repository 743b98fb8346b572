"""A round on the table: who moves what where and when, and what a watcher can know from which moment on.

In come a `Round`, a table and a pace; out goes a `Performance`: the tracks of everything that moves, in millimetres and
seconds, and the happenings, each at the time from which the cards it speaks of lie still and uncovered.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from datasets.errors import DatasetError
from datasets.footage.arrangements import Frame
from datasets.footage.dealing import deal, decide, place_bets
from datasets.footage.motion import Key
from datasets.footage.play import Happening, Play
from datasets.footage.round_plan import Round
from datasets.footage.settling import end_round, reveal_dealer, settle_hands, stop_round
from datasets.footage.stage import HEAD_LAYER, PACES, Pace, Scene, Stage, card_points_mm, covers
from vision.table import Table

FAST_ROUND_S = 20.0  # at fast pace a round takes no longer
# How much is hurried, and how far below what hands can do: the last resort for seven hands that all have to be paid.
_TEMPOS = (
    *((tempo, 1.0) for tempo in (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.42, 0.35, 0.3)),
    *((0.3, least) for least in (0.8, 0.65, 0.5)),
)
_STEP_S = 0.04
_LONGEST_STEPS = 90
READ_S = 0.8  # a hand lies still and uncovered at least this long


@dataclass(frozen=True, slots=True)
class Performance:
    """A round played out. Its scene begins at 0."""

    round: Round
    scene: Scene
    happenings: tuple[Happening, ...]  # in order of time
    card_size_mm: tuple[float, float]


def perform(
    round_: Round,
    table: Table,
    card_size_mm: tuple[float, float],
    pace: str,
    seed: Sequence[int],
    tempo: float = 1.0,
) -> Performance:
    """Play a round out. At fast pace, hurry until it fits, without shortening what is to be read."""
    if pace not in PACES:
        raise DatasetError(f"{pace!r} is no pace; choose {' or '.join(PACES)}")
    for place, (hurry, least) in enumerate(_TEMPOS):
        done = _perform_once(round_, table, card_size_mm, PACES[pace].hurried(tempo * hurry, least), seed)
        if pace != "fast" or done.scene.end_s <= FAST_ROUND_S:
            return replace(done, happenings=_in_time(done.happenings, done.scene, card_size_mm))
        if round_.manner.settle != "lay-and-pay" and place == 1:
            round_ = replace(round_, manner=replace(round_.manner, settle="lay-and-pay"))
    raise DatasetError(f"round {round_.number} with {len(round_.seats)} hands does not fit into {FAST_ROUND_S} s")


def _perform_once(
    round_: Round, table: Table, card_size_mm: tuple[float, float], pace: Pace, seed: Sequence[int]
) -> Performance:
    stage = Stage(table, card_size_mm, pace, np.random.default_rng([*seed, 7]))
    for owner in ("dealer", *(plan.name for plan in round_.seats)):
        stage.show_hand(f"{owner}-left")
        stage.show_hand(f"{owner}-right")
    play = Play(stage, round_)
    place_bets(play)
    deal(play)
    if not _stops_after_deal(play):
        decide(play)
        if not (reveal_dealer(play) and settle_hands(play)):
            stop_round(play)
    else:
        stop_round(play)
    end_round(play)
    _seat_players(play)
    free = max([play.now_s, *(stage.hand_free_s(hand) for hand in stage.hands)])
    return Performance(round_, stage.scene(free + 0.2), tuple(play.happenings), card_size_mm)


def _stops_after_deal(play: Play) -> bool:
    """A miscount that lay open at the deal is seen at once, or only when the hand is turned."""
    seen = any(happening.kind == "miscount" for happening in play.happenings)
    return seen and bool(play.stage.rng.random() < 0.5)


def _seat_players(play: Play) -> None:
    """Players' heads at the rail; they lean in when they look and when hands are turned."""
    stage = play.stage
    for plan in play.round.seats:
        frame = Frame.of(stage.table.zones[plan.name])
        x, y = stage.table.zones[plan.name].spots["cards"]
        keys: list[Key] = []
        for time_s in np.arange(0.0, play.now_s + 10.0, 5.3):
            side, out = float(stage.rng.normal(0, 12)), 420.0 - 130.0 * float(stage.rng.random() < 0.3)
            if not keys or time_s > play.now_s:
                side, out = 0.0, 420.0  # the next round begins where this one ends
            pose = stage.home_pose(f"{plan.name}-right")
            at = replace(
                pose,
                x_mm=x + frame.outwards[0] * out + frame.along[0] * side,
                y_mm=y + frame.outwards[1] * out + frame.along[1] * side,
                z_mm=330.0,
                turn_deg=frame.turn_deg + float(stage.rng.normal(0, 6)),
            )
            if keys:
                keys.append(replace(keys[-1], time_s=float(time_s) - 0.8))
            keys.append(Key(float(time_s), at, layer=HEAD_LAYER))
        stage.heads[plan.name] = keys


def _in_time(happenings: Iterable[Happening], scene: Scene, card_size_mm: tuple[float, float]) -> tuple[Happening, ...]:
    """Each happening at the first moment from which its cards can be seen; in order."""
    timed = [
        replace(one, time_s=clear_from(scene, one.numbers, one.time_s, card_size_mm)) if one.numbers else one
        for one in happenings
    ]
    return tuple(sorted(timed, key=lambda one: one.time_s))


def clear_from(scene: Scene, numbers: Sequence[int], time_s: float, card_size_mm: tuple[float, float]) -> float:
    """The first time from `time_s` on from which these cards lie still long enough to be read, no hand over them."""
    least = round(READ_S / _STEP_S)
    first: int | None = None  # the first step of the clear span so far
    fallback: int | None = None
    for step in range(_LONGEST_STEPS):
        if not is_clear(scene, numbers, time_s + step * _STEP_S, card_size_mm):
            first = None
            continue
        first = step if first is None else first
        fallback = step if fallback is None else fallback
        if step - first >= least:
            return time_s + first * _STEP_S
    return time_s + (fallback or 0) * _STEP_S


def is_clear(
    scene: Scene, numbers: Sequence[int], time_s: float, card_size_mm: tuple[float, float], margin_mm: float = 8.0
) -> bool:
    """Whether these cards lie still with no hand or arm over them."""
    tracks = [scene.cards[number][1] for number in numbers]
    if not all(track.is_at_rest(time_s) for track in tracks):
        return False
    points = np.concatenate([card_points_mm(track.at(time_s), card_size_mm) for track in tracks])
    return not any(
        covers(track.at(time_s), points, margin_mm) for track in scene.hands.values() if track.is_present(time_s)
    )
