"""What the compiler does not know of, and what an author is told to write in its place."""

from pathlib import Path

import pytest

import ludus
from ludus.errors import BadGame
from ludus.games import tictactoe as sound
from ludus.games.remedies import with_remedy
from ludus.kernel import COMPILED

WORTH = {0: 0, 3: 3}
WORTHS = [0, 1, 2, 3]


def worth_by_dictionary(state):
    return WORTH[3 if state[0] and state[4] and state[8] else 0]


def worth_by_list(state):
    return WORTHS[sound.outcome(state)]


def worth_by_class(state):
    return Path("a", "b").parts[0] == "c"


def worth_by_generator(state):
    return max(code for code in (0, sound.outcome(state)))


def worth_by_growing_list(state):
    found = []
    return len(found)


@pytest.mark.parametrize(
    ("outcome", "remedy"),
    [
        (worth_by_dictionary, "make it a tuple or a NumPy array, which no rule may change"),
        (worth_by_list, "make it a tuple or a NumPy array, which no rule may change"),
        (worth_by_class, "use numbers, tuples and NumPy arrays"),
        (worth_by_generator, "write a loop"),
        (worth_by_growing_list, "make an array as large as it can grow, and count"),
    ],
)
def test_what_rules_are_not_compiled_with_is_answered_with_what_they_are(outcome, remedy):
    game = ludus.Game(
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
    if not COMPILED:
        return  # plain Python knows all of this
    with pytest.raises(BadGame) as refused:
        game.rules.compile_alone("outcome", game.empty_state())
    assert with_remedy(str(refused.value)).endswith(remedy)


def test_a_complaint_without_a_known_remedy_stays_as_it_is():
    assert with_remedy("mygame: rule play() does not compile: something new.").endswith("something new.")
