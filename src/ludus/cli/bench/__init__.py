"""`ludus bench`: the figures of the documentation, each by one command."""

import typer

from ludus.cli.bench.evaluator import evaluator
from ludus.cli.bench.selfplay import selfplay
from ludus.cli.bench.sessions import sessions
from ludus.cli.bench.start import start
from ludus.cli.bench.tree import tree

bench = typer.Typer(help="Measure speed on this machine.", no_args_is_help=True)
bench.command()(tree)
bench.command()(selfplay)
bench.command()(evaluator)
bench.command()(sessions)
bench.command()(start)
