"""The start of a game of chess: the normal position, a Chess960 position, or a FEN.

A setup is a FEN, the number of a Chess960 position (also written `{"number": N}`), or `{"fen": FEN, "moves": [...],
"recent": [...]}`.  `moves` are the UCI moves played since the FEN, which matter for repetitions.  `recent` are earlier
moves, which only the network's planes use.
"""

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ludus.errors import BadNotation, IllegalMove
from ludus.games.chess.fen import START, read_fen, write_fen
from ludus.games.chess.layout import NUM_RECENT, bit, square_name, square_named, turned
from ludus.games.chess.notation import legal_moves
from ludus.games.chess.pieces import BETWEEN, KING, Sets, attackers, kings, occupied, sets
from ludus.games.chess.rules import advance
from ludus.games.chess.view import ChessView, Step
from ludus.games.packed import ONE
from ludus.games.rules import State
from ludus.kernel import lowest_bit

NORMAL = 518
"""The Chess960 number of the normal start position."""
NUM_POSITIONS = 960
STEP = re.compile(r"([a-h][1-8]){2}", re.ASCII)


def chess960_fen(number: int) -> str:
    """Return the Chess960 start position with a number from 0 to 959, in the usual numbering."""
    free = list(range(8))
    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    number, queen = divmod(number, 6)
    rank = [""] * 8
    rank[2 * light + 1], rank[2 * dark] = "B", "B"
    free = [file for file in free if not rank[file]]
    rank[free.pop(queen)] = "Q"
    pairs = [(first, second) for first in range(5) for second in range(first + 1, 5)]
    for file in (free[index] for index in pairs[number]):
        rank[file] = "N"
    for file, letter in zip((file for file in range(8) if not rank[file]), "RKR", strict=True):
        rank[file] = letter
    pieces = "".join(rank)
    return f"{pieces.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{pieces} w KQkq - 0 1"


def draw_setup(rng: np.random.Generator) -> dict[str, int]:
    """Return a setup with a random Chess960 number."""
    return {"number": int(rng.integers(NUM_POSITIONS))}


def starter(number: int | None, most_back: int) -> Callable[[State, Any], None]:
    """Return the function `start` for normal chess (None) or a numbered Chess960 position."""

    def start(state: State, setup: Any = None) -> None:  # noqa: ANN401 - text, number or JSON
        if setup is None:
            setup = START if number is None else chess960_fen(number)
        elif isinstance(setup, dict) and set(setup) == {"number"}:
            setup = setup["number"]
        if type(setup) is int and number is not None:
            if not 0 <= setup < NUM_POSITIONS:
                raise BadNotation(f"Chess960 positions are numbered 0 to {NUM_POSITIONS - 1}; there is no {setup}.")
            setup = chess960_fen(setup)
        if isinstance(setup, str):
            setup = {"fen": setup}
        if (
            not isinstance(setup, dict)
            or not isinstance(setup.get("fen"), str)
            or set(setup) - {"fen", "moves", "recent"}
        ):
            raise BadNotation(
                f'{str(setup)[:80]!r} is not a setup of chess; give a FEN, or {{"fen": FEN, "moves": [...]}}.'
            )
        moves, recent = _texts(setup, "moves"), _texts(setup, "recent")
        view = read_fen(setup["fen"], chess960=number is not None)
        view.recent = [_step(text) for text in recent][-NUM_RECENT:]
        view.write(state)
        if fault := _fault(state, view):
            raise BadNotation(f"FEN {setup['fen']!r}: {fault}.")
        for text in moves:
            _replay(state, text, most_back)

    return start


def _texts(setup: dict[str, Any], key: str) -> list[str]:
    """Return a list of texts from a setup; raise BadNotation if it is something else."""
    found = setup.get(key, [])
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise BadNotation(f'Setup of chess: {key} is {repr(found)[:40]}; give a list of moves such as ["e2e4"].')
    return found


def _step(text: str) -> Step:
    if not STEP.fullmatch(text):
        raise BadNotation(f"{text[:20]!r} is not two squares such as e2e4.")
    return square_named(text[:2]), square_named(text[2:])


def _fault(state: State, view: ChessView) -> str:
    """Return why no game can reach this position; empty if one can."""
    board = sets(state)
    mine, d, o, s = (turned(word) for word in board)
    other: Sets = (turned(occupied(board)) & ~mine, d, o, s)
    if int(KING[lowest_bit(kings(other) & other[0])] & kings(other) & ~other[0]):
        return "the kings are adjacent"
    if int(attackers(other, lowest_bit(kings(other) & other[0]), occupied(other))):
        return f"{('Black', 'White')[view.player]} is in check, but {('White', 'Black')[view.player]} is to move"
    pushed_from = None
    if view.en_passant is not None:
        step = -1 if view.player else 1  # from the skipped square to the pawn
        pushed_from, pushed_to = view.en_passant - step, view.en_passant + step
        if (
            view.en_passant & 7 != (5 if view.player else 2)
            or view.pieces.get(pushed_to) != "pP"[view.player]
            or view.en_passant in view.pieces
            or pushed_from in view.pieces
        ):
            return f"no pawn can have just passed the en passant square {square_name(view.en_passant)}"
    return _impossible_check(board, view, pushed_from)


def _impossible_check(board: Sets, view: ChessView, pushed_from: int | None) -> str:
    king = lowest_bit(kings(board) & board[0])
    checkers = int(attackers(board, king, occupied(board)))
    found = [square for square in range(64) if checkers >> square & 1]
    if len(found) > 2:
        return f"{len(found)} pieces give check at once"
    if len(found) == 2 and int(BETWEEN[64 * found[0] + found[1]]) >> king & 1:
        return "two pieces give check from opposite sides"
    if len(found) == 2 and int(BETWEEN[64 * king + found[0]] | BETWEEN[64 * king + found[1]]) & checkers:
        return "two pieces give check along one line"
    if found and pushed_from is not None and view.en_passant is not None:
        turn = 7 * view.player
        there = np.uint64(view.en_passant ^ turn) + ONE
        before = occupied(board) & ~(ONE << there) | bit(pushed_from ^ turn)
        if len(found) > 1 or (found[0] != int(there) and int(attackers(board, king, before))):
            return "the pawn that can be captured en passant cannot have opened this check"
    return ""


def _replay(state: State, text: str, most_back: int) -> None:
    for action, move in legal_moves(state).items():
        if text in move.spellings():
            advance(state, action, most_back)
            return
    raise IllegalMove(f"{text[:20]!r} may not be played in {write_fen(ChessView.read(state))}.")


def setup(state: State) -> Any:  # noqa: ANN401 - JSON
    """Return the setup of a state."""
    view = ChessView.read(state)
    before = view.before()
    steps = {"moves": view.back, "recent": before.recent}
    named = {key: [square_name(here) + square_name(there) for here, there in pairs] for key, pairs in steps.items()}
    fen = write_fen(before)
    return {"fen": fen} | {key: names for key, names in named.items() if names} if any(named.values()) else fen
