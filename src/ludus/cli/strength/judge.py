"""The options that say how the games of matches begin; `--judge`: the player whose search says what is even."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from ludus.errors import BadInput
from ludus.games.game import Game
from ludus.players.matches.roster import find_player, is_timed
from ludus.players.matches.search_player import SearchPlayer

JUDGE_VISITS = 400  # of a judge whose name says nothing

OpeningOption = Annotated[
    int,
    typer.Option(
        min=0, max=1000, help="Random actions before each pair of games, behind the start that it draws, if any."
    ),
]
BalancedOption = Annotated[bool, typer.Option(help="Draw openings again that give one side a clear advantage.")]
SeedOption = Annotated[int, typer.Option(min=0, help="Names the openings.")]
JudgeOption = Annotated[
    str | None,
    typer.Option(
        help="Who finds openings even: a model's path, heuristic or playouts (default: a shallow minimax where the "
        "game has a survey, else random play)."
    ),
]


def find_judge(text: str | None, games: Sequence[Game], *, balanced: bool) -> SearchPlayer | None:
    """Return who judges openings, None where nobody is named; raises BadInput where it is nobody who can."""
    if text is None:
        return None
    if not balanced:
        raise BadInput(f"--judge {text}: --no-balanced allows all openings; leave out one of the two.")
    judge = find_player(text, *games, visits=JUDGE_VISITS)
    if not isinstance(judge, SearchPlayer) or is_timed(text):
        raise BadInput(
            f"--judge {text}: it has no search of so many visits; name a model, heuristic or playouts, such as "
            f"playouts:{JUDGE_VISITS}."
        )
    return judge
