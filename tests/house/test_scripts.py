"""Benches and tools ask the package for nothing that it does not have: nobody runs them all each day."""

import ast
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(path for folder in ("bench", "tools", "examples") for path in (ROOT / folder).rglob("*.py"))


def is_there(module: str, name: str) -> bool:
    if hasattr(importlib.import_module(module), name):
        return True
    try:
        importlib.import_module(f"{module}.{name}")
    except ModuleNotFoundError:
        return False
    return True


def missing(path: Path) -> list[str]:
    """Return what a script imports from the package and does not find there."""
    return [
        f"{node.module}.{alias.name}"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "ludus"
        for alias in node.names
        if not is_there(node.module, alias.name)
    ]


@pytest.mark.parametrize("path", SCRIPTS, ids=[path.relative_to(ROOT).as_posix() for path in SCRIPTS])
def test_a_script_finds_all_that_it_imports(path):
    assert not missing(path)


def test_a_name_that_is_gone_is_noticed(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from ludus.errors import BadInput, Gone\nfrom ludus.cli import judge\n")
    assert missing(script) == ["ludus.errors.Gone"]
