"""Plays a level of a model as bots of the site play it, by machine code, against the same level as browsers play it.

python bench/browser_match.py --model models/connect4 --level 30,0.5 --games 100 [--json FILE]

The browser's side is the package web/engine in node with onnxruntime-web: the same search as WebAssembly, and another
runtime for the network.  The games of a pair have the same random opening and swapped sides.  A difference of strength
would show that levels which were measured by machine code do not hold in browsers.
"""

import argparse
import importlib.util
import json
import random
import subprocess
import tempfile
import time
from pathlib import Path

from record_file import append_record

from ludus.browser.export import export
from ludus.engine.level import Level, read_level
from ludus.games.game import Position
from ludus.games.registry import game as find_game
from ludus.network.checkpoint import load_checkpoint
from ludus.players.thinking.mind import Mind
from ludus.rating.elo import elo_of_pairs
from ludus.selfplay.measure import describe_machine

HERE = Path(__file__).parent
OPENING_ACTIONS = 4


class Native:
    """The level by machine code, as an engine plays it."""

    def __init__(self, model: Path, level: Level) -> None:
        self._mind, self._level = Mind.load(model), level
        self.seconds = 0.0

    def begin(self, position: Position, seed: int) -> None:
        self._seat = self._mind.seat(position, seed=seed)

    def play(self, action: int) -> None:
        self._seat.play(action)

    def choose(self, position: Position) -> int:
        begun = time.perf_counter()
        temperature = self._level.temperature_at(position.num_actions_played)
        found = self._seat.ask(self._level.visits, temperature, seconds=60.0).result()
        self.seconds += time.perf_counter() - begun
        return found.best[0]


class Browser:
    """The level as a page plays it, in node."""

    def __init__(self, folder: Path, spec: str, level: Level) -> None:
        command = [node(), "--no-warnings", HERE / "browser_match.ts", folder]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._spec, self._level = spec, level
        self.seconds = 0.0

    def begin(self, position: Position, seed: int) -> None: ...

    def play(self, action: int) -> None: ...

    def choose(self, position: Position) -> int:
        begun = time.perf_counter()
        actions = [each.action for each in position.history[1:]]
        temperature = self._level.temperature_at(position.num_actions_played)
        limits = {"visits": self._level.visits, "seconds": 60, "temperature": temperature}
        asked = {"position": {"game": self._spec, "actions": actions}, "limits": limits}
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        best = json.loads(self._process.stdout.readline())
        self.seconds += time.perf_counter() - begun
        return best[0]

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait()


def play(position: Position, players: list[Native | Browser], seed: int) -> tuple[float, int]:
    """Return the points of the player that moves first after the opening, and the number of actions until the end."""
    for player in players:
        player.begin(position, seed)
    first = position.to_play
    while position.outcome is None:
        action = players[position.to_play != first].choose(position)
        position = position.play(action)
        for player in players:
            player.play(action)
    value = position.outcome.value
    return (1 + (value if first == 0 else -value)) / 2, position.num_actions_played


def opening(start: Position, luck: random.Random) -> Position:
    """Return the position after random actions, before the game ends."""
    while True:
        position = start
        for _ in range(OPENING_ACTIONS):
            position = position.play(luck.choice(position.actions))
        if position.outcome is None:
            return position


def node() -> Path:
    """Return the path of node, as the page's build finds it."""
    spec = importlib.util.spec_from_file_location("build", HERE.parent / "web" / "build.py")
    assert spec, "the script of the page's build is there"
    assert spec.loader, "it is a file"
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    return build.node()


def main() -> None:
    """Run the command: export the model, play, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, default=Path("models/connect4"))
    parser.add_argument("--level", default="30,0.5", help="as in `ludus engine bgs --level`")
    parser.add_argument("--games", type=int, default=100, help="an even number")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="append the result to this file")
    options = parser.parse_args()
    level = read_level(options.level)
    native, luck = Native(options.model, level), random.Random(options.seed)
    game = find_game(native._mind.games[0])
    counts = [0] * 5  # pairs in which the browser's side had 0, 0.5, ... 2 points
    num_actions = 0
    with tempfile.TemporaryDirectory() as folder:
        export(options.model, load_checkpoint(options.model), [game], Path(folder), licence="")
        spec = json.loads(Path(folder, "manifest.json").read_text())["games"][0]["spec"]
        browser = Browser(Path(folder), spec, level)
        for number in range(options.games // 2):
            position, points = opening(game.start(), luck), 0.0
            for players in ([browser, native], [native, browser]):
                found, length = play(position, players, number)
                points += found if players[0] is browser else 1 - found
                num_actions += length
            counts[round(2 * points)] += 1
            print(f"{2 * number + 2} games: {sum(at * count for at, count in enumerate(counts)) / 2:g} points")
        browser.close()
    elo, error = elo_of_pairs(counts)
    record = {"bench": "browser match", "model": str(options.model), "level": options.level, "games": options.games}
    record |= {"pairs": counts, "points": sum(at * count for at, count in enumerate(counts)) / 2}
    record |= {"elo": round(elo), "elo_error": round(error), "actions": num_actions}
    record |= {"native_s": round(native.seconds, 1), "browser_s": round(browser.seconds, 1)}
    print(json.dumps(record | describe_machine()))
    append_record(options.json, record | describe_machine())


if __name__ == "__main__":
    main()
