"""An engine for UCI: handles commands immediately, even during a search."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Iterable
from functools import cache

import msgspec

from ludus.engine.asking import Thinker
from ludus.engine.conversation import Post, Say
from ludus.engine.ladder import Ladder
from ludus.engine.level import Level
from ludus.engine.uci.board import UciBoard, UciGame
from ludus.engine.uci.options import CLEAR, UciSettings, changed, options
from ludus.engine.uci.perft import MAX_PERFT, Perft
from ludus.engine.uci.search import Search, SearchWish
from ludus.errors import BadInput, LudusError
from ludus.players.thinking.seat import ENDLESS, Seat
from ludus.protocol.uci import (
    NO_MOVE,
    Debug,
    GoCommand,
    Plain,
    SetOption,
    SetPosition,
    best_move,
    greeting,
    read,
    remark,
)
from ludus.version import __version__

STOP, PONDER_HIT = Plain("stop"), Plain("ponderhit")


class UciTalker:
    """An engine for UCI.

    A command that changes the position first stops a running search, as `stop` does.  Commands at a wrong time never
    make the engine hang or write `bestmove` twice.

    Attributes:
        is_over: whether the conversation is over.
    """

    def __init__(
        self,
        open_mind: Callable[[UciSettings], Thinker],
        open_game: Callable[[frozenset[str]], UciGame],
        post: Post,
        say: Say,
        *,
        name: str,
        defaults: UciSettings | None = None,
        ladder: Ladder | None = None,
        most_threads: int = 1,
        switches: Iterable[str] = (),
    ) -> None:
        """Create the engine; the model is loaded when first needed.

        Args:
            open_mind: loads the model with the given settings.
            open_game: loads the game with the rules that the switches select.
            post: delivers search results to this thread.
            say: writes a line.
            name: name of the model.
            defaults: default settings.
            ladder: measured levels, for limiting the strength.
            most_threads: upper bound of the option Threads.
            switches: names of the options that select the game's rules.
        """
        self.is_over = False
        self._open_mind, self._post, self._say, self._name = open_mind, post, say, name
        self._open_game = cache(open_game)
        self._settings = defaults or UciSettings()
        self._ladder = ladder
        if ladder:
            self._settings = msgspec.structs.replace(self._settings, elo=ladder.highest)
        self._options = options(self._settings, ladder, most_threads, switches)
        self._debug = False
        self._mind: Thinker | None = None
        self._opened: UciSettings | None = None  # settings with which the model was loaded
        self._board: UciBoard | None = None
        self._wanted = SetPosition()  # the last `position` command
        self._seat: Seat | None = None
        self._search: Search | None = None
        self._perft: Perft | None = None
        self._held: deque[Plain | SetPosition | GoCommand] = deque()  # commands that wait for the search to end

    # ---- input -------------------------------------------------------------------------------------------------------

    def hear(self, line: str) -> None:
        """Handle a line, at once or when the search has ended."""
        command = read(line)
        if command is None:
            if self._debug and line:
                self._say(remark(f"Not understood: {line[:80]}"))
            return
        try:
            self._do(command)
        except LudusError as error:
            self._say(remark(str(error)))

    def end(self) -> None:
        """Stop the search, answer it and the waiting commands, then finish."""
        self._do_in_turn(Plain("quit"))

    def close(self) -> None:
        """Cancel the search and close the model."""
        if self._search:
            self._search.forget()
        if self._mind:
            self._mind.close()

    def _do(self, command: Plain | Debug | SetOption | SetPosition | GoCommand) -> None:
        if isinstance(command, Debug):
            self._debug = command.on
        elif isinstance(command, SetOption):
            self._set(command)
        elif isinstance(command, (SetPosition, GoCommand)) or command.word in ("ucinewgame", "stop", "ponderhit"):
            self._do_in_turn(command)
        elif command.word == "uci":
            offered = [option for option, _ in self._options.values()]
            for line in greeting(f"Ludus {__version__} {self._name}", "the Ludus authors", offered):
                self._say(line)
        elif command.word == "isready":
            try:
                self._prepare()
                self._warm_up()
            except LudusError as error:
                self._say(remark(str(error)))
            finally:
                self._say("readyok")  # even after an error, since programs wait for it
        else:
            self.is_over = True

    def _do_in_turn(self, command: Plain | SetPosition | GoCommand) -> None:
        """Run a command after all earlier ones that wait for the search."""
        self._held.append(command)
        self._do_held()

    def _do_held(self) -> None:
        """Run waiting commands; each of them except `ponderhit` first stops the running search."""
        while self._held:
            command = self._held[0]
            if not (self._search or self._perft):
                self._do_idle(self._held.popleft())
            elif command == PONDER_HIT:
                self._held.popleft()
                if self._search:
                    self._search.ponder_hit()
            else:
                if command == STOP:
                    self._held.popleft()
                self._stop()
                if self._search or self._perft:
                    return

    def _do_idle(self, command: Plain | SetPosition | GoCommand) -> None:
        try:
            if isinstance(command, GoCommand):
                self._go(command)
            elif isinstance(command, SetPosition):
                self._go_to(command)
            elif command.word == "quit":
                self.is_over = True
            elif command.word == "ucinewgame":
                self._seat = None
        except LudusError as error:
            self._say(remark(str(error)))

    def _set(self, command: SetOption) -> None:
        before = self._settings
        self._settings = changed(before, self._options, command)
        if command.name.lower() == CLEAR.lower():
            self._seat = None  # a running search keeps its tree
        if self._settings.switches != before.switches and not self._search:
            self._board = self._seat = None

    def _stop(self) -> None:
        if self._search:
            self._search.stop()
        if self._perft:
            self._perft.stop()

    # ---- the model and the board -------------------------------------------------------------------------------------

    def _prepare(self) -> Thinker:
        """Load the model with the current settings, or with the previous ones if that fails; not during a search."""
        settings = self._settings
        wanted = (settings.threads, settings.megabytes)
        if self._mind and (self._search or (self._opened and wanted == (self._opened.threads, self._opened.megabytes))):
            return self._mind
        former, self._mind, self._seat = (
            self._mind,
            None,
            None,
        )  # forget it first, so that a failure below does not leave a closed model
        if former:
            former.close()
        try:
            self._mind = self._open_mind(settings)
        except Exception as error:
            if self._opened is None or wanted == (self._opened.threads, self._opened.megabytes):
                raise
            self._say(remark(str(error)))
            threads, megabytes = self._opened.threads, self._opened.megabytes
            self._settings = msgspec.structs.replace(settings, threads=threads, megabytes=megabytes)
            self._mind = self._open_mind(self._settings)
        self._opened = self._settings
        return self._mind

    def _warm_up(self) -> None:
        """Compile the rules before the first position arrives, since the clock then runs."""
        position = self._game.start("")
        _ = position.play(position.actions[0]).outcome

    @property
    def _game(self) -> UciGame:
        """The game with the rules of the current settings."""
        return self._open_game(self._settings.switches)

    def _go_to(self, command: SetPosition) -> None:
        self._wanted = command
        board = self._board_there()
        if board:
            self._board = board

    def _board_there(self) -> UciBoard | None:
        """Return the board at the last `position`; None, with a remark, if that position is invalid."""
        board = self._board
        if board is None or board.game is not self._game:
            board, self._seat = UciBoard(self._game), None
        try:
            played = board.follow(self._wanted)
        except BadInput as error:
            self._say(remark(str(error)))
            self._board = self._seat = None
            return None
        if played is None:
            self._seat = None
        elif self._seat:
            for action in played:
                self._seat.play(action)
        self._board = board
        return board

    # ---- searching ---------------------------------------------------------------------------------------------------

    def _go(self, go: GoCommand) -> None:
        if go.strange:
            self._say(remark(f"Not understood: {' '.join(go.strange)[:80]}"))
        board = self._board if self._board and self._board.game is self._game else self._board_there()
        if board is None:
            if not go.perft:  # perft answers with a count, never with a move
                self._say(best_move(NO_MOVE))
            return
        if go.perft > MAX_PERFT:
            raise BadInput(f"go perft {go.perft}: {MAX_PERFT} is the most.")
        if go.perft:
            self._perft = Perft(board, go.perft, self._post, self._say, self._ended)
            return
        only, others = board.actions_named(go.searchmoves)
        if others:
            self._say(remark(f"These moves may not be played: {' '.join(others)[:80]}"))
        try:
            if not board.position.outcome:
                mind = self._prepare()
                luck = secrets.randbits(32)  # a different seed for each game
                self._seat = self._seat or mind.seat(board.position, seed=luck)
        except Exception as error:  # noqa: BLE001 - the program waits for a move
            self._say(remark(str(error)))
            self._seat = None
        settings = self._settings
        level = self._ladder.level_at(settings.elo) if self._ladder and settings.limited else Level(visits=ENDLESS)
        wish = SearchWish(
            go,
            only=tuple(only),
            lines=settings.lines,
            shows_wdl=settings.shows_wdl,
            temperature=level.temperature,
            most_visits=level.visits,
            overhead_s=settings.overhead_ms / 1000.0,
        )
        seat = None if board.position.outcome else self._seat
        self._search = Search(wish, board, seat, self._post, self._say, self._ended)
        self._search.begin()

    def _ended(self) -> None:
        self._search = self._perft = None
        self._post(self._do_held)
