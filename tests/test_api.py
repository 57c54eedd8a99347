"""`ludus.train`, `ludus.match` and `ludus.analyse` do what the commands do, without printing."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.errors import BadInput, BadModel, BadPreset

ROOT = Path(__file__).parents[1]
SETTINGS = {
    "name": "small",
    "games": ["tictactoe"],
    "generations": 2,
    "workers": 1,
    "network": {"blocks": 1, "channels": 4, "head_channels": 2},
    "selfplay": {"games": 6, "first_games": 6, "visits": 4, "fast_visits": 2, "parallel": 2},
    "learner": {"batch": 8, "max_steps": 2},
    "match": {"pairs": 1, "visits": 2},
}


def test_a_run_is_trained_continued_and_read(tmp_path, capfd):
    heard = []
    first = ludus.train(SETTINGS | {"generations": 1}, tmp_path / "run", listener=heard.append)
    assert (len(first.metrics), first.model.name) == (1, "gen-0000.safetensors")
    assert {type(event).__name__ for event in heard} >= {"RunProgress", "GenerationMetrics", "MatchResult"}
    again = ludus.train(SETTINGS, tmp_path / "run")
    assert (len(again.metrics), again.model.name) == (2, "gen-0001.safetensors")
    assert again.metrics[0] == first.metrics[0], "what is done stays"
    assert ludus.load(again.model).info.generation == 1
    assert ludus.train(tmp_path / "run", minutes=1.0) == again, "a finished run is only read"
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"blocks": 1}, "there is no setting 'blocks'"),
        ({"generations": "two"}, "generations: expected a whole number"),
        ({"learner": {"batch": 0}}, "batch must be 1 or more"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path, wrong, complaint):
    with pytest.raises(BadPreset, match=re.escape(complaint)):
        ludus.train(SETTINGS | wrong, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_run_needs_a_folder(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="is not a folder"):
        ludus.train(SETTINGS, tmp_path / "file")


class First:
    """Plays the first legal action."""

    name = "random@2"  # such as a player of ours may be called

    def choose(self, game, states):
        return np.array([game.calls.legal(state.view(game.dtype))[0] for state in states], np.int16)


def test_a_player_of_ones_own_plays_a_match_that_can_be_repeated():
    played = []
    results = [
        ludus.match(First(), "minimax:2", game="tictactoe", pairs=4, opening=1, on_game=played.append) for _ in range(2)
    ]
    assert results[0] == results[1]
    assert (results[0].a, results[0].b, len(played)) == ("random@2", "minimax@2", 16)
    assert results[0].losses > results[0].wins


def test_a_player_against_itself_has_two_names():
    result = ludus.match("random", "random", game=["tictactoe"], pairs=2, balanced=False)
    assert (result.a, result.b) == ("random (A)", "random (B)")


@pytest.mark.parametrize(
    ("a", "options", "error", "complaint"),
    [
        ("random", {}, BadInput, "name one, such as"),
        ("random", {"game": "tictactoe", "pairs": 0}, BadInput, "1 pair or more"),
        ("nosuch", {"game": "tictactoe"}, BadModel, "neither a model's path or name nor a player"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(a, options, error, complaint):
    with pytest.raises(error, match=complaint):
        ludus.match(a, "random", **options)


def test_a_whole_game_is_analysed():
    position = ludus.game("tictactoe").start()
    for move in ("a1", "b1", "a2", "b2"):
        position = position.play(move)
    thoughts = ludus.analyse(position, visits=200)
    assert len(thoughts) == 5
    assert thoughts[-1].value == 1.0, "a3 wins"
    assert position.text(thoughts[-1].best[0]) == "a3"
    over = position.play("a3")
    assert len(ludus.analyse(over, visits=20)) == 5, "nothing is searched in a finished game"


def test_a_model_that_is_not_there_is_named():
    with pytest.raises(BadModel, match="nosuch"):
        ludus.analyse(ludus.game("tictactoe").start(), "nosuch")


def test_importing_the_package_loads_no_slow_library_for_these_functions():
    slow = ("torch", "openvino", "ludus.loop", "ray")
    code = f"import ludus, sys; print(*(name for name in {slow} if name in sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == ""


def test_the_page_of_python_lists_every_name_once():
    text = (ROOT / "docs/reference/python.md").read_text().partition("## Errors")[0]
    listed = re.findall(r"`ludus\.(\w+)`", text.replace("`ludus.Mind.load`", ""))
    assert sorted(set(listed)) == sorted(ludus.__all__)
    errors = set(re.findall(r"`(\w+)`", (ROOT / "docs/reference/python.md").read_text().partition("## Errors")[2]))
    own = [name for name in vars(ludus.errors) if isinstance(getattr(ludus.errors, name), type)]
    assert [name for name in own if name not in errors and name != "LudusError"] == []


def test_the_package_says_that_it_is_typed():
    assert (Path(ludus.__file__).parent / "py.typed").is_file()
