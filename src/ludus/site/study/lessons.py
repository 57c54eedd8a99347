"""Lessons, which teach the rules of a game with text and positions to play in.

A lesson is a TOML file beside the game's rules: `NAME.lesson.toml` beside `NAME.py`, or `lesson.toml` in the package of
a game.  Each of its parts has a position to play in; the last one is the picture in the list of lessons.  A game in a
file without a lesson gets a short one, so that its rules can be tried.
"""

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ludus.errors import BadGame
from ludus.games import registry
from ludus.games.registry import about
from ludus.site.catalogue.specs import known_spec, title_of
from ludus.site.faults import NotHere
from ludus.site.messages.study import Lesson, LessonPart, Lessons, LessonTitle, StudyLine
from ludus.site.study.study import replay

NO_LESSON = "There is no lesson about this game yet. Try its moves on the board, for both sides."


class LessonFilePart(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a lesson, `[[parts]]` in the file."""

    title: str
    """The heading."""
    text: str
    """Paragraphs with empty lines between them."""
    spec: str
    """The name of the game; for a game in a file, without the folder and the ending: `mygame:7x7`."""
    setup: dict[str, Any] | None = None
    """The setup for `Game.start`."""
    moves: list[str] = []
    """The moves from the start to the position."""
    goal: str = ""
    """What the reader should try."""
    done: str = ""
    """A regular expression: the goal is reached when it matches the moves played, with blanks between them; empty: the
    page does not judge."""


class LessonFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The top of the file."""

    summary: str
    """The lesson in one sentence, for the list of lessons."""
    parts: list[LessonFilePart]
    """The parts in the order in which they are read."""


class Classroom:
    """The lessons of all games of a site."""

    def __init__(self, files: tuple[str, ...] = ()) -> None:
        """Read the lessons of the built-in and installed games and of the game files `files`.

        Raises:
            BadGame: a lesson cannot be read.
        """
        self._files = files
        found = {name: registry.lesson_file(name) for name in (*files, *registry.names())}
        lessons = {name: _read(path) if path else _first_steps(name, files) for name, path in found.items()}
        self._written = {registry.told_name(name): (name, written) for name, written in lessons.items() if written}
        self.specs = {self._spec(part) for _, written in self._written.values() for part in written.parts}
        """The full names of all games that lessons use."""
        self.lesson = lru_cache(maxsize=64)(self._lesson)

    def lessons(self) -> Lessons:
        """Return the titles and pictures of all lessons, in the order of the catalogue."""
        found = [self.lesson(game) for game in self._written]
        return Lessons([LessonTitle(one.game, one.title, one.summary, one.parts[-1].view) for one in found])

    def _lesson(self, game: str) -> Lesson:
        """Return the lesson of a game; raises NotHere if there is none."""
        if game not in self._written:
            raise NotHere(f"There is no lesson for {game[:40]!r}.")
        name, written = self._written[game]
        return Lesson(game, title_of(name), written.summary, [self._part(part) for part in written.parts])

    def _part(self, part: LessonFilePart) -> LessonPart:
        spec = self._spec(part)
        view = replay(StudyLine(spec=spec, setup=part.setup, moves=part.moves))
        text = "\n\n".join(" ".join(paragraph.split()) for paragraph in part.text.split("\n\n"))
        return LessonPart(part.title, text.strip(), spec, part.setup, part.moves, part.goal, view, part.done)

    def _spec(self, part: LessonFilePart) -> str:
        return registry.name_told(part.spec, self._files) or part.spec


def _first_steps(name: str, files: tuple[str, ...]) -> LessonFile | None:
    """Return a lesson for a game in a file that brings none; None for other games, and if the name needs more parts."""
    if name not in files or known_spec(name, files) is None:
        return None
    part = LessonFilePart("Try the moves", NO_LESSON, registry.told_name(name))
    return LessonFile(about(name).aim, [part])


def _read(path: Path) -> LessonFile:
    try:
        lesson = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8-sig")), LessonFile)
        for part in lesson.parts:
            re.compile(part.done)
        return lesson
    except (OSError, ValueError, re.error) as error:
        raise BadGame(f"{path}: the lesson cannot be read ({error}); see docs/reference/game.md.") from error
