"""Games of chess as people record them (PGN): tags, moves, comments, marks of quality, variations, a result.

Nothing of this is lost by writing and reading: the order of tags, several comments in a row, variations of variations.
What is normalised: moves become strict SAN, `!` and its like become `$1` and its like, line breaks inside comments
become blanks, missing tags of the seven that every game has are written as unknown, and results within variations are
left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import msgspec

from ludus.errors import BadNotation
from ludus.games.chess.fen import START, write_fen
from ludus.games.chess.view import ChessView
from ludus.games.game import Game, Position
from ludus.games.recorded import result_of
from ludus.games.registry import game as find_game
from ludus.games.rules import State

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}
"""The tags that every game has, in their order, and how they say that nothing is known."""
CHESS960 = re.compile(r"960|fischer|random", re.IGNORECASE)
EVALUATION = re.compile(r"\[%eval\s+(?P<mate>#)?(?P<number>[+-]?\d+(?:\.\d*)?|[+-]?\.\d+)(?:,\s*\d+)?\s*\]", re.ASCII)
USUAL = ("", "standard", "chess", "normal", "from position")
"""What the tag `Variant` says of chess that is nothing else."""


class Played(msgspec.Struct):
    """A move of a recorded game."""

    san: str
    action: int
    """The same as the game's rules number it."""
    nags: list[int] = []
    """Marks of quality and the like, by their numbers: 1 is `!`, 2 is `?`."""
    comments: list[str] = []
    """What is said after the move."""
    variations: list[PgnLine] = []
    """What could have been played in its place."""


class PgnLine(msgspec.Struct):
    """Moves one after another."""

    comments: list[str] = []
    """What is said before the first move."""
    moves: list[Played] = []


class PgnGame(msgspec.Struct):
    """A recorded game."""

    tags: dict[str, str]
    line: PgnLine
    result: str = "*"

    @property
    def game(self) -> Game:
        """Return the rules, under which no draw has to be claimed; raises BadNotation if they are not of chess."""
        variant = self.tags.get("Variant", "")
        castling = CHESS960.search(variant)
        if not castling and variant.lower() not in USUAL:
            raise BadNotation(f"the game is {variant[:40]}, not chess.")
        return find_game("chess:960:play-on" if castling else "chess:play-on")

    def start_state(self) -> State:
        """Return where the game begins; raises BadNotation if the tag `FEN` does not say a position."""
        return self.game.start_state(self.tags.get("FEN"))

    def positions(self) -> Iterator[tuple[State, int]]:
        """Yield the states before the moves that were played, each with the action."""
        game, state = self.game, self.start_state()
        for played in self.line.moves:
            yield state, played.action
            state = game.calls.play(state, played.action)


def evaluation_in(comments: list[str]) -> float | None:
    """Return by how many pawns White is ahead, as comments say it (`[%eval 0.31]`); infinite before a forced mate.

    So Lichess and many programs write it down after a move.  None: nobody says.
    """
    found = EVALUATION.search(" ".join(comments))
    if found is None:
        return None
    number = float(found["number"])
    return math.copysign(math.inf, number) if found["mate"] else number


def recorded(position: Position, tags: dict[str, str] | None = None) -> PgnGame:
    """Return the game that led to a position, which may have been played under any options of chess."""
    first, *later = position.history
    fen = write_fen(ChessView.read(first.state))
    found = {} if fen == START else {"SetUp": "1", "FEN": fen}
    if ":960" in position.game.name:
        found["Variant"] = "Chess960"
    outcome = position.outcome
    result = result_of(outcome.winner if outcome else None, over=outcome is not None)
    tags = (tags or {}) | {"Result": result} | found
    actions = [after.action for after in later if after.action is not None]
    return PgnGame(tags, PgnLine(moves=list(map(Played, position.moves, actions))), result)


# ---- writing ---------------------------------------------------------------------------------------------------------

WIDTH = 80
BEGINNINGS = ("%", "[Event")
"""What means something else where a line begins."""


def write_pgn(game: PgnGame) -> str:
    """Return a game as text in the form for exchange: the seven tags first, lines of fewer than 80 characters."""
    tags = {name: game.tags.get(name, unknown) for name, unknown in ROSTER.items()} | game.tags
    head = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    view = ChessView.read(game.start_state())
    words = [*_line(game.line, 2 * (view.number - 1) + view.player), game.result]
    return "\n".join([*head, "", *_wrapped(words), "", ""])


def _escaped(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _line(line: PgnLine, ply: int) -> Iterator[str]:
    """Yield the words of a line that begins after so many half moves."""
    yield from map(_comment, line.comments)
    numbered = True
    for played in line.moves:
        if ply % 2 == 0 or numbered:
            yield f"{ply // 2 + 1}." + ("" if ply % 2 == 0 else "..")
        yield played.san
        yield from (f"${nag}" for nag in played.nags)
        yield from map(_comment, played.comments)
        for variation in played.variations:
            first, *rest = [*_line(variation, ply)] or [""]
            yield from _closed(["(" + first, *rest])
        numbered = bool(played.comments or played.variations)
        ply += 1


def _closed(words: list[str]) -> list[str]:
    """Return a variation's words with its end; what follows a `;` comment stands on the next line."""
    return [*words, ")"] if words[-1].endswith("\n") else [*words[:-1], words[-1] + ")"]


def _comment(text: str) -> str:
    text = " ".join(text.split())
    return f";{text}\n" if "}" in text else f"{{{text}}}"


def _wrapped(words: list[str]) -> Iterator[str]:
    """Yield lines; a comment may be broken at its blanks."""
    line = ""
    for word in words:
        for part in [word] if word.endswith("\n") else word.split(" "):
            if line and len(line) + 1 + len(part) >= WIDTH and not part.startswith(BEGINNINGS):
                yield line
                line = ""
            line += (" " if line else "") + part
            if part.endswith("\n"):
                yield line.rstrip("\n")
                line = ""
    if line:
        yield line
