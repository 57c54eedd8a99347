"""Recorded Wall Games in the players' format: tags such as `[Board "12x10"]`, numbered pairs of moves, and a result.

    [Variant "classic"]
    [Board "8x8"]                   columns x rows
    [Result "1-0"]                  also 0-1, 1/2-1/2, *

    1. Cb7.>d4 Cg8.^e3 2. Cc7 ---
    1-0

Board and Result are required.  Optional: Variant (default standard), TimeControl ("180+2"), Player1, Player2,
Player1Elo, Player2Elo, Date, Termination (MouseCapture, Timeout, Resignation, DrawAgreement, OneMoveRuleDraw, Unknown).
Ludus adds Edition ("2026-01" for the older rules) and Setup (the site's `initialState` as JSON).  Comments, variations
and signs are written as in the plain format (`ludus.games.recorded`).
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from ludus.errors import BadNotation
from ludus.games.annotations import GameTree, line_of
from ludus.games.game import Position
from ludus.games.plain import RecordedText, header_of, tags_of
from ludus.games.recorded import Recorded, read_record, read_setup, write_record
from ludus.games.records import BrokenGame, Doubt, RecordedGame, RecordFormat, RecordHeader, leading_tags
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
_SIZE = re.compile(r"[0-9]{1,2}x[0-9]{1,2}")


class WallGameRecord(RecordFormat):
    """The players' format of the Wall Game."""

    title = "Wall Game record"
    suffix = "txt"

    def recognises(self, text: str) -> bool:
        """Return whether a text has the tag Board with a size; in PGN it is a number, if anything."""
        return bool(_SIZE.fullmatch(leading_tags(text).get("Board", "")))

    def read(self, text: str, *, compiled: bool = False) -> Iterator[RecordedGame | BrokenGame | Doubt]:
        """Yield the game of a text."""
        del compiled
        recorded = read_record(text)
        tags = recorded.tags
        if "Result" not in tags or "Board" not in tags:
            missing = "Board" if "Board" not in tags else "Result"
            raise BadNotation(f"The record has no tag {missing}; Board and Result are required.")
        if tags["Result"] != recorded.result:
            raise BadNotation(f"The tag Result is {tags['Result']}, but the moves end with {recorded.result}.")
        if not _SIZE.fullmatch(tags["Board"]):
            raise BadNotation(f"The tag Board is {tags['Board'][:20]!r}; it must be columns x rows, such as 8x8.")
        variant, edition = tags.get("Variant", "standard").lower(), tags.get("Edition", "")
        if variant not in VARIANTS or edition not in ("", "2026-09", "2026-01"):
            raise BadNotation(
                f"There is no Wall Game of variant {variant[:20]!r}, edition {edition[:20] or 'newest'!r}."
            )
        spec = ":".join(["wallgame", variant, tags["Board"], "short", *([edition] if edition == "2026-01" else [])])
        reasons = {name: reason for reason, name in TERMINATIONS.items()}
        header = header_of(recorded, reasons.get(tags.get("Termination", ""), ""))
        yield RecordedText(spec=spec, header=header, setup=read_setup(tags), moves=recorded.moves, line=recorded.line)

    def write(self, tree: GameTree, header: RecordHeader) -> str:
        """Return the record of a game."""
        view = WallgameView.read(tree.last.state)
        tags = {"Variant": VARIANTS[view.variant], "Board": f"{view.columns}x{view.rows}"}
        if view.old_rules:
            tags["Edition"] = "2026-01"
        setup = _setup(tree.last.history[0])
        if setup is not None:
            tags["Setup"] = json.dumps(setup, separators=(",", ":"))
        tags |= tags_of(header) | {"Termination": TERMINATIONS.get(header.reason, "Unknown")}
        return write_record(Recorded(tags, line_of(tree), header.result))


def _setup(first: Position) -> Any:  # noqa: ANN401 - JSON
    """Return the setup as JSON; None for the variant's usual start, which freestyle does not have."""
    if isinstance(first.setup, dict):
        return first.setup
    view = WallgameView.read(first.state)
    own = view.variant != FREESTYLE and (first.state == first.game.start_state()).all()
    return None if own else first.game.setup(first.state)


WALL_GAME_RECORD = WallGameRecord()
