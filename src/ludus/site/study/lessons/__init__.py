"""Lessons, which teach the rules of a game with text and positions to play in.

A lesson is a file `GAME.toml` in this folder, with `title`, `order`, `summary` and `[[parts]]`.  Each part has a
`title`, a `text` (paragraphs separated by empty lines) and a position to play in (`spec`, and optionally `setup`,
`moves` and `goal`).  A new lesson needs only such a file.
"""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ludus.errors import BadInput
from ludus.site.messages.study import Lesson, LessonPart, Lessons, LessonTitle, StudyLine
from ludus.site.study.study import replay

FOLDER = Path(__file__).parent


class _WrittenPart(Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    text: str
    spec: str
    setup: dict[str, Any] | None = None
    moves: list[str] = []
    goal: str = ""


class _Written(Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    order: int
    summary: str
    parts: list[_WrittenPart]


def lessons() -> Lessons:
    """Return the titles and pictures of all lessons, sorted by `order`."""
    written = sorted((_written(path.stem).order, path.stem) for path in FOLDER.glob("*.toml"))
    found = [lesson(game) for _, game in written]
    return Lessons([LessonTitle(one.game, one.title, one.summary, one.parts[-1].view) for one in found])


@lru_cache(maxsize=64)
def lesson(game: str) -> Lesson:
    """Return the lesson of a game; raises BadInput if there is none."""
    written = _written(game)
    return Lesson(game, written.title, written.summary, [_part(part) for part in written.parts])


@lru_cache(maxsize=1)
def specs() -> set[str]:
    """Return the full names of all games that lessons use."""
    return {part.spec for path in FOLDER.glob("*.toml") for part in _written(path.stem).parts}


def _part(part: _WrittenPart) -> LessonPart:
    view = replay(StudyLine(spec=part.spec, setup=part.setup, moves=part.moves))
    text = "\n\n".join(" ".join(paragraph.split()) for paragraph in part.text.split("\n\n"))
    return LessonPart(part.title, text.strip(), part.spec, part.setup, part.moves, part.goal, view)


@lru_cache(maxsize=64)
def _written(game: str) -> _Written:
    path = FOLDER / f"{game}.toml"
    if path.stem not in {file.stem for file in FOLDER.glob("*.toml")}:
        raise BadInput(f"There is no lesson for {game[:40]!r}.")
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _Written)
