"""The Gomocup engine: dialogues from files, time, swap2, and commands during a search."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus.games.gomoku.engines.gomocup.limits import LEAST_S, ManagerAllowance
from ludus.players.thinking.thought import Thought


def test_the_engine_answers_as_the_dialogue_expects(conversation, dialogue):
    for line, patterns in dialogue:
        answers = conversation.tell(line)
        assert len(answers) == len(patterns), f"{line!r} was answered with {answers}"
        for answer, pattern in zip(answers, patterns, strict=True):
            assert pattern.fullmatch(answer), f"{line!r} was answered with {answer!r}, not {pattern.pattern!r}"


# ---- time ------------------------------------------------------------------------------------------------------------


def asked(conversation, *infos):
    conversation.tell("START 15", *(f"INFO {info}" for info in infos), "BEGIN")
    return conversation.mind.limits[-1]


def test_a_search_stays_within_the_time_of_a_turn(conversation):
    limits = asked(conversation, "timeout_turn 1000")
    assert limits.seconds + limits.extension <= 0.9
    assert limits.seconds > 0.5


def test_a_turn_time_of_zero_means_at_once(conversation):
    assert asked(conversation, "timeout_turn 0", "time_left 90000").seconds == LEAST_S


def test_the_match_time_is_divided_among_the_remaining_moves(conversation):
    limits = asked(conversation, "timeout_turn 30000", "timeout_match 180000", "time_left 20000")
    assert 0.2 < limits.seconds < 2.0
    assert limits.seconds + limits.extension < 10.0


@pytest.mark.parametrize("left", ["0", "-250"])
def test_a_search_without_time_left_is_as_short_as_possible(conversation, left):
    limits = asked(conversation, "timeout_turn 30000", f"time_left {left}")
    assert (limits.seconds, limits.extension) == (LEAST_S, 0.0)


@pytest.mark.parametrize("info", ["timeout_match 0", "time_left 2147483647"])
def test_an_unlimited_match_time_leaves_the_turn_time_unchanged(conversation, info):
    assert asked(conversation, "timeout_turn 5000", info).seconds == pytest.approx(4.9)


def test_the_engine_counts_its_time_if_the_manager_does_not_send_it(conversation):
    conversation.tell("START 15", "INFO timeout_match 1000", "BEGIN")
    conversation.tell("TURN 7,7", "TURN 7,8")
    assert conversation.mind.limits[-1].seconds <= 0.5


def test_visits_are_limited_by_nodes_memory_and_strength(conversation):
    assert asked(conversation).visits == 800
    assert asked(conversation, "max_node 50").visits == 50
    assert asked(conversation, "max_node 0", "strength 50").visits == 28
    assert asked(conversation, "strength 0").visits == 2
    small = ManagerAllowance(memory=4_000_000).limits(
        ludus.game("gomoku:15x15"), visits=100_000, overhead_s=0.1, own_moves=20
    )
    assert 100 <= small.visits < 10_000


# ---- commands during a search ----------------------------------------------------------------------------------------


def test_commands_for_a_move_wait_and_others_do_not(conversation):
    conversation.tell("START 15")
    conversation.mind.waits = True
    assert conversation.tell("BEGIN", "TURN 7,7") == []
    assert conversation.tell("ABOUT")[0].startswith("name=")
    assert conversation.tell("INFO timeout_turn 100") == []
    conversation.mind.requests[-1].answer()
    assert conversation.said[-1] == "0,0"
    conversation.mind.requests[-1].answer()
    assert conversation.said[-1] == "1,0"


def test_code_is_compiled_before_the_clock_runs(conversation):
    assert conversation.tell("START 15", "INFO rule 4", "RESTART") == ["OK", "OK"]
    assert conversation.mind.warmed == ["gomoku:freestyle:15x15", "gomoku:renju:15x15"], (
        "a manager may choose renju later"
    )


def test_boards_and_rules_that_the_network_does_not_play_are_played_without_it(conversation):
    conversation.mind.refuses = "renju"
    assert conversation.tell("START 15", "BEGIN", "INFO rule 4", "TURN 5,5") == ["OK", "0,0", "1,0"]
    assert (len(conversation.mind.limits), len(conversation.last.limits)) == (1, 1)
    conversation.mind.refuses = "20x20"
    assert conversation.tell("INFO rule 0", "START 20", "BEGIN") == ["OK", "0,0"]
    assert "MESSAGE no model plays gomoku:freestyle:20x20; common sense plays" in conversation.said
    assert len(conversation.last.limits) == 2


@pytest.mark.parametrize("refused", ["START 3", "START 21", "RECTSTART 10,12", "START x"])
def test_a_refused_board_changes_nothing(conversation, refused):
    """The old game goes on, with its running search and the commands that wait for it."""
    conversation.tell("START 15", "TURN 7,7")
    assert conversation.tell(refused)[0].startswith("ERROR")
    assert conversation.tell("TURN 7,7") == ["ERROR 7,7 is taken"]
    conversation.mind.waits = True
    assert conversation.tell("TURN 8,8", "TURN 9,9", refused)[0].startswith("ERROR")
    conversation.mind.requests[-1].answer()
    conversation.mind.requests[-1].answer()
    assert [line for line in conversation.said if not line.startswith("MESSAGE")][-2:] == ["1,0", "2,0"]


@pytest.mark.parametrize("stop", ["YXSTOP", "INFO timeout_turn 0"])
def test_stop_commands_end_the_search_with_an_answer(conversation, stop):
    conversation.tell("START 15")
    conversation.mind.waits = True
    assert conversation.tell("BEGIN", stop) == ["0,0"]


def test_a_stopped_opening_starts_no_further_search(conversation):
    conversation.tell("START 15")
    conversation.mind.waits = True
    assert conversation.tell("SWAP2BOARD", *THREE, "DONE", "INFO timeout_turn 0") == ["0,0"]
    assert len(conversation.mind.requests) == 1


@pytest.mark.parametrize(("line", "answers"), [("RESTART", ["OK"]), ("START 9", ["OK"]), ("TAKEBACK 7,7", ["OK"])])
def test_a_new_board_ends_the_search_without_an_answer(conversation, line, answers):
    conversation.tell("START 15")
    conversation.mind.waits = True
    conversation.tell("TURN 7,7")
    assert conversation.tell(line) == answers
    assert conversation.mind.requests[-1].cancelled()


def test_waiting_commands_run_after_a_takeback(conversation):
    conversation.tell("START 15", "INFO rule 4")
    conversation.mind.waits = True
    assert conversation.tell("TURN 7,7", "YXSHOWFORBID", "TURN 8,8") == []
    assert conversation.tell("TAKEBACK 7,7") == ["OK", "FORBID ."]
    conversation.mind.requests[-1].answer()
    assert conversation.said[-1] == "0,0"


def test_the_end_of_input_is_handled_after_a_takeback(conversation):
    conversation.tell("START 15")
    conversation.mind.waits = True
    conversation.tell("TURN 7,7", "TURN 8,8", "TAKEBACK 7,7")
    conversation.talker.end()
    assert conversation.talker.is_over
    assert conversation.said[-1] == "0,0", "earlier commands are answered"


def test_the_search_continues_after_an_invalid_takeback(conversation):
    conversation.tell("START 15")
    conversation.mind.waits = True
    conversation.tell("TURN 7,7")
    assert conversation.tell("TAKEBACK 3,3") == ["ERROR there is no stone at 3,3"]
    conversation.mind.requests[-1].answer()
    assert conversation.said[-1] == "0,0"


def test_waiting_commands_are_dropped_at_the_end(conversation):
    conversation.tell("START 15")
    conversation.mind.waits = True
    assert conversation.tell("BEGIN", "YXSHOWFORBID", "END") == []


def test_end_takes_effect_at_once_during_a_search(conversation):
    conversation.tell("START 15")
    conversation.mind.waits = True
    assert conversation.tell("BEGIN", "END") == []
    assert conversation.talker.is_over
    conversation.talker.close()
    assert conversation.mind.closed


def test_a_failed_search_is_answered_with_a_move(conversation):
    conversation.tell("START 15")
    conversation.mind.fault = RuntimeError("no memory")
    assert conversation.tell("BEGIN") == ["7,7"]
    assert "MESSAGE the search failed: no memory" in conversation.said


# ---- swap2 -----------------------------------------------------------------------------------------------------------


def opening(conversation, value, *stones):
    """Return the answer to an opening if every position has this value for the mover."""
    conversation.mind.value = lambda _position: value
    (answer,) = conversation.tell("START 15", "INFO rule 1", "SWAP2BOARD", *stones, "DONE")[1:]
    return answer


THREE, FIVE = ("7,7", "8,8", "9,9"), ("7,7", "8,8", "9,9", "7,9", "8,9")


def points(text):
    return [tuple(map(int, point.split(","))) for point in text.split()]


def test_the_opener_places_three_stones(conversation):
    found = points(opening(conversation, 0.0))
    assert len({*found}) == 3
    assert all(0 <= side < 15 for point in found for side in point)


def test_the_better_colour_is_taken_after_three_stones(conversation):
    assert opening(conversation, 0.7, *THREE) == "0,0", "the engine stays White"
    assert opening(conversation, -0.7, *THREE) == "SWAP"


def test_two_more_stones_are_placed_if_neither_colour_is_clearly_better(conversation):
    conversation.tell("START 15")
    conversation.mind.value = lambda position: 0.1 if len(position.actions) == 15 * 15 - 3 else 0.05
    (answer,) = conversation.tell("SWAP2BOARD", *THREE, "DONE")
    found = points(answer)
    assert len(found) == 2
    assert not {*found} & {*points(" ".join(THREE))}


def test_pairs_of_stones_that_are_not_more_even_are_not_placed(conversation):
    assert opening(conversation, -0.1, *THREE) == "SWAP"
    assert opening(conversation, 0.1, *THREE) == "0,0"


def test_the_better_colour_is_taken_after_five_stones(conversation):
    assert opening(conversation, 0.01, *FIVE) == "0,0"
    assert opening(conversation, -0.01, *FIVE) == "SWAP"


@pytest.mark.parametrize("stones", [(), THREE, FIVE], ids=len)
def test_a_failed_search_is_answered_with_an_opening(conversation, stones):
    conversation.mind.fault = RuntimeError("no memory")
    answer = opening(conversation, 0.0, *stones)
    assert answer == "SWAP" if stones else len({*points(answer)}) == 3
    assert "MESSAGE the search failed: no memory" in conversation.said
    conversation.mind.fault = None
    assert conversation.tell("RESTART", "BEGIN") == ["OK", "0,0"], "the next game works"


def test_a_failed_second_round_of_searches_is_answered(conversation):
    conversation.tell("START 15")
    conversation.mind.waits = True
    conversation.tell("SWAP2BOARD", *THREE, "DONE")
    conversation.mind.waits, conversation.mind.fault = False, RuntimeError("no memory")
    conversation.mind.requests[0].set_result(Thought([0], 0.1, 0.0, 2, [], [0]))
    assert conversation.said[-1] == "SWAP"


def test_a_command_that_fails_is_answered_with_an_error(conversation, monkeypatch):
    def broken(_position, *, seed=0):
        raise MemoryError("no room")

    conversation.tell("START 15")
    monkeypatch.setattr(conversation.mind, "seat", broken)
    for line in ("BEGIN", "SWAP2BOARD\nDONE", "START 9"):
        assert conversation.tell(*line.split("\n")) == ["ERROR internal error: MemoryError('no room')"]
    assert conversation.tell("ABOUT")[0].startswith("name=")


def test_an_opening_ends_with_a_new_board(conversation):
    conversation.tell("START 15")
    conversation.mind.waits = True
    assert conversation.tell("SWAP2BOARD", *THREE, "DONE") == []
    assert conversation.tell("RESTART", "BEGIN") == ["OK"]


# ---- random input ----------------------------------------------------------------------------------------------------

COMMANDS = ["START", "RECTSTART", "RESTART", "BEGIN", "TURN", "BOARD", "DONE", "SWAP2BOARD", "TAKEBACK", "PLAY", "INFO"]
WORDS = st.sampled_from([*COMMANDS, "ABOUT", "YXSTOP", "YXSHOWFORBID", "x"])
TAILS = st.one_of(
    st.sampled_from(["", "15", "5", "9,9", "0,0", "1,1", "0,0,1", "1,1,2", "rule 4", "time_left 5", "\0", "é,1"]),
    st.text(max_size=12),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.builds("{} {}".format, WORDS, TAILS) | TAILS, max_size=30))
def test_no_input_crashes_the_engine(talk, lines):
    conversation = talk()
    for line in lines:
        for answer in conversation.tell(line):
            assert "\n" not in answer
            assert answer.isprintable()


def test_a_real_search_answers_behind_pipes():
    lines = "START 5\r\nINFO timeout_turn 60000\r\nBEGIN\r\nABOUT\r\n"
    command = [sys.executable, "-m", "ludus", "engine", "gomocup", "--visits", "12", "--tree-visits", "50"]
    plain = os.environ | {"NUMBA_DISABLE_JIT": "1"}  # faster than compiling for a dozen visits
    done = subprocess.run(command, input=lines, env=plain, capture_output=True, text=True, timeout=300, check=True)
    said = done.stdout.splitlines()
    assert said[0] == "OK"
    moves = [line for line in said if line[0].isdigit()]
    assert len(moves) == 1


@pytest.mark.parametrize("rule", [0, 1])  # a network trained on renju has one more plane
def test_a_network_that_sees_threats_plays(rule):
    model = Path(__file__).parents[5] / "models" / "gomoku-9x9"
    command = [sys.executable, "-m", "ludus", "engine", "gomocup", "--model", model, "--visits", "12"]
    plain = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=plain, text=True) as engine:
        assert engine.stdin
        assert engine.stdout
        engine.stdin.write(f"INFO rule {rule}\nSTART 9\nBEGIN\n")
        engine.stdin.flush()
        said = [engine.stdout.readline() for _ in range(2)]
        while not (said[-1][:1].isdigit() or said[-1].startswith("ERROR") or not said[-1]):
            said.append(engine.stdout.readline())
        engine.stdin.write("END\n")
    assert next(line for line in said if not line.startswith("MESSAGE")) == "OK\n"
    assert said[-1][:1].isdigit(), said
