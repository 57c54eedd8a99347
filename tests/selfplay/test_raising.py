"""A rule that raises ends self-play and search with one message that names the game and the remedy."""

import pytest

import ludus
from ludus.errors import BadGame
from ludus.kernel import COMPILED
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.thinking.group import Group
from ludus.search.settings import SearchSettings
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.worker_pool import WorkerPool

RULES = """
import ludus

def start(state):
    state[0] = {start}

def to_play(state):
    return state[0] % 2

def legal(state, actions):
    actions[0] = 0
    return 1

def play(state, action):
    if state[0] == 3:
        raise ValueError("three is too many")
    state[0] += 1

def outcome(state):
    return ludus.DRAW if state[0] == 6 else ludus.ONGOING

def encode(state, planes):
    planes[0, 0, 0] = state[0]

game = ludus.Game(name="raising", state_size=2, num_actions=1, planes=(1, 1, 1), max_actions=8, start=start,
                  to_play=to_play, legal=legal, play=play, outcome=outcome, encode=encode)
"""


@pytest.fixture
def raising(tmp_path):
    def make(start):
        file = tmp_path / f"raising{start}.py"
        file.write_text(RULES.format(start=start))
        return ludus.game(str(file))

    return make


LINE = 1 + RULES[: RULES.index("raise ValueError")].count("\n")


def sentence(game):
    if COMPILED:
        return f"{game.name}: a rule raised ValueError: three is too many; `ludus check {game.name}` names the rule"
    return f"{game.name}, line {LINE}: play() raises ValueError: three is too many; `ludus check {game.name}` tries"


def test_a_search_reports_an_error_of_a_rule(raising):
    game = raising(1)
    group = Group(game, UniformEvaluator(Shapes.of(game)), SearchSettings(), num_trees=1, max_visits=50)
    group.new_tree(0, game.start_state().view("u8"))
    group.set_target(0, 50)
    with pytest.raises(BadGame) as raised:
        _ = [group.step() for _ in range(50)]
    assert sentence(game) in str(raised.value)
    assert isinstance(raised.value.__cause__, ValueError)


@pytest.mark.parametrize("start", [0, 3])
def test_self_play_reports_an_error_of_a_rule(raising, start):
    game = raising(start)
    settings = SelfplaySettings(visits=10, random_actions=3)
    source = Source(UniformEvaluator(Shapes.of(game)))
    pool = WorkerPool([game], lambda _worker: source, SearchSettings(), settings, Quota(50), seed=0, workers=1)

    def to_the_end():
        with pool:
            while pool.wait(60.0):  # compilation takes minutes on a busy machine
                pass

    with pytest.raises(BadGame) as raised:
        to_the_end()
    assert sentence(game) in str(raised.value)


def test_a_position_reports_an_error_of_a_rule(raising):
    position = raising(2).start().play(0)
    with pytest.raises(BadGame) as raised:
        position.play(0)
    what = "play() raises ValueError: three is too many"
    name = position.game.name
    assert str(raised.value) == f"{name}, line {LINE}: {what}; `ludus check {name}` tries all rules."
