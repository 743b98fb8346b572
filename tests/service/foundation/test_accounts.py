"""Accounts, sessions and tokens: who gets in, who is kept out, for how long."""

import json
import subprocess
import sys
import threading

import pytest
from sqlalchemy import func, select

from service.accounts.accounts import Accounts
from service.accounts.errors import LockedError, SignInError
from service.accounts.roles import Role, system
from service.accounts.secrets import Policy
from service.accounts.sessions import Sessions
from service.accounts.tokens import Tokens
from service.audit import log
from service.errors import ConflictError, InvalidError, NotFoundError
from service.settings import AccountSettings
from service.store.tables import SessionRow
from tests.service.conftest import QUICK_HASHER

BY = system("test")
SETTINGS = AccountSettings()


@pytest.fixture
def accounts(store):
    made = Accounts(store, SETTINGS, QUICK_HASHER)
    made.add(BY, "ann", Role.DEALER, "730915")
    made.add(BY, "max", Role.MANAGER, "correct horse")
    return made


@pytest.fixture
def sessions(store, accounts):
    return Sessions(store, SETTINGS, QUICK_HASHER)


def fail(sessions, times):
    for _ in range(times):
        with pytest.raises(SignInError):
            sessions.sign_in("ann", "271828")


SECRETS = [
    pytest.param(Role.DEALER, "730915", None, id="a PIN"),
    pytest.param(Role.DEALER, "long enough", None, id="a dealer's password"),
    pytest.param(Role.DEALER, "73091", "at least 6 digits", id="short PIN"),
    pytest.param(Role.DEALER, "123456", "too easily guessed", id="a run"),
    pytest.param(Role.DEALER, "987654", "too easily guessed", id="a run down"),
    pytest.param(Role.DEALER, "555555", "too easily guessed", id="one digit"),
    pytest.param(Role.DEALER, "383838", "too easily guessed", id="a pair repeated"),
    pytest.param(Role.MANAGER, "correct horse", None, id="a password"),
    pytest.param(Role.MANAGER, "730915", "at least 10 characters", id="a PIN is no password"),
    pytest.param(Role.MANAGER, "aaaaaaaaaaaa", "too easily guessed", id="one letter"),
    pytest.param(Role.MANAGER, "12-ann-12-ann", "too easily guessed", id="the own name"),
    pytest.param(Role.MANAGER, "x" * 300, "at most 200", id="endless"),
]


@pytest.mark.parametrize(("role", "secret", "message"), SECRETS)
def test_what_a_pin_or_password_must_be(role, secret, message):
    if message is None:
        Policy(SETTINGS).check(secret, role, "ann")
        return
    with pytest.raises(InvalidError, match=message) as caught:
        Policy(SETTINGS).check(secret, role, "ann")
    assert secret not in caught.value.message


@pytest.mark.parametrize("name", ["", " ", "a b", "änne", "a" * 33, "../x", "<b>"])
def test_names_are_plain(accounts, name):
    with pytest.raises(InvalidError, match="a name is"):
        accounts.add(BY, name, Role.DEALER, "730915")


def test_a_name_is_taken_once_whatever_its_case(accounts):
    with pytest.raises(ConflictError, match="an account ann already"):
        accounts.add(BY, "ANN", Role.DEALER, "730915")


def test_a_session_slides_while_it_is_used_and_ends_in_any_case(sessions, clock):
    cookie = sessions.sign_in("Ann ", "730915").cookie
    for _ in range(71):
        clock.forward(minutes=10)
        assert sessions.find(cookie).label == "account/ann"
    clock.forward(minutes=10)
    assert sessions.find(cookie) is None, "12 hours are over"


def test_a_session_without_a_touch_ends(sessions, clock):
    cookie = sessions.sign_in("ann", "730915").cookie
    clock.forward(minutes=14)
    assert sessions.find(cookie, touch=False) is not None
    clock.forward(minutes=1)
    assert sessions.find(cookie) is None, "what a page asks by itself does not count"


def test_sessions_of_last_week_are_forgotten(sessions, store, clock):
    sessions.sign_in("ann", "730915")
    clock.forward(days=8)
    sessions.sign_in("ann", "730915")
    with store.reading() as session:
        assert session.scalar(select(func.count()).select_from(SessionRow)) == 1


def test_nobody_is_found_by_another_cookie(sessions):
    sessions.sign_in("ann", "730915")
    assert sessions.find("another") is None


@pytest.mark.parametrize("name", ["ann", "nobody"])
def test_a_wrong_pin_and_a_wrong_name_sound_the_same(sessions, name):
    with pytest.raises(SignInError, match="the name or the PIN is wrong"):
        sessions.sign_in(name, "271828")


def test_five_wrong_pins_lock_for_fifteen_minutes(sessions, clock):
    fail(sessions, 5)
    with pytest.raises(LockedError, match="wait 15 minutes"):
        sessions.sign_in("ann", "730915")
    clock.forward(minutes=15)
    fail(sessions, 4)
    assert sessions.sign_in("ann", "730915")
    fail(sessions, 4)
    assert sessions.sign_in("ann", "730915"), "signing in forgives"


def test_many_attempts_at_once_do_not_get_round_the_lock(sessions):
    answers = []

    def attempt():
        try:
            sessions.sign_in("ann", "271828")
        except (SignInError, LockedError) as error:
            answers.append(type(error))

    threads = [threading.Thread(target=attempt) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (answers.count(SignInError), answers.count(LockedError)) == (5, 7)


def test_resetting_unlocks_and_signs_out(sessions, accounts):
    cookie = sessions.sign_in("ann", "730915").cookie
    fail(sessions, 5)
    accounts.reset(BY, "ann", "481516")
    assert sessions.find(cookie) is None
    assert sessions.sign_in("ann", "481516")


def test_a_disabled_account_is_out_at_once(sessions, accounts):
    cookie = sessions.sign_in("ann", "730915").cookie
    accounts.set_disabled(BY, "ann", True)
    assert sessions.find(cookie) is None
    with pytest.raises(SignInError):
        sessions.sign_in("ann", "730915")
    accounts.set_disabled(BY, "ann", False)
    assert sessions.find(cookie) is None
    assert sessions.sign_in("ann", "730915")


def test_the_last_manager_stays(accounts):
    with pytest.raises(ConflictError, match="only manager left"):
        accounts.set_disabled(BY, "max", True)
    with pytest.raises(NotFoundError, match="no account of this name"):
        accounts.set_disabled(BY, "nobody", True)


def test_an_own_pin_is_changed_with_the_old_one(sessions, accounts):
    ann = sessions.find(sessions.sign_in("ann", "730915").cookie)
    with pytest.raises(SignInError, match="until now is wrong"):
        accounts.change_own(ann, "271828", "481516")
    accounts.change_own(ann, "730915", "481516")
    assert sessions.sign_in("ann", "481516")


def test_the_set_up_code_works_once(store):
    accounts = Accounts(store, SETTINGS, QUICK_HASHER)
    old, code = accounts.make_setup_code(), accounts.make_setup_code()
    with pytest.raises(SignInError, match="not the set-up code"):
        accounts.set_up(old, "eve", "correct horse")
    assert accounts.set_up(code.lower(), "max", "correct horse").role is Role.MANAGER
    with pytest.raises(SignInError):
        accounts.set_up(code, "eve", "correct horse")
    assert accounts.make_setup_code() is None


def test_a_token_has_scopes_an_end_and_can_be_revoked(store, clock):
    tokens = Tokens(store)
    key, token = tokens.add(BY, "Chips", ["wagers:write"], days=1)
    assert tokens.find(key).permissions == {"wagers:write"}
    assert tokens.find("fs_other") is None
    clock.forward(hours=23)
    assert tokens.find(key).label == "token/chips"
    assert tokens.all()[0].used_at == clock.now
    clock.forward(hours=1)
    assert tokens.find(key) is None
    lasting, _ = tokens.add(BY, "video", ["tables:read"])
    tokens.revoke(BY, "video")
    assert tokens.find(lasting) is None
    assert token.name == "chips"


@pytest.mark.parametrize("scope", ["tables:deal", "tables:supervise", "accounts:manage", "", "all"])
def test_no_program_confirms_or_manages(store, scope):
    with pytest.raises(InvalidError, match="no scope a token can have"):
        Tokens(store).add(BY, "robot", [scope])


@pytest.mark.parametrize("name", ["", "../chips", "chips/1", "a b", "chips?", "é", "x" * 65])
def test_a_token_has_a_name_by_which_it_can_be_revoked(store, name):
    with pytest.raises(InvalidError, match="a token's name is"):
        Tokens(store).add(BY, name, ["tables:read"])


@pytest.mark.parametrize("days", [0, -5, 99_999_999])
def test_a_token_lasts_a_time_that_ends(store, days):
    with pytest.raises(InvalidError, match="lasts 1 to 3,650 days"):
        Tokens(store).add(BY, "robot", ["tables:read"], days=days)


def test_everything_is_on_record_and_no_secret_is(store, sessions, accounts):
    fail(sessions, 5)
    accounts.reset(BY, "ann", "481516")
    key, _ = Tokens(store).add(BY, "chips", ["wagers:write"])
    cookie = sessions.sign_in("ann", "481516").cookie
    with store.reading() as session:
        entries = [entry.as_json() for entry in log.entries(session)]
    assert [entry["action"] for entry in entries] == [
        *("account_added", "account_added", "sign_in_failed", "sign_in_failed", "sign_in_failed", "sign_in_failed"),
        *("account_locked", "secret_reset", "token_added", "signed_in"),
    ]
    text = json.dumps(entries)
    assert not any(secret in text for secret in ("730915", "481516", "271828", "argon2", key, cookie))


def account_command(folder, *arguments, text=""):
    command = [sys.executable, "-m", "service.cli", "account", *arguments]
    environment = {"PATH": "", "FOURSIGHT_STORE_FOLDER": str(folder)}
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False, env=environment)


def test_the_command(tmp_path):
    done = account_command(tmp_path, "add", "max", "--role", "manager", "--secret-stdin", text="correct horse\n")
    assert (done.returncode, done.stdout) == (0, "max is a manager now\n")
    done = account_command(tmp_path, "add", "ann", "--role", "dealer", text="123456\n")
    assert (done.returncode, done.stderr) == (
        2,
        "foursight: this PIN is too easily guessed; choose digits that are no run\n",
    )
    done = account_command(tmp_path, "token", "chips", "--scope", "wagers:write")
    assert done.stdout.startswith("fs_")
    assert account_command(tmp_path, "disable", "max").returncode == 2
    listed = account_command(tmp_path, "list").stdout.split()
    assert listed[:2] == ["max", "manager"]
    assert listed[-1] == "wagers:write"
