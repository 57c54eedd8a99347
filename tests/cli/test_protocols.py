"""Games bring commands of `ludus engine`: listed, named without clashes, loaded when used, harmless when broken."""

import sys

import pytest
from tests.games.test_registry_packages import by_hand, on_the_path
from typer.testing import CliRunner

from ludus.cli.app import app
from ludus.cli.engine.protocols import BroughtProtocol, brought, dialects
from ludus.games import BUILT_IN
from ludus.games.registry import about, engine

GAME = "import ludus\ngame = None\nabout = ludus.About(engines={engines!r}, analysis_dialects={dialects!r})\n"
GTP = """
\"\"\"A protocol of the same name as that of another game.\"\"\"


def command(visits: int = 8) -> None:
    \"\"\"Speak the protocol of pebbles.\"\"\"
    print("pebbles", visits)
"""


@pytest.fixture
def pebbles(tmp_path):
    """Install a game with one protocol that works, whose name is taken, and two that do not."""
    by_hand(
        tmp_path,
        "pebbles",
        "pebbles",
        GAME.format(engines=("gtp", "sunk", "empty", "lost"), dialects=("sunk", "pebbling")),
    )
    engines = tmp_path / "ludus_pebbles" / "engines"
    engines.mkdir()
    (engines / "__init__.py").touch()
    (engines / "gtp.py").write_text(GTP)
    (engines / "pebbling.py").write_text("class Dialect:\n    pass\n")
    (engines / "sunk.py").write_text("1 / 0")
    (engines / "empty.py").touch()
    with on_the_path(tmp_path):
        yield


def ran(*arguments):
    return CliRunner().invoke(app, ["engine", *arguments])


def test_a_protocol_whose_name_is_taken_has_the_game_in_its_commands_name(pebbles):
    found = brought({"bgs", "sunk"})
    assert found["gtp"] == BroughtProtocol("go", "gtp")
    assert found["pebbles-gtp"] == BroughtProtocol("pebbles", "gtp")
    assert found["pebbles-sunk"] == BroughtProtocol("pebbles", "sunk")
    assert found["empty"] == BroughtProtocol("pebbles", "empty")


def test_a_command_that_a_package_brings_runs_with_its_options(pebbles):
    assert ran("pebbles-gtp", "--visits", "3").output == "pebbles 3\n"
    assert "no such option" in ran("pebbles-gtp", "--visit").output.lower()


def test_help_lists_all_commands_and_says_what_is_wrong_with_a_broken_one(pebbles):
    done = ran("--help")
    assert done.exit_code == 0
    for name in ("bgs", "gtp", "pebbles-gtp", "sunk", "empty", "lost"):
        assert f"│ {name} " in done.output
    text = " ".join(done.output.replace("│", " ").split())
    assert "Speak the protocol of pebbles." in text
    assert "ludus_pebbles.engines.sunk cannot be loaded" in text


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("sunk", "ludus_pebbles.engines.sunk cannot be loaded (ZeroDivisionError: division by zero)."),
        ("lost", "ludus_pebbles.engines.lost cannot be loaded (ModuleNotFoundError: No module named"),
        ("empty", "ludus_pebbles.engines.empty defines no `command`."),
    ],
)
def test_a_broken_command_is_refused_with_the_reason_for_any_options(pebbles, name, why):
    for options in ([], ["--model", "models/x"]):
        error = ran(name, *options).exception
        assert str(error).startswith(f"The engine {name!r} of pebbles: {why}")


def test_a_misspelt_command_is_compared_with_those_of_games():
    done = ran("gtpp")
    assert done.exit_code == 2
    assert "Did you mean 'gtp'" in done.output


def test_every_protocol_of_a_built_in_game_is_there():
    descriptions = {game: about(game) for game in BUILT_IN}
    commands = [engine(game, each, "command") for game, said in descriptions.items() for each in said.engines]
    assert len(commands) == len({*commands}) >= 3
    assert len(dialects()) == sum(len(said.analysis_dialects) for said in descriptions.values()) >= 1


def test_other_commands_load_no_engine_of_a_game(pebbles):
    assert ran("bgs", "--help").exit_code == 0
    assert "ludus_pebbles.engines.gtp" not in sys.modules


def test_dialects_of_all_games_are_loaded_and_a_broken_one_is_left_out_with_a_warning(pebbles, caplog):
    assert [each.__module__ for each in dialects()] == [
        "ludus.games.go.engines.katago.queries",
        "ludus_pebbles.engines.pebbling",
    ]
    (line,) = caplog.messages
    assert line.startswith("The engine 'sunk' of pebbles: ludus_pebbles.engines.sunk cannot be loaded")
