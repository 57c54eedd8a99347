"""`ludus engine gtp`: Go programs' protocol."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from ludus.cli.engine.answers import answers_only, questions
from ludus.cli.engine.options import Append, Evaluations, Servers, Threads, TreeVisits, attach
from ludus.engine.conversation import converse
from ludus.errors import BadInput


def gtp(  # noqa: PLR0913 - each option of a command is an argument
    model: Annotated[Path | None, typer.Option(help="A Go model's folder (default: common sense, no network).")] = None,
    player: Annotated[
        Literal["heuristic", "playouts"], typer.Option(help="Who thinks where there is no model.")
    ] = "heuristic",
    visits: Annotated[
        int, typer.Option(min=2, max=10_000_000, help="Simulations of a move, where there is no clock.")
    ] = 800,
    size: Annotated[
        int | None,
        typer.Option(min=2, max=19, help="Of the board, before any command (default: the largest that is played)."),
    ] = None,
    rules: Annotated[str, typer.Option(help="Rule set, before any command: chinese, japanese, ...")] = "tromp-taylor",
    komi: Annotated[float, typer.Option(help="Before any command.")] = 7.5,
    resign_below: Annotated[
        float, typer.Option(min=-1.0, max=1.0, help="It resigns when its value is lower; -1: never.")
    ] = -1.0,
    evaluations: Evaluations = None,
    append: Append = False,
    tree_visits: TreeVisits = 20_000,
    threads: Threads = 1,
    inference: Servers = None,
) -> None:
    """Speak the Go Text Protocol, for Go programs, with analysis as Leela Zero and KataGo have it."""
    with answers_only() as answers:
        from ludus.engine.gtp.players import heuristic_player, trained
        from ludus.engine.gtp.talker import GtpSettings, GtpTalker
        from ludus.games.go.rulesets import RULE_SETS, rule_set_named
        from ludus.players.thinking.mind import Mind

        if not rule_set_named(rules):
            raise BadInput(f"--rules {rules}: there is no rule set of that name; choose one of {', '.join(RULE_SETS)}.")
        minds = [Mind.load(model, threads=threads, slots=1, max_visits=tree_visits, servers=inference)] if model else []
        attach(minds, evaluations, append=append)
        found = trained(minds[0]) if minds else heuristic_player(player, tree_visits)
        settings = GtpSettings(visits, resign_below, size or found.largest, rule_set_named(rules), komi)

        converse(lambda post, say: GtpTalker(found, post, say, settings=settings), questions(), answers)
