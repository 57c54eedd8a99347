"""What each setting of the search is worth: one model against itself with another setting, at equal visits.

    python bench/ablate_search.py --model models/connect4/model.safetensors --visits 50 --pairs 200 \\
        "bound: choice=bound" "mirrored: root_symmetries=2"

Paired games from random openings, the first player of each line with the settings as they are.
"""

import argparse
import json
import time
from pathlib import Path

import msgspec

from ludus.arena import play_match
from ludus.games.registry import game as find_game
from ludus.network.checkpoint import load_checkpoint
from ludus.network.openvino import evaluator_of
from ludus.players.match import SearchPlayer
from ludus.search.settings import SearchSettings


def main() -> None:
    """Play the matches and print a line about each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, default=Path("models/connect4/model.safetensors"))
    parser.add_argument("--visits", type=int, default=50)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--opening", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("variants", nargs="+", help='"NAME: SETTING=VALUE ..."')
    arguments = parser.parse_args()
    checkpoint = load_checkpoint(arguments.model)
    games, evaluator = [find_game(spec) for spec in checkpoint.info.games], evaluator_of(checkpoint)
    usual = SearchPlayer("usual", evaluator, SearchSettings(), visits=arguments.visits)
    for variant in arguments.variants:
        name, _, text = variant.partition(":")
        settings = dict(setting.split("=") for setting in text.split())
        search = msgspec.convert(msgspec.to_builtins(SearchSettings()) | settings, SearchSettings, strict=False)
        other = SearchPlayer(name, evaluator, search, visits=arguments.visits)
        begun = time.process_time()
        result = play_match(
            games, other, usual, pairs=arguments.pairs, seed=arguments.seed, opening_actions=arguments.opening
        )
        line = {
            "variant": name,
            "settings": text.strip(),
            "visits": arguments.visits,
            "score": [result.wins, result.draws, result.losses],
            "elo": round(result.elo),
            "error": round(result.error),
            "processor_s": round(time.process_time() - begun),
        }
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
