"""Recorded games of chess in PGN: tags, moves, comments, annotations, variations and a result.

Reading and writing keeps everything, including the order of tags, several comments in a row and nested variations.
Some spellings change: moves become strict SAN, `!` and similar marks become `$1` and so on, line breaks inside comments
become blanks, missing tags of the seven-tag roster are written as unknown, and results inside variations are left out.
"""

from __future__ import annotations

import math
import re

import msgspec

from ludus.errors import BadNotation
from ludus.games.annotations import GameTree, RecordLine, line_of
from ludus.games.chess.fen import START, is_usual_right, read_fen, write_fen
from ludus.games.chess.view import ChessView
from ludus.games.game import Game
from ludus.games.movetext import wrapped, written
from ludus.games.records import result_of
from ludus.games.registry import game as find_game
from ludus.games.rules import State

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}
"""The seven-tag roster in its order, with the values for unknown."""
CHESS960 = re.compile(r"960|fischer|random", re.IGNORECASE)
EVALUATION = re.compile(r"\[%eval\s+(?P<mate>#)?(?P<number>[+-]?\d+(?:\.\d*)?|[+-]?\.\d+)(?:,\s*\d+)?\s*\]", re.ASCII)
USUAL = ("", "standard", "chess", "normal", "from position")
"""Values of the tag `Variant` that mean ordinary chess."""


class PgnGame(msgspec.Struct):
    """A recorded game."""

    tags: dict[str, str]
    line: RecordLine
    result: str = "*"
    left_out: list[str] = []
    """Variations and moves that could not be played, each as a sentence with its line."""

    @property
    def is_chess960(self) -> bool:
        """Whether the game castles as Chess960 does: by its variant, or by its first position."""
        return bool(CHESS960.search(self.tags.get("Variant", "")) or _castles_elsewhere(self.tags.get("FEN", "")))

    @property
    def game(self) -> Game:
        """Return chess or Chess960 without an end at claimable draws; raise BadNotation for other games."""
        variant = self.tags.get("Variant", "")
        if not CHESS960.search(variant) and variant.lower() not in USUAL:
            raise BadNotation(f"the game is {variant[:40]}, not chess.")
        return find_game("chess:960:play-on" if self.is_chess960 else "chess:play-on")

    def start_state(self) -> State:
        """Return the first state; raise BadNotation if the tag `FEN` cannot be read."""
        return self.game.start_state(self.tags.get("FEN"))


def _castles_elsewhere(fen: str) -> bool:
    """Return whether a FEN has a castling right, or a spelling of one, that exists in Chess960 only."""
    rights = (fen.split()[2:3] or ["-"])[0]
    if rights == "-" or re.search("[A-Ha-h]", rights):
        return rights != "-"
    try:
        view = read_fen(fen, chess960=True)
    except BadNotation:  # damaged: `start_state` refuses it in Chess960 too, and names the same fault
        return True
    return any(not is_usual_right(view.king(int(rook & 7 == 0)), rook) for rook in view.castlers)


def evaluation_in(comments: list[str]) -> float | None:
    """Return White's advantage in pawns from a comment such as `[%eval 0.31]`; infinite before a forced mate.

    Lichess and many programs write such comments after a move.  None if there is no such comment.
    """
    found = EVALUATION.search(" ".join(comments))
    if found is None:
        return None
    number = float(found["number"])
    return math.copysign(math.inf, number) if found["mate"] else number


def recorded(tree: GameTree, tags: dict[str, str] | None = None, result: str | None = None) -> PgnGame:
    """Return a game with its comments and variations, and with any options of chess.

    Args:
        tree: the game.
        tags: further tags.
        result: for games that did not end by the rules; None takes the last position's result.
    """
    fen = write_fen(ChessView.read(tree.positions[0].state))
    found = {} if fen == START else {"SetUp": "1", "FEN": fen}
    if ":960" in tree.last.game.name:
        found["Variant"] = "Chess960"
    if result is None:
        outcome = tree.last.outcome
        result = result_of(outcome.winner if outcome else None, over=outcome is not None)
    return PgnGame((tags or {}) | {"Result": result} | found, line_of(tree), result)


# ---- writing ---------------------------------------------------------------------------------------------------------

WIDTH = 79
BEGINNINGS = ("%", "[Event")
"""Beginnings of a line that PGN reserves."""


def write_pgn(game: PgnGame) -> str:
    """Return a game in PGN export format: the seven-tag roster first, and lines of fewer than 80 characters."""
    tags = {name: game.tags.get(name, unknown) for name, unknown in ROSTER.items()} | game.tags
    head = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    view = ChessView.read(game.start_state())
    words = [*written(game.line, 2 * (view.number - 1) + view.player), game.result]
    return "\n".join([*head, "", *wrapped(words, WIDTH, BEGINNINGS), "", ""])


def _escaped(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
