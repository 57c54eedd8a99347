"""Compares openings of recorded matches: values by minimax and a judge, and wins of the first mover.

    python bench/openings.py docs/runs/wallgame-small-minimax-12.jsonl --depths 2 6 --judge models/wallgame-small:800

It prints one line per opening, with values from player 0's view; player 0 moves first after an opening of whole rounds.
`ludus.arena.balance` accepts openings with a value up to 0.035 at depth 2, or up to 0.4 by a judge.  It then prints one
line per player and board: games and wins as first and as second player.  With a judge, it also prints one line per band
of the judge's values: games, and wins of the first mover and of each player.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from ludus.arena.record import read_record
from ludus.arena.summary import MatchGame
from ludus.cli.strength.judge import find_judge
from ludus.games.registry import game as find_game
from ludus.players.opponents.minimax import Minimax

BANDS = (0.2, 0.4, 0.6, 1.0)  # upper ends of the bands of the judge's absolute value


def opening_of(game: MatchGame) -> tuple[str, bytes, tuple[int, ...]]:
    """Return what identifies an opening: board, setup and actions."""
    spec, setup, actions = game.course
    return spec, setup, actions[: game.opening]


def main() -> None:
    """Run the command; evaluate the openings of all records."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path, nargs="+", help="records of `ludus match --record`")
    parser.add_argument("--depths", type=int, nargs="+", default=[2, 6], help="search depths of minimax, in actions")
    parser.add_argument("--judge", help="a player that also evaluates them, as in `ludus match --judge`")
    arguments = parser.parse_args()
    openings: dict[tuple[str, bytes, tuple[int, ...]], list[MatchGame]] = {}
    for record in arguments.records:
        for each in read_record(record)[1]:
            openings.setdefault(opening_of(each), []).append(each)
    searches: dict[str, Minimax] = {}  # by spec
    judge = find_judge(arguments.judge, [find_game(spec) for spec in {spec for spec, *_ in openings}], balanced=True)
    bands: list[list[MatchGame]] = [[] for _ in BANDS]
    for (spec, _, actions), played in openings.items():
        game = find_game(spec)
        if spec not in searches:
            searches[spec] = Minimax(game)
        position = game.start(played[0].setup)
        for action in actions:
            position = position.play(action)
        words = position.state.reshape(-1).view(np.uint64)
        values: dict[int | str, float] = {
            depth: round(searches[spec].search(words, depth=depth).value, 3) for depth in arguments.depths
        }
        won = sum(each.winner == each.first for each in played)
        if judge:
            values["judge"] = round(value := judge.value(game, words), 3)
            bands[next(band for band, most in enumerate(BANDS) if abs(value) <= most)] += played
        line = {"game": spec, "pair": played[0].pair, "values": values, "games": len(played), "first_won": won}
        print(json.dumps(line), flush=True)
    everything = [each for played in openings.values() for each in played]
    for spec, name in sorted({(each.game, name) for each in everything for name in (each.first, each.second)}):
        own = [each for each in everything if each.game == spec]
        as_first = [each.winner == name for each in own if each.first == name]
        as_second = [each.winner == name for each in own if each.second == name]
        line = {"game": spec, "player": name, "won_first": sum(as_first), "of_first": len(as_first)}
        print(json.dumps(line | {"won_second": sum(as_second), "of_second": len(as_second)}), flush=True)
    for most, games in zip(BANDS, bands, strict=True) if judge else ():
        line = {
            "judge_up_to": most,
            "openings": len({opening_of(each) for each in games}),
        }
        won_by = {name: sum(each.winner == name for each in games) for name in sorted({each.first for each in games})}
        first_won = sum(each.winner == each.first for each in games)
        print(json.dumps(line | {"games": len(games), "first_won": first_won, "won_by": won_by}), flush=True)


if __name__ == "__main__":
    main()
