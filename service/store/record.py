"""The table of the audit log; triggers in the database refuse to change or delete a row."""

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from service.store.base import Base


class AuditRow(Base):
    """One entry as it was hashed, all of it text, so that reading it back gives the very same bytes."""

    __tablename__ = "audit"

    sequence: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[str] = mapped_column(String(32))
    actor: Mapped[str] = mapped_column(String(96))
    action: Mapped[str] = mapped_column(String(64), index=True)
    subject: Mapped[str] = mapped_column(String(128), index=True)
    before: Mapped[str | None]
    after: Mapped[str | None]
    previous: Mapped[str] = mapped_column(String(64))
    hash: Mapped[str] = mapped_column(String(64))
