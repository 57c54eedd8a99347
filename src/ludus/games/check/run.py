"""Plays random games against the laws of a game and reports the first that breaks, with the shortest example it found.

First the plain rules play some games, where a mistake raises an exception that names its line.  Then every rule is
compiled, the same games are played by compiled and plain rules side by side, and the rest by the compiled rules alone.
"""

import io
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from functools import partial
from itertools import count
from typing import Any

import msgspec
import numpy as np

from ludus.games.board import draw
from ludus.games.calls import RULES
from ludus.games.check.examine import AsGiven, AtRandom, Examiner, Walk
from ludus.games.check.guard import Broken, Guarded
from ludus.games.check.laws import check_refusal
from ludus.games.game import Game, Position
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS
from ludus.kernel import COMPILED
from ludus.progress import Tell
from ludus.seeding import stream

PLAIN_POSITIONS = 500  # positions after which the slow plain rules have played enough
CLOSE_LOOKS = 6  # positions of a game that all laws are held against, about
FAILURES = 20  # games that fail before the shortest failure is reported
REPLAYED = 10_000  # positions played once more to find a shorter example
FURTHEST = 2  # times `max_actions` that a game is followed: a playout from its last position is as long as a whole game
MIN_GAMES = 20  # games that must all reach `max_actions` before a game is called endless


class Breach(msgspec.Struct, frozen=True):
    """A broken law, and the shortest way to it that was found."""

    law: str
    """Its name in `ludus.games.check.laws.LAWS`."""
    what: str
    """What happened, in one sentence."""
    setup: Any = None
    """What the game had drawn to begin with; None: its own start."""
    actions: list[int] = []
    """The actions that lead to the position where it happens; where playing breaks the law, the last of them does."""
    moves: list[str] = []
    """The same in notation, as far as the game can write it."""
    board: str = ""
    """The position in plain characters, as far as the game can draw it."""


class Report(msgspec.Struct, frozen=True):
    """What `check` saw."""

    game: str
    games: int
    """Random games that were played to their end."""
    positions: int
    """Positions of these games; equal ones count each time."""
    num_symmetries: int
    mean_length: float
    """Actions of a game."""
    longest: int
    first_moves: float
    """A share of the actions: those that player 0 makes.  Where it is 0 or 1, the turn never passes."""
    mean_branching: float
    """Legal actions of a position."""
    most_branching: int
    num_actions: int
    """As the game declares it."""
    actions_seen: int
    """How many of these were legal in some position; where it is few, the game may declare too many."""
    first_wins: float
    """A share of the games, as are the next three."""
    second_wins: float
    draws: float
    capped: float
    """Games that were not over after `max_actions` actions."""
    breach: Breach | None
    """None: every law held."""


def check(game: Game, games: int = 1000, seed: int = 0, progress: Tell = lambda *_: None) -> Report:
    """Play random games against the declared laws, `ludus.games.check.laws.LAWS`.

    Args:
        game: any game, built in or a user's own.
        games: how many random games are played.
        seed: equal seeds play equal games.
        progress: told what is going on, how much of it is done, and of how much.

    Returns:
        A report whose `breach` is None, or names the law that breaks with the shortest example that was found.
    """
    plain, compiled = Guarded(game, compiled=False), Guarded(game, compiled=True)
    few = PLAIN_POSITIONS if COMPILED else None
    stages = [("plain games", few, Examiner(plain))]
    if COMPILED:
        stages.append(("compiled games beside plain ones", few, Examiner(compiled, twin=plain)))
        stages.append(("compiled games", None, Examiner(compiled)))
    walks: list[Walk] = []
    seen: set[int] = set()
    breach = None
    with np.errstate(over="ignore"):
        for stage, enough, examiner in stages:
            if examiner.twin and (breach := _compile(examiner, progress)):
                break
            walks, failure = _play(examiner, games, seed, enough, partial(progress, stage))
            seen |= examiner.seen
            if failure:
                breach = _breach(game, failure)
                break
    if not breach and len(walks) >= MIN_GAMES and all(walk.outcome == ONGOING for walk in walks):
        breach = Breach(law="ends", what=f"none of {len(walks)} random games ended within {game.max_actions} actions")
    return _report(game, walks, len(seen), breach or _careless_start(game))


def _careless_start(game: Game) -> Breach | None:
    try:
        check_refusal(game)
    except Broken as broken:
        return Breach(law=broken.law, what=broken.what)
    return None


def _compile(examiner: Examiner, progress: Tell) -> Breach | None:
    done = count()
    try:
        examiner.rules.compile_all(examiner.start(), lambda rule: progress(f"compiling {rule}", next(done), len(RULES)))
    except Broken as broken:
        return Breach(law=broken.law, what=broken.what)
    examiner.game.compile()  # what people see is made of legal actions, too
    return None


def _play(
    examiner: Examiner, games: int, seed: int, enough: int | None, progress: Callable[[int, int], object]
) -> tuple[list[Walk], Walk | None]:
    """Play random games, at most `enough` positions of them.

    Returns:
        The games that kept the laws, and the shortest failure of those that did not.
    """
    rng = stream(seed, "check", examiner.game.name)
    kept: list[Walk] = []
    best: Walk | None = None
    played, positions, failures = 0, 0, 0
    cap, budget = examiner.game.max_actions, REPLAYED
    limit = FURTHEST * cap
    while played < games and failures < FAILURES and limit >= 0 and positions <= (enough or positions):
        progress(positions if enough else played, enough or games)
        policy = AtRandom(rng, CLOSE_LOOKS * (played + 1) / (positions + min(cap, limit) + 1))
        walk = examiner.walk(policy, limit, rng=rng if played else None)
        played += 1
        positions += len(walk.actions)
        if walk.broken:
            failures += 1
            best, budget = _shortened(examiner, walk, budget)
            limit = len(best.actions) - 1  # only a shorter failure is of interest now
        elif not best:
            kept.append(walk)
    progress(enough or games, enough or games)
    return kept, best


def _shortened(examiner: Examiner, walk: Walk, budget: int) -> tuple[Walk, int]:
    """Leave out actions while the same law breaks; return the shortest failure and what is left of the budget."""

    def replay(actions: list[int]) -> Walk:
        return examiner.walk(AsGiven(actions), FURTHEST * examiner.game.max_actions, like=walk)

    again = replay(walk.actions)  # with all legal actions of the last position, which may show a plainer fault
    walk = again if again.broken else walk
    size = len(walk.actions) // 2
    while size:
        at = 0
        while at < len(walk.actions) and budget > 0:
            shorter = replay(walk.actions[:at] + walk.actions[at + size :])
            budget -= len(shorter.actions) + 1
            same = shorter.broken and walk.broken and shorter.broken.law == walk.broken.law
            if same and len(shorter.actions) < len(walk.actions):
                walk = shorter
            else:
                at += size
        size //= 2
    return walk, budget


def _breach(game: Game, failure: Walk) -> Breach:
    """Write a failure for people, as far as a broken game can."""
    assert failure.broken, "a failure breaks a law"
    moves: list[str] = []
    board = ""
    with suppress(Exception), redirect_stdout(io.StringIO()):  # the rule may be one that prints
        position = Position(game, game.start_state() if failure.start is None else failure.start)
        for action in failure.actions:
            board = draw(position.describe())
            position = position.play(action)
            moves = [str(move) for move in position.moves]
        board = draw(position.describe())
    law, what = failure.broken.law, failure.broken.what
    return Breach(law=law, what=what, setup=failure.setup, actions=failure.actions, moves=moves, board=board)


def _report(game: Game, walks: list[Walk], actions_seen: int, breach: Breach | None) -> Report:
    lengths = [len(walk.actions) for walk in walks]
    branching = [number for walk in walks for number in walk.branching]
    movers = [player for walk in walks for player in walk.movers]
    outcomes = [walk.outcome for walk in walks]
    num_games = max(1, len(walks))
    return Report(
        game=game.name,
        games=len(walks),
        positions=sum(lengths) + len(lengths),
        num_symmetries=game.num_symmetries,
        mean_length=sum(lengths) / num_games,
        longest=max(lengths, default=0),
        first_moves=movers.count(0) / max(1, len(movers)),
        mean_branching=sum(branching) / max(1, len(branching)),
        most_branching=max(branching, default=0),
        num_actions=game.num_actions,
        actions_seen=actions_seen,
        first_wins=outcomes.count(FIRST_WINS) / num_games,
        second_wins=outcomes.count(SECOND_WINS) / num_games,
        draws=outcomes.count(DRAW) / num_games,
        capped=outcomes.count(ONGOING) / num_games,
        breach=breach,
    )
