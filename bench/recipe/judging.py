"""Judges networks of one game: by solved positions, if the game brings them, and by matches at equal visits."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec

from ludus.arena.balance import Balance
from ludus.arena.match import play_match
from ludus.arena.solved import kept_in
from ludus.errors import BadInput
from ludus.files import write_atomically
from ludus.games.registry import about
from ludus.loop.directory.folder import Folder
from ludus.loop.preset import Preset
from ludus.loop.stages.measure import search_for_match
from ludus.network.checkpoint import load_checkpoint
from ludus.network.openvino import evaluator_of
from ludus.players.matches.search_player import SearchPlayer
from ludus.rating import MatchScore

T = TypeVar("T")


class Judgement(msgspec.Struct, frozen=True):
    """How networks are judged."""

    pairs: int
    """Pairs of games of each match."""
    visits: int
    """Visits for each action of a match."""
    positions: str
    """A file of solved positions, for games that can read it; empty: none."""
    graded_visits: tuple[int, ...] = (1, 200)
    """Visits for each solved position; 1 is the network alone."""
    seed: int = 1


class Grades(msgspec.Struct, frozen=True):
    """Shares of solved positions in which a network keeps the outcome, in percent, one for each number of visits."""

    how: Judgement
    kept: list[float]


class Played(msgspec.Struct, frozen=True):
    """The result of a match."""

    how: Judgement
    result: MatchScore


def player(name: str, run: Path, preset: Preset, visits: int) -> SearchPlayer:
    """Return a player with the last network of a run and the search settings of `preset`."""
    folder = Folder(run)
    checkpoint = load_checkpoint(folder.model(len(folder.metrics()) - 1))
    return SearchPlayer(name, evaluator_of(checkpoint, threads=1), search_for_match(preset.search), visits=visits)


def grade(run: Path, base: Preset, how: Judgement, file: Path) -> list[float]:
    """Grade the last network of a run on solved positions; a file keeps the result."""
    if (old := _read(file, Grades)) and old.how == how:
        return old.kept
    game = base.make_games()[0]
    read = about(game.name).read_solved
    solved = read(Path(how.positions)) if read and how.positions else []
    kept = [
        round(100.0 * float(kept_in(game, player(run.parent.name, run, base, visits), solved).mean()), 2)
        for visits in how.graded_visits
        if solved
    ]
    write_atomically(file, msgspec.json.encode(Grades(how, kept)))
    return kept


def match(names: tuple[str, str], runs: tuple[Path, Path], base: Preset, how: Judgement, file: Path) -> MatchScore:
    """Let the last networks of two runs play each other; a file keeps the result."""
    if (old := _read(file, Played)) and old.how == how:
        return old.result
    a, b = (player(name, run, base, how.visits) for name, run in zip(names, runs, strict=True))
    actions = base.match.opening_actions
    play = partial(play_match, base.make_games(), a, b, pairs=how.pairs, seed=how.seed, opening_actions=actions)
    result = None
    with suppress(BadInput):  # balanced openings are too rare; each opening is still played with both colours
        result = play(accepts=Balance(how.seed))
    score = (result or play()).result
    write_atomically(file, msgspec.json.encode(Played(how, score)))
    return score


def _read(file: Path, kind: type[T]) -> T | None:
    return msgspec.json.decode(file.read_bytes(), type=kind) if file.is_file() else None
