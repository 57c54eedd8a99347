"""A run plays its generations, and after an interruption ends with the same files as without one."""

import shutil
import threading

import msgspec
import pytest

from ludus.arena.summary import MatchResult
from ludus.errors import BadInput, BadModel, BadPreset, BadRecord, Unavailable
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import GenerationMetrics
from ludus.loop.directory.verify import verify
from ludus.loop.run import Run, RunProgress
from ludus.network.checkpoint import load_checkpoint
from ludus.selfplay import worker_pool as pool
from ludus.selfplay.settings import SelfplaySettings
from ludus.store import read_header, read_shard

BYTE_BY_BYTE = ("preset.toml", "shards/*.shard", "models/*.safetensors", "learner.safetensors", "matches.jsonl")
TIMES = {"selfplay_s", "learner_s", "match_s", "seconds", "evaluations", "simulations", "cache_hits", "evaluator_share",
         "search_share", "fill"}  # fmt: skip


class Interruption(BaseException):
    """A stand-in for KeyboardInterrupt."""


@pytest.fixture(scope="module")
def straight(tiny, tmp_path_factory):
    """Return the directory of an uninterrupted run, a copy after generation 0, and the events."""
    path, first = tmp_path_factory.mktemp("straight"), tmp_path_factory.mktemp("first")
    events = []

    def hear(event):
        events.append(event)
        if isinstance(event, GenerationMetrics) and event.generation == 0:
            shutil.copytree(path, first, dirs_exist_ok=True)

    Run(tiny, path / "", hear).go()
    return path, first, events


def assert_same_run(path, expected):
    def contents(folder):
        files = {file for pattern in BYTE_BY_BYTE for file in folder.glob(pattern)}
        return {str(file.relative_to(folder)): file.read_bytes() for file in files}

    found, wanted = contents(path), contents(expected)
    assert sorted(found) == sorted(wanted)
    for name in wanted:
        assert found[name] == wanted[name], name
    lines = zip(Folder(path).metrics(), Folder(expected).metrics(), strict=True)
    for one, other in (map(msgspec.to_builtins, pair) for pair in lines):
        for each in (one, other):
            each["losses"].pop("data_wait_share")  # differs between runs
        assert {key: one[key] for key in one.keys() - TIMES} == {key: other[key] for key in other.keys() - TIMES}
    assert {file.name for file in path.iterdir()} == {file.name for file in expected.iterdir()}


# ---- what a run leaves behind ----------------------------------------------------------------------------------------


def test_a_run_writes_all_its_files(straight, tiny):
    path, _, _ = straight
    folder = Folder(path)
    metrics = folder.metrics()
    assert [line.generation for line in metrics] == [0, 1]
    assert [line.facts.games for line in metrics] == [16, 12]
    for line in metrics:
        assert line.facts.positions == len(read_shard(folder.shards / f"gen-{line.generation:04}-0000.shard"))
        assert 0 <= line.facts.first_wins + line.facts.draws <= 1
        assert line.losses.steps == min(8, round(4.0 * line.facts.positions / 32))
        assert 1.5 < line.losses.policy < 3
        assert 0 < line.losses.outcome < 2
        assert line.elo is not None
        assert line.evaluations > 0
        assert line.evaluator_share + line.search_share == pytest.approx(1)
        info = load_checkpoint(folder.model(line.generation)).info
        assert (info.name, info.generation, info.network) == ("tiny", line.generation, tiny.network)
        assert list(info.games) == ["tictactoe"]
    assert read_header(folder.shards / "gen-0001-0000.shard").names == ["tictactoe"]
    pairs = [(match.a, match.b) for match in folder.matches()]
    assert pairs == [("gen-0000", "playouts-6"), ("gen-0001", "gen-0000"), ("gen-0001", "playouts-6")]
    assert all(sum(match.pairs) == 2 for match in folder.matches())


def test_wrong_resignations_are_counted_in_the_metrics(tiny, tmp_path):
    # A player resigns unless its win is certain, but resigning is disabled, so most first movers count as wrong.
    settings = {"resign_moves": 1, "resign_below": 1.0, "played_out_share": 1.0}
    selfplay = msgspec.structs.replace(tiny.selfplay, **settings)
    Run(msgspec.structs.replace(tiny, generations=1, selfplay=selfplay), tmp_path).go()
    (line,) = Folder(tmp_path).metrics()
    assert 0 < line.wrongly_resigned <= line.played_out <= 16


def test_a_listener_receives_everything_in_order(straight):
    _, _, events = straight
    stages = [(e.generation, e.stage) for e in events if isinstance(e, RunProgress)]
    assert list(dict.fromkeys(stages)) == [
        (generation, stage) for generation in (0, 1) for stage in ("self-play", "learning", "matches")
    ]
    assert all(0 <= event.done <= event.total for event in events if isinstance(event, RunProgress))
    assert sum(isinstance(event, MatchResult) for event in events) == 3
    assert [event.generation for event in events if isinstance(event, GenerationMetrics)] == [0, 1]


def test_the_same_preset_gives_the_same_run(straight, tiny, tmp_path):
    run = Run(tiny, tmp_path / "again")
    assert not run.continued
    run.go()
    assert_same_run(tmp_path / "again", straight[0])


def test_a_finished_run_has_nothing_left_to_do(straight, tiny, tmp_path):
    shutil.copytree(straight[0], tmp_path / "copy")
    events = []
    run = Run(tiny, tmp_path / "copy", events.append)
    assert run.continued
    run.go()
    assert events == []
    assert_same_run(tmp_path / "copy", straight[0])


def test_a_run_can_be_stopped_between_generations(straight, tiny, tmp_path):
    answers = iter([False, True])
    Run(tiny, tmp_path).go(until=lambda: next(answers))
    assert [line.generation for line in Folder(tmp_path).metrics()] == [0]
    Run(tiny, tmp_path).go()
    assert_same_run(tmp_path, straight[0])


def test_a_run_takes_the_largest_seed(tiny, tmp_path):
    Run(msgspec.structs.replace(tiny, seed=2**63 - 1), tmp_path).go()
    assert len(Folder(tmp_path).metrics()) == 2


# ---- interruptions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("generation", [0, 1])
@pytest.mark.parametrize("kind", ["self-play", "learning", "matches", "match", "metrics"])
def test_a_run_that_is_interrupted_ends_as_if_it_had_not_been(straight, tiny, tmp_path, kind, generation):
    def hear(event):
        if isinstance(event, RunProgress):
            stop = (event.stage, event.generation) == (kind, generation)
        elif isinstance(event, GenerationMetrics):
            stop = (kind, generation) == ("metrics", event.generation)
        else:
            stop = kind == "match" and event.a == f"gen-000{generation}"
        if stop:
            raise Interruption

    num_threads = threading.active_count()
    with pytest.raises(Interruption):
        Run(tiny, tmp_path, hear).go()
    assert threading.active_count() == num_threads, "no worker thread survives"
    assert not list(tmp_path.rglob("*.partial"))
    Run(tiny, tmp_path).go()
    assert_same_run(tmp_path, straight[0])


SHARD, MODEL, LEARNER = "shards/gen-0001-0000.shard", "models/gen-0001.safetensors", "learner.safetensors"


@pytest.mark.parametrize(
    ("written", "matches"),
    [([], 1), ([SHARD], 1), ([SHARD, MODEL], 1), ([SHARD, MODEL, LEARNER], 1), ([SHARD, MODEL, LEARNER], 2),
     ([SHARD, MODEL, LEARNER], 3)],
    ids=["nothing", "shard", "model", "learner", "one match", "all matches"],
)  # fmt: skip
@pytest.mark.parametrize("torn", [b"", b'{"generation":1,"ga'], ids=["clean", "torn"])
def test_a_run_killed_between_two_files_continues(straight, tiny, tmp_path, written, matches, torn):
    path, first, _ = straight
    shutil.copytree(first, tmp_path, dirs_exist_ok=True)
    for name in written:
        shutil.copy(path / name, tmp_path / name)
    lines = (path / "matches.jsonl").read_bytes().splitlines(keepends=True)
    half = b'{"a":"gen-00' if torn and matches < len(lines) else b""
    (tmp_path / "matches.jsonl").write_bytes(b"".join(lines[:matches]) + half)
    with (tmp_path / "metrics.jsonl").open("ab") as file:
        file.write(torn)
    Run(tiny, tmp_path).go()
    assert_same_run(tmp_path, path)


def test_a_worker_that_fails_ends_the_run_with_its_error(tiny, tmp_path, monkeypatch):
    real, started = pool.run_worker, threading.Barrier(3)

    def fail(*args, worker, **options):
        started.wait(300)
        if worker == 1:
            raise Unavailable("the second worker's trouble")
        return real(*args, worker=worker, **options)

    monkeypatch.setattr(pool, "run_worker", fail)
    num_threads = threading.active_count()
    with pytest.raises(Unavailable, match="the second worker's trouble"):
        Run(msgspec.structs.replace(tiny, deterministic=False), tmp_path, workers=3).go()
    assert threading.active_count() == num_threads
    assert not list(tmp_path.glob("shards/*"))


# ---- refusals --------------------------------------------------------------------------------------------------------


def test_the_directory_of_another_preset_is_refused(straight, tiny):
    other = msgspec.structs.replace(tiny, seed=1)
    with pytest.raises(
        Unavailable, match=r"holds a run of another preset .seed: 0 -> 1.*choose another --run directory"
    ):
        Run(other, straight[0])


def test_two_processes_do_not_train_in_one_directory(tiny, tmp_path):
    run = Run(tiny, tmp_path)
    with run.folder.locked(), pytest.raises(Unavailable, match="another process is training here"):
        run.go()
    assert not list(tmp_path.glob("shards/*"))


def test_a_directory_that_cannot_be_made_is_refused(tiny, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Unavailable, match="cannot be written"):
        Run(tiny, tmp_path / "file" / "run").go()


@pytest.mark.parametrize("name", [SHARD, "shards/gen-0000-0000.shard", "models/gen-0000.safetensors", LEARNER])
def test_a_damaged_file_is_reported(straight, tiny, tmp_path, name):
    from ludus.errors import LudusError

    path, first, _ = straight
    shutil.copytree(first, tmp_path, dirs_exist_ok=True)
    data = (path / name).read_bytes()
    (tmp_path / name).write_bytes(data[: len(data) // 2])
    with pytest.raises(LudusError, match=name.split("/")[-1]):
        Run(tiny, tmp_path).go()
    assert len(Folder(tmp_path).metrics()) == 1


@pytest.mark.parametrize("name", ["models/gen-0001.safetensors", LEARNER])
def test_one_wrong_bit_among_the_numbers_is_noticed(straight, tmp_path, name):
    path, _, _ = straight
    shutil.copytree(path, tmp_path, dirs_exist_ok=True)
    assert verify(Folder(tmp_path)) == []
    data = bytearray((path / name).read_bytes())
    data[-9] ^= 1
    (tmp_path / name).write_bytes(bytes(data))
    (fault,) = verify(Folder(tmp_path))
    assert name.split("/")[-1] in fault
    assert "damaged" in fault


@pytest.mark.parametrize("generation", [None, 0, 7])
def test_a_learner_of_another_generation_is_refused(straight, tiny, tmp_path, generation):
    path, _, _ = straight
    shutil.copytree(path, tmp_path, dirs_exist_ok=True)
    folder = Folder(tmp_path)
    kept = folder.load_learner()
    assert kept is not None
    if generation is None:
        (tmp_path / LEARNER).unlink()
    else:
        folder.save_learner(kept.arrays, generation, kept.losses)
    longer = msgspec.structs.replace(tiny, generations=3)
    (tmp_path / "preset.toml").unlink()
    with pytest.raises(BadRecord, match=r"learner\.safetensors is"):
        Run(longer, tmp_path).go()


# ---- learning --------------------------------------------------------------------------------------------------------


def test_a_network_that_learned_beats_random_play_without_search(tiny, tmp_path):
    import ludus
    from ludus.arena.match import play_match
    from ludus.learner.settings import LearnerSettings
    from ludus.network.config import NetworkSettings
    from ludus.network.openvino import evaluator_of
    from ludus.players.matches.search_player import SearchPlayer
    from ludus.players.opponents.random import RandomPlayer
    from ludus.selfplay.settings import SelfplaySettings

    preset = msgspec.structs.replace(
        tiny,
        generations=3,
        network=NetworkSettings(blocks=1, channels=16, head_channels=8),
        selfplay=SelfplaySettings(games=250, first_games=400, parallel=50, visits=40, full_share=1.0),
        learner=LearnerSettings(batch=128, max_steps=120, learning_rate=5e-3),
        match=msgspec.structs.replace(tiny.match, pairs=0),
    )
    run = Run(preset, tmp_path)
    run.go()
    player = SearchPlayer("learned", evaluator_of(load_checkpoint(run.folder.model(2))), visits=1)
    result = play_match([ludus.game("tictactoe")], player, RandomPlayer(), pairs=100, seed=0)
    assert result.score > 0.85
    assert Folder(tmp_path).metrics()[-1].elo is None, "there were no matches"


def test_a_limit_that_cuts_off_passes_is_reported_with_the_generation(straight, tiny):
    path, _, events = straight
    (first, _) = Folder(path).metrics()
    asked = tiny.learner.steps_asked(first.facts.positions)
    assert first.losses.steps == 8 < asked
    said = [alarm.text for alarm in first.alarms if alarm.kind == "steps"]
    assert len(said) == 1
    assert f"learner.max_steps allows 8 of the {asked} training steps" in said[0]
    assert first in events, "the listener gets the alarm with the metrics"


def test_fast_searched_positions_request_fewer_steps(tiny, tmp_path):
    given_up = msgspec.structs.replace(
        tiny.selfplay, resign_moves=1, resign_below=1.0, played_out_share=0.0, accelerated_visits=4
    )
    learner = msgspec.structs.replace(tiny.learner, max_steps=100)
    preset = msgspec.structs.replace(tiny, generations=1, selfplay=given_up, learner=learner)
    run = Run(preset, tmp_path)
    run.go()
    weights = read_shard(run.folder.shards / "gen-0000-0000.shard").weight
    (line,) = run.folder.metrics()
    assert weights.sum() < 0.5 * line.facts.positions
    assert line.losses.steps == learner.steps_asked(float(weights.sum())) < learner.steps_asked(len(weights))
    assert not [alarm for alarm in line.alarms if alarm.kind == "steps"]


@pytest.mark.parametrize("device", ["gpu", "cuda:7", "openvino:0", "", "cuda:"])
def test_a_device_that_is_not_here_is_refused_before_anything_is_played(tiny, tmp_path, device):
    refusal = rf"^tiny: device is '{device}', and this machine has .*openvino, torch(, \w+)*; name"
    with pytest.raises(BadPreset, match=refusal):
        Run(msgspec.structs.replace(tiny, device=device), tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("device", ["auto", "openvino", "torch", "cuda", "cuda:0", "cuda:1"])
def test_a_device_that_is_here_is_accepted(tiny, tmp_path, monkeypatch, device):
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    Run(msgspec.structs.replace(tiny, device=device), tmp_path)


def test_a_start_that_is_missing_is_refused_before_its_first_teacher_plays(tiny, tmp_path):
    preset = msgspec.structs.replace(tiny, start=str(tmp_path / "nowhere"), first_teacher="playouts")
    with pytest.raises(BadModel, match="nowhere: there is no"):
        Run(preset, tmp_path / "run", listener=lambda event: pytest.fail(str(event))).go()


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        ({"start": "nowhere"}, BadModel),
        ({"first_teacher": "heuristic"}, BadPreset),
        ({"openings_from": ("nowhere.shard",), "selfplay": SelfplaySettings(opening_share=0.5)}, BadInput),
    ],
)
def test_a_run_that_cannot_begin_leaves_its_directory_to_the_mended_preset(tiny, tmp_path, wrong, kind):
    with pytest.raises(kind):
        Run(msgspec.structs.replace(tiny, **wrong), tmp_path).go()
    mended = Run(tiny, tmp_path)
    assert not mended.continued


def test_learners_that_this_machine_cannot_have_are_refused_before_anything_is_played(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    odd = msgspec.structs.replace(tiny, learner=msgspec.structs.replace(tiny.learner, batch=33, processes=0))
    with pytest.raises(BadPreset, match=r"^tiny: learner\.batch is 33, which 2 processes cannot share evenly; choose"):
        Run(odd, tmp_path)
    many = msgspec.structs.replace(tiny, learner=msgspec.structs.replace(tiny.learner, batch=33, processes=3))
    with pytest.raises(Unavailable, match=r"learner\.processes is 3, and each needs its own GPU"):
        Run(many, tmp_path)


def test_a_negative_number_of_workers_is_refused(tiny, tmp_path):
    with pytest.raises(BadPreset, match="--workers -1: name 1 or more"):
        Run(tiny, tmp_path, workers=-1)


def test_a_run_whose_games_all_validate_is_refused(tiny, tmp_path):
    few = msgspec.structs.replace(
        tiny,
        selfplay=msgspec.structs.replace(tiny.selfplay, games=1, first_games=1),
        learner=msgspec.structs.replace(tiny.learner, validation=0.1),
    )
    with pytest.raises(BadPreset, match="all games are held out for validation"):
        Run(few, tmp_path).go()


@pytest.mark.parametrize("missing", [0, 1])
def test_a_missing_shard_of_a_complete_generation_is_reported(straight, tiny, tmp_path, missing):
    path, _, _ = straight
    shutil.copytree(path, tmp_path, dirs_exist_ok=True)
    (tmp_path / f"shards/gen-{missing:04}-0000.shard").unlink()
    with pytest.raises(
        BadRecord, match=rf"gen-{missing:04}-0000\.shard: the shard is missing; restore it from a backup"
    ):
        Run(msgspec.structs.replace(tiny, generations=3), tmp_path).go()
