"""The README says what was measured and what exists."""

import re
import tomllib

import pytest

from tests.figures.figure import ROOT, read_figures
from tests.figures.readme import with_tables

README = (ROOT / "README.md").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_tables_are_the_kept_figures():
    assert with_tables(README) == README


def test_every_kept_group_has_its_table():
    assert set(re.findall(r"<!-- figures:([\w-]+) -->", README)) == read_figures().keys()


def test_every_figure_says_how_to_reproduce_it():
    for figures in read_figures().values():
        assert all(figure["command"] and figure["commit"] and figure["value"] for figure in figures)


def requirement_names():
    for group in (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()):
        yield from (re.split(r"[\[<>=]", requirement)[0] for requirement in group)


@pytest.mark.parametrize("name", sorted(set(requirement_names())))
def test_every_dependency_is_named_with_its_reason(name):
    assert re.search(rf"^\| `{re.escape(name)}` \| .{{10,}}", README, re.MULTILINE), f"{name} has no row in the README"


@pytest.mark.parametrize(
    "requirement", [r for group in (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()) for r in group]
)
def test_every_dependency_is_bounded_below_and_above(requirement):
    assert re.search(r">=[\d.]+,<[\d.]+", requirement)


def test_every_command_named_exists():
    from service.cli import COMMANDS

    assert set(re.findall(r"`foursight ([\w-]+)", README)) <= COMMANDS.keys()


def test_every_make_target_named_exists():
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"`make ([\w-]+)", README)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
