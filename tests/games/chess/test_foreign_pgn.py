"""PGN that python-chess writes is read the same, also in other spellings and after damage."""

import io
import random
import re

import chess
import chess.pgn as judge
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.games.chess.fen import write_fen
from ludus.games.chess.pgn import PgnGame
from ludus.games.chess.pgn_format import PGN
from ludus.games.chess.pgn_read import BrokenPgn, read_pgn
from ludus.games.chess.view import ChessView

WORDS = [
    "good",
    "",
    "1. e4!",
    "(so)",
    "a; b",
    '"quoted"',
    "Łódź \u2013 ½",
    "[%clk 0:01:00]",
    "*",
    "[Event",
    "100 %",
    "$5",
    "♘f3",
]
KNOWN = [1, 2, 3, 4, 5, 6, 7, 10, 13, 14, 15, 16, 17, 18, 19, 36, 146]
FEATURES = {"chess960": 0.2, "set up": 0.3, "annotated": 0.7}


def decoded(raw):
    text, _ = PGN.decode(raw)
    return text


def written_game(seed: int) -> judge.Game:
    """Return a random game with variations, comments and signs."""
    chance = random.Random(seed)
    has = {name: chance.random() < share for name, share in FEATURES.items()}
    board = chess.Board.from_chess960_pos(chance.randrange(960)) if has["chess960"] else chess.Board()
    for _ in range(chance.randrange(60) if has["set up"] else 0):
        if moves := list(board.legal_moves):
            board.push(chance.choice(moves))
    game = judge.Game(
        {"Event": "x [1]", "White": 'O"Neil \\ Söhne', "Result": chance.choice(["1-0", "0-1", "1/2-1/2", "*"])}
    )
    game.setup(board.copy(stack=False))
    grow(game, chance, chance.randrange(1, 30), has["annotated"], 0)
    return game


def grow(node: judge.GameNode, chance: random.Random, length: int, annotated: bool, depth: int) -> None:
    """Append random moves below a node, and variations to some of them."""
    for _ in range(length):
        moves = list(node.board().legal_moves)
        if not moves:
            return
        above, node = node, node.add_variation(chance.choice(moves))
        if annotated and chance.random() < 0.2:
            node.comment = chance.choice(WORDS)
            node.nags.add(chance.choice(KNOWN))
        others = [move for move in moves if move != node.move]
        if annotated and others and depth < 3 and chance.random() < 0.15:
            other = above.add_variation(chance.choice(others), starting_comment=chance.choice(WORDS))
            grow(other, chance, chance.randrange(4), annotated, depth + 1)


def theirs(game: judge.Game) -> list[tuple]:
    """Return every line of a game: its moves in UCI with signs and comments, and the position at its end."""
    lines, waiting = [], [game.variations[:1]] if game.variations else []
    while waiting:
        (node,) = waiting.pop(0)
        line = []
        while node:
            told = " ".join(node.comment.split())
            line.append((node.uci(), sorted(node.nags), told))
            if node.parent.variations[0] is node:
                waiting += [[other] for other in node.parent.variations[1:]]
            last, node = node, node.variations[0] if node.variations else None
        lines.append((line, last.board().fen(en_passant="legal")))
    return lines


def ours(game: PgnGame) -> list[tuple]:
    """Return the same of a game that Ludus has read."""
    rules, lines, waiting = game.game, [], [(game.line, game.start_state())]
    while waiting:
        one, state = waiting.pop(0)
        line = []
        for played in one.moves:
            waiting += [(other, state) for other in played.variations]
            told = " ".join(" ".join(played.comments).split())
            line.append((rules.action_text(state, played.actions[0]), sorted(played.signs), told))
            state = rules.calls.play(state, played.actions[0])
        if line:
            lines.append((line, write_fen(ChessView.read(state))))
    return lines


def read(text: str) -> PgnGame:
    game, *more = read_pgn(text, compiled=False)
    assert not isinstance(game, BrokenPgn), f"{game} in {text}"
    assert (more, game.left_out) == ([], [])
    return game


@given(seed=st.integers(0, 1 << 32))
def test_every_line_of_a_game_is_read_with_its_final_position(seed):
    game = written_game(seed)
    assert ours(read(str(game))) == theirs(game)


@pytest.mark.full
def test_a_large_corpus_of_games_is_read_as_by_another_program():
    for seed in range(1000):
        game = written_game(seed)
        assert ours(read(str(game))) == theirs(game), seed


OUTSIDE = re.compile(r"(\{[^}]*\}|^\[.*\]\r?$)", re.MULTILINE)
"""Comments and tags, which stay as they are when moves are respelt."""
FIGURES = str.maketrans("KQRBN", "♔♕♖♗♘")
GLYPHS = {
    1: "!",
    2: "?",
    3: "‼",
    4: "??",
    5: "⁉",
    6: "?!",
    10: "=",
    13: "∞",
    14: "⩲",
    16: "±",
    18: "+-",
    36: "↑",
    146: "N",
}
RESPELLINGS = {
    "figurines": lambda text: re.sub(
        r"(?<![\w=])[KQRBN](?=[a-h1-8x])", lambda found: found[0].translate(FIGURES), text
    ),
    "dashes": lambda text: re.sub(r"(?<=[O012])-(?=[O012])", "\u2013", text),
    "zeros": lambda text: text.replace("O", "0"),
    "blanks": lambda text: text.replace(" ", "\xa0"),
    "wide blanks": lambda text: text.replace(" ", "\u2009\u3000"),
    "brackets": lambda text: re.sub(r"=([QRBN])", r"(\1)", text),
    "no equals sign": lambda text: re.sub(r"=([QRBN])", r"\1", text),
    "glyphs": lambda text: re.sub(r" \$(\d+)\b", lambda found: _glyph(int(found[1]), found[0]), text),
    "no numbers": lambda text: re.sub(r"\d+\.+\s", "", text),
    "numbers close by": lambda text: re.sub(r"(\d+\.+)\s", r"\1", text),
    "ellipses": lambda text: text.replace("...", "…"),
    "colons": lambda text: re.sub(r"(?<=[a-hKQRBN1-8])x", ":", text),
    "no checks": lambda text: re.sub(r"(?<=\w)[+#]", "", text),
    "daggers": lambda text: re.sub(r"(?<=\w)\+", "†", text),
    "halves": lambda text: text.replace("1/2-1/2", "½-½"),
    "blanks in results": lambda text: re.sub(r"(?<![\w/])(1/2|[01])-(1/2|[01])(?![-\w/])", r"\1 - \2", text),
    "line ends": lambda text: text.replace("\n", "\r\n"),
}


def _glyph(nag: int, told: str) -> str:
    sign = GLYPHS.get(nag)
    return told if sign is None else sign if nag < 7 else f" {sign}"


def respelt(text: str, names: list[str]) -> str:
    for name in names:
        parts = OUTSIDE.split(text)
        text = "".join(part if index % 2 else RESPELLINGS[name](part) for index, part in enumerate(parts))
    return text


@given(seed=st.integers(0, 1 << 32), names=st.lists(st.sampled_from(sorted(RESPELLINGS)), unique=True))
def test_a_game_is_read_the_same_in_other_spellings(seed, names):
    game = written_game(seed)
    text = respelt(str(game), names)
    found = read(text)
    assert ours(found) == theirs(game), text
    assert found.result == game.headers["Result"]


TAGS = {
    "quotes": lambda text: re.sub(r'^\[(White|Event|FEN) "(.*)"\]$', "[\\1 \u201c\\2\u201d]", text, flags=re.MULTILINE),
    "small letters": lambda text: re.sub(r"^\[\w+", lambda found: found[0].lower(), text, flags=re.MULTILINE),
    "blank lines": lambda text: re.sub(r"^(\[.*\])$", r"\1\n", text, flags=re.MULTILINE),
    "a board": lambda text: text.replace("[Date", '[Board "1"]\n[Date'),
    "no event": lambda text: re.sub(r"^\[Event.*\]\n", "", text, flags=re.MULTILINE),
    "no variant": lambda text: re.sub(r"^\[(Variant|SetUp).*\]\n", "", text, flags=re.MULTILINE),
    "end of file": lambda text: text + "\n\x1a",
    "escape": lambda text: text + "\n% an escape",
}
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]


@given(
    seed=st.integers(0, 1 << 32),
    names=st.lists(st.sampled_from(sorted(TAGS)), unique=True),
    encoding=st.sampled_from(ENCODINGS),
)
def test_a_game_is_read_the_same_with_other_tags_and_encodings(seed, names, encoding):
    game = written_game(seed)
    text = str(game)
    for name in names:
        text = TAGS[name](text)
    assert ours(read(decoded(text.encode(encoding)))) == theirs(game), text


@given(seed=st.integers(0, 1 << 32))
def test_damage_changes_no_game_without_a_word(seed):
    chance = random.Random(seed)
    text = str(written_game(seed))
    for _ in range(chance.randrange(1, 4)):
        at, length = chance.randrange(len(text)), chance.randrange(1, 12)
        inserted = "".join(chance.choice(' \n(){}[]"$;.-+=1.eNO*%') for _ in range(chance.randrange(3)))
        text = text[:at] + inserted + text[at + length * chance.randrange(2) :]
    try:
        other = judge.read_game(io.StringIO(text))
    except IndexError:  # python-chess cannot read a move after an unopened bracket
        return
    found, *more = read_pgn(text, compiled=False)
    is_whole = isinstance(found, PgnGame) and not more and not found.left_out
    if is_whole and other and other.variations and not other.errors:  # it skips moves on the line of a tag
        mine, wanted = (
            [(move, end) for line, end in lines for move, *_ in line] for lines in (ours(found), theirs(other))
        )
        assert mine == wanted, text
