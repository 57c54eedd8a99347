"""The table of commands."""

import typer

from ludus.cli.account import account
from ludus.cli.bench import bench
from ludus.cli.bot import bot
from ludus.cli.check import check
from ludus.cli.engine import engine
from ludus.cli.estimate import estimate
from ludus.cli.export import export
from ludus.cli.grade import grade
from ludus.cli.hide_names import hide_names
from ludus.cli.inference import inference
from ludus.cli.learn_from import learn_from
from ludus.cli.levels import levels
from ludus.cli.match import match
from ludus.cli.mine import mine
from ludus.cli.pack import pack
from ludus.cli.play import play
from ludus.cli.precompute import precompute
from ludus.cli.rate import league, rate
from ludus.cli.report import report
from ludus.cli.runs import runs
from ludus.cli.serve import serve
from ludus.cli.show import show
from ludus.cli.surgery import surgery
from ludus.cli.sweep import sweep
from ludus.cli.train import train
from ludus.cli.tune import tune

app = typer.Typer(
    name="ludus",
    help="Write a board game's rules in one Python file; train, measure, serve and play a strong engine for it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
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
app.command()(precompute)
app.command()(mine)
app.command()(match)
app.command()(rate)
app.command()(league)
app.command()(levels)
app.command()(serve)
app.command()(account)
app.command()(hide_names)
app.command()(bot)
app.command()(inference)
app.command()(export)
app.add_typer(engine, name="engine")
app.add_typer(grade, name="grade")
app.add_typer(bench, name="bench")
