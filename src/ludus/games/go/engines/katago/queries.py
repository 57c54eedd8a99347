"""Answers queries in KataGo's analysis protocol: finds their games, and searches their positions."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from ludus.engine.analysis.queue import MOST_WAITING, SearchQueue
from ludus.engine.asking import Asking, Thinker
from ludus.engine.conversation import Post, Say
from ludus.errors import BadGame, LudusError
from ludus.games.game import Position
from ludus.games.go.engines.gtp.forecast import Forecast
from ludus.games.go.engines.gtp.players import GoPlayer, go_player
from ludus.games.go.engines.katago.protocol import (
    BadField,
    KataGoAction,
    KataGoQuery,
    TurnResult,
    decode_katago,
    encode_katago,
    is_katago,
    unused_fields,
)
from ludus.games.go.engines.katago.report import analysed
from ludus.games.go.engines.katago.turns import GameLine, Turns, read_turns
from ludus.players.judging.ownership import PLAYOUTS
from ludus.players.judging.priors import priors
from ludus.players.thinking.seat import Limits
from ludus.players.thinking.thought import Thought
from ludus.protocol.analysis import id_of
from ludus.version import __version__

_log = logging.getLogger(__name__)

LINES = 20
"""Moves, the most visited first, whose whole line is reported."""
LEAST_INTERVAL_S = 0.02


class _Turn:
    """An open position of a query."""

    def __init__(self, turns: Turns, number: int, position: Position) -> None:
        self.turns, self.number, self.position = turns, number, position
        self.query = turns.query
        self.waits = -1  # number in the queue while it waits
        self.search: Asking | None = None
        self.forecast = Forecast(turns.player.evaluator, position, PLAYOUTS)


class KataGoQueries:
    """The queries and actions in KataGo's protocol; their searches run in other threads and return by `post`."""

    def __init__(
        self, minds: Sequence[Thinker], queue: SearchQueue, post: Post, say: Say, ended: Callable[[], None]
    ) -> None:
        """Create the dialect without queries; the arguments are those of `ludus.engine.analysis.dialect.Dialect`."""
        self._minds, self._queue, self._post, self._say, self._ended = minds, queue, post, say, ended
        self._open: list[_Turn] = []
        self._line: GameLine | None = None  # the game of the last query

    @staticmethod
    def recognises(line: str) -> bool:
        """Return whether a line is in KataGo's protocol."""
        return is_katago(line)

    @property
    def is_busy(self) -> bool:
        """Whether queries are open."""
        return bool(self._open)

    def hear(self, line: str) -> None:
        """Handle a line; each query and action gets its answers, or one error."""
        name = ""
        try:
            message, fields = decode_katago(line)
            name = message.id
            if isinstance(message, KataGoAction):
                self._act(message, fields)
            else:
                self._begin_query(message, fields)
        except BrokenPipeError:
            raise
        except BadField as error:
            self._refuse(id_of(line) or "", error.field, str(error))
        except Exception as error:  # noqa: BLE001 - every query gets an answer
            if not isinstance(error, LudusError):
                _log.error("A query could not be answered.", exc_info=error)
            self._refuse(name, "", str(error) if isinstance(error, LudusError) else f"internal error: {error!r}")

    def drop(self) -> None:
        """Cancel all queries without answers."""
        self._queue.remove({turn.waits for turn in self._open})
        for turn in self._open:
            if turn.search:
                self._queue.release()
                turn.search.drop()
        self._open.clear()

    # ---- actions -----------------------------------------------------------------------------------------------------

    def _act(self, action: KataGoAction, fields: dict[str, Any]) -> None:
        more: dict[str, object] = {}
        if action.action == "query_version":
            more = {"version": __version__, "git_hash": "<omitted>"}
        elif action.action == "query_models":
            more = {"models": [_model(mind) for mind in self._minds]}
        elif action.action == "clear_cache":
            for mind in self._minds:
                mind.forget_evaluations()
        else:
            if action.action == "terminate" and "terminateId" not in fields:
                raise BadField('Requests for a terminate action must have a string "terminateId" field', "terminateId")
            only = None if action.action == "terminate_all" else action.terminate_id
            self._terminate(only, action.turn_numbers)
        self._say(encode_katago(fields | more))

    def _terminate(self, name: str | None, numbers: Sequence[int] | None) -> None:
        """End queries early, those of one id or all; searches that run report their result so far."""
        wanted = [
            turn for turn in self._open if name in (None, turn.query.id) and (numbers is None or turn.number in numbers)
        ]
        waiting = [turn for turn in wanted if turn.search is None]
        self._queue.remove({turn.waits for turn in waiting})
        for turn in waiting:
            self._say(encode_katago(TurnResult(turn.query.id, turn.number, no_results=True)))
            self._close(turn)
        for turn in wanted:
            if turn.search:
                turn.search.stop()

    # ---- queries -----------------------------------------------------------------------------------------------------

    def _begin_query(self, query: KataGoQuery, fields: dict[str, Any]) -> None:
        if query.board_x_size != query.board_y_size:
            raise BadField("Boards must be square", "boardYSize")
        if not (self._line and self._line.fits(query)):
            self._line = GameLine(query, self._players())
        turns = read_turns(query, self._line)
        if not self._queue.has_room(len(turns.positions)):
            raise BadField(f"More than {MOST_WAITING} positions wait; try again when some are answered.")
        for name in unused_fields(fields):
            self._warn(query.id, name, "Unexpected or unused field")
        for name, text in turns.warnings:
            self._warn(query.id, name, text)
        for number, position in turns.positions.items():
            turn = _Turn(turns, number, position)
            self._open.append(turn)
            turn.waits = self._queue.add(turns.priority_of(number), lambda turn=turn: self._begin(turn))
        self._queue.go_on()

    def _players(self) -> list[GoPlayer]:
        found = list[GoPlayer]()
        for mind in self._minds:
            try:
                found.append(go_player(mind))
            except BadGame as error:
                _log.debug("%s", error)
        return found

    def _begin(self, turn: _Turn) -> bool:
        """Begin the search of a position; return whether there is one."""
        query, turns = turn.query, turn.turns
        only = turns.considered(turn.position)
        if only is None or turn.position.outcome:
            self._say(encode_katago(TurnResult(query.id, turn.number, no_results=True)))
            self._close(turn)
            return False
        every = query.report_during_search_every
        limits = Limits(max(2, turns.visits), turns.seconds, only=only, lines=LINES, prunes=True)
        turn.search = Asking(self._post)
        try:
            turn.search.ask(
                turns.player.seat(turn.position),
                limits,
                lambda thought: self._finish(turn, thought),
                lambda error: self._fail(turn, error),
                tell=(lambda thought: self._report(turn, thought, is_partial=True)) if every else None,
                every_s=max(LEAST_INTERVAL_S, every or 1.0),
            )
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 - other positions still need answers
            self._refuse(query.id, "", f"Turn {turn.number}: {error}")
            self._close(turn)
            return False
        return True

    def _report(self, turn: _Turn, thought: Thought, *, is_partial: bool) -> None:
        query, position = turn.query, turn.position
        policy = priors(turn.turns.player.evaluator, position) if query.include_policy else None
        player = turn.turns.perspective(position)
        answer = analysed(
            query, turn.number, position, thought, turn.forecast, player=player, policy=policy, partial=is_partial
        )
        self._say(encode_katago(answer))

    def _finish(self, turn: _Turn, thought: Thought) -> None:
        try:
            self._report(turn, thought, is_partial=False)
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 - other positions still need answers
            _log.exception("A search failed.")
            self._fail(turn, error)
        else:
            self._end_search(turn)

    def _fail(self, turn: _Turn, error: Exception) -> None:
        self._refuse(turn.query.id, "", f"Turn {turn.number}: the search failed ({error}).")
        self._end_search(turn)

    def _end_search(self, turn: _Turn) -> None:
        self._queue.release()
        self._close(turn)
        self._queue.go_on()

    def _close(self, turn: _Turn) -> None:
        self._open.remove(turn)
        if not self._open:
            self._ended()

    # ---- answers -----------------------------------------------------------------------------------------------------

    def _warn(self, name: str, field: str, text: str) -> None:
        self._say(encode_katago({"id": name, "field": field, "warning": text}))

    def _refuse(self, name: str, field: str, text: str) -> None:
        known = {key: value for key, value in (("id", name), ("field", field)) if value}
        self._say(encode_katago({"error": text, **known}))


def _model(mind: Thinker) -> dict[str, object]:
    return {"name": mind.name, "internalName": mind.name, "usesHumanSLProfile": False}
