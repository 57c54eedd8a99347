"""Positions that users set up piece by piece, checked by the rules."""

import re
from types import ModuleType

import msgspec

from ludus.errors import BadInput, BadNotation
from ludus.protocol.spec import setting_of
from ludus.site.catalogue.catalogue import table_game
from ludus.site.messages.study import Arrangement, Kit, StudyLine, StudyView
from ludus.site.study.arranging import chess, stones, wallgame
from ludus.site.study.study import position_of, replay

GAMES: dict[str, ModuleType] = {"chess": chess, "go": stones, "gomoku": stones, "wallgame": wallgame}
"""The module of each game by its short name; each has the functions `kit` and `setup`."""

LASTING = ("star",)
"""Kinds of marks that belong to the board itself, such as star points."""
PREFIX = re.compile(r"^(FEN '[^']*'|Setup of Go|gomoku|wallgame): ")
"""Prefix of errors that names the parsed text; it is removed, since the user placed pieces and wrote no text."""


def kit(line: StudyLine) -> Kit:
    """Return the position at the end of a line and the pieces that may be placed in it; raises BadInput."""
    position = position_of(line)
    drawn = position.describe()
    marks = [mark for mark in drawn.marks if mark.kind in LASTING]
    board = msgspec.structs.replace(drawn, choices=[], marks=marks, captured=[], note="")
    game = GAMES.get(setting_of(line.spec).game)
    return game.kit(position, board) if game else Kit(board, [], [], position.to_play, [], [], [])


def arrange(arrangement: Arrangement) -> StudyView:
    """Return the view of a position that was set up by hand; raises BadInput if the rules do not allow it."""
    game = GAMES.get(setting_of(arrangement.spec).game)
    if game is None:
        raise BadInput("Positions of this game cannot be set up by hand; play moves to reach one.")
    start = table_game(arrangement.spec).start()
    try:
        return replay(StudyLine(spec=arrangement.spec, setup=game.setup(arrangement, start)))
    except BadNotation as error:
        said = PREFIX.sub("", str(error))
        raise BadNotation(said[:1].upper() + said[1:]) from error
