"""The gate of a run: only a better network plays, the choice is kept on disk, and nothing is played twice."""

import msgspec
import pytest

from ludus import config
from ludus.errors import BadPreset
from ludus.loop import gate
from ludus.loop.gate import choose_player
from ludus.loop.run import Run
from ludus.rating import GateSettings


def gated(preset, **settings):
    return msgspec.structs.replace(preset, gate=GateSettings(**settings))


def played_by(run, generation):
    from ludus.store import read_shard

    (shard,) = run.folder.shards.glob(f"gen-{generation:04}-*.shard")
    return {int(network) for network in read_shard(shard, rules_key=run._stage.rules).network}


@pytest.fixture
def three(tiny):
    return msgspec.structs.replace(tiny, generations=3)


def test_without_a_gate_every_network_plays(three, tmp_path):
    run = Run(three, tmp_path)
    run.go()
    assert [line.playing for line in run.folder.metrics()] == [None, None, None]
    assert [played_by(run, generation) for generation in (1, 2)] == [{0}, {1}]


@pytest.mark.parametrize(("score", "players"), [(0.999, [{0}, {0}]), (0.001, [{0}, {1}])])
def test_the_old_network_plays_on_unless_the_new_one_is_better(three, tmp_path, score, players):
    run = Run(gated(three, kind="score", score=score), tmp_path)
    run.go()
    passes = [match.score >= score for match in run.folder.matches() if match.a == "gen-0001" and match.b == "gen-0000"]
    assert len(passes) == 1
    expected = [None, None if passes[0] else 0]
    assert [line.playing for line in run.folder.metrics()][:2] == expected
    assert [played_by(run, generation) for generation in (1, 2)] == [{0}, {1} if passes[0] else {0}]
    if not passes[0]:
        assert played_by(run, 2) == players[1] == {0}


def test_a_sequential_gate_decides(three, tmp_path):
    run = Run(gated(three, kind="sprt"), tmp_path)
    run.go()
    assert run.folder.metrics()[1].playing == 0, "two pairs prove nothing, and what is not proved does not pass"


def test_a_match_that_was_played_is_not_played_again(three, tmp_path, monkeypatch):
    run = Run(gated(three, kind="score", score=0.5), tmp_path)
    run.go()
    monkeypatch.setattr(gate, "play_match", None)
    lines = run.folder.metrics()
    for generation in (1, 2):
        before = lines[generation - 1].playing
        playing = generation - 1 if before is None else before
        found = choose_player(run._stage, generation, playing)
        assert found == (generation if lines[generation].playing is None else lines[generation].playing)


@pytest.mark.parametrize("change", [{"mode": "pipelined", "deterministic": False}, {"match": {"pairs": 0}}])
def test_a_gate_that_cannot_work_is_refused(three, change):
    builtins = msgspec.to_builtins(gated(three, kind="score"))
    match = builtins["match"] | change.pop("match", {})
    with pytest.raises(msgspec.ValidationError, match="gate needs"):
        msgspec.convert(builtins | change | {"match": match}, type(three))


def test_a_misspelt_setting_of_the_gate_is_refused(tmp_path):
    for text in ('kinds = "score"', "[sprt]\nalfa = 0.3"):
        (tmp_path / "gate.toml").write_text(text)
        with pytest.raises(BadPreset, match=r"kinds|alfa"):
            config.load(tmp_path / "gate.toml", GateSettings)


def test_a_setting_of_the_gates_test_leaves_the_others_as_they_are(tmp_path):
    (tmp_path / "gate.toml").write_text("[sprt]\nalpha = 0.01")
    loaded = config.load(tmp_path / "gate.toml", GateSettings).sprt
    assert (loaded.alpha, loaded.elo0, loaded.elo1) == (0.01, GateSettings().sprt.elo0, GateSettings().sprt.elo1)
    assert loaded.elo1 == 35.0
