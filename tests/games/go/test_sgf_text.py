"""SGF files in common encodings: no move is lost, whether or not the file names its encoding correctly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf as judge

from ludus.games.go.sgf import escaped, read_sgf

CHARACTERS = st.characters(codec="cp932", exclude_categories=("Cc", "Co"), exclude_characters="¢£¬‖\u2212〜")
ENCODINGS = ("utf-8", "gb18030", "big5hkscs", "cp932", "cp949", "euc_jp", "cp1252")


def line_of(data, *, doubts=None):
    """Return the properties of the nodes of the first game's main line."""
    root = read_sgf(data, (doubts if doubts is not None else []).append)[0]
    return [node.properties for node in root.main_line()]


@pytest.mark.parametrize(
    ("name", "text"),
    [("GB2312", "柯洁"), ("Shift_JIS", "本因坊"), ("UTF-8", "이세돌"), ("ISO-8859-1", "Émile"), ("KOI8-R", "Привет")],
)
def test_the_encoding_named_by_the_file_is_used(name, text):
    assert line_of(f"(;CA[{name}]PB[{text}])".encode(name))[0]["PB"] == [text]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("(;SZ[9]EV[十];B[aa];W[bb])", "cp932"),  # the character's second byte is a backslash
        ("(;SZ[9]CA[UTF-8]EV[十];B[aa];W[bb])", "cp932"),
        ("(;SZ[9]EV[許功];B[aa];W[bb])", "big5"),
        ("(;SZ[9]EV[僜];B[aa];W[bb])", "gbk"),
        ("(;SZ[9]EV[好閉];B[aa];W[bb])", "gbk"),  # the character's second byte is a bracket
        ("(;SZ[9]CA[gb2312]EV[好];B[aa];W[bb])", "utf-8"),
        ("(;SZ[9]CA[big5]EV[Müller é];B[aa];W[bb])", "latin-1"),
        ("(;SZ[9]CA[klingon]EV[本因坊戦];B[aa];W[bb])", "cp932"),
        ("(;SZ[9]CA[undefined]EV[x];B[aa];W[bb])", "ascii"),
        ("(;SZ[9]CA[ISO-2022-JP]EV[本因坊戦];B[aa];W[bb])", "iso-2022-jp"),
        ("(;SZ[9]EV[本因坊戦];B[aa];W[bb])", "utf-16"),
        ("(;SZ[9]EV[本因坊戦];B[aa];W[bb])", "utf-16-le"),
        ("\ufeff(;SZ[9]CA[gb2312]EV[本因坊戦];B[aa];W[bb])", "utf-8"),
    ],
)
def test_no_move_is_lost_to_a_missing_or_wrong_encoding(text, encoding):
    assert line_of(text.encode(encoding))[1:] == [{"B": ["aa"]}, {"W": ["bb"]}]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("本因坊戦 第五十期 挑戦手合", "cp932"),
        ("中国围棋甲级联赛", "gb18030"),
        ("Müller é", "cp1252"),
        ("Привет мир", "cp1251"),
    ],
)
def test_the_encoding_of_a_longer_text_is_detected(text, encoding):
    assert line_of(f"(;EV[{text}])".encode(encoding))[0]["EV"] == [text]


def test_each_tree_of_a_file_may_have_its_own_encoding():
    first, second = "(;CA[gb2312]PB[柯洁];B[aa]".encode("gbk"), "(;PB[十]CA[Shift_JIS];B[bb])".encode("cp932")
    for between in (b")\n", b")\nnoise [ \x8f\n", b"\n"):
        roots = read_sgf(first + between + second)
        assert [root.text("PB") for root in roots] == ["柯洁", "十"]
        assert [root.children[0].properties for root in roots] == [{"B": ["aa"]}, {"B": ["bb"]}]


@pytest.mark.parametrize(
    ("text", "encoding"), [("僜", "gb18030"), ("好閉]", "gb18030"), ("許功\\", "big5"), ("ソ表]", "cp932")]
)
def test_escapes_of_bytes_that_are_half_of_a_character_are_read(text, encoding):
    game = judge.Sgf_game(9, encoding=encoding)
    game.get_root().set("C", text)
    game.extend_main_sequence().set_move("b", (0, 0))
    doubts = []
    [root] = read_sgf(game.serialise(), doubts.append)
    assert (root.text("C"), root.children[0].properties, doubts) == (text, {"B": ["ai"]}, [])


def test_half_a_character_loses_only_that_character():
    data = b"(;CA[gb2312]C[" + "黑棋好棋白".encode("gbk") + b"\xb0];B[aa])"
    assert line_of(data) == [{"CA": ["gb2312"], "C": ["黑棋好棋白\ufffd"]}, {"B": ["aa"]}]
    assert line_of(b"(;CA[UTF-8]PB[\xff];B[aa])")[1] == {"B": ["aa"]}


def test_a_value_with_an_ambiguous_end_is_reported_with_its_line():
    doubts = []
    data = b"(;SZ[9]CA[KOI8-R]C[\n" + "僜".encode("gbk") + b"];B[aa];W[bb])"
    assert line_of(data, doubts=doubts)[1:] == [{"B": ["aa"]}, {"W": ["bb"]}]
    assert doubts == ["line 1: the end of a value in koi8-r is ambiguous; a later bracket may close it."]


@given(
    texts=st.lists(st.text(CHARACTERS, max_size=12), max_size=4),
    encoding=st.sampled_from(ENCODINGS),
    is_named=st.booleans(),
)
def test_moves_agree_with_another_program_that_is_told_the_encoding(texts, encoding, is_named):
    values = [escaped(text.encode(encoding, "ignore").decode(encoding)) for text in texts]
    named = f"CA[{encoding}]" if is_named else ""
    whole = (
        f"(;SZ[9]{named}" + "".join(f"C[{value}];{'BW'[number % 2]}[aa]" for number, value in enumerate(values)) + ")"
    )
    theirs = judge.Sgf_game.from_string(whole.replace(named, ""))
    moves = [node.get_move() for node in theirs.get_main_sequence()]
    mine = line_of(whole.encode(encoding))
    assert [("B" in node, "W" in node) for node in mine] == [(colour == "b", colour == "w") for colour, _ in moves]
    if is_named:
        assert [node.get("C") for node in mine[:-1]] == [[value] for value in values]
