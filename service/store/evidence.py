"""Pictures kept as evidence: files named by their content, a name proves its picture and cannot leave the folder.

>>> import tempfile
>>> evidence = Evidence(Path(tempfile.mkdtemp()))
>>> name = evidence.put(b"a picture")
>>> evidence.get(name)
b'a picture'
"""

import hashlib
import os
import re
from pathlib import Path

from service.errors import NotFoundError, UnavailableError

_NAME = re.compile(r"[0-9a-f]{64}\.(jpg|png|mp4)")


class Evidence:
    """The folder of evidence."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, content: bytes, kind: str = "jpg") -> str:
        """Keep it; the name by which it is found. Written before the name is committed, never changed after."""
        digest = hashlib.sha256(content).hexdigest()
        name = f"{digest}.{kind}"
        path = self._path(name)
        if path.exists():
            return name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            new = path.with_suffix(f".{os.getpid()}.new")
            with new.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            new.replace(path)
        except OSError as error:
            raise UnavailableError(f"{self._folder}: {error.strerror}; evidence cannot be kept, make room") from None
        return name

    def get(self, name: str) -> bytes:
        """The content, when it is still what its name says."""
        path = self._path(name)
        try:
            content = path.read_bytes()
        except OSError:
            raise NotFoundError("this evidence is not kept here (any more)") from None
        if hashlib.sha256(content).hexdigest() != path.stem:
            raise NotFoundError("this evidence was changed after it was kept, and is not shown")
        return content

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise NotFoundError("this is no name of evidence")
        return self._folder / name[:2] / name
