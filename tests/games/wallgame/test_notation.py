"""The notation of the Wall Game: strict reading, canonical writing, clear errors."""

import pytest

import ludus
from ludus.errors import BadNotation, IllegalMove


@pytest.fixture
def position():
    return ludus.game("wallgame:standard:8x8:short").start()


@pytest.mark.parametrize(
    ("played", "written", "written_in_january"),
    [
        ("Cb8.Cc8", "Cc8", "Cb8.Cc8"),
        ("Cb7", "Cb7", "Cb8.Cb7"),
        (">c3.Ca7", ">c3.Ca7", "Ca7.>c3"),
        ("^b2.>c8", ">c8.^b2", ">c8.^b2"),
        (">a3.>a4", ">a4.>a3", ">a4.>a3"),
        (">b1.>a8", ">a8.>b1", ">a8.>b1"),
        ("Mb1.Ca7", "Mb1.Ca7", "Ca7.Mb1"),
        ("^a2", "^a2", "^a2"),
        ("---", "---", "---"),
    ],
)
def test_each_edition_writes_its_own_form(played, written, written_in_january):
    for edition, wanted in (("2026-09", written), ("2026-01", written_in_january)):
        after = ludus.game(f"wallgame:standard:8x8:short:{edition}").start().play(played)
        assert after.moves == [wanted]


def test_all_spellings_of_a_double_step_lead_to_one_position(position):
    assert len({position.play(move).state.tobytes() for move in ("Cb7", "Cb8.Cb7", "Ca7.Cb7")}) == 1


def test_a_double_step_finds_the_open_way_around_a_corner(position):
    for wall in (">a8", "^a7"):
        assert position.play(wall).play("---").play("Cb7").moves[-1] == "Cb7"


@pytest.mark.parametrize(
    "text",
    ["", ".", "--", "Ce4.", ".Ce4", "Ce4..Me4", "ce4", "CE4", "C4e", "Ce04", "Ce0", "Ce-1", "Ce+4", " Ce4", "Ce4 ",
     "Ce4\n", "Ce4,Me4", "Ce٤", "Xe4", "Ce4.---", "Ca9", ">i1", "Ct20", "Ca100"],
)  # fmt: skip
def test_a_text_that_is_no_move_on_this_board_is_refused(position, text):
    with pytest.raises(BadNotation):
        position.parse(text)


@pytest.mark.parametrize(
    ("refused", "why"),
    [
        (">h3", ">h3 may not be played: no wall can be built on the border"),
        ("^c8", "no wall can be built on the border"),
        (">c3.>c3", ">c3 may not be played: there is already a wall"),
        ("Ca8", "the cat is already there"),
        ("Cd8", "it is 3 steps away"),
        (">a8.Cb8", "Cb8 may not be played: a wall is in the way"),
        ("Cb8.Ca8", "the cat came from there in this move"),
        ("Cb8.Cc8.>a1", ">a1 may not be played: a move has at most two actions"),
        (">a1.Cc8", "a double step takes both actions"),
        ("Dc3", "player 1 has no dog in standard"),
        ("^a7.>a8", ">a8 may not be played: it would cut off player 1's cat from the mouse"),
    ],
)
def test_an_illegal_move_is_refused_with_the_term_and_the_reason(position, refused, why):
    with pytest.raises(IllegalMove) as refusal:
        position.play(refused)
    assert why in str(refusal.value)


def test_walls_on_both_paths_around_a_corner_stop_a_double_step(position):
    walled = position.play("^b7.>a7").play("---")
    with pytest.raises(IllegalMove) as refusal:
        walled.play("Cb7")
    assert "walls are in the way" in str(refusal.value)


def test_a_wall_that_cuts_off_both_cats_names_both():
    walls = [{"cell": [row, 1], "orientation": "vertical"} for row in range(1, 4)]
    pawns = {"p1": {"cat": [0, 0], "home": [3, 3]}, "p2": {"cat": [0, 3], "home": [3, 0]}}
    position = ludus.game("wallgame:classic:4x4").start({"pawns": pawns, "walls": walls})
    with pytest.raises(IllegalMove) as refusal:
        position.play(">b4.Ca3")
    assert "cut off player 1's cat from home and it would cut off player 2's cat from home" in str(refusal.value)


def test_a_move_of_one_action_needs_the_option_short(position):
    assert position.play("Ca7").to_play == 1
    with pytest.raises(IllegalMove) as refusal:
        ludus.game("wallgame:standard:8x8").start().play("Ca7")
    assert "a move has two actions" in str(refusal.value)


@pytest.mark.parametrize(
    ("spec", "moves", "refused", "why"),
    [
        ("wallgame:classic:5x5", [], "Mb1.>a1", "homes never move"),
        ("wallgame:survival:5x5", [], "Mb1.>a1", "player 1 has no mouse"),
        ("wallgame:survival:5x5", [">a1.>a2"], "Ca4.>a3", "player 2 has no cat"),
    ],
)
def test_a_missing_pawn_cannot_move(spec, moves, refused, why):
    position = ludus.game(spec).start()
    for move in moves:
        position = position.play(move)
    with pytest.raises(IllegalMove) as refusal:
        position.play(refused)
    assert why in str(refusal.value)


def test_every_action_has_a_name_that_is_read_back(any_board, walks, rng):
    spec = any_board if "short" in any_board else any_board + ":short"
    for position in walks(spec, rng, 12):
        texts = [position.text(action) for action in position.actions]
        assert len(set(texts)) == len(texts)
        for index in rng.integers(len(texts), size=10):
            assert position.parse(texts[index])[0] == position.actions[index]


def test_whole_moves_are_read_back_to_the_position_they_led_to(any_board, walks, rng):
    begun = None
    for position in walks(any_board, rng, 60):
        if begun is None or position.num_actions_played == 0:
            begun = position
        elif position.to_play != begun.to_play:
            assert begun.play(position.moves[-1]).state.tobytes() == position.state.tobytes()
            begun = position
