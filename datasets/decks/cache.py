"""Where fetched and rendered files are kept: `$FOURSIGHT_CACHE`, or `~/.cache/foursight`."""

import os
from pathlib import Path


def cache_folder(name: str) -> Path:
    """A folder of the cache; it need not exist."""
    root = os.environ.get("FOURSIGHT_CACHE")
    return (Path(root) if root else Path.home() / ".cache" / "foursight") / name
