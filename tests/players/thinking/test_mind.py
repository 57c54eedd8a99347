"""A mind's seats follow games and search them; games that the model cannot play are refused."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

import ludus
from ludus.errors import BadModel, Unavailable
from ludus.games import tictactoe
from ludus.games.behaviour import behaviour
from ludus.network.checkpoint import Checkpoint, ModelInfo
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.matches.search_player import SearchPlayer
from ludus.players.thinking.mind import Mind
from ludus.players.thinking.pool import SEAT_MAX_VISITS
from ludus.players.thinking.seat import Limits

CONNECT4, WALLGAME = ludus.game("connect4"), ludus.game("wallgame:classic:5x5")
WON_BY_THE_FIRST_COLUMN = "655322442332345717636662"  # only the first column wins


def mind_of(*games, **changes):
    info = ModelInfo(
        name="plain",
        network=NetworkSettings(),
        shapes=Shapes.of(games[0]),
        games={game.name: behaviour(game) for game in games},
    )
    info = msgspec.structs.replace(info, **changes)
    return Mind(Checkpoint(info, {}), UniformEvaluator(info.shapes))


class Rightmost:
    """An evaluator of even values whose priors favour the last columns."""

    def evaluate_states(self, game, words):
        logits = np.tile(np.arange(game.num_actions, dtype=np.float32), (len(words), 1))
        return logits, np.full((len(words), 3), 1 / 3, np.float32)


def after(game, *moves):
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


def untimed(thought):
    return msgspec.structs.replace(thought, seconds=0.0)


# ---- search results --------------------------------------------------------------------------------------------------


def test_a_thought_contains_the_result_of_the_search():
    position = after(CONNECT4, 3, 0, 3, 0, 3)  # yellow must stop a line in the middle column
    thought = mind_of(CONNECT4).think(position, visits=200)
    assert thought.visits == 200 == 1 + sum(each.visits for each in thought.candidates)
    assert thought.best == [3]
    assert thought.line[0] == 3
    assert [each.visits for each in thought.candidates] == sorted((c.visits for c in thought.candidates), reverse=True)
    assert thought.candidates[0].action == 3
    assert sum(each.prior for each in thought.candidates) == pytest.approx(1, abs=1e-3)
    best, *others = thought.candidates
    assert all(each.value > best.value for each in others), "values are seen by player 0, and yellow is to move"
    for action in thought.line:
        position = position.play(action)


def test_values_are_seen_by_player_0_for_both_movers():
    mind = mind_of(CONNECT4)
    assert mind.think(after(CONNECT4, 3, 0, 3, 0, 3, 1), visits=200).value > 0.8, "red to move wins"
    assert mind.think(after(CONNECT4, 0, 3, 0, 3, 1, 3, 6), visits=200).value < -0.8, "yellow to move wins"


def test_a_foreseen_outcome_applies_to_all_remaining_candidates():
    position = after(CONNECT4, *(int(column) - 1 for column in WON_BY_THE_FIRST_COLUMN))
    seat = mind_of(CONNECT4).seat(position)
    thought = seat.think(visits=50)
    assert (thought.proof, thought.value, thought.draw) == (1, 1.0, 0.0)
    assert [(each.action, each.value, each.proof) for each in thought.candidates] == [(0, 1.0, 1)]
    seat.play(0)
    thought = seat.think(visits=50)
    assert (thought.proof, len(thought.candidates)) == (1, 7), "in a lost position all actions remain"


def test_searches_with_a_temperature_use_no_foresight():
    position = after(CONNECT4, *(int(column) - 1 for column in WON_BY_THE_FIRST_COLUMN))
    seat = mind_of(CONNECT4).seat(position)
    for _ in range(2):
        assert len(seat.think(visits=50, temperature=10.0).candidates) == 7
        assert len(seat.think(visits=50).candidates) == 1
    seat.think(visits=50, temperature=10.0)
    seat.play(0)
    assert seat.think(visits=20, temperature=10.0).proof == 0
    player = SearchPlayer("beginner", UniformEvaluator(Shapes.of(CONNECT4)), visits=50, temperature=10.0)
    chosen = player.choose(CONNECT4, np.tile(position.state.view(np.uint64), (20, 1)))
    assert len(set(chosen.tolist())) > 3


def test_requested_actions_that_lose_a_proved_outcome_are_searched():
    seat = mind_of(CONNECT4).seat(after(CONNECT4, *(int(column) - 1 for column in WON_BY_THE_FIRST_COLUMN)))
    for _ in range(2):
        assert seat.think(visits=50).proof == 1
        thought = seat.ask_within(Limits(400, only=(1, 3))).result()
        assert {each.action for each in thought.candidates} == {1, 3}
        assert {each.proof for each in thought.candidates} == {2}, "yellow wins soon after both"


def test_the_best_prior_is_visited_first():
    state = after(CONNECT4, *(int(column) - 1 for column in WON_BY_THE_FIRST_COLUMN)).state.view(np.uint64)
    chosen = {
        visits: SearchPlayer("player", Rightmost(), visits=visits).choose(CONNECT4, state[None])[0] for visits in (1, 2)
    }
    assert chosen == {1: 6, 2: 0}


def test_the_best_move_contains_both_actions():
    mind = mind_of(WALLGAME)
    for visits in (2, 3, 10, 200):
        thought = mind.think(WALLGAME.start(), visits=visits)
        assert len(thought.best) == 2
        position = after(WALLGAME, *thought.best)
        assert position.to_play == 1
        assert thought.line[:2] == thought.best


def test_the_best_move_after_the_first_action_has_one_action():
    position = after(WALLGAME, WALLGAME.start().actions[0])
    assert position.to_play == 0
    thought = mind_of(WALLGAME).think(position, visits=50)
    assert len(thought.best) == 1
    assert position.play(thought.best[0]).to_play == 1


# ---- seats -----------------------------------------------------------------------------------------------------------


def test_a_seat_keeps_the_subtree_of_played_moves():
    seat = mind_of(CONNECT4).seat(CONNECT4.start())
    thought = seat.think(visits=300)
    reply = thought.line[1]
    seat.play(thought.best[0])
    kept = seat.think(visits=2)
    assert kept.visits == thought.candidates[0].visits
    seat.play(reply)
    assert seat.position.num_actions_played == 2
    assert seat.think(visits=100).visits >= 100
    assert seat.think(visits=100).candidates == seat.think(visits=50).candidates, "no further search is needed"


def test_a_seat_follows_moves_that_it_never_searched():
    seat = mind_of(CONNECT4).seat(CONNECT4.start())
    seat.think(visits=2)
    seat.play(6)
    thought = seat.think(visits=120)
    fresh = mind_of(CONNECT4).seat(after(CONNECT4, 6)).think(visits=120)
    assert (thought.kept, fresh.kept) == (1, 0)
    assert untimed(thought) == msgspec.structs.replace(untimed(fresh), kept=1)


def test_a_seat_can_play_before_its_first_search():
    seat = mind_of(CONNECT4).seat(CONNECT4.start())
    seat.play(3)
    fresh = mind_of(CONNECT4).seat(after(CONNECT4, 3))
    assert untimed(seat.think(visits=60)) == untimed(fresh.think(visits=60))


def test_a_seat_searches_further_for_more_visits():
    seat = mind_of(CONNECT4).seat(CONNECT4.start())
    assert [seat.think(visits=visits).visits for visits in (10, 500, 100, 700)] == [10, 500, 500, 700]
    assert 0.95 * SEAT_MAX_VISITS < seat.think(visits=10**9).visits <= SEAT_MAX_VISITS
    assert mind_of(CONNECT4).seat(CONNECT4.start()).think(visits=-5).visits == 2


def test_seats_at_boards_of_one_shape_share_a_pool():
    mind = mind_of(WALLGAME)
    classic, standard = WALLGAME, ludus.game("wallgame:standard:5x5")
    assert mind.seat(classic.start()).pool is mind.seat(standard.start()).pool is mind.pool(classic)
    assert mind_of(WALLGAME).pool(classic) is not mind.pool(classic)


def test_the_seats_of_a_closed_mind_raise_unavailable():
    mind = mind_of(CONNECT4)
    seat = mind.seat(CONNECT4.start())
    seat.think(visits=10)
    mind.close()
    with pytest.raises(Unavailable, match="The pool is closed"):
        seat.think(visits=10)


def test_a_mind_of_few_slots_and_visits_has_small_trees():
    game = CONNECT4
    info = mind_of(game).info
    small = Mind(Checkpoint(info, {}), UniformEvaluator(info.shapes), slots=2, max_visits=100)
    assert small.think(game.start(), visits=10**6).visits <= 100
    assert small.pool(game).nbytes < mind_of(game).pool(game).nbytes / 10


def test_a_seat_plays_a_whole_game():
    seat = mind_of(WALLGAME).seat(WALLGAME.start())
    for _ in range(WALLGAME.max_actions):
        for action in seat.think(visits=30).best:
            assert action in seat.position.actions
            seat.play(action)
        if seat.position.outcome:
            break
    assert seat.position.outcome or seat.position.num_actions_played >= WALLGAME.max_actions


def test_temperature_draws_by_the_seed_and_temperature_0_plays_the_best():
    mind, position = mind_of(CONNECT4), CONNECT4.start()

    def first_moves(temperature, seed):
        seat = mind.seat(position, seed=seed)
        return [seat.think(visits=60, temperature=temperature).best[0] for _ in range(8)]

    assert first_moves(1.0, 1) == first_moves(1.0, 1)
    assert first_moves(1.0, 1) != first_moves(1.0, 2)
    assert len(set(first_moves(1.0, 1) + first_moves(1.0, 2))) > 3
    best = mind.think(position, visits=60).best
    for temperature in (0.0, 1e-3):
        most = first_moves(temperature, 1)
        assert {*most} <= {c.action for c in mind.think(position, visits=60).candidates if c.visits >= 8}
    assert first_moves(0.0, 1) == best * 8


def test_a_high_temperature_is_nearly_uniform_and_a_low_one_nearly_greedy():
    mind, position = mind_of(CONNECT4), after(CONNECT4, 3, 0, 3, 0)  # one move threatens
    seat = mind.seat(position, seed=5)
    sure = [seat.think(visits=400, temperature=0.2).best[0] for _ in range(30)]
    blind = [seat.think(visits=400, temperature=10.0).best[0] for _ in range(30)]
    assert sure.count(3) >= 29
    assert len(set(blind)) >= 5


# ---- refusals --------------------------------------------------------------------------------------------------------


def test_a_mind_refuses_a_game_of_other_shapes():
    sentence = r"^the model plain reads .*; the game wallgame:\S+ has .* cannot play it; it plays .*\.$"
    with pytest.raises(BadModel, match=sentence):
        mind_of(WALLGAME).seat(ludus.game("wallgame:classic:6x6").start())


def test_a_mind_refuses_another_game_of_the_same_shapes():
    mind = mind_of(ludus.game("tictactoe"), games={"noughts": "0" * 16})
    with pytest.raises(BadModel, match="was not trained on tictactoe; it plays noughts"):
        mind.seat(ludus.game("tictactoe").start())


def test_a_mind_refuses_rules_that_have_changed_since_training():
    with pytest.raises(BadModel, match=r"trained on other rules of connect4 .* train it again"):
        mind_of(CONNECT4, games={"connect4": "0123456789abcdef"}).seat(CONNECT4.start())


def test_a_moved_file_of_a_game_is_accepted_unless_its_rules_have_changed(tmp_path):
    source = Path(tictactoe.__file__).read_text()
    other = source.replace("] = 1 - player", "] = 1 - player if action != 4 else player")
    assert other != source
    texts = {"mygame": source, "moved/mygame": source, "renamed": source, "changed/mygame": other, "another": other}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.py").write_text(text)
    games = {name: ludus.game(f"{tmp_path / name}.py") for name in texts}
    mind = mind_of(games["mygame"])
    mind.check(games["moved/mygame"])
    mind.check(games["renamed"])
    with pytest.raises(BadModel, match="was trained on other rules of"):
        mind.check(games["changed/mygame"])
    with pytest.raises(BadModel, match="was not trained on"):
        mind.check(games["another"])


def test_a_mind_names_its_games_and_refuses_others():
    connect4 = ludus.game("connect4")  # fetched now, since the registry evicts games
    mind = mind_of(connect4)
    assert (mind.name, mind.games) == ("plain", ("connect4",))
    assert mind.game("connect4") is connect4
    with pytest.raises(BadModel, match="plain was not trained on tictactoe; it plays connect4"):
        mind.game("tictactoe")


def test_a_seat_at_a_game_of_the_same_rules_has_the_models_own_planes():
    ahead = ludus.game("connect4:ahead")
    mind = mind_of(ahead)
    seat = mind.seat(after(CONNECT4, 3, 0, 3, 0, 3, 0))
    assert seat.position.game is ahead
    assert seat.position.moves == after(ahead, 3, 0, 3, 0, 3, 0).moves
    assert untimed(seat.think(visits=60)) == untimed(mind.think(after(ahead, 3, 0, 3, 0, 3, 0), visits=60))
    seat.play(3)
    assert seat.position.outcome
    assert seat.position.history[0].game is CONNECT4, "the history is unchanged"


def test_a_mind_plays_variants_of_the_same_shapes():
    position = ludus.game("wallgame:standard:5x5").start()
    assert len(mind_of(WALLGAME).think(position, visits=20).best) == 2


def test_people_may_make_short_moves_that_engines_do_not_consider():
    game = ludus.game("wallgame:classic:5x5:short")
    seat = mind_of(game).seat(game.start())
    assert len(seat.think(visits=30).best) == 2
    short = max(game.start().actions)  # ends the move early, which searches do not consider
    seat.play(short)
    assert seat.position.to_play == 1
    assert len(seat.think(visits=30).best) == 2
    np.testing.assert_array_equal(seat.position.state, game.start().play(short).state)
