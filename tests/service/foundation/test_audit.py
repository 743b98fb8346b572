"""The audit log: whatever is done to it behind the service's back is found."""

import json
import multiprocessing
import subprocess
import sys

import pytest
from sqlalchemy import text

from service.audit import log
from service.audit.chain import FIRST_PREVIOUS, Entry, Head, verify
from service.audit.check import check
from service.settings import StoreSettings
from service.store.store import Store


def chain_of(count):
    entries, last = [], None
    for number in range(1, count + 1):
        last = Entry.following(last, at="t", actor="account/ann", action="x", subject="table/12", after=f"{number}")
        entries.append(last)
    return entries


CHAIN = chain_of(5)
HEAD = CHAIN[-1].head
FORGED = Entry.following(CHAIN[2], at="t", actor="account/eve", action="x", subject="table/12")
FAULTY = [
    pytest.param(CHAIN[:4], "entry 5 is missing: the chain ends at entry 4", id="cut off the end"),
    pytest.param([], "entry 5 is missing: the chain is empty", id="emptied"),
    pytest.param(CHAIN[1:], "entry 1 missing before entry 2", id="cut off the beginning"),
    pytest.param([*CHAIN[:2], *CHAIN[3:]], "entry 3 missing before entry 4", id="one deleted"),
    pytest.param([CHAIN[0], CHAIN[2], CHAIN[1], *CHAIN[3:]], "entry 2 missing before entry 3", id="reordered"),
    pytest.param([*CHAIN[:3], FORGED, CHAIN[4]], "entry 5 does not follow the entry before it", id="one replaced"),
    pytest.param([*CHAIN[:3], FORGED], "entry 5 is missing", id="cut off and forged"),
    pytest.param([*CHAIN[:4], chain_of(6)[5]], "entry 5 missing before entry 6", id="numbers skipped"),
]


@pytest.mark.parametrize(("entries", "message"), FAULTY)
def test_a_broken_chain_is_found(entries, message):
    assert message in next(fault.what for fault in verify(entries, HEAD))


@pytest.mark.parametrize(("field", "value"), [("actor", "account/eve"), ("after", "2"), ("at", "u"), ("before", "")])
def test_an_edited_entry_is_found(field, value):
    edited = Entry(**{name: getattr(CHAIN[2], name) for name in Entry.__slots__} | {field: value})
    faults = [fault.what for fault in verify([*CHAIN[:2], edited, *CHAIN[3:]], HEAD)]
    assert faults == ["entry 3 was changed: its content does not give its hash"]


@pytest.mark.parametrize("head", [HEAD, CHAIN[2].head, Head(0, FIRST_PREVIOUS), None])
def test_a_whole_chain_has_no_fault(head):
    assert list(verify(CHAIN, head)) == []


def append(store, count=3, after=None):
    for number in range(count):
        with store.unit() as unit:
            unit.audit("account/ann", "payout_confirmed", "table/12", after=after or {"seat": number, "é": "♠"})


def behind_the_back(store, *statements):
    """Somebody with the database's own tools, who takes the triggers away first."""
    with store.unit() as unit:
        if unit.session.get_bind().dialect.name == "postgresql":
            unit.session.execute(text("ALTER TABLE audit DISABLE TRIGGER ALL"))
        else:
            for trigger in ("audit_no_update", "audit_no_delete"):
                unit.session.execute(text(f"DROP TRIGGER IF EXISTS {trigger}"))
        for statement in statements:
            unit.session.execute(text(statement))


TAMPERED = [
    pytest.param(["UPDATE audit SET actor='account/eve' WHERE sequence=2"], "entry 2 was changed", id="edited"),
    pytest.param(["DELETE FROM audit WHERE sequence=2"], "entry 2 missing before entry 3", id="deleted"),
    pytest.param(["DELETE FROM audit WHERE sequence=3"], "entry 3 is missing", id="cut off"),
    pytest.param(["DELETE FROM audit"], "entry 3 is missing", id="emptied"),
    pytest.param(
        [f"UPDATE audit SET sequence={a} WHERE sequence={b}" for a, b in ((9, 1), (1, 2), (2, 9))],
        "entry 1 does not follow",
        id="reordered",
    ),
]


@pytest.mark.parametrize(("statements", "message"), TAMPERED)
def test_tampering_is_found(store, statements, message):
    append(store)
    assert check(store).faults == ()
    behind_the_back(store, *statements)
    assert message in check(store).faults[0].what


def test_what_was_cut_off_does_not_grow_back(store):
    append(store, 4)
    behind_the_back(store, "DELETE FROM audit WHERE sequence > 2")
    append(store, 4)
    assert store.head_file.read().sequence == 4, "the head stays at what was lost"
    assert "entry 4 is not the one that the head file knows" in [fault.what for fault in check(store).faults]
    assert "no longer in the audit log" in store.audit_fault


def test_a_missing_head_file_is_a_fault_and_is_not_made_anew(store, store_settings):
    append(store)
    store.head_file.path.unlink()
    behind_the_back(store, "DELETE FROM audit WHERE sequence=3")
    again = Store.open(store_settings)
    append(again)
    assert "is missing" in check(again).faults[0].what
    again.close()


def test_a_head_file_that_is_none_is_a_fault(store):
    append(store)
    store.head_file.path.write_text("{}")
    assert "no audit head" in check(store).faults[0].what


def test_a_crash_before_the_head_is_noted_is_no_fault(store, store_settings):
    append(store)
    noted = store.head_file.path.read_text()
    append(store)
    store.head_file.path.write_text(noted)
    assert check(store).faults == ()
    again = Store.open(store_settings)
    assert again.head_file.read().sequence == 6
    again.close()


def test_renewing_the_head_is_on_record(store):
    append(store)
    store.head_file.path.unlink()
    store.renew_head("system/command-line", ["gone"])
    assert check(store).faults == ()
    with store.reading() as session:
        assert [entry.action for entry in log.entries(session)][-1] == "head_renewed"


def _append_in_process(settings):
    store = Store.open(settings)
    append(store, 10)
    store.close()


def test_several_processes_append_to_one_chain(store, store_settings):
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_append_in_process, args=(store_settings,)) for _ in range(3)]
    for process in processes:
        process.start()
    append(store, 10)
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert (check(store).entries, check(store).faults) == (40, ())
    assert store.head_file.read().sequence == 40


def test_entries_of_a_subject_come_in_pages(store, monkeypatch):
    monkeypatch.setattr(log, "_PAGE", 2)
    append(store, 5)
    with store.unit() as unit:
        unit.audit("account/ann", "signed_in", "account/ann")
    with store.reading() as session:
        assert [entry.sequence for entry in log.entries(session)] == [1, 2, 3, 4, 5, 6]
        assert [entry.sequence for entry in log.entries(session, 1, "table/12")] == [2, 3, 4, 5]


def audit_command(folder, *arguments):
    command = [sys.executable, "-m", "service.cli", "audit", *arguments]
    environment = {"PATH": "", "FOURSIGHT_STORE_FOLDER": str(folder)}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_the_command_exports_and_verifies(tmp_path):
    settings = StoreSettings(folder=tmp_path / "kept")
    assert "there is no store here" in audit_command(settings.folder, "verify").stderr
    store = Store.open(settings)
    append(store)
    done = audit_command(settings.folder, "export")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["after"] for line in lines] == [{"seat": number, "é": "♠"} for number in range(3)]
    assert audit_command(settings.folder, "verify").stderr == "3 entries, no fault\n"
    behind_the_back(store, "DELETE FROM audit WHERE sequence=3")
    store.close()
    done = audit_command(settings.folder, "verify")
    assert (done.returncode, done.stdout[:18]) == (1, "entry 3 is missing")
