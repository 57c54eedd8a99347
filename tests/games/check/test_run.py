"""The checker's report: statistics, short examples, and equal results for equal seeds."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ludus
from ludus.cli.app import app
from ludus.games import tictactoe
from ludus.games.check.run import check
from ludus.games.wallgame.layout import VARIANTS


def game_with(play, **changes):
    parts = {
        "name": "changed",
        "state_size": 10,
        "num_actions": 9,
        "planes": (2, 3, 3),
        "max_actions": 9,
        "start": tictactoe.start,
        "to_play": tictactoe.to_play,
        "legal": tictactoe.legal,
        "outcome": tictactoe.outcome,
        "encode": tictactoe.encode,
    }
    return ludus.Game(play=play, **{**parts, **changes})


def play_badly_on_a_crossed_centre(state, action):
    """Fail to pass the turn (to a third player) at cell 8 when a cross is in the centre."""
    tictactoe.play(state, action)
    if action == 8 and state[4] == 1:
        state[9] = 2


@pytest.mark.parametrize(
    "name",
    [
        "tictactoe",
        pytest.param("connect4:ahead", marks=pytest.mark.full),
        *(f"wallgame:{variant}:5x4" for variant in VARIANTS),
    ],
)
def test_the_built_in_games_keep_every_law(name):
    report = check(ludus.game(name), games=6)
    assert report.breach is None
    assert report.games == 6


def test_the_report_agrees_with_exact_statistics_of_random_tic_tac_toe():
    report = check(ludus.game("tictactoe"), games=200, seed=1)
    assert report.positions == round(200 * (report.mean_length + 1))
    assert 0.5 < report.first_moves < 5 / 9  # the first player makes 5 of 9 actions, 4 of 8
    assert (report.longest, report.most_branching, report.num_symmetries, report.capped) == (9, 9, 8, 0.0)
    assert (report.num_actions, report.actions_seen) == (9, 9)
    # Exact shares of random play: 737/1260, 121/420 and 8/63; three standard errors of 200 games are 0.105.
    assert report.first_wins == pytest.approx(737 / 1260, abs=0.105)
    assert report.second_wins == pytest.approx(121 / 420, abs=0.105)
    assert report.draws == pytest.approx(8 / 63, abs=0.105)


def test_actions_that_are_never_legal_show_in_the_report():
    report = check(game_with(tictactoe.play, num_actions=14), games=20)
    assert (report.breach, report.num_actions, report.actions_seen) == (None, 14, 9)


def test_the_example_is_the_shortest_that_breaks_the_law():
    breach = check(game_with(play_badly_on_a_crossed_centre), games=200).breach
    assert (breach.law, breach.actions) == ("turn", [4, 8])
    assert breach.board == "moves: 0 1 2 3 5 6 7"


def play_aloud(state, action):
    tictactoe.play(state, action)
    if state[4] == 1:
        print("the centre", action)


def start_aloud(state):
    print("a new game")
    tictactoe.start(state)


def test_a_rule_that_prints_breaks_the_law_pure(capsys):
    breach = check(game_with(play_aloud), games=200).breach
    line = play_aloud.__code__.co_firstlineno + 3
    assert (breach.law, breach.actions) == ("pure", [4])
    assert breach.what.startswith(f"play() prints 'the centre' (test_run.py, line {line}); searches would")
    assert capsys.readouterr().out == ""


def test_a_function_that_searches_do_not_call_may_print(capsys):
    assert check(game_with(tictactoe.play, start=start_aloud), games=2).breach is None
    assert "a new game" in capsys.readouterr().out


def test_the_example_is_shown_in_the_games_notation():
    game = game_with(play_badly_on_a_crossed_centre, action_text=tictactoe.action_text, describe=tictactoe.describe)
    breach = check(game, games=200).breach
    assert breach.moves[0] == "b2"
    assert breach.board.splitlines()[1] == "2  .   x   ."


def test_equal_seeds_give_equal_reports():
    games = [check(ludus.game("tictactoe"), games=15, seed=seed) for seed in (3, 3, 4)]
    assert games[0] == games[1]
    assert games[0] != games[2]


def test_games_that_the_cap_ends_are_counted():
    game = game_with(tictactoe.play, max_actions=6)
    report = check(game, games=60)
    assert report.breach is None
    assert 0.3 < report.capped < 1.0
    assert report.longest == 6


def test_progress_runs_from_zero_to_the_total():
    told = []
    check(ludus.game("tictactoe"), games=5, progress=lambda what, done, total: told.append((what, done, total)))
    assert told[0][1] == 0
    assert told[-1][1] == told[-1][2] == 5
    assert all(0 <= done <= total for _, done, total in told)


def test_the_command_names_the_law_and_fails(tmp_path):
    file = tmp_path / "mygame.py"
    source = Path(tictactoe.__file__).read_text()
    file.write_text(source.replace("state[TURN] = 1 - player", "state[TURN] = 1 - player if action != 8 else 2"))
    result = CliRunner().invoke(app, ["check", str(file), "--games", "100"])
    assert result.exit_code == 1
    assert "the law `turn` breaks" in result.stdout
    assert "after    8\n  moves    c1\n" in result.stdout


def test_interrupting_an_endless_rule_names_the_rule(tmp_path):
    file = tmp_path / "mygame.py"
    source = Path(tictactoe.__file__).read_text()
    endless = "    if action == 8:\n        raise KeyboardInterrupt  # as Ctrl-C does\n    state[TURN] = 1 - player"
    file.write_text(source.replace("    state[TURN] = 1 - player", endless))
    result = CliRunner().invoke(app, ["check", str(file)])
    line = 1 + file.read_text()[: file.read_text().index("raise KeyboardInterrupt")].count("\n")
    assert result.exit_code == 130
    assert f"Interrupted in play() at {file}, line {line}." in result.stderr


def test_the_command_describes_a_sound_game():
    result = CliRunner().invoke(app, ["check", "tictactoe", "--games", "20"])
    assert result.exit_code == 0
    assert "laws hold in 20 random games" in result.stdout
    assert "  actions    9 of 9 were legal at least once\n" in result.stdout
    assert "of the actions are the first player's\n" in result.stdout


def test_a_game_that_ends_by_its_heuristic_alone_breaks_no_law():
    def play(state, action):  # the centre ends the game, and random games seldom find it among two thousand actions
        state[0] = 1 if action == 4 else 0
        state[9] = 1 - state[9]

    def legal(state, actions):
        for action in range(2000):
            actions[action] = action
        return 2000

    def outcome(state):
        return ludus.FIRST_WINS if state[0] else ludus.ONGOING

    def encode(state, planes):
        planes[0] = state[9]

    def heuristic(state, actions, count, weights):
        for number in range(count):
            weights[number] = 1.0 if actions[number] == 4 else 0.0
        return 0.0

    parts = {"legal": legal, "outcome": outcome, "encode": encode, "num_actions": 2000, "max_actions": 4}
    breach = check(game_with(play, **parts), games=20).breach
    assert breach.law == "ends"
    assert breach.what.startswith("none of 20 random games ended within 4 actions; if the rules are right, raise max_")
    report = check(game_with(play, heuristic=heuristic, **parts), games=20)
    assert report.breach is None
    assert report.capped == 1.0


def test_slow_games_are_checked_less_but_not_too_little():
    assert check(ludus.game("tictactoe"), games=50, stage_s=0.0).games == 20


def test_a_turn_that_never_passes_shows_in_the_report(tmp_path):
    file = tmp_path / "mygame.py"
    source = Path(tictactoe.__file__).read_text()
    file.write_text(source.replace("state[TURN] = 1 - player", "state[TURN] = player"))
    result = CliRunner().invoke(app, ["check", str(file), "--games", "20"])
    assert result.exit_code == 0  # it may be intended
    asked = "the first player makes every action; does play() pass the turn, and to_play() read it?"
    assert f"  turns      {asked}\n" in result.stdout


def test_diagnostics_of_the_compiler_are_not_shown(tmp_path):
    source = (Path(__file__).parents[3] / "examples" / "breakthrough.py").read_text()
    mixed = 'def whose(state):\n    names = {"a": 1, 2: "b"}\n    return len(names) - 2\n\n\ngame = '
    path = tmp_path / "mixed.py"
    path.write_text(source.replace("game = ", mixed).replace("to_play=lambda state: int(state[TURN])", "to_play=whose"))
    run = [sys.executable, "-m", "ludus", "check", str(path), "--games", "1"]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert "rule to_play() does not compile" in done.stdout
    assert "Warning" not in done.stdout + done.stderr
