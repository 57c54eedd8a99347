"""The analysis board: replay a line of moves in any game of the site."""

import msgspec

from ludus.errors import BadInput
from ludus.games.annotations import MAX_ACTIONS
from ludus.games.game import Position
from ludus.protocol.spec import Setting, setting_of
from ludus.site.catalogue.specs import sides_of, table_game
from ludus.site.catalogue.words import ending_words
from ludus.site.messages.page import MoveInfo
from ludus.site.messages.study import LineInfo, StudyLine, StudyView
from ludus.site.table.table import TableResult


def replay(line: StudyLine) -> StudyView:
    """Return the view of the position at the end of a line; slow for long lines.  Raises BadInput."""
    return view(position_of(line), setting_of(line.spec))


def position_of(line: StudyLine) -> Position:
    """Return the position at the end of a line; raises BadInput if the line is illegal or too long."""
    position = table_game(line.spec).start(line.setup)
    for move in [*line.moves, *line.actions]:
        position = position.play(move)
        if position.num_actions_played > MAX_ACTIONS:
            raise BadInput(f"A line may have at most {MAX_ACTIONS} actions.")
    return position


def view(position: Position, setting: Setting) -> StudyView:
    """Return the page's view of a position, with the moves that led to it."""
    actions = [before.action for before in position.history[1:] if before.action is not None]
    outcome = position.outcome
    return StudyView(
        game=setting.game,
        variant=setting.variant,
        board=position.describe(),
        to_play=position.to_play,
        ply=len(actions),
        actions=actions,
        moves=moves_of(position),
        result=TableResult(outcome.winner, outcome.reason) if outcome else None,
        players=sides_of(position.game),
        setup=position.game.setup(position.state),
        ending=ending_words(position.game.name, outcome.reason) if outcome else "",
    )


def line_info(begin: Position, after: Position, evaluation: float, visits: int, *, proved: bool = False) -> LineInfo:
    """Return a line of best play with its evaluation.

    Args:
        begin: the position at which the line begins.
        after: the position after it, with the line alone as its history, see `carried.line_from`.
        evaluation: value of the line from player 0's view.
        visits: visits of the search behind the evaluation.
        proved: whether the evaluation is the proved outcome.
    """
    played = begin.num_actions_played
    moves = [msgspec.structs.replace(move, ply=played + move.ply) for move in moves_of(after)]
    actions = [each.action for each in after.history if each.action is not None]
    return LineInfo(moves, actions, evaluation, visits, proved)


def moves_of(position: Position) -> list[MoveInfo]:
    """Return the moves of a game with their players and action counts; the last move may be incomplete."""
    line = position.history
    ends = [ply for ply in range(1, len(line)) if ply == len(line) - 1 or line[ply].to_play != line[ply - 1].to_play]
    return [
        MoveInfo(text, line[end - 1].to_play, end, clocks=None) for text, end in zip(position.moves, ends, strict=True)
    ]
