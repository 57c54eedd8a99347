"""A league continues with its recorded matches, even if players join or have equal names."""

import json

import msgspec
import pytest
from typer.testing import CliRunner

from ludus.arena.record import Record, read_record
from ludus.cli.app import app
from ludus.errors import BadInput
from ludus.games.behaviour import rules_fingerprint
from ludus.games.registry import game as find_game


def ludus(*arguments):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def model(tmp_path_factory, save_tiny):
    """Return a function that writes a small network with a name and seed, and returns its player text for a league."""
    folder = tmp_path_factory.mktemp("models")
    return lambda name, seed: f"{save_tiny(folder / f'{name}-{seed}', name, seed=seed)}:2"


def played(folder):
    return {path: path.read_bytes() for path in folder.iterdir()}


def test_a_new_player_with_an_equal_name_does_not_change_recorded_matches(tmp_path, model):
    old, new = model("tiny", 0), model("tiny", 1)
    ludus("league", old, "random", "--pairs", 1, "--folder", tmp_path)
    before = played(tmp_path)
    table = json.loads(ludus("league", old, "random", new, "--pairs", 1, "--folder", tmp_path, "--json").stdout)
    after = played(tmp_path)
    assert len(after) == 3
    assert before.items() <= after.items(), "the finished match is not played again"
    assert {rating["games"] for rating in table["ratings"]} == {4}
    rated = json.loads(ludus("rate", tmp_path, "--json").stdout)
    assert {rating["name"]: rating["games"] for rating in rated["ratings"]} == {
        rating["name"]: rating["games"] for rating in table["ratings"]
    }
    ludus("league", new, "random", "--pairs", 1, "--folder", tmp_path)
    assert played(tmp_path) == after, "nor by a league that has the namesake alone"


def test_a_continued_league_does_not_repeat_recorded_games(tmp_path):
    arguments = ["league", "random", "ucb:5", "playouts:5", "--game", "tictactoe", "--opening", 0, "--folder", tmp_path]
    ludus(*arguments, "--pairs", 4)
    ludus(*arguments, "--pairs", 8)
    for path in played(tmp_path):
        courses = {(game.pair, game.first): game.actions for game in read_record(path)[1]}
        assert len(courses) == 16
        assert any(courses[pair, first] != courses[pair + 4, first] for pair, first in courses if pair < 4), path


def test_players_whose_names_files_cannot_tell_apart_meet_in_one_league(tmp_path, model):
    ludus("league", model("my net", 0), model("my_net", 0), "random", "--pairs", 1, "--folder", tmp_path)
    met = sorted((plan.a, plan.b) for plan, _ in map(read_record, tmp_path.iterdir()))
    assert met == [("my net@2", "my_net@2"), ("my net@2", "random"), ("my_net@2", "random")]


def test_a_table_counts_a_duplicated_match_once_and_reports_it(tmp_path):
    file = tmp_path / "match.jsonl"
    ludus("match", "minimax:3", "random", "--game", "tictactoe", "--pairs", 3, "--record", file)
    alone = ludus("rate", tmp_path, "--json")
    (tmp_path / "copy.jsonl").write_bytes(file.read_bytes())
    both = ludus("rate", tmp_path, "--json")
    assert both.stdout == alone.stdout
    assert "games are skipped because other records of the same two players contain" in both.stderr
    assert "skipped" not in alone.stderr


def test_a_match_does_not_continue_under_other_rules(tmp_path):
    command = ["match", "minimax:2", "random", "--game", "tictactoe", "--game", "connect4", "--record"]
    ludus(*command, tmp_path / "now", "--pairs", 2)
    plan, games = read_record(tmp_path / "now")
    assert plan.rules == [rules_fingerprint(find_game(spec)) for spec in ("tictactoe", "connect4")]

    def goes_on(name, rules):
        record = Record(tmp_path / name, msgspec.structs.replace(plan, rules=rules))
        for game in games:
            record.add(game)
        return CliRunner().invoke(app, [*command, str(record.path), "--pairs", "3"]).exception

    assert goes_on("older", []) is None
    refusal = goes_on("other", [plan.rules[0], "0123456789abcdef"])
    assert isinstance(refusal, BadInput)
    assert str(refusal) == (
        f"{tmp_path / 'other'}: was started under other rules of connect4; name another file or folder, or restore "
        f"those rules."
    )
