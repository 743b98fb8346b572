"""The manifest beside the weights: which files they are, by sha256, and the numbers that belong to them."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from vision.weights import MANIFEST, WEIGHTS_FOLDER


def enter(path: Path) -> None:
    """Say in the manifest that this is the file; what was calibrated stays until it is calibrated anew."""
    manifest_path = path.parent / MANIFEST
    manifest = json.loads(manifest_path.read_text(encoding="utf-8")) if manifest_path.is_file() else {}
    entry = manifest.setdefault(path.stem, {})
    entry |= {"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    manifest_path.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def enter_calibration(numbers: Mapping[str, float], folder: Path = WEIGHTS_FOLDER) -> None:
    """Keep what was measured on validation decks beside the network that it belongs to."""
    manifest_path = folder / MANIFEST
    manifest = json.loads(manifest_path.read_text(encoding="utf-8"))
    manifest["identify"]["calibration"] = {name: round(value, 6) for name, value in numbers.items()}
    manifest_path.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
