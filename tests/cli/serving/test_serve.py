"""`ludus serve`: one command starts site, bots and engines, and one Ctrl-C stops all of them."""

import asyncio
import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console
from typer.testing import CliRunner

from ludus.bot.levels import PERSONAS
from ludus.bot.process import EngineProcess
from ludus.cli.app import app
from ludus.cli.serving.bot import _Fitted, bot
from ludus.cli.serving.serve import serve
from ludus.errors import BadGame, BadInput, BadModel, LudusError, Unavailable
from ludus.network.checkpoint import save_checkpoint
from ludus.site.database.claim import claim_file
from ludus.site.runner import listen

BREAKTHROUGH = Path(__file__).parents[3] / "examples" / "breakthrough.py"


def descendants(pid):
    """Return the descendant processes of a process."""
    table = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in table.splitlines()]
    found, parents = set(), {pid}
    while parents:
        parents = {child for child, parent in pairs if parent in parents}
        found |= parents
    return found


def is_running(pid):
    """Return whether a process is running; a zombie is not."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return bool(state) and not state.startswith("Z")


@contextlib.contextmanager
def serving(command):
    """Run a site until the test ends it; a failing test does not wait for its end."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "kill -9"])
def test_site_bots_and_engines_start_and_stop_together(how, tmp_path):
    command = [sys.executable, "-m", "ludus", "serve", "--dummy", "--port", "0", "--data", str(tmp_path)]
    command.append("--engine-processes=2")
    with serving(command) as process:
        address = next(line.split()[3] for line in process.stdout if line.startswith("Ludus is at http://"))
        assert next(process.stdout) == "All 2 bots are ready.\n"
        with urllib.request.urlopen(f"{address}/healthz") as answer:
            assert b'"status":"ok","bot":' in answer.read(), "one of them was asked"
        while len(started := descendants(process.pid)) < 3:  # the bots' client and two engines
            time.sleep(0.1)
        process.send_signal(how)
        assert process.wait(timeout=300) == (0 if how is signal.SIGINT else -9)
        last = process.stdout.read()  # the children hold its other end until they have ended
        assert how is signal.SIGKILL or last.endswith(": 0 unfinished games will go on; 2 bots were connected.\n")
    deadline = time.monotonic() + 300.0  # descendants of a killed process notice it with a delay
    while alive := [pid for pid in started if is_running(pid)]:
        assert time.monotonic() < deadline, alive
        time.sleep(0.1)


@pytest.mark.full
def test_a_game_that_has_no_model_is_played_by_its_heuristic(tmp_path):
    command = [sys.executable, "-m", "ludus", "serve", "--dummy", "--port", "0", "--data", str(tmp_path)]
    command += ["--game", str(BREAKTHROUGH)] * 2
    with serving(command) as process:
        address = next(line.split()[3] for line in process.stdout if line.startswith("Ludus is at http://"))
        assert "All 8 bots are ready.\n" in process.stdout
        with urllib.request.urlopen(f"{address}/api/bots/recommended?game=breakthrough") as answer:
            offered = [each["bot"]["level"] for each in json.load(answer)["bots"]]
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=300) == 0
    assert sorted(offered) == sorted(persona.label for persona in PERSONAS)


def test_an_unreadable_game_is_reported_before_anything_starts(tmp_path):
    with pytest.raises(BadGame, match=r"nowhere\.py"):
        serve(game=[str(tmp_path / "nowhere.py")], models=tmp_path)
    with pytest.raises(BadInput, match="the name is not valid UTF-8; rename the file"):
        serve(game=[os.fsdecode(b"\xff.py")], models=tmp_path)


NAMED = "\n\ndef make(part='7x7'):\n    return game\n"  # for any value of `part`, the board is drawn with six rows


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        (
            "7x7",
            r"its name says 7 columns and 7 rows, but describe\(\) draws 6 and 6, .*; write that part .*such as 7-7",
        ),
        ("Fast", r"the page would not list it: names must have the form .*VARIANT.*in small letters"),
    ],
)
def test_a_game_that_the_page_would_not_list_is_reported_before_anything_starts(part, sentence, tmp_path):
    path = tmp_path / "mygame.py"
    path.write_text(BREAKTHROUGH.read_text() + NAMED)
    with pytest.raises(BadInput, match=rf"^--game {path}:{part}: {sentence}"):
        serve(game=[f"{path}:{part}"], models=tmp_path, data=tmp_path)


def test_a_model_whose_game_the_page_would_not_list_is_reported_and_skipped(tmp_path, flat_model, capsys):
    path = tmp_path / "mygame.py"
    path.write_text(BREAKTHROUGH.read_text() + NAMED)
    for name, spec in (("odd", f"{path}:7x7"), ("tiny", "tictactoe")):
        (tmp_path / name).mkdir()
        save_checkpoint(tmp_path / name / "model.safetensors", flat_model(spec))
    with pytest.raises(Unavailable, match="Cannot listen"):  # the next error is reported
        serve(models=tmp_path, data=tmp_path, host="192.0.2.77")
    told = capsys.readouterr().err
    assert told.startswith(f"--models {tmp_path}: {path}:7x7: its name says 7 columns")
    assert told.count("--models") == 1


@pytest.mark.parametrize("spec", ["mygame.py", "mygame.py:6x6", "mygame.py:fast", "wallgame:classic:5x5:ways"])
def test_games_that_the_page_lists_are_not_refused(spec, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mygame.py").write_text(BREAKTHROUGH.read_text() + NAMED)
    with pytest.raises(Unavailable, match="Cannot listen"):  # the next error is reported
        serve(game=[spec], models=tmp_path, data=tmp_path, host="192.0.2.77")


def test_a_port_in_use_is_reported_before_anything_starts():
    with listen("127.0.0.1", 0) as taken, pytest.raises(Unavailable, match="is in use; choose another with --port"):
        serve(port=taken.getsockname()[1], no_bots=True)


@pytest.mark.parametrize("content", [b"no database at all", None], ids=["damaged", "taken"])
def test_an_unusable_database_gives_one_error_message(content, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("ludus.site.database.claim.PATIENCE_S", 0.0)
    file = tmp_path / "site.sqlite3"
    release = claim_file(file) if content is None else None
    if content:
        file.write_bytes(content)
    said = "another Ludus site is using this database" if release else "cannot be used: file is not a database"
    with pytest.raises(Unavailable, match=said):
        serve(data=tmp_path, port=0, no_bots=True)
    if release:
        release()
    told = capsys.readouterr()
    assert "Ludus is at" not in told.out
    assert "Traceback" not in told.err


def test_a_folder_without_models_is_reported_before_anything_starts(tmp_path):
    with pytest.raises(BadModel, match="there are no models here"):
        serve(models=tmp_path)


@pytest.mark.parametrize("days", ["-1", "nan", "inf", "1e300", "999999", "3651"])
def test_days_after_which_no_game_could_be_abandoned_are_refused(days, tmp_path):
    # on an address that no machine has, so that nothing is served
    command = ["serve", "--no-bots", "--host", "203.0.113.1", "--data", str(tmp_path), "--abandoned-days", days]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 2
    assert "Invalid value for '--abandoned-days'" in result.output


def test_folder_names_that_are_not_utf8_are_rejected(tmp_path, flat_model):
    folder = tmp_path / os.fsdecode(b"m\xff")
    with pytest.raises(BadInput, match="the name is not valid UTF-8; rename the folder"):
        serve(evaluations=folder, append=True)
    assert not folder.exists()
    save_checkpoint(folder / "tiny" / "model.safetensors", flat_model("tictactoe"))
    with pytest.raises(BadInput, match="the name is not valid UTF-8; rename the folder"):
        serve(models=folder)


def test_a_file_in_place_of_the_evaluations_folder_is_reported_before_anything_starts(tmp_path):
    file = tmp_path / "file"
    file.touch()
    for folder in (file, file / "below"):
        with pytest.raises(Unavailable, match=r"cannot be created .*; choose another folder with --evaluations"):
            serve(append=True, evaluations=folder, data=tmp_path)


def test_a_missing_evaluations_folder_is_reported_without_append(tmp_path, flat_model):
    file = tmp_path / "book.ev"
    file.touch()
    for given, sentence in ((file, "is a file; give its folder"), (tmp_path / "none", "create it with --append")):
        with pytest.raises(BadInput, match=f"--evaluations .*{sentence}"):
            serve(evaluations=given, data=tmp_path, host="192.0.2.77")
    models = tmp_path / "models"
    save_checkpoint(models / "tiny" / "model.safetensors", flat_model("tictactoe"))
    with pytest.raises(Unavailable, match="Cannot listen"):  # a folder is accepted: the next error is reported
        serve(evaluations=tmp_path, models=models, data=tmp_path, host="192.0.2.77")


def test_an_engine_does_not_detect_the_terminal_of_its_parent():
    source = (
        "import io\nfrom rich.console import Console\nfile = io.StringIO()\nfile.isatty = lambda: True\n"
        "raise SystemExit(7 if Console(file=file).is_terminal else 8)"
    )
    assert subprocess.run([sys.executable, "-c", source], env={**os.environ, "TTY_COMPATIBLE": ""}).returncode == 7
    decided = asyncio.Event()
    engine = EngineProcess([sys.executable, "-c", source], [], decided.set)

    async def start():
        running = asyncio.create_task(engine.run())
        async with asyncio.timeout(240):
            while not engine.fault:
                await asyncio.sleep(0.05)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(start())
    assert engine.fault == "it ended with status 8"


def test_lines_of_a_bot_client_break_no_word_on_a_terminal(monkeypatch):
    record = logging.LogRecord("ludus", logging.INFO, "", 0, "attached: %s", (" ".join(["sense-wallgame"] * 9),), None)
    formatter = _Fitted("ludus bot: %(message)s")
    for terminal, lines in ((True, 2), (False, 1)):
        monkeypatch.setattr("ludus.cli.serving.bot.console", Console(force_terminal=terminal, width=80))
        said = formatter.format(record).split("\n")
        assert len(said) == lines
        assert " ".join(said).split().count("sense-wallgame") == 9


def test_a_bots_file_without_a_server_is_rejected(tmp_path):
    path = tmp_path / "bots.toml"
    path.write_text(
        "[[bots]]\nbotId = 'a'\nname = 'A'\ngame = 'connect4'\nengine = 'x'\n[bots.variants.standard]\n"
        "boardWidth = {min = 7, max = 7}\nboardHeight = {min = 6, max = 6}\n"
        "recommended = [{boardWidth = 7, boardHeight = 6}]\n"
    )
    with pytest.raises(BadInput, match=r'no server is given; write server = "ws://HOST:PORT", or give --server'):
        bot(config=path)


def test_a_bot_client_brings_the_bots_of_a_folder_of_models(monkeypatch):
    brought = []
    monkeypatch.setattr("ludus.bot.client.BotClient", lambda file, *_where, **_more: brought.append(file))
    monkeypatch.setattr("ludus.cli.serving.bot.asyncio.run", lambda serving: serving.close())
    for folder in (None, Path(__file__).parents[3] / "models"):
        bot(models=folder, server="ws://127.0.0.1:1", official_token="a" * 16)
    file, same = brought
    assert file == same
    names = {each.bot_id for each in file.bots}
    assert {"chess-strong", "sense-more-tictactoe-strong"} <= names, "networks, and games without one"
    assert file.official_token == "a" * 16


def test_a_bot_client_has_a_file_or_a_folder_of_models():
    with pytest.raises(BadInput, match="leave one of them out"):
        bot(config=Path("bots.toml"), models=Path("models"))
    with pytest.raises(BadInput, match="no server is given"):
        bot()


@pytest.fixture
def settings_of(tmp_path, monkeypatch):
    """Return a function that starts to serve with a settings file, and returns the site's settings."""
    found = []

    def refuse(settings, **_options):
        found.append(settings)
        raise BadInput("no site today")

    def begin(text, **options):
        (tmp_path / "site.toml").write_text(text)
        with pytest.raises(BadInput, match="no site today"):
            serve(settings=tmp_path / "site.toml", no_bots=True, data=tmp_path, port=0, **options)
        return found[-1]

    monkeypatch.setattr("ludus.site.app.create_app", refuse)
    nowhere = SimpleNamespace(getsockname=lambda: ("127.0.0.1", 8000))
    monkeypatch.setattr("ludus.site.runner.listen", lambda _host, _port: nowhere)
    return begin


def test_a_settings_file_changes_its_settings_and_options_take_precedence(settings_of):
    text = """
abandoned_after_s = 60
allowed_origins = ["http://a.example"]
metrics_token = "of the file"
official_token = "a secret of the file"
max_games = 7
[safety]
max_tables = 5
"""
    kept = settings_of(text)
    assert (kept.max_games, kept.safety.max_tables, kept.max_plies) == (7, 5, 2000)
    assert (kept.abandoned_after_s, kept.allowed_origins) == (60, ("http://a.example",))
    assert (kept.metrics_token, kept.official_token) == ("of the file", "a secret of the file")
    options = {"abandoned_days": 2.0, "origin": ["http://b.example"], "metrics_token": "m"}
    over = settings_of(text, **options, official_token="a secret of the options")
    assert (over.max_games, over.abandoned_after_s, over.allowed_origins) == (7, 172_800, ("http://b.example",))
    assert (over.metrics_token, over.official_token) == ("m", "a secret of the options")
    assert settings_of("").abandoned_after_s == 7 * 86_400


def test_a_game_of_the_settings_is_read_before_anything_starts(settings_of, tmp_path):
    assert [Path(each).absolute() for each in settings_of(f"games = ['{BREAKTHROUGH}']").games] == [BREAKTHROUGH]
    (tmp_path / "site.toml").write_text("games = ['nowhere.py']")
    with pytest.raises(BadGame, match=r"nowhere\.py"):
        serve(settings=tmp_path / "site.toml", no_bots=True, data=tmp_path)


@pytest.mark.parametrize("content", [None, b"", b"hello\n"])
def test_an_invalid_file_of_puzzles_is_reported_before_anything_starts(tmp_path, content):
    if content is not None:
        (tmp_path / "puzzles").write_bytes(content)
    with pytest.raises(LudusError, match="puzzles"):
        serve(puzzles=[tmp_path / "puzzles"], no_bots=True)


@pytest.mark.parametrize("secret", ["", "short", "x" * 201, "a secret with a n\x00l", "ein Geheimnis für uns"])
def test_an_invalid_secret_of_official_bots_is_rejected(tmp_path, secret):
    with pytest.raises(BadInput, match="--official-token: use 16 to 200 plain characters"):
        serve(official_token=secret, no_bots=True, data=tmp_path, port=0)


def test_the_secret_of_official_bots_is_an_option_and_random_by_default(tmp_path, monkeypatch):
    tokens = []

    def refuse(settings, **_options):
        tokens.append(settings.official_token)
        raise BadInput("no site today")

    monkeypatch.setattr("ludus.site.app.create_app", refuse)
    nowhere = SimpleNamespace(getsockname=lambda: ("127.0.0.1", 8000))
    monkeypatch.setattr("ludus.site.runner.listen", lambda _host, _port: nowhere)
    for secret in ("named by its owner", None, None):
        with pytest.raises(BadInput, match="no site today"):
            serve(official_token=secret, no_bots=True, data=tmp_path, port=0)
    assert tokens[0] == "named by its owner"
    assert len(set(tokens)) == 3
