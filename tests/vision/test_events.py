"""Events: one line each, the same back, and a wrong line named by its number."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.cards import DECK, parse_cards
from vision.errors import VisionError
from vision.events import KINDS, ZONES, Event, read_events, write_events

HAND = (
    '{"event":"player_hand","time_s":12.48,"frame":312,"round":3,"zone":"seat-4",'
    '"cards":["9s","9h","9d","Kc","4d"],"confidence":0.9997}'
)
FILLED = {
    "round": 1,
    "zone": "dealer",
    "cards": parse_cards("As Td"),
    "count": 5,
    "set_in_front": parse_cards("As Td 9c 9d"),
    "expected": 5,
    "seen": 4,
    "reason": "covered",
    "advice": "spread the cards on seat 4",
}


def make_event(kind="round_started", **more) -> Event:
    return Event(kind, 1.0, 25, **{name: FILLED[name] for name in KINDS[kind]} | more)


def test_no_lines_are_no_events(tmp_path):
    write_events(tmp_path / "events.jsonl", [])
    assert read_events(tmp_path / "events.jsonl") == ()


def test_the_line_of_the_design():
    event = Event.from_json(HAND)
    assert (event.kind, event.seat, event.round) == ("player_hand", 4, 3)
    assert event.cards == parse_cards("9s 9h 9d Kc 4d")
    assert event.to_json() == HAND


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_written_and_read(kind, tmp_path):
    event = make_event(kind)
    write_events(tmp_path / "events.jsonl", [event, event])
    assert read_events(tmp_path / "events.jsonl") == (event, event)
    assert len({event, Event.from_json(event.to_json())}) == 1


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, names in KINDS.items() for name in names])
def test_a_kind_never_loses_a_field(kind, name):
    record = make_event(kind).to_record()
    del record[name]
    with pytest.raises(VisionError, match=f"{kind}: '{name}' is missing"):
        Event.from_record(record)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)


@given(
    st.floats(0, 1e6),
    st.sampled_from(ZONES),
    st.lists(st.sampled_from(DECK), max_size=6),
    st.dictionaries(st.text().map(lambda text: "x_" + text), json_values, max_size=3),
)
def test_what_is_written_is_read(time_s, zone, cards, further):
    line = json.dumps(
        {"event": "player_hand", "time_s": time_s, "frame": 1, "round": 1, "zone": zone}
        | {"cards": [str(card) for card in cards]}
        | further
    )
    event = Event.from_json(line)
    assert Event.from_json(event.to_json()) == event
    assert json.loads(event.to_json()) == json.loads(line)
    hash(event)


def test_keys_have_one_order():
    first = make_event("bet_spot_changed", extra=(("spot", "play"), ("change", "put down")))
    second = make_event("bet_spot_changed", extra=(("change", "put down"), ("spot", "play")))
    assert first == second
    assert first.to_json() == second.to_json()
    assert first.extra_value("spot") == "play"


BROKEN = [
    pytest.param("{", "is not JSON", id="half a line"),
    pytest.param("[1]", "is not a JSON object", id="a list"),
    pytest.param('{"time_s":1,"frame":1}', "'event', the kind, is missing", id="no kind"),
    pytest.param('{"event":"lunch","time_s":1,"frame":1}', "'lunch' is no kind of event", id="unknown kind"),
    pytest.param('{"event":"round_ended","frame":1,"round":1}', "'time_s' is missing", id="no time"),
    pytest.param('{"event":"source_lost","time_s":NaN,"frame":1}', "is not JSON", id="NaN"),
    pytest.param('{"event":"source_lost","time_s":-1,"frame":1}', "time_s -1 is wrong", id="before the start"),
    pytest.param('{"event":"source_lost","time_s":1,"frame":1.5}', "frame 1.5 is wrong", id="half a frame"),
    pytest.param('{"event":"source_lost","time_s":1,"frame":-1}', "frame -1 is wrong", id="frame below 0"),
    pytest.param('{"event":"source_lost","time_s":1,"frame":1,"x":{"a":1}}', "further field", id="object inside"),
    pytest.param(HAND.replace("seat-4", "seat-8"), "zone 'seat-8' is unknown", id="eighth seat"),
    pytest.param(HAND.replace("9s", "1s"), "'1s' is not a card", id="no card"),
    pytest.param(HAND.replace("0.9997", "1.2"), "confidence 1.2 is wrong", id="more than sure"),
    pytest.param(HAND.replace('["9s","9h","9d","Kc","4d"]', '"9s"'), "cards '9s' is wrong", id="no list"),
    pytest.param(HAND.replace('"seat-4"', "4"), "zone 4 is wrong", id="zone is a number"),
]


@pytest.mark.parametrize(("line", "message"), BROKEN)
def test_a_wrong_line_is_named(line, message, tmp_path):
    path = tmp_path / "events.jsonl"
    path.write_text(f"{HAND}\n{line}\n{HAND}\n")
    with pytest.raises(VisionError, match=message) as caught:
        read_events(path)
    assert "events.jsonl, line 2: " in str(caught.value)


def test_a_line_cut_off_at_the_end(tmp_path):
    path = tmp_path / "events.jsonl"
    for cut in range(1, len(HAND)):
        path.write_text(f"{HAND}\n{HAND[:cut]}")
        assert len(read_events(path, may_be_cut=True)) == 1
    with pytest.raises(VisionError, match="line 2"):
        read_events(path)


def test_a_field_of_its_own_is_not_an_extra():
    with pytest.raises(VisionError, match="zone has a field of its own"):
        make_event(extra=(("zone", "seat-1"),))
