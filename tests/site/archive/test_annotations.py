"""Comments, signs and variations of texts survive links and exports; what cannot be carried is said."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf as judge

import ludus
from ludus.errors import BadInput
from ludus.games.annotations import MAX_DEPTH, NONE, Annotations, GameTree, Note, Variation
from ludus.games.chess.pgn_read import read_pgn
from ludus.site.archive.link import read_link, write_link
from ludus.site.archive.replay import _carried, _play_link
from ludus.site.archive.texts import read_text, write_text

PGN = """[Event "?"]
[White "Ann"]
[Result "1-0"]

{Start.} 1. e4! {[%clk 0:01:00] best} (1. d4 {solid} d5 (1... Nf6 2. c4) 2. c4) (1. c4) 1... e5?! $14 (1... c5
{Sicilian} 2. Nf3 ({or} 2. Nc3 Nc6) 2... d6 $44) 2. Nf3 Nc6 1-0
"""
SGF = (
    "(;GM[1]SZ[9]KM[5.5]C[root];B[ee]C[good\nmove]TE[1](;W[cc]N[main];B[gg](;W[cg])(;W[gc]BM[2]C[bad \\] really]))"
    "(;W[dd];B[cd](;W[aa])(;W[bb]))(;W[])(;B[aa])(;AW[aa];W[hh])(;W[ee]))"
)
END = {"names": ("a", "b"), "winner": None, "reason": "", "ended": None}


def exported(line):
    text, _ = write_text(GameTree(line.last, line.annotations), line.summary)
    return read_text(text), text


@pytest.mark.parametrize("text", [PGN, SGF], ids=["PGN", "SGF"])
def test_comments_signs_and_variations_survive_link_and_export(text):
    brought = read_text(text)
    told, line = _carried(brought, ())
    assert line.annotations == brought.annotations
    assert _play_link(told.link).annotations == brought.annotations
    again, _ = exported(line)
    assert (again.annotations, again.last.moves) == (brought.annotations, brought.last.moves)


def test_an_exported_game_of_chess_has_the_lines_of_its_text():
    _, text = exported(_carried(read_text(PGN), ())[1])
    assert next(read_pgn(text)).line == next(read_pgn(PGN)).line


def test_another_program_reads_the_variations_of_an_exported_game_of_go():
    _, text = exported(_carried(read_text(SGF), ())[1])
    root = judge.Sgf_game.from_string(text).get_root()
    (first,) = root
    assert (root.get("C"), first.get("C")) == ("root", "good\nmove")
    assert [child.get_move() for child in first] == [("w", (6, 2)), ("w", (5, 3)), ("w", None)]
    assert [[child.get_move()[1] for child in each] for each in (first[0][0], first[1][0])] == [
        [(2, 2), (6, 6)],
        [(8, 0), (7, 1)],
    ]
    assert first[0][0][1].get("C") == "bad ] really"


def test_comments_on_the_stones_of_a_free_handicap_are_exported_as_one():
    _, text = exported(_carried(read_text("(;SZ[9]HA[2]C[a\\]];B[cc]C[b\\]];B[gg]C[\\\\];W[ee]C[d])"), ())[1])
    assert judge.Sgf_game.from_string(text).get_root().get("C") == "a]\nb]\n\\"


def test_the_tree_lists_the_main_line_first_with_texts_players_and_signs():
    line = _carried(read_text(PGN), ())[1]
    tree = line.replay(line.summary, {}).tree
    assert " ".join(each.text for each in tree) == " e4 e5 Nf3 Nc6 d4 d5 c4 c4 c5 Nf3 d6 Nf6 c4 Nc3 Nc6"
    assert (tree[0].comment, tree[1].comment, tree[1].signs, tree[2].signs) == ("Start.", "best", "!", "?!⩲")
    assert [(each.parent, each.player, each.ply, each.begin) for each in tree[8:10]] == [(0, 0, 1, 0), (1, 1, 2, 1)]
    assert [each.before for each in tree if each.before] == ["or"]
    assert tree[11].signs == "$44"


def test_a_game_without_comments_and_variations_has_no_tree_and_a_short_link():
    line = _carried(read_text("1. e4 e5 2. Nf3"), ())[1]
    assert line.replay(line.summary, {}).tree == []
    assert not line.annotations
    position = ludus.game("chess").start().play("e4")
    assert len(write_link(position, **END)) < 60


def test_what_a_link_leaves_out_is_said():
    told, _ = _carried(read_text("1. e4 e5 (1... Ke4) *\n\n1. d4 *"), ())
    assert [each[:24] for each in told.left_out] == ["Left out: line 1: chess:", "Only the first game of t"]
    told, _ = _carried(read_text(SGF.replace("C[root]", "C[root]AR[aa:bb]") + SGF), ())
    assert [each.split()[0] for each in told.left_out] == ["Variations", "Arrows,", "Only"]
    assert _carried(read_text("(;SZ[9];B[aa])(;SZ[9] &)"), ())[0].left_out == [
        "Only the first game of the text is opened."
    ]
    with pytest.raises(BadInput, match="SGF, line 1: '&' is not expected here"):
        read_text("(;SZ[9] &)(;SZ[9];B[aa])")
    assert _carried(read_text("1. e4 *"), ())[0].left_out is msgspec.UNSET


def test_annotations_that_are_too_long_for_a_link_are_left_out_and_said():
    words = " ".join(map(str, random.Random(1).sample(range(100_000), 4000)))
    told, line = _carried(read_text(f"1. e4 {{{words}}} e5 *"), ())
    assert told.left_out == ["Comments and variations are left out: they are too long for a link."]
    assert (line.last.moves, bool(line.annotations)) == (["e4", "e5"], False)
    nested = "1. e4" + " (1. d4" * (MAX_DEPTH - 1) + ")" * (MAX_DEPTH - 1)
    assert len(_carried(read_text(nested), ())[1].annotations.variations) == MAX_DEPTH - 1


@pytest.mark.parametrize(
    "variations",
    [
        [Variation(5, [0])],
        [Variation(-1, [0])],
        [Variation(0, [5000])],
        [Variation(0, [0])] * 2001,
        [Variation(0, [0]), *(Variation(place, [1 + place % 2]) for place in range(2, 200))],
    ],
    ids=["no such place", "before the start", "illegal", "too many", "too deep"],
)
def test_a_link_with_impossible_variations_is_refused(variations):
    position = ludus.game("connect4").start().play("4")
    with pytest.raises(BadInput):
        _play_link(write_link(position, **END, annotations=Annotations([], variations)))


def test_notes_at_places_that_do_not_exist_are_ignored():
    position = ludus.game("connect4").start().play("4")
    line = _play_link(write_link(position, **END, annotations=Annotations([Note(7, "x"), Note(1, "y")])))
    assert [each.comment for each in line.replay(line.summary, {}).tree] == ["", "y"]


def test_links_of_older_sites_are_still_read():
    link = "AQCYpWNoZXNzwJKhYaFiwKDAAsQEJsJEADtl5xs"
    game, last = read_link(link)
    assert (game.annotations, last.num_actions_played) == (NONE, 2)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), spec=st.sampled_from(["chess:play-on", "go:5x5", "wallgame:classic:5x5:short"]))
def test_any_tree_survives_its_link(seed, spec):
    chance = random.Random(seed)
    last = ludus.game(spec).start()
    for _ in range(chance.randrange(8)):
        last = last.play(chance.choice(last.actions))
    positions, variations = list(last.history), []
    for _ in range(chance.randrange(6)):
        place = chance.randrange(len(positions))
        begin, actions = place, []
        for _ in range(chance.randrange(1, 4)):
            if not positions[place].actions:
                break
            actions.append(chance.choice(positions[place].actions))
            positions.append(positions[place].play(actions[-1]))
            place = len(positions) - 1
        variations += [Variation(begin, actions)] if actions else []
    notes = [Note(place, f"at {place}", [1, 14]) for place in range(len(positions)) if chance.random() < 0.3]
    annotations = Annotations(notes, variations)
    line = _play_link(write_link(last, **END, annotations=annotations))
    assert line.annotations == annotations
    if annotations:
        tree = line.replay(line.summary, {}).tree
        assert [(each.action, each.ply) for each in tree] == [
            (-1 if each.action is None else each.action, each.num_actions_played) for each in positions
        ]
        assert [
            tree[position.num_actions_played].text for position in last.history[1:] if position is last
        ] == last.moves[-1:]
