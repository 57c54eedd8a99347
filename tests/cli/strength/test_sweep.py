"""`ludus sweep`: settings are compared at equal visits or equal time; unfair comparisons are rejected."""

import re

import pytest
from typer.testing import CliRunner

from ludus.arena.sweep import FILE
from ludus.cli.app import app
from ludus.errors import BadInput


@pytest.fixture(scope="module")
def model(tmp_path_factory, save_tiny):
    return save_tiny(tmp_path_factory.mktemp("model"))


def sweep(model, folder, vary, *options):
    command = ["sweep", str(model), "--vary", vary, "--folder", str(folder), "--trials", "2", "--pairs", "2"]
    return CliRunner().invoke(app, [*command, "--confirm", "1", "--opening", "2", *map(str, options)])


@pytest.mark.parametrize(
    ("vary", "options"),
    [
        ("cpuct=1:4:log", ["--visits", 8]),
        ("root_symmetries=1:8", ["--seconds", 0.002]),
    ],
)
def test_the_best_settings_of_a_sweep_are_confirmed_and_the_same_command_continues(model, tmp_path, vary, options):
    name = vary.partition("=")[0]
    first = sweep(model, tmp_path / "sweep", vary, *options)
    assert first.exit_code == 0, first.output
    assert len(re.findall(rf"^ *[\d.]+%  {name}=[\d.]+$", first.stderr, re.MULTILINE)) == 2
    best, confirmed = first.stdout.splitlines()
    assert re.fullmatch(rf"Best of 2: {name}=[\d.]+, [\d.]+% of 4 games it was chosen by\.", best)
    assert re.fullmatch(r"From new openings: \+\d =\d -\d, [+-]\d+ ± \d+ Elo \(95 %\)\.", confirmed)
    again = sweep(model, tmp_path / "sweep", vary, *options)
    assert again.exit_code == 0, again.output
    assert again.stdout.splitlines()[0] == best
    assert f"{name}=" not in again.stderr, "nothing is tried again"


def test_openings_are_balanced(model, tmp_path, monkeypatch):
    asked = []

    def play(*args, accepts, **options):
        asked.append(accepts)
        return play_match(*args, accepts=accepts, **options)

    from ludus.arena.balance import Balance
    from ludus.arena.match import play_match

    monkeypatch.setattr("ludus.arena.match.play_match", play)
    assert sweep(model, tmp_path / "sweep", "cpuct=1:4", "--visits", 2).exit_code == 0
    assert [type(accepts) for accepts in asked] == [Balance] * 3


def test_the_games_of_a_trial_are_counted_as_they_end(model, tmp_path, monkeypatch):
    from rich.progress import Progress

    counted = []
    monkeypatch.setattr(Progress, "advance", lambda *_game: counted.append(1))
    assert sweep(model, tmp_path / "sweep", "cpuct=1:4", "--visits", 2).exit_code == 0
    assert len(counted) == 2 * (2 + 2 + 1), "two games a pair"


def test_trials_share_no_cache(model, tmp_path, monkeypatch):
    met = []

    def play(games, *players, **options):
        met.extend(players)
        return play_match(games, *players, **options)

    from ludus.arena.match import play_match

    monkeypatch.setattr("ludus.arena.match.play_match", play)
    assert sweep(model, tmp_path / "sweep", "cpuct=1:4", "--seconds", 0.002).exit_code == 0
    assert len(met) == len({id(player) for player in met}) == 6


def test_sweeps_of_another_effort_are_not_continued(model, tmp_path):
    assert sweep(model, tmp_path, "cpuct=1:4", "--visits", 2).exit_code == 0
    refused = sweep(model, tmp_path, "cpuct=1:4", "--seconds", 0.002)
    assert isinstance(refused.exception, BadInput)
    assert f"{FILE}: belongs to another sweep" in str(refused.exception)


@pytest.mark.parametrize(
    ("vary", "options", "complaint"),
    [
        ("root_symmetries=1:8", [], "it changes the cost of a visit, .* give both sides equal time with --seconds"),
        ("cache_entries=0:1000", ["--visits", 8], "it changes the cost of a visit"),
        ("noise_share=0:1", ["--visits", 8], "only self-play uses it"),
        ("gumbel_actions=0:16", ["--seconds", 0.1], "only self-play uses it"),
        ("leaves=1:8", [], r"measure it with python bench/leaves\.py"),
        ("leaves=1:8", ["--seconds", 0.1], "players choose it themselves"),
        ("cpuct=1:4", ["--visits", 8, "--seconds", 0.1], "equal visits or equal time; give one of the two"),
    ],
)
def test_unequal_effort_is_rejected_before_a_game_is_played(model, tmp_path, vary, options, complaint):
    refused = sweep(model, tmp_path / "sweep", vary, *options)
    assert isinstance(refused.exception, BadInput)
    assert re.search(complaint, str(refused.exception))
    assert not (tmp_path / "sweep").exists()


@pytest.mark.parametrize("seconds", ["0", "inf", "nan"])
def test_invalid_seconds_are_rejected(model, tmp_path, seconds):
    refused = sweep(model, tmp_path / "sweep", "cpuct=1:4", "--seconds", seconds)
    assert refused.exit_code == 2
    assert not (tmp_path / "sweep").exists()
