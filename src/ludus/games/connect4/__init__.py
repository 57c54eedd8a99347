"""Connect Four on 7 columns by 6 rows: drop discs; four in a line win.  Solved, so play can be judged exactly.

Loaded by `ludus.game("connect4[:ahead]")`.  With `ahead`, the network also receives planes of wins by threats alone,
and of the winner if the board filled up without mistakes.
"""

from ludus.errors import BadGame
from ludus.games.about import STANDARD, About, Options, Variant
from ludus.games.connect4.describe import action_text, describe, reason
from ludus.games.connect4.endgame import foresee
from ludus.games.connect4.layout import COLUMNS, ROWS
from ludus.games.connect4.planes import AHEAD_PLANES, PLANES, encode, encode_ahead, final_maps
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
    options=Options(planes=("ahead",)),
    trial_boards=("",),
    solver=lambda _game: ConnectFourSolver(),
    read_solved=read_solved,
)


def make(*parts: str) -> Game:
    """Return Connect Four with the planes named by the option; raise BadGame for other options."""
    spec = ":".join(("connect4", *parts))
    if parts not in {(), ("ahead",)}:
        raise BadGame(f"{spec}: write connect4, or connect4:ahead for additional input planes.")
    names = AHEAD_PLANES if parts else PLANES
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
        encode=encode_ahead if parts else encode,
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
