"""`ludus doctor` says what is there, and fails only if something needed is missing."""

import re

import pytest
from typer.testing import CliRunner

from ludus.cli import doctor as module
from ludus.cli.app import app
from ludus.cli.doctor import requirements
from ludus.site.runner import listen


@pytest.fixture
def found(tmp_path, monkeypatch):
    """Return a function that runs the command, and returns its exit code and its lines by subject."""
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def run(*options):
        result = CliRunner().invoke(app, ["doctor", *options])
        lines = [re.split(r" +", line, maxsplit=2) for line in result.output.splitlines()[1:-1]]
        return result.exit_code, {subject: (state, text) for state, subject, text in lines}

    return run


def test_what_is_there_is_listed_with_its_reason(found, tmp_path):
    with listen("127.0.0.1", 0) as taken:
        code, lines = found(f"--port={taken.getsockname()[1]}")
    assert {state for state, _ in lines.values()} <= {"ok", "slow", "absent", "FAULT"}
    assert code == ("FAULT" in {state for state, _ in lines.values()})
    for subject in ("python", "packages", "compiler", "cache", "networks", "models", "puzzles", "data"):
        assert lines[subject][0] == "ok", lines[subject]
    assert str(tmp_path / "cache") in lines["cache"][1]
    assert "connect4" in lines["models"][1]
    assert lines["games"][0] == "slow", "nothing is compiled in an empty cache"
    assert lines["port"][0] == "absent"
    assert "is in use" in lines["port"][1]


def test_a_missing_page_is_a_fault(found, tmp_path, monkeypatch):
    monkeypatch.setattr("ludus.site.routes.page.PAGE", tmp_path)
    code, lines = found()
    assert code == 1
    assert lines["page"][0] == "FAULT"
    assert "python web/build.py" in lines["page"][1]


def test_missing_packages_are_a_fault_or_name_their_extra(found, monkeypatch):
    monkeypatch.setattr(module.metadata, "requires", lambda _name: ["numpy>=2", "nope>=1", 'gone>=1; extra == "train"'])
    code, lines = found()
    assert code == 1
    assert lines["packages"] == ("FAULT", "not installed: nope; install Ludus again.")
    assert lines["train"][0] == "absent"
    assert "needs gone; install it with" in lines["train"][1]
    assert "'ludus[train]'" in lines["train"][1]


def test_requirements_are_read_with_their_extras_and_systems(monkeypatch):
    monkeypatch.setattr(
        module.metadata,
        "requires",
        lambda _name: [
            "numpy>=2.0",
            "sqlalchemy[asyncio]>=2.0.36",
            'psutil>=6.0; sys_platform == "nowhere"',
            "psycopg[binary]>=3.2; extra == 'postgres'",
        ],
    )
    assert requirements() == {"": ["numpy", "sqlalchemy"], "postgres": ["psycopg"]}
