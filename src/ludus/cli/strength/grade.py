"""`ludus grade`: measures a model with solved positions of Connect Four, or with chess puzzles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from ludus.arena.perfect import KeptOutcomes, play_perfect
from ludus.arena.puzzles import grade_puzzles, read_puzzles
from ludus.arena.solved import Grade, grade_positions, read_solved
from ludus.cli.terminal.screen import announce_compilation, console, progress_bar, say
from ludus.errors import BadInput
from ludus.games.game import Game
from ludus.games.registry import game as find_game
from ludus.players.matches.roster import NamedPlayer, caveat, find_player, goes_by_visits, is_timed
from ludus.players.matches.search_player import SearchPlayer

VISITS = (1, 100)  # default visits for each move
VisitsOption = Annotated[
    list[int] | None,
    typer.Option(
        min=1, help="Visits for each move; repeatable (default: 1 and 100); not for a player with a limit in its name."
    ),
]

grade = typer.Typer(help="Measure a model with positions of known outcome.", no_args_is_help=True)


@grade.callback()
def _grade() -> None:
    """Measure a model with positions of known outcome."""


@grade.command()
def connect4(
    model: Annotated[str, typer.Argument(help="A model's path, or random, playouts:VISITS.")],
    positions: Annotated[
        Path | None, typer.Option(help="Solved positions: JSON lines, optionally gzipped (default: none).")
    ] = None,
    visits: VisitsOption = None,
    perfect: Annotated[
        int, typer.Option(min=0, help="Also play this many openings against a perfect player from positions not lost.")
    ] = 0,
    discs: Annotated[int, typer.Option(min=0, help="Random discs in such an opening.")] = 8,
    drawn: Annotated[
        bool, typer.Option("--drawn", help="Only drawn openings; below 12 discs these take long to find.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of the openings.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print the share of moves that keep the game-theoretic outcome, for the network alone and with search."""
    announce_compilation()
    if positions is None and not perfect:
        raise typer.BadParameter("there is nothing to measure with; give --positions FILE or --perfect OPENINGS")
    if drawn and not perfect:
        raise typer.BadParameter("--drawn applies to openings against perfect play; give --perfect OPENINGS")
    solved = read_solved(positions) if positions else []
    game = find_game("connect4")
    for player, number in _rounds(model, game, visits):
        results: list[Grade | KeptOutcomes] = []
        with progress_bar() as tell:
            if solved:
                results.append(grade_positions(game, player, solved, tell))
            if perfect:
                results.append(
                    play_perfect(game, player, openings=perfect, discs=discs, seed=seed, drawn=drawn, tell=tell)
                )
        for result in results:
            if as_json:
                print(json.dumps({"player": player.name, "visits": number, **result.as_dict()}))
            else:
                print(f"{player.name}: {result}")
                for forfeit in result.forfeits if isinstance(result, KeptOutcomes) else ():
                    print(f"forfeit: {forfeit}")


@grade.command()
def chess(
    model: Annotated[str, typer.Argument(help="A model's path, or random, playouts:VISITS.")],
    puzzles: Annotated[Path, typer.Option(help="Puzzles in the format of Lichess's CSV file.")],
    visits: VisitsOption = None,
    theme: Annotated[str, typer.Option(help="Only puzzles of this theme, such as mateIn1 (default: all).")] = "",
    most: Annotated[int, typer.Option(min=0, help="Number of puzzles, from the start of the file (0: all).")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print the share of tactical puzzles that are solved, by the network alone and with search."""
    announce_compilation()
    chosen = read_puzzles(puzzles, theme=theme, most=most)
    game = find_game("chess")
    for player, number in _rounds(model, game, visits):
        with progress_bar() as tell:
            result = grade_puzzles(game, player, chosen, tell)
        if as_json:
            print(json.dumps({"player": player.name, "visits": number, **result.as_dict()}))
        else:
            print(f"{player.name}: {result}")


def _rounds(model: str, game: Game, visits: list[int] | None) -> Iterator[tuple[NamedPlayer, int | None]]:
    """Yield the players to measure with their visits for each move: once per visit count, or once with its own limit.

    Raises:
        BadInput: `visits` is given for a player that has a limit in its name or needs none.
    """
    if sentence := caveat(model, game):
        say(sentence, on=console)
    if goes_by_visits(model):
        for number in visits or VISITS:
            yield find_player(model, game, visits=number), number
    elif visits:
        raise BadInput(f"--visits: {model} does not use visits; leave the option out.")
    else:
        player = find_player(model, game, visits=max(VISITS))
        yield player, player.visits if isinstance(player, SearchPlayer) and not is_timed(model) else None
