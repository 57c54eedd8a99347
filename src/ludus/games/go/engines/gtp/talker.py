"""A Go engine for GTP: answers commands in order; an analysis runs until the next command."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable

import msgspec

from ludus.engine.asking import Asking
from ludus.engine.conversation import Post, Say
from ludus.errors import LudusError
from ludus.games.game import Position
from ludus.games.go.engines.gtp.analysis import allowed_actions, info_line, shown
from ludus.games.go.engines.gtp.board import GtpBoard
from ludus.games.go.engines.gtp.clock import Clocks
from ludus.games.go.engines.gtp.commands import Answers, argument
from ludus.games.go.engines.gtp.forecast import (
    Forecast,
    all_but_pass,
    cleaning_up,
    outlook,
    pass_wins,
    without_lost_pass,
)
from ludus.games.go.engines.gtp.keeper import Keeper
from ludus.games.go.engines.gtp.parameters import GtpSettings, Parameters
from ludus.games.go.engines.gtp.players import GoPlayer
from ludus.games.go.engines.gtp.protocol import (
    ANALYZE,
    GENMOVE_ANALYZE,
    UNKNOWN_COMMAND,
    AnalyzeWish,
    Command,
    Failure,
    colour,
    failure,
    read_command,
    read_wish,
    success,
)
from ludus.games.go.view import pass_action
from ludus.players.thinking.seat import ENDLESS, Limits
from ludus.players.thinking.thought import Thought
from ludus.viewpoint import turn

_log = logging.getLogger(__name__)

SET_UP = frozenset(
    ("boardsize", "clear_board", "set_position", "loadsgf", "kgs-rules", "kata-set-rules", "kata-set-rule")
)
"""Commands after which code is compiled, so that a clock does not run meanwhile."""
FREE_PLAYOUTS = 16
"""Playouts that predict the owner of each point during an analysis without a network."""
LEAST_S = 0.01
"""Fewest seconds between two lines of an analysis."""

Then = Callable[[Thought | None], object]
"""Called with the result of a search; None: the search failed."""


class GtpTalker:
    """An engine for GTP; searches run in other threads and return by `post`."""

    def __init__(self, player: GoPlayer, post: Post, say: Say, *, settings: GtpSettings | None = None) -> None:
        """Create the engine; `post` delivers search results, and `say` writes answers."""
        self._player, self._seat, self._say = player, Keeper(player.seat).at, say
        self._asking = Asking(post)
        settings = settings or GtpSettings()
        self._parameters, self._evaluator = Parameters(settings), player.evaluator
        self._board = GtpBoard(player.find, settings.size, settings.rules, settings.komi)
        self._clocks = Clocks()
        self._waiting: deque[str] = deque()
        self._warm: set[str] = set()  # names of the games whose code is compiled
        self._command: Command | None = None  # command whose answer needs a search
        self._begun = 0.0  # start of the search for a move
        self._analysing = False  # until the next line
        self._ends = self.is_over = False
        self._commands = self._table()

    def _table(self) -> dict[str, Callable[[Command], str | None]]:
        """Return a function for each command that returns the answer's text, or None if the answer comes later."""
        table: dict[str, Callable[[Command], str | None]] = {
            **Answers(self._player.name, self._board, self._clocks, self._parameters, self._evaluator).table(),
            "known_command": lambda command: str(argument(command).lower() in self._commands).lower(),
            "list_commands": lambda _: "\n".join(sorted(self._commands)),
            "quit": self._quit,
            "genmove": self._genmove,
            "reg_genmove": self._genmove,
            "kgs-genmove_cleanup": self._genmove_cleanup,
        }
        return table | dict.fromkeys((*ANALYZE, *GENMOVE_ANALYZE), self._analyze)

    # ---- the conversation --------------------------------------------------------------------------------------------

    def hear(self, line: str) -> None:
        """Handle a line after the earlier ones; it ends a running analysis."""
        self._waiting.append(line)
        if self._analysing:
            self._stop_analysing()
        self._go_on()

    def end(self) -> None:
        """Finish once all commands are answered; a second call also stops the running search."""
        if self._ends:
            self._waiting.clear()
            self._asking.stop()
        self._ends = True
        if self._analysing:
            self._stop_analysing()
        self._go_on()

    def close(self) -> None:
        """Cancel the running search and close the player."""
        self._asking.drop()
        self._player.close()

    def _go_on(self) -> None:
        while self._waiting and self._command is None and not self.is_over:
            command = read_command(self._waiting.popleft())
            if command:
                self._answer(command)
            if self._analysing and (self._waiting or self._ends):  # the next line is already here
                self._stop_analysing()
        self.is_over = self.is_over or (self._ends and self._command is None and not self._waiting)

    def _answer(self, command: Command) -> None:
        act = self._commands.get(command.name) or self._commands.get(command.name.lower())
        try:
            if act is None:
                raise Failure(UNKNOWN_COMMAND)
            text = act(command)
            if command.name.lower() in SET_UP:
                self._warm_up()
        except Exception as error:  # noqa: BLE001 - the controller waits for an answer even after an unexpected error
            self._refuse(command, error)
            return
        if text is not None:
            self._say(success(command, text))

    def _warm_up(self) -> None:
        """Compile the code that a move in this game needs, if not done before."""
        position = self._board.position
        if position.game.name in self._warm or position.outcome:
            return
        self._warm.add(position.game.name)
        try:
            self._seat(position).warm_up()
            _ = Forecast(self._evaluator, position, 1).owners
        except Exception as error:  # noqa: BLE001 - the search for a move reports an error that remains
            _log.info("Compiling ahead of the first move failed: %s", error)

    def _refuse(self, command: Command, error: Exception) -> None:
        """Answer a command with an error."""
        text = str(error)
        if not isinstance(error, (Failure, LudusError)):
            _log.error("A command failed.", exc_info=error)
            text = f"internal error: {error!r}"
        self._command = None
        self._say(failure(command, text))

    def _quit(self, _command: Command) -> str:
        self.is_over = True
        return ""

    # ---- commands that need a search ---------------------------------------------------------------------------------

    def _genmove(self, command: Command) -> None:
        self._begin_move(command, colour(argument(command)), AnalyzeWish(), analyses=False)

    def _genmove_cleanup(self, command: Command) -> None:
        player = colour(argument(command))
        only = cleaning_up(self._board.ready(player), self._evaluator)
        self._begin_move(command, player, AnalyzeWish(), analyses=False, only=only)

    def _analyze(self, command: Command) -> None:
        wish = read_wish(command.arguments)
        board, player = self._board, self._board.position.to_play if wish.mover is None else wish.mover
        if command.name.lower() in GENMOVE_ANALYZE:
            self._begin_move(command, player, wish, analyses=True)
            return
        position = board.ready(player)
        only = self._considered(position, player, wish)
        only = None if only is None else without_lost_pass(position, self._evaluator, only)
        self._say(f"={command.id}")
        self._command, self._analysing = command, True
        if only is not None:
            show = self._shows(position, player, command, wish)

            def keep_showing(thought: Thought | None) -> None:
                """Show the result of a search that has ended again and again, since programs expect lines."""
                show(thought)
                if thought:
                    self._asking.later(max(LEAST_S, wish.interval_s), lambda: keep_showing(thought))

            limits = Limits(ENDLESS, only=only, prunes=True)
            self._ask(command, position, limits, keep_showing, tell=show, every_s=wish.interval_s)

    def _considered(self, position: Position, player: int, wish: AnalyzeWish) -> tuple[int, ...] | None:
        """Return the actions to consider, as `allowed_actions` does, under the restrictions of a player."""
        avoid = {self._board.read_vertex(name) for who, names, _ in wish.avoid if who == player for name in names}
        allow = {self._board.read_vertex(name) for who, names, _ in wish.allow if who == player for name in names}
        return allowed_actions(position, avoid, allow)

    def _begin_move(
        self, command: Command, player: int, wish: AnalyzeWish, *, analyses: bool, only: tuple[int, ...] = ()
    ) -> None:
        """Search for a move, only among the actions `only` if given, and play it."""
        self._warm_up()  # in a game of the start-up options, which no command has set up
        position = self._board.ready(player)
        considered = only or self._considered(position, player, wish)  # before any output: may raise Failure
        self._command, self._begun = command, time.perf_counter()
        if analyses:
            self._say(f"={command.id}")
        wins = None if only else pass_wins(position, self._evaluator)  # as searches cannot see
        if considered is None or (wins and (not considered or pass_action(position.state) in considered)):
            self._move(command, player, None)
            return
        if wins is False:
            considered = all_but_pass(position, considered) or considered
        size = self._board.size
        expected = max(20, (size * size - self._board.num_moves) // 3)
        limits = self._parameters.limited(self._clocks.limits(player, self._parameters.settings.visits, expected))
        show = self._shows(position, player, command, wish)

        def move(thought: Thought | None) -> None:
            if analyses:
                show(thought)
            self._move(command, player, thought)

        tell = show if analyses else None
        limits = msgspec.structs.replace(limits, only=considered)
        self._ask(command, position, limits, move, tell=tell, every_s=wish.interval_s)

    def _ask(
        self, command: Command, position: Position, limits: Limits, then: Then, *, tell: Then | None, every_s: float
    ) -> None:
        def found(thought: Thought) -> None:
            try:
                then(thought)
            except Exception as error:  # noqa: BLE001 - as in `_answer`
                self._lose(command, error, then)

        try:
            self._asking.ask(
                self._seat(position),
                msgspec.structs.replace(limits, lines=10 if tell else 0),
                found,
                lambda error: self._lose(command, error, then),
                tell=tell,
                every_s=max(LEAST_S, every_s),
            )
        except Exception as error:  # noqa: BLE001 - as in `_answer`
            self._lose(command, error, then)

    def _lose(self, command: Command, error: Exception, then: Then) -> None:
        """Answer a command whose search failed; an analysis, whose answer has begun, ends without a result."""
        if command.name.lower() in (*ANALYZE, *GENMOVE_ANALYZE):
            _log.error("A search failed.", exc_info=error)
            then(None)
        else:
            self._refuse(command, error)
            self._go_on()

    def _shows(self, position: Position, player: int, command: Command, wish: AnalyzeWish) -> Then:
        """Return a function that writes the candidates of a search result as one line."""
        kata, forecast = command.name.lower().startswith("kata"), Forecast(self._evaluator, position, FREE_PLAYOUTS)

        def show(thought: Thought | None) -> None:
            if thought is None:
                return
            candidates = shown(thought, player, wish)
            actions = [each.action for each in candidates]
            expected = (
                outlook(forecast, actions, ownership=wish.ownership, moves_ownership=wish.moves_ownership)
                if kata
                else None
            )
            line = info_line(self._board, player, thought, candidates, wish, expected)
            if line:
                self._say(line)

        return show

    def _move(self, command: Command, player: int, thought: Thought | None) -> None:
        """Play and report the move of a search; pass if there is none, resign if the value is too low."""
        board, text = self._board, "pass"
        if thought:
            text = board.text(thought.best[0])
            if turn(thought.value, player) < self._parameters.settings.resign_below:
                text = "resign"
        if command.name.lower() != "reg_genmove" and text != "resign":
            board.play(player, board.read_vertex(text))
            self._clocks.spend(player, time.perf_counter() - self._begun)
        self._command = None
        if command.name.lower() in GENMOVE_ANALYZE:
            self._say(f"play {text}\n")
        else:
            self._say(success(command, text))
        self._go_on()

    def _stop_analysing(self) -> None:
        self._analysing = False
        self._asking.drop()
        self._command = None
        self._say("")
