"""The tables brought up to date at start, in one transaction; a newer store than this program is refused."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, text

from service.errors import UnavailableError
from service.store.engine import WRITING

FOLDER = Path(__file__).parent / "migrations"
_LOCK = 0x464F5553  # two programs that start at once do not both migrate


def config(connection: Connection | None = None) -> Config:
    """Alembic's configuration, made here: there is no alembic.ini to find."""
    made = Config()
    made.set_main_option("script_location", FOLDER.as_posix().replace("%", "%%"))
    made.set_main_option("path_separator", "os")
    made.attributes["connection"] = connection
    return made


def migrate(engine: Engine) -> None:
    """Apply every step the store does not have yet."""
    with engine.execution_options(**{WRITING: True}).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        made = config(connection)
        at, newest = MigrationContext.configure(connection).get_current_revision(), newest_revision()
        if at == newest:
            return
        try:
            command.upgrade(made, "head")
        except CommandError as error:
            raise UnavailableError(
                f"the store is at step {at}, which this version does not know ({error}); run the newer FourSight"
            ) from None


def newest_revision() -> str | None:
    """The last step of this version."""
    return ScriptDirectory.from_config(config()).get_current_head()
