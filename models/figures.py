"""What the reader must reach, and how far it does: lines made from the kept metrics.

In: `metrics.json`. Out: `Line`s with a name, what was measured, the bar, and whether it holds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

BENCH = "foursight bench vision"
SPEED = "foursight bench speed"


@dataclass(frozen=True, slots=True)
class Line:
    """One figure; without a bar it is told for its own sake."""

    name: str
    value: str
    bar: str
    holds: bool
    command: str


def lines(metrics: dict[str, Any]) -> Iterator[Line]:
    """Every figure that has been measured."""
    sets = metrics.get("sets", {})
    for name, least, most_wrong in (
        ("stills, 80 px and more", 0.995, 0.0002),
        ("stills, 50 to 80 px", 0.85, 0.001),
        ("whole table, 1080p", 0.98, None),
        ("tight fans", 0.98, None),
    ):
        if name in sets:
            yield _right(name, sets[name], least)
            yield _wrong(name, sets[name], most_wrong)
    if "whole table, 1080p" in sets:
        fused = sets["whole table, 1080p"]["fused"]
        yield _right("whole table, 1080p, ten frames fused", fused, 0.999)
        yield _wrong("whole table, 1080p, ten frames fused", fused, None)
    if "count" in sets:
        record = sets["count"]
        yield _share("count of physical cards exact", record["exact_count"], record["pictures"], 0.998, "pictures")
    if "backs" in sets:
        record = sets["backs"]
        yield _share("face-down cards found", record["backs_found"], record["backs"], 0.99, "backs")
    if "harsh" in sets:
        yield _right("harsh: bad light, bad cameras, hidden cards", sets["harsh"], None)
        yield _wrong("harsh: bad light, bad cameras, hidden cards", sets["harsh"], None)
    yield from _real(metrics.get("real", {}))
    yield from _speed(metrics.get("speed", {}))


def _share(name: str, count: int, whole: int, least: float | None, what: str, command: str = BENCH) -> Line:
    share = count / whole if whole else 0.0
    bar = "" if least is None else f"{100 * least:g} %"
    return Line(name, f"{100 * share:.2f} % of {whole:,} {what}", bar, least is None or share >= least, command)


def _right(name: str, record: dict[str, Any], least: float | None) -> Line:
    return _share(f"{name}: right", record["right"], record["cards"], least, "cards")


def _wrong(name: str, record: dict[str, Any], most: float | None) -> Line:
    share = record["wrong"] / record["cards"] if record["cards"] else 0.0
    bar = "" if most is None else f"under {100 * most:g} %"
    value = f"{100 * share:.3f} % ({record['wrong']} of {record['cards']:,})"
    return Line(f"{name}: wrong", value, bar, most is None or share < most, BENCH)


def _real(real: dict[str, Any]) -> Iterator[Line]:
    for name, least in (("edje", 0.97), ("bidly", 0.97), ("teogopk", 0.90)):
        if name in real:
            record = real[name]
            ranks = " (rank)" if name == "edje" else ""
            label = f"real photographs, {name}{ranks}: right"
            yield _share(label, record["correct"], record["cards"], least, "cards", f"{BENCH} --real DIR")
    if real:
        stated = sum(record["correct"] + record["wrong"] + record["duplicates"] for record in real.values())
        bad = sum(record["wrong"] + record["duplicates"] for record in real.values())
        share = bad / stated if stated else 0.0
        value = f"{100 * share:.2f} % ({bad} of {stated})"
        name = "real photographs: wrong and duplicates"
        yield Line(name, value, "under 0.5 %", share < 0.005, f"{BENCH} --real DIR")


def _speed(speed: dict[str, Any]) -> Iterator[Line]:
    if not speed:
        return
    for name, least in (("yolo11n", 3.0), ("yolov8m", 10.0)):
        ratio = speed[f"{name}_ms"] / speed["read_ms"]
        value = f"{ratio:.1f} times as fast ({speed['read_ms']:.0f} ms against {speed[f'{name}_ms']:.0f} ms)"
        yield Line(f"640×640, six cards, against {name} in PyTorch", value, f"{least:g} times", ratio >= least, SPEED)
    first = speed["first_read_s"]
    yield Line("first read after start", f"{first:.2f} s", "1.5 s", first <= 1.5, SPEED)
    memory = speed["memory_mb"]
    yield Line("memory", f"{memory:.0f} MB", "under 500 MB", memory < 500, SPEED)
