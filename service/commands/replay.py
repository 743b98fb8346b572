"""`foursight replay RECORDING`: a recording's events, the same every time; and what its frames show."""

import argparse
import json
from pathlib import Path
from typing import Any

import cv2

from service.commands.progress import Progress
from vision.draw_table import draw_view
from vision.errors import VisionError
from vision.events import Event
from vision.plain import to_plain
from vision.reader import CardReader
from vision.recording import keep_events, open_recording
from vision.replay import Replayed, checkable_from_s, differences, frames_per_s, replay


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("recording", type=Path, metavar="RECORDING", help="a recording's folder")
    add("--json", action="store_true", help="one JSON line an event")
    add("--from", dest="from_s", type=float, metavar="S", help="from this second of the footage on")
    add("--to", dest="to_s", type=float, metavar="S", help="up to this second")
    add("--step", action="store_true", help="also a line for each frame: what moves, what was read")
    add("--draw", type=Path, metavar="DIR", help="store the frames in which something was read; with --step all")
    add("--evidence", type=Path, metavar="DIR", help="store each event's crop under its name")
    add("--check", action="store_true", help="compare with the events that were recorded; 1 if they differ")
    add("--keep", action="store_true", help="store the events in the recording, for later checks")


def run(options: argparse.Namespace) -> int:
    """Replay; 1 if a check fails."""
    recording = open_recording(options.recording)
    if (options.check or options.keep) and (options.from_s is not None or options.to_s is not None):
        raise VisionError("--check and --keep are of a whole recording; leave out --from and --to")
    if options.check and not recording.events:
        raise VisionError(f"{options.recording} holds no recorded events to check; store them with --keep first")
    for folder in filter(None, (options.draw, options.evidence)):
        folder.mkdir(parents=True, exist_ok=True)
    events: list[Event] = []
    with Progress("frames") as progress:
        frames = replay(options.recording, CardReader.load(), options.from_s, options.to_s)
        for replayed in frames:
            events += replayed.step.events
            _show(options, replayed)
            progress(replayed.frame.number + 1, recording.frame_count)
    if options.keep:
        keep_events(options.recording, events)
    return _check(options.recording, events) if options.check else 0


def _show(options: argparse.Namespace, replayed: Replayed) -> None:
    step = replayed.step
    if options.step:
        _say_step(options, replayed)
    for event in step.events:
        if not options.check:
            print(event.to_json() if options.json else words(event), flush=True)
    if options.draw and step.view is not None and (options.step or step.view.places or step.events):
        watch = replayed.watch
        drawn = draw_view(replayed.frame.picture_bgr, step.view, watch.state.observer, watch.table, watch.camera)
        cv2.imwrite(str(options.draw / f"{replayed.frame.number:06d}.png"), drawn)
    if options.evidence:
        for name, content in step.evidence.items():
            (options.evidence / name).write_bytes(content)


def _say_step(options: argparse.Namespace, replayed: Replayed) -> None:
    frame, view = replayed.frame, replayed.step.view
    record: dict[str, Any] = {"frame": frame.number, "time_s": frame.time_s, "faults": list(frame.faults)}
    if view is not None:
        record |= {"moving": list(view.moving), "places": to_plain(view.places)}
    if options.json:
        print(json.dumps(record), flush=True)
        return
    moving = " ".join(view.moving) if view is not None else "no picture to look at"
    print(f"{frame.time_s:9.3f} s  frame {frame.number:<6} {moving}")
    for place in view.places if view is not None else ():
        cards = " ".join(str(face.card or f"({face.reason})") for face in place.faces)
        backs = f"{len(place.backs_mm)} face down" if place.backs_mm else ""
        spot = f"/{place.spot}" if place.spot else ""
        print(f"             {place.zone}/{place.part}{spot} look {place.look}: {cards} {backs} left {place.leftover}")


def _check(folder: Path, events: list[Event]) -> int:
    recording = open_recording(folder)
    from_s = checkable_from_s(recording)
    recorded = [event for event in recording.events if event.time_s >= from_s]
    found = differences(recorded, events, 1 / frames_per_s(recording))
    for line in found:
        print(line)
    if not found:
        print(f"{len(recorded)} events as recorded")
    return 1 if found else 0


def words(event: Event) -> str:
    """An event for people."""
    parts = [f"{event.time_s:9.3f} s", f"round {event.round or 0}", event.zone or "", event.kind.replace("_", " ")]
    parts.append(" ".join(map(str, event.cards or ())))
    if event.set_in_front is not None:
        parts.append(f"in front {' '.join(map(str, event.set_in_front))}")
    if event.kind == "miscount":
        parts.append(f"{event.seen} cards, not {event.expected}")
    parts += [event.reason or "", event.advice or ""]
    extra = dict(event.extra)
    parts += [str(extra[name]) for name in ("left", "spot", "change", "due", "result") if name in extra]
    return "  ".join(part for part in parts if part)
