"""`ludus engine dummy`: the V3 protocol without a network."""

import sys
from typing import Annotated

import typer

from ludus.cli.engine.answers import answers_only
from ludus.cli.engine.options import Edition, Sessions
from ludus.engine.bgs.dummy import DummyMind
from ludus.engine.bgs.engine import Engine
from ludus.engine.bgs.lines import answer_lines
from ludus.games.registry import game as find_game
from ludus.protocol.bgs import MAX_SESSIONS


def dummy(
    game: Annotated[list[str], typer.Option(help="A game to play, such as connect4; may be repeated.")],
    edition: Edition = "2026-09",
    sessions: Sessions = MAX_SESSIONS,
) -> None:
    """Answer the V3 protocol of bot game sessions without a network: the game's common sense, for tests and trials."""
    with answers_only() as answers:
        for spec in game:
            find_game(spec)  # a wrong name is told now
        answer_lines(
            lambda post: Engine([DummyMind(tuple(game))], max_sessions=sessions, edition=edition, post=post),
            sys.stdin.buffer,
            answers,
        )
