"""`ludus levels` writes six levels in rising order into a model's folder, and continues from existing records."""

import itertools
import os
import re

import msgspec
import pytest
from typer.testing import CliRunner

import ludus
from ludus.arena.record import Record, read_record
from ludus.cli.app import app
from ludus.engine.ladder import FILE, read_ladder
from ludus.errors import BadInput, BadModel, Unavailable
from ludus.network.checkpoint import load_checkpoint, save_checkpoint, weights_fingerprint
from ludus.players.matches.search_player import SearchPlayer

GAME = ludus.game("tictactoe")


@pytest.fixture
def model(tmp_path, flat_model):
    checkpoint = flat_model("tictactoe")
    for name, array in checkpoint.arrays.items():
        if name.endswith("running_var"):
            array += 1
    (tmp_path / "tiny").mkdir()
    save_checkpoint(tmp_path / "tiny" / "model.safetensors", checkpoint)
    return tmp_path / "tiny"


def command_of(model, folder, levels=("2", "3,5", "4", "6", "9", "12", "16")):
    candidates = [f"--candidate={level}" for level in levels]
    return ["levels", str(model), "--folder", str(folder), "--pairs", "2", "--opening", "2", *candidates]


def test_six_levels_are_measured_and_written(model, tmp_path):
    command = command_of(model, tmp_path / "matches")
    first = CliRunner().invoke(app, command)
    assert first.exit_code == 0, first.output
    ladder = read_ladder(model, load_checkpoint(model))
    assert ladder is not None
    assert len(ladder.levels) == 6
    ratings = [rung.elo for rung in ladder.levels]
    assert ratings == sorted(ratings)
    assert ladder.weights == weights_fingerprint(load_checkpoint(model))
    assert ladder.levels[0].step is ladder.levels[0].step_error is None, "there is none below"
    for below, above in itertools.pairwise(ladder.levels):
        assert above.step == pytest.approx(above.elo - below.elo, abs=1), "both are rounded"
        assert above.step_error is not None
        assert 0 < above.step_error < below.error + above.error
        assert re.search(rf"{re.escape(above.level)} .*\+{above.step} +│ +{above.step_error} ", first.stdout)
    before = {path: path.read_bytes() for path in (tmp_path / "matches").iterdir()}
    assert CliRunner().invoke(app, command).exit_code == 0
    assert {path: path.read_bytes() for path in (tmp_path / "matches").iterdir()} == before
    assert read_ladder(model, load_checkpoint(model)) == ladder


def test_a_model_in_an_unwritable_folder_is_rejected_before_the_matches(model, tmp_path, monkeypatch):
    monkeypatch.setattr("ludus.cli.terminal.destination.os.access", lambda path, mode: (path, mode) != (model, os.W_OK))
    result = CliRunner().invoke(app, command_of(model, tmp_path / "matches"))
    assert isinstance(result.exception, Unavailable)
    assert str(result.exception).startswith(f"MODEL {model / FILE}: cannot be written")
    assert not (tmp_path / "matches").exists()


def test_levels_between_the_candidates_meet_where_those_are_uneven(model, tmp_path):
    candidates = ["1", "1,10", "2,10", "3,10", "4,10", "200"]
    result = CliRunner().invoke(app, command_of(model, tmp_path / "matches", candidates))
    assert result.exit_code == 0, result.output
    plans = [read_record(path)[0] for path in (tmp_path / "matches").iterdir()]
    played = {name.rpartition("@")[2] for plan in plans for name in (plan.a, plan.b)} - {"random"}
    between = played - set(candidates)
    assert between, "of six levels, five of which are alike, four must be made"
    assert all(1 <= int(level.split(",")[0]) <= 200 for level in between)
    ladder = read_ladder(model, load_checkpoint(model))
    assert ladder is not None
    assert {rung.level for rung in ladder.levels} <= played


def test_records_of_unbalanced_openings_are_not_continued(model, tmp_path):
    command = command_of(model, tmp_path / "matches")
    assert CliRunner().invoke(app, command).exit_code == 0
    for path in (tmp_path / "matches").iterdir():
        plan, games = read_record(path)
        path.unlink()
        record = Record(path, msgspec.structs.replace(plan, balanced=False))
        for game in games:
            record.add(game)
    result = CliRunner().invoke(app, command)
    assert isinstance(result.exception, BadInput)
    assert "balanced is False there but True here" in str(result.exception)


def test_a_judge_of_openings_is_part_of_each_match(model, tmp_path):
    command = command_of(model, tmp_path / "matches")
    result = CliRunner().invoke(app, [*command, "--judge", "playouts:200"])
    assert result.exit_code == 0, result.output
    plans = [read_record(path)[0] for path in (tmp_path / "matches").iterdir()]
    assert {(plan.balanced, plan.judge) for plan in plans} == {(True, "playouts@200")}
    result = CliRunner().invoke(app, command)
    assert isinstance(result.exception, BadInput)
    assert "judge is 'playouts@200' there but '' here" in str(result.exception)


def test_a_judge_without_a_search_is_refused_before_a_game_is_played(model, tmp_path):
    result = CliRunner().invoke(app, [*command_of(model, tmp_path / "new"), "--judge", "minimax:4"])
    assert isinstance(result.exception, BadInput)
    assert str(result.exception).startswith("--judge minimax:4: it does not search by visits")
    assert not (tmp_path / "new").exists()


def test_too_few_candidates_are_refused(model, tmp_path):
    result = CliRunner().invoke(app, ["levels", str(model), "--folder", str(tmp_path), "--candidate", "8"])
    assert result.exit_code == 2
    assert re.search("at least 6 different", result.output)


def test_a_candidate_that_is_given_twice_is_named(model, tmp_path):
    result = CliRunner().invoke(app, command_of(model, tmp_path / "new", ("2", "3,5", "4", "6", "9", "12", "3,5.0")))
    assert result.exit_code == 2
    assert "candidate 3,5 is given twice" in " ".join(result.output.split())


@pytest.mark.parametrize("wrong", ["0.01s", "6,0"])
def test_an_invalid_or_repeated_level_is_rejected_before_a_game_is_played(model, tmp_path, wrong):
    candidates = [f"--candidate={level}" for level in ("2", "3,5", "4", "6", "9", "12", wrong)]
    result = CliRunner().invoke(app, ["levels", str(model), "--folder", str(tmp_path / "new"), *candidates])
    assert result.exit_code != 0
    assert not isinstance(result.exception, AssertionError)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("wrong", ["8,1,moves:10", "8,seconds:2", "seconds:2", "8,1,noise", "8,0.00001"])
def test_a_level_that_matches_do_not_support_is_rejected_before_a_game_is_played(model, tmp_path, wrong):
    result = CliRunner().invoke(app, command_of(model, tmp_path / "new", ("2", "3,5", "4", "6", "9", "12", wrong)))
    assert isinstance(result.exception, BadInput)
    assert str(result.exception) == (
        f"--candidate {wrong}: matches support only VISITS[,TEMPERATURE]; write a level such as 30,0.5."
    )
    assert not (tmp_path / "new").exists()


def test_levels_are_not_written_where_games_were_forfeited(model, tmp_path, monkeypatch):
    def choose(_self, _game, _states):
        raise RuntimeError("no idea")

    monkeypatch.setattr(SearchPlayer, "choose", choose)
    result = CliRunner().invoke(app, command_of(model, tmp_path / "matches"))
    assert isinstance(result.exception, BadModel)
    assert "4 of 4 games were forfeited" in str(result.exception)
    assert "remove this record" in str(result.exception)
    assert result.stderr.count("failed: RuntimeError: no idea") == 4
    assert not (model / FILE).exists()


def test_levels_of_a_model_file_are_rejected_because_they_need_a_folder(model, tmp_path):
    command = ["levels", str(model / "model.safetensors"), "--folder", str(tmp_path / "new")]
    assert CliRunner().invoke(app, command).exit_code == 2
