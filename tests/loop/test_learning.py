"""Training from scratch learns Tic-tac-toe until no reply can beat the network."""

import msgspec
import numpy as np
import pytest

import ludus
from ludus.games.rules import FIRST_WINS
from ludus.loop.preset import load_preset
from ludus.loop.run import Run
from ludus.network.checkpoint import Checkpoint, load_checkpoint
from ludus.network.model import draw_arrays
from ludus.network.openvino import evaluator_of
from ludus.players.matches.search_player import SearchPlayer

VISITS = 16  # per move: too few to search to the end of a game


def lost_games(checkpoint, side):
    """Return (number of lost end positions, number of all end positions) of a network against all replies."""
    game = ludus.game("tictactoe")
    player = SearchPlayer("player", evaluator_of(checkpoint), visits=VISITS)
    frontier, lost, met = [game.start_state()], 0, 0
    while frontier:
        met += len(frontier)
        mine = [state for state in frontier if int(game.rules.to_play(state)) == side]
        after = [state for state in frontier if int(game.rules.to_play(state)) != side]
        if mine:
            actions = player.choose(game, np.stack([state.view(np.uint64) for state in mine]))
            nexts = [game.calls.play(state, int(action)) for state, action in zip(mine, actions, strict=True)]
        else:
            nexts = [game.calls.play(state, action) for state in after for action in game.calls.legal(state)]
        outcomes = [game.calls.outcome(state) for state in nexts]
        lost += sum(outcome == FIRST_WINS + 1 - side for outcome in outcomes)
        unfinished = [state for state, outcome in zip(nexts, outcomes, strict=True) if not outcome]
        frontier = list({state.tobytes(): state for state in unfinished}.values())
    return lost, met


@pytest.mark.full
def test_tic_tac_toe_is_learned_until_it_never_loses(tmp_path):
    preset = load_preset("tictactoe-smoke")
    match = msgspec.structs.replace(preset.match, pairs=0)
    # With 12 generations, 1 of 6 seeds still lost a game; with 16, none of 12 lost one after generation 8.
    preset = msgspec.structs.replace(preset, generations=16, deterministic=True, workers=1, match=match)
    run = Run(preset, tmp_path)
    run.go()
    trained = load_checkpoint(run.folder.model(preset.generations - 1))
    arrays = draw_arrays(preset.network, trained.info.shapes, seed=0)
    fresh = [lost_games(Checkpoint(trained.info, arrays), side) for side in (0, 1)]
    assert sum(lost for lost, _ in fresh) > 0, "the untrained network must lose games"
    for side in (0, 1):
        lost, met = lost_games(trained, side)
        assert met > 50
        assert lost == 0
    assert not {alarm.kind for line in run.folder.metrics() for alarm in line.alarms} - {"draws", "diversity"}
