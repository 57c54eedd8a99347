"""Players are found by name, and invalid names are refused with an error."""

from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.errors import BadGame, BadInput, BadModel
from ludus.games import registry
from ludus.games.behaviour import behaviour
from ludus.network.checkpoint import Checkpoint, ModelInfo, save_checkpoint
from ludus.network.config import NetworkSettings, Shapes
from ludus.players.matches.roster import caveat, find_player, games_of, is_timed
from ludus.players.matches.search_player import MOST_VISITS_BY_CLOCK, SearchPlayer

CONNECT4, WALLGAME = ludus.game("connect4"), ludus.game("wallgame:classic:3x3")
BREAKTHROUGH = Path(__file__).parents[3] / "examples" / "breakthrough.py"
START = CONNECT4.start_state().view(np.uint64)[None]


def model_of(folder, *games, seed=0):
    from ludus.network.model import draw_arrays

    network, shapes = NetworkSettings(blocks=1, channels=4, head_channels=2), Shapes.of(games[0])
    info = ModelInfo("tiny", network, shapes, {game.name: behaviour(game) for game in games}, generation=3)
    save_checkpoint(folder / "model.safetensors", Checkpoint(info, draw_arrays(network, shapes, seed=seed)))
    return str(folder)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return model_of(tmp_path_factory.mktemp("model"), CONNECT4)


def test_built_in_players_have_their_own_visits():
    names = ["heuristic:30", "playouts:20", "heuristic", "random", "ucb:40", "ucb", "heuristic:.02s"]
    players = [find_player(name, WALLGAME, visits=7) for name in names]
    expected = ["heuristic@30", "playouts@20", "heuristic@7", "random", "ucb@40", "ucb@7", "heuristic@0.02s"]
    assert [player.name for player in players] == expected
    assert [player.visits for player in players if isinstance(player, SearchPlayer)][:3] == [30, 20, 7]
    position = WALLGAME.start()
    for player in players:
        assert int(player.choose(WALLGAME, position.state.view(np.uint64)[None])[0]) in position.actions


@pytest.mark.parametrize("game", [CONNECT4, ludus.game("chess"), ludus.game("tictactoe")])
def test_a_heuristic_player_is_refused_for_games_without_a_heuristic(game):
    with pytest.raises(BadInput, match=f"heuristic:30: {game.name} has no heuristic; name playouts or ucb instead"):
        find_player("heuristic:30", WALLGAME, game, visits=7)


@pytest.mark.parametrize(
    ("name", "timed"),
    [
        ("minimax", True),
        ("minimax:2s", True),
        ("playouts:.5s", True),
        ("some/model:1s", True),
        ("minimax:3", False),
        ("playouts:50", False),
        ("some/model:8,2", False),
        ("some/model", False),
        ("solver", False),
    ],
)
def test_a_limit_in_seconds_is_recognised_in_the_name(name, timed):
    assert is_timed(name) == timed


def test_a_model_is_found_by_its_path(model):
    player = find_player(model, CONNECT4, visits=12)
    assert (player.name, player.visits) == ("tiny-g3@12", 12)
    assert 0 <= int(player.choose(CONNECT4, START)[0]) < 7
    assert games_of(model) == ("connect4",)
    assert games_of("solver", "random", model) == ("connect4",)
    assert games_of("playouts:30") == games_of() == ()


@pytest.mark.parametrize(
    ("suffix", "label", "visits"),
    [
        (":30", "tiny-g3@30", 30),
        (":8,2.5", "tiny-g3@8,2.5", 8),
        (":0.5s", "tiny-g3@0.5s", MOST_VISITS_BY_CLOCK),
        ("", "tiny-g3@12", 12),
    ],
)
def test_a_model_may_have_a_limit_of_its_own(model, suffix, label, visits):
    player = find_player(model + suffix, CONNECT4, visits=12)
    assert (player.name, player.visits) == (label, visits)
    assert games_of(model + suffix) == ("connect4",)


def test_minimax_has_a_caveat_for_games_without_a_survey():
    wallgame = ludus.game("wallgame:classic:4x4")
    assert caveat("minimax:3", CONNECT4, wallgame).startswith("minimax:3: connect4 has no survey for minimax")
    assert [caveat("minimax", wallgame), caveat("random", CONNECT4)] == ["", ""]


def test_minimax_has_a_depth_or_a_time():
    names = {"minimax:3": "minimax@3", "minimax:0.25s": "minimax@0.25s", "minimax": "minimax@1s"}
    assert {name: find_player(name, CONNECT4, visits=9).name for name in names} == names
    assert int(find_player("minimax:3", CONNECT4, visits=9).choose(CONNECT4, START)[0]) in range(7)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("minimax:deep", "write the depth or the seconds"),
        ("minimax:99", "minimax looks at most 60 actions ahead"),
        ("ucb:1s", "write the number of playouts"),
        ("ucb:x", "write the number of playouts"),
        ("random:5", "random needs no limit"),
        ("solver:1s", "solver needs no limit"),
        ("minimax:0s", "an action needs some time"),
        ("no/such/model:0.0s", "an action needs some time"),
    ],
)
def test_an_invalid_limit_is_refused(name, said):
    with pytest.raises(BadInput, match=f"{name}: {said}"):
        find_player(name, CONNECT4, visits=9)


def test_the_solver_plays_only_connect_four():
    assert games_of("solver") == games_of("random", "solver") == ("connect4",)
    assert find_player("solver", ludus.game("connect4:ahead"), visits=1).name == "solver"
    assert find_player("solver", CONNECT4, visits=1).name == "solver"
    with pytest.raises(BadInput, match="solver: plays only connect4, not tictactoe"):
        find_player("solver", ludus.game("tictactoe"), visits=1)


def test_a_model_must_fit_every_game(model):
    with pytest.raises(BadModel, match="tiny was not trained on tictactoe"):
        find_player(model, CONNECT4, ludus.game("tictactoe"), visits=5)


def test_a_model_sees_its_own_planes_in_a_game_of_the_same_rules(tmp_path, model):
    ahead = ludus.game("connect4:ahead")
    states, position = [], CONNECT4.start()
    for column in (3, 3, 2, 4, 1, 2, 2):
        states.append(position.state.view(np.uint64).copy())
        position = position.play(column)
    states = np.stack(states)
    for own, other, path in ((ahead, CONNECT4, model_of(tmp_path, ahead)), (CONNECT4, ahead, model)):
        chosen = [find_player(path, game, visits=30).choose(game, states).tolist() for game in (own, other)]
        assert chosen[0] == chosen[1]


def test_a_model_is_refused_for_a_variant_with_other_planes(tmp_path):
    path = model_of(tmp_path, ludus.game("wallgame:classic:5x5@6x6:ways"))
    assert find_player(path, ludus.game("wallgame:classic:5x5@6x6"), visits=5).name == "tiny-g3@5"
    for other in ("wallgame:standard:5x5@6x6", "wallgame:classic:5x5", "wallgame:classic:6x6"):
        with pytest.raises(BadModel, match=f"{other} has planes"):
            find_player(path, ludus.game(other), visits=5)


@pytest.mark.parametrize("name", ["playouts:fast", "playouts:-3", "playouts:0", "heuristic:1.5", "playouts:²"])
def test_an_invalid_number_of_visits_is_refused(name):
    with pytest.raises(BadInput, match=f"{name}: write the number of visits"):
        find_player(name, CONNECT4, visits=9)


@pytest.mark.parametrize("name", ["models/nothing-here", ""])
def test_a_missing_model_is_reported(name):
    with pytest.raises(BadModel, match="there is no model here"):
        find_player(name, CONNECT4, visits=5)


@pytest.mark.parametrize("within", ["models/gen-0003.safetensors", "gen-0003.safetensors", "it/model.safetensors"])
def test_a_folder_with_a_model_inside_is_refused_with_the_models_path(tmp_path, within):
    (tmp_path / within).parent.mkdir(exist_ok=True)
    (tmp_path / within).touch()
    with pytest.raises(BadModel, match=f"there is no model here .*; the newest model in it is {tmp_path / within}"):
        find_player(str(tmp_path), CONNECT4, visits=5)


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("playout", "players are random, heuristic, playouts, ucb, minimax, solver; did you mean 'playouts'?"),
        ("heuristics:400", "players are random, .*, solver; did you mean 'heuristic'?"),
        ("zzzz", r"players are random, .*, solver\.$"),
    ],
)
def test_an_unknown_word_is_refused_with_the_list_of_players(tmp_path, monkeypatch, name, remedy):
    monkeypatch.chdir(tmp_path)
    message = f"'{name.partition(':')[0]}' is neither a model's path or name nor a player; {remedy}"
    for ask in (games_of, lambda name: find_player(name, CONNECT4, visits=5)):
        with pytest.raises(BadModel, match=message.replace("?", r"\?")):
            ask(name)


def test_a_missing_file_of_a_game_is_reported_with_the_model_that_needs_it(tmp_path):
    path = tmp_path / "mygame.py"
    path.write_bytes(BREAKTHROUGH.read_bytes())
    model = model_of(tmp_path, ludus.game(str(path)))
    path.unlink()
    registry._game.cache_clear()  # as in another process
    with pytest.raises(BadGame) as caught:
        games_of(model)
    assert str(caught.value) == (
        f"{path}: there is no such file (the model tiny was trained on it); check the path, or name the file with "
        "--game if it has moved."
    )


def test_networks_of_one_name_have_different_identities(model, tmp_path):
    own = find_player(model, CONNECT4, visits=12)
    other = find_player(model_of(tmp_path, CONNECT4, seed=1), CONNECT4, visits=12)
    assert own.name == other.name
    assert own.identity == find_player(model, CONNECT4, visits=12).identity != other.identity
    assert find_player("minimax:2", CONNECT4, visits=12).identity == ""


def test_an_omitted_number_of_visits_is_that_of_the_match():
    assert find_player("heuristic:", WALLGAME, visits=9).visits == 9
