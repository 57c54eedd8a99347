"""An engine that analyses: many positions at a time, of any games, in the order of their priorities."""

from __future__ import annotations

import heapq
import logging
from collections.abc import Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from ludus.engine.analysis.report import ended, found, rounded
from ludus.engine.asking import Asking, Thinker
from ludus.engine.conversation import Post, Say
from ludus.errors import BadInput, BadMessage, LudusError
from ludus.games.game import Position
from ludus.games.registry import game as find_game
from ludus.players.judging.ownership import expected_maps
from ludus.players.judging.priors import priors
from ludus.players.thinking.seat import Limits
from ludus.players.thinking.thought import Thought
from ludus.protocol.analysis import (
    MOST_POSITIONS,
    Analyse,
    Answer,
    Cancel,
    Done,
    Error,
    Question,
    State,
    Status,
    decode,
    encode,
    id_of,
)
from ludus.version import __version__

_log = logging.getLogger(__name__)

MOST_WAITING = 100_000
"""Positions that wait, of all questions."""
MOST_OF_A_TEXT = 40  # letters of one that is refused that are told


class _Work:
    """A question, and what is left of it."""

    def __init__(self, question: Analyse, positions: dict[int, Position], mind: Thinker | None) -> None:
        self.question, self.positions, self.mind = question, positions, mind
        self.waiting = set(positions)
        self.running: dict[int, Asking] = {}
        self.results = 0
        self.cancelled = False


class AnalysisTalker:
    """The engine; searches run in the pools of its minds and come back by `post`.

    Attributes:
        is_over: whether the conversation is over.
    """

    def __init__(self, minds: Sequence[Thinker], post: Post, say: Say, *, searches: int = 64) -> None:
        """Wait for questions; the first of `minds` that plays a position takes it.

        Args:
            minds: the players.
            post: brings searches back to this thread.
            say: writes a line.
            searches: how many run at a time.
        """
        self.is_over = False
        self._minds, self._post, self._say, self._most = minds, post, say, searches
        self._open: dict[str, _Work] = {}
        self._queue: list[tuple[int, int, _Work, int]] = []  # less priority, number, question, ply
        self._numbers = count()
        self._num_running = 0
        self._ends = False

    # ---- what is heard -----------------------------------------------------------------------------------------------

    def hear(self, line: str) -> None:
        """Take a question."""
        if not line:
            return
        try:
            question = decode(line)
        except BadMessage as error:
            self._answer(Error(id_of(line), str(error)))
            return
        try:
            self._take(question)
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 - every question gets an answer
            self._refuse(question.id, error)

    def end(self) -> None:
        """Be over when everything is answered; if that was asked before, at once."""
        if self._ends:
            self._queue.clear()  # or each question would look for its own
            for work in list(self._open.values()):
                self._cancel(work, finish=False)
        self._ends = True
        self._look_for_the_end()

    def close(self) -> None:
        """Drop all searches and close the minds."""
        for work in self._open.values():
            for search in work.running.values():
                search.drop()
        for mind in self._minds:
            mind.close()

    def _take(self, question: Question) -> None:
        if isinstance(question, Status):
            games = {mind.name: list(mind.games) for mind in self._minds}
            waiting = sum(len(work.waiting) for work in self._open.values())
            self._answer(State(question.id, __version__, games, self._num_running, waiting))
        elif isinstance(question, Cancel):
            if question.id not in self._open:
                raise BadInput(f"There is no open question {question.id[:40]!r}.")
            self._cancel(self._open[question.id], finish=question.finish)
        else:
            self._begin_work(question)

    # ---- questions ---------------------------------------------------------------------------------------------------

    def _begin_work(self, question: Analyse) -> None:
        if question.id in self._open:
            raise BadInput(f"The question {question.id[:40]!r} is open already; every question needs an id of its own.")
        positions = _positions(question)
        if sum(len(work.waiting) for work in self._open.values()) + len(positions) > MOST_WAITING:
            raise BadInput(f"More than {MOST_WAITING} positions wait; ask again when some are answered.")
        searched = next((each for each in positions.values() if not each.outcome), None)
        work = self._open[question.id] = _Work(question, positions, self._mind_for(searched) if searched else None)
        for ply in positions:
            heapq.heappush(self._queue, (-question.priority, next(self._numbers), work, ply))
        self._go_on()

    def _mind_for(self, position: Position) -> Thinker:
        refusals: list[str] = []
        for mind in self._minds:
            try:
                mind.seat(position)
            except BadInput as error:
                refusals.append(str(error))
            else:
                return mind
        raise BadInput(" ".join(refusals))

    def _cancel(self, work: _Work, *, finish: bool) -> None:
        work.cancelled = True
        if work.waiting:
            work.waiting.clear()
            self._queue = [entry for entry in self._queue if entry[2] is not work]
            heapq.heapify(self._queue)
        for ply, search in list(work.running.items()):
            if finish:
                search.stop()
            else:
                del work.running[ply]
                self._num_running -= 1
                search.drop()
        self._close_work(work)
        self._go_on()

    def _close_work(self, work: _Work) -> None:
        """Say that a question is done, once all its positions are."""
        if not (work.waiting or work.running) and self._open.pop(work.question.id, None):
            self._answer(Done(work.question.id, work.results, work.cancelled))
            self._look_for_the_end()

    # ---- searches ----------------------------------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Begin searches while there is room."""
        while self._queue and self._num_running < self._most:
            _, _, work, ply = heapq.heappop(self._queue)
            work.waiting.discard(ply)
            try:
                self._begin(work, ply)
            except BrokenPipeError:
                raise
            except Exception as error:  # noqa: BLE001 - the others are still to be answered
                self._refuse(work.question.id, error, f"Ply {ply}: ")
            if ply not in work.running:
                self._close_work(work)

    def _begin(self, work: _Work, ply: int) -> None:
        question, position = work.question, work.positions[ply]
        if position.outcome:
            work.results += 1
            self._answer(ended(question, ply, position))
            return
        assert work.mind, "somebody plays here"
        only = _actions_named(position, question.only)
        limits = Limits(question.visits, question.seconds, only=only, lines=question.candidates)
        seat, search = work.mind.seat(position), Asking(self._post)
        work.running[ply] = search
        self._num_running += 1
        try:
            search.ask(
                seat,
                limits,
                lambda thought: self._finish(work, ply, thought),
                lambda error: self._end_search(work, ply, error),
                tell=(lambda thought: self._answer(found(question, ply, position, thought, partial=True)))
                if question.every
                else None,
                every_s=question.every or 1.0,
            )
        except Exception:
            del work.running[ply]
            self._num_running -= 1
            raise

    def _finish(self, work: _Work, ply: int, thought: Thought) -> None:
        """Answer with the result of a search."""
        question, position = work.question, work.positions[ply]
        try:
            policy, maps = self._policy(work, position), self._maps(work, position)
            self._answer(found(question, ply, position, thought, partial=False, policy=policy, maps=maps))
        except Exception as error:  # noqa: BLE001 - the others are still to be answered
            _log.exception("A search failed.")
            self._end_search(work, ply, error)
        else:
            work.results += 1
            self._end_search(work, ply)

    def _end_search(self, work: _Work, ply: int, error: Exception | None = None) -> None:
        """Go on after a search that has ended, or failed."""
        del work.running[ply]
        self._num_running -= 1
        if error:
            self._answer(Error(work.question.id, f"Ply {ply}: the search failed ({error})."))
        self._close_work(work)
        self._go_on()

    def _policy(self, work: _Work, position: Position) -> dict[str, float] | None:
        if not work.question.policy or work.mind is None:
            return None
        found = priors(work.mind.evaluator, work.mind.seen(position))
        return {position.text(action): rounded(prior) for action, prior in found.items()}

    def _maps(self, work: _Work, position: Position) -> NDArray[np.float32] | None:
        if not work.question.ownership or work.mind is None:
            return None
        return expected_maps(work.mind.evaluator, work.mind.seen(position))

    def _look_for_the_end(self) -> None:
        self.is_over = self._ends and not self._open

    def _refuse(self, name: str, error: Exception, where: str = "") -> None:
        """Answer with the error of a question."""
        text = str(error)
        if not isinstance(error, LudusError):
            _log.error("A question could not be answered.", exc_info=error)
            text = f"internal error: {error!r}."
        self._answer(Error(name, where + text))

    def _answer(self, answer: Answer) -> None:
        self._say(encode(answer))


def _positions(question: Analyse) -> dict[int, Position]:
    """Return the positions of a question by their plies; raises BadInput if there are no such."""
    position = find_game(question.game).start(question.setup)
    line = [position]
    for number, move in enumerate(question.moves, 1):
        try:
            position = position.play(move)
        except BadInput as error:
            raise BadInput(f"Move {number}: {error}") from error
        line.append(position)
    last = len(line) - 1
    plies = range(last + 1) if question.plies == "all" else [last] if question.plies == "last" else question.plies
    if not plies:
        raise BadInput('No ply is asked about: name some, or write "last" or "all".')
    if beyond := [ply for ply in plies if ply > last]:
        raise BadInput(f"There is no ply {beyond[0]}: {last} moves are given.")
    if len({*plies}) > MOST_POSITIONS:
        raise BadInput(f"A question is about {MOST_POSITIONS} positions at most, not {len({*plies})}.")
    return {ply: line[ply] for ply in plies}


def _actions_named(position: Position, texts: Sequence[str]) -> tuple[int, ...]:
    """Return the actions that these name, as actions or as moves are written; raises BadInput if one is not legal."""
    named = {position.text(action): action for action in position.actions} if texts else {}
    return tuple(dict.fromkeys(named[text] if text in named else _action_named(position, text) for text in texts))


def _action_named(position: Position, text: str) -> int:
    """Return the action of a move that has one; raises BadInput if it is not legal."""
    said = repr(text[:MOST_OF_A_TEXT])
    try:
        actions = position.parse(text)
    except BadInput as error:
        raise BadInput(f"only {said}: {error}") from error
    if len(actions) > 1:
        raise BadInput(f"only {said}: it has several actions; name the first, {position.text(actions[0])!r}.")
    if actions[0] not in position.actions:
        raise BadInput(f"only {said}: it may not be played here.")
    return actions[0]
