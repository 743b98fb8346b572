"""Fetch what drawn and package decks are made from: `python -m datasets.decks.fetch [DECK…]` (`make decks`).

In: the catalogue, and the decks wanted where not all are (then without fonts and wallpapers). Out: the cache, with
packages unpacked under `packages/`, rendered decks under `decks/`, fonts under `fonts/` and wallpapers under
`backgrounds/`. What is there already is left alone, so an interrupted run goes on where it stopped; what fails is
named, and the rest goes on. Needs no root: `apt-get download` with `dpkg-deb` for Debian's packages, `npm pack`,
`pip download`.
"""

import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from datasets.decks.backgrounds import is_stored, store_backgrounds
from datasets.decks.cache import cache_folder
from datasets.decks.catalogue import Catalogue, Entry, Source, read_catalogue
from datasets.decks.fonts import font_sources, missing_fonts, store_fonts
from datasets.decks.package import is_present, store_deck
from datasets.errors import DatasetError

_TIMEOUT_S = 900


def _run(command: Sequence[str], folder: Path) -> None:
    tool = shutil.which(command[0])
    if tool is None:
        raise DatasetError(f"{command[0]} is not installed")
    try:
        done = subprocess.run(
            [tool, *command[1:]], cwd=folder, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise DatasetError(f"{' '.join(command)} took longer than {_TIMEOUT_S} s") from error
    if done.returncode:
        raise DatasetError(f"{' '.join(command)} failed: {_reason(done.stderr or done.stdout)}")


def _reason(output: str) -> str:
    """The first line that says more than that there was an error, or the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()] or ["no message"]
    telling = [line for line in lines if "rror" in line.lower() or line.startswith("E:")]
    return next((line for line in telling if len(line.split()) > 4), lines[-1])


def _download(source: Source, folder: Path) -> Path:
    """The package's one file, in an empty folder."""
    commands = {
        "debian": ["apt-get", "download", source.package],
        "npm": ["npm", "pack", source.package],
        "pypi": [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", source.package],
    }
    _run(commands[source.store], folder)
    files = [path for path in folder.iterdir() if path.suffix in (".deb", ".tgz", ".whl", ".gz")]
    if len(files) != 1:
        raise DatasetError(f"{source.package} gave {len(files)} files where one was expected")
    return files[0]


def _unpack(file: Path, folder: Path) -> None:
    folder.mkdir()
    if file.suffix == ".deb":
        _run(["dpkg-deb", "-x", str(file), str(folder)], file.parent)
    elif file.suffix == ".whl":
        with zipfile.ZipFile(file) as archive:
            archive.extractall(folder)
    else:
        with tarfile.open(file) as archive:
            archive.extractall(folder, filter="data")


def fetch_source(source: Source) -> Path:
    """The folder of the unpacked package; fetched first where it is not there."""
    folder = cache_folder("packages") / source.name
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        file = _download(source, Path(scratch))
        _unpack(file, Path(scratch) / "unpacked")
        (Path(scratch) / "unpacked").rename(folder)  # whole or not at all
    return folder


Job = tuple[str, Callable[[], None]]


def _jobs(catalogue: Catalogue, wanted: Sequence[str]) -> Iterable[Job]:
    """What is missing, each with the name to show."""
    if not wanted:
        yield from _font_and_background_jobs(catalogue)
    sources = {source.name: source for source in catalogue.sources}
    for entry in catalogue.decks.values():
        if not is_present(entry) and (not wanted or entry.name in wanted):
            yield f"deck {entry.name}", partial(_store_deck, entry, sources[entry.source])


def _font_and_background_jobs(catalogue: Catalogue) -> Iterable[Job]:
    for font_source in font_sources():
        if missing_fonts(font_source.name):
            fetch = partial(fetch_source, font_source)
            yield f"fonts of {font_source.name}", partial(store_fonts, font_source.name, fetch)
    for source in catalogue.sources:
        if source.holds == "backgrounds" and not is_stored(source.name):
            yield f"wallpapers of {source.name}", partial(store_backgrounds, source.name, partial(fetch_source, source))


def _store_deck(entry: Entry, source: Source) -> None:
    store_deck(entry, fetch_source(source))


def fetch_all(report: Callable[[str], None], wanted: Sequence[str] = ()) -> tuple[str, ...]:
    """Fetch and render what is missing, everything or the decks named; what failed, one sentence each."""
    catalogue = read_catalogue()
    if unknown := [name for name in wanted if name not in catalogue.decks]:
        raise DatasetError(f"there is no deck {unknown[0]!r}; use {', '.join(catalogue.decks)}")
    jobs = list(_jobs(catalogue, wanted))
    failures = []
    for number, (name, job) in enumerate(jobs, 1):
        report(f"{number}/{len(jobs)} {name}")
        try:
            job()
        except (DatasetError, OSError) as error:
            failures.append(f"{name}: {error}")
    return tuple(failures)


def _show(text: str) -> None:
    """Progress on a terminal, nothing in a pipe."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def main() -> int:
    """The command."""
    try:
        failures = fetch_all(_show, sys.argv[1:])
    except DatasetError as error:
        sys.stderr.write(f"foursight: {error}\n")
        return 2
    _show("")
    present = sum(map(is_present, read_catalogue().decks.values()))
    sys.stderr.writelines(f"foursight: {failure}\n" for failure in failures)
    sys.stdout.write(f"{present} of {len(read_catalogue().decks)} package decks are ready\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
