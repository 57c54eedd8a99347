"""Declarations for training and for networks of all sizes: final maps, masks, places of actions."""

import numpy as np
import pytest

import ludus
from ludus.errors import BadGame
from ludus.games import tictactoe as sound
from ludus.games.check.guard import Guarded
from ludus.games.check.run import check
from ludus.players.thinking.group import shape_of

SYMMETRIC = {
    "num_symmetries": 8,
    "symmetric_state": sound.symmetric_state,
    "symmetric_action": sound.symmetric_action,
}


def broken_law(**parts):
    rules = ("start", "to_play", "legal", "play", "outcome", "encode")
    game = ludus.Game(
        name="broken",
        state_size=10,
        num_actions=9,
        max_actions=9,
        **{rule: getattr(sound, rule) for rule in rules}
        | {"planes": (2, 3, 3), "num_maps": 1, "final_maps": own_cells}
        | parts,
    )
    breach = check(game, games=60).breach
    return f"{breach.law}: {breach.what}" if breach else "none"


def test_planes_may_be_declared_as_a_list():
    rules = {rule: getattr(sound, rule) for rule in ("start", "to_play", "legal", "play", "outcome", "encode")}
    game = ludus.Game(name="listed", state_size=10, num_actions=9, max_actions=9, planes=[2, 3, 3], **rules)
    assert game.planes == (2, 3, 3)
    assert shape_of(game) in {shape_of(game)}


def own_cells(state, player, maps):
    for cell in range(9):
        maps[0, cell // 3, cell % 3] = 1 if int(state[cell]) == 1 + player else 0


def own_corner(state, player, maps):
    maps[0, 0, 0] = 1 if int(state[0]) == 1 + player else 0


def numbered_cells(state, player, maps):
    for cell in range(9):
        maps[0, cell // 3, cell % 3] = state[cell]


def test_final_maps_that_keep_the_laws_pass():
    assert broken_law(final_maps=own_cells, **SYMMETRIC) == "none"


def test_final_maps_other_than_zeros_and_ones_break_the_law_maps():
    said = broken_law(final_maps=numbered_cells)
    assert said.startswith("maps: final_maps() writes 2 into map 0, row ")
    assert said.endswith("; write 0 or 1")


def test_final_maps_that_are_not_symmetric_break_the_law_symmetry():
    said = broken_law(final_maps=own_corner, **SYMMETRIC)
    assert said.startswith("symmetry: ")
    assert "map 0 of the symmetric state holds numbers that no map held before; " in said
    assert said.endswith("so mark a cell instead of writing a direction or a number of a cell")


def test_the_final_maps_of_connect_four_hold_the_players_discs():
    game = ludus.game("connect4")
    position = game.start()
    for move in "4435":
        position = position.play(move)
    for compiled in (False, True):
        maps = Guarded(game, compiled=compiled).final_maps(position.state, 1)
        assert maps.shape == (2, 6, 7)
        assert np.argwhere(maps[0]).tolist() == [[4, 3], [5, 4]], "the player's own"
        assert np.argwhere(maps[1]).tolist() == [[5, 2], [5, 3]], "the opponent's"


def encode_board(state, planes):
    sound.encode(state, planes)
    planes[2] = 1


def encode_board_of_two(state, planes):
    planes[2] = 2


def encode_board_that_shrinks(state, planes):
    planes[2, :, 0] = 1 - int(state[9])
    planes[2, :, 1:] = 1


def encode_board_without_a_corner(state, planes):
    planes[2] = 1
    planes[2, 2, 1] = 0


PLACES = [(0, cell // 3, cell % 3) for cell in range(9)]
MASKED = {"planes": (3, 3, 3), "mask_plane": 2, "action_places": PLACES}


def test_a_mask_that_keeps_the_law_passes():
    assert broken_law(encode=encode_board, **MASKED) == "none"


@pytest.mark.parametrize(
    ("encode", "what"),
    [
        (encode_board_of_two, "the mask plane holds 2 at most; write 1 on the board and 0 around it"),
        (encode_board_without_a_corner, "legal action 7 is at row 2, column 1, off the board"),
    ],
)
def test_a_wrong_mask_breaks_the_law_mask(encode, what):
    assert broken_law(encode=encode, **MASKED) == f"mask: {what}"


def test_a_mask_that_changes_breaks_the_law_mask():
    parts = MASKED | {"action_places": ()}
    assert broken_law(encode=encode_board_that_shrinks, **parts) == (
        "mask: the mask plane is not the same in all positions"
    )


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        ({"mask_plane": 2}, "mask_plane is 2; it must be one of the 2 planes"),
        ({"plane_names": ("mine",)}, "plane_names is ('mine',); it must hold 2 different names"),
        ({"plane_names": ("mine", "mine")}, "it must hold 2 different names, one per plane"),
        ({"plane_names": ("mine", 2)}, "plane_names is ('mine', 2); it must hold 2 different names"),
        (
            {"action_classes": {"edge": [1, 9]}},
            "action_classes names 'edge' with actions (1, 9); it must hold some below num_actions",
        ),
        (
            {"action_classes": {"edge": []}},
            "action_classes names 'edge' with actions (); it must hold some below num_actions",
        ),
        ({"action_places": PLACES[1:]}, "action_places holds 8 places for 9 actions; give one per action"),
        ({"action_places": [*PLACES[:8], (0, 0, 0)]}, "actions 0 and 8 have the same place, (0, 0, 0)"),
        ({"action_places": [*PLACES[:8], (0, 3, 0)]}, "action 8 has the place (0, 3, 0); it must be"),
        ({"action_places": [*PLACES[:8], (0, -1, 0)]}, "action 8 has the place (0, -1, 0); it must be"),
    ],
)
def test_declarations_that_do_not_fit_the_board_are_refused(parts, what):
    with pytest.raises(BadGame) as refusal:
        broken_law(**parts)
    assert what in str(refusal.value)


@pytest.mark.parametrize("spec", ["wallgame:classic:4x3@5x4:masked", "wallgame:standard:5x6"])
def test_walls_of_the_wall_game_have_the_places_of_their_cells(spec):
    game = ludus.game(spec)
    position = game.start()
    for action in position.actions:
        layer, column, row = game.action_places[action]
        text = game.action_text(position.state, action)
        if text[0] in ">^":
            assert layer == ">^".index(text[0])
            below = layer  # a horizontal wall's action has the cell above it, its name the cell below
            rows = 3 if "4x3" in spec else 6
            assert text[1:] == "abcdef"[column] + str(rows - row - below)
        else:
            assert (column, row) == (-1, -1)


def test_the_mask_of_the_wall_game_marks_the_board_in_its_frame():
    bare, masked = (ludus.game(f"wallgame:classic:4x3@5x6{option}") for option in ("", ":masked"))
    assert (bare.mask_plane, masked.mask_plane) == (None, 9)
    for compiled in (False, True):
        planes = Guarded(masked, compiled=compiled).encode(masked.start_state())
        assert np.array_equal(planes[:9], Guarded(bare, compiled=compiled).encode(bare.start_state()))
        assert np.array_equal(np.argwhere(planes[9] == 1), [(column, row) for column in range(4) for row in range(3)])
        assert planes[9].sum() == 12


# ---- surveys ---------------------------------------------------------------------------------------------------------


def survey(rank, value):
    def rule(state, actions, count, ranks):
        for k in range(count):
            ranks[k] = rank
        return value

    return rule


def wavering(state, actions, count, ranks):
    for k in range(count):
        ranks[k] = 1
    return 0.5 if count else 0.25


@pytest.mark.parametrize(
    ("rule", "what"),
    [
        (survey(0, 0.0), "none"),
        (survey(0, 1.5), "survey: survey() returns the value 1.5"),
        (survey(-1, 0.0), "survey: survey() gives every action a rank below 0, so minimax would try no action"),
        (wavering, "survey: survey() returns 0.5 with ranks and 0.25 without them"),
        (lambda state, actions, count, ranks: 1, "returns: survey() returns 1; it must return a float"),
    ],
    ids=["sound", "value", "ranks", "wavering", "type"],
)
def test_ranks_and_values_out_of_range_break_the_law_survey(rule, what):
    assert broken_law(survey=rule) == what


# ---- foresight -------------------------------------------------------------------------------------------------------


def empty_cells(state):
    count = 0
    for cell in range(9):
        count += int(state[cell]) == 0
    return count


def last_cell(state):
    """Foresee the outcome when one cell is left."""
    if empty_cells(state) > 1:
        return 0
    after = state.copy()
    for cell in range(9):
        if int(state[cell]) == 0:
            sound.play(after, cell)
    return sound.outcome(after)


def always(outcome):
    def rule(state):
        return outcome

    return rule


def before_the_last_cell(outcome):
    def rule(state):
        return outcome if empty_cells(state) == 1 else 0

    return rule


def seven_after(cell):
    def rule(state):
        if empty_cells(state) == 9:
            return 3
        return 7 if empty_cells(state) == 8 and int(state[cell]) != 0 else 0

    return rule


def top_left(state):
    return 1 + int(state[0] != 1) if empty_cells(state) == 3 else 0


def test_foresight_that_keeps_the_law_passes():
    assert broken_law(foresee=last_cell, **SYMMETRIC) == "none"


@pytest.mark.parametrize(
    ("rule", "what"),
    [
        (always(4), "foresight: foresee() returns 4"),
        (before_the_last_cell(2), "leads to 1, which is better for the mover"),
        (before_the_last_cell(1), "foresight: foresee() returns 1, but no legal action leads to it"),
        (lambda state: 0.5, "returns: foresee() returns 0.5; it must return an integer"),
    ],
    ids=["code", "too bad", "too good", "type"],
)
def test_foresight_that_is_wrong_breaks_the_law_foresight(rule, what):
    assert what in broken_law(foresee=rule)


@pytest.mark.parametrize("cell", range(9))
def test_an_invalid_foreseen_outcome_after_any_action_breaks_the_law_foresight(cell):
    """Compare all legal actions, though only some of them get a full check."""
    assert broken_law(foresee=seven_after(cell)).startswith("foresight: ")


def test_foresight_that_a_symmetry_contradicts_breaks_the_law_symmetry():
    assert broken_law(foresee=top_left, **SYMMETRIC) == "symmetry: symmetry 2 changes foresee() from 1 to 2"
