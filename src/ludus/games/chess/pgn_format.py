"""PGN as the text format of chess: files of games to learn from, and games that a site imports and exports."""

import re
from collections.abc import Iterator

from ludus.games.annotations import MAX_ACTIONS, GameTree, annotations_of
from ludus.games.chess.pgn import PgnGame, evaluation_in, recorded, write_pgn
from ludus.games.chess.pgn_read import BrokenPgn, read_pgn
from ludus.games.chess.pgn_text import normalised
from ludus.games.records import (
    BrokenGame,
    Doubt,
    RecordedGame,
    RecordFormat,
    RecordHeader,
    clock_text,
    clocks_in,
    date_in,
    date_text,
    leading_tags,
    other_clock,
    rating_in,
)

_MOVES = re.compile(
    r"(?:\{[^}]*\}\s*)*(?:\d{1,3}\s*\.*\s*)?(?:O-O|0-0|[KQRBN]?[a-h]?[1-8]?[-x:]?[a-h][1-8])(?![^\W_])", re.ASCII
)
"""Moves of chess after comments and a move number."""
_SIDES = ("White", "Black")


class Pgn(RecordFormat):
    """PGN, the format of chess."""

    title = "PGN"
    suffix = "pgn"

    def recognises(self, text: str) -> bool:
        """Return whether a text begins with tags, or with moves of chess."""
        return bool(leading_tags(text) or _MOVES.match(normalised(text).strip()))

    def read(self, text: str, *, compiled: bool = False) -> Iterator[RecordedGame | BrokenGame | Doubt]:
        """Yield the games of a file; their moves are read by the rules without claimed draws.

        A game of more than MAX_ACTIONS moves is broken, and variations after as many moves are left out.
        """
        for found in read_pgn(text, compiled=compiled, most_moves=MAX_ACTIONS):
            yield BrokenGame(str(found)) if isinstance(found, BrokenPgn) else _game_of(found)

    def write(self, tree: GameTree, header: RecordHeader) -> str:
        """Return a game in PGN's export format."""
        tags = {"Event": "Rated game" if header.rated else "Casual game"} | dict(zip(_SIDES, header.names, strict=True))
        ratings = zip(_SIDES, header.ratings, strict=True)
        tags |= {f"{side}Elo": str(rating) for side, rating in ratings if rating is not None}
        tags |= {} if header.ended is None else {"Date": date_text(header.ended)}
        tags |= {} if header.clock is None else {"TimeControl": clock_text(header.clock, header.overtime)}
        tags |= {"Termination": header.reason} if header.reason else {}
        return write_pgn(recorded(tree, tags, header.result))


def _game_of(found: PgnGame) -> RecordedGame:
    tags, line = found.tags, found.line
    first, second = (rating_in(tags.get(f"{side}Elo", "")) for side in _SIDES)
    clock, overtime = clocks_in(tags.get("TimeControl", ""))
    return RecordedGame(
        spec=found.game.name,
        header=RecordHeader(
            names=(tags.get("White", "?"), tags.get("Black", "?")),
            ratings=(first, second),
            result=found.result,
            reason=tags.get("Termination", ""),
            ended=date_in(tags.get("Date", "")),
            clock=clock,
            overtime=overtime,
            other_clock=other_clock(tags.get("TimeControl", "")),
        ),
        setup=tags.get("FEN"),
        moves=[move.actions[0] for move in line.moves],
        notes=annotations_of(line),
        leads=[evaluation_in(comments) for comments in (line.comments, *(move.comments for move in line.moves))],
        left_out=found.left_out,
    )


PGN = Pgn()
