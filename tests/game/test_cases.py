"""Lines of a file that nobody planned for: an error in one sentence, or the right void or invalid."""

import json

import pytest

from game.cases import differences_of, run_case
from game.paytables import bundled_paytables
from tests.factories import fcp_input, meter_input, seat_input


def run(line):
    return run_case(line if isinstance(line, str) else json.dumps(line), 3, bundled_paytables())


NO_CASES = [
    pytest.param("", "not JSON", id="empty"),
    pytest.param('{"id": 1, "inp', "not JSON", id="half a line"),
    pytest.param("[1, 2]", "a case is an object", id="a list"),
    pytest.param("null", "a case is an object", id="null"),
    pytest.param({"id": "a"}, "no 'input'", id="no input"),
    pytest.param({"id": "a", "input": 7}, "the input is 7", id="input is a number"),
    pytest.param({"id": "a", "input": {"game": "FCP"}}, "has no 'dealer'", id="no dealer"),
    pytest.param({"input": fcp_input(fcp="FCP-77")}, "tables.fcp is 'FCP-77'", id="unknown table"),
    pytest.param({"input": fcp_input(fcp=None)}, "tables.fcp is missing", id="no table"),
    pytest.param({"input": fcp_input(fcp="AB-1")}, "no such pay table", id="table of another game"),
    pytest.param({"input": fcp_input(rules={"bbb_ties": "win"})}, "'bbb_ties' does not exist", id="unknown rule"),
    pytest.param({"input": fcp_input() | {"seets": []}}, "unknown key 'seets'", id="misspelt key"),
    pytest.param({"input": fcp_input(seat_input(seat=9))}, "seats are numbered 1 to 7", id="ninth seat"),
    pytest.param({"input": fcp_input(seat_input(seat=True))}, "seats are numbered", id="seat is true"),
    pytest.param({"input": fcp_input(seat_input(ante=10.5))}, "whole number of cents", id="half a cent"),
    pytest.param({"input": fcp_input(seat_input(ante="10"))}, "whole number of cents", id="a text"),
    pytest.param({"input": fcp_input(seat_input(decision="call"))}, "use 'play', 'fold' or 'none'", id="a call"),
    pytest.param({"input": fcp_input() | {"seats": {}}}, "seats is {}", id="seats no list"),
    pytest.param(
        {"input": fcp_input(progressive=meter_input(contribution=0.25))}, "no exact number", id="a float rate"
    ),
    pytest.param({"input": fcp_input(progressive=meter_input(contribution="3/2"))}, "between 0 and 1", id="150 %"),
    pytest.param({"input": fcp_input(progressive=meter_input(meter=-1))}, "below 0", id="negative meter"),
    pytest.param({"input": fcp_input(progressive=meter_input(contribution="1/0"))}, "no exact number", id="by nothing"),
    pytest.param(
        {"input": fcp_input(progressive=meter_input(contribution="1e999999999"))}, "no exact number", id="without end"
    ),
    pytest.param("[" * 100_000, "", id="very deep"),
    pytest.param('{"input": ' + "9" * 5_000 + "}", "number too long", id="five thousand digits"),
    pytest.param({"input": fcp_input(seat_input(ante=float("nan")))}, "whole number of cents", id="not a number"),
]


@pytest.mark.parametrize(("line", "fault"), NO_CASES)
def test_what_is_no_case_gets_one_sentence(line, fault):
    result = run(line)
    assert result.has_error
    assert fault in result.output["error"]
    assert result.output["error"].startswith("line 3: ")
    assert "\n" not in result.output["error"]
    assert len(result.output["error"]) < 300


def test_a_six_card_hand_is_void_not_an_error():
    result = run({"id": 1, "input": fcp_input(seat_input(cards="9s 9h 9d Kc 4d 4h"))})
    assert (result.output["status"], result.output["reason"]) == ("void", "wrong_card_count")


def test_a_card_that_is_no_text_is_a_bad_card():
    seat = seat_input() | {"cards": ["9s", "9h", "9d", "Kc", 4]}
    assert run({"id": 1, "input": fcp_input(seat)}).output["reason"] == "bad_card"


def test_a_mark_at_the_beginning_of_a_file_is_no_part_of_its_first_line():
    assert run("\ufeff" + json.dumps(fcp_input())).output["status"] == "settled"


def test_an_input_alone_is_a_case():
    assert run(fcp_input()).output["status"] == "settled"
    assert run(fcp_input()).differences is None


def test_a_running_meter_may_hold_half_a_cent():
    seat = seat_input(cards="9s 8s 7s 6s 5s", ante=1000, progressive=100)
    case = fcp_input(seat, progressive=meter_input(meter="1000001/2"))
    case["tables"]["progressive"] = "PMG-01"
    assert run(case).output["progressive"]["awards"][0]["amount"] == "1000001/20"


def test_no_seats_settle_to_nothing():
    result = run({"id": 1, "input": fcp_input() | {"seats": []}}).output
    assert (result["status"], result["players_net"]) == ("settled", "0")


SAME = [
    pytest.param({"a": "1500"}, {"a": "1500"}, [], id="equal"),
    pytest.param({"a": "3000/2"}, {"a": "1500"}, [], id="same amount"),
    pytest.param(
        {"best_four_any_of": [["As", "Ks"], ["Qs"]]}, {"best_four_any_of": [["Ks", "As"]]}, [], id="one listed"
    ),
    pytest.param(
        {"best_four_any_of": [["As"]]}, {"best_four_any_of": [["Ks"]]}, ["best_four_any_of"], id="none listed"
    ),
    pytest.param(
        {"seats": [{"seat": 2}, {"seat": 1}]}, {"seats": [{"seat": 1}, {"seat": 2}]}, [], id="seats in any order"
    ),
    pytest.param({"a": {"b": 1}}, {"a": {"b": 2, "c": 3}}, ["a.b", "a.c"], id="paths"),
    pytest.param({"a": [1, 2]}, {"a": [1]}, ["a"], id="lengths"),
]


@pytest.mark.parametrize(("expected", "actual", "paths"), SAME)
def test_differences_name_their_place(expected, actual, paths):
    assert [difference.split(":")[0] for difference in differences_of(expected, actual)] == paths
