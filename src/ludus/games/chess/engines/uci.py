"""`ludus engine uci`: chess and Chess960 over UCI."""

from ludus.cli.engine.uci import uci_command
from ludus.errors import IllegalMove
from ludus.games.chess.fen import write_fen
from ludus.games.chess.layout import square_named
from ludus.games.chess.notation import UCI, moves_of
from ludus.games.chess.perft import perft
from ludus.games.chess.rules import CLAIMABLE, to_play
from ludus.games.chess.view import ChessView
from ludus.games.game import Position
from ludus.games.registry import game as find_game
from ludus.games.rules import State

CHESS960 = "UCI_Chess960"


class UciChess:
    """Chess or Chess960, with castling written as UCI writes it in each of them."""

    def __init__(self, switches: frozenset[str] = frozenset()) -> None:
        """Load the rules; with the switch `UCI_Chess960`, those of Chess960."""
        self._chess960 = CHESS960 in switches
        self._game = find_game("chess:960" if self._chess960 else "chess").compile()

    def start(self, fen: str) -> Position:
        """Return the position of a FEN; empty: the start position."""
        return self._game.start(fen or None)

    def action(self, state: State, text: str) -> int:
        """Return the legal action of a move; castling may be written in both ways."""
        if UCI.fullmatch(text.lower()):
            here = square_named(text[:2].lower()) ^ 7 * to_play(state)
            actions = [action for action in self._game.calls.legal(state) if action & 63 == here]
            for action, move in zip(actions, moves_of(state, actions), strict=True):
                if text.lower() in move.spellings():
                    return action
        raise IllegalMove(f"{text[:20]} may not be played in {write_fen(ChessView.read(state))}.")

    def text(self, state: State, action: int) -> str:
        """Return an action in UCI notation."""
        return moves_of(state, [action])[0].text(self._chess960)

    def played_on(self, position: Position) -> Position | None:
        """Return a drawn position without its history; None if the game is over even then."""
        view = ChessView.read(position.state)
        if view.clock >= CLAIMABLE[0]:
            view.clock = 0
        fresh = self._game.start(write_fen(view))
        return None if fresh.outcome else fresh

    def perft(self, state: State, depth: int) -> int:
        """Count the sequences of `depth` moves; draws do not end them."""
        return perft(self._game, state, depth)


command = uci_command("chess", UciChess, switches=(CHESS960,))
