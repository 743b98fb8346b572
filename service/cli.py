"""The command line, `foursight`: one program, each command in a module of its own that is imported when it is called.

Exit status: 0 done, 1 the work found what it looks for, 2 wrong usage or input.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version

COMMANDS = {
    "settle": "settle rounds given as JSON lines",
    "odds": "exact frequencies and house edges of every pay table",
    "simulate": "make labelled image sets and recordings of simulated rounds",
}
ERRORS = ("game.errors:GameError", "vision.errors:VisionError", "datasets.errors:DatasetError")


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
            import_module(f"service.commands.{name}").add_arguments(subparser)
    options = parser.parse_args(arguments)
    return _run(options)


def _run(options: argparse.Namespace) -> int:
    try:
        status: int = import_module(f"service.commands.{options.command}").run(options)
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


def _is_expected(error: Exception) -> bool:
    """Whether an error is one of the packages' own, whose message is for the user."""
    families = {f"{kind.__module__}:{kind.__name__}" for kind in type(error).__mro__}
    return not families.isdisjoint(ERRORS)


if __name__ == "__main__":
    sys.exit(main())
