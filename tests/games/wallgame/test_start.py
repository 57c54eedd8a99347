"""Start positions of the Wall Game: the variants' own, random ones, and the site's JSON."""

import copy

import pytest

import ludus
from ludus.errors import BadNotation

STANDARD = {"pawns": {"p1": {"cat": [0, 0], "mouse": [2, 0]}, "p2": {"cat": [0, 3], "mouse": [2, 3]}}, "walls": []}
SURVIVAL = {"cat": [0, 0], "mouse": [2, 3], "turnsToSurvive": 5, "mouseCanMove": True, "walls": []}
WALL = {"cell": [1, 1], "orientation": "vertical"}


@pytest.mark.parametrize(
    ("variant", "goals"),
    [("standard", {"p1": [7, 0], "p2": [7, 7]}), ("classic", {"p1": [7, 7], "p2": [7, 0]})],
)
def test_cats_start_in_the_upper_corners_and_goals_in_the_lower(variant, goals):
    setup = ludus.game(f"wallgame:{variant}:8x8").setup(ludus.game(f"wallgame:{variant}:8x8").start().state)
    goal = "home" if variant == "classic" else "mouse"
    assert setup["pawns"]["p1"] == {"cat": [0, 0], goal: goals["p1"]}
    assert setup["pawns"]["p2"] == {"cat": [0, 7], goal: goals["p2"]}


@pytest.mark.parametrize("spec", ["wallgame:standard:12x10", "wallgame:classic:7x5@8x8", "wallgame:freestyle:12x10"])
def test_random_starts_are_symmetric_and_named_by_their_seed(spec):
    game = ludus.game(spec)
    seen = set()
    for seed in range(20):
        position = game.start(f"random:{seed}")
        assert position.state.tobytes() == game.start(f"random:{seed}").state.tobytes()
        seen.add(position.state.tobytes())
        setup = game.setup(position.state)
        goal = "home" if "classic" in spec else "mouse"
        (cat, other_cat), (mouse, other_mouse) = (
            (setup["pawns"]["p1"][pawn], setup["pawns"]["p2"][pawn]) for pawn in ("cat", goal)
        )
        last = position.describe().columns - 1
        assert other_cat == [cat[0], last - cat[1]]
        assert other_mouse == [mouse[0], last - mouse[1]]
        walls = {(*wall["cell"], wall["orientation"]) for wall in setup["walls"]}
        mirror = {(row, last - column - (way == "vertical"), way) for row, column, way in walls}
        assert walls == mirror
        assert walls
    assert len(seen) > 15


def test_freestyle_starts_at_random_by_default():
    game = ludus.game("wallgame:freestyle:12x10")
    assert game.start().state.tobytes() == game.start("random:0").state.tobytes()


@pytest.mark.parametrize(("variant", "setup"), [("standard", STANDARD), ("survival", SURVIVAL)])
def test_the_sites_json_leads_to_a_position_and_back(variant, setup):
    game = ludus.game(f"wallgame:{variant}:4x3@5x5")
    setup = setup | {"walls": [WALL, {"cell": [2, 0], "orientation": "horizontal"}]}
    assert sorted(map(str, game.setup(game.start(setup).state)["walls"])) == sorted(map(str, setup["walls"]))
    assert game.setup(game.start(setup).state) | {"walls": 0} == setup | {"walls": 0}


def test_only_a_position_at_the_start_of_player_ones_move_has_a_setup():
    game = ludus.game("wallgame:standard:4x4")
    assert game.setup(game.start().play(0).state) is None
    assert game.setup(game.start().play(0).play(1).state) is None


def changed(path, value):
    setup = copy.deepcopy(STANDARD | {"walls": [WALL]})
    part = setup
    for key in path[:-1]:
        part = part[key]
    if value is None:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return setup


@pytest.mark.parametrize(
    ("setup", "complaint"),
    [
        ("sideways", "is not a start position of standard"),
        (changed(["walls"], None), "'walls' is missing"),
        (changed(["walls"], "none"), "walls must be a list"),
        (changed(["pawns", "p1", "home"], [0, 0]), "'home' is unknown"),
        (changed(["pawns", "p2"], 3), "pawns.p2 must be a JSON object"),
        (changed(["pawns", "p1", "cat"], [0, 4]), "p1's cat is on [0, 4], outside the board of 3 rows and 4 columns"),
        (changed(["pawns", "p1", "cat"], ["a", 4]), "a cell is [row, column]"),
        (changed(["walls", 0, "orientation"], "tilted"), "walls[0]: orientation is 'tilted'"),
        (changed(["walls", 0, "playerId"], 3), "walls[0]: playerId is 3"),
        (changed(["walls", 0, "cell"], [1, 3]), "walls[0]: no wall can be built on the border"),
        (changed(["walls"], [WALL, WALL]), "walls[1]: there is already a wall"),
        (
            changed(["walls"], [{"cell": [row, 2], "orientation": "vertical"} for row in range(3)]),
            "the walls leave player 1's cat no path",
        ),
    ],
)
def test_a_wrong_setup_is_refused_with_the_location_of_the_fault(setup, complaint):
    with pytest.raises(BadNotation) as refusal:
        ludus.game("wallgame:standard:4x3").start(setup)
    assert complaint in str(refusal.value)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"turnsToSurvive": 0}, "turnsToSurvive is 0"),
        ({"turnsToSurvive": 70000}, "from 1 to 65535"),
        ({"mouseCanMove": 1}, "must be true or false"),
    ],
)
def test_a_wrong_survival_start_is_refused(change, complaint):
    with pytest.raises(BadNotation) as refusal:
        ludus.game("wallgame:survival:4x3").start(SURVIVAL | change)
    assert complaint in str(refusal.value)


def test_a_mouse_that_cannot_move_has_no_steps():
    game = ludus.game("wallgame:survival:4x3:short")
    for moves, steps in ((True, 2), (False, 0)):
        position = game.start(SURVIVAL | {"mouseCanMove": moves}).play("---")
        assert len([text for text in map(position.text, position.actions) if text.startswith("M")]) == steps
