"""The Gomocup protocol of Gomoku managers: `command` is `ludus engine gomocup`.

`talker.py` handles commands, the other files hold state and decisions; `protocol.py` has the form of lines.
"""

import secrets
from pathlib import Path
from typing import Annotated

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
from ludus.errors import BadModel
from ludus.games.gomoku.engines.gomocup.protocol import message

OPENING_SLOTS = 12  # openings that an engine evaluates at the same time


def command(  # noqa: PLR0913 - each option of a command is an argument
    model: Annotated[
        list[Path] | None,
        typer.Option(help="A Gomoku model's folder; repeatable. The heuristic plays boards that no model plays."),
    ] = None,
    visits: Annotated[
        int, typer.Option(min=2, max=10_000_000, help="Maximum simulations for each move, regardless of time.")
    ] = 100_000,
    overhead: Annotated[int, typer.Option(min=0, help="Milliseconds to reserve for communication in each move.")] = 100,
    evaluations: Evaluations = None,
    append: Append = False,
    tree_visits: TreeVisits = 100_000,
    threads: Threads = 1,
    inference: Servers = None,
    backend: Backend = "openvino",
    precision: Precision = "auto",
) -> None:
    """Run an engine with the Gomocup protocol, for Gomoku managers and boards."""
    with answers_only(message) as answers:  # managers use one pipe for both streams
        from ludus.games.gomoku.engines.gomocup.lineup import Lineup
        from ludus.games.gomoku.engines.gomocup.talker import GomocupSettings, GomocupTalker
        from ludus.players.thinking.heuristic_mind import HeuristicMind
        from ludus.players.thinking.mind import Mind

        minds: list[Mind] = []
        for path in model or []:
            mind = Mind.load(
                path,
                threads=threads,
                slots=OPENING_SLOTS,
                max_visits=tree_visits,
                servers=inference,
                backend=backend,
                precision=precision,
            )
            if not any(spec.split(":")[0] == "gomoku" for spec in mind.games):
                raise BadModel(f"{path}: plays {', '.join(mind.games)}, not Gomoku.")
            minds.append(mind)
        tell_precision(minds)
        attach(minds, evaluations, append=append)
        lineup = Lineup(minds, HeuristicMind(slots=OPENING_SLOTS, max_visits=tree_visits))
        settings = GomocupSettings(visits, overhead / 1000.0, seed=secrets.randbits(32))
        converse(lambda post, say: GomocupTalker(lineup, post, say, settings=settings), questions(), answers)
