"""Measures the response time of an engine process over its JSON lines, as a game server sees it."""

import json
import subprocess
import time
from collections.abc import Sequence
from statistics import median
from typing import Any

import msgspec

from ludus.errors import BadNotation, Unavailable
from ludus.games.registry import game as find_game
from ludus.protocol.spec import setting_of
from ludus.trust import COMMAND

STARTS = 20  # start positions that the engine has not seen


class FirstAnswer(msgspec.Struct, frozen=True):
    """Times of a warmed-up engine from the start of a session to its first evaluation, in milliseconds."""

    visits: int
    own_start_ms: float
    """From the game's usual start position, which is in the evaluation cache."""
    median_ms: float
    """Over start positions that are not in the evaluation cache."""
    worst_ms: float


class EngineTalk:
    """An engine process that answers one request at a time."""

    def __init__(self, arguments: Sequence[str]) -> None:
        """Start `ludus engine` with the arguments."""
        self._process = subprocess.Popen(
            [*COMMAND, "engine", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> "EngineTalk":
        """Return the running engine."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the engine's input and wait for its end."""
        self._process.communicate()

    @property
    def pid(self) -> int:
        """Return the engine's process id."""
        return self._process.pid

    def tell(self, **question: object) -> None:
        """Send a request."""
        assert self._process.stdin, "opened as a pipe"
        self._process.stdin.write(json.dumps(question).encode() + b"\n")
        self._process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """Return the next response; raise Unavailable if the engine has ended."""
        assert self._process.stdout, "opened as a pipe"
        line = self._process.stdout.readline()
        if not line:
            raise Unavailable(f"The engine ended with status {self._process.wait()}; start it by hand to see why.")
        return json.loads(line)

    def ask(self, **question: object) -> dict[str, Any]:
        """Send a request and return its response; raise Unavailable if it fails."""
        self.tell(**question)
        answer = self.hear()
        if not answer["success"]:
            raise Unavailable(f"The engine reports an error: {answer['error']}")
        return answer


def session_config(spec: str, setup: object = None) -> dict[str, object]:
    """Return the `config` of a session of the game `spec`, with an optional setup of its first position."""
    setting, found = setting_of(spec), find_game(spec)
    board = found.start().describe()
    return {
        "game": setting.game,
        "variant": setting.variant,
        "boardWidth": setting.width or max(3, board.columns),
        "boardHeight": setting.height or max(3, board.rows),
        "initialState": found.setup(found.start_state(setup)),
    }


def measure_first_answer(model: str, spec: str, *, visits: int, threads: int) -> FirstAnswer:
    """Start an engine, warm it up, and time the start and first evaluation of new sessions.

    Args:
        model: folder of the model.
        spec: one of the model's games.
        visits: visits of each search.
        threads: processor threads of the network.
    """
    arguments = ["bgs", "--model", model, "--visits", str(visits), "--threads", str(threads)]
    with EngineTalk(arguments) as engine:

        def first_answer_ms(session: str, setup: object) -> float:
            config = session_config(spec, setup)
            begun = time.perf_counter()
            engine.ask(type="start_game_session", bgsId=session, botId="bench", config=config)
            engine.ask(type="evaluate_position", bgsId=session, expectedPly=0)
            return 1e3 * (time.perf_counter() - begun)

        first_answer_ms("warm", None)
        own = [first_answer_ms(f"own{number}", None) for number in range(3)]
        try:
            others = [first_answer_ms(f"new{number}", f"random:{number}") for number in range(STARTS)]
        except BadNotation:  # the game has no random start positions
            others = own
        return FirstAnswer(visits, median(own), median(others), max(others))
