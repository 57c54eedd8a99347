"""Options for the openings of matches: random actions, balance, and the player whose search checks the balance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from ludus.errors import BadInput
from ludus.games.game import Game
from ludus.players.matches.roster import find_player, is_timed
from ludus.players.matches.search_player import SearchPlayer

JUDGE_VISITS = 400  # visits of a judge without a limit in its name

OpeningOption = Annotated[
    int,
    typer.Option(min=0, max=1000, help="Random actions before each pair of games, after the start position."),
]
BalancedOption = Annotated[bool, typer.Option(help="Redraw openings that give one side a clear advantage.")]
SeedOption = Annotated[int, typer.Option(min=0, help="Seed of the openings.")]
JudgeOption = Annotated[
    str | None,
    typer.Option(
        help="The player that checks openings for balance: a model's path, heuristic or playouts (default: a shallow "
        "minimax search if the game has a heuristic for it, else random games)."
    ),
]


def find_judge(text: str | None, games: Sequence[Game], *, balanced: bool) -> SearchPlayer | None:
    """Return the player that checks openings, None if none is given; raises BadInput if it cannot check them."""
    if text is None:
        return None
    if not balanced:
        raise BadInput(f"--judge {text}: --no-balanced allows all openings; leave out one of the two.")
    judge = find_player(text, *games, visits=JUDGE_VISITS)
    if not isinstance(judge, SearchPlayer) or is_timed(text):
        raise BadInput(
            f"--judge {text}: it does not search by visits; use a model, heuristic or playouts, such as "
            f"playouts:{JUDGE_VISITS}."
        )
    return judge
