"""The address of a camera on the network, and its password, which is never shown.

In: an address as it stands in a table file, `rtsp://dealer:${CAM_PASSWORD}@10.0.0.12/stream1`. Out: `Address`: what may
be shown, and what is sent to the camera, with the values of the named environment variables.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

from vision.sources.source import SourceError

SCHEMES = ("rtsp", "rtsps", "http", "https")

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
# A password without its percent signs may hold anything: all up to the last @ is taken for it, unless it is a port.
_USER = re.compile(r"(?<=://)([^/?#:@]*):(?![0-9]{1,5}(?:[/?#]|$))(.*)@")
_PROPER_USER = re.compile(r"(?<=://)([^/?#:@]*):([^/?#]*)@")
_HIDDEN = "***"


@dataclass(frozen=True, slots=True)
class Address:
    """An address that can be opened. Printing it shows no password."""

    shown: str
    full: str = field(repr=False)
    secrets: tuple[str, ...] = field(repr=False)  # longest first

    @classmethod
    def parse(cls, text: str, environment: Mapping[str, str] = os.environ) -> "Address":
        """Fill in the variables that the address names; percent signs are added where a value needs them."""
        shown = _USER.sub(_without_password, text)
        names = _VARIABLE.findall(text)
        for name in names:
            if not environment.get(name):
                raise SourceError(f"{shown} names the variable {name}, which is not set; export {name} and start again")
        full = _VARIABLE.sub(lambda found: quote(environment[found[1]], safe=""), text)
        passwords = {found[2] for found in (_USER.search(full), _PROPER_USER.search(full)) if found and found[2]}
        values = {environment[name] for name in names} | passwords | {unquote(password) for password in passwords}
        secrets = values | {quote(value, safe="") for value in values}
        return cls(shown, full, tuple(sorted(secrets, key=lambda secret: (-len(secret), secret))))

    def hide(self, text: str) -> str:
        """The text without this address's passwords."""
        for secret in self.secrets:
            text = text.replace(secret, _HIDDEN)
        return text


def has_scheme(text: str) -> bool:
    """Whether the text is an address at all; one of a kind that is not known raises."""
    found = _SCHEME.match(text)
    if found is not None and found[1].lower() not in SCHEMES:
        raise SourceError(f"{found[1]}:// is no kind of source; use {'://, '.join(SCHEMES)}://, a file or a folder")
    return found is not None


def _without_password(found: re.Match[str]) -> str:
    user, password = found.groups()
    return f"{user}:{password if _VARIABLE.fullmatch(password) else _HIDDEN}@"
