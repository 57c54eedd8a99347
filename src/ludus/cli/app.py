"""The table of commands; those of `ludus engine` run players as engines with the protocols of game servers."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from ludus.cli.bench import bench
from ludus.cli.doctor import doctor
from ludus.cli.engine.analysis import analysis
from ludus.cli.engine.bgs import bgs, dummy
from ludus.cli.engine.protocols import EngineGroup
from ludus.cli.games.check import check
from ludus.cli.games.compiling import compile_games
from ludus.cli.games.mine import mine
from ludus.cli.games.new import new
from ludus.cli.games.play import play
from ludus.cli.games.precompute import precompute
from ludus.cli.games.show import show
from ludus.cli.serving.bot import bot
from ludus.cli.serving.grow import grow
from ludus.cli.serving.inference import inference
from ludus.cli.serving.people import account, hide_names
from ludus.cli.serving.serve import serve
from ludus.cli.strength.grade import grade
from ludus.cli.strength.levels import levels
from ludus.cli.strength.match import match
from ludus.cli.strength.rate import league, rate
from ludus.cli.strength.sweep import sweep
from ludus.cli.training.estimate import estimate
from ludus.cli.training.learn_from import learn_from
from ludus.cli.training.pack import export, pack
from ludus.cli.training.runs import report, runs
from ludus.cli.training.surgery import surgery
from ludus.cli.training.train import train
from ludus.cli.training.tune import tune
from ludus.games import EXAMPLE_GAME
from ludus.version import __version__

EXAMPLES = {
    "grow": ("ludus grow mygame.py", f"ludus grow {EXAMPLE_GAME} --hours 8"),
    "new": ("ludus new mygame",),
    "check": (f"ludus check {EXAMPLE_GAME}", "ludus check mygame.py:7x7 --games 100"),
    "estimate": (f"ludus estimate {EXAMPLE_GAME}-laptop",),
    "train": (
        f"ludus train {EXAMPLE_GAME}-laptop",
        "ludus train mygame.toml --run runs/first",
        "ludus train runs/first",
    ),
    "play": (f"ludus play {EXAMPLE_GAME}", "ludus play heuristic:400 --game mygame.py --second"),
    "match": (
        f"ludus match {EXAMPLE_GAME}:100 minimax:1s --pairs 10",
        f"ludus match runs/first/models/gen-0007.safetensors {EXAMPLE_GAME}",
    ),
    "compile": ("ludus compile", "ludus compile mygame.py"),
    "serve": ("ludus serve", "ludus serve --host 0.0.0.0 --port 9000", "ludus serve --game mygame.py --models mine"),
    "bot": ("ludus bot --config bots.toml --server https://example.org",),
    "bgs": (f"ludus engine bgs --model {EXAMPLE_GAME} --visits 400", "ludus engine bgs --sense mygame.py"),
    "analysis": (f"ludus engine analysis --model {EXAMPLE_GAME}",),
}
"""Example command lines by command, which `--help` shows."""


def show_version(asked: bool) -> None:
    """Print the version and end, if asked."""
    if asked:
        print(f"ludus {__version__}")
        raise typer.Exit


def main(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    """Write a board game's rules in one Python file; train, measure, serve and play a strong engine for it."""


def add(command: Callable[..., Any], name: str = "", *, to: typer.Typer | None = None) -> None:
    """Add a command with its examples to the program, or to a group."""
    name = name or command.__name__.replace("_", "-")
    examples = EXAMPLES.get(name, ())
    (to or app).command(name, epilog="\n\n".join(["Examples:", *examples]) if examples else None)(command)


app = typer.Typer(name="ludus", no_args_is_help=True, pretty_exceptions_enable=False)
app.callback()(main)
add(grow)
add(new)
add(check)
add(estimate)
add(train)
add(runs)
add(report)
add(show)
add(learn_from)
add(tune)
add(sweep)
add(surgery)
add(pack)
add(play)
add(compile_games, "compile")
add(precompute)
add(mine)
add(match)
add(rate)
add(league)
add(grade)
add(levels)
add(serve)
add(account)
add(hide_names)
add(bot)
add(inference)
add(export)
add(doctor)
engine = typer.Typer(
    cls=EngineGroup, help="Run an engine for game servers and graphical interfaces.", no_args_is_help=True
)
add(bgs, to=engine)
add(analysis, to=engine)
add(dummy, to=engine)
app.add_typer(engine, name="engine")
app.add_typer(bench, name="bench")
