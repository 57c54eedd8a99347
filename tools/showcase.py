"""Plays games of strong engines for the landing page: `python tools/showcase.py GAME MODEL [--visits N] [--games N]`.

Writes `[[games]]` of a file `showcase.toml` to the standard output.  Both sides are the same model; the first moves are
drawn by their visits, so that the games differ, and all others are the best ones.

    python tools/showcase.py go:9x9:liberties models/go-9x9 --visits 1600 --games 4 >> src/ludus/games/go/showcase.toml
"""

import argparse
import sys
import textwrap
from pathlib import Path

import numpy as np

import ludus
from ludus.games.game import Game, Position
from ludus.players.matches.roster import NamedPlayer, find_player
from ludus.protocol.spec import plain_spec

WIDTH = 118  # characters of a line


def play(game: Game, opening: NamedPlayer, player: NamedPlayer, games: int, varied: int) -> list[Position]:
    """Play games side by side and return their last positions.

    Args:
        game: the game.
        opening: plays the first `varied` actions.
        player: plays all others.
        games: number of games.
        varied: number of varied actions.
    """
    positions = [game.start() for _ in range(games)]
    while going := [number for number, position in enumerate(positions) if not position.outcome]:
        chooser = opening if positions[going[0]].num_actions_played < varied else player
        states = np.stack([positions[number].state.view(np.uint64) for number in going])
        for number, action in zip(going, chooser.choose(game, states), strict=True):
            positions[number] = positions[number].play(int(action))
    return positions


def main(arguments: list[str]) -> None:
    """Play the games of the command line and print them."""
    parser = argparse.ArgumentParser(description="Play games for the landing page.")
    parser.add_argument("game", help="such as go:9x9:liberties, with the planes of the model")
    parser.add_argument("model", type=Path, help="a model's folder")
    parser.add_argument("--visits", type=int, default=1600)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--varied", type=int, default=6, help="actions that are drawn by their visits")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    game = ludus.game(options.game)
    opening = find_player(f"{options.model}:{options.visits},1", game, visits=options.visits, seed=options.seed)
    player = find_player(f"{options.model}:{options.visits}", game, visits=options.visits, seed=options.seed)
    for position in play(game, opening, player, options.games, options.varied):
        name = f"Ludus, {options.visits} visits"
        print(f"\n[[games]]\nspec = '{plain_spec(options.game)}'\nnames = ['{name}', '{name}']")
        moves = textwrap.fill(" ".join(position.moves), WIDTH, break_long_words=False, break_on_hyphens=False)
        print(f'moves = """\n{moves}\n"""')


if __name__ == "__main__":
    main(sys.argv[1:])
