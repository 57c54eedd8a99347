"""How even are the openings of recorded matches to minimax and to a judge, and how often did first movers win?

    python bench/openings.py docs/runs/wallgame-small-minimax-12.jsonl --depths 2 6 --judge models/wallgame-small:800

A line for each opening: its values, seen by player 0, who moves first after it where its length is a whole number of
rounds.  The book (`ludus.arena.balance`) takes those that depth 2 puts within 0.035, or a judge within 0.4.  Then a
line for each player on each board: of how many games it won how many, as the first to move and as the second.  With a
judge, a line for each band of its values besides: of how many games the first to move won how many, and each player.
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

BANDS = (0.2, 0.4, 0.6, 1.0)  # of a judge's value, for either side: the upper ends


def opening_of(game: MatchGame) -> tuple[str, bytes, tuple[int, ...]]:
    """Return what games with the same opening share."""
    spec, setup, actions = game.course
    return spec, setup, actions[: game.opening]


def main() -> None:
    """Judge the openings of every record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path, nargs="+", help="as `ludus match --record` writes them")
    parser.add_argument("--depths", type=int, nargs="+", default=[2, 6], help="actions that minimax looks ahead")
    parser.add_argument("--judge", help="who judges them besides, as `ludus match --judge` takes it")
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
