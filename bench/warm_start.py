"""What a warm start is worth: `python bench/warm_start.py --out FOLDER` (half an hour and more on one core).

A small network with size-free heads learns the first of some boards.  Each further board is then learned three times at
the same settings: `fresh`, whose first generation is the heuristic player's, as in every preset; `blank`, whose first
generation is random playouts', for a game that has no heuristic; and `warm`, from the network that knows the board
before, which gets half the generations.  Then every generation plays paired games against the fresh start's last one
and against the heuristic player, from the same openings, and all are rated together.  Printed are the curves: Elo over
games of self-play, with 95 % errors, 0 being the fresh start's last generation.  What is interrupted goes on.
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
    """Train, or go on with what was interrupted."""
    begun = time.process_time()
    Run(preset, folder, workers=1).go()
    print(f"{folder.name}: {time.process_time() - begun:.0f} s of processor time", flush=True)


def player(name: str, checkpoint: Checkpoint, preset: Preset, visits: int) -> SearchPlayer:
    """Return a network as it plays in matches."""
    return SearchPlayer(name, evaluator_of(checkpoint, threads=1), search_for_match(preset.search), visits=visits)


def entrants(kind: str, preset: Preset, folder: Path, visits: int) -> list[tuple[int, SearchPlayer]]:
    """Return the networks of a run with the number of games after which each was made, its beginning included."""
    stage = Stage(preset, Folder(folder), preset.make_games(), 1, lambda _event: None)
    found = [(0, player(f"{kind}-start", grown_start(preset, stage.games), preset, visits))] if preset.start else []
    games = 0
    for line in stage.folder.metrics():
        games += line.facts.games
        checkpoint = load_checkpoint(stage.folder.model(line.generation))
        found.append((games, player(f"{kind}-{line.generation}", checkpoint, preset, visits)))
    return found


def curves(arms: dict[str, Preset], arguments: argparse.Namespace) -> dict[str, Any]:
    """Let all generations of all runs play, and return their curves."""
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
    """Return, for each board, its runs by kind; the first board has a fresh start alone, on which the others build."""
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
    """Train on each board, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", nargs="+", default=[f"wallgame:classic:{size}x{size}" for size in (5, 6, 8)])
    parser.add_argument("--generations", type=int, default=8, help="of a fresh start")
    parser.add_argument("--first-generations", type=int, default=8, help="of the first board")
    parser.add_argument("--games", type=int, default=200, help="of a generation")
    parser.add_argument("--pairs", type=int, default=60, help="of games against each opponent")
    parser.add_argument("--visits", type=int, default=48, help="of a move in these games")
    parser.add_argument("--heuristic-visits", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True, help="the runs lie here and can be continued")
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
