"""What engines in visitors' browsers need and find: positions as they take them, and the words for their results."""

from collections.abc import Sequence

from msgspec.structs import replace

from ludus.errors import BadInput
from ludus.games.game import Position
from ludus.protocol.spec import setting_of
from ludus.site.catalogue.carried import carried, device_position, line_from, translated, without_history
from ludus.site.catalogue.engines import DeviceEngines
from ludus.site.catalogue.words import forced_words
from ludus.site.evaluation.judge import unproved
from ludus.site.evaluation.judgement import must_be_between_moves
from ludus.site.messages.study import (
    FoundLine,
    FoundOnLine,
    FoundPosition,
    LineEvaluation,
    LineInfo,
    StudyLine,
    StudyView,
)
from ludus.site.study.study import line_info, position_of, view

NEW_ENGINE = "The site has a new engine for this board. Load the page again."


def view_for_devices(line: StudyLine, engines: DeviceEngines) -> StudyView:
    """Return the view of the position at the end of a line, with what an engine of its board needs; slow.

    Raises:
        BadInput: the line is illegal or too long.
    """
    position = position_of(line)
    shown = view(position, setting_of(line.spec))
    engine = engines.of(shown.game, shown.variant, shown.board.columns, shown.board.rows)
    return replace(shown, device=device_position(position, engine)) if engine else shown


def evaluations_of(told: FoundOnLine, engines: DeviceEngines) -> list[LineEvaluation]:
    """Return what an engine in a browser found about positions of a line in the words that people read; slow.

    Raises:
        BadInput: the line is illegal, its board has another engine now, or a position cannot be evaluated: it is in
            the middle of a move, or beyond the end of the line.
    """
    position = position_of(told)
    setting, board = setting_of(told.spec), position.history[0].describe()
    engine = engines.of(setting.game, setting.variant, board.columns, board.rows)
    if engine is None or engine.manifest != told.engine:
        raise BadInput(NEW_ENGINE)
    history, own = position.history, carried(position, engine).history
    return [_worded(each, history, own, engine.name) for each in told.found]


def _worded(found: FoundPosition, history: Sequence[Position], own: Sequence[Position], name: str) -> LineEvaluation:
    """Return what was found about a position of a line; `history` and `own` are the line in both games."""
    if found.ply >= len(own):
        raise BadInput(f"The engine's game does not reach the position after {found.ply} actions of this line.")
    position = history[found.ply]
    if position.outcome:
        return LineEvaluation(position.outcome.value, "", [], [], "", proved=True, final=True)
    must_be_between_moves(position)
    lines = [_line(position, own[found.ply], each) for each in found.lines]
    lines = [each for each in lines if each.moves]
    return LineEvaluation(
        unproved(found.value, is_proved=found.proved),
        lines[0].moves[0].text if lines else "",
        lines,
        [],
        name,
        visits=found.visits,
        proved=found.proved,
        final=found.proved,
    )


def _line(position: Position, own: Position, found: FoundLine) -> LineInfo:
    """Return an engine's line up to its first illegal action; `own` is the position in the engine's game."""
    after = line_from(own, found.actions)
    if position is not own:
        after = translated(after.history, without_history(position))
    value = unproved(found.value, is_proved=found.proved)
    told = line_info(position, after, value, found.visits, proved=found.proved)
    wins_in = found.wins_in if found.proved else 0
    return replace(told, wins_in=wins_in, words=forced_words(position, value, wins_in))
