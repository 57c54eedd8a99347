"""`ludus engine` as a process: for any input, standard output contains only answers."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludus.cli.app import app

TALKATIVE = """
import os
import sys

import ludus
from ludus.games import tictactoe

print("a library that is proud of itself")
sys.stdout.flush()
os.write(1, b"and one written in C\\n")
game = tictactoe.game
"""
DUMMY = [sys.executable, "-m", "ludus", "engine", "dummy"]
CONNECT4 = {"variant": "standard", "boardWidth": 7, "boardHeight": 6, "game": "connect4"}
START = {"type": "start_game_session", "bgsId": "A", "botId": "b", "config": CONNECT4}
EVALUATE = {"type": "evaluate_position", "bgsId": "A", "expectedPly": 0}


def told(lines, *options):
    done = subprocess.run([*DUMMY, *options], input=lines, capture_output=True, timeout=300, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


def lines(*questions):
    return b"".join(json.dumps(question).encode() + b"\n" for question in questions)


def test_output_of_a_game_goes_to_standard_error(tmp_path):
    game = tmp_path / "talkative.py"
    game.write_text(TALKATIVE)
    config = {"variant": "standard", "boardWidth": 3, "boardHeight": 3, "game": "talkative"}
    answers, log = told(lines(START | {"config": config}, EVALUATE), "--game", str(game))
    assert [answer["success"] for answer in answers] == [True, True]
    assert "proud of itself" in log
    assert "written in C" in log


@pytest.mark.parametrize("seed", range(3))
def test_random_bytes_only_produce_a_line_in_the_log(seed):
    luck = random.Random(seed)
    noise = []
    for _ in range(60):
        line = bytearray(lines(luck.choice([START, EVALUATE])).strip())
        for _ in range(luck.randrange(1, 9)):
            line[luck.randrange(len(line))] = luck.randrange(256)
        noise.append(bytes(line).replace(b"\n", b" ") + luck.choice([b"\n", b"\r\n", b" \n"]))
    noise += [luck.randbytes(400) + b"\n", b"\n", b"\r\n", b"x" * 200_000 + b"\n", b"\x00" * 10 + b"\n"]
    answers, _ = told(b"".join(noise) + lines(START, EVALUATE | {"bgsId": "A"}), "--game", "connect4")
    assert {"success", "error", "bgsId", "type"} <= set.intersection(*(set(answer) for answer in answers))
    assert [answer["success"] for answer in answers[-2:]] == [True, True]


def test_windows_line_ends_and_a_missing_last_one_are_read():
    text = lines(START).replace(b"\n", b"\r\n") + lines(EVALUATE).strip()
    assert len(told(text, "--game", "connect4")[0]) == 2


def test_compilation_is_announced_on_standard_error_only():
    program = """
from ludus.cli.engine.answers import answers_only
from ludus.kernel import compiler

with answers_only(), compiler._announce("a search for chess"):
    pass
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=300, check=True, text=True)
    assert done.stdout == ""
    assert done.stderr == "compiling a search for chess for this machine (once) ...\n"


def test_more_sessions_than_allowed_are_refused():
    questions = [START | {"bgsId": str(number)} for number in range(3)]
    answers, _ = told(lines(*questions), "--game", "connect4", "--sessions", "2")
    assert [answer["success"] for answer in answers] == [True, True, False]


@pytest.mark.parametrize("signal_", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_without_a_traceback(signal_):
    engine = subprocess.Popen(
        [*DUMMY, "--game", "connect4"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    engine.stdin.write(lines(START))
    engine.stdin.flush()
    assert json.loads(engine.stdout.readline())["success"]
    os.kill(engine.pid, signal_)
    out, log = engine.communicate(timeout=300)
    assert engine.returncode == 0
    assert out == b""
    assert b"Traceback" not in log


def test_a_reader_that_is_gone_ends_it_without_a_traceback():
    engine = subprocess.Popen(
        [*DUMMY, "--game", "connect4"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    engine.stdout.close()
    _, log = engine.communicate(lines(*[START] * 50), timeout=300)
    assert b"Traceback" not in log


def test_a_model_answers_with_the_strength_of_its_bot():
    model = str(Path(__file__).parents[2] / "models/connect4")
    command = [sys.executable, "-m", "ludus", "engine", "bgs", "--model", model, "--level", "b=30,seconds:60"]
    questions = [START, EVALUATE, {"type": "apply_move", "bgsId": "A", "expectedPly": 0, "move": "4"}]
    questions.append(EVALUATE | {"expectedPly": 1})
    done = subprocess.run(command, input=lines(*questions), capture_output=True, timeout=300, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["success"] for answer in answers] == [True] * 4
    assert answers[1]["bestMove"] in "1234567"
    assert answers[3]["ply"] == 1


def test_a_game_is_played_without_a_network_by_its_heuristic():
    command = [sys.executable, "-m", "ludus", "engine", "bgs", "--sense", "tictactoe", "--visits", "400"]
    config = {"variant": "standard", "boardWidth": 3, "boardHeight": 3, "game": "tictactoe"}
    questions = [START | {"config": config}]
    for ply, move in enumerate(["a3", "b2", "b3"]):
        questions.append({"type": "apply_move", "bgsId": "A", "expectedPly": ply, "move": move})
    questions.append(EVALUATE | {"expectedPly": 3})
    done = subprocess.run(command, input=lines(*questions), capture_output=True, timeout=300, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["success"] for answer in answers] == [True] * 5
    assert answers[-1]["bestMove"] == "c3", "or three crosses stand in a row"


def test_an_engine_without_a_player_is_rejected():
    done = subprocess.run(
        [sys.executable, "-m", "ludus", "engine", "bgs"], capture_output=True, timeout=300, check=False
    )
    assert done.returncode != 0
    assert b"--sense GAME" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(("engine", "last"), [("gtp", b"quit\n"), ("gomocup", b"END\n"), ("analysis", signal.SIGTERM)])
def test_quit_ends_an_engine_although_its_input_stays_open(engine, last):
    command = [sys.executable, "-m", "ludus", "engine", engine]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write({"gtp": b"name\n", "gomocup": b"ABOUT\n", "analysis": b"{}\n"}[engine])
        process.stdin.flush()
        assert process.stdout.readline()
        if isinstance(last, bytes):
            process.stdin.write(last)
            process.stdin.flush()
        else:
            process.send_signal(last)
        assert process.wait(timeout=300) == 0
        assert b"Fatal" not in process.stderr.read()


def test_a_go_engine_begins_on_the_largest_board_that_its_model_plays():
    model = Path(__file__).parents[2] / "models" / "go-9x9"
    command = [sys.executable, "-m", "ludus", "engine", "gtp", "--model", model, "--rules", "aga:bonus=n"]
    asked = b"query_boardsize\nboardsize 19\nfixed_handicap 2\nquit\n"
    done = subprocess.run(command, input=asked, capture_output=True, timeout=300, check=True)
    assert done.stdout.decode().split("\n\n")[:3] == ["= 9", "? unacceptable size", "= G7 C3"]


def test_the_analysis_engine_tells_when_it_is_ready_in_the_words_of_katago():
    command = [sys.executable, "-m", "ludus", "engine", "analysis"]
    asked = b'{"id": "v", "action": "query_version"}\n'
    done = subprocess.run(command, input=asked, capture_output=True, timeout=300, check=True)
    assert b"Started, ready to begin handling requests" in done.stderr
    assert b'"version":' in done.stdout


def test_compilation_and_logs_of_a_gomocup_engine_are_protocol_messages():
    """Gomoku managers use one pipe for both streams, so all output must follow the protocol."""
    program = """
import logging
from ludus.cli.engine.answers import answers_only
from ludus.kernel import compiler
from ludus.games.gomoku.engines.gomocup.protocol import message

with answers_only(message) as answers:
    with compiler._announce("collect for gomoku:15x15"):
        answers.write(b"OK\\n")
    try:
        raise MemoryError("no room")
    except MemoryError:
        logging.exception("A search failed.")
logging.error("Nobody reads this.")
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    assert done.stdout.splitlines() == [
        "MESSAGE compiling collect for gomoku:15x15 for this machine (once) ...",
        "OK",
        "MESSAGE A search failed. MemoryError('no room')",
    ]


@pytest.mark.parametrize("option", ["--visits=0", "--temperature=-1", "--seconds=0"])
def test_a_number_out_of_range_is_reported_with_its_option(option):
    result = CliRunner().invoke(app, ["engine", "bgs", "--sense", "tictactoe", option])
    assert result.exit_code == 2
    assert option.partition("=")[0] in result.output
    assert "Level" not in result.output
