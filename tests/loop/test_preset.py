"""Presets are found and read; errors name the setting and the remedy."""

from pathlib import Path

import pytest

from ludus import config
from ludus.errors import BadGame, BadPreset
from ludus.loop import preset as preset_module
from ludus.loop.preset import Preset, find_preset, load_preset
from ludus.trust import permit

EXAMPLE = Path(__file__).parents[2] / "examples" / "breakthrough.py"


@pytest.fixture(autouse=True)
def own_files(tmp_path):
    permit(str(EXAMPLE), str(tmp_path / "other.py"))


EXAMPLES = {*EXAMPLE.parent.glob("*.toml")} - {*EXAMPLE.parent.glob("*.lesson.toml")}
GOOD = 'name = "mine"\ngames = ["connect4"]\n'


@pytest.fixture
def written(tmp_path):
    def written(text):
        (tmp_path / "mine.toml").write_text(text)
        return str(tmp_path / "mine.toml")

    return written


def test_missing_settings_have_defaults(written):
    preset = load_preset(written(GOOD))
    assert (preset.name, preset.games, preset.generations, preset.search.cpuct) == ("mine", ["connect4"], 20, 2.0)
    assert [game.name for game in preset.make_games()] == ["connect4"]


def test_a_preset_survives_the_disk(written, tiny):
    assert load_preset(written(config.dump(tiny))) == tiny


def test_paths_of_a_preset_start_at_its_folder(tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "mine.toml").write_text(
        'name = "mine"\ngames = ["game.py:5x5", "connect4"]\nstart = "../old/model.safetensors"\n'
        'openings_from = ["records", "/elsewhere/x.pgn"]\n[selfplay]\nopening_share = 0.5\n'
    )
    monkeypatch.chdir(tmp_path)
    preset = load_preset("mine/mine.toml")
    assert preset.games == ["mine/game.py:5x5", "connect4"]
    assert preset.start == "old/model.safetensors"
    assert preset.openings_from == ("mine/records", "/elsewhere/x.pgn")


@pytest.mark.parametrize("preset", sorted(EXAMPLES), ids=lambda path: path.stem)
def test_presets_of_the_examples_find_their_games_from_every_folder(preset, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load_preset(str(preset)).games == [str(preset.with_suffix(".py"))]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("games = []", "games must name 1 to 256 games"),
        ("generations = 0", "generations must be 1 or more"),
        ("seed = -1", "seed must be between 0 and"),
        (f"seed = {2**63}", "seed must be between 0 and 9223372036854775807, and is 9223372036854775808."),
        ("workers = -2", "settings: workers must be 0 or more, and is -2."),
        ('first_teacher = "playout"', "first_teacher: 'playout' is none of auto, heuristic, playouts, uniform"),
        ('generations = "many"', "generations: expected a whole number"),
        ("[network]\nchannels = 0", "network: channels must be 1 or more, and is 0."),
        ("[network]\nblocks = 1001", "network: blocks must be between 0 and 1000, and is 1001."),
        ("[boost]\nprior = 0.0", "boost: prior must be above 0.0 and at most 1.0, and is 0.0."),
        ("[gate.sprt]\nalpha = 0.5", "gate.sprt: alpha must be above 0.0 and below 0.5, and is 0.5."),
        ("[[shares]]\nshares = [-1]", "shares[0]: shares[0] must be 0.0 or more, and is -1."),
        ("[[shares]]\nshares = [0]", "shares must be finite and not all 0"),
        ("[search]\nleaves = 0", "search: leaves must be 1 to 1024"),
        ("[selfplay]\nfast_visits = 1", "selfplay: fast_visits must be between 2 and 10000000, and is 1."),
        ("[selfplay]\nvisit = 3", "no setting 'selfplay.visit'; did you mean 'visits'"),
        ("[learner]\naveraging = 1.0", "learner: averaging must be 0.0 or more and below 1.0, and is 1.0."),
        ("[learner.window]\nshortest = 0", "learner.window: shortest must be 1 or more, and is 0."),
        ("[match]\nanchor_every = 0", "match: anchor_every must be 1 or more, and is 0."),
        ("[match]\nprevious = [0]", "match: previous[0] must be 1 or more, and is 0."),
        ("[match]\npairs = -1", "match: pairs must be 0 or more, and is -1."),
        ("[search\n", "this is not TOML"),
    ],
)
def test_a_broken_preset_is_refused(written, text, sentence):
    games = "" if text.startswith("games") else 'games = ["connect4"]\n'
    path = written(f'name = "mine"\n{games}{text}\n')
    with pytest.raises(BadPreset) as caught:
        load_preset(path)
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(path)
    assert "\n" not in str(caught.value)


def test_a_missing_game_file_is_refused_with_the_preset_that_names_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "mine.toml").write_text('name = "mine"\ngames = ["mygame.py"]\n')
    with pytest.raises(BadGame) as caught:
        load_preset("sub/mine.toml").make_games()
    asked = f"sub/mygame.py: there is no such file in {tmp_path} (the preset mine names it)"
    assert str(caught.value) == f"{asked}; check the path, or name the file with --game if it has moved."


def test_games_that_cannot_share_a_network_are_refused():
    boards = ["wallgame:classic:5x5", "wallgame:classic:6x6"]
    with pytest.raises(BadPreset, match=r"mine: wallgame:classic:6x6 and wallgame:classic:5x5 cannot share .*frame"):
        Preset(name="mine", games=boards).make_games()
    with pytest.raises(BadPreset, match="cannot share one network"):
        Preset(name="mine", games=["connect4", "tictactoe"]).make_games()
    assert len(Preset(name="mine", games=["wallgame:classic:5x5@6x6", "wallgame:standard:6x6"]).make_games()) == 2


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("not (state[:CELLS] == 2).any()", "False", "code of their rule outcome() differs; one compiled code must"),
        ("planes=(3,", "planes=(4,", "they have 4 and 3 planes; choose options"),
        ("planes=(3, SIZE,", "planes=(3, SIZE + 1,", "their planes are of 7x6 and 6x6 cells; lay the smaller board"),
        ("num_actions=STEPS * CELLS", "num_actions=109", "they have 109 and 108 actions; number the actions"),
        (
            "max_actions=85,",
            "plane_scale=(0.5, 1.0, 1.0), max_actions=85,",
            "their `plane_scale` differs; declare the same",
        ),
        ("max_actions=85,", "max_legal=54, max_actions=85,", "their max_legal is 54 and 108; declare the larger one"),
        ("state_size=CELLS + 1", "state_size=CELLS + 9", "their states have 6 and 5 words; declare the larger"),
        (
            "state_size=CELLS + 1",
            'dtype="int8", state_size=CELLS + 1',
            "their dtype is int8 and uint8; declare the same",
        ),
    ],
)
def test_only_the_first_difference_between_games_is_reported(tmp_path, old, new, sentence):
    source = EXAMPLE.read_text()
    assert old in source
    (tmp_path / "other.py").write_text(source.replace(old, new))
    with pytest.raises(BadPreset) as caught:
        Preset(name="mine", games=[str(EXAMPLE), str(tmp_path / "other.py")]).make_games()
    _, found = str(caught.value).split("cannot share one network: ")
    assert sentence in found
    assert found.count(";") == 1


@pytest.mark.parametrize(
    ("games", "sentence"),
    [
        (["go:9x9:japanese", "go:9x9"], "their states have 186 and 23 words; choose boards and options that agree in"),
        (["connect4:ahead", "connect4"], "they have 8 and 28 planes; choose boards and options that agree in it, or a"),
        (["chess", "go:9x9"], "the code of their rule to_play() differs; train a network for each."),
        (["go:9x9", "go:13x13"], "their planes are of 13x13 and 9x9 cells; lay the smaller board in the frame of the"),
        (["connect4", str(EXAMPLE)], "one compiled code must serve both"),
    ],
)
def test_remedies_for_built_in_games_do_not_change_their_declarations(games, sentence):
    with pytest.raises(BadPreset) as caught:
        Preset(name="mine", games=games).make_games()
    assert sentence in str(caught.value)


@pytest.mark.parametrize("rules", ["", ":chinese", ":history:marking"])
@pytest.mark.parametrize("boards", [("9x9@19x19", "19x19"), ("19x19", "13x13@19x19", "9x9@19x19:plies=200")])
def test_boards_of_go_share_a_network_in_the_frame_of_the_largest(boards, rules):
    games = [f"go:{board}{rules}" for board in boards]
    assert [game.name for game in Preset(name="mine", games=games).make_games()] == games


def test_games_that_begin_elsewhere_share_a_network(tmp_path):
    (tmp_path / "other.py").write_text(EXAMPLE.read_text().replace("state[: 2 * SIZE] = 1", "state[:SIZE] = 1"))
    assert len(Preset(name="mine", games=[str(EXAMPLE), str(tmp_path / "other.py")]).make_games()) == 2


@pytest.mark.parametrize(
    ("name", "actions"),  # of a game of the first teacher: measured, or the maximum for chess-seed
    [("connect4-laptop", 15), ("gomoku-laptop", 51), ("wallgame-small", 51), ("chess-seed", 200)],
)
def test_the_first_generation_of_a_shipped_preset_takes_all_requested_steps(name, actions):
    preset = load_preset(name)
    assert preset.learner.steps_asked(preset.selfplay.num_games(0) * actions) <= preset.learner.max_steps


def test_a_missing_game_is_reported():
    with pytest.raises(BadGame, match="no game 'conect4'"):
        Preset(name="mine", games=["conect4"]).make_games()


def test_shipped_presets_are_found_by_name(tmp_path, monkeypatch):
    monkeypatch.setattr(preset_module, "PRESETS", tmp_path)
    (tmp_path / "one.toml").write_text(GOOD)
    (tmp_path / "two.toml").write_text(GOOD)
    assert find_preset("one") == tmp_path / "one.toml"
    with pytest.raises(BadPreset, match=r"There is no preset 'three'; shipped: one, two; or give the path"):
        find_preset("three")
    with pytest.raises(BadPreset, match=r"there is no such file"):
        load_preset(str(tmp_path / "three.toml"))


def test_a_path_is_taken_as_it_is(written):
    assert str(find_preset(written(GOOD))) == written(GOOD)
