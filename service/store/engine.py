"""The door to the database: SQLite in write-ahead mode, or PostgreSQL, told apart here and in migrations alone."""

import sqlite3

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url

from service.errors import UnavailableError
from service.settings import StoreSettings

WRITING = "foursight_writing"
_POOL = {"pool_size": 20, "max_overflow": 40}  # more than the web server has threads


def open_engine(settings: StoreSettings) -> Engine:
    """An engine whose transactions are what a unit of work needs; nothing is connected yet."""
    url = make_url(settings.database_url)
    return _sqlite(url, settings) if url.get_backend_name() == "sqlite" else _postgresql(url, settings)


def _sqlite(url: URL, settings: StoreSettings) -> Engine:
    engine = create_engine(url, connect_args={"timeout": settings.lock_seconds}, hide_parameters=True, **_POOL)

    def on_connect(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions are begun below, not by the driver
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    def on_begin(connection: Connection) -> None:
        # A transaction that reads first and writes later could find the database changed in between and fail.
        writing = connection.get_execution_options().get(WRITING)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)
    return engine


def _postgresql(url: URL, settings: StoreSettings) -> Engine:
    try:
        return create_engine(
            url,
            **_POOL,
            pool_pre_ping=True,
            hide_parameters=True,  # hashes of PINs have no place in a log
            connect_args={
                "connect_timeout": 10,
                "options": f"-c lock_timeout={int(settings.lock_seconds * 1000)} -c synchronous_commit=on",
            },
        )
    except ModuleNotFoundError:
        raise UnavailableError("PostgreSQL needs psycopg: pip install 'foursight[postgres]'") from None
