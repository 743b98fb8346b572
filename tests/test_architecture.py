"""Who may import whom, read from the source: data flows one way."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("game", "vision", "models", "datasets", "service")
MAY_IMPORT = {
    "game": set(),
    "vision": {"game"},
    "datasets": {"vision", "game"},
    "models": {"datasets", "vision", "game"},
    "service": {"vision", "game"},
}
COMMAND_LINE = ("service/cli.py", "service/commands/")
MODULES = [path.relative_to(ROOT).as_posix() for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def imports_of(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written from the package's root"
            yield node.module


@pytest.mark.parametrize("name", MODULES)
def test_imports_point_one_way(name):
    package = name.split("/")[0]
    allowed = set(PACKAGES) if name.startswith(COMMAND_LINE) else MAY_IMPORT[package] | {package}
    tops = {module.split(".")[0] for module in imports_of(ast.parse((ROOT / name).read_text()))}
    assert tops & set(PACKAGES) <= allowed


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("game/")])
def test_the_game_needs_the_standard_library_alone(name):
    tops = {module.split(".")[0] for module in imports_of(ast.parse((ROOT / name).read_text()))}
    extra = {"numpy"} if name == "game/odds.py" else set()
    assert tops <= set(sys.stdlib_module_names) | {"game"} | extra


def test_floats_never_touch_money():
    exact = [name for name in MODULES if name.startswith("game/") and name != "game/odds.py"]
    for name in exact:
        for node in ast.walk(ast.parse((ROOT / name).read_text())):
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), f"{name}:{node.lineno}"
            assert not (isinstance(node, ast.Name) and node.id == "float"), f"{name}:{node.lineno}"
