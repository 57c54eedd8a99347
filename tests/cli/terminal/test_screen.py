"""Messages on a terminal are literal: names in brackets are no markup."""

import io

import pytest
from rich.console import Console

from ludus.cli.terminal import screen


@pytest.mark.parametrize(("terminal", "shown"), [("xterm", True), ("dumb", False)])
def test_a_spinner_shows_its_text_literally_on_terminals_that_can_update_it(monkeypatch, terminal, shown):
    written = io.StringIO()
    console = Console(file=written, markup=False, force_terminal=True, _environ={"TERM": terminal})
    monkeypatch.setattr(screen, "console", console)
    with screen.spinner("games[v2]/my.py: rules ..."):
        pass
    assert ("games[v2]/my.py: rules ..." in written.getvalue()) == shown
    assert bool(written.getvalue()) == shown
