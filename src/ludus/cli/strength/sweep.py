"""`ludus sweep`: finds search settings that play best with a model, at equal visits or equal time."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from ludus.cli.strength.judge import OpeningOption
from ludus.cli.terminal.screen import announce_compilation, console, say
from ludus.errors import BadInput
from ludus.rating.sprt import MOST_PAIRS

VISITS = 100  # default visits for each action
FRESH = 1_000_003  # added to the seed, for openings that were not used to choose settings


def sweep(  # noqa: PLR0913 - each option of a command is an argument
    model: Annotated[Path, typer.Argument(help="A model's folder.")],
    vary: Annotated[list[str], typer.Option(help="NAME=LOW:HIGH, NAME=LOW:HIGH:log or NAME=THIS|THAT; repeatable.")],
    folder: Annotated[
        Path, typer.Option(help="Store the record in this folder, so that the same command can continue.")
    ],
    trials: Annotated[int, typer.Option(min=1, help="Number of settings to try.")] = 30,
    pairs: Annotated[int, typer.Option(min=1, max=MOST_PAIRS, help="Pairs of games for each trial.")] = 50,
    confirm: Annotated[
        int, typer.Option(min=0, max=MOST_PAIRS, help="Pairs of games of the best settings, from new openings.")
    ] = 200,
    visits: Annotated[
        int | None, typer.Option(min=1, max=10_000_000, help="Visits for each action, of both sides (default: 100).")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.001, max=3600, help="Seconds for each action instead of visits; one pair at a time."),
    ] = None,
    opening: OpeningOption = 4,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the proposals and openings.")] = 0,
) -> None:
    """Play search settings against the defaults; report the best ones, and their gain in games from new openings."""
    from ludus.arena.balance import Balance
    from ludus.arena.match import play_match
    from ludus.arena.summary import MatchResult
    from ludus.arena.sweep import check_effort, read_axis, settings_with
    from ludus.arena.sweep import sweep as try_settings
    from ludus.games.registry import game as find_game
    from ludus.network.checkpoint import load_checkpoint, weights_fingerprint
    from ludus.network.openvino import evaluator_of
    from ludus.players.matches.search_player import MOST_VISITS_BY_CLOCK, SearchPlayer
    from ludus.search.settings import SearchSettings

    axes = [read_axis(text) for text in vary]
    if len({axis.name for axis in axes}) < len(axes):
        raise BadInput("--vary: a setting is given twice.")
    if visits and seconds:
        raise BadInput("--visits, --seconds: both sides have equal visits or equal time; give one of the two.")
    check_effort(axes, seconds)
    announce_compilation()
    checkpoint = load_checkpoint(model)
    games, evaluator = [find_game(spec) for spec in checkpoint.info.games], evaluator_of(checkpoint)
    most = MOST_VISITS_BY_CLOCK if seconds else visits or VISITS

    def play(settings: SearchSettings, num_pairs: int, number: int) -> MatchResult:
        with Progress(console=console, transient=True) as progress:
            task = progress.add_task("", total=2 * num_pairs)
            return play_match(
                games,
                SearchPlayer("proposed", evaluator, settings, visits=most, seconds=seconds),
                SearchPlayer("usual", evaluator, SearchSettings(), visits=most, seconds=seconds),  # no cache of trials
                pairs=num_pairs,
                seed=number,
                opening_actions=opening,
                accepts=Balance(number),
                on_game=lambda _game: progress.advance(task),
                at_once=1 if seconds else None,  # positions searched side by side would share their time
            )

    plan = {"model": weights_fingerprint(checkpoint), "visits": most, "seconds": seconds, "pairs": pairs}
    plan |= {"opening": opening, "balanced": True, "seed": seed}
    found = try_settings(
        axes,
        lambda settings: play(settings, pairs, seed).score,
        trials=trials,
        folder=folder,
        plan=plan,
        seed=seed,
        on_trial=lambda tried: say(f"{tried.score:6.1%}  {_written(tried.settings)}", on=console),
    )
    best = found[0]
    say(f"Best of {len(found)}: {_written(best.settings)}, {best.score:.1%} of {2 * pairs} games it was chosen by.")
    if confirm:
        fresh = play(settings_with(best.settings), confirm, seed + FRESH)
        score = f"+{fresh.wins} ={fresh.draws} -{fresh.losses}"
        say(f"From new openings: {score}, {fresh.elo:+.0f} ± {fresh.error:.0f} Elo (95 %).")


def _written(settings: dict[str, float | int | str]) -> str:
    return " ".join(
        f"{name}={value:.4g}" if isinstance(value, float) else f"{name}={value}" for name, value in settings.items()
    )
