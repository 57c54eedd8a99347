"""The gate of a run: only a better network plays, the choice is kept on disk, and nothing is played twice."""

import msgspec
import pytest

from ludus import config, lines
from ludus.errors import BadPreset
from ludus.loop.preset import load_preset
from ludus.loop.run import Run
from ludus.loop.stages import gate
from ludus.loop.stages.gate import choose_player
from ludus.loop.stages.measure import anchor, rating_of
from ludus.players.opponents.random import RandomPlayer
from ludus.rating import GateSettings
from ludus.rating.gate import GateTest


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
    run = Run(gated(three, kind="sprt", most_pairs=6, sprt=GateTest(elo1=400.0)), tmp_path)
    run.go()
    match, measured = [match for match in run.folder.matches() if (match.a, match.b) == ("gen-0001", "gen-0000")]
    assert sum(match.pairs) == 6, "not the pairs of other matches"
    assert (match.sequential, measured.sequential) == (True, False)
    assert sum(measured.pairs) == three.match.pairs, "a test that ends when it is clear measures nothing"
    passes = run.preset.gate.passes(match.pairs, is_last=True)
    assert run.folder.metrics()[1].playing == (None if passes else 0)


class Hopeless:
    """Loses every game: it knows no legal action."""

    def __init__(self, name):
        self.name = name

    def choose(self, game, states):
        raise ValueError(f"{game.name}: no idea")


@pytest.fixture
def choosing(tiny, tmp_path, monkeypatch):
    """Return a function that lets generation 1 ask for the place of generation 0, and returns who plays, and the match.

    Networks play at random; the hopeless one of them loses every game.
    """

    def choosing(hopeless=None, pairs=2, **settings):
        preset = msgspec.structs.replace(tiny, match=msgspec.structs.replace(tiny.match, pairs=pairs))
        run = Run(gated(preset, **settings), tmp_path)

        def player_of(_stage, generation):
            player = Hopeless("") if generation == hopeless else RandomPlayer(generation)
            player.name = f"gen-{generation:04}"
            return player

        monkeypatch.setattr(gate, "player_of", player_of)
        chosen = choose_player(run._stage, 1, 0)
        (match,) = run.folder.matches()
        return chosen, match

    return choosing


@pytest.mark.parametrize("pairs", [2, 0])
def test_a_sequential_gate_lets_a_better_network_pass_however_few_pairs_other_matches_have(choosing, pairs):
    chosen, match = choosing(hopeless=0, pairs=pairs, kind="sprt")
    assert (chosen, match.pairs) == (1, [0, 0, 0, 0, 2 * gate.WAVE]), "31 pairs show it, and two waves have them"


def test_a_sequential_gate_refuses_a_worse_network_long_before_its_last_pair(choosing):
    chosen, match = choosing(hopeless=1, kind="sprt")
    assert (chosen, match.pairs) == (0, [2 * gate.WAVE, 0, 0, 0, 0])


def test_a_network_about_which_a_sequential_gate_is_undecided_does_not_pass(choosing):
    chosen, match = choosing(kind="sprt", most_pairs=31)
    assert (chosen, sum(match.pairs)) == (0, 31)
    assert GateTest().verdict(match.pairs) is None


def test_a_gate_of_a_score_plays_the_pairs_of_other_matches(choosing):
    chosen, match = choosing(hopeless=0, pairs=3, kind="score", most_pairs=1)
    assert (chosen, match.pairs) == (1, [0, 0, 0, 0, 3])
    assert not match.sequential, "so many pairs were to be played, come what may"


@pytest.mark.parametrize(
    "settings", [{"kind": "score", "score": 0.5}, {"kind": "sprt", "most_pairs": 6, "sprt": GateTest(elo1=400.0)}]
)
def test_a_match_that_was_played_is_not_played_again(three, tmp_path, monkeypatch, settings):
    run = Run(gated(three, **settings), tmp_path)
    run.go()
    monkeypatch.setattr(gate, "meet", None)
    lines = run.folder.metrics()
    for generation in (1, 2):
        before = lines[generation - 1].playing
        playing = generation - 1 if before is None else before
        found = choose_player(run._stage, generation, playing)
        assert found == (generation if lines[generation].playing is None else lines[generation].playing)


@pytest.fixture
def rated(tiny, tmp_path, match):
    """Return a function that gives the rating of generation 1 after these matches, beside one that generation 0 had."""

    def rated(*matches):
        stage = Run(tiny, tmp_path / f"{len(matches)}")._stage
        for each in (match("gen-0000", anchor(tiny).name), *matches):
            stage.folder.note(each)
        return rating_of(stage, 1)

    return rated


def test_a_match_that_a_test_has_ended_is_not_rated(rated, match):
    tested = msgspec.structs.replace(match(), wins=4, losses=0, draws=0, sequential=True)
    assert rated(match(), tested) == pytest.approx(rated(match()))


def test_who_has_met_others_in_such_a_match_alone_has_no_rating(rated, match):
    assert rated(msgspec.structs.replace(match(), sequential=True)) is None


def test_matches_of_early_versions_are_read_as_they_were_rated(tiny, tmp_path, match):
    folder = Run(tiny, tmp_path).folder
    old = msgspec.to_builtins(match())
    del old["sequential"]
    (folder.path / "matches.jsonl").write_bytes(lines.sealed(old))
    assert folder.matches() == [match()]


@pytest.mark.parametrize("change", [{"mode": "pipelined", "deterministic": False}, {"match": {"pairs": 0}}])
def test_a_gate_that_cannot_work_is_refused(three, change):
    builtins = msgspec.to_builtins(gated(three, kind="score"))
    match = builtins["match"] | change.pop("match", {})
    with pytest.raises(msgspec.ValidationError, match="gate needs"):
        msgspec.convert(builtins | change | {"match": match}, type(three))


def test_a_gate_that_nobody_can_pass_is_refused_in_a_sentence(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\ngames = ["tictactoe"]\n[gate]\nkind = "sprt"\nmost_pairs = 20\n')
    with pytest.raises(BadPreset) as caught:
        load_preset(str(file))
    assert str(caught.value) == (
        f"{file}: gate: most_pairs = 20 lets nobody pass: even who wins every game needs 31 pairs in this test; "
        "give so many or more, or a larger sprt.elo1."
    )
    file.write_text(file.read_text().replace("20", "31"))
    assert load_preset(str(file)).gate.most_pairs == 31


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
