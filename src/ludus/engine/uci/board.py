"""The board of a chess engine: what `position` says, followed move by move, and moves as the program writes them."""

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
    """Where the game stands.

    The rules end a game at a draw that may be claimed.  Where the program plays on, nobody has claimed it: what came
    before is then forgotten, so that the game can go on.
    """

    def __init__(self, *, chess960: bool = False) -> None:
        """Set up the start position."""
        self.chess960 = chess960
        self.game: Game = find_game(RULES[chess960]).compile()
        self.position = self.game.start()
        self._said = SetPosition()

    def follow(self, command: SetPosition) -> list[int] | None:
        """Go where a command says; after an error everything is as before.

        Returns:
            The actions that lead there from where the board stood; None if it is another game, or was set up anew.

        Raises:
            BadInput: there is no such position, or a move may not be played.
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
        """Return the legal actions among moves, and the moves that may not be played."""
        actions: list[int] = []
        others: list[str] = []
        for text in texts:
            try:
                actions.append(_action_named(self.position, text))
            except IllegalMove:
                others.append(text)
        return list(dict.fromkeys(actions)), others

    def to_mate(self, line: list[int]) -> list[int]:
        """Return a proved line from here with the mate that ends it: a search stops where the rules foresee one."""
        position = self.position
        for action in line:
            position = position.play(action)
        for action in position.actions:
            if (ends := position.play(action).outcome) and ends.winner is not None:
                return [*line, action]
        return line

    def texts(self, actions: Iterable[int]) -> list[str]:
        """Return a line of actions from here as UCI moves."""
        state, texts = self.position.state, list[str]()
        for action in actions:
            texts.append(moves_of(state, [action])[0].text(self.chess960))
            state = self.game.calls.play(state, action)
        return texts

    @property
    def legal(self) -> list[int]:
        """The legal actions, even where the rules have ended the game."""
        return list(legal_moves(self.position.state))

    @property
    def is_check(self) -> bool:
        """Whether the mover is in check."""
        return in_check(self.position.state)

    def any_move(self) -> str:
        """Return a legal move, even where the rules have ended the game; nothing if there is none."""
        moves = legal_moves(self.position.state)
        return next(iter(moves.values())).text(self.chess960) if moves else ""

    def _start(self, fen: str) -> Position:
        return self.game.start(fen or None)

    def _after_the_end(self, position: Position, text: str) -> Position:
        """Return the position after a move of a program that plays on where nobody can win any more."""
        assert position.outcome, "only a finished game must be taken up again"
        for action, move in legal_moves(position.state).items():
            if text.lower() in move.spellings():
                return Position(self.game, self.game.calls.play(position.state, action))
        raise IllegalMove(f"{text} comes after the end of the game ({position.outcome.reason}).")

    def _forgetful(self, position: Position) -> Position | None:
        """Return the same position with nothing known of what came before; None if the game is over even so."""
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
