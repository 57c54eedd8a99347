"""The table of commands; those of `ludus engine` run players as engines with the protocols of game servers."""

import typer

from ludus.cli.bench import bench
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

app = typer.Typer(
    name="ludus",
    help="Write a board game's rules in one Python file; train, measure, serve and play a strong engine for it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command()(grow)
app.command()(new)
app.command()(check)
app.command()(estimate)
app.command()(train)
app.command()(runs)
app.command()(report)
app.command()(show)
app.command()(learn_from)
app.command()(tune)
app.command()(sweep)
app.command()(surgery)
app.command()(pack)
app.command()(play)
app.command("compile")(compile_games)
app.command()(precompute)
app.command()(mine)
app.command()(match)
app.command()(rate)
app.command()(league)
app.command()(grade)
app.command()(levels)
app.command()(serve)
app.command()(account)
app.command()(hide_names)
app.command()(bot)
app.command()(inference)
app.command()(export)
engine = typer.Typer(
    cls=EngineGroup, help="Run an engine for game servers and graphical interfaces.", no_args_is_help=True
)
engine.command()(bgs)
engine.command()(analysis)
engine.command()(dummy)
app.add_typer(engine, name="engine")
app.add_typer(bench, name="bench")
