"""The queue of reviews: a few at a time, addresses take turns, and a finished review is kept in the database."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable

from ludus.errors import BadInput, LudusError, Unavailable
from ludus.site.archive.replay import ReplayedGame
from ludus.site.archive.review_store import KeptReview, ReviewStore
from ludus.site.archive.reviewer import Reviewer
from ludus.site.evaluation.choice import NO_JUDGE
from ludus.site.evaluation.judge import SiteJudge
from ludus.site.messages.review import Review, ReviewMade, ReviewState
from ludus.site.safety.fair_queue import FairQueue

_log = logging.getLogger(__name__)

MAX_AT_ONCE = 2
"""Reviews that run at a time: each has one search at a time, and the games of the site need engines too."""
MAX_WAITING = 32
"""Most reviews that wait; each holds its game in memory, which takes a few megabytes."""
MAX_OWN = 3
"""Most reviews of one address that wait."""
MAX_MOVES = 500
"""Most moves of a game that can be reviewed."""
MAX_TROUBLES = 256
"""Most reviews of which the last failure is remembered."""


class _Job:
    """A review that waits or runs."""

    def __init__(self, reviewer: Reviewer, address: str, *, is_bound: bool) -> None:
        self.reviewer = reviewer
        self.is_bound = is_bound
        """Whether the site stores the game."""
        self.address = address
        """The address in whose turn it runs."""
        self.asked_by = {address}
        self.is_running = False
        self.task: asyncio.Task[None] | None = None


class Reviews:
    """The reviews of a site: those that wait or run, and those that are kept."""

    def __init__(self, judge: SiteJudge, store: Callable[[], ReviewStore]) -> None:
        """Create an empty queue.

        Args:
            judge: judges the positions.
            store: returns the reviews in the database; raises Unavailable before the site is open.
        """
        self._judge = judge
        self._store = store
        self._queue = FairQueue(MAX_AT_ONCE, max_waiting=MAX_WAITING, max_own=MAX_OWN)
        self._jobs: dict[str, _Job] = {}  # by key, in the order in which they were begun
        self._troubles: OrderedDict[str, str] = OrderedDict()

    async def state(self, key: str, address: str) -> ReviewState:
        """Return what is known about a review; raises Unavailable.

        Args:
            key: the review's name.
            address: the address that asks.
        """
        job = self._jobs.get(key)
        found = await self._store().made(key)
        if job and key not in self._jobs:  # it was completed meanwhile
            found = await self._store().made(key)
        kept = found.made if found else None
        job = self._jobs.get(key)
        if job is None:
            better, trouble = self._better(found) if found else "", self._troubles.get(key, "")
            return ReviewState(key, "done" if kept else "none", trouble=trouble, kept=kept, better=better)
        yours, total = address in job.asked_by, job.reviewer.total
        if not job.is_running:
            return ReviewState(key, "waiting", self._ahead(job), total=total, yours=yours, kept=kept)
        values = [each.evaluation for each in job.reviewer.found]
        return ReviewState(key, "running", 0, len(values), total, values, yours, kept=kept)

    async def load(self, key: str) -> Review | None:
        """Return a finished review; None if there is none.  Raises BadRecord or Unavailable."""
        return await self._store().load(key)

    async def begin(self, line: ReplayedGame, address: str, *, is_bound: bool) -> ReviewState:
        """Queue the review of a game, unless it is queued already or one by the same judge is kept.

        Args:
            line: the game.
            address: the address that asks.
            is_bound: whether the site stores the game.

        Raises:
            BadInput: the game is too long.
            Unavailable: no judge is connected, or too many reviews are waiting.
        """
        if len(line.moves) > MAX_MOVES:
            raise BadInput(f"This game has {len(line.moves)} moves; only games of up to {MAX_MOVES} can be reviewed.")
        key = line.key
        kept = await self._store().made(key)
        job = self._jobs.get(key)
        if job:
            job.asked_by.add(address)
            job.is_bound |= is_bound
        elif kept is None or self._better(kept):
            job = _Job(Reviewer(line.last, line.moves, self._judge.judge, address), address, is_bound=is_bound)
            if self._judge.chosen(job.reviewer.config) is None:
                raise Unavailable(NO_JUDGE)
            self._queue.make_room(address)
            self._jobs[key] = job
            self._troubles.pop(key, None)
            job.task = asyncio.create_task(self._do(key, job), name=f"review {key}")
        return await self.state(key, address)

    async def cancel(self, key: str, address: str) -> ReviewState:
        """Withdraw the wish of an address; cancel a review that nobody else wishes for.  Raises Unavailable."""
        job = self._jobs.get(key)
        if job and address in job.asked_by:
            job.asked_by.discard(address)
            if not job.asked_by and job.task:
                del self._jobs[key]  # a task that has not begun does not do it
                job.task.cancel()
                await asyncio.gather(job.task, return_exceptions=True)
        return await self.state(key, address)

    async def close(self) -> None:
        """Cancel all reviews."""
        tasks = [job.task for job in self._jobs.values() if job.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _do(self, key: str, job: _Job) -> None:
        try:
            async with self._queue.place(job.address):
                job.is_running = True
                chosen = self._judge.chosen(job.reviewer.config)
                review = await job.reviewer.run()
                rank = chosen.rank if chosen else []
                await self._store().save(key, KeptReview(review, job.reviewer.config, rank), is_bound=job.is_bound)
        except LudusError as error:
            self._note(key, str(error))
        except Exception:  # noqa: BLE001 - viewers must get a message in any case
            _log.exception("The review %s failed.", key)
            self._note(key, "Internal error of the site.")
        finally:
            if self._jobs.get(key) is job:
                del self._jobs[key]

    def _better(self, kept: KeptReview[ReviewMade]) -> str:
        """Return the name of the present judge, if it is another one than that of a review and not a weaker one."""
        judge = self._judge.chosen(kept.board)
        return judge.bot.name if judge and judge.bot.name != kept.made.judge and judge.rank >= kept.rank else ""

    def _note(self, key: str, trouble: str) -> None:
        self._troubles[key] = trouble
        if len(self._troubles) > MAX_TROUBLES:
            self._troubles.popitem(last=False)

    def _ahead(self, job: _Job) -> int:
        """Return how many reviews come before a waiting one."""
        own = [each for each in self._jobs.values() if not each.is_running and each.address == job.address]
        turns = [place for place, address in enumerate(self._queue.order()) if address == job.address]
        number = own.index(job)
        return turns[number] if number < len(turns) else 0
