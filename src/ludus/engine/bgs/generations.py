"""The players of a training run: each new session gets the run's newest network, or the one that its bot names."""

from __future__ import annotations

import logging
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence

from ludus.engine.bgs.minds import SessionMind
from ludus.errors import LudusError
from ludus.games.registry import game as find_game
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.thinking.heuristic_mind import HeuristicMind
from ludus.players.thinking.mind import Mind
from ludus.players.thinking.pool import Pool
from ludus.protocol.bgs import StartGameSession

_log = logging.getLogger(__name__)

NAMED = re.compile(r"(?:.*-)?generation-(\d{1,6})")
"""The ids of bots that always play with the network of one generation."""
LOADED = 4
"""Networks that stay loaded; open sessions keep theirs beyond that."""
REMEMBERED = 4096
"""Sessions whose generation is remembered."""


class Generations:
    """Chooses the player of each session; a session that is started again keeps its generation.

    A bot client starts a session again after a lost connection, a site after a takeback.  In both cases the opponent
    of a running game must not change.
    """

    def __init__(
        self, first: HeuristicMind, load: Callable[[int], Mind], newest: Callable[[], int | None], *, slots: int
    ) -> None:
        """Prepare the players; networks are loaded by the sessions that need them.

        Args:
            first: the player of sessions that start before there is a network.
            load: loads the network of a generation.
            newest: returns the generation whose network plays new sessions; None: there is none yet.
            slots: number of search trees of each network.
        """
        self._first, self._load, self._newest, self._slots = first, load, newest, slots
        self._minds: OrderedDict[int, Mind] = OrderedDict()
        self._played: OrderedDict[str, int | None] = OrderedDict()  # generation by session

    def warm_up(self) -> None:
        """Compile the search with and without a network, so that the first session of a network starts at once."""
        self._first.warm_up()
        for game in map(find_game, self._first.games):
            with Pool(game, UniformEvaluator(Shapes.of(game)), slots=self._slots) as pool:
                pool.warm_up(game)
        self._mind_of(self._newest())

    def minds_of(self, request: StartGameSession) -> Sequence[SessionMind]:
        """Return the player of a session; raises the errors of `load` for a bot that names a generation."""
        if named := NAMED.fullmatch(request.bot_id):
            return (self._loaded(int(named[1])),)
        if request.bgs_id not in self._played:
            self._played[request.bgs_id] = self._newest()
        self._played.move_to_end(request.bgs_id)
        while len(self._played) > REMEMBERED:
            self._played.popitem(last=False)
        return (self._mind_of(self._played[request.bgs_id]),)

    def close(self) -> None:
        """Answer all open requests with an error."""
        for mind in [self._first, *self._minds.values()]:
            mind.close()

    def _mind_of(self, generation: int | None) -> SessionMind:
        """Return the player of a generation; if its network cannot be loaded, the newest one that could."""
        try:
            return self._first if generation is None else self._loaded(generation)
        except LudusError as error:
            _log.error("Generation %s cannot play: %s", generation, error)
            return self._minds[max(self._minds)] if self._minds else self._first

    def _loaded(self, generation: int) -> Mind:
        if generation not in self._minds:
            self._minds[generation] = self._load(generation)
        self._minds.move_to_end(generation)
        while len(self._minds) > LOADED:  # its pools end when their last session does
            self._minds.popitem(last=False)
        return self._minds[generation]
