"""Arranges positions piece by piece; the rules judge the result."""

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
"""By the game's short name; each module has `kit` and `setup`."""

LASTING = ("star",)
"""Marks that belong to the board and not to what was played."""
PREFIX = re.compile(r"^(FEN '[^']*'|Setup of Go|gomoku|wallgame): ")
"""Where rules say which text they read: whoever puts pieces on a board has written none."""


def kit(line: StudyLine) -> Kit:
    """Return the pieces that can be put on the board at the end of a line; raises BadInput."""
    position = position_of(line)
    drawn = position.describe()
    marks = [mark for mark in drawn.marks if mark.kind in LASTING]
    board = msgspec.structs.replace(drawn, choices=[], marks=marks, captured=[], note="")
    game = GAMES.get(setting_of(line.spec).game)
    return game.kit(position, board) if game else Kit(board, [], [], position.to_play, [], [], [])


def arrange(arrangement: Arrangement) -> StudyView:
    """Return an arranged position; raises BadInput with the reason if the game cannot reach it."""
    game = GAMES.get(setting_of(arrangement.spec).game)
    if game is None:
        raise BadInput("Positions of this game cannot be put together; play moves to reach one.")
    start = table_game(arrangement.spec).start()
    try:
        return replay(StudyLine(spec=arrangement.spec, setup=game.setup(arrangement, start)))
    except BadNotation as error:
        said = PREFIX.sub("", str(error))
        raise BadNotation(said[:1].upper() + said[1:]) from error
