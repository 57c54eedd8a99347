"""Follows one game through one form of its rules, plain or compiled, and holds the laws against its positions."""

from typing import Any, Protocol

import msgspec
import numpy as np

from ludus.games.check import laws, laws_for_people
from ludus.games.check.guard import Broken, Guarded
from ludus.games.game import Position
from ludus.games.rules import ONGOING, State

ACTIONS = 6  # legal actions of a position that are played, written and read when it is looked at closely
MEMORY = 200_000  # positions whose answers are remembered


class Policy(Protocol):
    """Who plays a game, and which of its positions are looked at closely."""

    def choose(self, sight: laws.Sight) -> int | None:
        """Return a legal action, or None to stop here."""
        ...

    def looks_closely(self) -> bool:
        """Return whether to hold all laws against this position; the last one is always looked at."""
        ...

    def some(self, legal: tuple[int, ...]) -> list[int]:
        """Return the legal actions that a close look tries."""
        ...


class AtRandom:
    """Plays at random."""

    def __init__(self, rng: np.random.Generator, share: float) -> None:
        """Look closely at `share` of the positions."""
        self._rng, self._share = rng, share

    def choose(self, sight: laws.Sight) -> int:
        """Return any legal action."""
        return int(sight.legal[self._rng.integers(len(sight.legal))])

    def looks_closely(self) -> bool:
        """Return True as often as asked for."""
        return self._rng.random() < self._share

    def some(self, legal: tuple[int, ...]) -> list[int]:
        """Return at most `ACTIONS` of the legal actions."""
        return [int(action) for action in self._rng.permutation(legal)[:ACTIONS]]


class AsGiven:
    """Plays a list of actions, and stops at its end or where it is not legal."""

    def __init__(self, actions: list[int]) -> None:
        """Play these actions."""
        self._actions = iter(actions)

    def choose(self, sight: laws.Sight) -> int | None:
        """Return the next action."""
        action = next(self._actions, None)
        return action if action in sight.legal else None

    def looks_closely(self) -> bool:
        """Look at the last position only."""
        return False

    def some(self, legal: tuple[int, ...]) -> list[int]:
        """Return all of them."""
        return list(legal)


class Walk(msgspec.Struct):
    """One game as far as it went."""

    start: State | None = None
    setup: Any = None
    """What the game drew to begin with; None: its own start."""
    actions: list[int] = []
    branching: list[int] = []
    """Legal actions of each position."""
    movers: list[int] = []
    """Who makes each action."""
    outcome: int = ONGOING
    broken: Broken | None = None
    """The law that broke at the end of `actions`, or in playing the last of them."""


class Examiner:
    """Looks at positions through one form of the rules, and remembers what it saw."""

    def __init__(self, rules: Guarded, twin: Guarded | None = None) -> None:
        """Examine `rules`, comparing them with their `twin` everywhere if there is one."""
        self.rules, self.twin, self.game = rules, twin, rules.game
        self.seen: set[int] = set()  # actions that were legal somewhere
        self._sights: dict[bytes, int] = {}  # hashes of what was seen at positions
        self._close: set[bytes] = set()
        self._mask: bytes | None = None  # of the positions seen so far

    def start(self) -> State:
        """Return the first state."""
        return self.rules.start()

    def walk(
        self, policy: Policy, limit: int, like: Walk | None = None, rng: np.random.Generator | None = None
    ) -> Walk:
        """Play a game of at most `limit` actions, and beyond its cap; what breaks is in the walk that comes back.

        Args:
            policy: who plays it.
            limit: how long it is followed.
            like: the game whose start it shares.
            rng: draws its start, where it shares none; without it, it begins at the game's own.
        """
        walk, cap = Walk(), self.game.max_actions
        try:
            if like:
                walk.setup, walk.start = like.setup, like.start
            elif rng:
                walk.setup, walk.start = self.rules.drawn_start(rng)
            self._walk(walk, policy, limit)
        except Broken as broken:
            why = f"; searches look beyond max_actions, {cap}, and rules must hold there, too"
            walk.broken = Broken(broken.law, broken.what + why) if len(walk.actions) > cap else broken
        return walk

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
                    walk.actions.append(following)  # it stays there if it leads to something broken
                    self._look(self._play(position.state, following))
                    walk.actions.pop()
                self._look_closely(position, sight, some)
                if position is begin:
                    laws_for_people.check_moves(self.rules, position.state, sight, some)
            if action is None:
                break
            walk.branching.append(len(sight.legal))
            walk.movers.append(sight.to_play)
            walk.actions.append(action)
            position = Position(self.game, self._play(position.state, action), parent=position, action=action)
            before, sight = sight, self._look(position.state)
            if sight.is_over or sight.to_play != before.to_play:
                move = walk.actions[begin.num_actions_played :]
                laws_for_people.check_move(self.rules, begin.state, position.state, move)
                begin = position
        walk.outcome = sight.outcome
        state = walk.start
        for action in walk.actions:
            state = self.rules.play(state, action)
        if state.tobytes() != position.state.tobytes():
            raise Broken("pure", "the same actions, played from the start once more, lead to another state")
        if stops and not sight.is_over:
            self._look_beyond(walk, policy, limit, state, sight)

    def _look_beyond(self, walk: Walk, policy: Policy, limit: int, state: State, sight: laws.Sight) -> None:
        """Play on where the cap ends a game, as searches do; what is played is forgotten if it breaks no law."""
        length = len(walk.actions)
        while not sight.is_over and len(walk.actions) < limit and (action := policy.choose(sight)) is not None:
            walk.actions.append(action)
            state = self._play(state, action)
            sight = self._look(state)
        del walk.actions[length:]

    def _play(self, state: State, action: int) -> State:
        after = self.rules.play(state, action)
        if not self.rules.compiled:
            laws.check_room(self.rules, state, action, after)
        if self.twin and self.twin.play(state, action).tobytes() != after.tobytes():
            raise Broken("twin", f"play({action}) differs between compiled and plain rules")
        return after

    def _look(self, state: State) -> laws.Sight:
        """Look at a position; Broken if an equal one looked different."""
        sight = laws.look(self.rules, state)
        self.seen.update(sight.legal)
        if self.twin:
            laws.check_twin(sight, laws.look(self.twin, state))
        if self._sights.setdefault(state.tobytes(), hash(sight)) != hash(sight):
            raise Broken("pure", "the rules answer differently than before about an equal position")
        if len(self._sights) > MEMORY:
            self._sights.clear()
        if (number := self.game.mask_plane) is not None:
            size = self.game.planes[1] * self.game.planes[2]
            mask = sight.planes[number * size : (number + 1) * size]
            if self._mask is not None and mask != self._mask:
                raise Broken("mask", "the mask plane is not the same in all positions")
            self._mask = mask
        return sight

    def _look_closely(self, position: Position, sight: laws.Sight, actions: list[int]) -> None:
        """Hold all laws against a position, and against some of its legal actions."""
        state = position.state
        if state.tobytes() in self._close:
            return
        laws.check_again(self.rules, state, sight, actions)
        if self.twin:
            laws.check_twin_symmetries(self.rules, self.twin, state, sight)
        laws.check_symmetries(self.rules, state, sight, actions)
        laws.check_foresight(self.rules, state, sight)
        laws_for_people.check_texts(self.game, state, sight)
        laws_for_people.check_board(self.game, position, sight)
        laws.check_setup(self.game, state)
        laws.check_search(self.rules, state, sight)
        laws.check_chances(self.game, state, sight)
        self._close.add(state.tobytes())
        if len(self._close) > MEMORY:
            self._close.clear()
