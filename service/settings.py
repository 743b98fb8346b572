"""The service's settings: `foursight.toml`, then environment variables over it, checked once at start.

A file has one table for each group below (`[server]`, `[store]`, …); the variable of a key is `FOURSIGHT_GROUP_KEY`,
for example `FOURSIGHT_SERVER_PORT`. A key nobody knows is refused. Paths in the file are relative to the file.

>>> read_settings(None, {"FOURSIGHT_SERVER_PORT": "9000"}).server.port
9000
"""

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from service.errors import SettingsError

DEFAULT_FILE = Path("foursight.toml")
FILE_VARIABLE = "FOURSIGHT_SETTINGS"
# Variables of the same prefix that are no settings; camera passwords are named in table files.
OTHER_VARIABLES = ("FOURSIGHT_CACHE", FILE_VARIABLE)
OTHER_PREFIXES = ("FOURSIGHT_CAMERA_", "FOURSIGHT_PASSWORD_")


class Group(BaseModel):
    """A table of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, hide_input_in_errors=True)


class Server(Group):
    """`[server]`: where the service listens."""

    host: Annotated[str, Field(min_length=1, description="address to listen on; only this machine unless told")] = (
        "127.0.0.1"
    )
    port: Annotated[int, Field(ge=1, le=65535, description="port to listen on")] = 8000
    tls_certificate: Annotated[
        Path | None, Field(description="certificate file (PEM, with its chain): serves HTTPS")
    ] = None
    tls_key: Annotated[Path | None, Field(description="private key file (PEM) of the certificate")] = None
    behind_tls: Annotated[
        bool, Field(description="a proxy in front speaks HTTPS: cookies are marked for HTTPS alone")
    ] = False

    @model_validator(mode="after")
    def _certificate_and_key_come_together(self) -> Self:
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key come together: give both files or neither")
        return self

    @property
    def is_tls(self) -> bool:
        """Whether browsers reach the service by HTTPS."""
        return self.behind_tls or self.tls_certificate is not None


class StoreSettings(Group):
    """`[store]`: where everything is kept."""

    folder: Annotated[Path, Field(description="folder for the store, evidence pictures and the audit log's head")] = (
        Path("foursight-data")
    )
    url: Annotated[
        str,
        Field(
            description="database, as `postgresql+psycopg://user@host/name`; empty is SQLite in the folder",
            json_schema_extra={"secret": True},
        ),
    ] = ""
    audit_head: Annotated[
        Path | None,
        Field(description="file that holds the audit log's head, best on another disk; empty is in the folder"),
    ] = None
    lock_seconds: Annotated[float, Field(gt=0, le=120, description="how long a change waits for another one")] = 10.0

    @model_validator(mode="after")
    def _database_is_one_of_two(self) -> Self:
        if not self.url:
            return self
        try:
            url = make_url(self.url)
        except ArgumentError:
            raise ValueError("url is no database address; write postgresql+psycopg://user@host/name") from None
        if url.drivername not in ("sqlite", "postgresql+psycopg"):
            raise ValueError(f"url names {url.drivername}; write sqlite:///FILE or postgresql+psycopg://user@host/name")
        if url.drivername == "sqlite" and url.database in (None, "", ":memory:"):
            raise ValueError("url names no file; a store in memory would forget payouts: write sqlite:///FILE")
        return self

    @property
    def database_url(self) -> str:
        """The address of the database that is used."""
        return self.url or f"sqlite:///{(self.folder / 'foursight.db').absolute()}"

    @property
    def audit_head_file(self) -> Path:
        """The file of the audit log's head that is used."""
        return self.audit_head or self.folder / "audit-head.json"

    @property
    def evidence_folder(self) -> Path:
        """Where pictures kept as evidence lie."""
        return self.folder / "evidence"


class AccountSettings(Group):
    """`[accounts]`: how people sign in."""

    session_minutes: Annotated[int, Field(ge=1, le=240, description="signed out after so long without a touch")] = 15
    session_hours: Annotated[int, Field(ge=1, le=24, description="signed out after so long in any case")] = 12
    lock_after: Annotated[int, Field(ge=3, le=20, description="wrong PINs in a row that lock an account")] = 5
    lock_minutes: Annotated[int, Field(ge=1, le=1440, description="how long it stays locked")] = 15
    pin_digits: Annotated[int, Field(ge=4, le=12, description="fewest digits of a dealer's PIN")] = 6
    password_length: Annotated[int, Field(ge=8, le=64, description="fewest characters of anybody else's password")] = 10


class Settings(Group):
    """All settings of the service."""

    server: Server = Server()
    store: StoreSettings = StoreSettings()
    accounts: AccountSettings = AccountSettings()


def read_settings(file: Path | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings from a file (`foursight.toml` where there is one, when none is named) and the environment."""
    named = file or (Path(environment[FILE_VARIABLE]) if environment.get(FILE_VARIABLE) else None)
    path = named or (DEFAULT_FILE if DEFAULT_FILE.exists() else None)
    content = _file_content(path) if path else {}
    origin = str(path) if path else "settings"
    for variable, group, key, value in _from_environment(environment):
        table = content.setdefault(group, {})
        if not isinstance(table, dict):
            raise SettingsError(f"{origin}: {group} is no table; write [{group}] above its keys", field=group)
        table[key] = value or None if _is_path(group, key) else value
        origin = f"{origin}, {variable}" if variable not in origin else origin
    try:
        return Settings.model_validate(content)
    except ValidationError as error:
        raise _as_sentence(error, origin) from None


def describe() -> Iterator[tuple[str, str, str, str]]:
    """Every key: its group, its name, its default as written in the file, and what it means."""
    for group, field in Settings.model_fields.items():
        model = field.annotation
        assert isinstance(model, type)
        assert issubclass(model, Group)
        for key, entry in model.model_fields.items():
            default = "" if entry.default is None else str(entry.default)
            yield group, key, default.lower() if isinstance(entry.default, bool) else default, entry.description or ""


def shown(settings: Settings) -> dict[str, dict[str, Any]]:
    """The settings as they may be shown: no password."""
    content = settings.model_dump(mode="json")
    content["store"]["url"] = make_url(settings.store.database_url).render_as_string(hide_password=True)
    return content


def _file_content(path: Path) -> dict[str, Any]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}; name a settings file that can be read") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: no TOML: {error}") from None
    for group, table in content.items():
        if not isinstance(table, dict):
            raise SettingsError(f"{path}: {group} stands outside a table; write it below [server] or another group")
        for key, value in table.items():
            if _is_path(group, key) and isinstance(value, str):
                table[key] = str(path.parent / value) if value else None
    return content


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, str, str, str]]:
    for variable in sorted(environment):
        if not variable.startswith("FOURSIGHT_") or variable in OTHER_VARIABLES or variable.startswith(OTHER_PREFIXES):
            continue
        group, _, key = variable.removeprefix("FOURSIGHT_").lower().partition("_")
        if group not in Settings.model_fields or key not in _keys(group):
            raise SettingsError(f"{variable} is no setting; see the list of settings in the README", field=variable)
        yield variable, group, key, environment[variable]


def _keys(group: str) -> Mapping[str, Any]:
    model = Settings.model_fields[group].annotation
    return model.model_fields if isinstance(model, type) and issubclass(model, Group) else {}


def _is_path(group: str, key: str) -> bool:
    field = _keys(group).get(key) if group in Settings.model_fields else None
    return field is not None and field.annotation in (Path, Path | None)


def _as_sentence(error: ValidationError, origin: str) -> SettingsError:
    """The first thing that is wrong, in words, and without the value: it may be a password."""
    first = error.errors(include_input=False, include_url=False)[0]
    key = ".".join(str(part) for part in first["loc"]) or "settings"
    what = "is no setting; see the list of settings in the README" if first["type"] == "extra_forbidden" else None
    message = first["msg"].removeprefix("Value error, ")
    said = f"{key} {what}" if what else f"{key}: {message[:1].lower()}{message[1:]}"
    return SettingsError(f"{origin}: {said}", field=key)
