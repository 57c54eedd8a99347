"""The judge searches positions with the strongest engine of their board, at a budget of its own, for all who ask.

All who look at a position share one search, whose result is kept while the engine stays connected.  A search goes in
short slices.  Before each slice it waits until the engine has answered the bots that play, and it ends when nobody
waits for it any more.
"""

import asyncio
import time
from collections import OrderedDict
from typing import NamedTuple

import msgspec
from msgspec import UnsetType

from ludus.errors import Unavailable
from ludus.protocol.bgs import MAX_LINES, EvaluateResponse, SessionConfig
from ludus.site.bots.bots import BotLink, Bots
from ludus.site.bots.session import BotError, BotGoneError, BotSilentError
from ludus.site.evaluation.choice import NO_JUDGE, JudgingBot, judge_of
from ludus.site.evaluation.judgement import Asked, JudgeError, Judgement
from ludus.site.evaluation.sessions import JudgeSessions
from ludus.site.messages.evaluation import Trouble
from ludus.site.safety.fair_queue import FairQueue
from ludus.site.settings import JudgeSettings

KEPT = 1024
"""Judgements in memory."""
SLICE_S = 0.2
"""Length of a search without interruption."""
POLITE_S = 3.0
"""Longest wait for bots that play, before each slice."""
PATIENCE = 4
"""Longest time of a request with these waits, in multiples of the time of its search."""
POLL_S = 0.02
LEAST_S = 0.01
"""Least time that a slice counts."""
SURE = 0.9999
"""The highest value that is not a proved win."""


class _KeptJudgement(NamedTuple):
    """A judgement, the connection of the engine that gave it, and the time that it took."""

    found: Judgement
    link: BotLink
    spent_s: float


class _RunningSearch:
    """A running search of a position."""

    def __init__(self, key: bytes, visits: int, seconds: float) -> None:
        self.key, self.visits, self.seconds = key, visits, seconds
        self.users = 0
        self.has_begun = False
        self.task: asyncio.Task[Judgement] | None = None


class SiteJudge:
    """Judges positions of all boards; there is one for the whole site."""

    def __init__(self, bots: Bots) -> None:
        self._bots = bots
        self._queue = FairQueue(self.settings.at_once)
        self._sessions = JudgeSessions(bots)
        self._kept: OrderedDict[bytes, _KeptJudgement] = OrderedDict()
        self._running: dict[bytes, _RunningSearch] = {}

    @property
    def settings(self) -> JudgeSettings:
        """Return the judge's budget."""
        return self._bots.settings.judge

    @property
    def num_waiting(self) -> int:
        """Return how many positions are being searched, or wait for it."""
        return len(self._running)

    def chosen(self, config: SessionConfig) -> JudgingBot | None:
        """Return the engine that judges a board; None if none is connected."""
        return judge_of(self._bots, config.game, config.variant, config.board_width, config.board_height)

    def budget(self, config: SessionConfig) -> int:
        """Return the visits of a search on a board when nobody asks for others."""
        chosen = self.chosen(config)
        return max(self.settings.visits, chosen.bot.visits if chosen else 0)

    def known(self, asked: Asked) -> Judgement | None:
        """Return what the present judge has found about a position so far, without a search."""
        chosen = self.chosen(asked.config)
        kept = self._kept_of(_key(asked), chosen.link) if chosen else None
        return kept.found if kept else None

    async def judge(self, asked: Asked, address: str, visits: int | None = None) -> Judgement:
        """Return the judge's view of a position that is not the end of a game, from the cache if it is deep enough.

        Args:
            asked: the position.
            address: the client's address, for fair queuing; "" for the site itself.
            visits: wanted visits, at most `most_visits`; None: the usual budget.  A request searches for at most
                `seconds`, so the result may have fewer; asking again goes on with the search.

        Raises:
            JudgeError: no engine can judge the position, or the engine failed.
            Unavailable: too many positions are waiting.
        """
        key = _key(asked)
        while True:
            chosen = self.chosen(asked.config)
            if chosen is None:
                raise JudgeError("NOT_CONNECTED", NO_JUDGE)
            wanted = min(self.budget(asked.config) if visits is None else visits, self.settings.most_visits)
            kept = self._kept_of(key, chosen.link)
            left_s = self.settings.seconds - (kept.spent_s if kept and visits is None else 0.0)
            if kept and (kept.found.is_final or kept.found.visits >= wanted or left_s <= 0.0):
                self._kept.move_to_end(key)
                return kept.found
            search = self._running.get(key)
            is_own = search is None
            if search is None:
                search = self._begin(_RunningSearch(key, wanted, left_s), asked, chosen, address)
            found = await self._wait(search)
            if is_own or found.visits >= wanted or search.visits >= wanted:
                return found

    def _begin(self, search: _RunningSearch, asked: Asked, chosen: JudgingBot, address: str) -> _RunningSearch:
        self._running[search.key] = search
        search.task = asyncio.create_task(self._search(search, asked, chosen, address), name="judge")
        search.task.add_done_callback(lambda task: self._end(search, task))
        return search

    def _end(self, search: _RunningSearch, task: asyncio.Task[Judgement]) -> None:
        self._forget(search)
        if not task.cancelled():
            task.exception()  # also if nobody waits for it

    def _forget(self, search: _RunningSearch) -> None:
        if self._running.get(search.key) is search:
            del self._running[search.key]

    async def _wait(self, search: _RunningSearch) -> Judgement:
        """Wait for a search as one of its users; without users it ends."""
        assert search.task, "a search begins with its task"
        search.users += 1
        try:
            return await asyncio.shield(search.task)
        except asyncio.CancelledError:
            waiter = asyncio.current_task()
            assert waiter, "a coroutine runs in a task"
            if search.task.cancelled() and not waiter.cancelling():
                raise Unavailable("The search was given up; try again.") from None
            raise
        finally:
            search.users -= 1
            if not search.users and not search.has_begun:
                self._forget(search)  # who comes now begins another one
                search.task.cancel()

    async def _search(self, search: _RunningSearch, asked: Asked, chosen: JudgingBot, address: str) -> Judgement:
        async with self._queue.place(address):
            search.has_begun = True
            try:
                return await self._deepen(search, asked, chosen)
            except BotGoneError as error:
                raise JudgeError("BOT_DISCONNECTED", "The engine that judges lost its connection.") from error
            except BotError as error:
                code: Trouble = "TIMEOUT" if isinstance(error, BotSilentError) else "INVALID_POSITION"
                raise JudgeError(code, f"The engine that judges {error}.") from error

    async def _deepen(self, search: _RunningSearch, asked: Asked, chosen: JudgingBot) -> Judgement:
        """Search slice by slice, and keep what is found after each of them."""
        left_s, until = search.seconds, time.monotonic() + PATIENCE * search.seconds
        kept = self._kept_of(search.key, chosen.link)
        spent_s = kept.spent_s if kept else 0.0
        async with self._sessions.at(chosen.link, chosen.key, asked.config, asked.moves) as session:
            while True:
                await self._let_bots_go_first(chosen.link)
                slice_s, began = min(SLICE_S, left_s), time.monotonic()
                answer = await session.evaluate(MAX_LINES, visits=search.visits, seconds=slice_s)
                took_s = max(LEAST_S, time.monotonic() - began)
                left_s, spent_s = left_s - took_s, spent_s + took_s
                found = _judgement(answer, chosen.bot.name)
                if found.visits < search.visits and took_s < slice_s / 2:  # it stopped by itself: its tree is full
                    found = msgspec.structs.replace(found, is_final=True)
                self._keep(search.key, _KeptJudgement(found, chosen.link, spent_s))
                is_over = left_s <= 0.0 or not search.users or time.monotonic() >= until
                if found.is_final or found.visits >= search.visits or is_over:
                    return found

    async def _let_bots_go_first(self, link: BotLink) -> None:
        """Wait, not for long, until the engine's client has answered all requests of bots that play."""
        until = time.monotonic() + POLITE_S
        while self._sessions.others_wait(link) and time.monotonic() < until:
            await asyncio.sleep(POLL_S)

    def _kept_of(self, key: bytes, link: BotLink) -> _KeptJudgement | None:
        """Return what the engine of a connection has found about a position."""
        kept = self._kept.get(key)
        return kept if kept and kept.link is link else None

    def _keep(self, key: bytes, kept: _KeptJudgement) -> None:
        self._kept[key] = kept
        self._kept.move_to_end(key)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    async def close(self) -> None:
        """Stop all searches, and end the engine's sessions."""
        tasks = [search.task for search in self._running.values() if search.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._sessions.close()


def _key(asked: Asked) -> bytes:
    return msgspec.json.encode(asked)


def _judgement(answer: EvaluateResponse, name: str) -> Judgement:
    """Return an engine's answer as a judgement."""
    is_proved = answer.proved is True
    lines = [] if isinstance(answer.lines, UnsetType) else answer.lines
    return Judgement(
        unproved(answer.evaluation, is_proved=is_proved),
        answer.best_move,
        [msgspec.structs.replace(each, evaluation=unproved(each.evaluation, is_proved=each.proved)) for each in lines],
        [] if isinstance(answer.ownership, UnsetType) else answer.ownership,
        None if isinstance(answer.lead, UnsetType) else answer.lead,
        0 if isinstance(answer.visits, UnsetType) else answer.visits,
        is_proved,
        name,
        is_final=is_proved or isinstance(answer.visits, UnsetType),  # other engines search as long as they like
    )


def unproved(value: float, *, is_proved: bool) -> float:
    """Return a value for people, from player 0's view: exactly -1 or 1 only if it is proved."""
    return value if is_proved else min(SURE, max(-SURE, value))
