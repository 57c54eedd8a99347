"""What the compiler does not know of, and what an author is told to write in its place."""

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
    """Return tic-tac-toe with another rule for its end."""
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
        (worth_by_dictionary, "make it a tuple or a NumPy array, which no rule may change"),
        (worth_by_list, "make it a tuple or a NumPy array, which no rule may change"),
        (worth_by_uneven_rows, "make it a NumPy array, with short rows filled up"),
        (worth_by_all_uneven_rows, "make it a NumPy array, with short rows filled up"),
        (worth_by_counted_uneven_rows, "make it a NumPy array, with short rows filled up"),
        (worth_by_class, "use numbers, tuples and NumPy arrays"),
        (worth_by_generator, "write a loop"),
        (worth_by_growing_list, "make an array as large as it can grow, and count"),
        (worth_by_set, "make an array with an item for each thing in it"),
        (worth_by_growing_dictionary, "make an array with an item for each key"),
        (worth_by_counting, "keep it in the state"),
        (worth_by_a_global, "keep it in the state"),
        (worth_by_exception, "ask before, with `if`"),
        (worth_by_text, "reckon with numbers"),
        (worth_by_sorting_out, "use integers, or write a loop"),
        (worth_by_list_around(), "make it a tuple or a NumPy array, which no rule may change"),
    ],
)
def test_what_rules_are_not_compiled_with_is_answered_with_what_they_are(outcome, remedy):
    game = game_of(outcome)
    with pytest.raises(BadGame) as refused:
        game.rules.compile_alone("outcome", game.empty_state())
    told = with_remedy(str(refused.value))
    assert told.endswith(remedy)
    assert " at 0x" not in told
    assert "Raised from" not in told
    assert ".:" not in told


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled, so the compiler names no line")
def test_the_line_that_the_compiler_names_apart_is_the_place():
    game = game_of(worth_by_a_global)
    line = worth_by_a_global.__code__.co_firstlineno + 2
    with pytest.raises(BadGame, match=rf"\(STORE_GLOBAL\) found \(test_remedies\.py, line {line}\)\.$"):
        game.rules.compile_alone("outcome", game.empty_state())


def test_a_complaint_without_a_known_remedy_stays_as_it_is():
    assert with_remedy("mygame: rule play() does not compile: something new.").endswith("something new.")
