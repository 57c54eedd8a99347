"""Boards without a table: replays any line of moves in any game that this site knows."""

from ludus.errors import BadInput
from ludus.games.game import Position
from ludus.protocol.spec import Setting, setting_of
from ludus.site.catalogue.catalogue import table_game
from ludus.site.messages.page import MoveInfo
from ludus.site.messages.study import MAX_ACTIONS, LineInfo, StudyLine, StudyView
from ludus.site.table.table import TableResult


def replay(line: StudyLine) -> StudyView:
    """Return what a page shows of the end of a line; slow for a long line.  Raises BadInput."""
    return view(position_of(line), setting_of(line.spec))


def position_of(line: StudyLine) -> Position:
    """Return the position at the end of a line; raises BadInput."""
    position = table_game(line.spec).start(line.setup)
    for move in [*line.moves, *line.actions]:
        position = position.play(move)
        if position.num_actions_played > MAX_ACTIONS:
            raise BadInput(f"A line has {MAX_ACTIONS} actions at most.")
    return position


def view(position: Position, setting: Setting) -> StudyView:
    """Return what a page shows of a position and of the line to it."""
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
        players=position.game.players,
        setup=position.game.setup(position.state),
    )


def line_info(begin: Position, after: Position, evaluation: float, visits: int) -> LineInfo:
    """Return the moves and actions that lead from one position to a later one, with what they are worth."""
    moves = [move for move in moves_of(after) if move.ply > begin.num_actions_played]
    actions = [each.action for each in after.history[len(begin.history) :] if each.action is not None]
    return LineInfo(moves, actions, evaluation, visits)


def moves_of(position: Position) -> list[MoveInfo]:
    """Return the moves with their players and the plies after them; the last one may be unfinished."""
    line = position.history
    ends = [ply for ply in range(1, len(line)) if ply == len(line) - 1 or line[ply].to_play != line[ply - 1].to_play]
    return [
        MoveInfo(text, line[end - 1].to_play, end, clocks=None) for text, end in zip(position.moves, ends, strict=True)
    ]
