"""The program as a user runs it: what it prints, where, and its exit status."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.factories import fcp_input

GOLDEN = Path(__file__).parents[1] / "golden" / "settlements.jsonl"


def foursight(*arguments, text=None):
    command = [sys.executable, "-m", "service.cli", *map(str, arguments)]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def test_settle_compares_with_what_was_expected(tmp_path):
    out = tmp_path / "results.jsonl"
    done = foursight("settle", GOLDEN, "--out", out)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "827 of 827 cases as expected, 0 differ\n"
    assert len(out.read_text().splitlines()) == 827


def test_settle_exits_1_when_a_case_differs():
    case = json.loads(GOLDEN.read_text().splitlines()[0])
    case["expected"]["players_net"] = "1"
    done = foursight("settle", "-", text=json.dumps(case) + "\n")
    assert done.returncode == 1
    assert "players_net: expected '1'" in done.stderr
    assert "0 of 1 cases as expected, 1 differ" in done.stderr


def test_settle_goes_on_after_a_broken_line():
    good = json.dumps({"id": "good", "input": fcp_input()})
    done = foursight("settle", "-", text=f"{{half\n\n{good}\n")
    assert done.returncode == 2
    broken, settled = map(json.loads, done.stdout.splitlines())
    assert broken["id"] == "line 1"
    assert broken["error"].startswith("line 1: not JSON")
    assert (settled["id"], settled["status"]) == ("good", "settled")
    assert done.stderr == "1 line could not be settled\n"


def test_settle_takes_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "odd.jsonl"
    path.write_bytes(b"\xff\xfe\x00{}\n" + json.dumps({"id": 2, "input": fcp_input()}).encode())
    done = foursight("settle", path)
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 2


def test_settle_lists_the_dealers_actions():
    done = foursight("settle", "-", "--actions", text=json.dumps({"id": 1, "input": fcp_input()}))
    moves = [(action["wager"], action["move"], action["amount"]) for action in json.loads(done.stdout)["actions"]]
    assert moves == [("play", "pay", "1000"), ("ante", "pay", "1000"), ("automatic_bonus", "pay", "2000")]


def test_settle_in_words():
    lines = foursight("settle", "-", "--words", text=json.dumps({"id": 1, "input": fcp_input()})).stdout.splitlines()
    assert lines == [
        "1: settled",
        "  dealer: pair of kings, ace-ten",
        "  seat 1: three of a kind, nines, player wins",
        "  seat 1: pay $10 on play ($10 at 1 to 1)",
        "  seat 1: pay $10 on ante ($10 at 1 to 1)",
        "  seat 1: pay $20 on automatic bonus (2 to 1)",
    ]


WRONG_USAGE = [
    pytest.param([], "COMMAND", id="no command"),
    pytest.param(["bet"], "invalid choice: 'bet'", id="unknown command"),
    pytest.param(["settle"], "CASES.jsonl", id="no file named"),
    pytest.param(["settle", "nowhere.jsonl"], "foursight: nowhere.jsonl: No such file or directory", id="no such file"),
    pytest.param(["settle", "."], "foursight: .: Is a directory", id="a folder"),
    pytest.param(["settle", GOLDEN, "--tables", "nowhere"], "nowhere is no folder", id="no such folder"),
    pytest.param(["simulate"], "images|footage", id="simulate what"),
    pytest.param(["simulate", "images", "--out", "x", "--seed", "-1"], "no whole number", id="negative seed"),
    pytest.param(["simulate", "images", "--out", "x", "--count", "0"], "give 1 or more", id="no pictures"),
    pytest.param(["simulate", "images", "--out", "x", "--camera", "4k"], "no camera above a table", id="no table"),
    pytest.param(["simulate", "footage", "--out", "x", "--faults", "flood"], "'flood' is no fault", id="no such fault"),
    pytest.param(["simulate", "footage", "--out", ".", "--pace", "fast"], "new or empty", id="folder in use"),
    pytest.param(["odds", "--table", "FCP-77"], "'FCP-77' is no pay table", id="unknown table"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG_USAGE)
def test_wrong_usage_exits_2_with_one_sentence(arguments, message):
    done = foursight(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_error():
    command = f"{sys.executable} -m service.cli settle {GOLDEN} | head -1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert len(done.stdout.splitlines()) == 1


def test_odds_says_where_a_document_is_wrong():
    done = foursight("odds")
    assert done.returncode == 0
    for words in (
        "1.5832",
        "2.7879",
        "4.98 (its cells give 5.03)",
        "20.3 (its cells give 19.5)",
        "0.80 (its cells give 0.78)",
    ):
        assert words in done.stdout


def test_odds_of_named_tables_as_json_and_csv():
    content = json.loads(foursight("odds", "--table", "FCP-05", "PMG-01", "--json").stdout)
    first, second = content.values()
    assert {
        "wager": "aces up",
        "hand": "house edge",
        "pays": "",
        "count": "",
        "%": "3.8917",
        "gives back %": "",
    } in first
    assert second[0]["pays"] == "100%"
    lines = foursight("odds", "--table", "BBB-01", "--csv").stdout.splitlines()
    assert lines[1] == "wager,hand,pays,count,%,gives back %"
    assert lines[2].startswith("bad beat bonus,four of a kind,25000 to 1,")


def test_simulate_makes_the_same_pictures_for_the_same_seed(tmp_path):
    for name in ("one", "two"):
        options = ["--count", 2, "--seed", 4, "--decks", "drawn-7"]
        done = foursight("simulate", "images", "--out", tmp_path / name, *options)
        assert done.returncode == 0, done.stderr
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert len(files) == 9
    assert all((tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes() for file in files)


def test_the_version_is_told():
    assert foursight("--version").stdout.startswith("foursight 0.")
