"""A fault in an author's file raises one sentence with its line; faults of Ludus pass unchanged."""

import io

import pytest

import ludus
from ludus.cli import main
from ludus.errors import BadGame
from ludus.games import tictactoe
from ludus.games.behaviour import behaviour
from ludus.games.blame import shown
from ludus.players.opponents.random import RandomPlayer

GAME = """
import ludus


def start(state):
    state[0] = 0


def to_play(state):
    return int(state[0]) % 2


def legal(state, actions):
    actions[0] = 0
    actions[1] = 1
    return 2


def play(state, action):
    state[0] += 1


def outcome(state):
    return ludus.DRAW if state[0] == 3 else ludus.ONGOING


def encode(state, planes):
    planes[0, 0, 0] = state[0]


def action_text(state, action):
    return "ab"[action]


def describe(position):
    return ludus.Board(1, 1, "squares", [ludus.Piece((0, 0), "stone", 0)])


def reason(state):
    return "three"


def read(state, text):
    return ["ab".index(text)]


game = ludus.Game(name="three", state_size=1, num_actions=2, planes=(1, 1, 1), max_actions=4, start=start,
                  to_play=to_play, legal=legal, play=play, outcome=outcome, encode=encode, action_text=action_text,
                  describe=describe, reason=reason, parse_move=read)
"""
MISTAKE = "    here = one\n"

USES = {
    "start": lambda game: game.start(),
    "to_play": lambda game: game.start().to_play,
    "legal": lambda game: game.start().actions,
    "play": lambda game: game.start().play(0),
    "outcome": lambda game: game.start().outcome,
    "encode": lambda game: game.start().planes,
    "action_text": lambda game: game.start().text(1),
    "describe": lambda game: game.start().describe(),
    "reason": lambda game: game.start().play(0).play(0).play(0).outcome,
    "read": lambda game: game.start().play("a"),
}


@pytest.fixture
def broken(tmp_path):
    """Write a game with a fault in one of its functions; return its path and the line."""

    def write(function, mistake=MISTAKE):
        head = next(line for line in GAME.splitlines(keepends=True) if line.startswith(f"def {function}("))
        before, after = GAME.split(head)
        path = tmp_path / f"bad_{function}.py"
        path.write_text(f"{before}{head}{mistake}{after}")
        return str(path), before.count("\n") + 2

    return write


@pytest.mark.parametrize("function", USES)
def test_a_fault_is_reported_with_its_line_by_a_position(broken, function):
    path, line = broken(function)
    what = f"{function}() raises NameError: name 'one' is not defined"
    with pytest.raises(BadGame) as caught:
        USES[function](ludus.game(path))
    assert str(caught.value) == f"{path}, line {line}: {what}; `ludus check {path}` tries all rules."


def test_a_fault_is_reported_by_a_batch_of_games(broken):
    path, line = broken("legal")
    game = ludus.game(path)
    for ask in (behaviour, lambda game: RandomPlayer().choose(game, game.start_state().view("u8")[None])):
        with pytest.raises(BadGame, match=rf"^{path}, line {line}: legal\(\) raises NameError"):
            ask(game)


def test_an_exception_inside_a_library_is_reported_with_the_authors_line(broken):
    path, line = broken("describe", "    import json; json.loads('{')\n")
    with pytest.raises(BadGame, match=rf"^{path}, line {line}: describe\(\) raises JSONDecodeError: Expecting"):
        ludus.game(path).start().describe()


def test_a_function_with_wrong_arguments_is_reported_with_its_line(tmp_path):
    path = tmp_path / "other.py"
    path.write_text(GAME.replace("def describe(position)", "def describe(state, position)"))
    line = 1 + GAME[: GAME.index("def describe")].count("\n")
    with pytest.raises(BadGame, match=rf"^{path}, line {line}: TypeError: describe\(\) missing 1 required positional"):
        ludus.game(str(path)).start().describe()


@pytest.mark.parametrize(
    ("command", "function"),
    [
        (["play", "random"], "start"),
        (["play", "random"], "legal"),
        (["play", "random"], "describe"),
        (["play", "random", "--second"], "action_text"),
        (["match", "random", "random"], "start"),
    ],
)
def test_a_command_reports_the_fault_without_a_traceback(broken, monkeypatch, capsys, command, function):
    path, line = broken(function)
    monkeypatch.setattr("sys.argv", ["ludus", *command, "--game", path])
    monkeypatch.setattr("sys.stdin", io.StringIO("a\n"))
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert f"ludus: {path}, line {line}: {function}() raises NameError" in capsys.readouterr().err


@pytest.mark.parametrize(("function", "what"), [("describe", "a ludus.Board"), ("action_text", "a string")])
def test_a_function_without_a_return_value_is_reported(broken, function, what):
    path, _ = broken(function, "    return\n")
    with pytest.raises(BadGame) as caught:
        USES[function](ludus.game(path))
    assert str(caught.value) == f"{path}: {function}() returns None; it must return {what}."


def test_exceptions_raised_by_ludus_pass_unchanged(monkeypatch):
    monkeypatch.delattr(tictactoe, "Board")
    with pytest.raises(NameError):
        ludus.game("tictactoe").start().describe()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("short", "'short'"),
        (
            "the words of a text that nobody wants to read in full",
            "'the words of a text that nobody wants to read in full'",
        ),
        ("word " * 20, "'word word word word word word word word word word word ...'"),
        ([1, 2, 3, 4, 5, 6, 7, 8], "[1, 2, 3, 4, 5, 6, ...]"),
        (range(12), "range(0, 12)"),
    ],
)
def test_a_long_value_is_shortened_between_words(value, text):
    assert shown(value) == text
