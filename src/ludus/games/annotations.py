"""Comments, signs and variations of a game, independent of its text format.

A place is a position of a game with its variations: place 0 is the start; then come the actions of the main line, then
those of each variation, in order.
"""

from collections import deque
from collections.abc import Iterator
from itertools import groupby, takewhile

import msgspec

from ludus.errors import BadInput
from ludus.games.board import Cell
from ludus.games.game import Position

MAX_DEPTH = 100
"""Most levels of variations within variations."""
MAX_ACTIONS = 2000
"""Most actions of a line of study, and of a game with its variations."""


class CellMark(msgspec.Struct, frozen=True, array_like=True):
    """A mark that a commentator puts on a cell."""

    at: Cell
    shape: str
    """`triangle`, `square`, `circle`, `cross` or `label`."""
    text: str = ""
    """The text of a label."""


class Note(msgspec.Struct, frozen=True, array_like=True):
    """The comments, signs and marks at a place."""

    place: int
    comment: str = ""
    signs: list[int] = []
    """Numeric annotation glyphs (NAGs) as in PGN: 1 is `!`, 2 is `?`."""
    before: str = ""
    """A comment before the place's action, where a variation begins."""
    marks: list[CellMark] = []
    """Marks on the board."""


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


class GameTree:
    """A game with its variations and notes, and the positions of all its places."""

    def __init__(self, last: Position, annotations: Annotations = NONE) -> None:
        """Replay the variations.

        Raises:
            BadInput: a place does not exist, an action is illegal, or there are too many actions or levels.
        """
        self.last, self.annotations = last, annotations
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
        self.begins = [0] * len(self.positions)
        """For each place, the place before the first action of its move."""
        for place, parent in enumerate(self.parents[1:], 1):
            self.children[parent].append(place)
            above, begin = self.positions[parent], self.begins[parent]
            goes_on = parent and not above.outcome and self.positions[begin].to_play == above.to_play
            self.begins[place] = begin if goes_on else parent

    def note(self, place: int) -> Note:
        """Return the note at a place, which may be empty."""
        return self.notes.get(place) or Note(place)

    def lines(self) -> Iterator[tuple[int, list[int]]]:
        """Yield each line: the place before it, and its places; the main line first."""
        begins = [(0, place) for place in self.children[0]]
        begins += [(place, other) for place, below in enumerate(self.children[1:], 1) for other in below[1:]]
        for before, first in begins:
            line = [first]
            while below := self.children[line[-1]]:
                line.append(below[0])
            yield before, line

    def actions(self, place: int) -> list[int]:
        """Return the actions of a place's move, up to this place."""
        actions: list[int] = []
        begin, at = self.begins[place], place
        while at != begin:
            action = self.positions[at].action
            assert action is not None, "only the start has no action"
            actions.append(action)
            at = self.parents[at]
        return actions[::-1]

    def text(self, place: int) -> str:
        """Return the notation of a place's move, up to this place."""
        begin = self.positions[self.begins[place]]
        return begin.game.move_text(begin.state, self.actions(place))


# ---- lines of moves, as texts write them -----------------------------------------------------------------------------


class RecordMove(msgspec.Struct):
    """A move of a recorded game."""

    text: str
    """The move in notation."""
    actions: list[int] = []
    """The numbers of its actions; empty until it is played."""
    signs: list[int] = []
    """Numeric annotation glyphs (NAGs)."""
    comments: list[str] = []
    """Comments after the move."""
    variations: "list[RecordLine]" = []
    """Alternatives to the move."""


class RecordLine(msgspec.Struct):
    """A sequence of moves with its comments and variations."""

    comments: list[str] = []
    """Comments before the first move."""
    moves: list[RecordMove] = []

    @property
    def is_bare(self) -> bool:
        """Whether there are no comments, signs and variations."""
        return not (self.comments or any(move.comments or move.signs or move.variations for move in self.moves))


def annotations_of(main: RecordLine) -> Annotations:
    """Return the comments, signs and variations of a played line.

    A variation whose first move begins with actions of the move that it replaces begins after them.
    """
    notes: list[Note] = []
    variations: list[Variation] = []
    waiting: deque[tuple[RecordLine, int, list[int], list[int]]] = deque([(main, 0, [], [])])
    last = 0
    while waiting:
        line, before, replaced, places_replaced = waiting.popleft()
        begins, shared = " ".join(line.comments), 0
        if line is main:
            notes += [Note(0, begins)] if begins else []
        elif line.moves:
            shared = _shared(line.moves[0].actions, replaced)
            before = places_replaced[shared - 1] if shared else before
            variations.append(Variation(before, [each for move in line.moves for each in move.actions][shared:]))
        for index, move in enumerate(line.moves):
            begin = 0 if index else shared
            fresh = len(move.actions) - begin
            places = [*places_replaced[:begin], *range(last + 1, last + 1 + fresh)]
            last += fresh
            empty = [each for variation in move.variations if not variation.moves for each in variation.comments]
            comment = " ".join([*move.comments, *empty])
            first = begins if line is not main and not index else ""
            if first and fresh > 1:
                notes.append(Note(places[begin], before=first))
                first = ""
            if comment or move.signs or first:
                notes.append(Note(places[-1], comment, move.signs, first))
            waiting.extend((each, before, move.actions, places) for each in move.variations)
            before = places[-1]
    return Annotations(notes, variations)


def _shared(actions: list[int], others: list[int]) -> int:
    """Return how many actions two moves have in common before they differ; 0 if one is the beginning of the other."""
    count = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(actions, others, strict=False)))
    return count if count < min(len(actions), len(others)) else 0


def line_of(tree: GameTree) -> RecordLine:
    """Return the main line of a game with its comments, signs and variations."""
    main = RecordLine()
    owner: dict[int, RecordMove] = {}  # the move of each place
    for parent, places in tree.lines():
        before = tree.note(places[0]).before
        line = RecordLine([before] if before else [])
        for _, group in groupby(places, key=tree.begins.__getitem__):
            steps = list(group)
            found = [tree.note(place) for place in steps]
            signs = [sign for note in found for sign in note.signs]
            comments = [note.comment for note in found if note.comment]
            line.moves.append(RecordMove(tree.text(steps[-1]), tree.actions(steps[-1]), signs, comments, []))
            owner |= dict.fromkeys(steps, line.moves[-1])
        if main.moves:
            owner[tree.children[parent][0]].variations.append(line)
        else:
            main = line
    start = tree.note(0).comment
    main.comments = [each for each in (start, *main.comments) if each]
    return main
