"""Prepares the players of an engine in the background, so that each can play as soon as it is ready.

Code that is not in the cache is compiled by child processes, one for each processor: the compiler uses one processor of
a process, and leaves memory behind.  A child compiles player after player, so that what the code of two games shares is
compiled once.  The engine itself only loads code.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import closing, suppress
from subprocess import DEVNULL, PIPE, Popen
from typing import BinaryIO, Protocol

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

    def close(self) -> None:
        """Free what it holds."""
        ...


def compile_players(numbers: Iterable[bytes], players: Sequence[Callable[[], Warmable]], answers: BinaryIO) -> None:
    """Compile the code of players as a child of `Warming`.

    Args:
        numbers: lines with the numbers of players.
        players: functions that create the players.
        answers: gets the number of each player whose code is in the cache now.
    """
    for number in numbers:
        with closing(players[int(number)]()) as player:
            player.warm_up()
        answers.write(number)
        answers.flush()


class Warming:
    """The preparation of an engine's players."""

    def __init__(self, players: Sequence[Warmable], arguments: Sequence[str], tell: Callable[[str], object]) -> None:
        """Plan the preparation; `begin` starts it.

        Args:
            players: the players, in the order in which they should be ready.
            arguments: arguments of `ludus` with which a process calls `compile_players` with the same players.
            tell: called with a line about each compilation.
        """
        self._players, self._arguments, self._tell = players, arguments, tell
        self._ready: dict[int, Future[None]] = {id(player): Future() for player in players}
        self._children: set[Popen[bytes]] = set()
        self._idle: list[Popen[bytes]] = []
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
        cold: dict[frozenset[str], list[int]] = {}  # numbers of players by the code that is missing
        for number, player in enumerate(self._players):
            if missing := _missing(player):
                cold.setdefault(missing, []).append(number)
            else:
                self._warm(player)
        with ThreadPoolExecutor(usable_cores(), "ludus-compile") as threads:
            begun = {
                threads.submit(self._compile, group[0], f"{position} of {len(cold)}"): group
                for position, group in enumerate(cold.values(), 1)
            }
            for compiled in as_completed(begun):
                for number in begun[compiled]:
                    self._warm(self._players[number])
        self._end_children()

    def _compile(self, number: int, position: str) -> None:
        """Compile the code of a player in a child process; if that fails, the engine compiles it and tells why."""
        with self._lock:
            if self._closed:
                return
            self._tell(f"compiling {_title(self._players[number].games[0])} for this machine (once), {position} ...")
            child = self._idle.pop() if self._idle else self._new_child()
        assert child.stdin, "opened as a pipe"
        assert child.stdout, "opened as a pipe"
        with suppress(OSError):  # it has ended
            child.stdin.write(b"%d\n" % number)
            child.stdin.flush()
        done = child.stdout.readline()
        with self._lock:
            if done and not self._closed:
                self._idle.append(child)
                return
        _end(child)
        with self._lock:
            self._children.discard(child)

    def _new_child(self) -> Popen[bytes]:
        child = Popen([*COMMAND, *self._arguments], stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        self._children.add(child)
        return child

    def _end_children(self) -> None:
        with self._lock:
            children, self._children = self._children, set()
        for child in children:
            _end(child)

    def _warm(self, player: Warmable) -> None:
        if self._closed:
            return
        ready = self._ready[id(player)]
        try:
            player.warm_up()
        except Exception as error:  # noqa: BLE001 - passed on to the sessions of this player; the others play
            _log.exception("%s cannot play.", player.name)
            ready.set_exception(error)
        else:
            ready.set_result(None)


def _end(child: Popen[bytes]) -> None:
    """End a child; none is left that has to write something."""
    child.kill()
    with suppress(OSError), child:  # closes its pipes, and waits
        pass


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
