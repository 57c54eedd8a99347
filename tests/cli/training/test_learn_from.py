"""`ludus learn-from` makes a model from game records, and reports files that it cannot read."""

from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import ludus
from ludus.cli.app import app
from ludus.cli.training.learn_from import teller
from ludus.errors import BadInput, BadModel, BadPreset, BadRecord
from ludus.games.behaviour import behaviour
from ludus.learner.losses import Losses
from ludus.loop.game_records.positions import games_of
from ludus.loop.game_records.readers import find_records, read_records
from ludus.network.checkpoint import load_checkpoint
from ludus.store import Samples, write_shard

GAME = ludus.game("tictactoe")


def random_games(num_games, seed=0, game=GAME):
    """Return games of random moves, with the played moves as policy targets."""
    rng, rows, legal = np.random.default_rng(seed), [], np.zeros(game.max_legal, np.int16)
    for number in range(num_games):
        state, played = game.start_state(), []
        while not int(game.rules.outcome(state)):
            action = int(rng.choice(legal[: int(game.rules.legal(state, legal))]))
            played.append((number, len(played), int(game.rules.to_play(state)), action, state.view(np.uint64).copy()))
            game.rules.play(state, action)
        rows += [(*row, int(game.rules.outcome(state))) for row in played]
    count = len(rows)
    return Samples(
        states=np.stack([row[4] for row in rows]),
        game=np.zeros(count, np.uint8),
        ply=np.array([row[1] for row in rows], np.int16),
        mover=np.array([row[2] for row in rows], np.uint8),
        action=np.array([row[3] for row in rows], np.int16),
        policy_start=np.arange(count + 1, dtype=np.int32),
        policy_action=np.array([row[3] for row in rows], np.int16),
        policy_weight=np.ones(count, np.float32),
        outcome=np.array([row[5] for row in rows], np.uint8),
        root_value=np.zeros(count, np.float32),
        root_draw=np.zeros(count, np.float32),
        surprise=np.zeros(count, np.float32),
        weight=np.ones(count, np.float32),
        network=np.full(count, -1, np.int32),
        game_id=np.array([row[0] for row in rows], np.int64),
    )


@pytest.fixture
def folder(tmp_path):
    for seed in range(2):
        path = tmp_path / "shards" / f"gen-000{seed}-0000.shard"
        write_shard(path, random_games(40, seed), rules_key=behaviour(GAME), names=["tictactoe"])
    (tmp_path / "preset.toml").write_text(
        'name = "taught"\ngames = ["tictactoe"]\n[network]\nblocks = 1\nchannels = 8\nhead_channels = 4\n'
        "[learner]\nbatch = 64\nvalidation = 0.2\nwarm_up = 2\n"
    )
    return tmp_path


def test_a_model_is_made_of_shards(folder):
    out = folder / "taught.safetensors"
    command = ["learn-from", str(folder / "shards"), "--preset", str(folder / "preset.toml"), "--out", str(out)]
    result = CliRunner().invoke(app, [*command, "--passes", "8", "--threads", "1"])
    assert result.exit_code == 0, result.output
    assert "2 files of games" in result.output
    assert "on games held out: policy" in result.output
    info = load_checkpoint(out).info
    assert (info.name, list(info.games)) == ("taught", ["tictactoe"])


@pytest.fixture
def learn(folder):
    """Return a function that learns from the shards with one thread, until an interrupt after some steps."""

    def learn(name, *more, portions=None):
        told = []

        def tell(done, _steps, _losses):
            told.append(done)
            if len(told) - 1 == portions:
                raise KeyboardInterrupt

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ludus.cli.training.learn_from.teller", lambda: tell)
            command = ["learn-from", str(folder / "shards"), "--preset", str(folder / "preset.toml"), "--threads", "1"]
            return CliRunner().invoke(app, [*command, "--out", str(folder / name), *more])

    return learn


def test_interrupted_learning_continues_to_the_same_model(folder, learn):
    assert learn("straight.safetensors", "--passes", "8").exit_code == 0
    stopped = learn("halted.safetensors", "--passes", "8", portions=7)
    assert stopped.exit_code == 128 + 2
    assert "halted.unfinished contains the progress, and the same command continues." in stopped.output
    assert not (folder / "halted.safetensors").exists()
    continued = learn("halted.safetensors", "--passes", "8")
    assert "continues after step" in continued.output
    assert (folder / "halted.safetensors").read_bytes() == (folder / "straight.safetensors").read_bytes()
    assert not list(folder.glob("*.unfinished"))


def test_a_model_is_taught_on_from_where_it_is(folder, learn):
    first, smaller = folder / "first.safetensors", folder / "smaller.safetensors"
    assert learn(first.name, "--passes", "4").exit_code == 0
    smaller.write_bytes(first.read_bytes())  # than the network that it becomes
    preset = folder / "preset.toml"
    preset.write_text(
        preset.read_text().replace("channels = 8", "channels = 12")
        + "learning_rate = 1e-9\nfinal_learning_rate = 1e-9\n"
    )
    result = learn("second.safetensors", "--passes", "1", "--start", str(smaller))
    assert result.exit_code == 0, result.output
    old, new = load_checkpoint(first), load_checkpoint(folder / "second.safetensors")
    np.testing.assert_allclose(new.arrays["stem.0.weight"][:8], old.arrays["stem.0.weight"], atol=1e-6)
    assert len(new.info.ancestors) == 1


def test_unfinished_learning_does_not_continue_from_another_start(folder, learn):
    for name, passes in (("one.safetensors", "1"), ("two.safetensors", "2")):
        learn(name, "--passes", passes)
    learn("halted.safetensors", "--start", str(folder / "one.safetensors"), portions=7)
    other = learn("halted.safetensors", "--start", str(folder / "two.safetensors"))
    assert isinstance(other.exception, BadInput)
    assert "continues after step" in learn("halted.safetensors", "--start", str(folder / "one.safetensors")).output


def test_unfinished_learning_does_not_continue_with_other_evaluations_of_the_same_games(folder, learn):
    learn("halted.safetensors", portions=7)
    path = folder / "shards" / "gen-0000-0000.shard"
    thought = replace(random_games(40), root_value=np.full(len(random_games(40)), 0.5, np.float32))
    write_shard(path, thought, rules_key=behaviour(GAME), names=["tictactoe"])
    assert isinstance(learn("halted.safetensors").exception, BadInput)


def test_a_missing_start_is_reported(learn):
    missing = learn("taught.safetensors", "--start", "nowhere.safetensors")
    assert isinstance(missing.exception, BadModel)
    assert "nowhere.safetensors" in str(missing.exception)


def test_a_schedule_that_needs_generations_is_rejected(folder, learn):
    with (folder / "preset.toml").open("a") as preset:
        preset.write('schedule = "plateau"\n')
    refused = learn("new.safetensors")
    assert isinstance(refused.exception, BadPreset)
    assert 'learner.schedule = "plateau" needs several generations' in str(refused.exception)


def test_a_start_of_the_same_board_lies_where_it_lay(folder, learn):
    assert learn("first.safetensors", "--passes", "1").exit_code == 0
    preset = folder / "preset.toml"
    preset.write_text(preset.read_text().replace("[network]", "start_offset = [1, 1]\n[network]", 1))
    assert learn("second.safetensors", "--passes", "1", "--start", str(folder / "first.safetensors")).exit_code == 0


def test_an_interrupt_before_the_first_save_is_reported(learn):
    assert "Interrupted too early to save any progress." in learn("halted.safetensors", portions=0).output


def test_an_unfinished_learning_is_not_mixed_with_another_one(folder, learn):
    learn("halted.safetensors", "--passes", "8", portions=7)
    other = learn("halted.safetensors", "--passes", "4")
    assert isinstance(other.exception, BadInput)
    assert "halted.unfinished: holds an unfinished training with other games or settings" in str(other.exception)
    assert (folder / "halted.unfinished").is_file()


def test_the_remaining_time_is_shown_from_the_second_part_on(monkeypatch, capsys):
    clock = iter([100.0, 130.0, 190.0])
    monkeypatch.setattr("ludus.cli.training.learn_from.time.monotonic", lambda: next(clock))
    tell = teller()
    for done in (10, 20, 40):
        tell(done, 40, Losses(1.0, 1.0, 0.0, done))
    first, second, last = capsys.readouterr().err.splitlines()
    assert second.endswith("; about 1 min 00 s to go"), "ten steps took half a minute, however long games were read"
    assert "to go" not in first + last


def test_the_losses_of_auxiliary_heads_are_shown(capsys):
    teller()(10, 40, Losses(1.0, 1.0, 0.0, 10, auxiliary={"maps": 0.25}))
    assert capsys.readouterr().err.startswith("step 10 of 40: policy 1.000, outcome 1.000, maps 0.250")


def test_games_are_renumbered_as_the_preset_lists_them(folder):
    path = folder / "shards" / "gen-0000-0000.shard"
    samples = read_records(path, [GAME])
    assert set(samples.game.tolist()) == {0}
    twice = read_records(path, [GAME, GAME])
    assert set(twice.game.tolist()) == {0}, "the first of that name"


@pytest.mark.parametrize(
    ("played", "taught"),
    [
        ("connect4", "connect4:ahead"),
        ("connect4:ahead", "connect4"),
        ("wallgame:classic:3x3", "wallgame:classic:3x3:ways"),
    ],
)
def test_games_teach_networks_that_see_other_planes(tmp_path, played, taught):
    game, path = ludus.game(played), tmp_path / "games.shard"
    samples = random_games(1, game=game)
    write_shard(path, samples, rules_key=behaviour(game), names=[played])
    read = read_records(path, [ludus.game("tictactoe"), ludus.game(taught)])
    assert set(read.game.tolist()) == {1}
    assert np.array_equal(read.states, samples.states)


def test_games_of_another_board_are_rejected(tmp_path):
    game, path = ludus.game("wallgame:classic:3x3@4x4"), tmp_path / "games.shard"
    write_shard(path, random_games(1, game=game), rules_key=behaviour(game), names=[game.name])
    with pytest.raises(BadInput, match=r"holds games of wallgame:classic:3x3@4x4, but the preset has wallgame"):
        read_records(path, [ludus.game("wallgame:classic:3x3:ways"), ludus.game("wallgame:classic:4x4")])


def test_a_shard_of_other_rules_is_rejected_for_any_order_of_games(folder):
    path = folder / "old.shard"
    write_shard(path, random_games(2), rules_key="0" * 16, names=["tictactoe"])
    with pytest.raises(BadRecord, match=r"old.shard: this shard was written with other rules \(0000000000000000"):
        read_records(path, [ludus.game("connect4"), GAME])


def test_games_that_the_preset_leaves_out_are_refused(folder):
    path = folder / "shards" / "gen-0000-0000.shard"
    with pytest.raises(BadInput, match=r"gen-0000-0000.shard: holds games of tictactoe, but the preset has connect4"):
        read_records(path, [ludus.game("connect4")])


def test_a_file_without_positions_is_reported_and_skipped(folder):
    path, faults = folder / "empty.shard", []
    write_shard(path, Samples.empty(2), rules_key=behaviour(GAME), names=["tictactoe"])
    assert len(read_records(path, [GAME], faults.append)) == 0
    assert faults == [f"{path}: it contains no positions."]


GO = {
    "empty.sgf": "",
    "broken.sgf": "(;SZ[3]KM[0.5];B[bb",
    "faulty.sgf": "(;SZ[3]KM[0.5];B[bb];W[bb])",
    "moveless.sgf": "(;SZ[3]KM[0.5]RE[B+1])",
}


@pytest.fixture
def learn_go(folder):
    """Return a function that learns from files of Go, and returns the command's result."""

    def learn_go(files, *options, network=""):
        for name, text in files.items():
            (folder / "go").mkdir(exist_ok=True)
            (folder / "go" / name).write_text(text)
        preset = folder / "preset.toml"
        text = preset.read_text().replace("tictactoe", "go:3x3").replace("= 0.2", "= 0.0")
        preset.write_text(text.replace("[network]\n", f"[network]\n{network}\n"))
        command = ["learn-from", str(folder / "go"), "--preset", str(preset), "--passes", "1", "--threads", "1"]
        return CliRunner().invoke(app, [*command, "--out", str(folder / "taught.safetensors"), *options])

    return learn_go


RESIGNED = {"resigned.sgf": "(;SZ[3]KM[0.5]RE[B+R];B[bb];W[aa])"}


def test_a_player_plays_resigned_games_on_for_the_final_maps(learn_go):
    result = learn_go(RESIGNED, "--play-on", "random", network='auxiliary = ["maps"]')
    assert result.exit_code == 0, result.output
    assert ", maps 0." in result.output


def test_nothing_is_played_on_for_a_network_without_final_maps(learn_go):
    result = learn_go(RESIGNED, "--play-on", "random")
    assert isinstance(result.exception, BadPreset)
    assert 'add auxiliary = ["maps"] under [network]' in str(result.exception)


def test_unusable_files_are_reported_and_the_others_are_used(learn_go):
    result = learn_go({**GO, "good.sgf": "(;SZ[3]KM[0.5];B[bb];W[];B[])"})
    assert result.exit_code == 0, result.output
    assert result.output.count("left out: ") == len(GO)
    assert all(f"{name}" in result.output for name in GO)
    assert "step 1 of" in result.output


def test_a_folder_without_usable_games_is_rejected(learn_go):
    result = learn_go(GO)
    assert isinstance(result.exception, BadInput)
    assert str(result.exception).startswith("All games are held out for validation: give more games")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nowhere.shard", r"nowhere.shard: not found; name game records \(.jsonl, .pgn, .sgf, .shard, .txt\)"),
        ("preset.toml", r"preset.toml: unknown ending .toml; game records end in .jsonl, .pgn, .sgf, .shard"),
        ("hollow", r"hollow: this folder contains no game records \(.pgn, .sgf, .shard\)"),
    ],
)
def test_invalid_game_records_are_named(folder, name, sentence):
    (folder / "hollow").mkdir()
    with pytest.raises(BadInput, match=sentence):
        find_records([folder / name])


def test_an_ending_in_capitals_is_the_same_ending(tmp_path):
    for name in ("a.SGF", "b.sgf", "c.Pgn", "notes.TXT"):
        (tmp_path / name).write_text("(;GM[1]SZ[9]RE[B+R];B[ee])" if "gf" in name.lower() else "1. e4 *")
    assert [path.name for path in find_records([tmp_path])] == ["a.SGF", "b.sgf", "c.Pgn"]
    assert len(read_records(tmp_path / "a.SGF", [ludus.game("go:9x9")])) > 0
    assert [len(played.positions) for played in games_of([tmp_path / "a.SGF"], [ludus.game("go:9x9")], print)] == [2]


def test_folders_and_files_are_read_in_order(folder):
    shards = folder / "shards"
    first, second = sorted(shards.iterdir())
    assert find_records([shards, first]) == [first, second, first]
