"""Limits on structure: small folders, short import chains without circles, and one meaning for each class name."""

import ast
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
MODULES = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in (SOURCE / "ludus").rglob("*.py")
}
MAX_FILES = 25
MAX_CHAIN = 20


def imports(tree: ast.Module) -> set[str]:
    """Return the project's modules that a module imports, at the top or in a function."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else str(node.module) for name in inside}
    return found & MODULES.keys()


def test_a_folder_has_25_files_at_most():
    files = Counter(path.parent.relative_to(SOURCE).as_posix() for path in MODULES.values())
    assert len(files) > 20
    assert {folder: count for folder, count in files.items() if count > MAX_FILES} == {}


def test_imports_go_round_in_no_circle_and_20_deep_at_most(tree_of):
    needed = {name: imports(tree_of(path)) - {name} for name, path in MODULES.items()}
    assert sum(map(len, needed.values())) > 1000, "the imports were not understood"
    try:
        ordered = [*TopologicalSorter(needed).static_order()]
    except CycleError as circle:
        pytest.fail(" imports ".join(reversed(circle.args[1])))
    longest: dict[str, list[str]] = {}
    for name in ordered:  # dependencies come before the modules that import them
        longest[name] = [name, *max((longest[each] for each in needed[name]), key=len, default=[])]
    chain = max(longest.values(), key=len)
    assert len(chain) <= MAX_CHAIN, " imports ".join(chain)


def test_a_class_name_has_one_meaning(tree_of):
    found: dict[str, list[str]] = {}
    for name, path in MODULES.items():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(name)
    assert len(found) > 500
    assert {name: places for name, places in found.items() if len(places) > 1} == {}
