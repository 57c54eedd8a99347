"""The chosen settings fit the game and the machine, and their file loads as they are."""

import pytest

import ludus
from ludus import config
from ludus.games.check.run import Report
from ludus.loop.forecast.choice import Machine, as_file, choose_preset
from ludus.loop.preset import Preset

SMALL, SERVER, GPU = Machine(2, False), Machine(32, False), Machine(16, True)


def seen(length, branching=9.0):
    """Return statistics of random games of a length."""
    return Report("x", 40, 400, 1, length, int(length), 0.5, branching, 9, 9, 9, 0.4, 0.4, 0.2, 0.0, None)


def chosen(spec, machine=SMALL, length=30.0, **changed):
    return choose_preset(ludus.game(spec), "x", seen(length, **changed), machine)


@pytest.mark.parametrize("spec", ["tictactoe", "connect4", "wallgame:classic:8x8", "go:9x9", "chess"])
@pytest.mark.parametrize("machine", [SMALL, SERVER, GPU])
def test_a_preset_is_chosen_for_every_shape(spec, machine):
    preset = chosen(spec, machine, length=60.0)
    assert preset.make_games()[0].name == spec
    assert preset.gate.kind == "score", "only networks that are no worse play for people"


def test_larger_boards_get_larger_networks_and_longer_searches():
    presets = [chosen(spec) for spec in ("tictactoe", "connect4", "go:9x9", "go:19x19")]
    for name in ("channels", "blocks"):
        sizes = [getattr(preset.network, name) for preset in presets]
        assert sizes == sorted(sizes)
        assert sizes[0] < sizes[-1]
    visits = [preset.selfplay.visits for preset in presets]
    assert visits == sorted(set(visits))


def test_generations_have_as_many_positions_whatever_the_length():
    games = [chosen("connect4", length=length).selfplay.games for length in (15.0, 30.0, 60.0)]
    assert games == [500, 250, 120]
    assert chosen("connect4", length=5000.0).selfplay.games == 60


def test_generation_0_is_shorter_where_playouts_are_long():
    first = [chosen("connect4", length=length).selfplay.first_games for length in (15.0, 30.0, 100.0)]
    assert first == [1200, 600, 130]
    settings = chosen("connect4", length=300.0).selfplay
    assert settings.first_games == settings.games == 60
    assert chosen("go:19x19", length=300.0).selfplay.first_games == 140, "its heuristic needs no playouts"


def test_faster_machines_play_more_games():
    slow, fast, gpu = (chosen("connect4", machine) for machine in (SMALL, SERVER, GPU))
    assert fast.selfplay.games == 16 * slow.selfplay.games
    assert gpu.selfplay.games == 8 * slow.selfplay.games
    assert gpu.network.channels > slow.network.channels


def test_short_games_keep_something_to_play_after_random_actions():
    preset = chosen("tictactoe", length=7.5)
    assert preset.selfplay.random_actions == preset.match.opening_actions == 2


def test_noise_follows_the_number_of_legal_actions():
    alphas = [chosen("connect4", branching=branching).search.noise_alpha for branching in (2.0, 20.0, 2000.0)]
    assert alphas == [1.0, 0.5, 0.05]


def test_the_file_of_a_preset_holds_what_was_chosen_and_loads_again(tmp_path):
    preset, file = chosen("connect4"), tmp_path / "x.toml"
    text = as_file(preset, "Connect Four", SMALL)
    file.write_text(text)
    assert config.load(file, Preset) == preset
    assert text.startswith("# Connect Four: settings")
    assert "2 cores and no GPU" in text
    assert "generations = 30" in text
    assert "temperature" not in text, "defaults are left out"
