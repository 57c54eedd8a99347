"""The match runners for GTP and Gomocup: pairs of games, records that continue, and blame for protocol errors."""

import importlib
import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import NamedTuple

import pytest

from ludus.lines import whole_lines

ROOT = Path(__file__).parents[2]

GO_PLAYER = """
import sys
kind, black, white = sys.argv[1], "A1 B2 C3 D4".split(), "A9 B8 C7 D6".split()
for line in sys.stdin:
    words = line.split()
    answer = ""
    if words[0] == "clear_board":
        left = {"black": list(black), "white": list(white)}
    elif words[0] == "final_score":
        answer = "W+7.0"
    elif words[0] == "genmove":
        moves = left[words[1]]
        answer = moves.pop(0) if moves else "pass"
        if len(moves) == 2 and kind == "dies":
            sys.exit()
        if len(moves) == 2 and kind == "errs":
            answer = "A1" if answer.startswith("B") else answer
        if len(moves) == 1 and kind == "resigns":
            answer = "resign"
        if kind == "finishes":
            answer = "pass"
    elif words[0] == "play" and kind == "refuses" and words[2] in ("C3", "C7"):
        print("? illegal move\\n", flush=True)
        continue
    print("= " + answer + "\\n", flush=True)
    if words[0] == "quit":
        sys.exit()
"""

GOMOKU_PLAYER = """
import sys
kind, size, taken, own = sys.argv[1], 0, set(), 0
def move():
    global own
    point = next((x, y) for x in range(size) for y in range(size) if (x, y) not in taken)
    own += 1
    if kind == "silent":
        return
    if kind == "errs" and own == 2:
        point = min(taken)
    if kind == "unknown" and own == 2:
        print("UNKNOWN", flush=True)
        return
    taken.add(point)
    print("MESSAGE thinking", flush=True)
    print("%d,%d" % point, flush=True)
lines = (line.strip() for line in sys.stdin)
for line in lines:
    command, _, rest = line.partition(" ")
    if command == "START":
        size, taken, own = int(rest), set(), 0
        print("ERROR size" if kind == "refuses" else "OK", flush=True)
    elif command == "ABOUT" and kind != "silent":
        print('name="player"', flush=True)
    elif command == "BEGIN":
        move()
    elif command == "TURN":
        taken.add(tuple(map(int, rest.split(","))))
        move()
    elif command == "BOARD":
        while (stone := next(lines)) != "DONE":
            taken.add(tuple(map(int, stone.split(",")[:2])))
        move()
    elif command == "END":
        sys.exit()
"""


@pytest.fixture(scope="module")
def tools():
    sys.path.insert(0, str(ROOT / "tools"))
    yield {name: importlib.import_module(name) for name in ("twogtp", "gomocup_match")}
    sys.path.remove(str(ROOT / "tools"))


class Runner(NamedTuple):
    """A match runner with a small game and the program that speaks its protocol."""

    main: Callable[[list[str]], int]
    usual: list[str]
    program: Path

    def player(self, kind: str) -> str:
        return f"{sys.executable} {self.program} {kind}"

    def match(self, *arguments: object, of: tuple[str, str] = ("plays", "plays")) -> int:
        """Return the exit status of a match between two kinds of players."""
        return self.main([*self.usual, *map(str, arguments), *map(self.player, of)])


@pytest.fixture
def go(tools, tmp_path):
    program = tmp_path / "go_player.py"
    program.write_text(GO_PLAYER)
    return Runner(tools["twogtp"].main, ["--komi", "7", "--opening", "2"], program)


@pytest.fixture
def gomoku(tools, tmp_path):
    program = tmp_path / "gomoku_player.py"
    program.write_text(GOMOKU_PLAYER)
    return Runner(tools["gomocup_match"].main, ["--size", "6"], program)


@pytest.fixture
def record(tmp_path):
    return tmp_path / "match.jsonl"


def found(capsys):
    return json.loads(capsys.readouterr().out.splitlines()[-1])


@pytest.mark.parametrize("content", ["my notes", "my notes\n", '{"a":"one"}\n'])
def test_a_file_that_is_no_record_is_left_alone(go, tmp_path, capsys, content):
    notes = tmp_path / "notes.txt"
    notes.write_text(content)
    assert go.match("--games", 1, "--record", notes) == 2
    assert "name another file" in capsys.readouterr().err
    assert notes.read_text() == content


def test_a_record_that_another_process_begins_at_the_same_moment_is_begun_once(tools, tmp_path):
    match_record = sys.modules["match_record"]
    conditions = match_record.Conditions(("one", "two"), "go:9x9", 0, 0)
    gate = Barrier(8)

    def begin(number):
        gate.wait()
        record = match_record.Record(tmp_path / "match.jsonl", conditions)
        record.add(match_record.PlayedGame(number, 0, [], [], 1.0, "B+R", 0.1))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(begin, range(8)))
    kept = match_record.Record(tmp_path / "match.jsonl", conditions)
    assert sorted(kept.games) == list(range(8))


def test_a_folder_is_no_record(go, tmp_path, capsys):
    assert go.match("--games", 1, "--record", tmp_path) == 2
    assert "cannot be a record" in capsys.readouterr().err


def games_of(record):
    return [json.loads(line) for line in whole_lines(record)[1:]]


def test_two_programs_play_pairs_of_games_and_a_judge_is_heard(go, record, tmp_path, capsys):
    judge = go.player("plays")
    assert go.match("--games", 2, "--record", record, "--judge", judge, "--sgf", tmp_path / "sgf") == 0
    summary, games = found(capsys), games_of(record)
    assert (summary["games"], summary["pairs"], summary["protocol_errors"]) == (2, 1, [0, 0])
    assert (summary["judged"], summary["other_winner"], summary["other_margin"]) == (2, 0, 0)
    assert games[0]["opening"] == games[1]["opening"]
    assert [(game["first"], game["result"], game["points"]) for game in games] == [(0, "W+7", 0.0), (1, "W+7", 1.0)]
    assert len(list((tmp_path / "sgf").iterdir())) == 2


def test_a_match_that_was_interrupted_goes_on_with_the_games_that_are_missing(go, record, capsys):
    assert go.match("--games", 3, "--record", record) == 0
    whole = record.read_bytes()
    record.write_bytes(whole[:-20])  # torn while the third game was written
    capsys.readouterr()
    assert go.match("--games", 4, "--record", record) == 0
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()[:-1]] == ["game 3", "game 4"]
    assert [game["number"] for game in games_of(record)] == [0, 1, 2, 3]
    assert record.read_bytes().startswith(b"".join(whole.splitlines(keepends=True)[:3]))
    assert go.match("--games", 0, "--record", record) == 0
    assert found(capsys)["games"] == 4


def test_a_record_of_another_match_or_kind_is_refused(go, record, capsys):
    go.match("--games", 0, "--record", record)
    assert go.match("--games", 0, "--seed", 1, "--record", record) == 2
    assert "contains a match of" in capsys.readouterr().err
    record.write_text("nonsense\n")
    assert go.match("--games", 0, "--record", record) == 2
    assert "this is not a record; name another file" in capsys.readouterr().err


def test_rules_that_do_not_exist_are_refused_in_a_sentence(go, capsys):
    assert go.match("--games", 1, "--rules", "checkers") == 2
    assert "unknown option 'checkers'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("runner", "kind", "says"),
    [
        ("go", "dies", "ended at 'genmove"),
        ("go", "errs", "plays 'A1'"),
        ("go", "refuses", "is answered by '? illegal move'"),
        ("gomoku", "errs", "plays 0,0"),
        ("gomoku", "unknown", "is answered by 'UNKNOWN'"),
        ("gomoku", "refuses", "START is answered by 'ERROR size'"),
    ],
)
def test_a_program_with_a_protocol_error_loses_and_the_match_continues(go, gomoku, record, capsys, runner, kind, says):
    runner = {"go": go, "gomoku": gomoku}[runner]
    assert runner.match("--games", 2, "--record", record, of=("plays", kind)) == 1
    assert found(capsys)["protocol_errors"] == [0, 2]
    games = games_of(record)
    assert [(game["fault_of"], game["points"], game["result"]) for game in games] == [(1, 1.0, "B+F"), (1, 1.0, "W+F")]
    assert all(says in game["fault"] for game in games)


def test_a_resignation_is_not_judged(go, capsys):
    assert go.match("--games", 2, "--judge", go.player("plays"), of=("plays", "resigns")) == 0
    summary = found(capsys)
    assert (summary["wins"], summary["losses"], summary["judged"], summary["protocol_errors"]) == (2, 0, 0, [0, 0])


def test_a_finisher_plays_resigned_games_to_the_end(go, record, capsys):
    finisher = go.player("finishes")
    assert go.match("--games", 2, "--record", record, "--finish", finisher, of=("plays", "resigns")) == 0
    assert found(capsys)["finish"] == finisher
    games = games_of(record)
    assert [game["result"] for game in games] == ["W+6", "W+7"]  # White resigned the first game but wins its count
    assert [game["points"] for game in games] == [0.0, 1.0]
    assert all(game["moves"][-2:] == ["pass", "pass"] for game in games)
    assert go.match("--games", 2, "--record", record, of=("plays", "resigns")) == 2
    assert "contains a match of" in capsys.readouterr().err


def test_a_finisher_that_errs_ends_the_match_and_nobody_loses(go, record, capsys):
    assert go.match("--games", 2, "--record", record, "--finish", go.player("plays"), of=("plays", "resigns")) == 2
    assert "plays 'A9': A9 may not be played here" in capsys.readouterr().err
    assert games_of(record) == []


def test_a_program_that_is_not_there_is_named(go, tmp_path, capsys):
    assert go.main([*go.usual, "--games", "1", str(tmp_path / "nobody"), go.player("plays")]) == 1
    assert "cannot be started" in capsys.readouterr().out


def test_gomoku_programs_play_pairs_from_equal_openings(gomoku, record, capsys):
    assert gomoku.match("--games", 2, "--opening", 2, "--record", record) == 0
    summary, games = found(capsys), games_of(record)
    assert (summary["games"], summary["protocol_errors"]) == (2, [0, 0])
    assert summary["wins"] + summary["losses"] + summary["draws"] == 2
    assert games[0]["opening"] == games[1]["opening"]
    assert games[0]["moves"] == games[1]["moves"]  # the same program on both sides
    assert games[0]["points"] == 1.0 - games[1]["points"]


def test_an_engine_that_never_answers_is_given_up(tools, gomoku, capsys, monkeypatch):
    monkeypatch.setattr(tools["gomocup_match"], "GRACE_S", 0.2)
    monkeypatch.setattr(tools["gomocup_match"], "ABOUT_S", 0.2)
    assert gomoku.match("--games", 1, "--turn", 300, of=("silent", "plays")) == 1  # the silent program moves first
    assert "error of program 1: does not answer 'BEGIN'" in capsys.readouterr().out


def test_the_packaged_opponent_is_spoken_to_through_its_bridge(gomoku, tmp_path, capsys):
    """Use a stand-in for the package, which need not be installed."""
    package = tmp_path / "gomoku"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "board.py").write_text(
        "class Board:\n"
        "    EMPTY, BLACK, WHITE, SIZE = 0, 1, 2, 20\n"
        "    def __init__(self):\n"
        "        self.board = [[0] * self.SIZE for _ in range(self.SIZE)]\n"
        "    def place_stone(self, row, column, player):\n"
        "        assert self.board[row][column] == 0\n"
        "        self.board[row][column] = player\n"
    )
    (package / "ai.py").write_text(
        "class GomokuAI:\n"
        "    def __init__(self, level):\n"
        "        pass\n"
        "    def get_move(self, board, player):\n"
        "        size = board.SIZE\n"
        "        return next((r, c) for r in range(size) for c in range(size) if board.board[r][c] == 0)\n"
    )
    bridge = f"env PYTHONPATH={tmp_path} {sys.executable} {ROOT / 'tools/pbrain_gomoku_terminal.py'} medium"
    assert gomoku.main([*gomoku.usual, "--games", "2", "--opening", "2", bridge, bridge]) == 0
    assert found(capsys)["protocol_errors"] == [0, 0]
