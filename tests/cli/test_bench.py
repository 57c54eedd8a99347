"""`ludus bench evaluator`, `ludus bench tree` and `ludus tune` report their measurements as text and as JSON."""

import json

import msgspec
import pytest
from typer.testing import CliRunner

from ludus import config
from ludus.cli.app import app
from ludus.cli.training.tune import HEADER, ROW, _row
from ludus.errors import BadInput
from ludus.loop.preset import load_preset
from ludus.network.measure import EvaluatorSetup, Speed, Trial
from ludus.network.tune import Tuning

QUICK = ["--seconds", "0.01", "--runs", "2"]


def said(*arguments):
    result = CliRunner().invoke(app, [*arguments, *QUICK], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_the_evaluators_of_a_preset_are_measured_and_bounded():
    options = ["--preset", "tictactoe-smoke", "--batch", "8", "--lanes", "2", "--workers", "1", "--peak-tflops", "1"]
    found = json.loads(said("bench", "evaluator", *options, "--json"))
    assert found["bound_positions_per_s"] == pytest.approx(1e6 / found["megaflop_per_position"])
    assert found["largest_logit_error_openvino"] < 0.05
    for trial in found["trials"]:
        assert trial["arrangement"] | {"backend": ""} == {"backend": "", "batch": 8, "lanes": 2, "workers": 1}
        assert 0 < trial["speed"]["lowest"] <= trial["speed"]["median"] <= trial["speed"]["highest"]


def tree(*options):
    command = ["bench", "tree", "--game", "tictactoe", "--parallel", "4", "--runs", "1", "--json", *options]
    return json.loads(CliRunner().invoke(app, command, catch_exceptions=False).stdout)


def test_the_search_is_measured_by_the_clock_and_by_processor_time():
    found = tree("--visits", "8", "--seconds", "0.1")
    assert 0 < found["lowest"] <= found["simulations_per_s"] <= found["highest"]
    assert found["simulations_per_cpu_s"] > 0
    assert not any(name.endswith("without_foresight") for name in found), "these rules foresee nothing"


def test_a_search_that_foresees_is_also_measured_without_foresight():
    options = ["--game", "connect4", "--parallel", "4", "--visits", "8", "--seconds", "0.1", "--runs", "2", "--json"]
    found = json.loads(CliRunner().invoke(app, ["bench", "tree", *options], catch_exceptions=False).stdout)
    for name in ("simulations_per_s", "simulations_per_cpu_s", "one_deep_search_8_leaves_per_s"):
        assert 0 < found[name] < found[f"{name}_without_foresight"], "looking ahead costs time"


def test_self_play_is_measured_as_the_preset_ships_without_foresight_and_with_another_game():
    small = ["--preset", "connect4-laptop", "--blocks", "1", "--channels", "8", "--parallel", "4", "--workers", "1"]
    small += ["--seconds", "0.1", "--runs", "1", "--json"]
    found, other = (
        json.loads(CliRunner().invoke(app, ["bench", "selfplay", *small, *more], catch_exceptions=False).stdout)
        for more in ([], ["--game", "connect4"])
    )
    assert (found["games"], other["games"]) == ("connect4:ahead", "connect4")
    for each in (found, other):
        assert min(each["evaluations_per_s"], each["evaluations_per_s_without_foresight"]) > 0


def test_the_key_of_the_settings_changes_with_the_measured_work_only():
    first, longer, deeper = (
        tree("--visits", str(visits), "--seconds", s) for visits, s in ((8, "0.1"), (8, "0.2"), (9, "0.1"))
    )
    assert first["settings"] == longer["settings"] != deeper["settings"]


def test_a_size_that_does_not_fit_the_preset_gives_one_error_message():
    with pytest.raises(BadInput, match="--channels do not fit connect4-laptop: squeeze must not exceed channels"):
        CliRunner().invoke(
            app, ["bench", "selfplay", "--preset", "connect4-laptop", "--channels", "2"], catch_exceptions=False
        )


def test_the_evaluators_are_shown_line_by_line():
    shown = said("bench", "evaluator", "--preset", "tictactoe-smoke", "--backend", "openvino", "--batch", "8")
    lines = [line for line in shown.splitlines() if "positions/s" in line]
    assert len(lines) >= 2
    assert all("openvino, batch    8, lanes" in line for line in lines)


def test_tuning_ends_with_the_arrangement_to_use():
    found = msgspec.json.decode(said("tune", "tictactoe-smoke", "--json"), type=Tuning)
    assert found.best in found.trials


def test_tuning_writes_a_preset_that_feeds_the_network_as_was_found(tmp_path):
    file = tmp_path / "tuned.toml"
    best = msgspec.json.decode(said("tune", "tictactoe-smoke", "--json", "--write", str(file)), type=Tuning).best
    tuned, given = load_preset(str(file)), load_preset("tictactoe-smoke")
    arrangement = best.arrangement
    assert (tuned.device, tuned.workers) == (arrangement.backend, arrangement.workers)
    assert (tuned.selfplay.parallel, tuned.selfplay.groups) == (arrangement.batch, arrangement.lanes)
    as_given = msgspec.structs.replace(tuned.selfplay, parallel=given.selfplay.parallel, groups=given.selfplay.groups)
    assert msgspec.structs.replace(tuned, device=given.device, workers=given.workers, selfplay=as_given) == given


def test_a_deterministic_preset_is_tuned_for_its_one_worker(tmp_path):
    given, file = tmp_path / "given.toml", tmp_path / "tuned.toml"
    preset = msgspec.structs.replace(load_preset("tictactoe-smoke"), deterministic=True)
    given.write_text(config.dump(preset))
    found = msgspec.json.decode(said("tune", str(given), "--json", "--write", str(file)), type=Tuning)
    assert {trial.arrangement.workers for trial in found.trials} == {1}
    assert load_preset(str(file)).deterministic


def test_lines_of_a_tuning_fit_a_narrow_terminal():
    row = _row(Trial(EvaluatorSetup("openvino", 1024, 4, 16), Speed(1_234_567.0, 1_200_000.0, 1_300_000.0, 12.34)))
    assert row.split() == ["openvino", "1024", "4", "16", "1,234,567", "1,200,000", "1,300,000", "12.34"]
    assert len(row) == len(ROW.format(*HEADER)) <= 80
