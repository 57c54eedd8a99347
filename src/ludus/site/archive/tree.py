"""Converts a game with its comments and variations to the page's messages."""

import re

from ludus.games.annotations import GameTree
from ludus.site.messages.archive import TreeMove

SIGNS = {
    1: "!",
    2: "?",
    3: "!!",
    4: "??",
    5: "!?",
    6: "?!",
    7: "□",
    10: "=",
    13: "∞",
    14: "⩲",
    15: "⩱",
    16: "±",
    17: "∓",
    18: "+-",
    19: "-+",
    22: "⨀",
    32: "⟳",
    36: "↑",
    40: "→",
    132: "⇆",
    138: "⊕",
    140: "∆",
    146: "N",
}
"""Numeric annotation glyphs as the page shows them."""
_COMMAND = re.compile(r"\[%[^\]]*\]")  # for programs, such as `[%clk 0:05:00]`


def tree_of(game: GameTree) -> list[TreeMove]:
    """Return the places of a game as the page displays them."""
    found: list[TreeMove] = []
    for place, position in enumerate(game.positions):
        note = game.note(place)
        told = _COMMAND.sub("", note.before).strip(), _COMMAND.sub("", note.comment).strip()
        signs = "".join(SIGNS.get(sign, f" ${sign}") for sign in note.signs).strip()
        if position.action is None:
            found.append(TreeMove(-1, -1, "", -1, 0, 0, *told, signs))
            continue
        parent = game.parents[place]
        above, begin = game.positions[parent], game.positions[game.begins[place]]
        text, ply = game.text(place), position.num_actions_played
        found.append(
            TreeMove(parent, position.action, text, above.to_play, ply, begin.num_actions_played, *told, signs)
        )
    return found
