"""Recorded Wall Games in the players' format: tags such as `[Board "12x10"]`, numbered pairs of moves, and a result.

    [Variant "classic"]
    [Board "8x8"]                   columns x rows
    [Result "1-0"]                  also 0-1, 1/2-1/2, *

    1. Cb7.>d4 Cg8.^e3 2. Cc7 ---
    1-0

Board and Result are required.  Optional: Variant (default standard), TimeControl ("180+2"), Player1, Player2,
Player1Elo, Player2Elo, Date, Termination (MouseCapture, Timeout, Resignation, DrawAgreement, OneMoveRuleDraw, Unknown).
Ludus adds Edition ("2026-01" for the older rules) and Setup (the site's `initialState` as JSON).
"""

import json
import re
from typing import Any

from ludus.errors import BadNotation
from ludus.games.game import Position
from ludus.games.recorded import Recorded, read_record, read_setup, record_position, replay_moves, write_record
from ludus.games.registry import game as find_game
from ludus.games.wallgame.layout import FREESTYLE, VARIANTS
from ludus.games.wallgame.view import WallgameView

TERMINATIONS = {
    "capture": "MouseCapture",
    "timeout": "Timeout",
    "resignation": "Resignation",
    "draw-agreement": "DrawAgreement",
    "one-move-rule": "OneMoveRuleDraw",
}
"""The tag Termination for each reason of a game's end; other reasons are Unknown."""


def write_wall_game(position: Position, tags: dict[str, str] | None = None, result: str | None = None) -> str:
    """Return the record of the game that led to a position.

    Args:
        position: the last position.
        tags: further tags.
        result: for games that did not end by the rules; None takes the position's result.
    """
    recorded = record_position(position, tags, result)
    view = WallgameView.read(position.state)
    told = {"Variant": VARIANTS[view.variant], "Board": f"{view.columns}x{view.rows}"}
    if view.old_rules:
        told["Edition"] = "2026-01"
    setup = _setup(position.history[0])
    if setup is not None:
        told["Setup"] = json.dumps(setup, separators=(",", ":"))
    others = {name: value for name, value in recorded.tags.items() if name not in ("Game", "Setup")}
    return write_record(Recorded(told | others, recorded.moves, recorded.result))


def read_wall_game(text: str) -> tuple[Recorded, Position]:
    """Return a recorded Wall Game and its last position.

    Raises:
        BadNotation: the text is not such a record.
        IllegalMove: a move is not legal; the message names it.
        BadGame: the variant or board does not exist.
    """
    recorded = read_record(text)
    tags = recorded.tags
    if "Result" not in tags or "Board" not in tags:
        missing = "Board" if "Board" not in tags else "Result"
        raise BadNotation(f"The record has no tag {missing}; Board and Result are required.")
    if tags["Result"] != recorded.result:
        raise BadNotation(f"The tag Result is {tags['Result']}, but the moves end with {recorded.result}.")
    if not re.fullmatch(r"[0-9]{1,2}x[0-9]{1,2}", tags["Board"], re.ASCII):
        raise BadNotation(f"The tag Board is {tags['Board'][:20]!r}; it must be columns x rows, such as 8x8.")
    variant, edition = tags.get("Variant", "standard").lower(), tags.get("Edition", "")
    if variant not in VARIANTS or edition not in ("", "2026-09", "2026-01"):
        raise BadNotation(f"There is no Wall Game of variant {variant[:20]!r}, edition {edition[:20] or 'newest'!r}.")
    spec = ":".join(["wallgame", variant, tags["Board"], "short", *([edition] if edition == "2026-01" else [])])
    return recorded, replay_moves(find_game(spec).start(read_setup(tags)), recorded.moves)


def _setup(first: Position) -> Any:  # noqa: ANN401 - JSON
    """Return the setup as JSON; None for the variant's usual start, which freestyle does not have."""
    if isinstance(first.setup, dict):
        return first.setup
    view = WallgameView.read(first.state)
    own = view.variant != FREESTYLE and (first.state == first.game.start_state()).all()
    return None if own else first.game.setup(first.state)
