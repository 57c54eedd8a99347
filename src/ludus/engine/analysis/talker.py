"""The analysis engine: searches many positions of any games at a time, in order of priority.

Lines in a dialect are passed on to it; its searches wait in the same queue.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludus.engine.analysis.dialect import Dialect
from ludus.engine.analysis.queue import MOST_WAITING, SearchQueue
from ludus.engine.analysis.report import ended, found, rounded
from ludus.engine.asking import Asking, Thinker
from ludus.engine.conversation import Post, Say
from ludus.errors import BadInput, BadMessage, LudusError
from ludus.games.game import LONG, Position
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

MOST_OF_A_TEXT = 40  # characters of an invalid move that an error quotes


class _Work:
    """An open request and its remaining positions."""

    def __init__(self, question: Analyse, positions: dict[int, Position], mind: Thinker | None) -> None:
        self.question, self.positions, self.mind = question, positions, mind
        self.waiting: dict[int, int] = {}  # number of each waiting ply in the queue
        self.running: dict[int, Asking] = {}
        self.results = 0
        self.cancelled = False


class AnalysisTalker:
    """An engine for the analysis protocol; searches run in other threads and return by `post`.

    Attributes:
        is_over: whether the conversation is over.
    """

    def __init__(
        self,
        minds: Sequence[Thinker],
        post: Post,
        say: Say,
        *,
        searches: int = 64,
        dialects: Sequence[type[Dialect]] = (),
    ) -> None:
        """Create the engine; the first of `minds` that plays a request's game searches its positions.

        Args:
            minds: the players.
            post: delivers search results to this thread.
            say: writes a line.
            searches: number of simultaneous searches.
            dialects: other protocols; the first that recognises a line handles it.
        """
        self.is_over = False
        self._minds, self._post, self._say = minds, post, say
        self._open: dict[str, _Work] = {}
        self._queue = SearchQueue(searches)
        self._dialects = [make(minds, self._queue, post, say, self._look_for_the_end) for make in dialects]
        self._ends = False

    # ---- input -------------------------------------------------------------------------------------------------------

    def hear(self, line: str) -> None:
        """Handle a line with a request."""
        if not line:
            return
        for dialect in self._dialects:
            if dialect.recognises(line):
                dialect.hear(line)
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
        except Exception as error:  # noqa: BLE001 - every request gets an answer
            self._refuse(question.id, error)

    def end(self) -> None:
        """Finish once all requests are answered; a second call cancels them."""
        if self._ends:
            self._queue.clear()  # so that `_cancel` need not search the queue for each request
            self._drop_dialects()
            for work in list(self._open.values()):
                self._cancel(work, finish=False)
        self._ends = True
        self._look_for_the_end()

    def close(self) -> None:
        """Cancel all searches and close the players."""
        for work in self._open.values():
            for search in work.running.values():
                search.drop()
        self._drop_dialects()
        for mind in self._minds:
            mind.close()

    def _take(self, question: Question) -> None:
        if isinstance(question, Status):
            games = {mind.name: list(mind.games) for mind in self._minds}
            self._answer(State(question.id, __version__, games, self._queue.num_running, len(self._queue)))
        elif isinstance(question, Cancel):
            if question.id not in self._open:
                raise BadInput(f"There is no open request {question.id[:40]!r}.")
            self._cancel(self._open[question.id], finish=question.finish)
        else:
            self._begin_work(question)

    # ---- requests ----------------------------------------------------------------------------------------------------

    def _begin_work(self, question: Analyse) -> None:
        if question.id in self._open:
            raise BadInput(f"The request {question.id[:40]!r} is already open; use a new id for each request.")
        positions = _positions(question)
        if not self._queue.has_room(len(positions)):
            raise BadInput(f"More than {MOST_WAITING} positions wait; try again when some are answered.")
        searched = next((each for each in positions.values() if not each.outcome), None)
        work = self._open[question.id] = _Work(question, positions, self._mind_for(searched) if searched else None)
        for ply in positions:
            work.waiting[ply] = self._queue.add(question.priority, lambda ply=ply: self._begin(work, ply))
        self._queue.go_on()

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
        if work.waiting and len(self._queue):
            self._queue.remove({*work.waiting.values()})
        work.waiting.clear()
        for ply, search in list(work.running.items()):
            if finish:
                search.stop()
            else:
                del work.running[ply]
                self._queue.release()
                search.drop()
        self._close_work(work)
        self._queue.go_on()

    def _close_work(self, work: _Work) -> None:
        """Report that a request is done if no positions remain."""
        if not (work.waiting or work.running) and self._open.pop(work.question.id, None):
            self._answer(Done(work.question.id, work.results, work.cancelled))
            self._look_for_the_end()

    # ---- searches ----------------------------------------------------------------------------------------------------

    def _begin(self, work: _Work, ply: int) -> bool:
        """Begin the search of a position; return whether there is one."""
        del work.waiting[ply]
        try:
            begun = self._search(work, ply)
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 - other positions still need answers
            begun = False
            self._refuse(work.question.id, error, f"Ply {ply}: ")
        if not begun:
            self._close_work(work)
        return begun

    def _search(self, work: _Work, ply: int) -> bool:
        question, position = work.question, work.positions[ply]
        if position.outcome:
            work.results += 1
            self._answer(ended(question, ply, position))
            return False
        assert work.mind, "a request with an open position has a player"
        only = _actions_named(position, question.only)
        limits = Limits(question.visits, question.seconds, only=only, lines=question.candidates)
        seat, search = work.mind.seat(position), Asking(self._post)
        work.running[ply] = search
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
            raise
        return True

    def _finish(self, work: _Work, ply: int, thought: Thought) -> None:
        """Write the final result of a search."""
        question, position = work.question, work.positions[ply]
        try:
            policy, maps = self._policy(work, position), self._maps(work, position)
            self._answer(found(question, ply, position, thought, partial=False, policy=policy, maps=maps))
        except Exception as error:  # noqa: BLE001 - other positions still need answers
            _log.exception("A search failed.")
            self._end_search(work, ply, error)
        else:
            work.results += 1
            self._end_search(work, ply)

    def _end_search(self, work: _Work, ply: int, error: Exception | None = None) -> None:
        """Remove a finished or failed search and start the next one."""
        del work.running[ply]
        self._queue.release()
        if error:
            self._answer(Error(work.question.id, f"Ply {ply}: the search failed ({error})."))
        self._close_work(work)
        self._queue.go_on()

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
        self.is_over = self._ends and not self._open and not any(each.is_busy for each in self._dialects)

    def _drop_dialects(self) -> None:
        for each in self._dialects:
            each.drop()

    def _refuse(self, name: str, error: Exception, where: str = "") -> None:
        """Answer a request with an error."""
        text = str(error)
        if not isinstance(error, LudusError):
            _log.error("A request could not be answered.", exc_info=error)
            text = f"internal error: {error!r}."
        self._answer(Error(name, where + text))

    def _answer(self, answer: Answer) -> None:
        self._say(encode(answer))


def _positions(question: Analyse) -> dict[int, Position]:
    """Return the requested positions by ply; raises BadInput if the request is invalid."""
    game = find_game(question.game)
    position = (game.compile() if len(question.moves) >= LONG else game).start(question.setup)
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
        raise BadInput('`plies` is empty: list some plies, or write "last" or "all".')
    if beyond := [ply for ply in plies if ply > last]:
        raise BadInput(f"There is no ply {beyond[0]}: {last} moves are given.")
    if len({*plies}) > MOST_POSITIONS:
        raise BadInput(f"A request may have at most {MOST_POSITIONS} positions, not {len({*plies})}.")
    return {ply: line[ply] for ply in plies}


def _actions_named(position: Position, texts: Sequence[str]) -> tuple[int, ...]:
    """Return the actions named by `texts`, as actions or as moves; raises BadInput if one is not legal."""
    named = {position.text(action): action for action in position.actions} if texts else {}
    return tuple(dict.fromkeys(named[text] if text in named else _action_named(position, text) for text in texts))


def _action_named(position: Position, text: str) -> int:
    """Return the only action of a move; raises BadInput if the move is illegal or has several actions."""
    said = repr(text[:MOST_OF_A_TEXT])
    try:
        actions = position.parse(text)
    except BadInput as error:
        raise BadInput(f"only {said}: {error}") from error
    if len(actions) > 1:
        raise BadInput(f"only {said}: it has several actions; name the first, {position.text(actions[0])!r}.")
    if actions[0] not in position.actions:
        raise BadInput(f"only {said}: this move is not legal here.")
    return actions[0]
