"""Plays one game by its plain or compiled rules and checks the laws at its positions."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np

from ludus.games.check import laws, laws_for_people, twin
from ludus.games.check.alike import AlikePositions
from ludus.games.check.guard import Broken, Guarded
from ludus.games.check.overflow import FirstOverflow
from ludus.games.check.symmetries import SameSymmetries, check_symmetries
from ludus.games.game import Game, Position
from ludus.games.rules import ONGOING, State

ACTIONS = 6  # legal actions that a full check of a position plays, writes and reads
FURTHEST = 2  # a game is followed for this many times `max_actions`, since a search from its last position goes beyond
MEMORY = 200_000  # positions kept in each of the examiner's tables


class Policy(Protocol):
    """Chooses the actions of a game and the positions that get a full check."""

    def choose(self, sight: laws.Sight) -> int | None:
        """Return a legal action, or None to stop here."""
        ...

    def looks_closely(self) -> bool:
        """Return whether to check all laws at this position; the last position is always checked."""
        ...

    def some(self, legal: tuple[int, ...]) -> list[int]:
        """Return the legal actions that a full check tries."""
        ...


class AtRandom:
    """A policy that plays random actions."""

    def __init__(self, rng: np.random.Generator, share: float) -> None:
        """Check a random `share` of the positions fully."""
        self._rng, self._share = rng, share

    def choose(self, sight: laws.Sight) -> int:
        """Return a random legal action."""
        return int(sight.legal[self._rng.integers(len(sight.legal))])

    def looks_closely(self) -> bool:
        """Return True with probability `share`."""
        return self._rng.random() < self._share

    def some(self, legal: tuple[int, ...]) -> list[int]:
        """Return a random choice of at most `ACTIONS` legal actions."""
        return [int(action) for action in self._rng.permutation(legal)[:ACTIONS]]


class ByHeuristic(AtRandom):
    """A policy that draws actions by the weights of the heuristic."""

    def choose(self, sight: laws.Sight) -> int:
        """Return a legal action drawn by its weight."""
        weights = np.frombuffer(sight.weights, np.float32)[: len(sight.legal)].astype(np.float64)
        return int(self._rng.choice(sight.legal, p=weights / weights.sum()))


class AsGiven:
    """A policy that replays a list of actions, up to its end or the first illegal one."""

    def __init__(self, actions: list[int]) -> None:
        """Store the actions to replay."""
        self._actions = iter(actions)

    def choose(self, sight: laws.Sight) -> int | None:
        """Return the next action of the list, or None."""
        action = next(self._actions, None)
        return action if action in sight.legal else None

    def looks_closely(self) -> bool:
        """Return False: only the last position is checked fully."""
        return False

    def some(self, legal: tuple[int, ...]) -> list[int]:
        """Return all legal actions."""
        return list(legal)


class Walk(msgspec.Struct):
    """A game played during a check, up to its end or the first broken law."""

    start: State | None = None
    setup: Any = None
    """The setup that `draw_setup` drew; None for the usual start."""
    actions: list[int] = []
    branching: list[int] = []
    """Number of legal actions at each position."""
    movers: list[int] = []
    """The player of each action."""
    outcome: int = ONGOING
    broken: Broken | None = None
    """The law that broke at the position after `actions`, or while the last action was played."""


class Noticed(NamedTuple):
    """What an author should look at although no law is broken."""

    same: SameSymmetries
    alike: AlikePositions
    overflow: FirstOverflow

    @classmethod
    def of(cls, game: Game) -> Noticed:
        """Return the start, with nothing noticed."""
        return cls(SameSymmetries(game), AlikePositions(game), FirstOverflow(game.dtype))


class Examiner:
    """Checks positions by one form of the rules, plain or compiled, and remembers the answers."""

    def __init__(self, rules: Guarded, twin: Guarded | None = None, noticed: Noticed | None = None) -> None:
        """Examine `rules`; with a `twin`, the plain rules, compare every answer of the two."""
        self.rules, self.twin, self.game = rules, twin, rules.game
        self.noticed = noticed or Noticed.of(rules.game)
        self.seen: set[int] = set()  # actions that were legal at some position
        self._sights: dict[bytes, int] = {}  # state -> hash of the rules' answers
        self._close: set[bytes] = set()
        self._mask: bytes | None = None  # the mask plane, equal at all positions

    def start(self) -> State:
        """Return the initial state."""
        return self.rules.start()

    def walk(
        self, policy: Policy, limit: int, like: Walk | None = None, rng: np.random.Generator | None = None
    ) -> Walk:
        """Play a game of at most `limit` actions, also beyond `max_actions`, and store a broken law in the result.

        Args:
            policy: chooses the actions.
            limit: maximum number of actions.
            like: a game whose initial state is reused.
            rng: draws the setup if `like` is None; without `rng`, the game begins at its usual start.
        """
        walk, cap = Walk(), self.game.max_actions
        try:
            if like:
                walk.setup, walk.start = like.setup, like.start
            elif rng:
                walk.setup, walk.start = self.rules.drawn_start(rng)
            self._walk(walk, policy, limit)
        except Broken as broken:
            why = f"; searches look beyond max_actions, {cap}, so the laws apply there, too"
            walk.broken = Broken(broken.law, broken.what + why) if len(walk.actions) > cap else broken
        return walk

    def replay(self, walk: Walk, actions: list[int] | None = None) -> Walk:
        """Play a game again, or other actions from its start; the last position gets a full check."""
        return self.walk(AsGiven(walk.actions if actions is None else actions), FURTHEST * self.game.max_actions, walk)

    def _walk(self, walk: Walk, policy: Policy, limit: int) -> None:
        if walk.start is None:
            walk.start = self.start()
        position = begin = Position(self.game, walk.start)
        sight = self._look(position.state)
        if sight.is_over:
            raise Broken("outcome", "the game is over before it begins")
        while True:
            stops = sight.is_over or len(walk.actions) >= min(limit, self.game.max_actions)
            action = None if stops else policy.choose(sight)
            if action is None or policy.looks_closely():
                some = policy.some(sight.legal)
                for following in () if sight.is_over or len(walk.actions) >= limit else some:
                    walk.actions.append(following)  # kept if the law breaks there
                    after = self._look(self._play(position.state, following))
                    self.noticed.alike.note_result(position.state, sight, following, after.outcome)
                    walk.actions.pop()
                self._look_closely(position, sight, some)
                if position is begin:
                    laws_for_people.check_moves(self.rules, position.state, sight, some)
            if action is None:
                break
            walk.branching.append(len(sight.legal))
            walk.movers.append(sight.to_play)
            walk.actions.append(action)
            last, before = position, sight
            position = Position(self.game, self._play(last.state, action), parent=last, action=action)
            sight = self._look(position.state)
            self.noticed.alike.note_result(last.state, before, action, sight.outcome)
            if sight.is_over or sight.to_play != before.to_play:
                move = walk.actions[begin.num_actions_played :]
                laws_for_people.check_move(self.rules, begin.state, position.state, move)
                begin = position
        walk.outcome = sight.outcome
        state = walk.start
        for action in walk.actions:
            state = self.rules.play(state, action)
        if state.tobytes() != position.state.tobytes():
            raise Broken("pure", "replaying the same actions leads to another state")
        if stops and not sight.is_over:
            self._look_beyond(walk, policy, limit, state, sight)

    def _look_beyond(self, walk: Walk, policy: Policy, limit: int, state: State, sight: laws.Sight) -> None:
        """Continue beyond `max_actions`, as searches do; remove these actions from `walk` unless a law breaks."""
        length = len(walk.actions)
        while not sight.is_over and len(walk.actions) < limit and (action := policy.choose(sight)) is not None:
            walk.actions.append(action)
            state = self._play(state, action)
            sight = self._look(state)
        del walk.actions[length:]

    def _play(self, state: State, action: int) -> State:
        judge = self.twin or self.rules
        after = judge.play(state, action)
        if not judge.compiled:
            laws.check_room(judge, state, action, after)
        if self.twin:
            twin.check_play(self.rules, self.twin, state, action, after)
        return after

    def _look(self, state: State) -> laws.Sight:
        """Collect the rules' answers at a position; raise Broken if they differ from those at an equal position."""
        sight = laws.look(self.twin or self.rules, state)
        self.seen.update(sight.legal)
        if self.twin:
            twin.check_answers(self.rules, self.twin, state, sight)
        if self._sights.setdefault(state.tobytes(), hash(sight)) != hash(sight):
            raise Broken("pure", "the rules return different answers for equal positions")
        if len(self._sights) > MEMORY:
            self._sights.clear()
        if (number := self.game.mask_plane) is not None:
            size = self.game.planes[1] * self.game.planes[2]
            mask = sight.planes[number * size : (number + 1) * size]
            if self._mask is not None and mask != self._mask:
                raise Broken("mask", "the mask plane is not the same in all positions")
            self._mask = mask
        self.noticed.alike.note(state, sight)
        return sight

    def _look_closely(self, position: Position, sight: laws.Sight, actions: list[int]) -> None:
        """Check all laws at a position; play, write and read some of its legal actions."""
        state = position.state
        if state.tobytes() in self._close:
            return
        laws.check_again(self.rules, state, sight, actions)
        if self.twin:
            twin.check_symmetries(self.rules, self.twin, state, sight.legal)
        check_symmetries(self.rules, state, sight, actions, sight.legal, self.noticed.same)
        laws.check_foresight(self.rules, state, sight)
        laws_for_people.check_texts(self.game, state, sight)
        laws_for_people.check_board(self.game, position, sight)
        laws.check_setup(self.game, state)
        laws.check_for_search(self.rules, state, sight)
        laws.check_can_win(self.game, state, sight)
        self._close.add(state.tobytes())
        if len(self._close) > MEMORY:
            self._close.clear()
