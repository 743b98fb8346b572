"""What goes wrong with who is asking."""

from service.errors import ServiceError


class NotSignedInError(ServiceError):
    """Nobody is signed in here, or not any more."""

    status = 401
    code = "not_signed_in"


class SignInError(ServiceError):
    """The name or the PIN is wrong; which of the two is not said."""

    status = 401
    code = "sign_in_failed"


class LockedError(ServiceError):
    """Too many wrong PINs in a row."""

    status = 429
    code = "account_locked"


class NotAllowedError(ServiceError):
    """Signed in, but this is for others."""

    status = 403
    code = "not_allowed"


class ForgedError(ServiceError):
    """The request does not come from the service's own pages."""

    status = 403
    code = "csrf"
