"""The board of an engine for UCI: declares what a game brings, and follows `position` commands move by move."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ludus.errors import IllegalMove
from ludus.games.game import Position
from ludus.games.rules import State
from ludus.protocol.uci import SetPosition


class UciGame(Protocol):
    """How a game is played over UCI; each action is a move of its own.

    All methods also accept states in which the rules have ended the game, since programs may play on after a draw.
    """

    def start(self, fen: str) -> Position:
        """Return the position that a text describes, or the first position if it is empty; raises BadInput."""
        ...

    def action(self, state: State, text: str) -> int:
        """Return the legal action that a move's text stands for; raises IllegalMove."""
        ...

    def text(self, state: State, action: int) -> str:
        """Return a legal action as a move's text."""
        ...

    def played_on(self, position: Position) -> Position | None:
        """Return the position with which a drawn game goes on if no player claims the draw; None if it cannot."""
        ...

    def perft(self, state: State, depth: int) -> int:
        """Count the sequences of `depth` actions from a state."""
        ...


class UciBoard:
    """The position of the current game.

    The rules end a game at a draw that a player could claim.  If the program plays on, the draw was not claimed.
    """

    def __init__(self, game: UciGame) -> None:
        """Set up the start position."""
        self.game = game
        self.position = game.start("")
        self._said = SetPosition()

    def follow(self, command: SetPosition) -> list[int] | None:
        """Set the position of a command; after an error the board is unchanged.

        Returns:
            The actions from the previous position to the new one; None if it is another game or was set up again.

        Raises:
            BadInput: the position is invalid, or a move is illegal.
        """
        known = self._said.moves
        goes_on = command.fen == self._said.fen and command.moves[: len(known)] == known
        position = self.position if goes_on else self.game.start(command.fen)
        played: list[int] | None = [] if goes_on else None
        for text in command.moves[len(known) if goes_on else 0 :]:
            if position.outcome and (going_on := self.game.played_on(position)):
                position, played = going_on, None
            if position.outcome:
                position, played = self._after_the_end(position, text), None
                continue
            action = self.game.action(position.state, text)
            position = position.play(action)
            if played is not None:
                played.append(action)
        if position.outcome and (going_on := self.game.played_on(position)):
            position, played = going_on, None
        self.position, self._said = position, command
        return played

    def actions_named(self, texts: Iterable[str]) -> tuple[list[int], list[str]]:
        """Return the actions of the legal moves among `texts`, and the illegal moves."""
        if self.position.outcome:
            return [], list(texts)
        actions: list[int] = []
        others: list[str] = []
        for text in texts:
            try:
                actions.append(self.game.action(self.position.state, text))
            except IllegalMove:
                others.append(text)
        return list(dict.fromkeys(actions)), others

    def to_win(self, line: list[int]) -> list[int] | None:
        """Return a proved line to the winning move, before which searches stop if they foresee it.

        The result is None if more than this move is missing.
        """
        position = self.position
        for action in line:
            position = position.play(action)
        if position.outcome:
            return line
        for action in position.actions:
            if (ends := position.play(action).outcome) and ends.winner is not None:
                return [*line, action]
        return None

    def texts(self, actions: Iterable[int]) -> list[str]:
        """Return successive actions from the current position as UCI moves."""
        state, texts = self.position.state, list[str]()
        for action in actions:
            texts.append(self.game.text(state, action))
            state = self.position.game.calls.play(state, action)
        return texts

    @property
    def legal(self) -> list[int]:
        """The legal actions, even if the rules have ended the game in a draw; empty after a win."""
        outcome = self.position.outcome
        return [] if outcome and outcome.winner is not None else self.position.game.calls.legal(self.position.state)

    @property
    def is_lost(self) -> bool:
        """Whether the player to move has lost."""
        outcome = self.position.outcome
        return outcome is not None and outcome.winner == 1 - self.position.to_play

    def any_move(self) -> str:
        """Return a legal move, even if the rules have ended the game in a draw; empty if there is none."""
        return "".join(self.texts(self.legal[:1]))

    def _after_the_end(self, position: Position, text: str) -> Position:
        """Return the position after a move that the program plays in a drawn position where no one can win."""
        assert position.outcome, "only a finished game needs this"
        end = f"{text} comes after the end of the game ({position.outcome.reason})."
        if position.outcome.winner is not None:
            raise IllegalMove(end)
        try:
            action = self.game.action(position.state, text)
        except IllegalMove as error:
            raise IllegalMove(end) from error
        return Position(position.game, position.game.calls.play(position.state, action))
