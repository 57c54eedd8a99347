"""The board of a chess engine: follows `position` commands move by move, and converts moves to UCI notation."""

from __future__ import annotations

from collections.abc import Iterable

from ludus.errors import IllegalMove
from ludus.games.chess.fen import write_fen
from ludus.games.chess.notation import ChessMove, in_check, legal_moves, moves_of
from ludus.games.chess.rules import CLAIMABLE
from ludus.games.chess.view import ChessView
from ludus.games.game import Game, Position
from ludus.games.registry import game as find_game
from ludus.protocol.uci import SetPosition

RULES = {False: "chess", True: "chess:960"}


class UciBoard:
    """The position of the current game.

    Ludus' rules end a game at a draw that a player could claim.  If the program plays on, the draw was not claimed;
    the board then forgets earlier positions, so that the game can continue.
    """

    def __init__(self, *, chess960: bool = False) -> None:
        """Set up the start position."""
        self.chess960 = chess960
        self.game: Game = find_game(RULES[chess960]).compile()
        self.position = self.game.start()
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
        position = self.position if goes_on else self._start(command.fen)
        played: list[int] | None = [] if goes_on else None
        for text in command.moves[len(known) if goes_on else 0 :]:
            if position.outcome and (going_on := self._forgetful(position)):
                position, played = going_on, None
            if position.outcome:
                position, played = self._after_the_end(position, text), None
                continue
            action = _action_named(position, text)
            position = position.play(action)
            played = None if played is None else [*played, action]
        if position.outcome and (going_on := self._forgetful(position)):
            position, played = going_on, None
        self.position, self._said = position, command
        return played

    def actions_named(self, texts: Iterable[str]) -> tuple[list[int], list[str]]:
        """Return the actions of the legal moves among `texts`, and the illegal moves."""
        actions: list[int] = []
        others: list[str] = []
        for text in texts:
            try:
                actions.append(_action_named(self.position, text))
            except IllegalMove:
                others.append(text)
        return list(dict.fromkeys(actions)), others

    def to_mate(self, line: list[int]) -> list[int]:
        """Return a proved line extended by the mating move, since searches stop one move before a foreseen mate."""
        position = self.position
        for action in line:
            position = position.play(action)
        for action in position.actions:
            if (ends := position.play(action).outcome) and ends.winner is not None:
                return [*line, action]
        return line

    def texts(self, actions: Iterable[int]) -> list[str]:
        """Return successive actions from the current position as UCI moves."""
        state, texts = self.position.state, list[str]()
        for action in actions:
            texts.append(moves_of(state, [action])[0].text(self.chess960))
            state = self.game.calls.play(state, action)
        return texts

    @property
    def legal(self) -> list[int]:
        """The legal actions, even if Ludus' rules have ended the game."""
        return list(legal_moves(self.position.state))

    @property
    def is_check(self) -> bool:
        """Whether the player to move is in check."""
        return in_check(self.position.state)

    def any_move(self) -> str:
        """Return a legal move, even if Ludus' rules have ended the game; empty if there is none."""
        moves = legal_moves(self.position.state)
        return next(iter(moves.values())).text(self.chess960) if moves else ""

    def _start(self, fen: str) -> Position:
        return self.game.start(fen or None)

    def _after_the_end(self, position: Position, text: str) -> Position:
        """Return the position after a move that the program plays in a drawn position where no one can win."""
        assert position.outcome, "only a finished game needs this"
        for action, move in legal_moves(position.state).items():
            if text.lower() in move.spellings():
                return Position(self.game, self.game.calls.play(position.state, action))
        raise IllegalMove(f"{text} comes after the end of the game ({position.outcome.reason}).")

    def _forgetful(self, position: Position) -> Position | None:
        """Return the position without its history; None if the game is over even then."""
        view = ChessView.read(position.state)
        if view.clock >= CLAIMABLE[0]:
            view.clock = 0
        fresh = self.game.start(write_fen(view))
        return None if fresh.outcome else fresh


def _action_named(position: Position, text: str) -> int:
    named: dict[str, int] = {}
    actions = position.actions
    moves: list[ChessMove] = moves_of(position.state, actions)
    for action, move in zip(actions, moves, strict=True):
        named |= dict.fromkeys(move.spellings(), action)
    if text.lower() not in named:
        raise IllegalMove(f"{text[:20]} may not be played in {write_fen(ChessView.read(position.state))}.")
    return named[text.lower()]
