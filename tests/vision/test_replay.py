"""Two logs of one recording, compared as another machine may give them."""

from dataclasses import replace

import pytest

from game.cards import parse_cards
from tests.vision.test_recording import write_recording
from vision.errors import VisionError
from vision.events import Event
from vision.recording import keep_events, open_recording, verify_recording
from vision.replay import STATES, checkable_from_s, differences, frames_per_s, replay
from vision.sources.recordings import RecordingSource
from vision.sources.source import SourceLost

HAND = Event("player_hand", 12.48, 312, round=3, zone="seat-4", cards=parse_cards("9s 9h 9d Kc 4d"), confidence=0.9997)
END = Event("round_ended", 20.0, 500, round=3)
LOG = (HAND, END)

SAME = [
    pytest.param(LOG, id="the same"),
    pytest.param((replace(HAND, confidence=0.985), END), id="a confidence of another machine"),
    pytest.param((replace(HAND, time_s=12.52, frame=313), END), id="a frame later"),
]
OTHER = [
    pytest.param((), 1, "is not there now", id="nothing"),
    pytest.param((HAND,), 1, "round_ended at 20.000 s was recorded", id="one is missing"),
    pytest.param((*LOG, replace(END, time_s=21.0)), 1, "is new", id="one more"),
    pytest.param((replace(HAND, cards=parse_cards("9s 9h 9d Kc 4c")), END), 1, "cards differs", id="another card"),
    pytest.param((replace(HAND, zone="seat-5"), END), 1, "zone differs", id="another zone"),
    pytest.param((replace(HAND, time_s=12.6), END), 1, "is now at 12.600 s", id="three frames later"),
    pytest.param((replace(HAND, confidence=0.9), END), 1, "confidence", id="much less sure"),
]


@pytest.mark.parametrize("replayed", SAME)
def test_logs_that_agree(replayed):
    assert differences(LOG, replayed, 0.04) == []


@pytest.mark.parametrize(("replayed", "count", "says"), OTHER)
def test_logs_that_differ(replayed, count, says):
    found = differences(LOG, replayed, 0.04)
    assert len(found) == count
    assert says in found[0]


def test_events_are_kept_in_a_recording(tmp_path):
    folder = write_recording(tmp_path / "one")
    keep_events(folder, LOG)
    verify_recording(folder)
    assert open_recording(folder).events == LOG


def test_a_recording_that_was_cut_off_keeps_none(tmp_path):
    folder = write_recording(tmp_path / "one")
    (folder / "manifest.json").write_text((folder / "manifest.json").read_text().replace('"complete"', '"recording"'))
    with pytest.raises(VisionError):
        keep_events(folder, LOG)


def test_what_a_recording_says_of_itself(tmp_path):
    recording = open_recording(write_recording(tmp_path / "one"))
    assert frames_per_s(recording) == 10
    assert checkable_from_s(recording) == 0


def test_a_recording_cut_off_before_its_first_second_is_said_to_be_empty(tmp_path):
    folder = write_recording(tmp_path / "one")
    (folder / "video.mp4").write_bytes((folder / "video.mp4").read_bytes()[:900])
    with pytest.raises(VisionError, match="one holds no whole second of video"):
        next(replay(folder, None))
    (lost,) = RecordingSource(folder)
    assert isinstance(lost, SourceLost)


def test_a_stored_state_of_another_version_is_named_with_its_file(tmp_path):
    folder = write_recording(tmp_path / "one")
    (folder / STATES).write_text('{"frame":5,"time_s":0.5,"state":{"version":1}}\n')
    with pytest.raises(VisionError, match=rf"{STATES}: .* another version.* move that file away"):
        next(replay(folder, None))
