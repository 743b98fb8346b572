"""The committed networks: found by path, checked by sha256, opened in ONNX Runtime.

In: a name, `locate` or `identify`. Out: an inference session with a fixed number of threads, so that the same frame
gives the same numbers every time, and what was measured of the network (its temperatures and thresholds).
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import onnxruntime

from vision.errors import VisionError

WEIGHTS_FOLDER: Final = Path(__file__).resolve().parent.parent / "models" / "weights"
MANIFEST: Final = "weights.json"
THREADS: Final = 2
QUIET: Final = 3  # errors only: ONNX Runtime otherwise warns of hardware it did not find


class WeightsError(VisionError):
    """Weights that are missing, changed or of another make."""


@dataclass(frozen=True, slots=True)
class Weights:
    """One network's file and the numbers that belong to it."""

    path: Path
    sha256: str
    calibration: dict[str, float]


def load_weights(name: str, folder: Path = WEIGHTS_FOLDER) -> Weights:
    """The network's file, after its sha256 has been compared with what the manifest says."""
    entry = _manifest(folder).get(name)
    if not isinstance(entry, dict):
        raise WeightsError(f"{folder / MANIFEST} does not name {name!r}; export it with `foursight export {name}`")
    path = folder / str(entry.get("file"))
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise WeightsError(
            f"{path} cannot be read ({error.strerror}); restore it, or run `foursight export`"
        ) from error
    if digest != entry.get("sha256"):
        raise WeightsError(
            f"{path} is not the file that {MANIFEST} describes (sha256 {digest[:12]}…, expected "
            f"{str(entry.get('sha256'))[:12]}…); restore both, or run `foursight export {name}`"
        )
    return Weights(path, digest, {key: float(value) for key, value in entry.get("calibration", {}).items()})


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise WeightsError(f"{path} cannot be read ({error.strerror}); is this a whole installation?") from error
    except ValueError as error:
        raise WeightsError(f"{path} is no JSON: {error}") from error
    if not isinstance(manifest, dict):
        raise WeightsError(f"{path} is no JSON object of networks")
    return manifest


def open_session(path: Path, threads: int = THREADS) -> onnxruntime.InferenceSession:
    """A network ready to run on the processor."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = QUIET
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime's own errors share no base class
        raise WeightsError(f"{path} cannot be opened by ONNX Runtime: {error}") from error
