"""Games with unusable notation or descriptions: the checker names the law and never crashes."""

import msgspec
import numpy as np
import pytest

import ludus
from ludus.errors import BadNotation
from ludus.games import tictactoe as sound
from ludus.games.board import Captured
from ludus.games.check.guard import Broken, Guarded
from ludus.games.check.laws_for_people import MARKS, OWNERS, SIDES_OF_HEXAGONS, check_move
from ludus.games.check.run import check

RULES = ("start", "to_play", "legal", "play", "outcome", "encode")
AT = [(cell // 3, cell % 3) for cell in range(9)]


def broken_law(games=60, **parts):
    """Return `law: what` for tic-tac-toe with some parts replaced."""
    parts = {rule: getattr(sound, rule) for rule in RULES} | parts
    game = ludus.Game(name="broken", state_size=10, num_actions=9, planes=(2, 3, 3), max_actions=9, **parts)
    breach = check(game, games=games).breach
    assert not breach or all(isinstance(move, str) for move in breach.moves), "they are shown"
    return f"{breach.law}: {breach.what}" if breach else "none"


def parse_carelessly(state, text):
    return [int(text)]


def parse_anything(state, text):
    return [4 if text.isdigit() else 99]


def parse_wrongly(state, text):
    if text not in "012345678" or text == "":
        raise BadNotation("no cell")
    return [8 - int(text)] if state[8 - int(text)] == 0 else [int(text)]


def text_of_an_action_alone(action):
    return str(action)


CARELESS = f"(test_laws_for_people.py, line {parse_carelessly.__code__.co_firstlineno + 1})"
UNFIT = f"(test_laws_for_people.py, line {text_of_an_action_alone.__code__.co_firstlineno})"


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        ({"action_text": lambda state, action: "abc"[action % 3]}, "are both written 'a'"),
        (
            {"parse_move": parse_carelessly},
            f"parse_move() raises ValueError on '' {CARELESS}; it must raise ludus.errors.BadNotation",
        ),
        ({"parse_move": parse_anything}, "parse_move() reads '' as [99]; it must raise ludus.errors.BadNotation"),
        ({"parse_move": parse_wrongly}, "which parse_move() reads as"),
        ({"action_text": lambda state, action: "abc"[action]}, "action_text() raises IndexError"),
        ({"action_text": text_of_an_action_alone}, UNFIT),
    ],
)
def test_notation_that_is_read_differently_breaks_the_law_text(parts, what):
    found = broken_law(**parts)
    assert found.startswith("text: ")
    assert what in found


def parse_beyond(state, text):
    if text not in "012345678" or text == "":
        raise BadNotation("no cell")
    return [int(text), 99]


def parse_as(answer):
    def parse_move(state, text):
        if not text.isdigit():
            raise BadNotation("no cell")
        return answer

    return parse_move


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        ({"parse_move": parse_as(None)}, "parse_move() returns None for '"),
        ({"parse_move": parse_as(3)}, "parse_move() returns 3 for '"),
        ({"parse_move": parse_as(["3"])}, "parse_move() returns ['3'] for '"),
        ({"parse_move": lambda state, text: None}, "it must return a list of actions, or raise BadNotation"),
        ({"parse_move": lambda state, text: 4}, "it must return a list of actions, or raise BadNotation"),
        ({"parse_move": parse_beyond}, "which parse_move() reads as ["),
        ({"action_text": lambda state, action: action}, "action_text() returns 0; it must return a string"),
        ({"action_text": lambda state, action: [action]}, "action_text() returns [0]; it must return a string"),
        ({"move_text": lambda state, actions: actions[0]}, "; it must return a string"),
        ({"move_text": lambda state, actions: None}, "move_text() returns None; it must return a string"),
    ],
)
def test_notation_of_another_type_breaks_the_law_text(parts, what):
    found = broken_law(**parts)
    assert found.startswith("text: ")
    assert what in found


def test_nonsense_read_as_an_empty_move_breaks_the_law_text():
    def parse_move(state, text):
        return [int(text)] if len(text) == 1 and text in "012345678" else []

    found = broken_law(parse_move=parse_move)
    assert found == "text: parse_move() reads '' as []; it must raise ludus.errors.BadNotation"


def describe_changed(**changes):
    def describe(position):
        board = sound.describe(position)
        return ludus.Board(**{name: changes.get(name, getattr(board, name)) for name in board.__struct_fields__})

    return describe


@pytest.mark.parametrize(
    ("describe", "what"),
    [
        (describe_changed(choices=[]), "describe() does not offer action 0"),
        (describe_changed(rows=2, row_labels=[]), "off the board"),
        (describe_changed(edges=[ludus.Edge((0, -1), "top")]), "describe() puts something at (0, -1), off the board"),
        (describe_changed(edges=[ludus.Edge((3, 0), "right")]), "describe() puts something at (3, 0), off the board"),
        (describe_changed(edges=[ludus.Edge((-1, 0), "top")]), "describe() puts something at (-1, 0), off the board"),
        (describe_changed(choices=[ludus.Choice(action=cell, text=sound.action_text(None, cell), kind="cell")
                                   for cell in range(9)]), "the choice of action 0 names no cell to click"),
        (lambda position: position.nonsense, "describe() raises AttributeError"),
    ],
)  # fmt: skip
def test_a_description_with_wrong_choices_breaks_the_law_board(describe, what):
    found = broken_law(describe=describe, action_text=sound.action_text)
    assert found.startswith("board: ")
    assert what in found


PIECE, CORNER = {"at": (0, 0), "shape": "stone", "owner": 0}, (0, 0)


def piece(**changes):
    return describe_changed(pieces=[ludus.Piece(**PIECE | changes)])


def choices(**changes):
    def describe(position):
        return msgspec.structs.replace(
            sound.describe(position),
            choices=[msgspec.structs.replace(choice, **changes) for choice in sound.describe(position).choices],
        )

    return describe


@pytest.mark.parametrize(
    ("describe", "what"),
    [
        (lambda position: None, "describe() returns None; it must return a ludus.Board"),
        (lambda position: "xox", "describe() returns 'xox'; it must return a ludus.Board"),
        (describe_changed(row_labels=["3", "2"]), "describe() gives 3 rows 2 labels; give one label each, or none"),
        (describe_changed(column_labels=["a"]), "describe() gives 3 columns 1 labels; give one label each, or none"),
        (describe_changed(row_labels=[3, 2, 1]), "describe() returns a board with wrong row_labels[0]: Expected `str`"),
        (describe_changed(note=None), "describe() returns a board with wrong note: Expected `str`, got `null`"),
        (describe_changed(pieces=[5]), "describe() returns a board with wrong pieces[0]: Expected `object`"),
        (describe_changed(choices=None), "describe() returns a board with wrong choices: Expected `array`"),
        (describe_changed(rows=-3, row_labels=[]), "describe() returns a board of -3 rows"),
        (describe_changed(colours=(0, 2)), "describe() gives player 1 the colour 2; it must be one of (0, 1, None)"),
        (describe_changed(next_colour=2), "describe() gives the next piece the colour 2; it must be one of"),
        (describe_changed(style="hexes"), "describe() gives style 'hexes'; it must be one of ('squares', "),
        (describe_changed(paints=("black", "grey")), "gives a side the colour 'grey'; it must be one of"),
        (describe_changed(paints=("black", "black")), "describe() gives both sides the same colour"),
        (describe_changed(labels=[ludus.Label((3, 0), "5")]), "describe() puts something at (3, 0), off the board"),
        (describe_changed(lines=[[(0, 0), (0, 3)]]), "describe() puts something at (0, 3), off the board"),
        (describe_changed(lines=[[(0, 0)]]), "describe() gives a line through fewer than two cells"),
        (describe_changed(cells=[ludus.Spot(at) for at in AT[1:]]), "puts something at (0, 0), off the board"),
        (describe_changed(cells=[ludus.Spot((0, 3))]), "gives a cell at (0, 3), beyond 3 rows and 3 columns"),
        (describe_changed(cells=[ludus.Spot(CORNER)] * 2), "describe() gives two cells the same row and column"),
        (describe_changed(cells=[ludus.Spot(CORNER, size=(0, 1))]), "gives the cell at (0, 0) the size (0, 1)"),
        (describe_changed(cells=[ludus.Spot(CORNER, (0, np.inf))]), "the centre (0, inf)"),
        (describe_changed(style="drop", cells=[ludus.Spot(at) for at in AT]), "gives cells to a board of style"),
        (describe_changed(trays=41), "describe() gives trays of 41 cells; they have 40 at most"),
        (describe_changed(pieces=[ludus.Piece((3, 2), "pawn")], trays=2), "puts something at (3, 2), off the board"),
        (describe_changed(style="hexagons", edges=[ludus.Edge(CORNER, "top")]), "the side 'top'; it must be one of"),
        (piece(at=(0, 0, 1)), "with wrong pieces[0].at: Expected `array` of length 2, got 3"),
        (piece(at=None), "with wrong pieces[0].at: Expected `array`, got `null`"),
        (piece(at=[0, 0]), "describe() returns a board that cannot be drawn: TypeError: "),
        (piece(owner=2), "describe() gives the piece at (0, 0) the owner 2; it must be one of (0, 1, None)"),
        (piece(owner=np.uint8(1)), ", of type uint8, into the board; make it plain with int(...)"),
        (piece(shape=""), "describe() returns a piece whose shape is empty"),
        (piece(shape=np.str_("stone")), ", of type str_, into the board; make it plain with"),
        (describe_changed(edges=[ludus.Edge(CORNER, "left")]), "the edge at (0, 0) the side 'left'; it must be one of"),
        (describe_changed(edges=[ludus.Edge(CORNER, "top", 2)]), "gives the edge at (0, 0) the owner 2"),
        (describe_changed(marks=[ludus.Mark(CORNER, "lost")]), "the mark at (0, 0) the kind 'lost'; it must be one of"),
        (describe_changed(captured=[Captured(2, "pawn", 1, 1)]), "gives captured pawns the taker 2"),
        (describe_changed(captured=[Captured(0, "", 1, 1)]), "describe() returns a piece whose shape is empty"),
        (choices(at=(0, 0, 0)), "with wrong choices[0].at: Expected `array` of length 2, got 3"),
        (choices(kind="circle"), "the choice of action 0 is of kind 'circle'; kinds are cell, right, top, button"),
    ],
)  # fmt: skip
def test_a_description_that_no_page_can_draw_breaks_the_law_board(describe, what):
    found = broken_law(describe=describe, action_text=sound.action_text)
    assert found.startswith("board: ")
    assert what in found


def test_a_reason_that_is_not_a_text_breaks_the_law_board():
    assert broken_law(reason=lambda state: None) == "board: reason() returns None; it must return a string"


def test_a_board_with_every_kind_of_part_keeps_the_laws():
    describe = describe_changed(
        pieces=[
            ludus.Piece(at, shape, owner)
            for at, shape, owner in zip(AT[:3], ["disc", "camel", "king"], OWNERS, strict=True)
        ],
        edges=[
            ludus.Edge(at, side, owner) for at, side, owner in zip(AT[:3], ["right", "top", "top"], OWNERS, strict=True)
        ],
        marks=[ludus.Mark(at, kind) for at, kind in zip(AT, MARKS, strict=True)],
        captured=[Captured(by=1, shape="camel", owner=None, count=3)],
        row_labels=[],
        column_labels=(),
        style="drop",
        note="All of it.",
        colours=(1, None),
        next_colour=0,
    )
    assert broken_law(describe=describe, action_text=sound.action_text) == "none"


def test_a_board_of_hexagons_with_every_kind_of_part_keeps_the_laws():
    describe = describe_changed(
        style="hexagons",
        pieces=[ludus.Piece((-1, 0), "pawn", 1), ludus.Piece((3, 1), "14", 0), ludus.Piece((3, 1), "14", 0)],
        edges=[ludus.Edge((2, 2), side) for side in SIDES_OF_HEXAGONS],
        cells=[ludus.Spot(at, name=f"cell {number}") for number, at in enumerate(AT)],
        labels=[ludus.Label((3, 0), "none"), ludus.Label(CORNER, "x2")],
        paints=("green", "purple"),
        trays=2,
        stacked=True,
    )
    assert broken_law(describe=describe, action_text=sound.action_text) == "none"


def test_a_hexagon_has_no_sides_to_click():
    def describe(position):
        board = sound.describe(position)
        kinds = [msgspec.structs.replace(choice, kind="right") for choice in board.choices]
        return msgspec.structs.replace(board, style="hexagons", choices=kinds)

    found = broken_law(describe=describe, action_text=sound.action_text)
    assert found == "board: the choice of action 0 is of kind 'right'; kinds are cell, button"


def play_twice(state, action):
    """Let player 0 fill one cell, then each player fill two cells per turn."""
    state[action] = 1 + to_play_twice(state)
    state[9] += 1


def to_play_twice(state):
    return (int(state[9]) + 1) // 2 % 2


@pytest.mark.parametrize("action_text", [None, sound.action_text, lambda state, action: f"v1.{action}"])
def test_moves_of_two_actions_in_the_default_notation_are_read_back(action_text):
    assert broken_law(to_play=to_play_twice, play=play_twice, action_text=action_text, encode=encode_turns) == "none"


def encode_turns(state, planes):
    planes[:] = state[9]


def test_a_move_that_replays_to_another_state_breaks_pure_and_not_text():
    parts = {rule: getattr(sound, rule) for rule in RULES}
    game = ludus.Game(name="dice", state_size=10, num_actions=9, planes=(2, 3, 3), max_actions=9, **parts)
    rules = Guarded(game, compiled=False)
    begin = rules.start()
    end = rules.play(begin, 0)
    check_move(rules, begin, end, [0])
    end[9] ^= 1  # as a random rule would
    with pytest.raises(Broken) as found:
        check_move(rules, begin, end, [0])
    assert found.value.law == "pure"
