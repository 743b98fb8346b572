"""What all tables share: moments in UTC, exact amounts, and names for every constraint."""

from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from sqlalchemy import JSON, DateTime, MetaData, String
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.types import TypeDecorator

Json = dict[str, Any]


class Moment(TypeDecorator[datetime]):
    """A moment in UTC; SQLite keeps no time zone, so it is put back on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Store in UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone; moments in the store have one")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Read in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Exact(TypeDecorator[Fraction]):
    """An exact amount in cents, kept as text: `"1500"` or `"1875/2"`."""

    impl = String(80)
    cache_ok = True

    def process_bind_param(self, value: Fraction | int | None, dialect: Dialect) -> str | None:
        """Store as exact text; a float never becomes money."""
        if value is None:
            return None
        if isinstance(value, float):
            raise TypeError(f"{value} is a float; money is a whole number of cents or a fraction")
        return str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Fraction | None:
        """Read as a fraction."""
        return None if value is None else Fraction(value)


class Base(DeclarativeBase):
    """The base of every table."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy reads it from the class
        datetime: Moment,
        Fraction: Exact,
        Json: JSON,
        list[Any]: JSON,
    }
