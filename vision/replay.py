"""A recording watched again: the events it gives, and whether they are those that were recorded.

In: a recording. Out: for each frame its `Step`; from any moment on, the same as from the beginning: a state that was
stored with the recording is gone on with after two seconds of run-in, and without one the recording is watched from its
start. `differences` compares two logs as another machine may give them.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vision.calibration import CalibrationError
from vision.errors import VisionError
from vision.events import Event
from vision.frame import Frame
from vision.reader import CardReader
from vision.recording import Recording, open_recording
from vision.sources.recordings import RecordingSource
from vision.watch_table import RUN_IN_S, Step, TableWatch, WatchState

STATES: Final = "states.jsonl"  # {"frame", "time_s", "state"}: as it was before that frame
SAME_CONFIDENCE: Final = 0.02  # on another machine


@dataclass(frozen=True, slots=True, eq=False)
class Replayed:
    """One frame of a recording and what it brought."""

    frame: Frame
    step: Step
    watch: TableWatch  # as it is after the step


def replay(
    folder: str | Path, reader: CardReader, from_s: float | None = None, to_s: float | None = None
) -> Iterator[Replayed]:
    """The frames with `from_s` <= time < `to_s`, watched."""
    recording = open_recording(folder)
    if not recording.frame_count:
        raise VisionError(f"{folder} holds no whole second of video; there is nothing to watch again")
    state, state_s = _state_before(recording, from_s)
    watch = _watch_of(recording, reader, state)
    for item in RecordingSource(folder, from_s=max(0.0, state_s - RUN_IN_S) if state else None, to_s=to_s):
        if state is not None and item.time_s < state_s:
            watch.run_in(item)
            continue
        step = watch.step(item)
        if isinstance(item, Frame) and (from_s is None or item.time_s >= from_s):
            yield Replayed(item, step, watch)


def _watch_of(recording: Recording, reader: CardReader, state: WatchState | None) -> TableWatch:
    """With the first frame as the camera's reference, where the felt shows enough to watch the camera by."""
    reference = next(iter(recording.frames())).image_bgr
    fps = frames_per_s(recording)
    try:
        return TableWatch(recording.table, reader, fps=fps, reference_bgr=reference, state=state)
    except CalibrationError:
        return TableWatch(recording.table, reader, fps=fps, state=state)


def frames_per_s(recording: Recording) -> float:
    """The rate at which a recording was filmed."""
    camera = recording.manifest.get("camera")
    rate = camera.get("fps") if isinstance(camera, dict) else None
    return float(rate) if isinstance(rate, int | float) and rate > 0 else 25.0


def stored_states(recording: Recording) -> Iterator[tuple[float, str]]:
    """The time and text of every stored state."""
    for line in recording.lines(STATES):
        time_s = line.get("time_s")
        if isinstance(time_s, int | float):
            yield float(time_s), json.dumps(line.get("state"))


def checkable_from_s(recording: Recording) -> float:
    """From when on a recording that begins in the middle of a round gives the events that were recorded."""
    return min((time_s for time_s, _ in stored_states(recording)), default=0.0)


def _state_before(recording: Recording, from_s: float | None) -> tuple[WatchState | None, float]:
    """The last state stored before a moment, or the first where the recording begins amid a round."""
    states = sorted(stored_states(recording))
    if not states:
        return None, 0.0
    time_s, text = max((one for one in states if from_s is not None and one[0] <= from_s), default=states[0])
    try:
        return WatchState.from_json(text), time_s
    except VisionError as error:
        raise VisionError(f"{recording.folder / STATES}: {error}; move that file away") from error


def differences(recorded: Sequence[Event], replayed: Sequence[Event], frame_s: float) -> list[str]:
    """What two logs do not agree on, a sentence each: kinds, zones and cards exactly, times to a frame."""
    found = []
    for place in range(max(len(recorded), len(replayed))):
        if place >= len(replayed):
            found.append(f"{_name(recorded[place])} was recorded and is not there now")
        elif place >= len(recorded):
            found.append(f"{_name(replayed[place])} is new, it was not recorded")
        else:
            found += _differs(recorded[place], replayed[place], frame_s)
        if found and len(recorded) != len(replayed):
            break  # what follows is shifted
    return found


def _differs(one: Event, other: Event, frame_s: float) -> list[str]:
    for name in ("kind", "zone", "round", "cards", "set_in_front", "count", "expected", "seen", "reason"):
        if getattr(one, name) != getattr(other, name):
            return [f"{_name(one)} is now {_name(other)}: {name} differs"]
    if abs(one.time_s - other.time_s) > frame_s * 1.5:
        return [f"{_name(one)} is now at {other.time_s:.3f} s"]
    if abs((one.confidence or 0.0) - (other.confidence or 0.0)) > SAME_CONFIDENCE:
        return [f"{_name(one)} has confidence {other.confidence}, it was {one.confidence}"]
    return []


def _name(event: Event) -> str:
    words = [event.kind, event.zone or "", " ".join(map(str, event.cards or ())), f"at {event.time_s:.3f} s"]
    return " ".join(word for word in words if word)
