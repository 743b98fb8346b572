"""Settings: what is taken, what is refused in one sentence, and the README's table of them."""

import re
from pathlib import Path

import pytest

from service.errors import SettingsError
from service.settings import Settings, StoreSettings, describe, read_settings, shown

README = Path(__file__).parents[3] / "README.md"


def read(tmp_path, text, environment=None):
    file = tmp_path / "foursight.toml"
    file.write_text(text)
    return read_settings(file, environment or {})


def test_defaults_listen_on_this_machine_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = read_settings(None, {})
    assert settings == Settings()
    assert (settings.server.host, settings.server.is_tls) == ("127.0.0.1", False)


def test_the_environment_goes_over_the_file(tmp_path):
    text = '[server]\nport = 9000\nhost = "0.0.0.0"\n[accounts]\nlock_after = 3\n'
    settings = read(tmp_path, text, {"FOURSIGHT_SERVER_PORT": "9001", "HOME": "/"})
    assert (settings.server.port, settings.server.host, settings.accounts.lock_after) == (9001, "0.0.0.0", 3)


def test_paths_are_relative_to_the_file(tmp_path):
    settings = read(tmp_path, '[store]\nfolder = "kept"\naudit_head = "/mnt/head.json"\n')
    assert settings.store.folder == tmp_path / "kept"
    assert settings.store.audit_head_file == Path("/mnt/head.json")


def test_a_file_in_the_working_folder_is_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("foursight.toml").write_text("[server]\nport = 9000\n")
    assert read_settings(None, {}).server.port == 9000


REFUSED = [
    pytest.param("[server]\nprot = 1\n", {}, "server.prot is no setting", id="unknown key"),
    pytest.param("[sever]\nport = 1\n", {}, "sever is no setting", id="unknown group"),
    pytest.param("port = 1\n", {}, "port stands outside a table", id="outside a group"),
    pytest.param("[server]\nport = 0\n", {}, "server.port: input should be greater", id="out of range"),
    pytest.param('[server]\ntls_key = "k.pem"\n', {}, "come together", id="a key without certificate"),
    pytest.param("[server\n", {}, "no TOML", id="no TOML"),
    pytest.param('[store]\nurl = "mysql://u:open@h/d"\n', {}, "url names mysql", id="another database"),
    pytest.param('[store]\nurl = "u:open@h"\n', {}, "no database address", id="no address"),
    pytest.param('[store]\nurl = "sqlite://"\n', {}, "would forget payouts", id="in memory"),
    pytest.param("", {"FOURSIGHT_SERVER_PROT": "1"}, "FOURSIGHT_SERVER_PROT is no setting", id="unknown variable"),
    pytest.param("", {"FOURSIGHT_PORT": "1"}, "FOURSIGHT_PORT is no setting", id="variable without group"),
    pytest.param("", {"FOURSIGHT_SERVER_PORT": "x"}, "FOURSIGHT_SERVER_PORT: server.port", id="variable no number"),
]


@pytest.mark.parametrize(("text", "environment", "message"), REFUSED)
def test_what_cannot_be_used_is_refused_in_one_sentence(tmp_path, text, environment, message):
    with pytest.raises(SettingsError) as caught:
        read(tmp_path, text, environment)
    assert message in caught.value.message
    assert "\n" not in caught.value.message
    assert "open" not in caught.value.message, "a password is never repeated"


def test_a_file_that_is_named_must_be_there(tmp_path):
    with pytest.raises(SettingsError, match="No such file"):
        read_settings(tmp_path / "none.toml", {})


def test_camera_passwords_in_the_environment_are_no_settings(tmp_path):
    assert read(tmp_path, "", {"FOURSIGHT_CAMERA_12": "open sesame", "FOURSIGHT_CACHE": "/x"}) == Settings()


def test_settings_are_shown_without_the_password():
    settings = Settings(store=StoreSettings(url="postgresql+psycopg://u:open@h/d"))
    assert shown(settings)["store"]["url"] == "postgresql+psycopg://u:***@h/d"
    assert "open" not in str(shown(settings))


def test_the_readme_lists_every_setting():
    rows = re.findall(r"^\| `(\w+)\.(\w+)` \| (.*?) \| (.*?) \|$", README.read_text(), re.MULTILINE)
    assert [(group, key, default.strip("`"), meaning) for group, key, default, meaning in rows] == list(describe())
