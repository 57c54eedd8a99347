"""Example games of a run: replays samples as positions, moves and pictures."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from ludus.games.game import Game, Position
from ludus.games.rules import DRAW
from ludus.report.drawing import draw_svg
from ludus.store import Samples


class Example(msgspec.Struct, frozen=True):
    """An example game with a picture of each position."""

    title: str
    result: str
    boards: list[str]
    """SVG of each position."""
    notes: list[str]
    """Text for each position: the last action, and the search's value."""


def examples_of(samples: Samples, games: Sequence[Game], generation: int, count: int) -> list[Example]:
    """Return `count` games of a generation, evenly spread."""
    numbers = np.unique(samples.game_id)
    chosen = numbers[np.linspace(0, len(numbers) - 1, min(count, len(numbers))).round().astype(int)]
    return [_example(samples.take(np.flatnonzero(samples.game_id == number)), games, generation) for number in chosen]


def _example(samples: Samples, games: Sequence[Game], generation: int) -> Example:
    game, outcome = games[int(samples.game[0])], int(samples.outcome[0])
    position = Position(game, _state(samples, game, 0))
    boards, notes = [draw_svg(position.describe())], [_value("start of the record", samples, 0)]
    for at in range(len(samples)):
        action = int(samples.action[at])
        if action not in position.actions:  # resigned, or the end of the record
            break
        text = position.text(action)
        position = position.play(action)
        boards.append(draw_svg(position.describe()))
        notes.append(_value(text, samples, at + 1) if at + 1 < len(samples) else text)
    who = "a draw" if outcome == DRAW else f"player {outcome - 1} wins"
    reason = f" ({position.outcome.reason})" if position.outcome and position.outcome.reason else ""
    number = int(samples.game_id[0])
    return Example(f"generation {generation}, game {number}, {game.name}", who + reason, boards, notes)


def _state(samples: Samples, game: Game, at: int) -> np.ndarray:
    return np.ascontiguousarray(samples.states[at]).view(game.dtype).copy()


def _value(text: str, samples: Samples, at: int) -> str:
    return f"{text}; value {float(samples.root_value[at]):+.2f} for player 0"
