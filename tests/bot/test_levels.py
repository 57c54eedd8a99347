"""Bots from a folder of models: six levels each, the weakest first, measured levels if there are any."""

import pytest

from ludus.bot.levels import ModelGames, bots_of_models, find_models, in_one_engine, with_heuristics
from ludus.engine.ladder import Ladder, Rung, write_ladder
from ludus.errors import BadModel
from ludus.network.checkpoint import save_checkpoint, weights_fingerprint
from ludus.protocol.attach import bot_faults


@pytest.fixture
def model_in(flat_model):
    """Return a function that writes a model into a new folder and returns its checkpoint."""

    def write(folder, spec="connect4"):
        folder.mkdir()
        checkpoint = flat_model(spec, name="four")
        save_checkpoint(folder / "model.safetensors", checkpoint)
        return checkpoint

    return write


def test_a_model_becomes_six_bots_that_share_an_engine(tmp_path):
    specs = ("wallgame:classic:5x5@6x6", "wallgame:classic:6x6", "wallgame:standard:6x6", "wallgame:freestyle:12x10")
    file = bots_of_models([ModelGames(tmp_path / "walls", specs)], "token")
    assert [bot.level for bot in file.bots] == ["Beginner", "Casual", "Club", "Strong", "Expert", "Full"]
    assert [bot.list_order for bot in file.bots] == [1, 2, 3, 4, 5, 6]
    assert len({file.command_of(bot) for bot in file.bots}) == 1
    assert "--level=walls-beginner=30,10" in file.command_of(file.bots[0])
    assert all(not bot_faults(bot) for bot in file.bots)
    classic = file.bots[0].variants["classic"]
    assert [(size.board_width, size.board_height) for size in classic.recommended] == [(5, 5), (6, 6)]
    assert {bot.official_token for bot in file.registered_bots()} == {"token"}


def test_a_game_without_a_size_in_its_name_has_the_size_of_its_board(tmp_path):
    file = bots_of_models([ModelGames(tmp_path / "four", ("connect4",))])
    size = file.bots[0].variants["standard"].recommended[0]
    assert (file.bots[0].game, size.board_width, size.board_height) == ("connect4", 7, 6)


def test_the_main_game_starts_first_and_its_small_boards_before_large_ones(tmp_path, model_in):
    for name, spec in (("a", "connect4"), ("b", "wallgame:classic:8x8"), ("c", "wallgame:classic:5x5@6x6")):
        model_in(tmp_path / name, spec)
    assert [model.path.name for model in find_models(tmp_path)] == ["c", "b", "a"]


def test_bots_of_two_models_of_one_game_have_different_names(tmp_path):
    models = [ModelGames(tmp_path / name, ("connect4",)) for name in ("old", "new")]
    names = [bot.name for bot in bots_of_models(models).bots]
    assert len(set(names)) == 12
    assert "Pip (old)" in names


def test_a_model_of_two_games_gives_bots_of_both(tmp_path):
    file = bots_of_models([ModelGames(tmp_path / "both", ("connect4", "wallgame:classic:5x5"))])
    assert len({bot.bot_id for bot in file.bots}) == 12
    assert len({file.command_of(bot) for bot in file.bots}) == 1


def test_engines_read_the_evaluation_files_of_their_models(tmp_path):
    models, kept = [ModelGames(tmp_path / name, ("connect4",)) for name in ("old", "new")], tmp_path / "kept"
    kept.mkdir()
    (kept / "old.ev").touch()
    files = [bots_of_models(models, evaluations=kept, append=append) for append in (False, True)]
    commands = [[" ".join(file.command_of(file.bots[at])) for at in (0, 6)] for file in files]
    reads = [f"--evaluations {kept / name}.ev" for name in ("old", "new")]
    assert [reads[0] in commands[0][0], "--evaluations" in commands[0][1]] == [True, False]
    assert [f"{each} --append" in command for each, command in zip(reads, commands[1], strict=True)] == [True, True]


def test_games_that_no_model_plays_get_bots_with_heuristics(tmp_path):
    models = bots_of_models(
        [ModelGames(tmp_path / "walls", ("wallgame:classic:5x5@6x6", "wallgame:classic:6x6"))], "token"
    )
    groups = {
        "sense": ["wallgame:classic:6x6", "wallgame:classic:8x8"],
        "more": ["tictactoe"],
        "none": ["wallgame:classic:5x5"],
    }
    file = with_heuristics(models, groups)
    added = file.bots[:12]
    assert file.bots[12:] == models.bots, "the models' engines start last"
    assert {bot.game for bot in added} == {"wallgame", "tictactoe"}
    assert [(bot.variants["classic"].plays(6, 6), bot.variants["classic"].plays(8, 8)) for bot in added[:6]] == [
        (False, True)
    ] * 6
    assert [bot.level for bot in added] == 2 * [bot.level for bot in models.bots]
    assert not [fault for bot in added for fault in bot_faults(bot)]
    commands = list(dict.fromkeys(tuple(file.command_of(bot)) for bot in added))
    assert [[part for part in command if part.startswith("--sense=")] for command in commands] == [
        ["--sense=wallgame:classic:8x8"],
        ["--sense=tictactoe"],
    ]
    assert len({bot.bot_id for bot in file.bots}) == len(file.bots) == 18
    assert {bot.official_token for bot in file.registered_bots()} == {"token"}
    assert with_heuristics(models, {"sense": ["wallgame:classic:6x6"], "more": []}) == models
    twice = with_heuristics(models, {"own": ["tictactoe"], "sense": ["tictactoe"]})
    assert [bot.bot_id for bot in twice.bots[:-6]] == [f"own-tictactoe-{bot.level.lower()}" for bot in models.bots]


def test_a_folder_without_models_is_reported_with_the_remedy(tmp_path):
    with pytest.raises(BadModel, match=r"train one with `ludus train`, name .* \(--game mygame\.py\), or serve with"):
        find_models(tmp_path)
    assert find_models(tmp_path, are_needed=False) == []


def test_a_damaged_model_is_reported(tmp_path):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "model.safetensors").write_bytes(b"nonsense")
    with pytest.raises(BadModel, match="broken"):
        find_models(tmp_path)


def test_measured_levels_replace_the_default_ones(tmp_path, model_in):
    folder = tmp_path / "four"
    weights = weights_fingerprint(model_in(folder))
    rungs = [Rung(f"{8 * (1 + k)},1", 100 * k, 30) for k in range(6)]
    write_ladder(folder, Ladder(weights, 20, rungs))
    commands = bots_of_models(find_models(tmp_path)).engine_commands
    assert "--level=four-beginner=8,1" in commands["four-beginner"]
    write_ladder(folder, Ladder("of another network", 20, rungs))
    assert find_models(tmp_path)[0].levels == ()


def test_a_ladder_of_another_length_is_refused_with_the_remedy(tmp_path, model_in):
    folder = tmp_path / "four"
    weights = weights_fingerprint(model_in(folder))
    write_ladder(folder, Ladder(weights, 20, [Rung("8", 0, 0)]))
    with pytest.raises(BadModel, match=r"1 measured levels, not 6; run `ludus levels`"):
        find_models(tmp_path)


def test_all_models_and_heuristics_share_one_engine(tmp_path):
    models = [ModelGames(tmp_path / "four", ("connect4",)), ModelGames(tmp_path / "walls", ("wallgame:classic:5x5",))]
    before = with_heuristics(bots_of_models(models), {"sense": ["tictactoe"]})
    file = in_one_engine(before)
    (command,) = {file.command_of(bot) for bot in file.bots}
    assert file.bots == before.bots
    assert [each for each in command if each.startswith("--sense")] == ["--sense=tictactoe"]
    assert [command[at + 1] for at, each in enumerate(command) if each == "--model"] == [
        str(tmp_path / "four"),
        str(tmp_path / "walls"),
    ]
    assert sum(each.startswith("--level=") for each in command) == len(file.bots) == 18
    assert command.count("bgs") == 1


def test_a_model_with_a_board_of_another_one_keeps_its_own_engine(tmp_path):
    models = [
        ModelGames(tmp_path / "small", ("wallgame:classic:5x5", "wallgame:classic:8x8")),
        ModelGames(tmp_path / "within", ("wallgame:classic:6x6",)),
        ModelGames(tmp_path / "other", ("wallgame:standard:6x6",)),
    ]
    file = in_one_engine(bots_of_models(models))
    commands = {bot.bot_id: file.command_of(bot) for bot in file.bots}
    assert commands["small-full"] == commands["other-full"] != commands["within-full"]
    assert len(set(commands.values())) == 2


def test_an_engine_that_stores_evaluations_stays_apart(tmp_path):
    models = [ModelGames(tmp_path / "four", ("connect4",)), ModelGames(tmp_path / "toe", ("tictactoe",))]
    file = in_one_engine(bots_of_models(models, evaluations=tmp_path, append=True))
    assert len({file.command_of(bot) for bot in file.bots}) == 2
