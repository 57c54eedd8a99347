"""Example games of a run: replays samples as positions, moves and pictures."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from ludus.games.game import Game, Position
from ludus.games.rules import DRAW
from ludus.report.drawing import draw_svg
from ludus.site.catalogue.words import ending_words
from ludus.store import Samples


class Example(msgspec.Struct, frozen=True):
    """An example game with a picture of each position."""

    title: str
    result: str
    boards: list[str]
    """SVG of each position."""
    notes: list[str]
    """Text for each position: the last action, and the search's value."""


class ExampleGame(msgspec.Struct, frozen=True):
    """A recorded game of self-play, as positions."""

    number: int
    """Its number in the generation."""
    positions: list[Position]
    """Each position, from the first recorded one on."""
    values: list[float]
    """The search's value of each recorded position, from the view of player 0."""
    winner: int | None
    """The player who won; None: a draw."""
    reason: str
    """How the game ended, if the rules say more than who won."""


def examples_of(samples: Samples, games: Sequence[Game], generation: int, count: int) -> list[Example]:
    """Return `count` games of a generation as pictures, evenly spread."""
    return [_example(each, generation) for each in replayed(samples, games, count)]


def replayed(samples: Samples, games: Sequence[Game], count: int) -> list[ExampleGame]:
    """Return `count` games of a generation, evenly spread, as positions."""
    numbers = np.unique(samples.game_id)
    chosen = numbers[np.linspace(0, len(numbers) - 1, min(count, len(numbers))).round().astype(int)]
    return [_replay(samples.take(np.flatnonzero(samples.game_id == number)), games) for number in chosen]


def _replay(samples: Samples, games: Sequence[Game]) -> ExampleGame:
    game, outcome = games[int(samples.game[0])], int(samples.outcome[0])
    positions = [Position(game, _state(samples, game, 0))]
    for at in range(len(samples)):
        action = int(samples.action[at])
        if action not in positions[-1].actions:  # resigned, or the end of the record
            break
        positions.append(positions[-1].play(action))
    end = positions[-1].outcome
    winner = None if outcome == DRAW else outcome - 1
    values = [float(value) for value in samples.root_value[: len(positions)]]
    why = ending_words(game.name, end.reason or "") if end else ""
    return ExampleGame(int(samples.game_id[0]), positions, values, winner, why)


def text_of(position: Position) -> str:
    """Return the notation of the action that led to a position; empty for the first one."""
    return "" if position.parent is None or position.action is None else position.parent.text(position.action)


def _example(game: ExampleGame, generation: int) -> Example:
    first, *others = game.positions
    texts = ["start of the record", *map(text_of, others)]
    notes = [
        f"{text}; value {game.values[at]:+.2f} for player 0" if at < len(game.values) else text
        for at, text in enumerate(texts)
    ]
    title = f"generation {generation}, game {game.number}, {first.game.name}"
    result = ("a draw" if game.winner is None else f"player {game.winner} wins") + (
        f" ({game.reason})" if game.reason else ""
    )
    return Example(title, result, [draw_svg(each.describe()) for each in game.positions], notes)


def _state(samples: Samples, game: Game, at: int) -> np.ndarray:
    return np.ascontiguousarray(samples.states[at]).view(game.dtype).copy()
