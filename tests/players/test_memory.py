"""A search within some memory takes no more of it."""

import ludus
from ludus.network.config import Shapes
from ludus.network.evaluator import NullEvaluator
from ludus.players.memory import bytes_per_visit, visits_within
from ludus.players.pool import Pool
from ludus.search.settings import SearchSettings


def test_a_pool_of_one_tree_keeps_within_the_memory():
    game = ludus.game("connect4")
    visits = visits_within(game, 16)
    pool = Pool(game, NullEvaluator(Shapes.of(game)), SearchSettings(cache_entries=0), slots=1, max_visits=visits)
    assert 0.8 * 2**24 < pool.nbytes < 1.05 * 2**24


def test_more_state_takes_more_memory():
    assert bytes_per_visit(ludus.game("chess")) > bytes_per_visit(ludus.game("connect4")) > 100
