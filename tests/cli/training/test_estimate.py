"""`ludus estimate` shows the progress of its measurement."""

import io

import pytest
from rich.console import Console
from typer.testing import CliRunner

from ludus.cli.app import app
from ludus.cli.training import estimate as command
from ludus.errors import Unavailable
from ludus.loop.forecast import estimate as module


@pytest.fixture
def terminal(monkeypatch):
    """Return the command's output on a terminal."""
    out = io.StringIO()
    monkeypatch.setattr(command, "console", Console(file=out, force_terminal=True, width=100, color_system=None))
    return out


def test_each_measurement_is_shown_with_its_progress(terminal, monkeypatch):
    def measure(_preset, *, workers, seconds, tell):
        tell("games of the first teacher", 0.25)
        raise Unavailable("that is enough")

    monkeypatch.setattr(module, "estimate", measure)
    with pytest.raises(Unavailable):
        CliRunner().invoke(app, ["estimate", "tictactoe-smoke"], catch_exceptions=False)
    assert "games of the first teacher" in terminal.getvalue()
    assert "25%" in terminal.getvalue()
