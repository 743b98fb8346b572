"""The routes of tables, rounds, rules and events, over real SQLite."""

import asyncio
import json
import threading
import uuid

import pytest
from fastapi.testclient import TestClient
from pydantic import TypeAdapter

from service.accounts.roles import Actor, Permission, Role, system
from service.api.tables import EXAMPLE
from service.rounds.commands import command_from_json
from service.rounds.view import TableView
from service.tables.open import open_desk
from tests.service.conftest import sign_in

DEALER = ["Ks", "Kh", "Ad", "Tc", "5c", "2d"]
NINES = ["9s", "9h", "9d", "Kc", "4d"]


@pytest.fixture
def desk(app):
    base = app.state.foundation
    made = open_desk(base.store, base.evidence, name="Table 12", profile="washington", seats=6, live=False)
    app.state.desks.add(made)
    return made


@pytest.fixture
def dealer(app, client, desk):
    sign_in(client, Role.DEALER)
    return client


def send(client, command, **fields):
    body = {"id": str(uuid.uuid4()), "command": command, **fields}
    return client.post("/api/v1/tables/table-12/commands", json=body)


def do(client, command, **fields):
    answer = send(client, command, **fields)
    assert answer.status_code == 200, answer.text
    return answer.json()["view"]


def seat_of(view, number):
    return view["seats"][number - 1]


def ready_to_confirm(client, seat=4, cards=NINES):
    do(client, "set_wager", seat=seat, wager="ante", amount=1000)
    do(client, "set_wager", seat=seat, wager="aces_up", amount=500)
    do(client, "no_more_bets")
    do(client, "enter_hand", zone="dealer", cards=DEALER, up_card="2d")
    do(client, "set_decision", seat=seat, decision="play", play=3000)
    return do(client, "enter_hand", zone=f"seat-{seat}", cards=cards)


def confirm_body(view, seat=4):
    proposal = seat_of(view, seat)["proposal"]
    body = {"id": str(uuid.uuid4()), "command": "confirm", "round": view["round"], "seat": seat}
    return body | {"part": proposal["part"], "digest": proposal["digest"]}


def test_a_round_is_played_confirmed_and_found_again(dealer, client):
    view = ready_to_confirm(dealer)
    proposal = seat_of(view, 4)["proposal"]
    assert [(line["title"], line["move"], line["amount"]["text"]) for line in proposal["lines"]] == [
        ("Play", "pay", "$30"),
        ("Ante", "pay", "$10"),
        ("Bonus", "pay", "$20"),
        ("Aces Up", "pay", "$40"),
    ]
    assert (proposal["total"]["text"], proposal["chips"]) == ("$100", "1×$100")
    assert seat_of(view, 4)["hand"]["words"] == "three of a kind, nines"
    assert [card["card"] for card in seat_of(view, 4)["hand"]["cards"] if not card["plays"]] == ["4d"]
    answer = dealer.post("/api/v1/tables/table-12/commands", json=confirm_body(view))
    assert answer.json()["view"]["phase"] == "finished"
    do(dealer, "end_game")
    sign_in(client, Role.SUPERVISOR)
    (second, first) = client.get("/api/v1/tables/table-12/rounds").json()
    assert (second["round"], second["status"], first["status"], first["rules_version"]) == (2, "open", "closed", 1)
    record = client.get("/api/v1/tables/table-12/rounds/1").json()
    assert record["settlement"]["players_net"] == "10000"
    assert record["payouts"][0]["amount"] == {"cents": "10000", "text": "$100"}
    assert record["payouts"][0]["by"] == "account/dealer"
    assert [each["how"] for each in record["corrections"]] == ["entered", "entered"]
    assert client.get("/api/v1/tables/table-12/rounds/9").status_code == 404


def test_the_same_tap_sent_twice_pays_once(dealer):
    body = confirm_body(ready_to_confirm(dealer))
    first, second = (dealer.post("/api/v1/tables/table-12/commands", json=body).json() for _ in range(2))
    assert (first["repeated"], second["repeated"]) == (False, True)
    assert len(seat_of(second["view"], 4)["payouts"]) == 1
    other = dealer.post("/api/v1/tables/table-12/commands", json=body | {"seat": 5})
    assert (other.status_code, other.json()["error"]["field"]) == (409, "id")


def test_a_proposal_that_changed_is_not_paid_and_what_changed_is_said(dealer):
    body = confirm_body(ready_to_confirm(dealer))
    do(dealer, "correct_card", zone="seat-4", position=2, was="9d", card="8d")
    answer = dealer.post("/api/v1/tables/table-12/commands", json=body)
    assert answer.status_code == 409
    error = answer.json()["error"]
    assert error["code"] == "changed_since"
    assert "was total $100" in error["message"]
    assert "now total $0" in error["message"]
    assert "9s 9h 8d Kc 4d" in error["message"]


def test_two_dealers_confirm_at_once_and_one_is_told(desk, dealer, app):
    view = ready_to_confirm(dealer)
    body, barrier, outcomes = confirm_body(view), threading.Barrier(2), []

    def tap(name):
        with TestClient(app) as tablet:
            sign_in(tablet, name)
            barrier.wait()
            answer = tablet.post("/api/v1/tables/table-12/commands", json=body | {"id": str(uuid.uuid4())})
            outcomes.append((answer.status_code, answer.json().get("error", {}).get("code")))

    taps = [threading.Thread(target=tap, args=(name,)) for name in (Role.DEALER, Role.SUPERVISOR)]
    for each in taps:
        each.start()
    for each in taps:
        each.join()
    assert sorted(outcomes, key=str) == [(200, None), (409, "already_done")]
    assert len(desk.view().seats[3].payouts) == 1


def test_every_change_goes_to_whoever_listens(desk):
    async def listen():
        heard = []
        async for published in desk.subscribers.listen(desk.published, 5):
            heard.append(published.revision)
            if len(heard) == 2:
                break
            command = command_from_json({"id": "x", "command": "set_wager", "seat": 4, "wager": "ante", "amount": 500})
            await asyncio.to_thread(desk.do, command, DEALING)
        return heard

    first, second = asyncio.run(listen())
    assert second == first + 1
    assert len(desk.subscribers) == 0


DEALING = Actor("account", "ann", frozenset({Permission.DEAL}), Role.DEALER, "Ann")


def test_the_stream_is_refused_where_there_is_no_table(dealer):
    answer = dealer.get("/api/v1/tables/table-13/stream")
    assert answer.json()["error"]["message"] == "no table 'table-13' is open here; there is table-12"


def test_the_list_shows_where_each_table_stands(dealer):
    ready_to_confirm(dealer)
    (tile,) = dealer.get("/api/v1/tables").json()
    assert (tile["table"], tile["phase"], tile["round"], tile["stops"]) == ("table-12", "settling", 1, 0)
    view = dealer.get("/api/v1/tables/table-12").json()
    assert TypeAdapter(TableView).validate_python(view).revision == tile["revision"]


@pytest.mark.parametrize(
    "path", ["tables/table-12/rounds/N", "tables/table-12/rounds?before=N", "audit?after=N", "audit?before=N"]
)
def test_a_number_that_no_store_counts_to_is_refused(client, desk, path):
    sign_in(client, Role.MANAGER)
    assert client.get(f"/api/v1/{path.replace('N', '9' * 30)}").status_code == 422


WHO_MAY = [
    pytest.param(Role.DEALER, "void_round", {"reason": "other"}, 409, id="a dealer may void, but there is nothing yet"),
    pytest.param(Role.DEALER, "take_back", {"seat": 4, "reason": "x"}, 403, id="a dealer takes nothing back"),
    pytest.param(Role.DEALER, "adjust_meter", {"change": 1, "reason": "x"}, 403, id="nor touches the meter"),
    pytest.param(Role.SURVEILLANCE, "no_more_bets", {}, 403, id="surveillance looks"),
    pytest.param(Role.MANAGER, "no_more_bets", {}, 403, id="a manager does not deal"),
    pytest.param(Role.MANAGER, "adjust_meter", {"change": 100, "reason": "drop"}, 200, id="a manager sets the meter"),
    pytest.param(Role.SUPERVISOR, "no_more_bets", {}, 200, id="a supervisor may deal"),
]


@pytest.mark.parametrize(("role", "command", "fields", "status"), WHO_MAY)
def test_who_may_give_which_command(client, desk, role, command, fields, status):
    sign_in(client, role)
    assert send(client, command, **fields).status_code == status


def test_a_chip_tracking_system_tells_wagers_and_confirms_nothing(app, client, desk):
    tokens = app.state.foundation.tokens
    key, _ = tokens.add(system("test"), "chips", [Permission.SEND_WAGERS, Permission.SEE_TABLES])
    bearer = {"Authorization": f"Bearer {key}"}
    body = {"id": "w1", "command": "set_wager", "seat": 4, "wager": "ante", "amount": 1000}
    answer = client.post("/api/v1/tables/table-12/wagers", json=body, headers=bearer)
    assert seat_of(answer.json()["view"], 4)["wagers"][0]["source"] == "api"
    body = {"id": "w2", "command": "confirm", "seat": 4, "digest": "12345678"}
    assert client.post("/api/v1/tables/table-12/commands", json=body, headers=bearer).status_code == 403
    assert client.post("/api/v1/tables/table-12/wagers", json=body, headers=bearer).status_code == 422


def test_an_observer_elsewhere_sends_events_once(app, client, desk):
    key, _ = app.state.foundation.tokens.add(system("test"), "eye", [Permission.SEND_EVENTS])
    bearer = {"Authorization": f"Bearer {key}"}
    seen = {"event": "cards_dealt", "time_s": 1, "frame": 25, "round": 1, "zone": "seat-4", "count": 5, "apart": True}
    body = {"id": "e1", "events": [seen], "observer_state": {"phase": "deal"}}
    first = client.post("/api/v1/tables/table-12/events", json=body, headers=bearer).json()
    second = client.post("/api/v1/tables/table-12/events", json=body, headers=bearer).json()
    assert (first["repeated"], second["repeated"]) == (False, True)
    assert desk.view().seats[3].hand.dealt == 5
    assert json.loads(desk.observer_state()) == {"phase": "deal"}
    wrong = client.post(
        "/api/v1/tables/table-12/events", json={"id": "e2", "events": [{"event": "rain"}]}, headers=bearer
    )
    assert "event 1" in wrong.json()["error"]["message"]


UNREADABLE = r'{"event":"unreadable","time_s":1,"frame":25,"round":1,"zone":"seat-4","advice":"x","reason":"REASON"}'
NOT_KEPT = [
    pytest.param(r'"\ud800"', "{}", "has not", id="half a character"),
    pytest.param(r'"\u0000"', "{}", "code 0", id="a character of code 0"),
    pytest.param('"glare"', '{"at_s": NaN}', "like NaN", id="no number"),
]


@pytest.mark.parametrize(("reason", "state", "words"), NOT_KEPT)
def test_what_no_store_and_no_page_could_take_is_refused_of_an_observer(app, client, desk, reason, state, words):
    key, _ = app.state.foundation.tokens.add(system("test"), "eye", [Permission.SEND_EVENTS])
    event = f'{{"event":"unreadable","time_s":1,"frame":25,"zone":"seat-4","advice":"x","reason":{reason}}}'
    body = f'{{"id":"e1","events":[{event}],"observer_state":{state}}}'
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    answer = client.post("/api/v1/tables/table-12/events", content=body, headers=headers)
    assert (answer.status_code, words in answer.json()["error"]["message"]) == (422, True)
    assert desk.view().revision == 1


def test_what_nobody_could_be_shown_is_not_committed(desk, monkeypatch):
    command = command_from_json({"id": "x", "command": "set_wager", "seat": 4, "wager": "ante", "amount": 500})
    with monkeypatch.context() as broken:
        broken.setattr("service.tables.desk.table_view", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            desk.do(command, DEALING)
    assert desk.view().seats[3].wagers == ()
    assert not desk.do(command, DEALING).repeated


RULES = {
    "profile": "washington",
    "tables": {"fcp": "FCP-06"},
    "house_rules": {"payout_rounding": "down", "payout_unit_cents": 100},
    "limits": {"maximum": {"ante": 10000}},
}


def test_new_rules_hold_from_the_next_round_and_each_round_keeps_its_own(app, client, desk):
    sign_in(client, Role.MANAGER)
    with TestClient(app) as tablet:
        sign_in(tablet, Role.DEALER)
        view = ready_to_confirm(tablet)
        answer = client.post("/api/v1/tables/table-12/rules", json={"rules": RULES, "expected": 1})
        assert answer.json()["version"] == 2
        assert client.get("/api/v1/tables/table-12/rules").json()["next"]["version"] == 2
        stale = client.post("/api/v1/tables/table-12/rules", json={"rules": RULES, "expected": 1})
        assert stale.json()["error"]["code"] == "conflict"
        tablet.post("/api/v1/tables/table-12/commands", json=confirm_body(view))
        view = do(tablet, "end_game")
        assert (view["rules_version"], view["pay_tables"]["fcp"], view["meter"]) == (2, "FCP-06", None)
    rounds = client.get("/api/v1/tables/table-12/rounds").json()
    assert [each["rules_version"] for each in rounds] == [2, 1]
    assert [each["version"] for each in client.get("/api/v1/tables/table-12/rules/versions").json()] == [2, 1]


def test_rules_of_a_round_that_has_not_begun_hold_at_once(client, desk):
    sign_in(client, Role.MANAGER)
    client.post("/api/v1/tables/table-12/rules", json={"rules": RULES})
    assert desk.view().rules_version == 2
    assert client.get("/api/v1/tables/table-12/rounds/1").json()["rules_version"] == 2


REFUSED = [
    pytest.param({"limits": {"maximum": {"ante": 40000}}}, "above the legal 30000", id="above the law"),
    pytest.param({"tables": {"fcp": "FCP-05", "progressive": "PMG-01"}}, "does not offer PMG-01", id="not offered"),
    pytest.param({"house_rules": {}}, "rounding that can be paid in chips", id="live and exact"),
    pytest.param(
        {"house_rules": {"payout_rounding": "down", "payout_unit_cents": 50}}, "which no chips pay", id="half a chip"
    ),
    pytest.param({"limits": {"minimum": {"ante": 40000}}}, "above the legal 30000", id="a minimum above the law"),
    pytest.param(
        {"house_rules": {"payout_rounding": "down", "payout_unit_cents": 500}}, "rounded to nothing", id="paid nothing"
    ),
    pytest.param(
        {
            "tables": {"fcp": "FCP-05", "progressive": "FCPP-1"},
            "meter": {"name": "table-12", "seed": 250000, "denomination": 150},
        },
        "progressive wager of $1.50 cannot be made",
        id="a bet of no chips",
    ),
    pytest.param(
        {"meter": {"name": "table-12", "seed": 0, "denomination": 100, "contribution_rate": "1e999999999"}},
        "'1e999999999' is no exact number",
        id="a rate without end",
    ),
    pytest.param({"house_rules": {"bbb_tie": "maybe"}}, "house rule bbb_tie is 'maybe'", id="no such value"),
    pytest.param({"chips": [100, 250]}, "multiple of the smallest", id="odd chips"),
    pytest.param({"profile": "prime", "tables": {}}, "laid out for another game", id="another game"),
    pytest.param(
        {"tables": {"fcp": "FCP-05", "progressive": "FCPP-1"}}, "needs a meter", id="a progressive without a meter"
    ),
]


@pytest.mark.parametrize(("change", "words"), REFUSED)
def test_rules_that_a_table_may_not_have(client, desk, change, words):
    sign_in(client, Role.MANAGER)
    answer = client.post("/api/v1/tables/table-12/rules", json={"rules": RULES | change})
    assert answer.status_code == 422
    assert words in answer.json()["error"]["message"]
    assert desk.view().rules_version == 1


def test_there_is_something_to_choose_from(client, desk):
    sign_in(client, Role.MANAGER)
    assert "washington" in {each["name"] for each in client.get("/api/v1/profiles").json()}
    tables = {each["name"]: each for each in client.get("/api/v1/pay-tables").json()}
    assert tables["FCP-05"]["schedules"]["aces_up"][0] == {"hand": "four_of_a_kind", "odds": "50 to 1"}
    rules = {each["key"]: each for each in client.get("/api/v1/house-rules").json()}
    assert rules["bbb_tie"]["values"] == ["lose", "win", "push"]
    assert rules["bbb_tie"]["title"] == "Bad Beat when player and dealer tie"
    check = client.post("/api/v1/tables/table-12/rules/check", json={"rules": RULES | {"house_rules": {}}}).json()
    assert len(check["problems"]) == 1


def test_the_placard_prints_the_schedules_that_are_played(dealer):
    page = dealer.get("/tables/table-12/placard")
    assert page.headers["content-type"].startswith("text/html")
    for words in ("Four Card Poker", "Aces Up", "50 to 1", "25,000 to 1", "300 for 1", "$100", "to $300"):
        assert words in page.text


def test_evidence_is_found_by_its_name_alone(dealer, app):
    name = app.state.foundation.evidence.put(b"jpeg")
    assert dealer.get(f"/api/v1/evidence/{name}").content == b"jpeg"
    assert dealer.get("/api/v1/evidence/..%2Fsecret").status_code == 404


def test_the_examples_of_the_description_are_real(client):
    TypeAdapter(TableView).validate_python(EXAMPLE["view"])
    for example in (EXAMPLE["commands"] | EXAMPLE["wagers"]).values():
        assert command_from_json(example["value"]).command == example["value"]["command"]
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    body = paths["/api/v1/tables/{table}/commands"]["post"]["requestBody"]["content"]["application/json"]
    assert set(body["examples"]) == set(EXAMPLE["commands"])
    assert body["schema"]["discriminator"]["propertyName"] == "command"
