"""`foursight replay` on a second of the bundled recording."""

import json

import pytest

from datasets.footage.demo import DEMO
from service.cli import main
from tests.vision.test_recording import write_recording


def test_each_frame_can_be_looked_at(capsys, tmp_path):
    options = ["--to", "0.5", "--step", "--json", "--draw", str(tmp_path / "frames")]
    assert main(["replay", str(DEMO), *options]) == 0
    frames = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [frame["frame"] for frame in frames] == list(range(13))
    assert {place["zone"] for frame in frames for place in frame["places"]} >= {"dealer", "seat-1", "seat-6"}
    assert len(list((tmp_path / "frames").glob("*.png"))) == 13


WRONG = [
    pytest.param(["--check", "--from", "1"], "of a whole recording", id="a part cannot be checked"),
    pytest.param(["--keep", "--to", "1"], "of a whole recording", id="a part cannot be kept"),
]


@pytest.mark.parametrize(("options", "says"), WRONG)
def test_wrong_usage_is_refused_in_a_sentence(options, says, capsys):
    assert main(["replay", str(DEMO), *options]) == 2
    assert says in capsys.readouterr().err


def test_what_is_no_recording_is_refused(tmp_path, capsys):
    assert main(["replay", str(tmp_path)]) == 2
    assert "is no recording" in capsys.readouterr().err


def test_a_check_finds_what_differs(tmp_path, capsys):
    folder = write_recording(tmp_path / "one", frames=12)  # its events were never there
    assert main(["replay", str(folder), "--check"]) == 1
    assert "is not there now" in capsys.readouterr().out
    assert main(["replay", str(folder), "--keep", "--json"]) == 0
    capsys.readouterr()
