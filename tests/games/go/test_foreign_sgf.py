"""SGF that sgfmill writes is read the same, also in other encodings and spellings and after damage."""

import random
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import ascii_boards, boards, sgf_moves
from sgfmill import sgf as judge

from ludus.errors import BadInput
from ludus.games.go.sgf import Node, read_trees
from ludus.games.go.sgf_game import replay, size_in
from ludus.games.go.view import stones_of

COMMENTS = {
    "utf-8": ["好", "Łódź", "a]b\\", "本因坊", ""],
    "gb18030": ["黑棋好", "僜", "好閉]", "白\\", ""],
    "big5": ["許功", "黑棋", "白]\\", ""],
    "cp932": ["十", "本因坊戦", "表]\\", "ソ", ""],
    "cp949": ["이세돌", "흑]\\", ""],
    "cp1252": ["Müller", "é]", ""],
}


def written_game(seed: int, encoding: str | None = None) -> judge.Sgf_game:
    """Return a random game with set-up stones, passes, captures, comments and variations, in a random encoding."""
    chance = random.Random(seed)
    size, encoding = chance.choice([5, 9, 13, 19]), encoding or chance.choice(sorted(COMMENTS))
    game = judge.Sgf_game(size, encoding=encoding)
    root, board = game.get_root(), boards.Board(size)
    root.set("KM", chance.choice([0, 5.5, 7, 7.5]))
    points = chance.sample([(row, column) for row in range(size) for column in range(size)], 6)
    if chance.random() < 0.3:
        root.set_setup_stones(points[:2], points[2:4])
        board.apply_setup(points[:2], points[2:4], [])
    root.set("PB", chance.choice(COMMENTS[encoding]))
    node, colour, ko = root, "b", None
    for _ in range(chance.randrange(60)):
        tried = [(chance.randrange(size), chance.randrange(size)) for _ in range(10)]
        free = (each for each in tried if board.get(*each) is None and each != ko and not dies(board, each, colour))
        point = next(free, None)
        above, node = node, node.new_child()
        node.set_move(colour, point)
        ko = board.play(*point, colour) if point else None
        if chance.random() < 0.2:
            node.set("C", chance.choice(COMMENTS[encoding]))
        if chance.random() < 0.1:
            above.new_child().set_move(colour, points[5])
        colour = "w" if colour == "b" else "b"
    return game


def dies(board: boards.Board, point: tuple[int, int], colour: str) -> bool:
    """Return whether a stone would be taken off at once."""
    after = board.copy()
    after.play(*point, colour)
    return after.get(*point) is None


def theirs(game: judge.Sgf_game) -> tuple[list, str]:
    """Return the moves and comments of the main line, and the diagram at its end."""
    board, _ = sgf_moves.get_setup_and_moves(game)
    line = [(node.get_move(), node.get("C") if node.has_property("C") else "") for node in game.get_main_sequence()]
    for (colour, point), _ in line:
        if point:
            board.play(*point, colour)
    return line, ascii_boards.render_board(board)


def ours(root: Node) -> tuple[list, str]:
    """Return the same of a game that Ludus has read."""
    size = size_in(root)
    line = []
    for node in root.main_line():
        value = next((node.get(name) for name in "BW" if node.get(name) is not None), None)
        colour = "b" if "B" in node.properties else "w" if "W" in node.properties else None
        point = (size - 1 - (ord(value[1]) - 97), ord(value[0]) - 97) if value and value != "tt" else None
        line.append(((colour, point), node.text("C")))
    board = boards.Board(size)
    for (row, column), owner in stones_of(replay(root).positions[-1].state).items():
        stones = [[(size - 1 - row, column)], []]
        board.apply_setup(stones[owner], stones[1 - owner], [])
    return line, ascii_boards.render_board(board)


def read(data: bytes) -> Node:
    doubts = []
    [root] = read_trees(data, doubts.append)
    assert isinstance(root, Node)
    assert not doubts
    return root


@given(seed=st.integers(0, 1 << 32))
def test_a_game_of_another_program_is_read_with_its_comments_and_final_position(seed):
    game = written_game(seed)
    assert ours(read(game.serialise())) == theirs(game)


@pytest.mark.full
def test_a_large_corpus_of_games_is_read_as_by_another_program():
    for seed in range(1000):
        game = written_game(seed)
        assert ours(read(game.serialise())) == theirs(game), seed


def without(name: bytes) -> Callable[[bytes], bytes]:
    return lambda data: re.sub(name + rb"\[[^]]*\]", b"", data)


RESPELLINGS = {
    "no encoding": without(b"CA"),
    "wrong encoding": lambda data: re.sub(rb"CA\[[^]]*\]", b"CA[Latin-9]", data),
    "unknown encoding": lambda data: re.sub(rb"CA\[[^]]*\]", b"CA[?]", data),
    "no semicolon": lambda data: data.replace(b"(;", b"(", 1),
    "no last parenthesis": lambda data: data.rstrip().removesuffix(b")"),
    "another game": lambda data: data.rstrip().removesuffix(b")") + b"\n(;FF[4]SZ[9];B[aa])",
    "noise before": lambda data: b"see [1] (below):\n" + data,
    "noise after": lambda data: data + b"\n-- \nMe (\x1a",
    "zeros": lambda data: data.replace(b";B", b"\0;B"),
    "line ends": lambda data: data.replace(b"\n", b"\r\n"),
    "long names": lambda data: re.sub(
        rb";([BW])\[", lambda found: b";" + {b"B": b"Black", b"W": b"White"}[found[1]] + b"[", data
    ),
    "blanks": lambda data: re.sub(rb";([BW])\[", rb"\n ; \1 [", data),
    "units": lambda data: re.sub(rb"KM\[([\d.]+)\]", rb"KM[\1 points]", data),
}


@given(seed=st.integers(0, 1 << 32), names=st.lists(st.sampled_from(sorted(RESPELLINGS)), unique=True))
def test_the_moves_of_a_game_are_read_the_same_in_other_spellings(seed, names):
    game = written_game(seed)
    data = game.serialise()
    for name in names if {"no last parenthesis", "another game"}.isdisjoint(names) else {*names} - {"noise after"}:
        data = RESPELLINGS[name](data)
    root, *_ = read_trees(data)
    assert isinstance(root, Node), (root, data)
    (mine, here), (wanted, there) = ours(root), theirs(game)
    assert ([move for move, _ in mine], here) == ([move for move, _ in wanted], there), data


@given(seed=st.integers(0, 1 << 32), encoding=st.sampled_from(["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]))
def test_a_game_in_a_wide_encoding_is_read_whatever_it_names(seed, encoding):
    game = written_game(seed, "utf-8")
    assert ours(read(game.serialise().decode("utf-8").encode(encoding))) == theirs(game)


@given(seed=st.integers(0, 1 << 32))
def test_damage_changes_no_game_without_a_word(seed):
    chance = random.Random(seed)
    encoding = chance.choice(["utf-8", "cp949", "cp1252"])  # in others, half of a character may look like an escape
    data = written_game(seed, encoding).serialise()
    for _ in range(chance.randrange(1, 4)):
        at, length = chance.randrange(len(data)), chance.randrange(1, 12)
        inserted = bytes(chance.choice(b" \n(){}[];BWC\\\x83\xe5") for _ in range(chance.randrange(3)))
        data = data[:at] + inserted + data[at + length * chance.randrange(2) :]
    try:
        other = theirs(judge.Sgf_game.from_bytes(data))
    except (ValueError, LookupError):
        return
    doubts = []
    try:
        found, *more = read_trees(data, doubts.append)
        mine = ours(found) if isinstance(found, Node) else None
    except BadInput:
        return
    has_pairs = mine and any(len(node.moves()) == 2 for node in found.main_line())  # sgfmill takes the first move only
    if mine and data.startswith(b"(;") and not more and not doubts and not has_pairs:
        assert ([move for move, _ in mine[0]], mine[1]) == ([move for move, _ in other[0]], other[1]), data
