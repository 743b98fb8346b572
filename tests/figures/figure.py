"""One measured figure, and the file that keeps them all."""

import json
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FIGURES = ROOT / "figures.json"


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured; `bar` is what it has to reach, in words, and `holds` whether it does."""

    name: str
    value: str
    command: str
    bar: str = ""
    holds: bool = True
    seed: int | None = None


def commit() -> str:
    """The commit measured, marked when the tree holds more than it."""
    head = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = ["game", "vision", "models", "datasets", "service"]
    status = ["git", "status", "--porcelain", "--", *paths]
    changed = subprocess.run(status, cwd=ROOT, capture_output=True, text=True, check=True)
    return head.stdout.strip() + ("+" if changed.stdout.strip() else "")


def read_figures() -> dict[str, list[dict]]:
    """Kept figures by group."""
    return json.loads(FIGURES.read_text()) if FIGURES.exists() else {}


def keep(group: str, figures: list[Figure]) -> None:
    """Replace one group of kept figures."""
    kept = read_figures()
    kept[group] = [asdict(figure) | {"commit": commit()} for figure in figures]
    FIGURES.write_text(json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False) + "\n")
