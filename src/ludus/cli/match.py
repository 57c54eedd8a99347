"""`ludus match A B`: two players, paired games, one honest sentence about who is stronger."""

from __future__ import annotations

import json
from typing import Annotated

import msgspec
import typer
from rich.progress import Progress

from ludus.arena import play_match
from ludus.cli.screen import announce_compilation, console
from ludus.games.registry import game as find_game
from ludus.players.roster import find_player, games_of


def match(
    a: Annotated[str, typer.Argument(help="A model's path, or random, heuristic[:VISITS], playouts[:VISITS].")],
    b: Annotated[str, typer.Argument(help="The opponent, likewise.")],
    game: Annotated[
        list[str] | None, typer.Option(help="Specs to play (default: the model's games); may be repeated.")
    ] = None,
    pairs: Annotated[
        int, typer.Option(min=1, help="Pairs of games: each opening is played twice, sides swapped.")
    ] = 50,
    visits: Annotated[int, typer.Option(min=1, help="Visits of a model's move (1: the network alone).")] = 100,
    opening: Annotated[int, typer.Option(min=0, help="Random actions before each pair of games.")] = 4,
    seed: Annotated[int, typer.Option(help="Names the openings.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Let two players meet."""
    announce_compilation()
    specs = game or list(games_of(a) or games_of(b) or ())
    if not specs:
        raise typer.BadParameter("neither player names its games; say --game SPEC")
    games = [find_game(spec) for spec in specs]
    players = [find_player(name, *games, visits=visits, seed=seed + number) for number, name in enumerate((a, b))]
    if players[0].name == players[1].name:
        players[0].name, players[1].name = f"{players[0].name} (A)", f"{players[1].name} (B)"
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("games", total=2 * pairs)
        result = play_match(
            games, *players, pairs=pairs, seed=seed, opening_actions=opening, on_game=lambda _: progress.advance(task)
        )
    if as_json:
        print(json.dumps(msgspec.to_builtins(result)))
        return
    print(f"{result.a} against {result.b} on {', '.join(specs)}: +{result.wins} ={result.draws} -{result.losses}")
    print(f"score {result.score:.1%}, Elo difference {result.elo:+.0f} ± {result.error:.0f} (95 %)")
    for forfeit in result.forfeits:
        print(f"forfeit: {forfeit}")
