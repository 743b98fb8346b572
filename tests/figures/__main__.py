"""`python -m tests.figures [GROUP…]`: measure every figure, or some groups, and keep them."""

import argparse
import sys
from importlib import import_module

from tests.figures.figure import keep
from tests.figures.readme import README, with_tables

GROUPS = ("game", "simulator", "vision", "observer", "service")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.figures")
    parser.add_argument("groups", nargs="*", choices=[*GROUPS, []], help="groups to measure; all when none is named")
    groups = parser.parse_args().groups or GROUPS
    all_hold = True
    for group in groups:
        figures = []
        for figure in import_module(f"tests.figures.{group}").measure():
            print(f"{group}: {figure.name}: {figure.value}" + ("" if figure.holds else f"  NOT REACHED: {figure.bar}"))
            figures.append(figure)
            all_hold &= figure.holds
        keep(group, figures)
    README.write_text(with_tables(README.read_text()))
    return 0 if all_hold else 1


if __name__ == "__main__":
    sys.exit(main())
