"""Games are loaded by name or path; a faulty file is refused with its name and line."""

import sys
from pathlib import Path

import pytest

import ludus
from ludus.errors import BadGame
from ludus.games import BUILT_IN
from ludus.games.check.run import check
from ludus.games.registry import about
from ludus.protocol.spec import setting_of

GAME = """
import ludus
from helper_of_{name} import first_cell


def start(state):
    state[0] = 0


def to_play(state):
    return int(state[0]) % 2


def legal(state, actions):
    actions[0] = first_cell()
    return 1


def play(state, action):
    state[0] += 1


def outcome(state):
    return 3 if state[0] == 2 else 0


def encode(state, planes):
    planes[0, 0, 0] = state[0]


game = ludus.Game(name="{name}", state_size=1, num_actions=2, planes=(1, 1, 1), max_actions=2, start=start,
                  to_play=to_play, legal=legal, play=play, outcome=outcome, encode=encode)
"""


def written(directory, source, name="mygame"):
    (directory / f"{name}.py").write_text(source)
    (directory / f"helper_of_{name}.py").write_text("def first_cell():\n    return 1\n")
    return str(directory / f"{name}.py")


def refusal(spec):
    with pytest.raises(BadGame) as caught:
        ludus.game(spec)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_built_in_games_are_found_by_name():
    assert {"connect4", "tictactoe", "wallgame"} <= set(BUILT_IN)
    assert ludus.game("connect4").name == "connect4"
    assert ludus.game("wallgame:classic:5x5").name == "wallgame:classic:5x5"
    assert ludus.game("connect4") is ludus.game("connect4")


def test_other_modules_of_the_package_are_not_games():
    boards = {"go": "go:5x5", "gomoku": "gomoku:7x7", "wallgame": "wallgame:classic:5x5"}
    assert all(ludus.game(boards.get(name, name)).name == boards.get(name, name) for name in BUILT_IN)


def test_a_game_file_may_import_its_neighbours(tmp_path):
    path = written(tmp_path, GAME.format(name="neighbours"), "neighbours")
    game = ludus.game(path)
    assert game.name == path  # a model stores the name, which must load the file again
    assert game.start().play(1).play(1).outcome == ludus.Outcome(winner=None, reason="")


def test_parts_after_a_path_are_passed_to_make(tmp_path):
    source = (
        GAME.format(name="parts")
        .replace("game = ", "def make(*parts):\n    return ")
        .replace("max_actions=2", "max_actions=len(parts)")
    )
    assert ludus.game(written(tmp_path, source, "parts") + ":large:blue:round").max_actions == 3


def test_an_unknown_name_lists_the_games():
    assert refusal("chekers").startswith(
        "There is no game 'chekers'; there are wallgame, chess, go, gomoku, connect4, tictactoe; or give the path"
    )


def test_unknown_parts_are_refused():
    assert refusal("tictactoe:8x7") == "tictactoe:8x7: tictactoe takes no parts after its name."
    assert refusal("wallgame:classic:2x2").startswith("wallgame:classic:2x2: ")


def test_a_missing_file_is_named_with_the_remedy(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    remedy = "run the command in the folder that the path starts from."
    assert refusal("none.py:5x5") == f"none.py: there is no such file in {tmp_path}; {remedy}"
    assert refusal(f"{tmp_path}/none.py") == f"{tmp_path}/none.py: there is no such file; check the path."


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("def legal(state, actions):", "def legal(state, actions)", ", line {line}: expected ':'."),
        ("import ludus\n", "import ludus\nimport nowhere_to_be_found\n", ", line 3: ModuleNotFoundError: No module"),
        ("import ludus\n", "import ludus\nimport sys\nsys.exit(2)\n", ", line 4: SystemExit: 2."),
        ("legal=legal, ", "", ", line {game}: Game needs 'legal'; add it."),
        ("legal=legal, ", "legal=legal, lega=1, ", ", line {game}: Game takes no 'lega'; did you mean 'legal'?"),
        ("def play(state, action)", "def play(state)", "rule play() takes 1 arguments; it must take 2 (mygame.py"),
        ("legal=legal, ", "legal=7, ", "mygame: rule legal() is 7; it must be a plain function."),
        ("game = ", "my_game = ", "the file must define `game = ludus.Game(...)` or a function `make`"),
        ("game = ", "game = 1 / 0 + ", ", line {line}: ZeroDivisionError: division by zero."),
        ("game = ", "game = undefined or ", ", line {line}: NameError: name 'undefined' is not defined."),
        ("state_size=1", 'state_size="1"', ", line {game}: mygame: state_size is '1'; it must be"),
        ("planes=(1, 1, 1)", "planes=3", ", line {game}: planes is 3; it must be three numbers (C, H, W)."),
        ("import ludus\n", "import ludus\n\0", "mygame.py: source code string cannot contain null bytes."),
    ],
)  # fmt: skip
def test_a_faulty_file_is_refused_in_one_sentence_with_the_line(tmp_path, before, after, complaint):
    source = GAME.format(name="mygame")
    assert before in source
    source = source.replace(before, after)
    line = 1 + source[: source.index(after)].count("\n")
    sentence = refusal(written(tmp_path, source))
    assert sentence.startswith(f"{tmp_path}/mygame.py")
    game = 1 + source[: source.index("ludus.Game(")].count("\n")
    assert complaint.format(line=line, game=game) in sentence


def test_an_error_that_make_raises_for_its_parts_blames_the_parts(tmp_path):
    source = GAME.format(name="making") + "\n\ndef make(size):\n    return [game][int(size)]\n"
    path = written(tmp_path, source, "making")
    assert ludus.game(path + ":0").name == path + ":0"
    assert "does not take these parts" in refusal(path + ":big")
    assert "does not take these parts" in refusal(path)


def test_a_fault_in_make_is_reported_with_its_line(tmp_path):
    source = GAME.format(name="making") + "\n\ndef make(*sizes):\n    return [game][len(sizes) + 1]\n"
    line = source.count("\n")
    path = written(tmp_path, source, "making")
    assert refusal(path) == f"{path}, line {line}: IndexError: list index out of range."
    assert refusal(path + ":3") == f"{path}, line {line}: IndexError: list index out of range."
    path = written(tmp_path, source.replace("[len(sizes) + 1]", ".sort(sizes)"), "making")
    assert refusal(path).startswith(f"{path}, line {line}: TypeError: sort() takes no positional arguments")


def test_a_part_that_make_cannot_read_is_reported_with_the_line(tmp_path):
    source = GAME.format(name="sizing") + "\n\ndef make(size):\n    return [game][int(size)]\n"
    path = written(tmp_path, source, "sizing")
    why = f"invalid literal for int() with base 10: 'big', line {source.count(chr(10))}"
    assert refusal(path + ":big") == f"{path}:big: {path} does not take these parts ({why})."
    assert f"{path}:0:1: {path} does not take these parts (make() takes 1 positional" in refusal(path + ":0:1")


def test_the_line_is_reported_for_a_relative_path(tmp_path, monkeypatch):
    written(tmp_path, "import ludus\nnonsense\n", "relative")
    monkeypatch.chdir(tmp_path)
    assert refusal("relative.py") == "relative.py, line 2: NameError: name 'nonsense' is not defined."


def neighbour(folder, name, cell, source=GAME):
    """Write a game whose only action is `cell`, imported from a neighbouring file."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.py"
    path.write_text(source.format(name="rules_of_both"))
    (folder / "helper_of_rules_of_both.py").write_text(f"def first_cell():\n    return {cell}\n")
    return str(path)


def test_files_in_two_folders_import_their_own_neighbours(tmp_path):
    whole = GAME.replace("from helper_of_{name} import first_cell", "import helper_of_{name} as beside").replace(
        "first_cell()", "beside.first_cell()"
    )
    paths = [
        neighbour(tmp_path / "one", "first", 0),
        neighbour(tmp_path / "two", "second", 1),
        neighbour(tmp_path / "two", "third", 1, whole),
    ]
    assert [ludus.game(path).start().actions for path in paths] == [[0], [1], [1]]
    assert "helper_of_rules_of_both" not in sys.modules
    assert all(not check(ludus.game(path), games=3).breach for path in paths)  # without their neighbours


def test_packages_beside_a_file_belong_to_that_file(tmp_path):
    source = GAME.replace("helper_of_{name}", "parts_of_rules.cells")
    paths = [neighbour(tmp_path / name, "mygame", 0, source) for name in ("one", "two")]
    for cell, path in enumerate(paths):
        package = Path(path).parent / "parts_of_rules"
        package.mkdir()
        (package / "__init__.py").write_text("")
        (package / "cells.py").write_text(f"def first_cell():\n    return {cell}\n")
    assert [ludus.game(path).start().actions for path in paths] == [[0], [1]]


def test_files_with_equal_names_in_two_folders_are_two_modules(tmp_path):
    games = [ludus.game(neighbour(tmp_path / name, "mygame", cell)) for cell, name in enumerate(("one", "two"))]
    one, two = [sys.modules[game.rules.legal.__module__] for game in games]
    assert one is not two
    assert [one.first_cell(), two.first_cell()] == [0, 1]


def test_make_may_import_neighbours_of_the_file(tmp_path):
    source = GAME.replace("from helper_of_{name} import first_cell\n", "").replace(
        "game = ", "def make():\n    global first_cell\n    from helper_of_{name} import first_cell\n    return "
    )
    paths = [neighbour(tmp_path / name, "mygame", cell, source) for cell, name in enumerate(("one", "two"))]
    assert [ludus.game(path).start().actions for path in paths] == [[0], [1]]


def test_a_module_from_elsewhere_stays_imported(tmp_path):
    neighbour(tmp_path, "mygame", 1, GAME.replace("import ludus\n", "import ludus\nimport this_is_elsewhere\n"))
    elsewhere = tmp_path / "site-packages"
    elsewhere.mkdir()
    (elsewhere / "this_is_elsewhere.py").write_text("")
    sys.path.append(str(elsewhere))
    try:
        ludus.game(f"{tmp_path}/mygame.py")
        assert "this_is_elsewhere" in sys.modules
    finally:
        sys.path.remove(str(elsewhere))
        sys.modules.pop("this_is_elsewhere", None)


def test_a_file_is_read_again_after_an_error(tmp_path):
    path = written(tmp_path, "import ludus\nnonsense\n")
    refusal(path)
    written(tmp_path, GAME.format(name="mygame"))
    assert ludus.game(path).num_actions == 2


def test_asking_about_a_file_does_not_run_it(tmp_path):
    path = tmp_path / "evil.py"
    path.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    assert about(f"{path}:5x5").title == "Evil"
    assert setting_of(f"{path}:5x5").width == 5
    assert not (tmp_path / "ran").exists()


def test_a_game_file_describes_itself_once_it_is_loaded(tmp_path):
    source = GAME.format(name="own_game") + "\nabout = ludus.About(title='My Own')\n"
    path = written(tmp_path, f'"""Three in a line\nwin.  More text."""\n{source}', "own_game")
    ludus.game(path)
    assert (about(path).title, about(path).aim) == ("My Own", "Three in a line win.")


def test_the_aim_does_not_repeat_the_title(tmp_path):
    path = written(tmp_path, f'"""Own game: three in a line win."""\n{GAME.format(name="own_game")}', "own_game")
    ludus.game(path)
    assert (about(path).title, about(path).aim) == ("Own game", "Three in a line win.")


def test_the_same_relative_path_in_another_folder_is_another_game(tmp_path, monkeypatch):
    for folder, title in ((tmp_path / "a", "A"), (tmp_path / "b", "B")):
        folder.mkdir()
        written(folder, GAME.format(name="same") + f"\nabout = ludus.About(title={title!r})\n", "same")
        monkeypatch.chdir(folder)
        ludus.game("same.py")
        assert about("same.py").title == title
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadGame, match="there is no such file"):
        ludus.game("same.py")
