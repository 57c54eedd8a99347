"""`ludus engine analysis`: analysis of positions and games, in any game, for other programs."""

import logging
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
    Streams,
    Threads,
    TreeVisits,
    attach,
    tell_precision,
)
from ludus.cli.engine.protocols import dialects
from ludus.cli.terminal.game_files import GameFiles
from ludus.engine.conversation import converse

_log = logging.getLogger(__name__)


def analysis(  # noqa: PLR0913 - each option of a command is an argument
    model: Annotated[
        list[Path] | None, typer.Option(help="A model's folder; repeatable (default: the games' heuristics).")
    ] = None,
    game: GameFiles = None,  # noqa: ARG001 - its callback permits them
    searches: Annotated[int, typer.Option(min=1, help="Number of positions searched at the same time.")] = 64,
    evaluations: Evaluations = None,
    append: Append = False,
    tree_visits: TreeVisits = 20_000,
    threads: Threads = 1,
    streams: Streams = 2,
    inference: Servers = None,
    backend: Backend = "openvino",
    precision: Precision = "auto",
) -> None:
    """Analyse positions and whole games of any game, one JSON object per line (docs/reference/analysis.md).

    It also reads queries in the dialects that games bring, such as the protocol of KataGo's analysis engine
    (docs/reference/katago-analysis.md).
    """
    with answers_only() as answers:
        from ludus.engine.analysis.talker import AnalysisTalker
        from ludus.players.thinking.heuristic_mind import HeuristicMind
        from ludus.players.thinking.mind import Mind

        networks = [
            Mind.load(
                path,
                threads=threads,
                streams=streams,
                slots=searches,
                max_visits=tree_visits,
                servers=inference,
                backend=backend,
                precision=precision,
            )
            for path in model or []
        ]
        tell_precision(networks)
        attach(networks, evaluations, append=append)
        minds = networks or [HeuristicMind(slots=searches, max_visits=tree_visits)]
        _log.info("Started, ready to begin handling requests")  # programs written for KataGo wait for this text
        others = dialects()
        converse(
            lambda post, say: AnalysisTalker(minds, post, say, searches=searches, dialects=others), questions(), answers
        )
