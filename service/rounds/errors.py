"""What can be wrong with a command; every message says what, where, and what to do next."""

from service.errors import ConflictError, InvalidError


class RoundError(InvalidError):
    """Something asked of a table that cannot be done as things stand."""

    code = "not_possible"


class BadCommand(RoundError):  # noqa: N818  # it names the command, not a fault of the program
    """Content that is no command."""

    code = "bad_command"


class WrongPhaseError(RoundError):
    """Too early or too late in the round."""

    status = 409
    code = "wrong_phase"


class NeedsReasonError(RoundError):
    """What may be done, but not without saying why."""

    code = "needs_reason"


class StaleError(ConflictError):
    """The table has gone on since the sender looked: another round, another card, another proposal."""

    code = "changed_since"


class AlreadyDoneError(ConflictError):
    """Someone else was first."""

    code = "already_done"


class RulesError(InvalidError):
    """Pay tables, house rules or limits that a table may not have."""

    code = "rules"
