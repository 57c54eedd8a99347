"""SGF as the text format of Go: files of games to learn from, and games that a site imports and exports."""

import re
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice, pairwise

from ludus.errors import BadInput
from ludus.games.annotations import MAX_ACTIONS, Annotations, CellMark, GameTree, Note, Variation
from ludus.games.calls import pause
from ludus.games.game import Game, Position
from ludus.games.go.describe import margin, score_text
from ludus.games.go.sgf import BrokenSgf, Node, escaped, read_trees, text_of, write_sgf
from ludus.games.go.sgf_game import (
    SET_UP,
    append_moves,
    cell_in_sgf,
    cells_in_sgf,
    nodes_of,
    replay,
    sgf_point,
    spec_in,
)
from ludus.games.go.sgf_result import result_in
from ludus.games.go.sgf_text import TREE, decoded
from ludus.games.go.view import pass_action, point_of, size_of
from ludus.games.records import (
    MAX_CLOCK,
    NO_CLOCK,
    UNFINISHED,
    BrokenGame,
    Doubt,
    Overtime,
    RecordedGame,
    RecordFormat,
    RecordHeader,
    date_in,
    date_text,
    number_text,
    other_clock,
    overtime_in,
    overtime_text,
    rating_in,
    result_of,
)

MAX_NODES = 5 * MAX_ACTIONS
"""Most nodes of a game without its variations."""
MAX_SET_UPS = 10
"""Most nodes that set up stones before the first move; the rules need more time for one than for a move."""
MAX_LABEL = 20
"""Most characters of a label on the board."""
_BEGIN = re.compile(rf"[\ufeff\s]*{TREE.pattern}")
_SIGNS = {
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
"""The properties of signs, by their numbers in PGN."""
_SHAPES = {"TR": "triangle", "SQ": "square", "CR": "circle", "MA": "cross", "LB": "label"}
"""The properties of marks on the board."""
MAX_MARKS = 50_000
"""Most marks that are read of one game: a text of `MAX_CHARS` has no more of them if it lists each point."""
_NOT_SHOWN = frozenset(("AR", "DD", "FG", "LN", "SL", "TB", "TW", "VW"))
_COUNTED = frozenset(("TB", "TW"))
"""Properties that a board shows by itself when the game is over."""
_LABEL = re.compile(r"\s*([a-zA-Z]{2})\s*:(.*)", re.DOTALL)
_TIME = re.compile(r"\d{1,7}(?:\.\d{1,3})?", re.ASCII)
_FISCHER = re.compile(r"(\d{1,4}(?:\.\d{1,3})?)\s*s?\s*fischer|fischer\s*(\d{1,4}(?:\.\d{1,3})?)", re.I | re.ASCII)
_AGREED = re.compile(r"([BW]\+[0-9.]*|0)\Z")
"""A result at the end of a reason such as `two passes, W+0.5`."""
ENDINGS = {"R": "resignation", "T": "timeout"}


class Sgf(RecordFormat):
    """SGF, the format of Go."""

    title = "SGF"
    suffix = "sgf"

    def recognises(self, text: str) -> bool:
        """Return whether a text begins with a game tree."""
        return bool(_BEGIN.match(text))

    def decode(self, raw: bytes) -> tuple[str, list[str]]:
        """Return the text of a file whose game trees may have different encodings."""
        return decoded(raw)

    def read(self, text: str, *, compiled: bool = False) -> Iterator[RecordedGame | BrokenGame | Doubt]:
        """Yield the games of a file; no rules are needed to read them, only to play them."""
        del compiled
        doubts: list[str] = []
        trees = read_trees(text, doubts.append)
        yield from map(Doubt, doubts)
        for root in trees:
            yield BrokenGame(str(root)) if isinstance(root, BrokenSgf) else _game_of(root)

    def write(self, tree: GameTree, header: RecordHeader) -> str:
        """Return a game as one game tree with its rules, its result and its time control."""
        tags = dict(zip(("PB", "PW"), header.names, strict=True)) | _result(tree.last, header)
        ratings = zip(("BR", "WR"), header.ratings, strict=True)
        tags |= {name: str(rating) for name, rating in ratings if rating is not None}
        if header.clock is not None:
            initial, increment = map(number_text, header.clock)
            tags |= {"TM": initial} | ({"OT": f"{increment} fischer"} if header.clock[1] else {})
        if header.overtime is not None:
            tags["OT"] = overtime_text(header.overtime)
        if header.ended is not None:
            tags["DT"] = date_text(header.ended, "%Y-%m-%d")
        nodes = nodes_of(tree.last, tags)
        _annotate(tree, nodes)
        return write_sgf([nodes[0]])


class RecordedGo(RecordedGame):
    """A game tree; its moves are points, which every board that has them can play."""

    root: Node

    @property
    def num_moves(self) -> int:
        """The number of moves of the main line."""
        return sum(name in node.properties for node in self.root.main_line() for name in "BW")

    def positions(self, game: Game, *, is_cut: bool = False) -> list[Position]:
        """Return the position after each node of the main line."""
        return replay(self.root, game, is_cut=is_cut).positions

    def annotations(self, positions: list[Position]) -> tuple[Annotations, list[str]]:
        """Return the comments, signs and variations, and what is left out."""
        return _annotations(list(zip(self.root.main_line(), positions, strict=True)))

    def end(self, last: Position) -> tuple[int | None, str]:
        """Return the winner and the reason; a recorded result counts even after two passes, if it has a score.

        The players may have removed dead stones, which the rules alone count as alive.
        """
        found = result_in(self.root)
        winner, reason = super().end(last)
        is_scored = bool(re.search(r"\d", found))
        if last.outcome and self.header.result != "*":
            if is_scored and found != score_text(margin(last.state)):
                return self.header.winner, f"two passes, {found}"
            if winner != self.header.winner:
                return self.header.winner, self.header.reason or f"two passes, {found}"
        return winner, reason


def _game_of(root: Node) -> RecordedGame | BrokenGame:
    if next(islice(root.main_line(), MAX_NODES, None), None):
        return BrokenGame(f"line {root.line}: the game has more than {MAX_NODES} nodes.")
    try:
        spec = spec_in(root)
    except BadInput as error:
        return BrokenGame(str(error).removeprefix("SGF, "))
    result = result_in(root)
    clock, overtime, told_clock = _clock(root)
    header = RecordHeader(
        names=(root.text("PB") or "?", root.text("PW") or "?"),
        ratings=(rating_in(root.text("BR")), rating_in(root.text("WR"))),
        result=result_of({"B": 0, "W": 1}.get(result[:1]), over=result[:1] in ("B", "W", "0")),
        reason="aborted" if result == "Void" else ENDINGS.get(result[2:], ""),
        ended=date_in(root.text("DT")),
        clock=clock,
        overtime=overtime,
        other_clock=told_clock,
    )
    is_rearranged = _is_rearranged(root)
    return RecordedGo(spec=spec, header=header, any_variant=True, is_rearranged=is_rearranged, root=root)


def _is_rearranged(root: Node) -> bool:
    moves = set_ups = 0
    for node in root.main_line():
        set_ups += bool(SET_UP & node.properties.keys())
        if SET_UP & node.properties.keys() and (moves or set_ups > MAX_SET_UPS):
            return True
        moves += sum(name in node.properties for name in "BW")
    return False


def _clock(root: Node) -> tuple[tuple[float, float] | None, Overtime | None, str]:
    """Return the time control and its overtime, or None with the text of a time control of another kind."""
    main, overtime = (" ".join(root.text(name).split()) for name in ("TM", "OT"))
    overtime = "" if overtime.lower() in NO_CLOCK else overtime
    if not overtime and not _TIME.fullmatch(main):
        return None, None, other_clock(main)
    added, periods = _FISCHER.fullmatch(overtime), overtime_in(overtime)
    if (_TIME.fullmatch(main) or (periods and not main)) and (added or periods or not overtime):
        increment = float(added[1] or added[2]) if added else 0.0
        return (float(main or 0), increment), periods, ""
    return None, None, " + ".join(each for each in (main, overtime) if each)[:MAX_CLOCK]


def _result(last: Position, header: RecordHeader) -> dict[str, str]:
    """Return the property RE; empty if the rules alone tell the result, since `nodes_of` writes it with its score."""
    if last.outcome:
        agreed = _AGREED.search(header.reason)
        told = result_of(last.outcome.winner, over=True)
        if header.result == "*" or (header.result == told and not agreed):
            return {}
        if agreed:
            return {"RE": agreed[1]}
    if header.result == "*":
        return {"RE": "?" if header.reason in ("", UNFINISHED) else "Void"}
    how = next((sign for sign, reason in ENDINGS.items() if reason == header.reason), "")
    return {"RE": "0" if header.winner is None else f"{'BW'[header.winner]}+{how}"}


# ---- comments, signs and variations ----------------------------------------------------------------------------------


def _annotations(line: list[tuple[Node, Position]]) -> tuple[Annotations, list[str]]:
    """Return the comments, signs and variations of a game, and a sentence for each kind of thing left out.

    Args:
        line: the nodes of the main line with the positions after them.
    """
    told: dict[int, Note] = {}
    room = iter(range(MAX_MARKS))  # a rectangle of few characters marks many cells
    variations: list[Variation] = []
    waiting: deque[tuple[Node, Position, int]] = deque()
    unplayable, has_marks = False, any(_has_others(node, position) for node, position in line)
    places = line[-1][1].num_actions_played
    for node, position in line:
        pause.get()()
        _note(told, node, position, position.num_actions_played, room)
    for (above, position), (below, _) in pairwise(line):
        assert above.children[0] is below, "the main line follows the first children"
        waiting.extend((other, position, position.num_actions_played) for other in above.children[1:])
    while waiting:
        node, position, before = waiting.popleft()
        place, actions = before, list[int]()
        for each in node.main_line():
            pause.get()()
            steps = _played(each, position) if places < MAX_ACTIONS else None
            if steps is None or places + len(steps) > MAX_ACTIONS:
                unplayable = True
                break
            for step in steps:
                actions += [] if step.action is None else [step.action]
                places += 1
                place, position = places, step
            _note(told, each, position, place, room)
            has_marks = has_marks or _has_others(each, position)
            waiting.extend((other, position, place) for other in each.children[1:])
        if actions:
            variations.append(Variation(before, actions))
    left_out = ["Variations that set up stones, are not in turn or are too long are left out."] * unplayable
    if has_marks:
        left_out.append("Arrows, lines, territory and other drawings on the board are left out.")
    if next(room, None) is None:
        left_out.append(f"Marks on the board after the first {MAX_MARKS} are left out.")
    return Annotations([told[place] for place in sorted(told)], variations), left_out


def _has_others(node: Node, position: Position) -> bool:
    """Return whether a node has marks that are left out."""
    return bool((_NOT_SHOWN - (_COUNTED if position.outcome else frozenset())) & node.properties.keys())


def _note(told: dict[int, Note], node: Node, position: Position, place: int, room: Iterator[int]) -> None:
    """Add what a node says to the note of its place; `room` yields once for each mark that may still be read."""
    texts = [text for text in (node.text("N").strip(), node.text("C").strip()) if text]
    signs = [sign for (name, value), sign in _SIGNS.items() if node.get(name) in (value, value or "1")]
    every = (mark for name, shape in _SHAPES.items() for mark in _marks(node, name, shape, size_of(position.state)))
    marks = [mark for mark, _ in zip(every, room, strict=False)]
    if texts or signs or marks:
        known = told.get(place) or Note(place)
        comment = "\n".join([*([known.comment] if known.comment else []), *texts])
        told[place] = Note(
            place, comment, [*known.signs, *signs], marks=[*known.marks, *marks] if marks else known.marks
        )


def _marks(node: Node, name: str, shape: str, size: int) -> Iterator[CellMark]:
    """Yield the marks of a property; points outside the board are skipped."""
    for value in node.properties.get(name, []):
        pause.get()()
        label = _LABEL.fullmatch(value) if name == "LB" else None
        point, text = (label[1], " ".join(text_of(label[2]).split())) if label else (value, "")
        if name == "LB" and not text:
            continue
        with suppress(BadInput):
            yield from (CellMark(cell, shape, text[:MAX_LABEL]) for cell in cells_in_sgf([point], size))


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


def _annotate(tree: GameTree, nodes: list[Node]) -> None:
    """Add the variations and notes of a game to its nodes, one for each position of the main line."""
    nodes = list(nodes)
    for parent, position in zip(tree.parents[len(nodes) :], tree.positions[len(nodes) :], strict=True):
        nodes += append_moves(nodes[parent], [tree.positions[parent], position])[1:]
    names = {sign: property_ for property_, sign in _SIGNS.items()}
    names_of_shapes = {shape: name for name, shape in _SHAPES.items()}
    size = size_of(tree.last.state)
    for place, note in tree.notes.items():
        pause.get()()
        properties = nodes[place].properties
        text = "\n".join(each for each in (note.before, note.comment) if each)
        if text:
            properties["C"] = ["\n".join([*properties.get("C", []), escaped(text)])]
        for mark in note.marks:
            name = names_of_shapes.get(mark.shape)
            if name is None or not all(0 <= each < size for each in mark.at):
                continue  # from a link that somebody made by hand
            text = f":{escaped(mark.text).replace(':', chr(92) + ':')}" if mark.shape == "label" else ""
            properties.setdefault(name, []).append(sgf_point(mark.at) + text)
        for sign in note.signs:
            if sign in names:
                name, value = names[sign]
                properties[name] = [value]


SGF = Sgf()
