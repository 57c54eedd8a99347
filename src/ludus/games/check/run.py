"""Plays random games, checks a game's laws, and shortens the first game that breaks one.

First, plain rules play some games, because their exceptions name the line.  Then every rule is compiled, and the same
games are played by compiled and plain rules side by side.  Compiled rules alone play the rest; before one of their
games is reported, the plain rules play it, too, and the rules play it several times.
"""

import io
import time
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from functools import partial
from itertools import count
from typing import Any

import msgspec
import numpy as np

from ludus.games.calls import RULES
from ludus.games.check.examine import FURTHEST, AtRandom, ByHeuristic, Examiner, Noticed, Walk
from ludus.games.check.explain import differing, explained
from ludus.games.check.guard import Broken, Guarded
from ludus.games.check.laws import check_refusal
from ludus.games.check.purity import check_code, check_start
from ludus.games.drawing import draw
from ludus.games.game import Game, Position
from ludus.games.registry import taken
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS
from ludus.kernel import COMPILED
from ludus.progress import Tell
from ludus.seeding import stream

GAMES = 1000
POSITIONS = 50_000
PLAIN_POSITIONS = 500  # positions checked with the slow plain rules
CLOSE_LOOKS = 6  # mean number of positions of a game that are checked against all laws
FAILURES = 20  # failed games after which the shortest failure is reported
REPLAYED = 10_000  # positions that may be replayed to shorten a failure
MIN_GAMES = 20  # a game is called endless if at least this many games all reach `max_actions`


class Breach(msgspec.Struct, frozen=True):
    """A broken law with the shortest example found."""

    law: str
    """Name of the law in `ludus.games.check.laws.LAWS`."""
    what: str
    """What happened, in one sentence without a period."""
    setup: Any = None
    """The setup that `draw_setup` drew; None for the usual start."""
    actions: list[int] = []
    """The actions from the start to the fault; if `play` breaks the law, the last action is the one being played."""
    moves: list[str] = []
    """`actions` in the game's notation, as far as the broken game can write them."""
    board: str = ""
    """The position in plain characters, if the broken game can draw it."""


class Report(msgspec.Struct, frozen=True):
    """Statistics of the random games, and the broken law if there is one."""

    game: str
    games: int
    """Number of random games played to their end."""
    positions: int
    """Number of positions of these games; repeated positions count each time."""
    num_symmetries: int
    mean_length: float
    """Actions per game."""
    longest: int
    first_moves: float
    """Share of the actions made by player 0.  At 0 or 1, the turn never passes."""
    mean_branching: float
    """Mean number of legal actions."""
    most_branching: int
    num_actions: int
    """As declared by the game."""
    actions_seen: int
    """Number of distinct actions that were legal at some position; if small, `num_actions` may be too large."""
    first_wins: float
    """Share of the games; `second_wins`, `draws` and `capped` are shares, too."""
    second_wins: float
    draws: float
    capped: float
    """Games that were not over after `max_actions` actions."""
    breach: Breach | None
    """The broken law; None if every law held."""
    notices: list[str] = []
    """What may be wrong although no law is broken, in sentences without a period."""


def check(
    game: Game,
    games: int | None = None,
    seed: int = 0,
    progress: Tell = lambda *_: None,
    stage_s: float = float("inf"),
) -> Report:
    """Check a game's rules against `ludus.games.check.laws.LAWS` in random games.

    Args:
        game: the game to check.
        games: number of random games (default: `GAMES`, or fewer if they hold `POSITIONS` positions).
        seed: equal seeds play equal games.
        progress: called with the current stage, the amount done and the total.
        stage_s: after this many seconds, each of the three stages ends with its next game, but not before
            `MIN_GAMES`: for slow games, and on busy machines.

    Returns:
        A report whose `breach` is None, or the broken law with the shortest example found.
    """
    plain, compiled = Guarded(game, compiled=False), Guarded(game, compiled=True)
    most = None if games else POSITIONS
    few = PLAIN_POSITIONS if COMPILED else most
    noticed = Noticed.of(game)
    stages = [("plain games", few, Examiner(plain, noticed=noticed))]
    if COMPILED:
        stages.append(("compiled and plain games", few, Examiner(compiled, plain, noticed)))
        stages.append(("compiled games", most, Examiner(compiled, noticed=noticed)))
    walks: list[Walk] = []
    seen: set[int] = set()
    with np.errstate(over="ignore"):
        if breach := _fault(partial(check_code, game)) or _fault(partial(check_start, plain)):
            return _report(game, walks, 0, [], breach)
        for stage, enough, examiner in stages:
            if examiner.twin and (breach := _compile(examiner, progress)):
                break
            with np.errstate(over="ignore" if examiner.rules.compiled else "call", call=noticed.overflow.note):
                walks, failure = _play(examiner, games or GAMES, seed, enough, partial(progress, stage), stage_s)
            seen |= examiner.seen
            if failure:
                breach = _breach(game, explained(examiner.rules, plain, failure))
                break
        if not breach and len(walks) >= MIN_GAMES and all(walk.outcome == ONGOING for walk in walks):
            broken = differing(compiled, plain, walks[0]) if COMPILED else None
            breach = _breach(game, broken) if broken else _endless(stages[-1][2], len(walks), seed)
    breach = breach or _fault(partial(check_refusal, game))
    notices = [taken(game.name), *(each.notice() for each in noticed)]
    return _report(game, walks, len(seen), list(filter(None, notices)), breach)


def _endless(examiner: Examiner, games: int, seed: int) -> Breach | None:
    """Return a breach because no random game ended; None if one of a few games by the heuristic ends."""
    game, also = examiner.game, ""
    if game.has_rule("heuristic"):
        rng = stream(seed, "check", game.name, "heuristic")
        for _ in range(MIN_GAMES):
            walk = examiner.walk(ByHeuristic(rng, 0.0), game.max_actions, rng=rng)
            if walk.broken:
                return _breach(game, walk)
            if walk.outcome != ONGOING:
                return None
        also = f", nor one of {MIN_GAMES} by the heuristic's weights"
    what = f"none of {games} random games ended within {game.max_actions} actions{also}"
    remedy = "if the rules are right, raise max_actions, or write a heuristic whose games end: training needs results"
    return Breach(law="ends", what=f"{what}; {remedy}")


def _fault(check_something: Callable[[], None]) -> Breach | None:
    try:
        check_something()
    except Broken as broken:
        return Breach(law=broken.law, what=broken.what)
    return None


def _compile(examiner: Examiner, progress: Tell) -> Breach | None:
    done = count()

    def tell(rule: str) -> None:
        progress(f"compiling {rule}", next(done), len(RULES))

    breach = _fault(lambda: examiner.rules.compile_all(examiner.start(), tell))
    if not breach:
        examiner.game.compile()  # what people see also needs legal actions
    return breach


def _play(
    examiner: Examiner,
    games: int,
    seed: int,
    enough: int | None,
    progress: Callable[[int, int], object],
    stage_s: float,
) -> tuple[list[Walk], Walk | None]:
    """Play random games, but at most `enough` positions.

    Returns:
        The games that broke no law, and the shortest failure among the others.
    """
    rng = stream(seed, "check", examiner.game.name)
    kept: list[Walk] = []
    best: Walk | None = None
    played, positions, failures = 0, 0, 0
    cap, budget = examiner.game.max_actions, REPLAYED
    limit = FURTHEST * cap
    end = time.monotonic() + stage_s
    while played < games and failures < FAILURES and limit >= 0 and positions <= (enough or positions):
        if played >= MIN_GAMES and time.monotonic() >= end:
            break
        progress(positions if enough else played, enough or games)
        policy = AtRandom(rng, CLOSE_LOOKS * (played + 1) / (positions + min(cap, limit) + 1))
        walk = examiner.walk(policy, limit, rng=rng if played else None)
        played += 1
        positions += len(walk.actions)
        if walk.broken:
            failures += 1
            best, budget = _shortened(examiner, walk, budget)
            limit = len(best.actions) - 1  # from now on, look for shorter failures only
        elif not best:
            kept.append(walk)
    progress(enough or games, enough or games)
    return kept, best


def _shortened(examiner: Examiner, walk: Walk, budget: int) -> tuple[Walk, int]:
    """Leave out actions while the game still breaks the same law; return the shortest failure and the budget left."""
    again = examiner.replay(walk)  # tries all legal actions of the last position, which may show a plainer fault
    walk = again if again.broken else walk
    size = len(walk.actions) // 2
    while size:
        at = 0
        while at < len(walk.actions) and budget > 0:
            shorter = examiner.replay(walk, walk.actions[:at] + walk.actions[at + size :])
            budget -= len(shorter.actions) + 1
            same = shorter.broken and walk.broken and shorter.broken.law == walk.broken.law
            if same and len(shorter.actions) < len(walk.actions):
                walk = shorter
            else:
                at += size
        size //= 2
    return walk, budget


def _breach(game: Game, failure: Walk) -> Breach:
    """Describe a failure for people, as far as the broken game can draw and write it."""
    assert failure.broken, "a failed walk has a broken law"
    moves: list[str] = []
    board = ""
    with suppress(Exception), redirect_stdout(io.StringIO()):  # the broken rule may print
        position = Position(game, game.start_state() if failure.start is None else failure.start)
        for action in failure.actions:
            board = draw(position.describe())
            position = position.play(action)
            moves = [str(move) for move in position.moves]
        board = draw(position.describe())
    law, what = failure.broken.law, failure.broken.what
    return Breach(law=law, what=what, setup=failure.setup, actions=failure.actions, moves=moves, board=board)


def _report(game: Game, walks: list[Walk], actions_seen: int, notices: list[str], breach: Breach | None) -> Report:
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
        notices=notices,
        breach=breach,
    )
