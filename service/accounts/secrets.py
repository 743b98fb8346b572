"""PINs, passwords and keys: what is good enough, and the hashes that are all that is kept of them."""

import hashlib
import secrets
from dataclasses import dataclass
from itertools import pairwise

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from service.accounts.roles import Role
from service.errors import InvalidError
from service.settings import AccountSettings

_LONGEST = 200
_CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # without those that look alike


@dataclass(frozen=True, slots=True)
class Policy:
    """What a PIN or password must be."""

    settings: AccountSettings

    def check(self, secret: str, role: Role, name: str) -> None:
        """Refuse what is too short or easily guessed; the secret is never repeated."""
        if len(secret) > _LONGEST:
            raise InvalidError(f"a password has at most {_LONGEST} characters", field="secret")
        if role is Role.DEALER and secret.isascii() and secret.isdigit():
            if len(secret) < self.settings.pin_digits:
                raise InvalidError(f"a PIN has at least {self.settings.pin_digits} digits", field="secret")
            if _is_a_run(secret):
                raise InvalidError("this PIN is too easily guessed; choose digits that are no run", field="secret")
            return
        if len(secret) < self.settings.password_length:
            needed = f"a password has at least {self.settings.password_length} characters"
            hint = f", a PIN {self.settings.pin_digits} digits or more" if role is Role.DEALER else ""
            raise InvalidError(needed + hint, field="secret")
        if len(set(secret)) < 4 or name in secret.lower():
            raise InvalidError("this password is too easily guessed; choose another", field="secret")


def _is_a_run(digits: str) -> bool:
    """111111, 123456, 987654, 121212, 123123."""
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(digits)}
    if len(steps) == 1 and steps <= {0, 1, 9}:
        return True
    return any(len(digits) % size == 0 and digits == digits[:size] * (len(digits) // size) for size in (1, 2, 3))


class Hasher:
    """argon2id, with costs that fit a small machine beside the cameras: 19 MiB, twice."""

    def __init__(self, memory_kib: int = 19 * 1024, passes: int = 2) -> None:
        self._argon2 = PasswordHasher(time_cost=passes, memory_cost=memory_kib, parallelism=1)
        self._nobody = self._argon2.hash(secrets.token_urlsafe())

    def hash(self, secret: str) -> str:
        """The hash that is kept."""
        return self._argon2.hash(secret)

    def matches(self, kept: str | None, secret: str) -> bool:
        """Whether the secret is the one; without an account it takes as long, and is not."""
        try:
            self._argon2.verify(kept or self._nobody, secret)
        except (VerificationError, InvalidHashError):
            return False
        return kept is not None

    def is_old(self, kept: str) -> bool:
        """Whether the hash was made with other costs and should be made anew."""
        return self._argon2.check_needs_rehash(kept)


def new_key(prefix: str = "") -> str:
    """A key nobody can guess."""
    return prefix + secrets.token_urlsafe(32)


def new_code() -> str:
    """A code a person can type: `K7QD-93XN-…`, 80 bits."""
    return "-".join("".join(secrets.choice(_CODE_LETTERS) for _ in range(4)) for _ in range(4))


def digest(key: str) -> str:
    """What is kept of a long random key; one that long needs no slow hash."""
    return hashlib.sha256(key.encode()).hexdigest()
