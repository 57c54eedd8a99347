"""The Go Text Protocol: `command` is `ludus engine gtp`.

`talker.py` handles commands, the other files hold state and decisions; `protocol.py` has the form of lines.
"""

from pathlib import Path
from typing import Annotated, Literal

import typer

from ludus.cli.engine.answers import answers_only, questions
from ludus.cli.engine.options import (
    Append,
    Backend,
    Evaluations,
    Precision,
    Servers,
    Threads,
    TreeVisits,
    attach,
    tell_precision,
)
from ludus.engine.conversation import converse
from ludus.errors import BadInput


def command(  # noqa: PLR0913 - each option of a command is an argument
    model: Annotated[Path | None, typer.Option(help="A Go model's folder (default: no network).")] = None,
    player: Annotated[
        Literal["heuristic", "playouts"], typer.Option(help="Evaluation to use without a model.")
    ] = "heuristic",
    visits: Annotated[
        int, typer.Option(min=2, max=10_000_000, help="Simulations for each move if there is no clock.")
    ] = 800,
    size: Annotated[
        int | None,
        typer.Option(min=2, max=19, help="Initial board size (default: the largest that the model plays)."),
    ] = None,
    rules: Annotated[str, typer.Option(help="Initial rule set: chinese, japanese, ...")] = "tromp-taylor",
    komi: Annotated[float, typer.Option(help="Initial komi.")] = 7.5,
    resign_below: Annotated[
        float, typer.Option(min=-1.0, max=1.0, help="Resign if the value is lower; -1: never.")
    ] = -1.0,
    evaluations: Evaluations = None,
    append: Append = False,
    tree_visits: TreeVisits = 20_000,
    threads: Threads = 1,
    inference: Servers = None,
    backend: Backend = "openvino",
    precision: Precision = "auto",
) -> None:
    """Run an engine with the Go Text Protocol, including the analysis commands of Leela Zero and KataGo."""
    with answers_only() as answers:
        from ludus.games.go.engines.gtp.parameters import GtpSettings
        from ludus.games.go.engines.gtp.players import go_player
        from ludus.games.go.engines.gtp.talker import GtpTalker
        from ludus.games.go.rulesets import RULE_SETS, rule_set_named
        from ludus.players.thinking.heuristic_mind import HeuristicMind
        from ludus.players.thinking.mind import Mind

        if not rule_set_named(rules):
            raise BadInput(f"--rules {rules}: there is no such rule set; choose one of {', '.join(RULE_SETS)}.")
        minds = (
            [
                Mind.load(
                    model,
                    threads=threads,
                    slots=1,
                    max_visits=tree_visits,
                    servers=inference,
                    backend=backend,
                    precision=precision,
                )
            ]
            if model
            else []
        )
        tell_precision(minds)
        attach(minds, evaluations, append=append)
        found = go_player(minds[0] if minds else HeuristicMind(player, slots=1, max_visits=tree_visits))
        settings = GtpSettings(visits, resign_below, size or found.largest, rule_set_named(rules), komi)

        converse(lambda post, say: GtpTalker(found, post, say, settings=settings), questions(), answers)
