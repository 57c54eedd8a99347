"""Names and paths that look like rich markup or emoji are printed literally, and break no command."""

import pytest
from rich.console import Console
from typer.testing import CliRunner

from ludus.cli.app import app

PAIR = ["--pairs", 1, "--opening", 2]


@pytest.fixture(scope="module")
def model(tmp_path_factory, save_tiny):
    """Return a function that writes a small network with a given name, and returns its folder."""
    root = tmp_path_factory.mktemp("models")
    return lambda folder, name, seed=0: save_tiny(root / folder, name, seed=seed)


def ludus(*arguments):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.exception
    return result


def test_a_league_of_such_networks_ends_in_a_table_that_tells_them_apart(tmp_path, model):
    nets = [f"{model(f'm{number}', name, number)}:2" for number, name in enumerate(("net[/]", "net[v2]", "net[v3]"))]
    said = ludus("league", *nets, *PAIR, "--folder", tmp_path).stdout
    assert all(f"│ {name}@2 " in said for name in ("net[/]", "net[v2]", "net[v3]"))


def test_progress_of_a_match_shows_such_names(model, monkeypatch):
    screen = Console(stderr=True, force_terminal=True, width=100, markup=False)
    monkeypatch.setattr("ludus.cli.strength.match.console", screen)
    assert "net[v2]@2 - net[/]@2" in ludus(
        "match", f"{model('a', 'net[v2]')}:2", f"{model('b', 'net[/]', 1)}:2", *PAIR
    ).stderr.replace("\x1b[0m", "")


def test_renamed_players_are_reported_with_such_a_path(model):
    paths = [f"{model(f'run[/{number}]', 'net[bold]', number)}:2" for number in range(2)]
    said = ludus("match", *paths, *PAIR).stderr
    assert all(f"{path} plays as net[bold]@2#" in said for path in paths)


def test_levels_of_such_a_model_are_measured(tmp_path, model):
    levels = [f"--candidate={visits}" for visits in (1, 2, 3, 4, 5, 6)]
    result = ludus("levels", model("[/x]", "net[/]"), "--folder", tmp_path, *PAIR, *levels)
    assert "net[/], with random at 0" in result.stdout
    assert "[/x]/levels" in result.stderr.replace("\n", "")


def test_runs_of_such_names_are_listed(tmp_path):
    for name in ("run[red]", "run[v2]"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "preset.toml").write_text('name = "x"\ngames = ["tictactoe"]\n')
    said = CliRunner().invoke(app, ["runs", str(tmp_path)]).stdout
    assert "run[red] " in said
    assert "run[v2] " in said
