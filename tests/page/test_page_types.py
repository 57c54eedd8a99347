"""The TypeScript twins of the site's messages are as the Python structs are."""

from collections.abc import Callable
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def page_types(load_program: Callable[[str], ModuleType]) -> ModuleType:
    """Return the script that writes them."""
    return load_program("tools/page_types.py")


def test_the_generated_types_are_fresh(page_types: ModuleType) -> None:
    assert page_types.PATH.read_text() == page_types.text(), "run `python tools/page_types.py`"


def test_a_schema_becomes_the_type_that_it_describes(page_types: ModuleType) -> None:
    typescript = page_types.typescript
    assert typescript({"anyOf": [{"type": "number"}, {"type": "null"}]}) == "number | null"
    assert typescript({"type": "array", "items": {"$ref": "#/$defs/Piece"}}) == "Piece[]"
    assert typescript({"type": "array", "items": {"anyOf": [{"type": "number"}, {"type": "null"}]}}) == (
        "(number | null)[]"
    )
    assert typescript({"enum": ["over", "playing"]}) == '"over" | "playing"'
    assert typescript({"type": "object", "additionalProperties": {"type": "string"}}) == "Record<string, string>"
