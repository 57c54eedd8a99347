"""Connect Four on 7 columns by 6 rows: drop discs; four in a line win.  Solved, so play can be judged exactly.

Loaded by `ludus.game("connect4[:ahead|:discs]")`.  With `ahead`, the network also receives planes of wins by threats
alone, and of the winner if the board filled up without mistakes.  With `discs`, it receives only the discs.
"""

from ludus.errors import BadGame
from ludus.games.about import STANDARD, About, Options, Variant
from ludus.games.connect4.describe import action_text, describe, reason
from ludus.games.connect4.endgame import foresee
from ludus.games.connect4.layout import COLUMNS, ROWS
from ludus.games.connect4.planes import (
    AHEAD_PLANES,
    DISC_PLANES,
    PLANES,
    encode,
    encode_ahead,
    encode_discs,
    final_maps,
)
from ludus.games.connect4.rules import legal, outcome, play, start, symmetric_action, symmetric_state, to_play
from ludus.games.connect4.solved import read_solved
from ludus.games.connect4.solver import ConnectFourSolver
from ludus.games.game import Game

__all__ = ["about", "make"]

about = About(
    title="Connect Four",
    aim="Drop discs; four of yours in a line win.",
    example="4 4 3 5 5 3 2 4 3 3 6",
    variants=(Variant(STANDARD, board=(COLUMNS, ROWS)),),
    options=Options(planes=("ahead", "discs")),
    trial_boards=("",),
    solver=lambda _game: ConnectFourSolver(),
    read_solved=read_solved,
)


INPUTS = {"": (PLANES, encode), "ahead": (AHEAD_PLANES, encode_ahead), "discs": (DISC_PLANES, encode_discs)}
"""The planes' names and the function that writes them, by the option in the game's name."""


def make(*parts: str) -> Game:
    """Return Connect Four with the planes named by the option; raise BadGame for other options."""
    spec = ":".join(("connect4", *parts))
    option = parts[0] if parts else ""
    if len(parts) > 1 or option not in INPUTS or parts == ("",):
        raise BadGame(f"{spec}: write connect4, or connect4:ahead for more input planes, connect4:discs for two.")
    names, write = INPUTS[option]
    return Game(
        name=spec,
        state_size=3,
        dtype="uint64",
        num_actions=COLUMNS,
        planes=(len(names), ROWS, COLUMNS),
        plane_names=names,
        max_actions=ROWS * COLUMNS,
        start=start,
        to_play=to_play,
        legal=legal,
        play=play,
        outcome=outcome,
        encode=write,
        num_symmetries=2,
        symmetric_state=symmetric_state,
        symmetric_action=symmetric_action,
        action_places=[(0, 0, column) for column in range(COLUMNS)],  # the top row, where a disc is dropped
        num_maps=2,
        final_maps=final_maps,
        foresee=foresee,
        players=("Red", "Yellow"),
        action_text=action_text,
        describe=describe,
        reason=reason,
    )
