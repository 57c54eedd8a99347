"""The bot engine with real searches: 256 simultaneous sessions, cancelled searches, few trees, and frames."""

import io
import json
import threading

import pytest

import ludus
from ludus.engine.bgs.engine import BROKEN_OFF, Engine
from ludus.engine.bgs.lines import answer_lines
from ludus.engine.level import Level
from ludus.errors import BadModel
from ludus.players.judging.heuristic import HeuristicEvaluator
from ludus.players.thinking.pool import Pool

CONNECT4 = {"variant": "standard", "boardWidth": 7, "boardHeight": 6, "game": "connect4"}


class PooledMind:
    """A player that searches in a pool with the game's heuristic as its evaluator."""

    name = "pooled"

    def __init__(self, *games, slots=256, max_visits=400, only=None):
        self.games, self.only = games, only
        self.pool = Pool(ludus.game(games[0]), HeuristicEvaluator(), slots=slots, max_visits=max_visits)

    def seat(self, position, *, seed=0):
        if self.only and not position.game.name.startswith(self.only):
            raise BadModel(f"pooled cannot play {position.game.name}.")
        return self.pool.seat(position, seed=seed)


@pytest.fixture
def pooled():
    minds = []

    def make(*games, **options):
        minds.append(PooledMind(*games, **options))
        return minds[-1]

    yield make
    for mind in minds:
        mind.pool.close()


def start(session, config=CONNECT4):
    return {"type": "start_game_session", "bgsId": session, "botId": "b", "config": config}


def evaluate(session, ply=0):
    return {"type": "evaluate_position", "bgsId": session, "expectedPly": ply}


def apply(session, ply, move):
    return {"type": "apply_move", "bgsId": session, "expectedPly": ply, "move": move}


def end(session):
    return {"type": "end_game_session", "bgsId": session}


def talk(mind, questions, **options):
    """Send all requests at once, and return the answers in order of arrival."""
    out = io.BytesIO()
    lines = io.BytesIO(b"".join(json.dumps(question).encode() + b"\n" for question in questions))
    answer_lines(lambda post: Engine([mind], post=post, **options), lines, out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def of(session, answers):
    return [answer for answer in answers if answer["bgsId"] == session]


def test_256_simultaneous_sessions_are_all_answered(pooled):
    sessions = [f"s{number}" for number in range(256)]
    questions = [start(session) for session in sessions]
    questions += [apply(session, 0, str(1 + number % 7)) for number, session in enumerate(sessions)]
    questions += [evaluate(session, 1) for session in sessions]
    answers = talk(pooled("connect4"), questions, level=Level(60))
    assert len(answers) == 3 * 256
    assert all(answer["success"] for answer in answers)
    assert [answer["type"] for answer in of("s7", answers)] == [
        "game_session_started", "move_applied", "evaluate_response",
    ]  # fmt: skip


def test_more_sessions_than_trees_are_served_by_searching_evicted_trees_again(pooled):
    sessions = [f"s{number}" for number in range(40)]
    questions = [start(session) for session in sessions]
    for ply in range(4):
        questions += [evaluate(session, ply) for session in sessions]
        questions += [apply(session, ply, str(1 + (ply + index) % 7)) for index, session in enumerate(sessions)]
    mind = pooled("connect4", slots=4)
    answers = talk(mind, questions, level=Level(50))
    assert len(answers) == len(questions)
    assert all(answer["success"] for answer in answers)


def test_a_quick_session_does_not_wait_for_a_slow_one(pooled):
    questions = [start("slow"), start("quick"), evaluate("slow"), evaluate("quick"), apply("slow", 0, "4")]
    mind = pooled("connect4", max_visits=30_000)
    levels = {"b": Level(30_000, seconds=60.0)}
    questions[1]["botId"] = "hasty"
    answers = talk(mind, questions, levels=levels, level=Level(20))
    evaluated = [answer["bgsId"] for answer in answers if answer["type"] == "evaluate_response"]
    assert evaluated == ["quick", "slow"]
    assert [answer["success"] for answer in of("slow", answers)] == [True, True, True]


def test_the_time_limit_ends_a_search_with_many_visits(pooled):
    mind = pooled("connect4", max_visits=10_000_000 // 64)
    answers = talk(mind, [start("A"), evaluate("A")], level=Level(10**7, seconds=0.2))
    assert answers[1]["success"]


def test_ending_a_session_cancels_its_search_and_the_next_session_works(pooled):
    """The original engine crashes in this case."""
    mind = pooled("connect4", max_visits=20_000)
    questions = [start("A"), evaluate("A"), end("A"), start("A"), apply("A", 0, "4"), evaluate("A", 1), start("A")]
    answers = talk(mind, questions, level=Level(20_000, seconds=60.0))
    assert [(answer["success"], answer["error"]) for answer in answers] == [
        (True, ""), (False, BROKEN_OFF), (True, ""), (True, ""), (True, ""), (False, BROKEN_OFF), (True, ""),
    ]  # fmt: skip


def test_ctrl_c_answers_open_requests_and_ends(pooled):
    class Interrupted(io.BytesIO):
        def readline(self, size=-1):
            line = super().readline(size)
            if not line:
                raise KeyboardInterrupt
            return line

    out, mind = io.BytesIO(), pooled("connect4", max_visits=20_000)
    lines = Interrupted(b"".join(json.dumps(each).encode() + b"\n" for each in (start("A"), evaluate("A"))))
    answer_lines(lambda post: Engine([mind], post=post, level=Level(20_000, seconds=60.0)), lines, out)
    assert json.loads(out.getvalue().splitlines()[1])["error"] == BROKEN_OFF
    assert not [thread for thread in threading.enumerate() if thread.name == "ludus-engine"]


def test_a_closed_output_pipe_ends_the_engine(pooled):
    class Shut(io.BytesIO):
        def flush(self):
            raise BrokenPipeError

    lines = io.BytesIO(b"".join(json.dumps(start(f"s{number}")).encode() + b"\n" for number in range(5000)))
    mind = pooled("connect4")
    answer_lines(lambda post: Engine([mind], post=post), lines, Shut())
    assert not [thread for thread in threading.enumerate() if thread.name == "ludus-engine"]


# ---- boards in frames ------------------------------------------------------------------------------------------------


def wall(variant, width, height):
    return {"variant": variant, "boardWidth": width, "boardHeight": height}


def test_boards_of_training_are_played_under_their_own_spec(pooled):
    games = "wallgame:classic:6x6", "wallgame:classic:5x5@6x6"
    assert [talk(pooled(*games), [start("A", wall("classic", size, size))])[0]["success"] for size in (5, 6)] == [
        True, True,
    ]  # fmt: skip


@pytest.mark.parametrize(("width", "height"), [(4, 6), (3, 3), (5, 4)])
def test_a_smaller_board_is_played_in_the_frame_of_a_larger_one(pooled, caplog, width, height):
    caplog.set_level("INFO")
    mind = pooled("wallgame:classic:6x6", only=f"wallgame:classic:{width}x{height}@6x6")
    questions = [start("A", wall("classic", width, height)), evaluate("A")]
    answers = talk(mind, questions, level=Level(50))
    assert answers[1]["success"]
    move = answers[1]["bestMove"]
    assert talk(mind, [questions[0], apply("A", 0, move)])[1]["success"]
    assert f"{width}x{height}@6x6, although it was not trained on it" in caplog.text


def test_freestyle_is_played_by_models_of_standard_only(pooled):
    freestyle = start("A", wall("freestyle", 6, 6))
    assert talk(pooled("wallgame:standard:6x6"), [freestyle])[0]["success"]
    assert not talk(pooled("wallgame:classic:6x6"), [freestyle])[0]["success"]


def test_a_larger_board_or_another_variant_is_refused_with_the_list_of_games(pooled):
    mind = pooled("wallgame:classic:5x5@6x6")
    for config in (wall("classic", 7, 6), wall("standard", 5, 5)):
        (answer,) = talk(mind, [start("A", config)])
        assert not answer["success"]
        assert "they play: wallgame:classic:5x5@6x6" in answer["error"]


def test_the_refusal_gives_the_reason_of_the_player(pooled):
    mind = pooled("wallgame:classic:6x6", only="wallgame:classic:6x6")
    (answer,) = talk(mind, [start("A", wall("classic", 4, 4))])
    assert "pooled cannot play wallgame:classic:4x4@6x6" in answer["error"]


def test_all_boards_of_a_model_share_one_cache(pooled):
    mind, patient = pooled("wallgame:classic:6x6", "wallgame:standard:5x5@6x6"), Level(200, seconds=300.0)
    small, large = start("A", wall("standard", 5, 5)), start("B", wall("classic", 6, 6))
    assert all(answer["success"] for answer in talk(mind, [small, large, evaluate("A"), evaluate("B")], level=patient))
    rows = mind.pool.work().rows
    talk(mind, [start("C", wall("classic", 6, 6)), evaluate("C")], level=patient)
    assert mind.pool.work().rows < rows + 100, "most positions of its 200 visits were evaluated for the first sessions"


@pytest.mark.parametrize("visits", [1, 2, 3])
def test_a_complete_move_is_found_with_very_few_visits(pooled, visits):
    mind = pooled("wallgame:standard:5x5")
    questions = [start("A", wall("standard", 5, 5))]
    for ply in range(12):
        answer = talk(mind, [*questions, evaluate("A", ply)], level=Level(visits))[-1]
        assert answer["success"]
        if not answer["bestMove"]:
            break
        questions.append(apply("A", ply, answer["bestMove"]))
        assert talk(mind, questions)[-1]["success"]
