"""Comments, signs and variations of a game, independent of its text format.

A place is a position of a game with its variations: place 0 is the start; then come the actions of the main line, then
those of each variation, in order.
"""

import re
from collections import deque
from collections.abc import Iterator
from itertools import pairwise

import msgspec

from ludus.errors import BadInput
from ludus.games.chess.pgn import PgnLine, Played
from ludus.games.game import Position
from ludus.games.go.sgf import Node, escaped
from ludus.games.go.sgf_game import SET_UP, append_moves, cell_in_sgf
from ludus.games.go.view import pass_action, point_of, size_of
from ludus.site.messages.archive import TreeMove
from ludus.site.messages.study import MAX_ACTIONS

MAX_DEPTH = 100
"""Most levels of variations within variations."""
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
_SGF_SIGNS = {
    ("TE", "1"): 1,
    ("BM", "1"): 2,
    ("TE", "2"): 3,
    ("BM", "2"): 4,
    ("IT", ""): 5,
    ("DO", ""): 6,
    ("DM", "1"): 10,
    ("UC", "1"): 13,
    ("GB", "1"): 16,
    ("GW", "1"): 17,
    ("GB", "2"): 18,
    ("GW", "2"): 19,
}
_NOT_SHOWN = frozenset(("AR", "CR", "DD", "FG", "LB", "LN", "MA", "SL", "SQ", "TB", "TR", "TW", "VW"))
_COMMAND = re.compile(r"\[%[^\]]*\]")  # for programs, such as `[%clk 0:05:00]`


class Note(msgspec.Struct, frozen=True, array_like=True):
    """The comments and signs at a place."""

    place: int
    comment: str = ""
    signs: list[int] = []
    """Numeric annotation glyphs (NAGs)."""
    before: str = ""
    """A comment before the place's action, where a variation begins."""


class Variation(msgspec.Struct, frozen=True, array_like=True):
    """A variation."""

    place: int
    """The place after which it begins."""
    actions: list[int]


class Annotations(msgspec.Struct, frozen=True, array_like=True):
    """The notes and variations of a game."""

    notes: list[Note] = []
    variations: list[Variation] = []

    def __bool__(self) -> bool:
        """Return whether there are any."""
        return bool(self.notes or self.variations)


NONE = Annotations()


class Annotated:
    """A game with the positions of all its places."""

    def __init__(self, last: Position, annotations: Annotations) -> None:
        """Replay the variations.

        Raises:
            BadInput: a place does not exist, an action is illegal, or there are too many actions or levels.
        """
        self.last = last
        self.positions = list(last.history)
        self.parents = [place - 1 for place in range(len(self.positions))]
        levels = [0] * len(self.positions)
        for variation in annotations.variations:
            place = variation.place
            level = levels[place] + 1 if 0 <= place < len(levels) else MAX_DEPTH + 1
            if level > MAX_DEPTH or len(self.positions) + len(variation.actions) > MAX_ACTIONS + 1:
                raise BadInput("A variation begins nowhere, is too long, or is nested too deep.")
            for action in variation.actions:
                self.positions.append(self.positions[place].play(action))
                self.parents.append(place)
                levels.append(level)
                place = len(self.positions) - 1
        self.notes = {note.place: note for note in annotations.notes if 0 <= note.place < len(self.positions)}
        self.children: list[list[int]] = [[] for _ in self.positions]
        for place, parent in enumerate(self.parents[1:], 1):
            self.children[parent].append(place)

    def lines(self) -> Iterator[tuple[int, list[int]]]:
        """Yield each line: the place before it, and its places; the main line first."""
        begins = [(0, place) for place in self.children[0]]
        begins += [(place, other) for place, below in enumerate(self.children[1:], 1) for other in below[1:]]
        for before, first in begins:
            line = [first]
            while below := self.children[line[-1]]:
                line.append(below[0])
            yield before, line

    def tree(self) -> list[TreeMove]:
        """Return the places as the page displays them."""
        found: list[TreeMove] = []
        moves: list[tuple[Position, list[int]]] = []  # for each place: the position before its move, its actions so far
        for place, parent in enumerate(self.parents):
            position, note = self.positions[place], self.notes.get(place, Note(place))
            told = _COMMAND.sub("", note.before).strip(), _COMMAND.sub("", note.comment).strip()
            signs = "".join(SIGNS.get(sign, f" ${sign}") for sign in note.signs).strip()
            if position.action is None:
                found.append(TreeMove(-1, -1, "", -1, 0, 0, *told, signs))
                moves.append((position, []))
                continue
            above = self.positions[parent]
            begin, actions = moves[parent]
            continues = actions and begin.to_play == above.to_play and not above.outcome
            begin, actions = (begin, [*actions, position.action]) if continues else (above, [position.action])
            text = position.game.move_text(begin.state, actions)
            ply = position.num_actions_played
            found.append(
                TreeMove(parent, position.action, text, above.to_play, ply, begin.num_actions_played, *told, signs)
            )
            moves.append((begin, actions))
        return found


# ---- PGN -------------------------------------------------------------------------------------------------------------


def from_pgn(line: PgnLine) -> Annotations:
    """Return the comments, signs and variations of a game of chess."""
    notes: list[Note] = []
    variations: list[Variation] = []
    waiting = deque([(line, 0)])
    place = 0
    while waiting:
        one, before = waiting.popleft()
        begins = " ".join(one.comments)
        if one is line:
            notes += [Note(0, begins)] if begins else []
        elif one.moves:
            variations.append(Variation(before, [played.action for played in one.moves]))
        for index, played in enumerate(one.moves):
            place += 1
            comment = " ".join(played.comments)
            first = begins if one is not line and not index else ""
            if comment or played.nags or first:
                notes.append(Note(place, comment, played.nags, first))
            waiting.extend((variation, before) for variation in played.variations)
            before = place
    return Annotations(notes, variations)


def to_pgn(game: Annotated) -> PgnLine:
    """Return a game of chess with its comments, signs and variations."""
    played: list[Played] = [Played("", -1)]
    for place, position in enumerate(game.positions[1:], 1):
        assert position.action is not None, "only the start has no action"
        before, note = game.positions[game.parents[place]], game.notes.get(place, Note(place))
        san = before.game.move_text(before.state, [position.action])
        played.append(Played(san, position.action, note.signs, [note.comment] if note.comment else [], []))
    main = PgnLine()
    for parent, places in game.lines():
        note = game.notes.get(places[0], Note(0))
        line = PgnLine([note.before] if note.before else [], [played[place] for place in places])
        if main.moves:
            played[game.children[parent][0]].variations.append(line)
        else:
            main = line
    start = game.notes.get(0, Note(0)).comment
    main.comments = [each for each in (start, *main.comments) if each]
    return main


# ---- SGF -------------------------------------------------------------------------------------------------------------


def from_sgf(line: list[tuple[Node, Position]]) -> tuple[Annotations, list[str]]:
    """Return the comments, signs and variations of a game of Go, and a sentence for each kind of thing left out.

    Args:
        line: the nodes of the main line with the positions after them.
    """
    told: dict[int, tuple[list[str], list[int]]] = {}  # comments and signs by place
    variations: list[Variation] = []
    waiting: deque[tuple[Node, Position, int]] = deque()
    unplayable, has_marks = False, any(_NOT_SHOWN & node.properties.keys() for node, _ in line)
    places = line[-1][1].num_actions_played
    for node, position in line:
        _note(told, node, position.num_actions_played)
    for (above, position), (below, _) in pairwise(line):
        assert above.children[0] is below, "the main line follows the first children"
        waiting.extend((other, position, position.num_actions_played) for other in above.children[1:])
    while waiting:
        node, position, before = waiting.popleft()
        place, actions = before, list[int]()
        for each in node.main_line():
            steps = _played(each, position)
            if steps is None or places + len(steps) > MAX_ACTIONS:
                unplayable = True
                break
            for step in steps:
                actions.append(step.action or 0)
                places += 1
                place, position = places, step
            _note(told, each, place)
            has_marks = has_marks or bool(_NOT_SHOWN & each.properties.keys())
            waiting.extend((other, position, place) for other in each.children[1:])
        if actions:
            variations.append(Variation(before, actions))
    left_out = ["Variations that set up stones, are not in turn or are too long are left out."] * unplayable
    if has_marks:
        left_out.append("Marks on the board are left out.")
    notes = [Note(place, "\n".join(comments), signs) for place, (comments, signs) in sorted(told.items())]
    return Annotations(notes, variations), left_out


def _note(told: dict[int, tuple[list[str], list[int]]], node: Node, place: int) -> None:
    texts = [text for text in (node.text("N").strip(), node.text("C").strip()) if text]
    signs = [sign for (name, value), sign in _SGF_SIGNS.items() if node.get(name) in (value, value or "1")]
    if texts or signs:
        comments, numbers = told.setdefault(place, ([], []))
        comments += texts
        numbers += signs


def _played(node: Node, position: Position) -> list[Position] | None:
    """Return the positions after the moves of a node; None if the node cannot be played after a position."""
    found: list[Position] = []
    if SET_UP & node.properties.keys():
        return None
    try:
        for player, point in node.moves():
            cell = cell_in_sgf(point, size_of(position.state))
            action = pass_action(position.state) if cell is None else point_of(position.state, cell)
            if position.to_play != player:
                return None
            position = position.play(action)
            found.append(position)
    except BadInput:
        return None
    return found


def add_to_sgf(game: Annotated, nodes: list[Node]) -> None:
    """Add the variations and notes of a game to its SGF nodes, one for each position of the main line."""
    nodes = list(nodes)
    for parent, position in zip(game.parents[len(nodes) :], game.positions[len(nodes) :], strict=True):
        nodes += append_moves(nodes[parent], [game.positions[parent], position])[1:]
    names = {sign: (name, value) for (name, value), sign in _SGF_SIGNS.items()}
    for place, note in game.notes.items():
        properties = nodes[place].properties
        text = "\n".join(each for each in (note.before, note.comment) if each)
        if text:
            properties["C"] = ["\n".join([*properties.get("C", []), escaped(text)])]
        for sign in note.signs:
            if sign in names:
                properties[names[sign][0]] = [names[sign][1]]
