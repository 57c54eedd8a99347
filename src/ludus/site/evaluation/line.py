"""Judgements of positions on the analysis board and in replays: value, best lines and ownership."""

from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from ludus.games.game import Position
from ludus.protocol.bgs import CandidateLine
from ludus.site.catalogue.carried import line_from
from ludus.site.catalogue.words import forced_words
from ludus.site.evaluation.judge import SiteJudge
from ludus.site.evaluation.judgement import Asked, Judgement, config_at, must_be_between_moves
from ludus.site.messages.study import JudgedLine, LineEvaluation, LineInfo
from ludus.site.safety.fair_queue import WorkerThreads
from ludus.site.study.study import line_info, position_of


class _Question(NamedTuple):
    """A position to evaluate, with what the judge is asked about it."""

    asked: Asked
    position: Position


class LineJudge:
    """Asks the judge about lines, and converts its answers for the page."""

    def __init__(self, judge: SiteJudge, threads: WorkerThreads) -> None:
        self._judge = judge
        self._threads = threads

    async def judge(self, line: JudgedLine, address: str) -> LineEvaluation:
        """Return the judge's view of the position at the end of a line.

        Raises:
            BadInput: the line is illegal, or ends in the middle of a move.
            Unavailable: no engine can evaluate the position, or too many lines are waiting.
        """
        question = await self._threads.do(address, partial(_question, line))
        if question.position.outcome:
            return LineEvaluation(question.position.outcome.value, "", [], [], "", proved=True, final=True)
        found = await self._judge.judge(question.asked, address, line.visits)
        return await self._threads.do(address, partial(_evaluation, question, found, line.lines))


def _question(line: JudgedLine) -> _Question:
    position = position_of(line)
    must_be_between_moves(position)
    return _Question(Asked(config_at(position), tuple(position.moves)), position)


def _evaluation(question: _Question, found: Judgement, num_lines: int) -> LineEvaluation:
    return LineEvaluation(
        found.evaluation,
        found.best_move,
        _lines(found.lines[:num_lines], question.position),
        found.owners_on(question.asked.config),
        found.judge,
        visits=found.visits,
        lead=found.lead,
        proved=found.proved,
        final=found.is_final,
    )


def _lines(told: list[CandidateLine], position: Position) -> list[LineInfo]:
    """Return the judge's lines that begin with a legal move."""
    lines = [_line(each, position) for each in told]
    return [each for each in lines if each.moves]


def _line(told: CandidateLine, position: Position) -> LineInfo:
    after = line_from(position, told.moves)
    info = line_info(position, after, told.evaluation, told.visits, proved=told.proved)
    return replace(info, wins_in=told.wins_in, words=forced_words(position, told.evaluation, told.wins_in))
