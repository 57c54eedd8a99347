"""The TypeScript twins of the site's messages are as the Python structs are."""

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]


def page_types() -> ModuleType:
    """Load the script that writes them."""
    spec = importlib.util.spec_from_file_location("page_types", ROOT / "tools" / "page_types.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generated_types_are_fresh() -> None:
    module = page_types()
    assert module.PATH.read_text() == module.text(), "run `python tools/page_types.py`"


def test_a_schema_becomes_the_type_that_it_describes() -> None:
    typescript = page_types().typescript
    assert typescript({"anyOf": [{"type": "number"}, {"type": "null"}]}) == "number | null"
    assert typescript({"type": "array", "items": {"$ref": "#/$defs/Piece"}}) == "Piece[]"
    assert typescript({"type": "array", "items": {"anyOf": [{"type": "number"}, {"type": "null"}]}}) == (
        "(number | null)[]"
    )
    assert typescript({"enum": ["over", "playing"]}) == '"over" | "playing"'
    assert typescript({"type": "object", "additionalProperties": {"type": "string"}}) == "Record<string, string>"
