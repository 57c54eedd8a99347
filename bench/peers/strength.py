"""Measures strength against training time: Ludus, OpenSpiel's AlphaZero and a plain PyTorch loop train equally long.

    python bench/peers/strength.py --game connect4 --minutes 60 --out runs/strength
    python bench/peers/strength.py --game tictactoe --minutes 60 --out runs/strength tutorial

The programs train one after another, each on all cores, as its own documents say.  Then checkpoints of each, at equal
times, choose a move in each solved position, alone and with their own search.  Prints one JSON line for each: the
share of moves that keep the outcome, in percent, and its 95 % interval.  A finished training is not repeated.
OpenSpiel needs an environment of its own, which the first call installs under `build/peers`.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from environment import python_of

import ludus
from ludus.arena.share import interval_of, share_of
from ludus.games.game import Game, Position
from ludus.games.registry import about
from ludus.network.checkpoint import load_checkpoint
from ludus.network.openvino import evaluator_of
from ludus.players.matches.search_player import SearchPlayer
from ludus.search.settings import SearchSettings
from ludus.seeding import stream
from ludus.selfplay.measure import describe_machine

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CONNECT4 = ROOT / "tests/golden/connect4-solved.jsonl.gz"
MOST_POSITIONS = 1000
OPENSPIEL = ("open_spiel==2.0.2", "jax", "flax", "optax", "orbax-checkpoint", "chex")
LUDUS = {  # presets by program and game
    "ludus": {"connect4": "connect4-laptop", "tictactoe": "tictactoe-smoke"},
    "ludus-discs": {"connect4": str(ROOT / "docs/runs/connect4-plain.toml")},  # no planes that look ahead, no foresight
}
PEERS = {"openspiel": HERE / "openspiel_az.py", "tutorial": HERE / "tutorial.py"}
PATTERN = {"openspiel": "checkpoint-[0-9]*", "tutorial": "checkpoint-*.pt"}


class Solved(NamedTuple):
    """A position with a choice that matters."""

    actions: list[int]
    """The actions from the start to the position."""
    right: set[int]
    """The actions that keep the outcome."""


class Checkpoint(NamedTuple):
    """A network of a training."""

    seconds: float
    """Time from the start of the training until it was written."""
    path: Path


def solved_connect4() -> list[Solved]:
    """Return the golden positions of Connect Four."""
    read, game, found = about("connect4").read_solved, ludus.game("connect4"), list[Solved]()
    assert read, "Connect Four brings solved positions"
    for each in read(CONNECT4):
        position, actions = game.start(), list[int]()
        for move in each.moves:
            actions += position.parse(move)
            position = position.play(move)
        found.append(Solved(actions, {action for action in position.actions if position.text(action) in each.right}))
    return found


def solved_tictactoe() -> list[Solved]:
    """Return positions of Tic-tac-toe in which some move is wrong, solved by trying all continuations."""
    known: dict[bytes, int] = {}
    found: dict[bytes, Solved] = {}

    def value(position: Position, actions: list[int]) -> int:
        """Return 1, 0 or -1 for player 0, and note the position."""
        key = position.state.tobytes()
        if key not in known:
            if position.outcome:
                known[key] = 0 if position.outcome.winner is None else 1 - 2 * position.outcome.winner
            else:
                after = {each: value(position.play(each), [*actions, each]) for each in position.actions}
                known[key] = (max if position.to_play == 0 else min)(after.values())
                right = {each for each, seen in after.items() if seen == known[key]}
                if len(right) < len(after):
                    found[key] = Solved(actions, right)
        return known[key]

    value(ludus.game("tictactoe").start(), [])
    chosen = stream(0, "tictactoe").permutation(len(found))[:MOST_POSITIONS]
    return [[*found.values()][index] for index in chosen]


GAMES = {"connect4": solved_connect4, "tictactoe": solved_tictactoe}


def command(program: str, game: str, out: Path) -> list[str]:
    """Return the command that trains a program."""
    if program in LUDUS:
        return [sys.executable, "-m", "ludus", "train", LUDUS[program][game], "--run", str(out)]
    return [str(python_for(program)), str(PEERS[program]), "train", "--game", game, "--out", str(out)]


def python_for(program: str) -> Path:
    """Return the Python that runs a peer."""
    return python_of(*OPENSPIEL) if program == "openspiel" else Path(sys.executable)


def train(program: str, game: str, out: Path, seconds: float) -> float:
    """Train a program for some time, unless it has been; return when it began, in seconds since the epoch."""
    done = out / "trained.json"
    if not done.is_file():
        shutil.rmtree(out, ignore_errors=True)
        line = command(program, game, out / "run")
        out.mkdir(parents=True)
        begun = time.time()
        with (out / "log.txt").open("wb") as log:
            process = subprocess.Popen(line, stdout=log, stderr=log, start_new_session=True)
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                pass
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)  # also its actors
                    process.wait()
        done.write_text(json.dumps({"begun": begun, "seconds": time.time() - begun, "command": line}))
    return json.loads(done.read_text())["begun"]


def checkpoints(program: str, out: Path, begun: float) -> list[Checkpoint]:
    """Return the networks of a training, the first one first."""
    pattern = f"run/{PATTERN.get(program, 'models/gen-*.safetensors')}"
    whole = [path for path in out.glob(pattern) if path.suffix == Path(pattern).suffix]  # unfinished ones have another
    return sorted(Checkpoint(path.stat().st_mtime - begun, path) for path in whole)


def chosen(found: list[Checkpoint], seconds: float, count: int) -> list[Checkpoint]:
    """Return the newest network at each of `count` equally distant times up to the end, without repetitions."""
    times = [seconds * (number + 1) / count for number in range(count)]
    newest = [max((each for each in found if each.seconds <= at), default=None) for at in times]
    return [*dict.fromkeys(each for each in newest if each is not None)]


def answers(
    program: str, game: Game, checkpoint: Checkpoint, solved: list[Solved], visits: int
) -> dict[str, list[int]]:
    """Return a network's moves in all positions, by `alone` and `searched`."""
    if program in LUDUS:
        model = load_checkpoint(checkpoint.path)
        board, evaluator = ludus.game(next(iter(model.info.games))), evaluator_of(model)
        states = np.stack([reached(board, each.actions).state.view(np.uint64) for each in solved])
        search = SearchSettings(foresight=program == "ludus")
        players = {"alone": 1, "searched": visits}
        return {
            how: SearchPlayer(how, evaluator, search, visits=number).choose(board, states).tolist()
            for how, number in players.items()
        }
    asked = checkpoint.path.parent / "positions.json"
    asked.write_text(json.dumps([each.actions for each in solved]))
    line = [str(python_for(program)), str(PEERS[program]), "answer", "--game", game.name, "--positions", str(asked)]
    line += ["--checkpoint", str(checkpoint.path), "--visits", str(visits)]
    said = subprocess.run(line, stdout=subprocess.PIPE, check=True, text=True).stdout
    lines = [json.loads(each) for each in said.splitlines() if each.startswith("{")]
    return {how: [line[how] for line in lines] for how in ("alone", "searched")}


def reached(game: Game, actions: list[int]) -> Position:
    """Return the position after some actions."""
    position = game.start()
    for action in actions:
        position = position.play(action)
    return position


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", help=f"{', '.join([*LUDUS, *PEERS])} (default: all)")
    parser.add_argument("--game", choices=GAMES, required=True)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--visits", type=int, default=200, help="simulations of each program's search")
    parser.add_argument("--points", type=int, default=6, help="checkpoints of each training to judge")
    parser.add_argument("--positions", type=int, default=MOST_POSITIONS, help="number of solved positions")
    parser.add_argument("--out", type=Path, required=True, help="folder of the trainings")
    given = parser.parse_args()
    known = [name for name in (*LUDUS, *PEERS) if given.game in LUDUS.get(name, GAMES)]
    if unknown := set(given.programs) - set(known):
        raise SystemExit(f"There is no program {min(unknown)!r} for {given.game}; known: {', '.join(known)}.")
    solved, game = GAMES[given.game]()[: given.positions], ludus.game(given.game)
    for program in given.programs or known:
        out, seconds = given.out / given.game / program, 60.0 * given.minutes
        begun = train(program, given.game, out, seconds)
        for checkpoint in chosen(checkpoints(program, out, begun), seconds, given.points):
            line = {"program": program, "game": given.game, "minutes": round(checkpoint.seconds / 60, 2)}
            for how, moves in answers(program, game, checkpoint, solved, given.visits).items():
                kept = sum(move in each.right for move, each in zip(moves, solved, strict=True))
                line[how] = round(100 * share_of(kept, len(solved)), 1)
                line[f"{how}_interval"] = [round(100 * end, 1) for end in interval_of(kept, len(solved))]
            print(
                json.dumps(line | {"visits": given.visits, "positions": len(solved)} | describe_machine()), flush=True
            )


if __name__ == "__main__":
    main()
