"""A Gomoku engine for the Gomocup protocol; it handles commands during a search, so a command can stop it."""

from __future__ import annotations

import logging
import time
from collections import deque

import msgspec

from ludus.engine.conversation import Post, Say
from ludus.errors import BadInput, LudusError
from ludus.games.gomoku.engines.gomocup.board import BLACK, GomocupBoard
from ludus.games.gomoku.engines.gomocup.limits import ManagerAllowance
from ludus.games.gomoku.engines.gomocup.lineup import Lineup
from ludus.games.gomoku.engines.gomocup.protocol import (
    OK,
    RENJU,
    Command,
    ManagerInfo,
    PlainCommand,
    Point,
    Reader,
    Start,
    Stone,
    Stones,
    about,
    error,
    forbidden,
    message,
    point_text,
    unknown,
)
from ludus.games.gomoku.engines.gomocup.seeker import Seeker
from ludus.games.gomoku.engines.gomocup.swap2 import Opening
from ludus.games.gomoku.forbidden import forbidden_cells
from ludus.players.thinking.seat import Limits
from ludus.search.settings import MAX_VISITS
from ludus.seeding import stream
from ludus.version import __version__

_log = logging.getLogger(__name__)

IN_TURN = ("BEGIN", "TURN", "PLAY", "YXSHOWFORBID")  # commands that wait until a running search has ended
LEAST_MOVES, MOST_MOVES = 8, 25  # bounds of the engine's remaining moves, for dividing the time


class GomocupSettings(msgspec.Struct, frozen=True):
    """Settings of the engine; the manager may lower the limits."""

    visits: int = MAX_VISITS
    overhead_s: float = 0.1
    """Time lost by communication in each move."""
    seed: int = 0
    """Seed of random openings."""


class GomocupTalker:
    """An engine for the Gomocup protocol.

    During a search, commands that need its move wait; a new board or a takeback cancels the search without an answer.

    Attributes:
        is_over: whether the conversation is over.
    """

    def __init__(self, thinker: Lineup, post: Post, say: Say, *, settings: GomocupSettings | None = None) -> None:
        """Create the engine; `thinker` plays, `post` delivers search results, and `say` writes answers."""
        self.is_over = False
        self._thinker, self._post, self._say = thinker, post, say
        self._settings = settings or GomocupSettings()
        self._reader = Reader()
        self._allowance = ManagerAllowance()
        self._rule = 0
        self._board: GomocupBoard | None = None
        self._warm: set[str] = set()  # names of the games whose code is compiled
        self._seeker = Seeker(thinker, post, self._answer_move)
        self._opening: Opening | None = None
        self._begun = 0.0
        self._held: deque[Command] = deque()  # commands that wait for the move
        self._rng = stream(self._settings.seed, "gomocup")

    # ---- input -------------------------------------------------------------------------------------------------------

    def hear(self, line: str) -> None:
        """Handle a command, at once or when the running search has ended."""
        command = self._reader.read(line)
        if command is None:
            return
        if isinstance(command, Stones) or getattr(command, "word", "") in IN_TURN:
            self._held.append(command)
        else:
            self._try(command)
        self._do_held()  # the command may have ended the search that they wait for

    def end(self) -> None:
        """Stop the search, answer the waiting commands, then finish."""
        if self._is_thinking:
            self._held.append(PlainCommand("END"))
            self._stop()
        else:
            self.is_over = True

    def close(self) -> None:
        """Cancel the search and close the player."""
        self._forget()
        self._thinker.close()

    @property
    def _is_thinking(self) -> bool:
        return self._seeker.is_busy or self._opening is not None

    def _do_held(self) -> None:
        while self._held and not self._is_thinking:
            self._try(self._held.popleft())

    def _try(self, command: Command) -> None:
        try:
            self._do(command)
        except LudusError as fault:
            self._say(error(str(fault)))
        except BrokenPipeError:
            raise
        except Exception as fault:  # noqa: BLE001 - the manager waits for an answer
            _log.exception("A command failed.")
            self._say(error(f"internal error: {fault!r}"))

    def _do(self, command: Command) -> None:
        if isinstance(command, PlainCommand):
            self._do_plain(command.word)
        elif isinstance(command, Start):
            self._start(command)
        elif isinstance(command, Stone):
            self._do_stone(command)
        elif isinstance(command, Stones):
            self._do_stones(command)
        elif isinstance(command, ManagerInfo):
            self._take_info(command)
        elif command.said.upper() == "INFO":
            pass  # INFO never gets an answer, even without arguments
        elif command.known:
            self._say(error(f"the arguments of {command.said!r} are wrong"))
        else:
            self._say(unknown(command.said))

    def _do_plain(self, word: str) -> None:
        if word == "END":
            self._forget()
            self._held.clear()
            self.is_over = True
        elif word == "ABOUT":
            name = f"Ludus {self._thinker.name}"
            self._say(about(name=name, version=__version__, author="the Ludus authors", country="any"))
        elif word == "RESTART":
            self._start(Start(self._there.size, self._there.size))
        elif word == "BEGIN":
            if self._there.stones:
                raise BadInput("BEGIN is for an empty board")
            self._move()
        elif word == "YXSTOP":
            self._stop()
        else:
            self._show_forbidden()

    def _do_stone(self, command: Stone) -> None:
        board = self._there
        if command.word == "TAKEBACK":
            board.take(command.at)
            self._forget()
            self._say(OK)
        elif command.word == "TURN":
            board.put(command.at, board.to_play)
            self._move()
        else:
            board.put(command.at, board.to_play)
            self._say(point_text(command.at))

    def _do_stones(self, command: Stones) -> None:
        board = self._there
        if command.fault:
            raise BadInput(command.fault)
        board.set_up(command.stones, alternate=command.word == "SWAP2BOARD")
        if command.word == "BOARD":
            self._move()
            return
        limits = self._limits(board)
        self._opening = Opening(board, self._thinker, limits, self._post, self._answer_opening, self._rng)
        self._begun = time.perf_counter()
        try:
            self._opening.begin()
        except Exception:
            self._opening = None
            raise

    def _take_info(self, info: ManagerInfo) -> None:
        if info.key == "rule" and info.number is not None:
            self._rule = info.number
            if self._board:
                self._board.rule = info.number
        self._allowance = self._allowance.heard(info)
        if info.key == "timeout_turn" and info.number == 0:
            self._stop()  # managers send this to end a turn early

    # ---- boards ------------------------------------------------------------------------------------------------------

    @property
    def _there(self) -> GomocupBoard:
        """The board; raises BadInput before the first START."""
        if self._board is None:
            raise BadInput("there is no board; START comes first")
        return self._board

    def _start(self, command: Start) -> None:
        """Start on an empty board and compile its game, and renju too, which managers may choose after `START`.

        If the board is refused, the game and its search go on.
        """
        if command.width != command.height:
            raise BadInput(f"boards of {command.width}x{command.height} are not played here; only square ones are")
        board = GomocupBoard(command.width, self._rule)
        if stand_in := self._thinker.stand_in(board.position):
            self._say(message(f"no model plays {board.game.name}; {stand_in} plays"))
        self._warm_up(board)
        self._warm_up(GomocupBoard(board.size, RENJU))
        self._forget()
        self._held.clear()
        self._board = board
        self._seeker.leave()
        self._allowance = msgspec.structs.replace(self._allowance, left_ms=None)
        self._say(OK)

    def _warm_up(self, board: GomocupBoard) -> None:
        """Compile the code of a board's game, if not done before."""
        if board.game.name not in self._warm:
            self._thinker.seat(board.position).warm_up()
            self._warm.add(board.game.name)

    def _show_forbidden(self) -> None:
        board = self._there
        cells = list[int]()
        if board.rule & RENJU and board.to_play == BLACK:
            cells = forbidden_cells(board.position.state)
        self._say(forbidden([board.point(cell) for cell in cells]))

    # ---- moves -------------------------------------------------------------------------------------------------------

    def _limits(self, board: GomocupBoard) -> Limits:
        return self._allowance.limits(
            board.game,
            visits=self._settings.visits,
            overhead_s=self._settings.overhead_s,
            own_moves=min(MOST_MOVES, max(LEAST_MOVES, len(board.free) // 2)),
        )

    def _move(self) -> None:
        """Start a search for a move."""
        board = self._there
        self._begun = time.perf_counter()
        self._seeker.seek(board, self._limits(board))

    def _answer_move(self, point: Point, said: str) -> None:
        self._say(message(said))
        self._there.put(point, self._there.to_play)
        self._answer(point_text(point))

    def _answer_opening(self, text: str, fault: str) -> None:
        self._opening = None
        if fault:
            self._say(message(fault))
        self._answer(text)

    def _answer(self, text: str) -> None:
        """Write the answer of a search, and run the commands that waited for it."""
        self._allowance = self._allowance.spent(time.perf_counter() - self._begun)
        self._say(text)
        self._do_held()

    def _stop(self) -> None:
        """Stop the search early; its best move so far is the answer."""
        self._seeker.stop()
        if self._opening:
            self._opening.stop()

    def _forget(self) -> None:
        """Cancel the search without an answer."""
        self._seeker.forget()
        opening, self._opening = self._opening, None
        if opening:
            opening.forget()
