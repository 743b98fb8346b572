"""The observer behind a real RTSP server that dies in mid-round: it recovers, and tells what was visible."""

import struct
import time

import av
import pytest

from datasets.footage.demo import DEMO
from game.cards import parse_cards
from tests.vision.test_sources_rtsp import RECOVERY_S, port, serving, units  # noqa: F401 (fixtures)
from vision.reader import CardReader
from vision.recording import VIDEO, open_recording
from vision.sources.open import open_source
from vision.watch_table import TableWatch

DEALER_S, SEAT_S, END_S = 16, 19, 24  # the dealer's six lie from 16.9 s to the end, seat 5's five from 19.9 s
PATIENCE_S = 60

pytestmark = pytest.mark.rtsp


def access_units_of(folder, from_s, to_s):
    """The coded frames of a piece of a recording as a camera streams them; it begins with a key frame."""
    with av.open(str(folder / VIDEO)) as video:
        stream = video.streams.video[0]
        to_stream = av.BitStreamFilterContext("h264_mp4toannexb,h264_metadata=aud=insert", stream)
        packets = [packet for packet in video.demux(stream) if packet.pts is not None]
        chosen = [packet for packet in packets if from_s <= float(packet.pts * packet.time_base) < to_s]
        return [bytes(out) for packet in chosen for out in to_stream.filter(packet)]


def store(path, units_):
    path.write_bytes(b"".join(struct.pack(">I", len(unit)) + unit for unit in units_))
    return path


def watch(table, source, is_done):
    """Events until one of them is what is waited for."""
    events, until_s = [], time.monotonic() + PATIENCE_S
    for item in source:
        events += table.step(item).events
        if is_done(table, events) or time.monotonic() > until_s:
            return events
    return events


def has_told(kind):
    return lambda _, events: any(event.kind == kind for event in events)


def test_a_server_that_dies_before_a_hand_is_turned(units, port, tmp_path):  # noqa: F811
    first = store(tmp_path / "first", access_units_of(DEMO, DEALER_S, SEAT_S))
    second = store(tmp_path / "second", access_units_of(DEMO, DEALER_S, END_S))
    recording = open_recording(DEMO)
    reference = next(iter(recording.frames())).image_bgr
    table = TableWatch(recording.table, CardReader.load(), reference_bgr=reference)
    with open_source(f"rtsp://127.0.0.1:{port}/table") as source:
        with serving(port, first):
            before = watch(table, source, has_told("dealer_hand"))
        lost = watch(table, source, has_told("source_lost"))
        with serving(port, second):
            started_s = time.monotonic()
            back = watch(table, source, has_told("source_back"))
            took_s = time.monotonic() - started_s
            after = watch(table, source, has_told("player_hand"))
    assert has_told("source_lost")(table, lost)
    assert has_told("source_back")(table, back)
    assert took_s < RECOVERY_S
    hands = {event.zone: set(event.cards or ()) for event in (*before, *after) if event.kind.endswith("_hand")}
    assert hands["seat-5"] == set(parse_cards("Jc Js 5s 5d Kh"))
    assert hands["dealer"] == set(parse_cards("Kd Tc 9c 8h 4s 3c"))
