"""Measures the value of a warm start: `python bench/warm_start.py --out FOLDER` (half an hour or more on one core).

A small network with size-free heads learns the first board.  Each further board is then learned three times with the
same settings.  `fresh` uses the heuristic player in generation 0, like all presets; `blank` uses random playouts, as
for a game without heuristic; `warm` starts from the network of the previous board and has half the generations.  All
generations then play paired games against the last one of `fresh` and against the heuristic player, from the same
openings, and are rated together.  Printed are Elo curves over the number of self-play games, with 95 % errors, relative
to the last generation of `fresh`.  An interrupted measurement can be continued.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import msgspec

from ludus.arena.match import play_match
from ludus.learner.settings import LearnerSettings
from ludus.loop.directory.folder import Folder
from ludus.loop.preset import MatchSettings, Preset
from ludus.loop.run import Run
from ludus.loop.stages.measure import search_for_match
from ludus.loop.stages.stage import Stage
from ludus.loop.stages.start import grown_start
from ludus.network.checkpoint import Checkpoint, load_checkpoint
from ludus.network.config import NetworkSettings
from ludus.network.openvino import evaluator_of
from ludus.players.judging.heuristic import HeuristicEvaluator
from ludus.players.matches.search_player import SearchPlayer
from ludus.rating import rate
from ludus.selfplay.measure import describe_machine
from ludus.selfplay.settings import SelfplaySettings

HEURISTIC = "heuristic"


def train(preset: Preset, folder: Path) -> None:
    """Train, or continue an interrupted training."""
    begun = time.process_time()
    Run(preset, folder, workers=1).go()
    print(f"{folder.name}: {time.process_time() - begun:.0f} s of processor time", flush=True)


def player(name: str, checkpoint: Checkpoint, preset: Preset, visits: int) -> SearchPlayer:
    """Return a match player with a network."""
    return SearchPlayer(name, evaluator_of(checkpoint, threads=1), search_for_match(preset.search), visits=visits)


def entrants(kind: str, preset: Preset, folder: Path, visits: int) -> list[tuple[int, SearchPlayer]]:
    """Return a run's networks with the number of games before each, including the start model."""
    stage = Stage(preset, Folder(folder), preset.make_games(), 1, lambda _event: None)
    found = [(0, player(f"{kind}-start", grown_start(preset, stage.games), preset, visits))] if preset.start else []
    games = 0
    for line in stage.folder.metrics():
        games += line.facts.games
        checkpoint = load_checkpoint(stage.folder.model(line.generation))
        found.append((games, player(f"{kind}-{line.generation}", checkpoint, preset, visits)))
    return found


def curves(arms: dict[str, Preset], arguments: argparse.Namespace) -> dict[str, Any]:
    """Play matches between all generations of all runs; return their curves."""
    out, visits = arguments.out, arguments.visits
    games = arms["fresh"].make_games()
    found = {kind: entrants(kind, preset, out / preset.name, visits) for kind, preset in arms.items()}
    last = found["fresh"][-1][1]
    heuristic = SearchPlayer(HEURISTIC, HeuristicEvaluator(), visits=arguments.heuristic_visits)
    results = [
        play_match(games, one, rival, pairs=arguments.pairs, seed=arguments.seed, opening_actions=4)
        for arm in found.values()
        for _, one in arm
        for rival in (last, heuristic)
        if one is not last or rival is heuristic
    ]
    ratings = {each.name: each for each in rate([match.result for match in results], anchor=last.name)}
    points = {
        kind: [
            {"games": made, "elo": round(ratings[one.name].elo, 1), "error": round(ratings[one.name].error, 1)}
            for made, one in arm
        ]
        for kind, arm in found.items()
    }
    lengths = {
        f"length_{kind}": [round(line.facts.mean_length, 1) for line in Folder(out / preset.name).metrics()]
        for kind, preset in arms.items()
    }
    return points | {"heuristic": round(ratings[HEURISTIC].elo, 1)} | lengths


def presets(arguments: argparse.Namespace) -> list[dict[str, Preset]]:
    """Return the runs of each board by kind; the first board has only a fresh start, from which others continue."""
    first = Preset(
        name="",
        games=arguments.boards[:1],
        generations=arguments.first_generations,
        workers=1,
        seed=arguments.seed,
        network=NetworkSettings(blocks=3, channels=32, head_channels=16, heads="size-free", pooling_every=3),
        selfplay=SelfplaySettings(
            games=arguments.games, visits=64, fast_visits=16, full_share=0.5, random_actions=4, halflife=10.0
        ),
        learner=LearnerSettings(batch=256, passes=6.0, schedule="constant", learning_rate=1e-3),
        match=MatchSettings(pairs=0),
    )
    found = [{"fresh": msgspec.structs.replace(first, name="fresh-0")}]
    half = max(1, arguments.generations // 2)
    before = arguments.out / "fresh-0" / "models" / f"gen-{arguments.first_generations - 1:04}.safetensors"
    for number, board in enumerate(arguments.boards[1:], 1):
        fresh = msgspec.structs.replace(first, name=f"fresh-{number}", games=[board], generations=arguments.generations)
        blank = msgspec.structs.replace(fresh, name=f"blank-{number}", first_teacher="playouts")
        warm = msgspec.structs.replace(fresh, name=f"warm-{number}", start=str(before), generations=half)
        found.append({"warm": warm, "fresh": fresh, "blank": blank})
        before = arguments.out / warm.name / "models" / f"gen-{half - 1:04}.safetensors"
    return found


def main() -> None:
    """Run the command: train on each board, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", nargs="+", default=[f"wallgame:classic:{size}x{size}" for size in (5, 6, 8)])
    parser.add_argument("--generations", type=int, default=8, help="generations of a fresh start")
    parser.add_argument("--first-generations", type=int, default=8, help="generations on the first board")
    parser.add_argument("--games", type=int, default=200, help="games per generation")
    parser.add_argument("--pairs", type=int, default=60, help="pairs of games against each opponent")
    parser.add_argument("--visits", type=int, default=48, help="visits per move in these games")
    parser.add_argument("--heuristic-visits", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True, help="folder of the runs, which can be continued")
    arguments = parser.parse_args()
    for number, arms in enumerate(presets(arguments)):
        for preset in arms.values():
            train(preset, arguments.out / preset.name)
        if number == 0:
            continue
        before, board = arguments.boards[number - 1 : number + 1]
        said = {
            "bench": "warm_start",
            "small": before,
            "large": board,
            "seed": arguments.seed,
            "pairs": arguments.pairs,
        }
        print(json.dumps(said | curves(arms, arguments) | describe_machine()), flush=True)


if __name__ == "__main__":
    main()
