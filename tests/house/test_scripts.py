"""Benches and tools import only names that exist in the package, because not all of them run every day."""

import ast
import importlib
from pathlib import Path

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


def missing(tree: ast.Module) -> list[str]:
    """Return the names that a script imports from the package but that do not exist."""
    return [
        f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "ludus"
        for alias in node.names
        if not is_there(node.module, alias.name)
    ]


def test_a_script_finds_all_that_it_imports(tree_of):
    assert len(SCRIPTS) > 20
    found = [f"{path.relative_to(ROOT)}: {name}" for path in SCRIPTS for name in missing(tree_of(path))]
    assert not found, "\n".join(found)


def test_a_name_that_is_gone_is_noticed():
    tree = ast.parse("from ludus.errors import BadInput, Gone\nfrom ludus.cli.strength import judge\n")
    assert missing(tree) == ["ludus.errors.Gone"]
