"""`--evaluations` of engines: which player opens which file, and which files are rejected."""

from pathlib import Path

import pytest

from ludus.cli.engine.options import attach
from ludus.errors import BadInput


class ScriptedMind:
    """A player that records which files it opens."""

    def __init__(self):
        self.opened = []

    def owns(self, _info):
        return False

    def attach(self, path, mode):
        self.opened.append((path.name, mode))


@pytest.mark.parametrize(("append", "mode"), [(False, "read"), (True, "append")])
def test_a_new_file_is_the_first_minds(tmp_path, append, mode):
    first, second = ScriptedMind(), ScriptedMind()
    attach([first, second], [tmp_path / "new.ev"], append=append)
    assert first.opened == [("new.ev", mode)]
    assert second.opened == []


def test_without_files_nothing_is_opened():
    mind = ScriptedMind()
    attach([mind], None, append=False)
    assert mind.opened == []


def test_append_requires_a_file():
    with pytest.raises(BadInput, match="give --evaluations FILE"):
        attach([ScriptedMind()], None, append=True)


def test_a_heuristic_has_no_file():
    with pytest.raises(BadInput, match=r"book\.ev: .* --model"):
        attach([], [Path("book.ev")], append=False)
