"""A position as people handle it: immutable, with its history, read and written in the game's notation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadGame, BadNotation, IllegalMove
from ludus.games.blame import Blaming
from ludus.games.board import Board
from ludus.games.game import DRAW, FIRST_WINS, ONGOING, Game, State


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended."""

    winner: int | None
    """Player 0 or 1; None for a draw."""
    reason: str

    @property
    def value(self) -> float:
        """Return the result seen by player 0: 1.0, 0.0 or -1.0."""
        return 0.0 if self.winner is None else (1.0, -1.0)[self.winner]


class Position:
    """A state of a game and the way that led to it; `play` returns a new one."""

    def __init__(
        self,
        game: Game,
        state: State,
        parent: Position | None = None,
        action: int | None = None,
        past: Any = None,  # noqa: ANN401 - each game has its own
    ) -> None:
        """Wrap `state`, which must not be changed afterwards; use `Game.start` and `play` instead of this."""
        state.flags.writeable = False
        self.game, self.state = game, state
        self.parent, self.action = parent, action
        self.past = past  # what the game remembers beside the state (`Game.renew`)
        self.is_renewed = False  # whether the state is another one than the rules alone have made
        self.setup: Any = None  # what `Game.start` was given, on the first position
        self.num_actions_played: int = 0 if parent is None else parent.num_actions_played + 1

    @cached_property
    def to_play(self) -> int:
        """The player who makes the next action: 0 or 1."""
        with Blaming(self.game.name):
            return int(self.game.rules.to_play(self.state))

    @cached_property
    def actions(self) -> list[int]:
        """The legal actions; empty when the game is over."""
        if self.outcome:
            return []
        with Blaming(self.game.name):
            return self.game.calls.legal(self.state)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        with Blaming(self.game.name):
            code = self.game.calls.outcome(self.state)
        if code == ONGOING:
            return None
        winner = None if code == DRAW else code - FIRST_WINS
        return Outcome(winner=winner, reason=self.game.reason(self.state))

    def play(self, move: str | int) -> Position:
        """Return the position after `move`: one action's number, or a move (all its actions) as people write it.

        Raises:
            BadNotation: the text names no move of this game.
            IllegalMove: the move may not be played here.
        """
        if isinstance(move, (int, np.integer)):
            return self._play_action(int(move))
        return self._play_move(self._read(move))

    def parse(self, text: str) -> list[int]:
        """Return the actions of the move that `text` names; raises BadNotation or IllegalMove."""
        actions = self._read(text)
        if len(actions) > 1:
            self._play_move(actions)
        return actions

    def _read(self, text: str) -> list[int]:
        if self.outcome:
            raise IllegalMove(f"{self.game.name}: the game is over ({self.outcome.reason or 'finished'}).")
        with np.errstate(over="ignore"):
            return self.game.parse_move(self.state, text)

    def _play_move(self, actions: Sequence[int]) -> Position:
        """Return the position after a move; raises BadNotation if it goes on where the turn, or the game, is over."""
        before, position = self, self
        for action in actions:
            if position is not self and (position.outcome or position.to_play != self.to_play):
                last, more = before.text(cast("int", position.action)), self.game.action_text(position.state, action)
                raise BadNotation(f"{self.game.name}: the move ends with {last!r}; {more!r} cannot follow.")
            before, position = position, position._play_action(int(action))
        return position

    def _play_action(self, action: int) -> Position:
        if action not in self.actions:
            raise IllegalMove(f"{self.game.name}: action {action} may not be played here.")
        with Blaming(self.game.name):
            after = self.game.calls.play(self.state, action)
        state, past = self.game.renew(after, self.past)
        position = Position(self.game, state, parent=self, action=action, past=past)
        position.is_renewed = state is not after
        return position

    def instead(self, state: State) -> Position:
        """Return a position with another state, to which the same way has led."""
        state, past = self.game.renew(state, self.past)
        return Position(self.game, state, self.parent, self.action, past)

    def text(self, action: int) -> str:
        """Return the notation of one action."""
        text = cast("object", self.game.action_text(self.state, action))  # an author's may be a number
        if not isinstance(text, str):
            raise BadGame(f"{self.game.name}: action_text() returns {text!r}; it must return a string.")
        return text

    @cached_property
    def history(self) -> list[Position]:
        """The positions from the start to this one, both included."""
        positions: list[Position] = [self]
        while parent := positions[-1].parent:
            positions.append(parent)
        return positions[::-1]

    @cached_property
    def moves(self) -> list[str]:
        """The moves from the start in notation; an unfinished last move is included."""
        moves: list[str] = []
        actions: list[int] = []
        begin = self.history[0]
        for before, after in zip(self.history, self.history[1:], strict=False):
            if not actions:
                begin = before
            assert after.action is not None, "only the first position has no action"
            actions.append(after.action)
            if after.outcome or after.to_play != before.to_play or after is self:
                moves.append(self.game.move_text(begin.state, actions))
                actions = []
        return moves

    @property
    def planes(self) -> NDArray[np.uint8]:
        """What a network sees of this position before `plane_scale` is applied, of shape [C, H, W]."""
        planes = np.zeros(self.game.planes, np.uint8)
        with np.errstate(over="ignore"), Blaming(self.game.name):
            self.game.rules.encode(self.state, planes)
        return planes

    def describe(self) -> Board:
        """Return the description that pages and terminals draw."""
        board = cast("object", self.game.describe(self))  # an author's may have forgotten to return it
        if not isinstance(board, Board):
            raise BadGame(f"{self.game.name}: describe() returns {board!r}; it must return a ludus.Board.")
        return board
