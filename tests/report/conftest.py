"""Fixtures: the directory of a run with three generations of random games."""

import numpy as np
import pytest

import ludus
from ludus.games.behaviour import behaviour
from ludus.learner.losses import Losses
from ludus.loop.diagnostics.facts import facts_of
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import Alarm, GenerationMetrics, NetworkProbe, RunStart, Side
from ludus.loop.preset import Preset
from ludus.store import Samples, shard_path, write_shard
from ludus.store.samples import DTYPES


def played(game, number):
    """Return a random game as samples."""
    rng, position, states, actions, movers = np.random.default_rng(number), game.start(), [], [], []
    while not position.outcome:
        states.append(position.state.view(np.uint64))
        actions.append(int(rng.choice(position.actions)))
        movers.append(position.to_play)
        position = position.play(actions[-1])
    length = len(states)
    arrays = {name: np.zeros(length, dtype) for name, dtype in DTYPES.items()}
    winner = position.outcome.winner
    return Samples(
        **arrays
        | {
            "states": np.stack(states),
            "action": np.array(actions, DTYPES["action"]),
            "mover": np.array(movers, np.uint8),
            "ply": np.arange(length, dtype=np.int16),
            "policy_start": np.zeros(length + 1, np.int32),
            "policy_action": np.zeros(0, np.int16),
            "policy_weight": np.zeros(0, np.float32),
            "outcome": np.full(length, 3 if winner is None else 1 + winner, np.uint8),
            "game_id": np.full(length, number, np.int64),
        }
    )


@pytest.fixture(params=["connect4", "tictactoe", "wallgame:classic:5x5"])
def folder(tmp_path, request):
    """Return the directory of an untrained run with three generations."""
    game, folder = ludus.game(request.param), Folder(tmp_path)
    preset = Preset(name="a <run>", games=[request.param], generations=5)
    folder.begin(preset, RunStart(0, "2026-01-01", "0.1.0", "abc", "a processor", "3.11", 2, {game.name: "0123"}))
    samples = Samples.concatenate([played(game, number) for number in range(6)])
    side = Side(100, 0.5, 0.4, 0.6, 1.0)
    for generation in range(3):
        write_shard(shard_path(folder.shards, generation, 0), samples, rules_key=behaviour(game), names=preset.games)
        line = GenerationMetrics(
            generation=generation,
            facts=facts_of(samples, [game]),
            losses=Losses(2.0 - 0.1 * generation, 1.0, 0.5, 8, 2.1, 1.1, target_entropy=1.2),
            probe=NetworkProbe(100, 0.5, 0.4, 0.3, 0.9, [side, side]),
            **dict.fromkeys(("selfplay_s", "learner_s", "match_s", "seconds"), 0.5),
            **dict.fromkeys(("evaluator_share", "search_share", "fill"), 0.5),
            **dict.fromkeys(("evaluations", "simulations", "cache_hits"), 3000),
            alarms=[Alarm("draws", "too many <draws>.")] if generation == 1 else [],
            played_out=40 * generation,
            wrongly_resigned=generation,
            elo=None if generation == 1 else 10.0 * generation,
            elo_error=None if generation == 1 else 5.0,
        )
        folder.note(line)
    return folder
