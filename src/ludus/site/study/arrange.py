"""Positions that users set up piece by piece, checked by the rules."""

import re

import msgspec

from ludus.errors import BadInput, BadNotation
from ludus.games.about import Arranged, Kit
from ludus.games.board import Edge, Piece
from ludus.games.registry import about
from ludus.site.catalogue.specs import table_game
from ludus.site.messages.study import Arrangement, StudyLine, StudyView
from ludus.site.study.study import position_of, replay

LASTING = ("star",)
"""Kinds of marks that belong to the board itself, such as star points."""


def kit(line: StudyLine) -> Kit:
    """Return the position at the end of a line and the pieces that may be placed in it; raises BadInput."""
    position = position_of(line)
    drawn = position.describe()
    marks = [mark for mark in drawn.marks if mark.kind in LASTING]
    board = msgspec.structs.replace(drawn, choices=[], marks=marks, captured=[], note="")
    editor = about(line.spec).editor
    return editor.kit(position, board) if editor else Kit(board, [], [], position.to_play, [], [], [])


def arrange(arrangement: Arrangement) -> StudyView:
    """Return the view of a position that was set up by hand; raises BadInput if the rules do not allow it."""
    editor = about(arrangement.spec).editor
    if editor is None:
        raise BadInput("Positions of this game cannot be set up by hand; play moves to reach one.")
    arranged = Arranged(
        [Piece(piece.at, piece.shape, piece.owner) for piece in arrangement.pieces],
        [Edge(edge.at, edge.side, edge.owner) for edge in arrangement.edges],
        arrangement.to_play,
        arrangement.switches,
        arrangement.setup,
    )
    start = table_game(arrangement.spec).start()
    try:
        return replay(StudyLine(spec=arrangement.spec, setup=editor.setup(arranged, start)))
    except BadNotation as error:
        said = re.sub(f"^(?:{editor.prefix}): ", "", str(error))
        raise BadNotation(said[:1].upper() + said[1:]) from error
