"""Writes the TypeScript twins of what the site and the page say to one another: `python tools/page_types.py`.

The site writes every field, defaults included; the page may leave out those that have one.
"""

import sys
from pathlib import Path
from typing import Any

import msgspec
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from ludus.site.messages.analysis import LineEvaluation
from ludus.site.messages.archive import Replay
from ludus.site.messages.incoming import (
    Abort,
    Accept,
    Act,
    Chat,
    ClaimGame,
    Decline,
    GiveTime,
    MakeOffer,
    PlayPing,
    Resign,
    Undo,
)
from ludus.site.messages.own_games import OwnGames
from ludus.site.messages.page import (
    Catalogue,
    ChatMessage,
    DeclinedMessage,
    ErrorMessage,
    Fault,
    GameState,
    NoticeMessage,
    PlyView,
    PongMessage,
    RematchMessage,
)
from ludus.site.messages.people import Me, RatingList, TokenInfo
from ludus.site.messages.puzzles import PuzzleGames, PuzzleView, Solution, TryPuzzle, Verdict
from ludus.site.messages.requests import JoinGame, MatchBots, OpenGame, PlayBot, WithToken
from ludus.site.messages.study import Arrangement, Kit, Lesson, Lessons, StudyLine, StudyView

FROM_SITE = [
    Catalogue,
    ChatMessage,
    DeclinedMessage,
    ErrorMessage,
    Fault,
    GameState,
    Kit,
    Lesson,
    Lessons,
    LineEvaluation,
    Me,
    NoticeMessage,
    OwnGames,
    PlyView,
    PongMessage,
    PuzzleGames,
    PuzzleView,
    RatingList,
    RematchMessage,
    Replay,
    Solution,
    StudyView,
    TokenInfo,
    Verdict,
]
TO_SITE: list[type[BaseModel]] = [
    Abort,
    Accept,
    Act,
    Arrangement,
    Chat,
    ClaimGame,
    Decline,
    GiveTime,
    JoinGame,
    StudyLine,
    MakeOffer,
    MatchBots,
    OpenGame,
    PlayPing,
    PlayBot,
    Resign,
    TryPuzzle,
    Undo,
    WithToken,
]
PATH = Path(__file__).parent.parent / "web" / "src" / "api.gen.ts"
HEADER = "// Written by tools/page_types.py from the Python structs; do not edit.\n"
PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def typescript(schema: dict[str, Any]) -> str:
    """Return the TypeScript type of one JSON schema."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[-1]
    if "const" in schema or "enum" in schema:
        values = schema.get("enum", [schema.get("const")])
        return " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in values)
    if "anyOf" in schema:
        return " | ".join(typescript(part) for part in schema["anyOf"])
    if "prefixItems" in schema:
        return "[" + ", ".join(typescript(part) for part in schema["prefixItems"]) + "]"
    if schema["type"] == "array":
        inner = typescript(schema["items"])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if schema["type"] == "object":
        limited = schema.get("patternProperties", {})  # where keys have a pattern
        inner = next(iter(limited.values())) if len(limited) == 1 else schema.get("additionalProperties")
        return f"Record<string, {typescript(inner) if isinstance(inner, dict) and inner else 'unknown'}>"
    return PLAIN[schema["type"]]


def interface(name: str, schema: dict[str, Any], *, written: bool) -> str:
    """Return one exported interface with the struct's sentence above it.

    Args:
        name: of the struct.
        schema: of the struct.
        written: whether every field is there, defaults included.
    """
    required = schema["properties"] if written else schema.get("required", ())
    fields = "".join(
        f"  {field}{'' if field in required else '?'}: {typescript(part)};\n"
        for field, part in schema["properties"].items()
    )
    sentence = schema.get("description", "").split("\n")[0]
    return f"/** {sentence} */\nexport interface {name} {{\n{fields}}}\n"


def text() -> str:
    """Return the whole file."""
    _, found = msgspec.json.schema_components(FROM_SITE)
    _, heard = models_json_schema([(model, "validation") for model in TO_SITE])
    both = found | heard["$defs"]
    parts = (interface(name, schema, written=name in found) for name, schema in sorted(both.items()))
    return HEADER + "".join("\n" + part for part in parts)


def main() -> int:
    """Write the file, or with `--check` only say whether it is fresh."""
    fresh = PATH.is_file() and PATH.read_text() == text()
    if "--check" in sys.argv:
        print(f"{PATH.name} is fresh." if fresh else f"{PATH} is stale: run `python tools/page_types.py`.")
        return 0 if fresh else 1
    if not fresh:
        PATH.write_text(text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
