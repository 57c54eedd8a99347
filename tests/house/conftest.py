"""Every file is parsed once for all rules of the house."""

import ast
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tree_of() -> Callable[[Path], ast.Module]:
    """Return what parses a Python file, and remembers it for the next rule."""
    return cache(lambda path: ast.parse(path.read_text()))
