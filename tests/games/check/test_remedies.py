"""Constructs that the compiler rejects, and the remedies shown to the author."""

from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.errors import BadGame
from ludus.games import tictactoe as sound
from ludus.games.check.remedies import with_remedy
from ludus.kernel import COMPILED

WORTH = {0: 0, 3: 3}
WORTHS = [0, 1, 2, 3]
NEIGHBOURS = ((1, 3), (0, 2, 4), (1, 5))
COUNTS = np.zeros(2, np.int64)
TOTAL = 0


def game_of(outcome):
    """Return tic-tac-toe with another `outcome`."""
    return ludus.Game(
        name="broken",
        state_size=10,
        num_actions=9,
        planes=(2, 3, 3),
        max_actions=9,
        start=sound.start,
        to_play=sound.to_play,
        legal=sound.legal,
        play=sound.play,
        outcome=outcome,
        encode=sound.encode,
    )


def worth_by_dictionary(state):
    return WORTH[3 if state[0] and state[4] and state[8] else 0]


def worth_by_list(state):
    return WORTHS[sound.outcome(state)]


def worth_by_uneven_rows(state):
    for cell in NEIGHBOURS[state[0]]:
        if state[cell]:
            return 0
    return 0


def worth_by_all_uneven_rows(state):
    for row in NEIGHBOURS:
        if state[row[0]]:
            return 0
    return 0


def worth_by_counted_uneven_rows(state):
    for cell, row in enumerate(NEIGHBOURS):
        if state[cell] and state[row[0]]:
            return 0
    return 0


def worth_by_class(state):
    return Path("a", "b").parts[0] == "c"


def worth_by_generator(state):
    return max(code for code in (0, sound.outcome(state)))


def worth_by_growing_list(state):
    found = []
    return len(found)


def worth_by_set(state):
    found = set()
    return len(found)


def worth_by_growing_dictionary(state):
    found = {}
    return len(found)


def worth_by_counting(state):
    COUNTS[0] += 1
    return 0


def worth_by_a_global(state):
    global TOTAL
    TOTAL += 1
    return 0


def worth_by_exception(state):
    try:
        return int(state[90])
    except IndexError:
        return 0


def worth_by_text(state):
    return len(f"{state[0]:02d}")


def worth_by_sorting_out(state):
    return len(np.unique(state, return_counts=True))


def worth_by_list_around():
    around = [0, 3]

    def worth(state):
        return around[0]

    return worth


@pytest.mark.skipif(not COMPILED, reason="plain Python knows all of this")
@pytest.mark.parametrize(
    ("outcome", "remedy"),
    [
        (worth_by_dictionary, "make it a tuple or a NumPy array, which stays constant"),
        (worth_by_list, "make it a tuple or a NumPy array, which stays constant"),
        (worth_by_uneven_rows, "use a NumPy array, padding short rows"),
        (worth_by_all_uneven_rows, "use a NumPy array, padding short rows"),
        (worth_by_counted_uneven_rows, "use a NumPy array, padding short rows"),
        (worth_by_class, "use tuples and NumPy arrays"),
        (worth_by_generator, "write a loop"),
        (worth_by_growing_list, "use an array of the maximum size and a counter"),
        (worth_by_set, "use an array with a flag for each possible item"),
        (worth_by_growing_dictionary, "use an array with an item for each key"),
        (worth_by_counting, "keep the value in the state"),
        (worth_by_a_global, "keep the value in the state"),
        (worth_by_exception, "test with `if` beforehand"),
        (worth_by_text, "cannot format strings; use numbers"),
        (worth_by_sorting_out, "use integers, or a loop"),
        (worth_by_list_around(), "make it a tuple or a NumPy array, which stays constant"),
    ],
)
def test_an_unsupported_construct_is_answered_with_a_remedy(outcome, remedy):
    game = game_of(outcome)
    with pytest.raises(BadGame) as refused:
        game.rules.compile_alone("outcome", game.empty_state())
    told = with_remedy(str(refused.value))
    assert told.endswith(remedy)
    assert " at 0x" not in told
    assert "Raised from" not in told
    assert ".:" not in told


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled, so the compiler names no line")
def test_the_error_names_the_line_that_the_compiler_reports_separately():
    game = game_of(worth_by_a_global)
    line = worth_by_a_global.__code__.co_firstlineno + 2
    with pytest.raises(BadGame, match=rf"\(STORE_GLOBAL\) found \(test_remedies\.py, line {line}\)\.$"):
        game.rules.compile_alone("outcome", game.empty_state())


def test_a_compiler_message_without_a_known_remedy_is_unchanged():
    assert with_remedy("mygame: rule play() does not compile: something new.").endswith("something new.")
