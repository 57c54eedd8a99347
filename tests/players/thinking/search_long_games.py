"""Searches long games of Go in plain Python, which checks array bounds; raises if a result is wrong."""

import ludus
from ludus.players.thinking.heuristic_mind import HeuristicMind
from ludus.seeding import stream

KO = "B1 C1 A2 D2 B3 C3 C2 B2"  # on 5x5: White has just taken the stone on C2


def stones_alone(position, rng):
    """Return a random legal stone, or a pass if there is none; the pass is the last action."""
    some = position.actions[:-1] or position.actions
    return some[int(rng.integers(len(some)))]


def to_the_real_end(mind):
    """Play and search a game beyond the length cap of training with one seat."""
    game, rng = ludus.game("go:3x3:komi=0"), stream(2, "test", "seat")
    seat = mind.seat(game.start())
    for ply in range(40):
        if ply % 8 == 0:
            thought = seat.think(20)
            assert {each.action for each in thought.candidates} <= set(seat.position.actions)
        seat.play(stones_alone(seat.position, rng))
    assert not seat.position.outcome
    for _ in range(2):
        seat.play(game.num_actions - 1)
    assert seat.position.outcome.reason.startswith("two passes")


def two_lengths(mind):
    """Search games with two length caps, whose states have different sizes."""
    short, long = map(ludus.game, ["go:5x5:plies=4", "go:5x5:plies=60"])
    mind.seat(short.start()).think(2)
    position = long.start()
    for move in KO.split():
        position = position.play(move)
    (ko,) = short.start().parse("C2")
    thought = mind.seat(position).think(60)
    assert len(thought.candidates) > 10
    assert ko not in {each.action for each in thought.candidates}, "the ko may not be retaken"


if __name__ == "__main__":
    mind = HeuristicMind("heuristic", slots=1, max_visits=100)
    to_the_real_end(mind)
    two_lengths(mind)
    mind.close()
