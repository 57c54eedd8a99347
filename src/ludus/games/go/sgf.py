"""Reads and writes SGF FF[4] as a tree of properties, preserving everything, including variations and markup.

Values stay as in the file, with their escapes; `text_of` and `escaped` convert them to plain text and back.
Source: the FF[4] specification, red-bean.com/sgf.
"""

import re
from collections.abc import Callable, Iterator

import msgspec

from ludus.errors import BadNotation
from ludus.games.calls import pause
from ludus.games.go.sgf_text import GAME, TREE, decoded

MAX_CHARS = 20_000_000
MAX_NODES = 500_000
WIDTH = 80
_TOKEN = re.compile(
    r"(?P<space>[\s\ufeff\0\x1a]+) | (?P<value>\[(?:\\.|[^\\\]])*\]) | (?P<name>[A-Za-z]+) | (?P<sign>[();])",
    re.VERBOSE | re.DOTALL,
)
_LIKE_A_PROPERTY = re.compile(r"[;(]\s*[A-Z]{1,2}\s*\[[^\[\]]{0,20}\Z")
"""The end of a value that lacks its own bracket and is closed by the bracket of a later value."""
_OF_ROOTS = frozenset(("AP", "CA", "FF", "GM", "ST", "SZ"))
_OF_GAMES = frozenset(("BR", "DT", "EV", "PB", "PC", "PW", "RE", "RO", "WR"))


class Node(msgspec.Struct):
    """A node of a game tree: its properties in file order, and its children, the main line first."""

    properties: dict[str, list[str]] = {}
    """Raw values by property name; properties without values are left out."""
    children: list["Node"] = []
    line: int = 0
    """Line number in the file, from 1; 0 for a node that was not read."""

    def get(self, name: str) -> str | None:
        """Return the first raw value of a property; None if it is missing."""
        values = self.properties.get(name)
        return values[0] if values else None

    def text(self, name: str) -> str:
        """Return the first value of a property as plain text; empty if it is missing."""
        return text_of(self.get(name) or "")

    def moves(self) -> list[tuple[int, str]]:
        """Return the player and the point, in SGF, of each move of the node, at most one for each player.

        Raises:
            BadNotation: a player has several moves.
        """
        for name in "BW":
            if len(self.properties.get(name, [])) > 1:
                raise BadNotation(f"{name} has several points; a node has one move.")
        return [(player, point.strip()) for player, name in enumerate("BW") if (point := self.get(name)) is not None]

    def main_line(self) -> Iterator["Node"]:
        """Yield this node, its first child, that node's first child, and so on."""
        node = self
        while True:
            yield node
            if not node.children:
                return
            node = node.children[0]


class BrokenSgf(msgspec.Struct, frozen=True):
    """A game tree that could not be read."""

    line: int
    """Line number in the file, from 1."""
    what: str

    def __str__(self) -> str:
        """Return `line N: ` and the fault."""
        return f"line {self.line}: {self.what}."


def text_of(value: str) -> str:
    """Convert a raw value to plain text: resolve escapes, and remove escaped line breaks."""
    value = value.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "\n")
    return re.sub(r"\\(.)", lambda found: "" if found[1] == "\n" else found[1], value, flags=re.DOTALL)


def escaped(text: str) -> str:
    """Convert plain text to a raw value."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def read_sgf(data: bytes | str, on_doubt: Callable[[str], object] = lambda _doubt: None) -> list[Node]:
    """Read the game trees of a file, at least one; arguments and errors are those of `read_trees`.

    Raises:
        BadNotation: also if a game tree is damaged; the message names the line.
    """
    roots: list[Node] = []
    for found in read_trees(data, on_doubt):
        if isinstance(found, BrokenSgf):
            raise BadNotation(f"SGF, {found}")
        roots.append(found)
    return roots


def read_trees(data: bytes | str, on_doubt: Callable[[str], object] = lambda _doubt: None) -> list[Node | BrokenSgf]:
    """Read the game trees of a file, at least one; after a damaged tree, reading continues with the next game.

    Text before and between trees is skipped, as the specification requires.

    Args:
        data: the file.
        on_doubt: called with one sentence for each ambiguous location in the file.

    Raises:
        BadNotation: the file holds no game tree, or is too long.
    """
    text, doubts = decoded(data) if isinstance(data, bytes) else (data, [])
    for doubt in doubts:
        on_doubt(doubt)
    if len(text) > MAX_CHARS:
        raise BadNotation(f"SGF: {len(text)} characters exceed the limit, {MAX_CHARS}; split the file.")
    begin = TREE.search(text)
    if not begin:
        raise BadNotation("SGF: there is no game tree; a file begins with '(;'.")
    return _SgfReader(text, begin.start(), on_doubt).trees()


class _Damaged(Exception):
    """What is wrong with the current game tree."""


class _SgfReader:
    """Parses a file in one pass without recursion, so variations may be nested to any depth."""

    def __init__(self, text: str, at: int, on_doubt: Callable[[str], object]) -> None:
        self._text, self._at, self._on_doubt = text, at, on_doubt
        self._above: list[Node | None] = []  # for each open parenthesis: its parent node
        self._line = 1 + text.count("\n", 0, at)
        self._num_nodes = 0
        self._num_whole = 0  # roots of trees before the current one

    def trees(self) -> list[Node | BrokenSgf]:
        """Return all trees."""
        found: list[Node | BrokenSgf] = []
        while self._at < len(self._text):
            roots: list[Node] = []
            try:
                self._read(roots)
            except _Damaged as damage:
                found += [*roots[: self._num_whole], BrokenSgf(self._line, str(damage))]
                self._above = []
                self._skip_to(GAME)
            else:
                found += roots
        return found

    def _read(self, roots: list[Node]) -> None:  # noqa: C901 - a case for each kind of token
        """Read trees and append their roots, up to the end of the file or a damaged tree."""
        node: Node | None = None
        name, fresh = "", False  # the current property; whether an open parenthesis still needs its first node
        first = False  # whether the node is the first one after its parenthesis
        for kind, token in self._tokens():
            if kind == "name":
                if fresh:  # some programs omit the semicolon of the first node
                    node, first, fresh = self._node(node, roots), True, False
                if node is None:
                    raise _Damaged(f"the property {token[:20]} is outside of any node")
                name = self._property(token)
                if first and len(self._above) > 1 and self._begins_a_game(name, roots[-1]):
                    self._begin_again(node, roots)
            elif kind == "value":
                if node is None or fresh or not name:
                    raise _Damaged("a value has no property name")
                if _LIKE_A_PROPERTY.search(token[-40:-1]):
                    self._on_doubt(
                        f"line {self._line}: a value of {name} ends like a property; its bracket may be missing."
                    )
                node.properties.setdefault(name, []).append(token[1:-1])
            elif token == "(":
                if fresh:
                    raise _Damaged("an opening parenthesis follows another; a node must come first")
                if not self._above:
                    self._num_whole = len(roots)
                self._above.append(node)
                name, fresh = "", True
            elif token == ")":
                if fresh or not self._above:
                    raise _Damaged("a closing parenthesis has no opening one, or holds no node")
                node, name = self._above.pop(), ""
                if not self._above:
                    node = None
            elif self._above:
                node = self._node(node, roots)
                name, first, fresh = "", fresh, False
        if len(self._above) > 1 or fresh:  # the last parenthesis of a file is often missing
            raise _Damaged(f"{len(self._above)} parentheses are not closed at the end of the file")

    def _tokens(self) -> Iterator[tuple[str, str]]:
        text = self._text
        while self._at < len(text):
            pause.get()()
            found = _TOKEN.match(text, self._at)
            if not found:
                unclosed = text[self._at] == "["
                what = "a value has no closing ]" if unclosed else f"{text[self._at]!r} is not expected here"
                self._at = len(text) if unclosed else self._at + 1
                raise _Damaged(what)
            kind, token = str(found.lastgroup), found[0]
            if kind != "space":
                yield kind, token
            self._line += token.count("\n")
            self._at = found.end()
            if not self._above:
                self._skip_to(TREE)

    def _skip_to(self, beginning: re.Pattern[str]) -> None:
        """Skip text up to the next beginning of a tree, or to the end of the file."""
        found = beginning.search(self._text, self._at)
        begin = found.start() if found else len(self._text)
        self._line += self._text.count("\n", self._at, begin)
        self._at = begin

    def _property(self, name: str) -> str:
        short = "".join(letter for letter in name if letter.isupper())  # in FF[1] to FF[3], B may be written `Black`
        if not short:
            raise _Damaged(f"{name[:20]} is not a property; names have capital letters")
        return short

    def _begins_a_game(self, name: str, root: Node) -> bool:
        """Return whether a variation is in fact the file's next game, because it begins with this property."""
        return name in _OF_ROOTS or (name in _OF_GAMES and name in root.properties)

    def _begin_again(self, node: Node, roots: list[Node]) -> None:
        """Make a node the root of a new tree; the previous tree lacks closing parentheses."""
        parent = self._above[-1]
        assert parent is not None, "the node is below a root"
        parent.children.pop()
        self._num_whole = len(roots)
        roots.append(node)
        self._above = [None]
        self._on_doubt(f"line {node.line}: a game begins before the one above it is closed.")

    def _node(self, above: Node | None, roots: list[Node]) -> Node:
        self._num_nodes += 1
        if self._num_nodes > MAX_NODES:
            raise _Damaged(f"there are more than {MAX_NODES} nodes")
        node = Node(line=self._line)
        (roots if above is None else above.children).append(node)
        return node


def write_sgf(roots: list[Node]) -> str:
    """Return the text of game trees, in lines of about 80 characters; values are not broken."""
    words: list[str] = []
    for root in roots:
        work: list[Node | str] = [")", root, "("]
        while work:
            item = work.pop()
            if isinstance(item, str):
                words.append(item)
                continue
            words.append(";" + "".join(_written(name, values) for name, values in item.properties.items()))
            if len(item.children) == 1:
                work.append(item.children[0])
            else:
                for child in reversed(item.children):
                    work += [")", child, "("]
        words.append("\n")
    return _lines(words)


def _written(name: str, values: list[str]) -> str:
    return name + "".join(f"[{value}]" for value in values)


def _lines(words: list[str]) -> str:
    length = 0
    parts: list[str] = []
    for word in words:
        if length and length + len(word) > WIDTH and word not in (")", "\n"):
            parts.append("\n")
            length = 0
        parts.append(word)
        length = 0 if word == "\n" else length + len(word) if "\n" not in word else len(word) - word.rindex("\n") - 1
    return "".join(parts)
