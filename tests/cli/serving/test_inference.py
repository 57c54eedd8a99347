"""`ludus inference` and the engines that use it, as processes; errors are single messages."""

import json
import os
import signal
import socket
import subprocess
import sys

import pytest
from tests.inference.conftest import Process
from typer.testing import CliRunner

from ludus.cli.app import app
from ludus.errors import BadInput, BadModel, Unavailable
from ludus.inference.server import serve_until_signalled

MODEL = "models/connect4"
LUDUS = [sys.executable, "-m", "ludus"]
CONNECT4 = {"variant": "standard", "boardWidth": 7, "boardHeight": 6, "game": "connect4"}
QUESTIONS = [
    {"type": "start_game_session", "bgsId": "A", "botId": "b", "config": CONNECT4},
    {"type": "evaluate_position", "bgsId": "A", "expectedPly": 0},
]


@pytest.fixture
def address():
    server = Process(MODEL)
    yield server.address
    server.signal(signal.SIGTERM)
    assert server.process.wait(300) == 0
    server.end()


def answers(*options, **environment):
    asked = "".join(json.dumps(question) + "\n" for question in QUESTIONS)
    command = [*LUDUS, "engine", "bgs", "--model", MODEL, "--visits", "50", *options]
    done = subprocess.run(
        command, input=asked, capture_output=True, text=True, timeout=600, check=True, env=os.environ | environment
    )
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def test_an_engine_uses_the_given_inference_server(address):
    alone, _ = answers()
    assert [each["success"] for each in alone] == [True] * 2
    for found, log in (answers("--inference", address), answers(LUDUS_INFERENCE=address)):
        assert [each.get("bestMove") for each in found] == [each.get("bestMove") for each in alone]
        assert found[1]["evaluation"] == pytest.approx(alone[1]["evaluation"], abs=1e-3)
        assert "not used" not in log


def test_an_engine_plays_and_warns_if_no_server_responds():
    found, log = answers("--inference", "127.0.0.1:9")
    assert [each["success"] for each in found] == [True] * 2
    assert "the inference server 127.0.0.1:9 is not used: no server responds at this address" in log


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        (["inference", "nowhere"], BadModel, "there is no model here"),
        (["inference", MODEL, MODEL], BadInput, "is already served"),
        (["inference", MODEL, "--device", "abacus"], BadInput, "There is no backend 'abacus'"),
        (["engine", "gtp", "--model", "models/go-9x9", "--inference", "gpu1"], BadInput, "not the address"),
        (["export", "nowhere", "repository"], BadModel, "there is no model here"),
    ],
)
def test_an_impossible_command_gives_one_error_message(arguments, error, said):
    refused = CliRunner().invoke(app, arguments)
    assert isinstance(refused.exception, error)
    assert said in str(refused.exception)


def test_a_port_in_use_gives_one_error_message():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        refused = CliRunner().invoke(app, ["inference", MODEL, "--device", "openvino", "--port", port])
    assert isinstance(refused.exception, Unavailable)
    assert f"Cannot listen at 127.0.0.1:{port}" in str(refused.exception)


def test_a_second_ctrl_c_ends_the_server(monkeypatch):
    async def ended_at_once(*_arguments, **_options):
        pass

    monkeypatch.setattr("ludus.inference.server.serve", ended_at_once)
    before = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM)]
    try:
        serve_until_signalled({}, "127.0.0.1", 0, print)
        with pytest.raises(KeyboardInterrupt):  # and not an error about the closed event loop
            signal.raise_signal(signal.SIGINT)
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def test_without_the_extra_the_remedy_is_named():
    hidden = "import sys; sys.modules['tritonclient.grpc.service_pb2'] = None; from ludus.cli import main; main()"
    for arguments in (["inference", MODEL], ["engine", "analysis", "--model", MODEL, "--inference", "a:1"]):
        done = subprocess.run([sys.executable, "-c", hidden, *arguments], capture_output=True, text=True, timeout=300)
        assert done.returncode != 0
        assert "pip install 'ludus[inference]'" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_model_is_laid_out_for_other_servers(tmp_path):
    done = CliRunner().invoke(app, ["export", MODEL, str(tmp_path)])
    assert done.exit_code == 0
    (folder,) = tmp_path.iterdir()
    assert f"the server will load it as {folder.name}." in done.stdout
    assert sorted(path.name for path in folder.rglob("*")) == ["1", "config.pbtxt", "model.bin", "model.xml"]
