"""`ludus engine`: minds behind the protocols of game servers, on standard input and output; one file a protocol."""

import typer

from ludus.cli.engine.analysis import analysis
from ludus.cli.engine.bgs import bgs
from ludus.cli.engine.dummy import dummy
from ludus.cli.engine.gomocup import gomocup
from ludus.cli.engine.gtp import gtp
from ludus.cli.engine.uci import uci

engine = typer.Typer(help="Run an engine that game servers and their programs can ask.", no_args_is_help=True)
engine.command()(bgs)
engine.command()(uci)
engine.command()(gtp)
engine.command()(gomocup)
engine.command()(analysis)
engine.command()(dummy)
