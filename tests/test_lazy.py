"""Attributes computed when first read: once for each object, and never while another object's waits."""

import threading

import ludus
from ludus.games.calls import Calls, pause
from ludus.lazy import lazy_property


class Counted:
    """Counts how often its value is computed."""

    def __init__(self):
        self.times = 0

    @lazy_property
    def value(self):
        """The number of computations so far."""
        self.times += 1
        return self.times


def test_a_value_is_computed_once_for_each_object_and_again_after_del():
    one, other = Counted(), Counted()
    assert [one.value, one.value, other.value] == [1, 1, 1]
    del one.value
    assert one.value == 2
    assert Counted.value.__doc__ == "The number of computations so far."


def test_a_position_whose_rules_pause_does_not_stop_other_positions(monkeypatch):
    game = ludus.game("tictactoe")
    monkeypatch.setattr(game, "calls", Calls(game.rules, game.max_legal))  # compiled rules never pause
    waits, go_on, done = threading.Event(), threading.Event(), threading.Event()

    def paused():
        waits.set()
        go_on.wait(60)

    def read(check):
        pause.set(check)  # a new thread has a context of its own
        assert game.start().actions

    slow = threading.Thread(target=read, args=(paused,), daemon=True)
    slow.start()
    assert waits.wait(60)
    fast = threading.Thread(target=lambda: (read(lambda: None), done.set()), daemon=True)
    fast.start()
    try:
        assert done.wait(60), "it waits for a position of another thread"
    finally:
        go_on.set()
        slow.join()
        fast.join()
