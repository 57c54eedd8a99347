"""The rules of Go against the slow reference and sgfmill, and special cases by hand."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sgfmill import boards

import ludus
from ludus.errors import IllegalMove
from ludus.games.go.describe import margin, territory
from ludus.games.go.layout import TAKEN
from ludus.games.go.view import cell_of, pass_action, point_of, stones_of
from ludus.games.packed import read_field
from ludus.seeding import stream

SHARED = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def legal_cells(position):
    last = pass_action(position.state)
    return {cell_of(position.state, action) for action in position.actions if action != last}


@SHARED
@given(
    seed=st.integers(0, 2**32),
    size=st.sampled_from(["2x2", "3x3", "3x3@9x9", "4x4", "5x5@12x12", "6x6@14x14"]),
    ko=st.sampled_from(["simple", "positional", "situational"]),
    suicide=st.booleans(),
)
def test_random_games_agree_with_the_slow_reference(referee, seed, size, ko, suicide):
    rng, side = stream(seed, "test", "go"), int(size[0])
    options = f"ko={ko}:suicide={'yes' if suicide else 'no'}:plies=200:komi=0"
    position = ludus.game(f"go:{size}:{options}").start()
    judge = referee(side, ko=ko, suicide=suicide)
    for _ in range(60):
        assert legal_cells(position) == judge.legal()
        assert stones_of(position.state) == judge.stones
        assert territory(position.state) == judge.area()
        assert [read_field(position.state, TAKEN[player]) for player in (0, 1)] == judge.taken
        cells = sorted(judge.legal())
        may_pass = position.parent is None or position.action != pass_action(position.state)
        cell = cells[int(rng.integers(len(cells)))] if cells and rng.random() > 0.05 else None
        if cell is None and not may_pass:
            break
        action = pass_action(position.state) if cell is None else point_of(position.state, cell)
        position = position.play(action)
        judge.play(cell)


@SHARED
@given(seed=st.integers(0, 2**32), size=st.integers(5, 13))
def test_captures_and_area_agree_with_another_program(seed, size):
    rng = stream(seed, "test", "go", "sgfmill")
    position, board = ludus.game(f"go:{size}x{size}:aga:komi=0").start(), boards.Board(size)
    for _ in range(150):
        cells = sorted(legal_cells(position))
        if not cells:
            break
        row, column = cells[int(rng.integers(len(cells)))]
        board.play(size - 1 - row, column, "bw"[position.to_play])
        position = position.play(point_of(position.state, (row, column)))
    found = {(size - 1 - row, column): "bw"[owner] for (row, column), owner in stones_of(position.state).items()}
    assert found == {point: colour for colour, point in board.list_occupied_points()}
    assert margin(position.state) == board.area_score()


@SHARED
@given(seed=st.integers(0, 2**32))
def test_liberties_are_those_of_the_groups(referee, play, seed):
    rng, judge = stream(seed, "test", "go", "liberties"), referee(5)
    position = ludus.game("go:5x5:liberties").start()
    for _ in range(int(rng.integers(5, 40))):
        cells = sorted(judge.legal())
        if not cells:
            break
        cell = cells[int(rng.integers(len(cells)))]
        position = position.play(point_of(position.state, cell))
        judge.play(cell)
    for number, plane in enumerate(position.planes[11:14], 1):
        wanted = [cell for cell in judge.stones if len(judge.group(judge.stones, cell)[1]) == number]
        assert sorted(map(tuple, np.argwhere(plane).tolist())) == sorted(wanted)


# ---- by hand ---------------------------------------------------------------------------------------------------------

KO = "B1 C1 A2 D2 B3 C3 C2 B2"  # White has just captured the stone on C2


@pytest.mark.parametrize("rules", ["tromp-taylor", "aga", "japanese"])
def test_a_ko_may_not_be_retaken_at_once(play, rules):
    position = play(f"go:5x5:{rules}", KO)
    with pytest.raises(IllegalMove, match="a ko may not be retaken at once"):
        position.play("C2")
    assert "C2" in [later.text(action) for later in [position.play("E5").play("E4")] for action in later.actions]


def test_a_pass_lifts_the_ban_of_simple_ko_only(play):
    texts = [
        {later.text(action) for action in later.actions}
        for later in [play(f"go:5x5:{rules}", f"{KO} pass E5") for rules in ("japanese", "tromp-taylor", "aga")]
    ]
    assert ["C2" in each for each in texts] == [True, True, True]


@pytest.mark.parametrize(
    ("rules", "one_stone", "two_stones"),
    [("tromp-taylor", False, True), ("new-zealand", True, True), ("chinese", False, False), ("aga", False, False)],
)
def test_suicide_is_legal_under_some_rules(rules, one_stone, two_stones):
    game = ludus.game(f"go:5x5:{rules}")
    eye = game.start({"black": "A2 B1", "to_play": "white"})
    assert ("A1" in map(eye.text, eye.actions)) == one_stone
    group = game.start({"black": "A3 B2 B1", "white": "A1", "to_play": "white"})
    assert ("A2" in map(group.text, group.actions)) == two_stones
    if two_stones:
        after = group.play("A2")
        assert (read_field(after.state, TAKEN[0]), len(stones_of(after.state))) == (2, 3)


def test_two_passes_end_the_game_with_an_area_score(play):
    position = play("go:5x5:komi=7.5", "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 pass pass")
    assert position.outcome == ludus.Outcome(winner=1, reason="two passes, W+2.5")
    assert play("go:5x5:komi=5", "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 pass pass").outcome.winner is None


def test_the_territory_score_includes_prisoners(play):
    position = play("go:5x5:japanese:komi=0", "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 B1 A1 A2 E3 pass pass")
    assert position.outcome.reason == "two passes, B+5"  # 8 points and 1 prisoner minus 4


def test_an_endless_game_is_ended_and_scored(play):
    assert play("go:3x3:plies=3:komi=0", "B2 A1 C3").outcome == ludus.Outcome(winner=0, reason="3 plies, B+1")


def test_handicap_compensation_follows_the_rules():
    for spec, white in (("chinese", -4), ("aga", -3), ("japanese", 0), ("tromp-taylor:bonus=n", -4)):
        start = ludus.game(f"go:9x9:{spec}:handicap=4:komi=0").start()
        assert start.to_play == 1
        assert margin(start.state) - (81 if "japanese" not in spec else 77) == white


def test_free_handicap_lets_black_place_his_stones_first(play):
    position = play("go:9x9:free=3", "E5 C3")
    assert (position.to_play, "pass" in map(position.text, position.actions)) == (0, False)
    position = position.play("G7")
    assert (position.to_play, len(position.moves)) == (1, 1)
    assert "pass" in map(position.text, position.actions)


def test_black_adds_a_free_handicap_to_a_setup():
    position = ludus.game("go:9x9").start({"black": "A1", "free": 2}).play("E5")
    assert (position.to_play, position.describe().note) == (0, "1 handicap stone to place.")
    assert (position.play("G7").to_play, set(stones_of(position.play("G7").state).values())) == (1, {0})


# ---- the agreement about dead stones ---------------------------------------------------------------------------------

FINISHED = "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 pass A1 pass pass"


def test_people_mark_dead_stones_and_agree(play):
    position = play("go:5x5:komi=0:marking", FINISHED)
    assert not position.outcome
    assert margin(position.state) == 5 - 11  # the stone on A1 makes the corner neutral
    position = position.play("A1")
    assert (position.to_play, margin(position.state)) == (0, 5.0)
    position = position.play("pass")
    assert not position.outcome
    assert position.play("pass").outcome == ludus.Outcome(winner=0, reason="agreed, B+5")


def test_changing_a_mark_requires_a_new_agreement(play):
    position = play("go:5x5:komi=0:marking", f"{FINISHED} A1 pass A1 pass")
    assert not position.outcome
    assert position.play("pass").outcome is not None


def test_a_stone_resumes_play(play):
    position = play("go:5x5:komi=0:marking", f"{FINISHED} A1 B1")
    assert stones_of(position.state)[4, 1] == 0
    assert not [mark for mark in position.describe().marks if mark.kind == "dead"]
    assert position.play("pass").play("pass").play("pass").play("pass").outcome is not None


def test_an_engine_agrees_or_resumes_play_and_marks_nothing(play):
    position = play("go:5x5:komi=0:marking", FINISHED)
    searched = position.game.for_search(position.state)
    assert set(position.game.calls.legal(searched)) == set(position.actions) - {
        point_of(position.state, cell) for cell in stones_of(position.state)
    }


def test_an_engine_fills_no_eyes_of_its_own_unless_stones_are_in_atari():
    game = ludus.game("go:5x5:komi=0")
    black, white = "A1 B2 A3 B3 B4 A5 B5 C5 C4", "D3 D4 D5 E4"
    alive = game.start({"black": black + " B1", "white": white})
    searched = game.calls.legal(game.for_search(alive.state))
    names = {game.action_text(alive.state, action) for action in set(alive.actions) - set(searched)}
    assert names == {"A2", "A4"}
    threatened = game.start({"black": "A1 B1 B2", "white": "C1 C2 B3 A3", "to_play": "black"})  # A2 is the last liberty
    assert set(game.calls.legal(game.for_search(threatened.state))) == set(threatened.actions)


def test_an_engine_passes_if_only_eyes_are_left():
    game = ludus.game("go:3x3:komi=0:suicide=no")
    full = game.start({"black": "A1 B1 C1 A2 C2 B3 B2 A3", "to_play": "black"})  # only C3, an eye, is left
    assert [game.action_text(full.state, each) for each in game.calls.legal(game.for_search(full.state))] == ["pass"]


@pytest.mark.parametrize("spec", ["go:3x3:pass-lock", "go:4x4:chinese:pass-lock", "go:5x5:pass-lock"])
def test_an_engine_passes_only_where_the_pass_lock_lets_it(spec):
    game = ludus.game(spec)
    for seed in range(20):
        random, position = stream("games", seed), game.start()
        while not position.outcome:
            searched = game.calls.legal(game.for_search(position.state))
            assert set(searched) <= set(position.actions)
            stones = [action for action in searched if action != pass_action(position.state)]
            position = position.play(int(random.choice(stones or searched)))


def test_the_pass_lock_forbids_early_passes(play):
    position = play("go:5x5:pass-lock", "C3 B2")
    assert "pass" not in map(position.text, position.actions)
    later = play("go:5x5:pass-lock", "C3 B2 C2 B3 C4 B4 C1 B1 C5 B5 D1 A1 D2 A2 E1")
    assert "pass" in map(later.text, later.actions)
