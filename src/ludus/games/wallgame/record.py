"""Recorded Wall Games as their players write them: tags such as `[Board "12x10"]`, moves numbered by pairs, a result.

    [Variant "classic"]
    [Board "8x8"]                   columns x rows
    [Result "1-0"]                  also 0-1, 1/2-1/2, *

    1. Cb7.>d4 Cg8.^e3 2. Cc7 ---
    1-0

Board and Result must be there.  Optional: Variant (standard), TimeControl ("180+2"), Player1, Player2, Player1Elo,
Player2Elo, Date, Termination (MouseCapture, Timeout, Resignation, DrawAgreement, OneMoveRuleDraw, Unknown), and of our
own: Edition ("2026-01", where the older rules are played) and Setup (the JSON of the site's `initialState`).
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
"""How a record names the reasons for which games end; others are Unknown."""


def write_wall_game(position: Position, tags: dict[str, str] | None = None, result: str | None = None) -> str:
    """Return the record of the game that led to a position.

    Args:
        position: the last one.
        tags: more about the game.
        result: for games that did not end by the rules; None: as the position says.
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
    """Return a recorded Wall Game, and its last position.

    Raises:
        BadNotation: the text is no record of one.
        IllegalMove: a move may not be played; the sentence names it.
        BadGame: there is no such variant or board.
    """
    recorded = read_record(text)
    tags = recorded.tags
    if "Result" not in tags or "Board" not in tags:
        missing = "Board" if "Board" not in tags else "Result"
        raise BadNotation(f"The record has no tag {missing}; every Wall Game has Board and Result.")
    if tags["Result"] != recorded.result:
        raise BadNotation(f"The tag Result says {tags['Result']}, but the moves end with {recorded.result}.")
    if not re.fullmatch(r"[0-9]{1,2}x[0-9]{1,2}", tags["Board"], re.ASCII):
        raise BadNotation(f"The tag Board says {tags['Board'][:20]!r}; it must say columns and rows, such as 8x8.")
    variant, edition = tags.get("Variant", "standard").lower(), tags.get("Edition", "")
    if variant not in VARIANTS or edition not in ("", "2026-09", "2026-01"):
        raise BadNotation(f"There is no Wall Game of variant {variant[:20]!r}, edition {edition[:20] or 'newest'!r}.")
    spec = ":".join(["wallgame", variant, tags["Board"], "short", *([edition] if edition == "2026-01" else [])])
    return recorded, replay_moves(find_game(spec).start(read_setup(tags)), recorded.moves)


def _setup(first: Position) -> Any:  # noqa: ANN401 - JSON
    """Return the start as JSON, unless it is the variant's own; one that was drawn by lot, as it was drawn."""
    if isinstance(first.setup, dict):
        return first.setup
    view = WallgameView.read(first.state)
    own = view.variant != FREESTYLE and (first.state == first.game.start_state()).all()
    return None if own else first.game.setup(first.state)
