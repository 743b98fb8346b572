"""The command line, `foursight`: one program, each command in a module of its own that is imported when it is called.

Exit status: 0 done, 1 the work found what it looks for, 2 wrong usage or input.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from types import ModuleType

COMMANDS = {
    "demo": "the whole product on the bundled recording, as a live table",
    "run": "the table service beside its tables: cameras, proposals, pages and API",
    "settle": "settle rounds given as JSON lines",
    "odds": "exact frequencies and house edges of every pay table",
    "read": "read the cards in still images",
    "calibrate": "find where a table's camera looks, from points or from the printed layout",
    "check-camera": "tell what a table's camera can and cannot read, and what to change",
    "replay": "watch a recording again: its events, the same every time, and what its frames show",
    "simulate": "make labelled image sets and recordings of simulated rounds",
    "train": "train the networks that read cards, on simulated stills",
    "export": "make the ONNX file that is run from a trained checkpoint",
    "bench": "measure how well and how fast cards are read",
    "account": "who may sign in at the table service, and keys for other programs",
    "audit": "check and export the table service's audit log",
}
ERRORS = (
    "game.errors:GameError",
    "vision.errors:VisionError",
    "datasets.errors:DatasetError",
    "models.errors:ModelError",
    "service.errors:ServiceError",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    parser = argparse.ArgumentParser(
        prog="foursight",
        description="A dealer assistant for Four Card Poker and Four Card Prime. It proposes; the dealer decides.",
    )
    parser.add_argument("--version", action="version", version=f"foursight {version('foursight')}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    called = next((word for word in arguments if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=summary, description=summary.capitalize() + ".")
        if name == called:  # only the command that runs is imported: `settle` starts without OpenCV
            _module_of(name).add_arguments(subparser)
    options = parser.parse_args(arguments)
    return _run(options)


def _run(options: argparse.Namespace) -> int:
    try:
        status: int = _module_of(options.command).run(options)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of a pipe went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        print(f"foursight: {error.filename or ''}: {error.strerror or error}".replace(" : ", " "), file=sys.stderr)
        return 2
    except Exception as error:
        if not _is_expected(error):
            raise
        print(f"foursight: {error}", file=sys.stderr)
        return 2
    return status


def _module_of(command: str) -> ModuleType:
    return import_module(f"service.commands.{command.replace('-', '_')}")


def _is_expected(error: Exception) -> bool:
    """Whether an error is one of the packages' own, whose message is for the user."""
    families = {f"{kind.__module__}:{kind.__name__}" for kind in type(error).__mro__}
    return not families.isdisjoint(ERRORS)


if __name__ == "__main__":
    sys.exit(main())
