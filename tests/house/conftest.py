"""A cache of parsed files, shared by all house tests."""

import ast
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tree_of() -> Callable[[Path], ast.Module]:
    """Return a function that parses a Python file and caches the result."""
    return cache(lambda path: ast.parse(path.read_text()))
