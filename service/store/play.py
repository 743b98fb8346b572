"""Tables of play: what happened at the gaming tables, and what was confirmed.

A confirmed payout is one row that never changes but for being taken back; the database itself refuses a second one that
stands for the same seat, kind and round. Cards are text, `"As Td"`; amounts are exact cents.
"""

from datetime import datetime
from fractions import Fraction
from typing import Any

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from service.store.base import Base, Json


class TableRow(Base):
    """A gaming table and its state now; `revision` grows with each change."""

    __tablename__ = "tables"

    table: Mapped[str] = mapped_column(String(64), primary_key=True)
    revision: Mapped[int] = mapped_column(default=0)
    state: Mapped[Json]
    observer: Mapped[Json | None]  # what the observer needs to go on after a restart
    changed_at: Mapped[datetime]


class RulesRow(Base):
    """One version of a table's pay tables, house rules and limits; never changed, only followed by the next."""

    __tablename__ = "rules"
    __table_args__ = (UniqueConstraint("table", "version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    table: Mapped[str] = mapped_column(String(64))
    version: Mapped[int]
    content: Mapped[Json]
    sha256: Mapped[str] = mapped_column(String(64))
    made_at: Mapped[datetime]
    made_by: Mapped[str] = mapped_column(String(96))


class RoundRow(Base):
    """A round, with the version of the rules it is settled by."""

    __tablename__ = "rounds"
    __table_args__ = (UniqueConstraint("table", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    table: Mapped[str] = mapped_column(String(64), index=True)
    number: Mapped[int]
    rules_id: Mapped[int | None] = mapped_column(ForeignKey("rules.id"))
    status: Mapped[str] = mapped_column(String(16))  # open, closed, void
    reason: Mapped[str | None]  # why it is void
    opened_at: Mapped[datetime] = mapped_column(index=True)
    closed_at: Mapped[datetime | None]
    content: Mapped[Json]  # hands, wagers, decisions and the settlement, as they stood last


class ReadingRow(Base):
    """What the machine read, as the observer said it; kept beside whatever a person corrects."""

    __tablename__ = "readings"

    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"), index=True)
    zone: Mapped[str | None] = mapped_column(String(16))
    kind: Mapped[str] = mapped_column(String(32))
    cards: Mapped[str | None]
    confidence: Mapped[float | None]
    event: Mapped[Json]
    evidence: Mapped[list[Any]]  # names in the evidence folder
    made_at: Mapped[datetime]


class CorrectionRow(Base):
    """A person's reading where it differs from the machine's, or where there was none."""

    __tablename__ = "corrections"

    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"), index=True)
    zone: Mapped[str] = mapped_column(String(16))
    machine: Mapped[str | None]
    person: Mapped[str]
    reason: Mapped[str | None]
    made_at: Mapped[datetime]
    made_by: Mapped[str] = mapped_column(String(96))


class PayoutRow(Base):
    """A payout that a dealer confirmed; it stands until it is taken back with a reason."""

    __tablename__ = "payouts"
    __table_args__ = (
        Index(
            "uq_payouts_standing",
            "round_id",
            "seat",
            "kind",
            unique=True,
            sqlite_where=text("taken_back_at IS NULL"),
            postgresql_where=text("taken_back_at IS NULL"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"))
    seat: Mapped[int]
    kind: Mapped[str] = mapped_column(String(16))  # hand, envy
    amount: Mapped[Fraction]  # what the player is paid beyond the returned stakes
    lines: Mapped[list[Any]]  # every wager with stake, result, odds, amount and rule
    command: Mapped[str] = mapped_column(String(64))  # the command that confirmed it
    confirmed_at: Mapped[datetime]
    confirmed_by: Mapped[str] = mapped_column(String(96))
    taken_back_at: Mapped[datetime | None]
    taken_back_by: Mapped[str | None] = mapped_column(String(96))
    taken_back_reason: Mapped[str | None]


class MeterRow(Base):
    """A progressive meter as it stands; several tables may share one."""

    __tablename__ = "meters"

    meter: Mapped[str] = mapped_column(String(64), primary_key=True)
    amount: Mapped[Fraction]
    reserve: Mapped[Fraction]
    changed_at: Mapped[datetime]


class MeterEntryRow(Base):
    """One movement of a meter."""

    __tablename__ = "meter_entries"

    id: Mapped[int] = mapped_column(primary_key=True)
    meter: Mapped[str] = mapped_column(ForeignKey("meters.meter"), index=True)
    round_id: Mapped[int | None] = mapped_column(ForeignKey("rounds.id"))
    kind: Mapped[str] = mapped_column(String(16))  # coin_in, award, reset, undone, set
    amount_before: Mapped[Fraction]
    amount_after: Mapped[Fraction]
    reserve_before: Mapped[Fraction]
    reserve_after: Mapped[Fraction]
    reason: Mapped[str | None]  # of an adjustment by hand
    made_at: Mapped[datetime]
    made_by: Mapped[str] = mapped_column(String(96))


class AlertRow(Base):
    """Something a supervisor should see, until acknowledged."""

    __tablename__ = "alerts"

    id: Mapped[int] = mapped_column(primary_key=True)
    table: Mapped[str] = mapped_column(String(64), index=True)
    round_id: Mapped[int | None] = mapped_column(ForeignKey("rounds.id"))
    kind: Mapped[str] = mapped_column(String(32))
    message: Mapped[str]
    content: Mapped[Json]  # evidence names, rule text, amounts
    raised_at: Mapped[datetime]
    acknowledged_at: Mapped[datetime | None]
    acknowledged_by: Mapped[str | None] = mapped_column(String(96))
    note: Mapped[str | None]


class CommandRow(Base):
    """A command that was carried out, by its client's key, so that the same tap sent twice acts once."""

    __tablename__ = "commands"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    table: Mapped[str] = mapped_column(String(64))
    actor: Mapped[str] = mapped_column(String(96))
    sha256: Mapped[str] = mapped_column(String(64))  # of what was asked: the same key for another thing is refused
    answer: Mapped[Json]
    made_at: Mapped[datetime] = mapped_column(index=True)
