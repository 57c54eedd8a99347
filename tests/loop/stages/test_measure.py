"""Matches of a run start from balanced openings; its gate passes only better networks and never repeats a match."""

import msgspec
import numpy as np
import pytest

from ludus import config, lines
from ludus.arena.balance import Balance
from ludus.arena.match import play_match
from ludus.arena.table import Tables
from ludus.errors import BadInput, BadPreset
from ludus.loop.preset import load_preset
from ludus.loop.run import Run
from ludus.loop.stages import measure
from ludus.loop.stages.measure import anchor, choose_player, rating_of
from ludus.players.opponents.random import RandomPlayer
from ludus.rating import GateSettings
from ludus.rating.gate import GateTest

PAIRS = 12


class Uneven:
    """A balance check that rejects every opening."""

    def __init__(self, _seed):
        pass

    def __call__(self, _game, states):
        return np.zeros(len(states), bool)


def random_player(_stage, generation):
    player = RandomPlayer(generation)
    player.name = measure.name_of(generation)
    return player


@pytest.fixture
def stage_of(tiny, tmp_path, monkeypatch):
    """Return a function that makes the stage of a run of random players, given the length of openings."""

    def stage_of(opening_actions):
        match = msgspec.structs.replace(tiny.match, pairs=PAIRS, opening_actions=opening_actions)
        preset = msgspec.structs.replace(tiny, match=match, gate=GateSettings(kind="score"))
        return Run(preset, tmp_path)._stage

    monkeypatch.setattr(measure, "player_of", random_player)
    return stage_of


@pytest.fixture
def seen(monkeypatch):
    """Return a list that collects the games of all matches."""
    seen = []

    def play(*players, on_game, **plan):
        return play_match(*players, **plan, on_game=lambda game: (seen.append(game), on_game(game)))

    monkeypatch.setattr(measure, "play_match", play)
    return seen


def openings(game, seen):
    """Return the positions after the openings of games [K, words]."""
    positions = [game.start() for _ in seen]
    for number, each in enumerate(seen):
        for action in each.actions[: each.opening]:
            positions[number] = positions[number].play(action)
    return np.array([position.state.view(np.uint64) for position in positions])


@pytest.mark.parametrize("stage_name", ["measure", "gate"])
def test_matches_of_a_run_begin_with_balanced_openings(stage_of, seen, stage_name):
    stage = stage_of(4)
    if stage_name == "gate":
        measure.choose_player(stage, 1, 0)
    else:
        measure.measure(stage, 1)
    (game,), balance = stage.games, Balance(stage.seed(1))
    assert len(seen) == {"measure": 4, "gate": 2}[stage_name] * PAIRS
    assert balance(game, openings(game, seen)).all()
    drawn = Tables(game, 2 * PAIRS)
    drawn.open_with(4, stage.seed(1))
    assert not balance(game, drawn.words).all(), "unfiltered openings are not all balanced"


def test_a_run_continues_if_hardly_any_opening_is_balanced(stage_of, seen, monkeypatch):
    monkeypatch.setattr(measure, "Balance", Uneven)
    stage = stage_of(3)
    (game,), (one, other) = stage.games, (random_player(stage, generation) for generation in (0, 1))
    result = measure.meet(stage, 1, one, other, pairs=PAIRS)
    assert sum(result.pairs) == PAIRS
    drawn = Tables(game, 2 * PAIRS)
    drawn.open_with(3, stage.seed(1))
    by_pair = sorted(seen, key=lambda each: each.pair)
    assert (openings(game, by_pair) == drawn.words).all(), "the first openings are used unfiltered"


def test_generations_without_matches_that_lead_to_the_anchor_have_no_rating(stage_of, monkeypatch):
    stage = stage_of(0)
    settings = msgspec.structs.replace(stage.preset.match, previous=[2], anchor_every=4)
    stage.preset = msgspec.structs.replace(stage.preset, match=settings, generations=20)
    for generation in range(5):
        measure.measure(stage, generation)
    rated = [generation for generation in range(5) if measure.rating_of(stage, generation)]
    assert rated == [0, 2, 4], "the others only played each other"


def test_matches_without_random_actions_begin_at_the_start_even_if_it_is_not_balanced(stage_of, seen, monkeypatch):
    monkeypatch.setattr(measure, "Balance", lambda _seed: lambda *_asked: pytest.fail("the start is not checked"))
    stage = stage_of(0)
    measure.measure(stage, 1)
    assert {each.opening for each in seen} == {0}


def test_progress_counts_the_games_of_all_matches_of_a_generation(tiny, tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr(measure, "player_of", random_player)
    stage = Run(tiny, tmp_path, told.append)._stage
    measure.measure(stage, 1)
    against_the_last, against_the_anchor = range(5), range(4, 9)
    assert [(each.stage, each.done, each.total) for each in told] == [
        ("matches", games, 8) for games in [*against_the_last, *against_the_anchor]
    ]


def test_openings_that_end_the_game_are_reported(stage_of):
    stage = stage_of(9)
    with pytest.raises(BadInput, match="tictactoe: 9 random actions end the game; choose shorter openings"):
        measure.measure(stage, 1)


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
    assert sum(match.pairs) == 6, "the gate has its own number of pairs"
    assert (match.sequential, measured.sequential) == (True, False)
    assert sum(measured.pairs) == three.match.pairs, "a sequential test does not count as a measurement"
    passes = run.preset.gate.passes(match.pairs, is_last=True)
    assert run.folder.metrics()[1].playing == (None if passes else 0)


class Hopeless:
    """A player that loses every game by returning an illegal action."""

    def __init__(self, name):
        self.name = name

    def choose(self, game, states):
        raise ValueError(f"{game.name}: no idea")


@pytest.fixture
def choosing(tiny, tmp_path, monkeypatch):
    """Return a function that plays the gate's match of generation 1 against 0; it returns the winner and the match.

    Networks play at random, except that the `hopeless` one loses every game.
    """

    def choosing(hopeless=None, pairs=2, **settings):
        preset = msgspec.structs.replace(tiny, match=msgspec.structs.replace(tiny.match, pairs=pairs))
        run = Run(gated(preset, **settings), tmp_path)

        def player_of(_stage, generation):
            player = Hopeless("") if generation == hopeless else RandomPlayer(generation)
            player.name = f"gen-{generation:04}"
            return player

        monkeypatch.setattr(measure, "player_of", player_of)
        chosen = choose_player(run._stage, 1, 0)
        (match,) = run.folder.matches()
        return chosen, match

    return choosing


@pytest.mark.parametrize("pairs", [2, 0])
def test_a_sequential_gate_lets_a_better_network_pass_however_few_pairs_other_matches_have(choosing, pairs):
    chosen, match = choosing(hopeless=0, pairs=pairs, kind="sprt")
    assert (chosen, match.pairs) == (1, [0, 0, 0, 0, 2 * measure.WAVE]), "31 pairs suffice, which two waves contain"


def test_a_sequential_gate_refuses_a_worse_network_long_before_its_last_pair(choosing):
    chosen, match = choosing(hopeless=1, kind="sprt")
    assert (chosen, match.pairs) == (0, [2 * measure.WAVE, 0, 0, 0, 0])


def test_a_network_about_which_a_sequential_gate_is_undecided_does_not_pass(choosing):
    chosen, match = choosing(kind="sprt", most_pairs=31)
    assert (chosen, sum(match.pairs)) == (0, 31)
    assert GateTest().verdict(match.pairs) is None


def test_a_gate_of_a_score_plays_the_pairs_of_other_matches(choosing):
    chosen, match = choosing(hopeless=0, pairs=3, kind="score", most_pairs=1)
    assert (chosen, match.pairs) == (1, [0, 0, 0, 0, 3])
    assert not match.sequential, "the number of pairs is fixed"


@pytest.mark.parametrize(
    "settings", [{"kind": "score", "score": 0.5}, {"kind": "sprt", "most_pairs": 6, "sprt": GateTest(elo1=400.0)}]
)
def test_a_match_that_was_played_is_not_played_again(three, tmp_path, monkeypatch, settings):
    run = Run(gated(three, **settings), tmp_path)
    run.go()
    monkeypatch.setattr(measure, "meet", None)
    lines = run.folder.metrics()
    for generation in (1, 2):
        before = lines[generation - 1].playing
        playing = generation - 1 if before is None else before
        found = choose_player(run._stage, generation, playing)
        assert found == (generation if lines[generation].playing is None else lines[generation].playing)


@pytest.fixture
def rated(tiny, tmp_path, match):
    """Return a function that rates generation 1 from the given matches, with generation 0 already rated."""

    def rated(*matches):
        stage = Run(tiny, tmp_path / f"{len(matches)}")._stage
        for each in (match("gen-0000", anchor(tiny).name), *matches):
            stage.folder.note(each)
        return rating_of(stage, 1)

    return rated


def test_a_match_that_a_test_has_ended_is_not_rated(rated, match):
    tested = msgspec.structs.replace(match(), wins=4, losses=0, draws=0, sequential=True)
    assert rated(match(), tested) == pytest.approx(rated(match()))


def test_a_generation_with_only_sequential_matches_has_no_rating(rated, match):
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
    with pytest.raises(msgspec.ValidationError, match="gate"):
        msgspec.convert(builtins | change | {"match": match}, type(three))


def test_an_impassable_gate_is_refused(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\ngames = ["tictactoe"]\n[gate]\nkind = "sprt"\nmost_pairs = 20\n')
    with pytest.raises(BadPreset) as caught:
        load_preset(str(file))
    assert str(caught.value) == (
        f"{file}: gate: most_pairs = 20 is too few: even winning every game needs 31 pairs in this test; "
        "give at least that many, or a larger sprt.elo1."
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
