"""The commands that play matches, from the terminal to the table of ratings."""

import json

import msgspec
import pytest
from typer.testing import CliRunner

from ludus.arena.match import play_match
from ludus.arena.record import read_record
from ludus.arena.summary import MatchResult
from ludus.cli.app import app
from ludus.errors import BadInput
from ludus.games.connect4.solver import ConnectFourSolver
from ludus.players.matches.search_player import SearchPlayer
from ludus.players.opponents.random import RandomPlayer
from ludus.players.opponents.solver import SolverPlayer

GAME = ["--game", "tictactoe"]


def ludus(*arguments):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def said_beside(*arguments):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.stderr


def test_a_match_is_recorded_continued_and_rated(tmp_path):
    file = tmp_path / "match.jsonl"
    first = ludus("match", "minimax:9", "random", *GAME, "--pairs", 5, "--record", file, "--json")
    whole = json.loads(ludus("match", "minimax:9", "random", *GAME, "--pairs", 8, "--record", file, "--json"))
    assert json.loads(first)["wins"] <= whole["wins"]
    assert (whole["a"], sum(whole["pairs"]), whole["forfeits"]) == ("minimax@9", 8, [])
    table = json.loads(ludus("rate", file, "--anchor", "random=100", "--json"))
    assert [rating["name"] for rating in table["ratings"]] == ["minimax@9", "random"]
    assert table["ratings"][1]["elo"] == 100.0
    assert table["ratings"][0]["games"] == 16


def test_a_sequential_test_ends_a_match_early_and_reports_its_verdict():
    arguments = ["match", "minimax:9", "random", *GAME, "--opening", 2, "--pairs", 400, "--sprt", "0,50"]
    said = ludus(*arguments)
    assert "minimax@9 is better (difference 50 against 0 Elo: log likelihood ratio +" in said
    result = json.loads(ludus(*arguments, "--json"))
    assert result["sprt"]["verdict"] == "better"
    assert sum(result["pairs"]) < 400


def test_a_sequential_test_is_part_of_the_match_and_rating_its_record_warns(tmp_path):
    file = tmp_path / "match.jsonl"
    arguments = ["match", "minimax:9", "random", *GAME, "--opening", 2, "--pairs", 30, "--record", file]
    ludus(*arguments, "--sprt", "0,100")
    plan, games = read_record(file)
    assert plan.test == "0,100,0.05,0.05"
    ludus(*arguments, "--sprt", "0,100,0.05,0.05")
    assert read_record(file) == (plan, games), "it was over"
    for other in ([], ["--sprt", "0,50"]):
        result = CliRunner().invoke(app, [str(each) for each in arguments + other])
        assert isinstance(result.exception, BadInput)
        assert "test is '0,100,0.05,0.05' there" in str(result.exception)
    told = CliRunner().invoke(app, ["rate", str(file)])
    assert "minimax@9 against random: a sequential test (--sprt) ended this match" in told.stderr


def test_a_sequential_test_may_take_as_many_pairs_as_it_needs(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "ludus.cli.strength.match.play_match",
        lambda *players, **named: asked.append(named["pairs"]) or play_match(*players, **named | {"pairs": 1}),
    )
    arguments = ["match", "minimax:9", "random", *GAME]
    for options in ([], ["--sprt", "0,20"], ["--sprt", "0,20", "--pairs", 53], ["--pairs", 7]):
        ludus(*arguments, *options)
    assert asked == [50, 1000, 53, 7]


def test_a_judge_of_openings_is_part_of_the_match(tmp_path):
    file = tmp_path / "match.jsonl"
    arguments = ["match", "minimax:9", "random", *GAME, "--opening", 3, "--pairs", 3, "--record", file]
    ludus(*arguments, "--judge", "playouts:3000")
    plan, games = read_record(file)
    assert (plan.balanced, plan.judge) == (True, "playouts@3000")
    assert len(games) == 6
    ludus(*arguments, "--judge", "playouts:3000")
    assert read_record(file) == (plan, games), "it was over"
    for other in ([], ["--judge", "playouts"]):
        result = CliRunner().invoke(app, [str(each) for each in arguments + other])
        assert isinstance(result.exception, BadInput)
        assert "judge is 'playouts@3000' there" in str(result.exception)
    folder = tmp_path / "league"
    ludus(
        "league", "random", "minimax:9", *GAME, "--opening", 3, "--pairs", 1, "--judge", "playouts", "--folder", folder
    )
    (league,) = folder.iterdir()
    assert read_record(league)[0].judge == "playouts@400"


def test_a_league_judges_each_opening_once_and_begins_its_matches_as_they_begin_alone(tmp_path, monkeypatch):
    asked = []
    value = SearchPlayer.value
    monkeypatch.setattr(
        SearchPlayer, "value", lambda self, game, words: asked.append(words.tobytes()) or value(self, game, words)
    )
    settings = [*GAME, "--opening", 3, "--pairs", 6, "--judge", "playouts"]
    ludus("league", "random", "minimax:9", "minimax:20", *settings, "--folder", tmp_path / "league")
    matches = {path.name: read_record(path)[1] for path in (tmp_path / "league").iterdir()}
    assert len(matches) == 3
    assert len(set(asked)) == len(asked) > 0, "none is judged twice"
    ludus("match", "minimax:9", "random", *settings, "--record", tmp_path / "alone")
    alone = {(game.pair, *game.actions[:3]) for game in read_record(tmp_path / "alone")[1]}
    assert all({(game.pair, *game.actions[:3]) for game in games} == alone for games in matches.values())


@pytest.mark.parametrize("judge", ["minimax:4", "random", "ucb:100", "playouts:1s"])
def test_a_judge_without_a_search_is_rejected(judge):
    result = CliRunner().invoke(app, ["match", "random", "minimax:2", *GAME, "--judge", judge])
    assert isinstance(result.exception, BadInput)
    assert str(result.exception).startswith(f"--judge {judge}: it does not search by visits; use a model,")


def test_a_judge_with_no_balanced_is_rejected():
    result = CliRunner().invoke(app, ["match", "random", "minimax:2", *GAME, "--judge", "playouts", "--no-balanced"])
    assert "--no-balanced allows all openings" in str(result.exception)


@pytest.mark.parametrize("text", ["5", "20,0", "a,b", "0,20,2,3"])
def test_an_invalid_sequential_test_is_rejected(text):
    result = CliRunner().invoke(app, ["match", "random", "random", *GAME, "--sprt", text])
    assert result.exit_code == 2
    assert "write ELO0,ELO1" in " ".join(result.output.replace("│", " ").split()), "whatever the width of the terminal"


def test_a_league_prints_all_ratings_and_continues_from_its_records(tmp_path):
    arguments = ["league", "random", "ucb:30", "minimax:3", *GAME, "--folder", tmp_path, "--pairs", 3]
    said = ludus(*arguments)
    assert all(name in said for name in ("random", "ucb@30", "minimax@3", "Elo"))
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == ["minimax@3--random.jsonl", "minimax@3--ucb@30.jsonl", "random--ucb@30.jsonl"]
    before = [(tmp_path / name).read_bytes() for name in files]
    again = ludus(*arguments)
    assert said == again
    assert before == [(tmp_path / name).read_bytes() for name in files]
    assert "ucb@30" in ludus("rate", tmp_path)


def test_a_league_in_another_order_plays_nothing_twice(tmp_path):
    ludus("league", "random", "minimax:3", *GAME, "--folder", tmp_path, "--pairs", 2)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    ludus("league", "minimax:3", "random", *GAME, "--folder", tmp_path, "--pairs", 2)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_file_that_is_named_twice_is_rated_once(tmp_path):
    file = tmp_path / "match.jsonl"
    ludus("match", "minimax:3", "random", *GAME, "--pairs", 3, "--record", file)
    assert ludus("rate", file, file, "--json") == ludus("rate", file, "--json")


def test_an_anchor_without_a_player_is_rejected_before_a_game_is_played(tmp_path):
    command = [
        "league",
        "random",
        "ucb:5",
        *GAME,
        "--folder",
        tmp_path / "new",
        "--anchor",
        "random",
        "--anchor",
        "ucb:5",
    ]
    result = CliRunner().invoke(app, [str(argument) for argument in command])
    assert isinstance(result.exception, BadInput)
    assert "ucb:5 has played no game; the players are random, ucb@5" in str(result.exception)
    assert not (tmp_path / "new").exists()


def test_one_scale_for_different_games_is_remarked_upon(tmp_path):
    for game in ("tictactoe", "wallgame:classic:3x3"):
        ludus("match", "random", "playouts:2", "--game", game, "--pairs", 1, "--record", tmp_path / f"{game}.jsonl")
    result = CliRunner().invoke(app, ["rate", str(tmp_path)])
    assert "ratings over different games (tictactoe; wallgame:classic:3x3)" in " ".join(result.output.split())


def test_a_match_warns_about_repeated_games():
    said = said_beside("match", "minimax:1", "minimax:2", *GAME, "--opening", 0, "--pairs", 3)
    assert "minimax@1 against minimax@2: 4 of the 6 games repeat another one" in said


@pytest.fixture
def broken_random(monkeypatch):
    """Make the random player fail at every position."""

    def choose(_self, _game, _states):
        raise RuntimeError("[no] idea")

    monkeypatch.setattr(RandomPlayer, "choose", choose)


@pytest.mark.usefixtures("broken_random")
@pytest.mark.parametrize("command", [["match"], ["match", "--json"], ["league"], ["rate"]], ids=" ".join)
def test_forfeits_are_reported_by_every_command_that_prints_results(tmp_path, command):
    players = ["random", "minimax:1", *GAME, "--pairs", 1]
    if command[0] == "match":
        said = said_beside(*command, *players)
    else:
        said = said_beside("league", *players, "--folder", tmp_path)
    if command[0] == "rate":
        said = said_beside("rate", tmp_path)
    forfeit = "forfeit: tictactoe, pair 0: random failed: RuntimeError: [no] idea\n"
    assert said.count(forfeit) == 2


def test_a_league_and_its_table_warn_about_repeated_games(tmp_path):
    said = said_beside(
        "league", "minimax:1", "minimax:2", *GAME, "--opening", 0, "--pairs", 3, "--folder", tmp_path, "--json"
    )
    remark = "minimax@1 against minimax@2: 4 of the 6 games repeat another one"
    assert remark in said
    assert remark in said_beside("rate", tmp_path)


@pytest.mark.parametrize(("text", "value"), [("0,inf", "inf"), ("0,100000", "100000.0"), ("-200000,0", "-200000.0")])
def test_hypotheses_out_of_range_are_rejected(text, value):
    result = CliRunner().invoke(app, ["match", "random", "minimax:1", *GAME, f"--sprt={text}"])
    assert result.exit_code == 2
    assert f"between -2000.0 and 2000.0, and is {value};" in " ".join(result.output.replace("│", " ").split())


@pytest.mark.parametrize("option", ["--seed=-1", "--pairs=1000000000000", "--opening=10000000000000"])
def test_numbers_out_of_range_are_refused(option):
    assert CliRunner().invoke(app, ["match", "random", "minimax:1", *GAME, option]).exit_code == 2


# ---- networks with equal names ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def namesakes(tmp_path_factory, save_tiny):
    """Return two different networks named `tiny-g3`."""
    folder = tmp_path_factory.mktemp("runs")
    return [f"{save_tiny(folder / run, seed=seed, generation=3)}:2" for seed, run in enumerate(("a", "b"))]


def test_two_networks_of_one_name_meet_under_names_that_do_not_depend_on_their_order(tmp_path, namesakes):
    def names(*order, file, seed):
        arguments = ["--pairs", 1, "--seed", seed, "--record", tmp_path / file, "--json"]
        said = json.loads(ludus("match", *order, *arguments))
        plan, _ = read_record(tmp_path / file)
        assert (said["a"], said["b"]) == (plan.a, plan.b)
        assert plan.a == f"tiny-g3@2#{plan.a_is[:8]}"
        return said["a"], said["b"]

    first, second = names(*namesakes, file="one", seed=0)
    assert names(*reversed(namesakes), file="two", seed=1) == (second, first)
    rated = json.loads(ludus("rate", tmp_path / "one", tmp_path / "two", "--json"))
    assert {rating["name"]: rating["games"] for rating in rated["ratings"]} == {first: 4, second: 4}


def test_one_network_may_still_meet_itself(namesakes):
    said = json.loads(ludus("match", namesakes[0], namesakes[0], "--pairs", 1, "--json"))
    assert (said["a"], said["b"]) == ("tiny-g3@2 (A)", "tiny-g3@2 (B)")


def test_a_league_of_two_networks_of_one_name_is_played_and_tells_them_apart(tmp_path, namesakes):
    arguments = ["--folder", tmp_path, "--pairs", 1, "--anchor", "random", "--json"]
    said = json.loads(ludus("league", *namesakes, "random", *arguments))
    names = {rating["name"] for rating in said["ratings"]}
    assert {name.partition("#")[0] for name in names} == {"random", "tiny-g3@2"}
    assert len(names) == 3
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert json.loads(ludus("league", "random", *reversed(namesakes), *arguments)) == said
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert {rating["name"] for rating in json.loads(ludus("rate", tmp_path, "--json"))["ratings"]} == names


def test_a_league_rejects_a_player_that_is_given_twice(tmp_path, namesakes):
    command = ["league", namesakes[0], namesakes[0], "--folder", str(tmp_path / "new")]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 2
    assert "a league needs different players" in " ".join(result.output.replace("│", " ").split())
    assert not (tmp_path / "new").exists()


def test_networks_that_never_met_are_two_players_though_they_share_a_name(tmp_path, namesakes):
    for number, path in enumerate(namesakes):
        ludus("match", path, "random", *GAME, "--pairs", 1, "--record", tmp_path / f"{number}.jsonl")
    alone = json.loads(ludus("rate", tmp_path / "0.jsonl", "--json"))
    assert {rating["name"] for rating in alone["ratings"]} == {"tiny-g3@2", "random"}
    both = json.loads(ludus("rate", tmp_path, "--anchor", "random", "--json"))
    assert {rating["name"]: rating["games"] for rating in both["ratings"]}["random"] == 4
    assert len(both["ratings"]) == 3


def matches(folder, *scores):
    """Write a run's matches between its generations, with the pairs of games that each side won."""
    folder.mkdir()
    results = [
        MatchResult(a, b, ["tictactoe"], 2 * won, 0, 2 * lost, [lost, 0, 0, 0, won], [9] * 2 * (won + lost), [], 0, 0)
        for a, b, won, lost in scores
    ]
    (folder / "matches.jsonl").write_bytes(b"".join(msgspec.json.encode(result) + b"\n" for result in results))
    return folder


def test_runs_meet_on_one_scale_by_their_fixed_opponent_alone(tmp_path):
    runs = [
        matches(tmp_path / run, ("gen-0001", "playouts-200", won, 10 - won), ("gen-0001", "gen-0000", 6, 4))
        for run, won in (("old", 6), ("new", 9))
    ]
    table = json.loads(ludus("rate", *runs, "--anchor", "playouts@200", "--json"))
    assert table["ratings"][0]["name"] == "new/gen-0001"
    assert {rating["name"]: rating["games"] for rating in table["ratings"]} == {
        "playouts@200": 40, "old/gen-0000": 20, "old/gen-0001": 40, "new/gen-0000": 20, "new/gen-0001": 40,
    }  # fmt: skip
    assert "old/" not in ludus("rate", runs[0])


def test_a_cycle_is_printed_with_its_three_scores(tmp_path):
    run = matches(tmp_path / "run", ("a", "b", 30, 10), ("b", "c", 28, 12), ("c", "a", 36, 4))
    assert "cycle: a beats b (75%), b beats c (70%), c beats a (90%)" in ludus("rate", run)
    assert "cycle" not in ludus(
        "rate", matches(tmp_path / "other", ("a", "b", 9, 8), ("b", "c", 9, 8), ("c", "a", 9, 8))
    )


# ---- limits in seconds, and of nodes ---------------------------------------------------------------------------------


@pytest.fixture
def at_once(monkeypatch):
    """Return a list of how many pairs of each match are played side by side."""
    asked = []

    def play(*arguments, **named):
        asked.append(named["at_once"])
        return play_match(*arguments, **named)

    monkeypatch.setattr("ludus.cli.strength.match.play_match", play)
    return asked


@pytest.mark.parametrize(
    ("options", "pairs", "noted"),
    [
        (["minimax:0.01s"], 1, False),
        (["playouts:0.01s"], 1, False),
        (["minimax:0.01s", "--sprt", "0,500"], 1, False),
        (["minimax:0.01s", "--at-once", "2"], 2, True),
        (["minimax:0.01s", "--at-once", "1"], 1, False),
        (["minimax:1"], None, False),
        (["minimax:1", "--sprt", "0,500"], 8, False),
        (["minimax:1", "--at-once", "2"], 2, False),
    ],
)
def test_players_by_the_clock_play_one_pair_after_another(at_once, options, pairs, noted):
    result = CliRunner().invoke(app, ["match", "random", *options, *GAME, "--pairs", "5"])
    assert result.exit_code == 0, result.output
    assert at_once == [pairs]
    assert ("favours players that evaluate many positions" in " ".join(result.output.split())) == noted


def test_in_a_league_only_those_by_the_clock_play_one_pair_after_another(tmp_path, at_once):
    players = ["league", "minimax:0.01s", "minimax:1", "random", *GAME, "--pairs", "2"]
    ludus(*players, "--folder", tmp_path / "one")
    assert at_once == [1, 1, None], "minimax@0.01s against minimax@1 and random, then these two"
    result = CliRunner().invoke(app, [*players, "--folder", str(tmp_path / "two"), "--at-once", "2"])
    assert at_once[3:] == [2, 2, 2]
    assert "favours players that evaluate many positions" in " ".join(result.output.split())


def test_a_solver_reports_moves_without_proof(tmp_path, monkeypatch):
    hasty = ConnectFourSolver(entries=1 << 10, most_nodes=100)
    monkeypatch.setattr("ludus.players.matches.roster.SolverPlayer", lambda seed: SolverPlayer(seed, solver=hasty))
    arguments = ["match", "random", "solver", "--opening", 0, "--pairs", 1]
    said = ludus(*arguments)
    assert "moves were not proved within its limit of nodes" in said
    assert "begin later, with --opening 8 or more" in said
    assert json.loads(ludus(*arguments, "--json"))["unproved"]["solver"] > 0
    league = CliRunner().invoke(app, ["league", "random", "solver", "--folder", str(tmp_path), "--pairs", "1"])
    assert "moves were not proved" in " ".join(league.output.split())


def test_a_solver_that_proved_every_move_reports_nothing():
    arguments = ["match", "random", "solver", "--opening", 26, "--pairs", 1]
    assert "proved" not in ludus(*arguments)
    assert json.loads(ludus(*arguments, "--json"))["unproved"] == {"solver": 0}
    assert "unproved" not in json.loads(ludus("match", "random", "minimax:1", *GAME, "--pairs", 1, "--json"))
