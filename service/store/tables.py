"""Every table of the store, so that one import knows them all."""

from service.store.base import Base
from service.store.people import AccountRow, SessionRow, SetupCodeRow, TokenRow
from service.store.play import (
    AlertRow,
    CommandRow,
    CorrectionRow,
    MeterEntryRow,
    MeterRow,
    PayoutRow,
    ReadingRow,
    RoundRow,
    RulesRow,
    TableRow,
)
from service.store.record import AuditRow

METADATA = Base.metadata
LARGEST = 2**31 - 1  # number of a round or an entry; PostgreSQL counts no further

__all__ = [
    "LARGEST",
    "METADATA",
    "AccountRow",
    "AlertRow",
    "AuditRow",
    "CommandRow",
    "CorrectionRow",
    "MeterEntryRow",
    "MeterRow",
    "PayoutRow",
    "ReadingRow",
    "RoundRow",
    "RulesRow",
    "SessionRow",
    "SetupCodeRow",
    "TableRow",
    "TokenRow",
]
