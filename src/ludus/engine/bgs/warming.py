"""Prepares the players of an engine in the background, so that each can play as soon as it is ready.

Code that is not in the cache is compiled by child processes, as many at a time as there are processors: the compiler
uses one processor of a process, and leaves memory behind.  The engine itself only loads code.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from subprocess import DEVNULL, Popen
from typing import NamedTuple, Protocol

from ludus.cores import usable_cores
from ludus.errors import LudusError
from ludus.games.registry import about
from ludus.games.registry import game as find_game
from ludus.kernel import is_cached
from ludus.protocol.spec import setting_of
from ludus.search.collect import collect
from ludus.trust import COMMAND

_log = logging.getLogger(__name__)


class Warmable(Protocol):
    """Interface of a player that compiles or loads its code."""

    @property
    def name(self) -> str:
        """The player's name."""
        ...

    @property
    def games(self) -> tuple[str, ...]:
        """Specs of its games."""
        ...

    def warm_up(self) -> None:
        """Compile or load the code of its games."""
        ...


class ColdPlayer(NamedTuple):
    """A player, and the arguments of `ludus engine` for an engine with this player alone."""

    player: Warmable
    arguments: tuple[str, ...]


class Warming:
    """The preparation of an engine's players."""

    def __init__(self, players: Sequence[ColdPlayer], tell: Callable[[str], object]) -> None:
        """Plan the preparation; `begin` starts it.

        Args:
            players: the players, in the order in which they should be ready.
            tell: called with a line about each compilation.
        """
        self._players, self._tell = players, tell
        self._ready: dict[int, Future[None]] = {id(each.player): Future() for each in players}
        self._children: set[Popen[bytes]] = set()
        self._lock = threading.Lock()  # guards the children
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="ludus-warming")

    def starting(self, player: object) -> Future[None] | None:
        """Return the future that ends when a player is ready; None if it was always ready."""
        return self._ready.get(id(player))

    def begin(self) -> None:
        """Start to prepare the players."""
        self._thread.start()

    def close(self) -> None:
        """End the compilations, and wait for a player that is loading its code; the others are not prepared."""
        with self._lock:
            self._closed = True
            for child in self._children:
                child.kill()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        cold: dict[frozenset[str], list[ColdPlayer]] = {}  # by the code that is missing
        for each in self._players:
            if missing := _missing(each.player):
                cold.setdefault(missing, []).append(each)
            else:
                self._warm(each)
        with ThreadPoolExecutor(usable_cores(), "ludus-compile") as threads:
            begun = {
                threads.submit(self._compile, group[0], f"{number} of {len(cold)}"): group
                for number, group in enumerate(cold.values(), 1)
            }
            for compiled in as_completed(begun):
                for each in begun[compiled]:
                    self._warm(each)

    def _compile(self, cold: ColdPlayer, number: str) -> None:
        """Compile the code of a player in a child process; if that fails, the engine compiles it and tells why."""
        with self._lock:
            if self._closed:
                return
            self._tell(f"compiling {_title(cold.player.games[0])} for this machine (once), {number} ...")
            child = Popen(
                [*COMMAND, "engine", *cold.arguments],
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=DEVNULL,
            )
            self._children.add(child)
        child.wait()
        with self._lock:
            self._children.discard(child)

    def _warm(self, each: ColdPlayer) -> None:
        if self._closed:
            return
        ready = self._ready[id(each.player)]
        try:
            each.player.warm_up()
        except Exception as error:  # noqa: BLE001 - passed on to the sessions of this player; the others play
            _log.exception("%s cannot play.", each.player.name)
            ready.set_exception(error)
        else:
            ready.set_result(None)


def _missing(player: Warmable) -> frozenset[str]:
    """Return the fingerprints of those rules of a player whose search is not in the cache of compiled code."""
    try:
        keys = {find_game(spec).rules.key for spec in player.games}
    except LudusError:  # `warm_up` raises it again
        return frozenset()
    return frozenset(key for key in keys if not is_cached(collect, key))


def _title(spec: str) -> str:
    """Return the title of a game with the size of its board, as people say it."""
    setting = setting_of(spec)
    return f"{about(spec).title} {setting.width}x{setting.height}" if setting.width else about(spec).title
