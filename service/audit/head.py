"""The head file: the last entry's number and hash, outside the database, written after each append.

Whoever cuts entries off the end of the chain, or puts others in their place, leaves a head that is no longer in it. So
a head is only replaced when the chain still holds it; otherwise it stays, and every check finds the fault.
"""

import fcntl
import json
import os
from collections.abc import Callable
from pathlib import Path

from service.audit.chain import FIRST_PREVIOUS, Head
from service.errors import ServiceError


class HeadFileError(ServiceError):
    """The head file cannot be read or written, or the chain no longer holds what it says."""

    status = 500
    code = "audit_head"


class HeadFile:
    """The file; several processes may write it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Head | None:
        """What it says; None where there is none yet."""
        try:
            content = json.loads(self.path.read_text(encoding="ascii"))
            return Head(int(content["sequence"]), str(content["hash"]))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise HeadFileError(
                f"{self.path}: this is no audit head ({error}); keep it as it is and ask who changed it"
            ) from None

    def begin(self) -> None:
        """Begin with an empty log."""
        self.renew(Head(0, FIRST_PREVIOUS))

    def renew(self, head: Head) -> None:
        """Write a head whatever was there."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._replace(head)
        except OSError as error:
            raise HeadFileError(f"{self.path}: {error.strerror}; the audit log's head must be writable") from None

    def note(self, head: Head, is_in_chain: Callable[[Head], bool]) -> None:
        """Put the head forward; refuse where the chain has lost the one that is noted."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.with_suffix(".lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                noted = self.read()
                if noted is None:
                    raise HeadFileError(
                        f"{self.path} is missing though the audit log was begun; put it back, or have a manager run "
                        "foursight audit renew-head"
                    )
                if not is_in_chain(noted):
                    raise HeadFileError(
                        f"{self.path}: entry {noted.sequence} is no longer in the audit log as it was noted; "
                        "run foursight audit verify"
                    )
                if noted.sequence < head.sequence:
                    self._replace(head)
        except OSError as error:
            raise HeadFileError(f"{self.path}: {error.strerror}; the audit log's head must be writable") from None

    def _replace(self, head: Head) -> None:
        new = self.path.with_suffix(".new")
        with new.open("w", encoding="ascii") as file:
            json.dump({"sequence": head.sequence, "hash": head.hash}, file)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.path)
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
