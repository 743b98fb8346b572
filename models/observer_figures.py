"""What the observer must reach, and how far it does: lines made from the kept metrics.

In: the parts `observer`, `live` and `endurance` of `metrics.json`. Out: `Line`s.
"""

from collections.abc import Iterator
from typing import Any

from models.figures import Line

OBSERVER = "foursight bench observer"
LIVE = "foursight bench live"
ENDURANCE = "foursight bench endurance"
MOST_GROWTH_MB = 15.0  # what an allocator may keep for itself


def observer_lines(measured: dict[str, Any]) -> Iterator[Line]:
    """All rounds together, then by camera and by kind of fault."""
    if not measured:
        return
    yield from _bars(measured["all"]["all rounds"])
    for camera, record in measured["camera"].items():
        yield _row(f"camera {camera}", record)
    for fault, record in measured["fault"].items():
        yield _row("no fault" if fault == "none" else f"fault {fault}", record)


def _bars(record: dict[str, Any]) -> Iterator[Line]:
    hands, rounds = record["hands"], record["rounds"]
    yield _counted("hands exact without help", record["right"], hands, 0.995)
    yield _counted("rounds exact without help", record["exact"], rounds, 0.97)
    yield _none("hands stated wrongly", record["wrong"])
    yield _all("voids flagged", record["voids_found"], record["voids"])
    yield _all("duplicates flagged", record["duplicates_found"], record["duplicates"])
    yield _none("voids flagged in rounds without one", record["false_voids"])
    yield _all("refused hands whose reason the truth confirms", record["confirmed"], record["refused"])
    yield _none("hands neither stated nor refused", record["unsaid"])


def live_lines(measured: dict[str, Any]) -> Iterator[Line]:
    """Tables at once, latency, cost, and the speed of files."""
    if not measured:
        return
    slowest, tables = min(measured["fps"]), measured["tables"]
    found = f"{slowest:.1f} frames a second at the slowest of {tables}, {measured['skipped']} of "
    found += f"{measured['frames'] + measured['skipped']:,} skipped"
    share = measured["skipped"] / max(1, measured["frames"] + measured["skipped"])
    yield Line(f"{tables} live tables, 1080p25, {measured['cores']} cores", found, "none behind", share < 0.02, LIVE)
    cost = sum(measured["busy_cores"]) / tables
    yield Line("one more table costs", f"{cost:.2f} of a core ({measured['busy_alone']:.2f} alone)", "", True, LIVE)
    median, most = measured["delay_s"]
    found = f"{median:.2f} s, 95 % within {most:.2f} s ({measured['events']} events)"
    yield Line("cards at rest to event, median", found, "0.6 s, 95 % 1.2 s", median < 0.6 and most < 1.2, LIVE)
    ratio = measured["watch_fps"] / measured["decode_fps"]
    found = f"{ratio:.2f} ({measured['watch_fps']:.0f} against {measured['decode_fps']:.0f} frames a second)"
    yield Line("watching a file against decoding it", found, "0.4", ratio >= 0.4, LIVE)


def endurance_lines(measured: dict[str, Any]) -> Iterator[Line]:
    """A day's frames through one watch."""
    if not measured:
        return
    growth = measured["last_mb"] - measured["warm_mb"]
    found = f"{growth:+.1f} MB on {measured['warm_mb']:.0f} MB ({measured['events']:,} events)"
    name = f"memory over {measured['frames']:,} frames"
    yield Line(name, found, "no growth", growth < MOST_GROWTH_MB, ENDURANCE)


def _row(name: str, record: dict[str, Any]) -> Line:
    found = (
        f"{record['right']} of {record['hands']} hands right, {record['wrong']} wrong, {record['refused']} refused; "
    )
    found += f"{record['exact']} of {record['rounds']} rounds exact; voids {record['voids_found']} of {record['voids']}"
    return Line(name, found, "", True, OBSERVER)


def _counted(name: str, count: int, whole: int, least: float) -> Line:
    share = count / whole if whole else 0.0
    return Line(name, f"{100 * share:.2f} % of {whole:,}", f"{100 * least:g} %", share >= least, OBSERVER)


def _all(name: str, count: int, whole: int) -> Line:
    return Line(name, f"{count} of {whole}", "all", count == whole, OBSERVER)


def _none(name: str, count: int) -> Line:
    return Line(name, str(count), "none", count == 0, OBSERVER)
