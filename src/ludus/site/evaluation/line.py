"""Evaluations of positions on the analysis board and in replays by bots: value, best lines and ownership."""

import asyncio
import secrets
from collections import OrderedDict
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import msgspec
from msgspec import UnsetType

from ludus.errors import BadInput, BadNotation, IllegalMove, Unavailable
from ludus.games.board import Board
from ludus.games.game import Position
from ludus.protocol.bgs import EvaluateResponse, SessionConfig
from ludus.protocol.spec import setting_of
from ludus.site.bots.bots import Bots
from ludus.site.bots.session import BotError, BotGoneError, BotSession
from ludus.site.evaluation.analyst import able_bot
from ludus.site.messages.study import LineEvaluation, LineInfo, StudyLine
from ludus.site.safety.fair_queue import FairQueue, WorkerThreads
from ludus.site.study.study import line_info, moves_of, position_of

NUM_LINES = 3
MAX_AT_ONCE = 4
"""Most positions evaluated at a time for analysis boards and replays."""
KEPT = 512
"""Most evaluations in the cache, which is cleared when bots attach or detach."""


class _Question(NamedTuple):
    """A position to evaluate, with its board and the moves to it."""

    line: StudyLine
    position: Position
    board: Board
    moves: list[str]
    """All moves from the start position."""


class LineJudge:
    """Evaluates lines by bots, a few at a time, with a cache of evaluations."""

    def __init__(self, bots: Bots, threads: WorkerThreads) -> None:
        self._bots = bots
        self._threads = threads
        self._queue = FairQueue(MAX_AT_ONCE)
        self._asked: OrderedDict[bytes, asyncio.Task[LineEvaluation]] = OrderedDict()
        bots.listeners.add(self._asked.clear)  # another bot may now be the best one

    async def judge(self, line: StudyLine, address: str) -> LineEvaluation:
        """Return a bot's evaluation of the position at the end of a line.

        Raises:
            BadInput: the line is illegal, or ends in the middle of a move.
            Unavailable: no bot can evaluate the position, or too many lines are waiting.
        """
        question = await self._threads.do(address, partial(_question, line))
        if question.position.outcome:
            return LineEvaluation(question.position.outcome.value, "", [], [], "")
        key = msgspec.json.encode([line.spec, line.setup, question.moves])
        asked = self._asked.get(key)
        if asked is None:
            asked = self._asked[key] = asyncio.create_task(self._judge(question, address))
            asked.add_done_callback(lambda task: self._keep(key, task))
        self._asked.move_to_end(key)
        return await asyncio.shield(asked)  # other requests may be waiting for the same evaluation

    def _keep(self, key: bytes, task: asyncio.Task[LineEvaluation]) -> None:
        """Cache an evaluation, unless it failed."""
        if (task.cancelled() or task.exception()) and self._asked.get(key) is task:
            del self._asked[key]
        while len(self._asked) > KEPT:
            self._asked.popitem(last=False)

    async def _judge(self, question: _Question, address: str) -> LineEvaluation:
        async with self._queue.place(address):
            try:
                answer, name = await self._ask(question)
            except (BotError, BotGoneError) as error:
                raise Unavailable(f"The analysis bot {str(error).rstrip('.')}; try again.") from error
            return await asyncio.to_thread(_evaluation, question, answer, name)  # the queue limits these threads

    async def _ask(self, question: _Question) -> tuple[EvaluateResponse, str]:
        """Return a bot's answer and the bot's name."""
        line, _, board, moves = question
        setting = setting_of(line.spec)
        found = able_bot(self._bots, setting.game, setting.variant, board.columns, board.rows)
        link = self._bots.find(found[0]) if found else None
        if found is None or link is None:
            raise Unavailable("No connected bot can evaluate this game; try again later.")
        key, bot = found
        session = BotSession(link[0], f"study_{secrets.token_hex(6)}", self._bots.settings.request_timeout_s)
        config = SessionConfig(setting.variant, board.columns, board.rows, line.setup, setting.game)
        try:
            await session.start(key.bot_id, config)
            for move in moves:
                await session.play(move)
            return await session.evaluate(NUM_LINES), bot.name
        finally:
            await asyncio.shield(session.end())


def _question(line: StudyLine) -> _Question:
    position = position_of(line)
    if not position.outcome and position.parent and position.parent.to_play == position.to_play:
        raise BadInput("This move is not complete; only positions between moves can be evaluated.")
    return _Question(line, position, position.describe(), [move.text for move in moves_of(position)])


def _evaluation(question: _Question, answer: EvaluateResponse, bot: str) -> LineEvaluation:
    board = question.board
    ownership = [] if isinstance(answer.ownership, UnsetType) else answer.ownership
    return LineEvaluation(
        answer.evaluation,
        answer.best_move,
        _lines(answer, question.position),
        [row[: board.columns] for row in ownership[: board.rows]],
        bot,
    )


def _lines(answer: EvaluateResponse, position: Position) -> list[LineInfo]:
    """Return the bot's lines, each cut off before its first illegal move."""
    if isinstance(answer.lines, UnsetType):
        return []
    found: list[LineInfo] = []
    for told in answer.lines:
        after = position
        with suppress(BadNotation, IllegalMove):
            for move in told.moves:
                after = after.play(move)
        if after is not position:
            found.append(line_info(position, after, told.evaluation, told.visits))
    return found
