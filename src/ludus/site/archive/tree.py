"""Converts a game with its comments and variations to the page's messages."""

import re
from collections import deque

from ludus.errors import BadInput
from ludus.games.annotations import Annotations, CellMark, GameTree, Note, Variation
from ludus.games.game import Position
from ludus.site.messages.archive import TreeMove
from ludus.site.messages.study import TreeNode

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
            found.append(TreeMove(-1, -1, "", -1, 0, 0, *told, signs, note.signs, note.marks))
            continue
        parent = game.parents[place]
        above, begin = game.positions[parent], game.positions[game.begins[place]]
        text, ply = game.text(place), position.num_actions_played
        plies = ply, begin.num_actions_played
        found.append(
            TreeMove(parent, position.action, text, above.to_play, *plies, *told, signs, note.signs, note.marks)
        )
    return found


def tree_in(nodes: list[TreeNode], first: Position) -> tuple[GameTree, dict[int, int]]:
    """Return the game that the page's analysis tree contains, and the place in it of each node.

    Args:
        nodes: the start, then the actions; each after its parent, and the main continuation before the others.
        first: the position of the start.

    Raises:
        BadInput: a node has no parent, an action is illegal, or the tree is too deep.
    """
    children: list[list[int]] = [[] for _ in nodes]
    for number, node in enumerate(nodes[1:], 1):
        if not 0 <= node.parent < number:
            raise BadInput(f"Node {number} of the tree comes before its parent.")
        children[node.parent].append(number)
    places, variations, last = {0: 0}, list[Variation](), first
    waiting = deque([(0, number) for number in children[0]])
    while waiting:
        parent, begin = waiting.popleft()
        line = [begin]
        while below := children[line[-1]]:
            line.append(below[0])
        actions = [nodes[number].action for number in line]
        if begin == children[0][0] and parent == 0:
            for action in actions:
                last = last.play(action)
        else:
            variations.append(Variation(places[parent], actions))
        for number in line:
            places[number] = len(places)
            waiting.extend((number, other) for other in children[number][1:])
    notes = [
        Note(place, node.comment, node.nags, node.before, [CellMark(*mark) for mark in node.marks])
        for number, place in places.items()
        if (node := nodes[number]) and (node.comment or node.nags or node.before or node.marks)
    ]
    return GameTree(last, Annotations(notes, variations)), places
