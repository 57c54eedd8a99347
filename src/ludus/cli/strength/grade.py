"""`ludus grade`: measures a model with what its game brings: solved positions, a solver, tactical puzzles."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from ludus.arena.perfect import KeptOutcomes, play_perfect
from ludus.arena.puzzles import Tactics, grade_puzzles, read_puzzles
from ludus.arena.solved import Grade, grade_positions
from ludus.cli.terminal.game_files import named
from ludus.cli.terminal.screen import announce_compilation, console, progress_bar, say
from ludus.errors import BadInput
from ludus.games import EXAMPLE_GAME
from ludus.games.about import About
from ludus.games.game import Game
from ludus.games.registry import about, names
from ludus.games.registry import game as find_game
from ludus.paths import spec_parts
from ludus.players.matches.roster import NamedPlayer, caveat, find_player, goes_by_visits, is_timed
from ludus.players.matches.search_player import SearchPlayer

VISITS = (1, 100)  # default visits for each move
BROUGHT: dict[str, Callable[[About], object]] = {
    "--positions FILE": lambda game: game.read_solved,
    "--perfect OPENINGS": lambda game: game.solver,
    "--puzzles FILE": lambda game: game.read_tactics,
}
"""The part of a game's description that each option needs."""


def grade(  # noqa: PLR0913 - each option of a command is an argument
    game: Annotated[
        str, typer.Argument(callback=named, help=f"A game's name, such as {EXAMPLE_GAME}, or the path of its file.")
    ],
    model: Annotated[str, typer.Argument(help="A model's path, or random, playouts:VISITS.")],
    positions: Annotated[
        Path | None, typer.Option(help="A file of solved positions in the game's own format (default: none).")
    ] = None,
    puzzles: Annotated[
        Path | None, typer.Option(help="A file of tactical puzzles in the game's own format (default: none).")
    ] = None,
    visits: Annotated[
        list[int] | None,
        typer.Option(
            min=1,
            help="Visits for each move; repeatable (default: 1 and 100); not for a player with a limit in its name.",
        ),
    ] = None,
    perfect: Annotated[
        int, typer.Option(min=0, help="Also play this many openings against a perfect player from positions not lost.")
    ] = 0,
    opening: Annotated[int, typer.Option(min=0, help="Random actions of such an opening, such as discs.")] = 8,
    drawn: Annotated[
        bool, typer.Option("--drawn", help="Only drawn openings; after few random actions these take long to find.")
    ] = False,
    theme: Annotated[str, typer.Option(help="Only puzzles of this theme (default: all).")] = "",
    most: Annotated[int, typer.Option(min=0, help="Number of puzzles, from the start of the file (0: all).")] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the openings.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure a model with positions of known outcome, for the network alone and with search.

    A game may bring solved positions (which share of the moves keeps the game-theoretic outcome?), a solver (does the
    model keep the outcome against perfect play?) and tactical puzzles (which share is solved?).
    """
    announce_compilation()
    if drawn and not perfect:
        raise typer.BadParameter("--drawn applies to openings against perfect play; give --perfect OPENINGS")
    if (theme or most) and puzzles is None:
        raise typer.BadParameter("--theme and --most choose puzzles; give --puzzles FILE")
    board = _game_of(game, [bool(positions), bool(perfect), bool(puzzles)])
    read_solved = about(game).read_solved
    solved = read_solved(positions) if read_solved and positions else []
    chosen = read_puzzles(board, puzzles, theme=theme, most=most) if puzzles else []
    for player, number in _rounds(model, board, visits):
        results: list[Grade | KeptOutcomes | Tactics] = []
        with progress_bar() as tell:
            if solved:
                results.append(grade_positions(board, player, solved, tell))
            if perfect:
                results.append(
                    play_perfect(
                        board, player, openings=perfect, opening_actions=opening, seed=seed, drawn=drawn, tell=tell
                    )
                )
            if chosen:
                results.append(grade_puzzles(board, player, chosen, tell))
        for result in results:
            if as_json:
                print(json.dumps({"player": player.name, "visits": number, **result.as_dict()}))
            else:
                print(f"{player.name}: {result}")
                for forfeit in result.forfeits if isinstance(result, KeptOutcomes) else ():
                    print(f"forfeit: {forfeit}")


def _game_of(spec: str, given: Sequence[bool]) -> Game:
    """Return the game to grade in.

    Args:
        spec: its name or path.
        given: whether each option of BROUGHT is given.

    Raises:
        BadGame: there is no such game.
        BadInput: the game brings nothing for grading, or not what an option needs.
        typer.BadParameter: no option is given.
    """
    name = spec_parts(spec)[0]
    game = find_game(spec) if name not in names() or _options_of(name) else None
    own = _options_of(spec)  # of a game in a file after loading it
    if not game or not own:
        others = [f"{name} ({', '.join(options)})" for name in names() if (options := _options_of(name))]
        raise BadInput(f"{spec}: the game brings nothing to grade players with; {' and '.join(others)} can be graded.")
    for option, is_given in zip(BROUGHT, given, strict=True):
        if is_given and option not in own:
            raise BadInput(f"{option.split()[0]}: {game.name} brings nothing for this option; give {' or '.join(own)}.")
    if not any(given):
        raise typer.BadParameter(f"there is nothing to measure with; give {' or '.join(own)}")
    return game


def _options_of(spec: str) -> list[str]:
    """Return the options of BROUGHT that the game has something for."""
    found = about(spec)
    return [option for option, part in BROUGHT.items() if part(found)]


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
