"""The GTP commands that need no search: board, rules, clocks, parameters, records, scores and counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ludus.errors import BadInput
from ludus.files import write_atomically
from ludus.games.go.engines.gtp.board import GtpBoard
from ludus.games.go.engines.gtp.clock import Clocks, read_kgs_times, read_times
from ludus.games.go.engines.gtp.forecast import STATUSES, by_status, dead_stones
from ludus.games.go.engines.gtp.parameters import PARAMETERS, Parameters
from ludus.games.go.engines.gtp.protocol import (
    SYNTAX_ERROR,
    UNACCEPTABLE_SIZE,
    VERSION,
    Command,
    Failure,
    colour,
    number,
    whole,
)
from ludus.games.go.engines.gtp.raw import NUM_SYMMETRIES, raw_output
from ludus.games.go.engines.gtp.rules import changed_rules, kata_rules, read_kgs_rules, read_rules
from ludus.games.go.view import cell_named, vertex
from ludus.version import __version__

GOGUI_COMMANDS = (
    "string/Final Score/final_score",
    "plist/Dead Stones/final_status_list dead",
    "plist/Alive Stones/final_status_list alive",
    "plist/Stones in Seki/final_status_list seki",
    "string/Rules/kata-get-rules",
    "hstring/Network Output/kata-raw-nn 0",
    "hstring/SGF Record/printsgf",
)
"""The commands that GoGui shows in its menu, as type, label and command."""


class Answers:
    """The commands about the board, the clocks and the parameters."""

    def __init__(self, name: str, board: GtpBoard, clocks: Clocks, parameters: Parameters, evaluator: object) -> None:
        """Create the commands of the engine `name`; its evaluator predicts which stones are dead."""
        self._name, self._board, self._clocks = name, board, clocks
        self._parameters, self._evaluator = parameters, evaluator

    def table(self) -> dict[str, Callable[[Command], str]]:
        """Return a function for each command that returns the text of its answer or raises Failure."""
        return {
            "protocol_version": lambda _: VERSION,
            "name": lambda _: self._name,
            "version": lambda _: __version__,
            "boardsize": self._boardsize,
            "query_boardsize": lambda _: str(self._board.size),
            "clear_board": self._clear_board,
            "komi": lambda command: done(self._board.set_komi(number(argument(command)))),
            "get_komi": lambda _: f"{self._board.komi:g}",
            "play": self._play,
            "is_legal": self._is_legal,
            "set_position": self._set_position,
            "undo": self._undo,
            "gg-undo": self._undo,
            "fixed_handicap": lambda command: " ".join(self._board.fixed_handicap(whole(argument(command)))),
            "place_free_handicap": lambda command: " ".join(self._board.free_handicap(whole(argument(command)))),
            "set_free_handicap": lambda command: done(self._board.set_free_handicap(command.arguments)),
            "get_handicap": lambda _: str(self._board.handicap),
            "time_settings": lambda command: done(self._clocks.agree(read_times(command.arguments))),
            "kgs-time_settings": lambda command: done(self._clocks.agree(read_kgs_times(command.arguments))),
            "time_left": self._time_left,
            "kgs-rules": lambda command: done(self._board.set_rules(read_kgs_rules(argument(command)))),
            "kata-set-rules": lambda command: done(self._board.set_rules(read_rules(command.rest))),
            "kata-set-rule": self._set_rule,
            "kata-get-rules": lambda _: kata_rules(self._board.rules),
            "kata-list-params": lambda _: " ".join(PARAMETERS),
            "kata-get-param": lambda command: self._parameters.text(argument(command)),
            "kata-set-param": lambda command: done(self._parameters.change(*arguments(command, 2))),
            "kata-raw-nn": self._raw_output,
            "final_score": lambda _: self._board.score(dead_stones(self._board.position, self._evaluator)),
            "final_status_list": self._final_status_list,
            "loadsgf": self._loadsgf,
            "printsgf": self._printsgf,
            "gogui-analyze_commands": lambda _: "\n".join(GOGUI_COMMANDS),
            "stop": lambda _: "",  # like every line, it ends a running analysis
            "showboard": lambda _: "\n" + self._board.draw(),
            "list_stones": lambda command: " ".join(self._board.stones(colour(argument(command)))),
            "captures": lambda command: str(self._board.taken(colour(argument(command)))),
        }

    def _boardsize(self, command: Command) -> str:
        size = whole(argument(command))
        try:
            self._board.resize(size)
        except BadInput as error:
            raise Failure(UNACCEPTABLE_SIZE) from error
        return ""

    def _clear_board(self, _command: Command) -> str:
        self._board.clear()
        self._clocks.restart()
        return ""

    def _play(self, command: Command) -> str:
        player, text = arguments(command, 2)
        self._board.play(colour(player), self._board.read_vertex(text))
        return ""

    def _is_legal(self, command: Command) -> str:
        player, text = arguments(command, 2)
        return str(int(self._board.is_legal(colour(player), self._board.read_vertex(text))))

    def _set_position(self, command: Command) -> str:
        """Set up stones, given as pairs of colour and vertex; without stones, clear the board."""
        players, names = command.arguments[::2], command.arguments[1::2]
        try:
            cells = [cell_named(name, self._board.size) for name in names]
        except BadInput as error:
            raise Failure(SYNTAX_ERROR) from error
        if not len(players) == len(names) == len(set(cells)):
            raise Failure(SYNTAX_ERROR)
        self._board.set_up(dict(zip(cells, map(colour, players), strict=True)))
        return ""

    def _set_rule(self, command: Command) -> str:
        self._board.set_rules(changed_rules(self._board.rules, *arguments(command, 2)))
        return ""

    def _undo(self, command: Command) -> str:
        self._board.undo(whole(command.arguments[0]) if command.arguments else 1)
        return ""

    def _time_left(self, command: Command) -> str:
        player, seconds, stones = arguments(command, 3)
        self._clocks.tell(colour(player), number(seconds), whole(stones))
        return ""

    def _loadsgf(self, command: Command) -> str:
        if not command.arguments:
            raise Failure(SYNTAX_ERROR)
        path, _, last = command.rest.rpartition(" ")
        if path and last.isdecimal():
            self._board.load(path.strip(), int(last))
        else:
            self._board.load(command.rest, None)
        return ""

    def _printsgf(self, command: Command) -> str:
        """Return the record of the game, or write it to a file."""
        record = self._board.record().rstrip("\n")
        if command.rest in ("", "-"):
            return record
        write_atomically(Path(command.rest), f"{record}\n".encode())
        return ""

    def _raw_output(self, command: Command) -> str:
        wanted = command.arguments[0].lower() if command.arguments else "0"
        numbers = range(NUM_SYMMETRIES) if wanted == "all" else [whole(wanted)]
        if numbers[0] >= NUM_SYMMETRIES:
            raise Failure(SYNTAX_ERROR)
        position = self._board.ready(self._board.position.to_play)
        return "\n".join(raw_output(self._evaluator, position, number) for number in numbers)

    def _final_status_list(self, command: Command) -> str:
        status = argument(command).lower()
        if status not in STATUSES:
            raise Failure(SYNTAX_ERROR)
        groups = by_status(self._board.position, self._evaluator)[status]
        return "\n".join(" ".join(vertex(cell, self._board.size) for cell in group) for group in groups)


def done(_: object) -> str:
    """Return the empty answer of a successful command."""
    return ""


def arguments(command: Command, count: int) -> tuple[str, ...]:
    """Return the first `count` arguments of a command; raise Failure if there are fewer."""
    if len(command.arguments) < count:
        raise Failure(SYNTAX_ERROR)
    return command.arguments[:count]


def argument(command: Command) -> str:
    """Return the only argument of a command; raise Failure if there is none."""
    return arguments(command, 1)[0]
