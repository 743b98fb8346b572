"""Keep the model card true: its tables and its reliability diagram are made from the kept metrics.

In: `metrics.json`. Out: `README.md` in this folder with its marked parts written anew, and `reliability.svg`.
"""

import re
from pathlib import Path
from typing import Any

import numpy as np

from models.figures import lines

CARD = Path(__file__).with_name("README.md")
DIAGRAM = Path(__file__).with_name("reliability.svg")
SIDE, MARGIN = 360, 48
SMALLEST_DOUBT = 1e-4  # the axes are logarithmic in doubt: 50 %, 10 %, 1 %, 0.1 %, 0.01 %


def write_card(metrics: dict[str, Any]) -> None:
    """Write both anew."""
    CARD.write_text(with_tables(CARD.read_text(encoding="utf-8"), metrics), encoding="utf-8")
    if "calibration" in metrics:
        DIAGRAM.write_text(diagram(metrics["calibration"]["reliability"]), encoding="utf-8")


def with_tables(text: str, metrics: dict[str, Any]) -> str:
    """The card with what is between its marks replaced."""
    parts = {"figures": _figures(metrics), "calibration": _calibration(metrics.get("calibration"))}
    for name, body in parts.items():
        text = re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)", rf"\g<1>{body}\n\g<2>", text, flags=re.DOTALL)
    return text


def _figures(metrics: dict[str, Any]) -> str:
    rows = ["| figure | measured | must hold |", "|---|---|---|"]
    for line in lines(metrics):
        missed = "" if line.holds else " (**not reached**)"
        rows.append(f"| {line.name} | {line.value} | {line.bar}{missed} |")
    return "\n".join(rows)


def _calibration(found: dict[str, Any] | None) -> str:
    if found is None:
        return "Not calibrated yet."
    rows = [
        f"One frame: {found['stated']:,} of {found['cards']:,} cards seen are stated, {found['wrong']} wrongly. "
        f"Ten frames: {found['fused_stated']:,} of {found['fused_cards']:,}, {found['fused_wrong']} wrongly.",
        "",
        "| confidence | cards | mean | right |",
        "|---|---|---|---|",
    ]
    rows += [
        f"| {row['low']:g} to {row['high']:g} | {row['cards']:,} | {row['confidence']:.4f} | {row['right']:.4f} |"
        for row in found["reliability"]
    ]
    return "\n".join(rows)


def diagram(rows: list[dict[str, Any]]) -> str:
    """Confidence to the right, share right upwards, both by how little doubt is left; the line is a perfect reader."""
    whole = SIDE + 2 * MARGIN
    ticks = [(0.0, "0"), (0.5, "50 %"), (0.9, "90 %"), (0.99, "99 %"), (0.999, "99.9 %"), (0.9999, "99.99 %")]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" font-family="sans-serif"',
        '  font-size="11">',
        f'<rect width="{whole}" height="{whole}" fill="white"/>',
        f'<line x1="{MARGIN}" y1="{MARGIN + SIDE}" x2="{MARGIN + SIDE}" y2="{MARGIN}"',
        '  stroke="#999" stroke-dasharray="4"/>',
    ]
    for share, text in ticks:
        at = _place(share)
        parts.append(f'<text x="{MARGIN + at:.0f}" y="{MARGIN + SIDE + 16}" text-anchor="middle">{text}</text>')
        parts.append(f'<text x="{MARGIN - 6}" y="{MARGIN + SIDE - at + 4:.0f}" text-anchor="end">{text}</text>')
    for row in rows:
        x, y = MARGIN + _place(row["confidence"]), MARGIN + SIDE - _place(row["right"])
        radius = 3 + 1.5 * np.log10(max(row["cards"], 1))
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="#2a7" fill-opacity="0.7"/>')
    parts.append(f'<text x="{whole / 2}" y="{whole - 8}" text-anchor="middle">stated confidence</text>')
    parts.append(f'<text x="14" y="{MARGIN - 16}">share right; larger dots are more cards</text></svg>')
    return "\n".join(parts) + "\n"


def _place(share: float) -> float:
    """Where on an axis a share lies: as far as its doubt has shrunk, on a logarithmic scale."""
    return float(SIDE * np.log(max(1 - share, SMALLEST_DOUBT)) / np.log(SMALLEST_DOUBT))
