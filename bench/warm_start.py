"""What a warm start is worth: `python bench/warm_start.py --out FOLDER` (a quarter of an hour and more).

A network learns a small board, or is given (`--start`).  Then a larger one is learned twice at the same settings, from
nothing and from that network, which gets half the generations; each generation plays the heuristic player.  Printed are
both curves, Elo over games of self-play with 95 % errors, and how many games each needs to reach the level of the fresh
start's last generation.
"""

import argparse
import json
from pathlib import Path

import msgspec

from ludus.learner.settings import LearnerSettings
from ludus.loop.folder import Folder
from ludus.loop.preset import MatchSettings, Preset
from ludus.loop.run import Run
from ludus.network.checkpoint import load_checkpoint
from ludus.network.config import NetworkSettings
from ludus.selfplay.measure import describe_machine
from ludus.selfplay.settings import SelfplaySettings


def curve(preset: Preset, folder: Path) -> list[dict[str, float]]:
    """Train, and return Elo over games of self-play; an interrupted run goes on."""
    Run(preset, folder, workers=preset.workers).go()
    games, points = 0, []
    for line in Folder(folder).metrics():
        games += line.facts.games
        points.append({"games": games, "elo": line.elo, "error": line.elo_error})
        print(f"{preset.name}: {games} games, Elo {line.elo:+.0f} +-{line.elo_error:.0f}", flush=True)
    return points


def games_to_reach(points: list[dict[str, float]], elo: float) -> float | None:
    """Return the games after which a curve first reaches a level."""
    return next((point["games"] for point in points if point["elo"] >= elo), None)


def main() -> None:
    """Train three networks, and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", default="wallgame:classic:5x5")
    parser.add_argument("--large", default="wallgame:classic:6x6")
    parser.add_argument("--start", type=Path, help="a model that knows smaller boards, in place of training one")
    parser.add_argument("--generations", type=int, default=6)
    parser.add_argument("--games", type=int, default=300, help="of a generation")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True, help="the runs lie here and can be continued")
    arguments = parser.parse_args()
    small = Preset(
        name="small",
        games=[arguments.small],
        generations=arguments.generations,
        workers=arguments.workers,
        seed=arguments.seed,
        network=NetworkSettings(blocks=3, channels=32, head_channels=16, heads="size-free", pooling_every=3),
        selfplay=SelfplaySettings(games=arguments.games, visits=60, fast_visits=15, random_actions=4, halflife=10.0),
        learner=LearnerSettings(batch=256),
        match=MatchSettings(pairs=40, visits=60, previous=(), anchor_visits=60, anchor_every=1),
    )
    change = msgspec.structs.replace
    if arguments.start:
        start, network = arguments.start, load_checkpoint(arguments.start).info.network
    else:
        curve(small, arguments.out / "small")
        start, network = Folder(arguments.out / "small").model(arguments.generations - 1), small.network
    large = change(small, games=[arguments.large], network=network)
    half = max(1, arguments.generations // 2)
    warm = curve(change(large, name="warm", start=str(start), generations=half), arguments.out / "warm")
    fresh = curve(change(large, name="fresh"), arguments.out / "fresh")
    level = fresh[-1]["elo"]
    print(
        json.dumps(
            {"bench": "warm_start", "small": arguments.small, "large": arguments.large, "seed": arguments.seed}
            | {"fresh": fresh, "warm": warm, "level": level}
            | {"games_fresh": games_to_reach(fresh, level), "games_warm": games_to_reach(warm, level)}
            | describe_machine()
        )
    )


if __name__ == "__main__":
    main()
