"""What goes wrong in the service, one base class: each kind knows its status and code, a message is one sentence."""


class ServiceError(Exception):
    """Something asked of the service that cannot be done; the message says what, where, and what to do."""

    status: int = 400
    code: str = "bad_request"

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class SettingsError(ServiceError):
    """Settings that cannot be used; the message names the file or variable and the key."""

    status = 500
    code = "settings"


class NotFoundError(ServiceError):
    """Nothing of that name here."""

    status = 404
    code = "not_found"


class ConflictError(ServiceError):
    """What was asked does not fit what is there by now: look again, then decide."""

    status = 409
    code = "conflict"


class InvalidError(ServiceError):
    """A value that cannot be used; `field` says which."""

    status = 422
    code = "invalid"


class UnavailableError(ServiceError):
    """The service cannot answer now: the store is away or full."""

    status = 503
    code = "unavailable"
