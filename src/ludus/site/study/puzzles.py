"""Puzzles on the site: positions found by `ludus mine`, whose solutions are sent only on request.

A puzzle's first rating comes from how little the network expects its right move.  A tried move is compared with the
solutions by the resulting state, so the order of a move's actions does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from ludus.errors import BadInput, LudusError
from ludus.games.game import Position
from ludus.games.puzzle import Mining, Puzzle, begin_of, ends_of, read_puzzles, turn_is_over
from ludus.games.registry import about
from ludus.games.rules import DRAW
from ludus.games.themes import themes_of
from ludus.protocol.spec import setting_of
from ludus.rating.glicko import Glicko
from ludus.site.catalogue.carried import line_from
from ludus.site.catalogue.specs import full_title_of, place_of, summary_of, table_game, title_of
from ludus.site.faults import NotHere
from ludus.site.messages.puzzles import (
    DailyPuzzle,
    PuzzleGame,
    PuzzleGames,
    PuzzleView,
    Solution,
    TryPuzzle,
    Verdict,
)
from ludus.site.study.study import line_info, view

SUFFIX = ".puzzles"
"""Extension of puzzle files in a folder."""
MIDDLE, MIDDLE_PRIOR = 1500.0, 0.15
"""The first rating of a puzzle whose right move has this prior."""
PER_HALF = 150.0
"""Points of rating for each halving of the prior."""
LOWEST, HIGHEST = 800.0, 2400.0
"""The range of first ratings."""


class _Offered(NamedTuple):
    """A puzzle with the settings of its search."""

    puzzle: Puzzle
    mining: Mining


class Shelf:
    """The puzzles of a site, by game."""

    def __init__(self, files: Iterable[Path] = (), *, tested: Iterable[Path] = ()) -> None:
        """Read puzzle files, and check that every puzzle of `files` can be played.

        Args:
            files: paths of puzzle files, or of folders, whose `.puzzles` files are read.
            tested: further such paths, whose puzzles are known to be playable: replaying hundreds takes seconds.

        Raises:
            BadInput: a puzzle cannot be played, a file has no puzzles, or a folder has no `.puzzles` file.
            BadRecord: a file is damaged, or is not a puzzle file.
            Unavailable: a file cannot be read.
        """
        found: dict[str, dict[str, _Offered]] = {}
        unknown = [*_inside(files)]
        for path in (*_inside(tested), *unknown):
            mining, mined = read_puzzles(path)
            puzzles = [puzzle for each in mined for puzzle in each.puzzles]
            if not puzzles:
                raise BadInput(f"{path}: there are no puzzles in this file; search more games with `ludus mine`.")
            for puzzle in puzzles:
                if path in unknown:
                    _check(path, puzzle)
                found.setdefault(setting_of(puzzle.spec).game, {}).setdefault(puzzle.id, _Offered(puzzle, mining))
        self._games = {
            game: dict(sorted(puzzles.items(), key=lambda item: -item[1].puzzle.prior))
            for game, puzzles in sorted(found.items(), key=lambda item: (place_of(item[0]), item[0]))
        }
        self.specs = {each.puzzle.spec for puzzles in found.values() for each in puzzles.values()}
        """Full names of the games that have puzzles."""
        self.games = PuzzleGames([self._game(game, list(puzzles)) for game, puzzles in self._games.items()])
        """The games that have puzzles, with the names of these puzzles."""

    def firsts(self, game: str) -> Mapping[str, Glicko]:
        """Return the names of a game's puzzles, with their ratings before anybody has tried them; raises NotHere."""
        if game not in self._games:
            raise NotHere("This site has no puzzles for this game.")
        return {name: first_rating(each.puzzle) for name, each in self._games[game].items()}

    def first(self, game: str, name: str) -> Glicko:
        """Return a puzzle's rating before anybody has tried it; raises NotHere."""
        return first_rating(self._find(game, name).puzzle)

    def daily(self, day: date) -> DailyPuzzle:
        """Return the puzzle of a day: the games take turns, and so do the puzzles of each game."""
        if not self._games:
            return DailyPuzzle(day.isoformat(), "", None)
        games = list(self._games)
        number, turn = divmod(day.toordinal(), len(games))
        names = sorted(self._games[games[turn]])
        return DailyPuzzle(day.isoformat(), games[turn], self.puzzle(games[turn], names[number % len(names)]))

    def puzzle(self, game: str, name: str) -> PuzzleView:
        """Return a puzzle without its solution; raises NotHere."""
        offered, begin = self._begin(game, name)
        puzzle = offered.puzzle
        goal = "good" if not puzzle.proof else "draw" if puzzle.proof == DRAW else "win"
        setting = setting_of(puzzle.spec)
        return PuzzleView(
            puzzle.id,
            full_title_of(puzzle.spec),
            summary_of(puzzle.spec),
            puzzle.spec,
            puzzle.setup,
            puzzle.moves,
            begin.to_play,
            goal,
            len(ends_of(puzzle, begin)),
            view(begin, setting),
        )

    def judge(self, game: str, name: str, tried: TryPuzzle) -> Verdict:
        """Judge a tried move.

        Raises:
            NotHere: there is no such puzzle.
            IllegalMove: an action of the move is illegal.
            BadInput: the actions are not exactly one move.
        """
        offered, begin = self._begin(game, name)
        after = begin
        for number, action in enumerate(tried.actions):
            if number and turn_is_over(begin, after):
                raise BadInput("Answer a puzzle with a single move.")
            after = after.play(action)
        if not turn_is_over(begin, after):
            raise BadInput("This move is not complete; play its remaining actions.")
        return Verdict(after.state.tobytes() in ends_of(offered.puzzle, begin), after.moves[-1])

    def solution(self, game: str, name: str) -> Solution:
        """Return a puzzle's solution, with the engine's evaluations; raises NotHere."""
        (puzzle, mining), begin = self._begin(game, name)
        first, *others = puzzle.right
        right = [puzzle.line or [first], *([move] for move in others)]
        lines = [line_info(begin, line_from(begin, moves), puzzle.value, 2 * mining.visits) for moves in right]
        main = [begin]
        for move in puzzle.line:
            main.append(main[-1].play(move))
        return Solution(
            lines,
            puzzle.played,
            puzzle.value_played,
            puzzle.wrong,
            puzzle.value_wrong,
            puzzle.value_short,
            mining.short,
            puzzle.proof != 0,
            themes_of(about(game), main, puzzle.proof),
            mining.model,
            2 * mining.visits,
        )

    def _game(self, game: str, names: list[str]) -> PuzzleGame:
        (puzzle, *_), begin = self._begin(game, names[0])
        return PuzzleGame(game, title_of(puzzle.spec), names, view(begin, setting_of(puzzle.spec)))

    def _begin(self, game: str, name: str) -> tuple[_Offered, Position]:
        """Return a puzzle with a new `Position`; a shared one would collect cached data."""
        offered = self._find(game, name)
        return offered, begin_of(offered.puzzle, table_game(offered.puzzle.spec))

    def _find(self, game: str, name: str) -> _Offered:
        try:
            return self._games[game][name]
        except KeyError as error:
            raise NotHere("This site has no such puzzle.") from error


def first_rating(puzzle: Puzzle) -> Glicko:
    """Return the rating of a puzzle that nobody has tried."""
    halvings = math.log2(MIDDLE_PRIOR / max(puzzle.prior, 1e-6))
    return Glicko(min(max(MIDDLE + PER_HALF * halvings, LOWEST), HIGHEST))


def _check(path: Path, puzzle: Puzzle) -> None:
    """Raise BadInput, with the path of its file, if a puzzle cannot be played."""
    try:
        ends_of(puzzle, begin_of(puzzle, table_game(puzzle.spec)))
    except LudusError as error:
        raise BadInput(f"{path}: {error}") from error


def _inside(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        files = sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]
        if not files:
            raise BadInput(f"{path}: this folder has no {SUFFIX} files; name another folder, or a file.")
        yield from files
