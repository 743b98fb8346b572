"""`foursight bench live`: so many live tables at once on this machine, and what one more costs."""

import argparse

from datasets.footage.demo import DEMO
from models.bench import keep_metrics
from models.live_bench import cores, file_speed, percentiles, run_live
from models.observer_figures import live_lines


def run(options: argparse.Namespace) -> int:
    """Measure; 1 if a figure misses its bar."""
    folder = options.recording or DEMO
    alone = run_live(folder, 1, options.seconds)
    together = run_live(folder, options.tables, options.seconds) if options.tables > 1 else alone
    decoded, watched = file_speed(folder)
    delays = [delay for one in together for delay in one.delays_s]
    median, most = percentiles(delays)
    measured = {
        "tables": len(together),
        "cores": cores(),
        "seconds": options.seconds,
        "fps": [round(one.fps, 2) for one in together],
        "skipped": sum(one.skipped for one in together),
        "frames": sum(one.frames for one in together),
        "busy_cores": [round(one.cores, 3) for one in together],
        "busy_alone": round(alone[0].cores, 3),
        "events": len(delays),
        "delay_s": [round(median, 3), round(most, 3)],
        "decode_fps": round(decoded, 1),
        "watch_fps": round(watched, 1),
    }
    for number, one in enumerate(together, 1):
        print(f"table {number}: {one.fps:.1f} frames a second, {one.skipped} skipped, {one.cores:.2f} of a core")
    for line in live_lines(measured):
        print(f"{line.name:<58} {line.value}{'' if line.holds else '  NOT REACHED: ' + line.bar}")
    if options.keep:
        keep_metrics("live", measured)
    return 0 if all(line.holds for line in live_lines(measured)) else 1
