"""Measures the effect of search settings: one model plays itself with and without them, at equal visits.

    python bench/ablate_search.py --model models/connect4 --visits 50 --pairs 200 \\
        "bound: choice=bound" "mirrored: root_symmetries=2"

    python bench/ablate_search.py --visits 200 --positions tests/golden/connect4-solved.jsonl.gz "usual:" "w: cpuct=3"

    python bench/ablate_search.py --model models/wallgame-small --visits 4000 --opening 4 --even --against minimax:7 \\
        "usual:" "wide: policy_temperature=3"

Games are paired and start from random openings; the opponent has the default settings.  With `--positions` it measures
the share of moves that keep the outcome of solved positions, with gains and losses relative to the first variant.
Self-play cannot show positions that the model always misjudges; use `--against` to name another opponent.
"""

import argparse
import json
import time
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.arena.balance import Balance
from ludus.arena.match import play_match
from ludus.arena.solved import kept_in
from ludus.cli.strength.judge import JUDGE_VISITS
from ludus.games.connect4.solved import read_solved
from ludus.games.game import Game
from ludus.games.registry import game as find_game
from ludus.network.checkpoint import load_checkpoint
from ludus.network.evaluator import Evaluator
from ludus.network.openvino import evaluator_of
from ludus.players.judging.heuristic import PlayoutEvaluator
from ludus.players.matches.roster import find_player
from ludus.players.matches.search_player import SearchPlayer
from ludus.search.settings import SearchSettings


def judge_of(model: str, seed: int) -> tuple[list[Game], Evaluator | PlayoutEvaluator]:
    """Return a model's games, and an evaluator of their positions."""
    if model == "playouts":
        return [find_game("connect4")], PlayoutEvaluator(seed=seed)
    checkpoint = load_checkpoint(Path(model))
    return [find_game(spec) for spec in checkpoint.info.games], evaluator_of(checkpoint)


def main() -> None:
    """Play the matches and print one line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="models/connect4", help="a model's path, or `playouts` of Connect Four")
    parser.add_argument("--visits", type=int, default=50)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--opening", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1, help="seed of openings and playouts")
    parser.add_argument("--positions", type=Path, help="solved positions of Connect Four, instead of games")
    parser.add_argument("--against", help="opponent instead of the default settings, as in `ludus match`")
    parser.add_argument("--even", action="store_true", help="only openings that the default settings find balanced")
    parser.add_argument("variants", nargs="+", help='"NAME: SETTING=VALUE ..."')
    arguments = parser.parse_args()
    games, evaluator = judge_of(arguments.model, arguments.seed)
    usual = SearchPlayer("usual", evaluator, SearchSettings(), visits=arguments.visits)
    against = find_player(arguments.against, *games, visits=arguments.visits) if arguments.against else usual
    even = Balance(judge=SearchPlayer("judge", evaluator, visits=JUDGE_VISITS)) if arguments.even else None
    solved = read_solved(arguments.positions) if arguments.positions else []
    first: NDArray[np.bool_] | None = None  # [K] positions kept by the first variant
    for variant in arguments.variants:
        name, _, text = variant.partition(":")
        settings = dict(setting.split("=") for setting in text.split())
        search = msgspec.convert(msgspec.to_builtins(SearchSettings()) | settings, SearchSettings, strict=False)
        other = SearchPlayer(name, evaluator, search, visits=arguments.visits)
        begun = time.process_time()
        line: dict[str, object] = {"variant": name, "settings": text.strip(), "visits": arguments.visits}
        if solved:
            kept = kept_in(games[0], other, solved)
            first = kept if first is None else first
            line["kept"] = round(float(kept.mean()), 4)
            line |= {"better": int((kept & ~first).sum()), "worse": int((first & ~kept).sum())}
        else:
            result = play_match(
                games,
                other,
                against,
                pairs=arguments.pairs,
                seed=arguments.seed,
                opening_actions=arguments.opening,
                accepts=even,
            )
            line["score"] = [result.wins, result.draws, result.losses]
            line |= {"elo": round(result.elo), "error": round(result.error)}
        print(json.dumps(line | {"processor_s": round(time.process_time() - begun)}), flush=True)


if __name__ == "__main__":
    main()
