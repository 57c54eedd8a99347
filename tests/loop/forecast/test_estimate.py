"""The parts of an estimate add up, and a longer run has a longer estimate."""

import itertools
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from ludus.errors import Unavailable
from ludus.loop.directory.folder import Folder
from ludus.loop.forecast import estimate as module
from ludus.loop.forecast import speed
from ludus.loop.forecast.estimate import estimate
from ludus.loop.preset import GameShares
from ludus.loop.stages.sources import first_sources
from ludus.loop.stages.stage import Stage
from ludus.rating import GateSettings
from ludus.rating.gate import GateTest
from ludus.selfplay import worker_pool as pool
from ludus.selfplay.settings import SelfplaySettings
from ludus.store import Samples
from ludus.store.weights import held_out


def test_an_estimate_adds_up(tiny, monkeypatch):
    monkeypatch.setattr(module, "peak_memory", lambda: 1000)
    preset = msgspec.structs.replace(
        tiny,
        generations=4,
        selfplay=SelfplaySettings(games=200, first_games=400, parallel=8, visits=8, fast_visits=4, full_share=1.0),
    )
    told = []
    found = estimate(preset, workers=1, seconds=2.0, tell=lambda what, share: told.append((what, share)))
    assert 2 <= found.length <= 9
    assert 2 <= found.first_length <= 9
    assert len(found.selfplay_s) == len(found.learner_s) == len(found.matches_s) == 4
    assert found.selfplay_s[0] == pytest.approx(400 * found.first_length / found.first_positions_per_s)
    assert found.selfplay_s[1] == pytest.approx(200 * found.length / found.positions_per_s)
    probe_s = found.matches_s[0] - found.anchor_s
    assert probe_s > 0.0
    assert found.matches_s[1] == pytest.approx(probe_s + found.match_s + found.anchor_s)
    assert found.gate_s == 0.0, "the preset has no gate"
    assert found.total_s == pytest.approx(sum(found.selfplay_s) + sum(found.learner_s) + sum(found.matches_s))
    assert found.disk_bytes > 4 * 1000
    assert found.memory_bytes > 1000
    parts = ["games of the first teacher", "learning", "games of the network", "matches"]
    assert list(dict.fromkeys(what for what, _ in told)) == parts
    for part in parts:
        shares = [share for what, share in told if what == part]
        assert shares == sorted(shares)
        assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_the_window_is_taken_at_its_longest(tiny):
    learner = msgspec.structs.replace(
        tiny.learner, window=msgspec.structs.replace(tiny.learner.window, shortest=1, share=0.5, longest=2)
    )
    preset = msgspec.structs.replace(tiny, learner=learner)
    assert module._window(preset, [900.0, 10.0, 20.0, 30.0]) == 900.0
    assert module._window(preset, [5.0, 10.0, 20.0, 30.0]) == 50.0


@pytest.mark.parametrize(("shortest", "held"), [(1, 30.0), (2, 50.0), (3, 60.0)])
def test_a_window_of_positions_holds_its_shortest_generations_whole(tiny, shortest, held):
    rule = msgspec.structs.replace(tiny.learner.window, by="positions", shortest=shortest, positions=25, growth=0.0)
    preset = msgspec.structs.replace(tiny, learner=msgspec.structs.replace(tiny.learner, window=rule))
    assert module._window(preset, [5.0, 10.0, 20.0, 30.0]) == held


PAIR_S, ANCHOR_PAIR_S = 1.0, 100.0


@pytest.mark.parametrize(
    ("previous", "gate", "matches_s"),
    [
        ((1,), {}, [200.0, 2.0, 2.0, 202.0]),
        ((1,), {"kind": "score"}, [200.0, 2.0, 2.0, 202.0]),  # the match against the last generation is the gate's
        ((2,), {"kind": "score"}, [200.0, 2.0, 4.0, 204.0]),
        ((1,), {"kind": "sprt", "most_pairs": 30}, [200.0, 32.0, 32.0, 232.0]),  # a test's match does not measure
        ((2,), {"kind": "sprt", "most_pairs": 30}, [200.0, 30.0, 32.0, 232.0]),
        (None, {"kind": "sprt", "most_pairs": 30}, [0.0, 30.0, 30.0, 30.0]),
    ],
)
def test_the_matches_of_the_gate_are_counted_once(tiny, previous, gate, matches_s):
    settings = {"pairs": 2, "previous": previous} if previous else {"pairs": 0}
    preset = msgspec.structs.replace(
        tiny,
        generations=4,
        match=msgspec.structs.replace(tiny.match, anchor_every=4, **settings),
        gate=GateSettings(**gate, sprt=GateTest(elo1=400.0)),
    )
    assert module._matches(preset, PAIR_S, ANCHOR_PAIR_S) == matches_s


def test_a_gate_without_other_matches_is_measured(tiny):
    preset = msgspec.structs.replace(
        tiny,
        match=msgspec.structs.replace(tiny.match, pairs=0),
        gate=GateSettings(kind="sprt", most_pairs=6, sprt=GateTest(elo1=400.0)),
    )
    told = []
    found = estimate(preset, workers=1, seconds=0.5, tell=lambda what, share: told.append((what, share)))
    assert (found.match_s, found.anchor_s) == (0.0, 0.0)
    assert found.gate_s > 0.0
    assert found.matches_s[1] - found.matches_s[0] == pytest.approx(found.gate_s)
    assert [share for what, share in told if what == "matches"][-1] == 1.0


def test_a_single_game_is_learned_from_even_if_it_would_validate(tiny, tmp_path):
    stage = Stage(tiny, Folder(tmp_path), tiny.make_games(), 1, lambda _event: None)
    played = speed.play_a_while(
        stage, first_sources(stage), tiny.selfplay, lambda _share: None, games=6, progress=0.0, seconds=0.1, needed=1
    )
    numbered = (replace(played.games[0], game_id=np.full_like(played.games[0].game_id, n)) for n in itertools.count())
    game = next(each for each in numbered if held_out(each, tiny.learner.validation).all())
    assert speed.learn_a_while(stage, game, 0.05, lambda *_: None).steps_per_s > 0.0


@pytest.mark.parametrize("generation", [0, 1])
def test_games_are_measured_in_their_shares(tiny, monkeypatch, generation):
    asked = []
    measure = module.play_a_while

    def spy(*args, **named):
        asked.append(named["shares"])
        found = measure(*args, **named)
        assert len(asked) == 2 or {int(game.game[0]) for game in found.games} == {0}
        return found

    monkeypatch.setattr(module, "play_a_while", spy)
    shares = (GameShares(shares=(1.0, 0.0)), GameShares(shares=(1.0, 2.0), from_generation=generation + 1))
    games = ["wallgame:classic:3x3@4x4", "wallgame:classic:4x4"]
    preset = msgspec.structs.replace(tiny, games=games, generations=2, shares=shares)
    estimate(preset, workers=1, seconds=0.5, tell=lambda *_: None)
    assert asked == [(1.0, 0.0), (1.0, 0.0) if generation else (1.0, 2.0)]


def of_many_games(preset, games=10**9):
    """Return the preset with generations that are too long to be played as a whole."""
    return msgspec.structs.replace(
        preset, selfplay=msgspec.structs.replace(preset.selfplay, games=games, first_games=games)
    )


class Slow(pool.WorkerPool):
    """A pool that reports nothing at first."""

    waits = 0

    def wait(self, seconds):
        self.waits += 1
        return super().wait(seconds)


def test_an_estimate_continues_until_a_game_has_ended(tiny, monkeypatch):
    class Endless(Slow):
        @property
        def finished(self):
            return self._games if self.waits > 8 else []

        @finished.setter
        def finished(self, games):
            self._games = games

    monkeypatch.setattr(speed, "WorkerPool", Endless)
    told = []
    preset = of_many_games(tiny)
    found = estimate(preset, workers=1, seconds=0.5, tell=lambda what, share: told.append((what, share)))
    assert [share for what, share in told if "teacher" in what][:8] == [0.0] * 8, "progress waits for a finished game"
    assert 2 <= found.first_length <= 9
    assert found.length == 9, "no game ended in time, so the longest possible one counts"


@pytest.mark.full
def test_an_estimate_continues_until_each_game_has_a_searched_position(tiny, monkeypatch):
    waits = []

    class Thoughtful(Slow):
        def reading(self):
            reading = super().reading()
            positions = 0.0 if self.waits < 4 else 1.0
            return msgspec.structs.replace(reading, positions_per_s=positions / reading.seconds)

        def __exit__(self, *error):
            waits.append(self.waits)
            super().__exit__(*error)

    monkeypatch.setattr(speed, "WorkerPool", Thoughtful)
    found = estimate(of_many_games(tiny), workers=1, seconds=0.2)
    assert found.positions_per_s > 0
    assert waits == [9, 9], "six concurrent games; the first positions come from short searches"


def test_a_worker_that_fails_ends_the_estimate(tiny, monkeypatch):
    def fail(*args, **options):
        raise Unavailable("the worker's trouble")

    monkeypatch.setattr(pool, "run_worker", fail)
    with pytest.raises(Unavailable, match="the worker's trouble"):
        estimate(tiny, workers=1, seconds=1.0)


def test_a_short_generation_is_measured_to_its_end(tiny, tmp_path):
    stage = Stage(tiny, Folder(tmp_path), tiny.make_games(), 1, lambda _event: None)

    def play(games):
        return speed.play_a_while(
            stage, first_sources(stage), tiny.selfplay, lambda _: None, games=games, progress=0.0, seconds=0.4
        )

    short, long = play(20), play(10**9)
    assert sorted(int(game.game_id[0]) for game in short.games) == [*range(20)]
    assert short.whole_s > 0.0
    assert short.positions_per_s * short.whole_s == pytest.approx(sum(map(len, short.games)))
    assert short.length == pytest.approx(np.mean([*map(len, short.games)]))
    assert long.whole_s == 0.0


def test_the_first_steps_of_the_learner_are_left_out(tiny, tmp_path, monkeypatch):
    stage = Stage(tiny, Folder(tmp_path), tiny.make_games(), 1, lambda _event: None)
    played = speed.play_a_while(
        stage, first_sources(stage), tiny.selfplay, lambda _: None, games=8, progress=0.0, seconds=0.1
    )
    clock = [0.0]

    class Warming(speed.Learner):
        """A learner whose first 40 steps take a second each, and later ones a tenth; ending a generation takes 5 s."""

        count = 0

        def learn(self, window, *, steps, of=0, **named):
            for _ in range(steps):
                Warming.count += 1
                clock[0] += 1.0 if Warming.count <= 40 else 0.1
            clock[0] += 0.0 if of else 5.0
            return super().learn(window, steps=1, of=of, **named)

    monkeypatch.setattr(speed, "Learner", Warming)
    monkeypatch.setattr(speed.time, "perf_counter", lambda: clock[0])
    found = speed.learn_a_while(stage, Samples.concatenate(played.games), 150.0, lambda *_: None)
    assert found.steps_per_s == pytest.approx(10.0)
    assert found.besides_s == pytest.approx(5.0)
