"""The queue of reviews: a few at a time, addresses take turns; finished ones are kept, begun ones survive a restart."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress

from ludus.errors import BadInput, LudusError, Unavailable
from ludus.site.archive.replay import Lines, ReplayedGame, finished_game
from ludus.site.archive.review_store import BegunReview, KeptReview, ReviewStore
from ludus.site.archive.reviewer import Reviewer
from ludus.site.database.database import Database
from ludus.site.evaluation.choice import NO_JUDGE
from ludus.site.evaluation.judge import SiteJudge
from ludus.site.messages.review import Review, ReviewMade, ReviewState, WishReview
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
KEEP_S = 10.0
"""How often the results of a running review are written."""
JUDGE_WAIT_S = 1800.0
"""How long a review waits for a judge after a restart of the site: engines may compile their games first."""
LOOK_S = 1.0
"""How often such a review looks for one."""


class _Job:
    """A review that waits or runs."""

    def __init__(self, reviewer: Reviewer, wish: WishReview, address: str) -> None:
        self.reviewer = reviewer
        self.wish = wish
        self.is_bound = bool(wish.game)
        """Whether the site stores the game."""
        self.address = address
        """The address in whose turn it runs."""
        self.asked_by = {address}
        self.is_running = False
        self.task: asyncio.Task[None] | None = None
        self.kept_at = time.monotonic()
        """When its results were written."""


class Reviews:
    """The reviews of a site: those that wait or run, and those that are kept."""

    def __init__(self, judge: SiteJudge, lines: Lines, database: Callable[[], Database]) -> None:
        """Create an empty queue.

        Args:
            judge: judges the positions.
            lines: the replayed games.
            database: returns the database; raises Unavailable before the site is open.
        """
        self._judge, self._lines, self._database = judge, lines, database
        self._queue = FairQueue(MAX_AT_ONCE, max_waiting=MAX_WAITING, max_own=MAX_OWN)
        self._jobs: dict[str, _Job] = {}  # by key, in the order in which they were begun
        self._troubles: OrderedDict[str, str] = OrderedDict()
        self._resuming: set[str] = set()
        self._resumption: asyncio.Task[None] | None = None

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
        if job is None and key in self._resuming:
            return ReviewState(key, "waiting", kept=kept)
        if job is None:
            better, trouble = self._better(found) if found else "", self._troubles.get(key, "")
            return ReviewState(key, "done" if kept else "none", trouble=trouble, kept=kept, better=better)
        yours, total = address in job.asked_by, job.reviewer.total
        if not job.is_running:
            return ReviewState(key, "waiting", self._ahead(job), total=total, yours=yours, kept=kept)
        values = [each.position.evaluation for each in job.reviewer.found]
        swings = job.reviewer.swings
        done, total = (len(values), total) if swings is None else (job.reviewer.num_deeper, len(swings))
        deeper = swings is not None
        return ReviewState(key, "running", 0, done, total, deeper, evaluations=values, yours=yours, kept=kept)

    async def load(self, key: str) -> Review | None:
        """Return a finished review; None if there is none.  Raises BadRecord or Unavailable."""
        return await self._store().load(key)

    async def begin(self, wish: WishReview, address: str) -> ReviewState:
        """Queue the review of a game, unless it is queued already or one by the same judge is kept.

        Args:
            wish: names the game.
            address: the address that asks.

        Raises:
            BadInput: the game cannot be named in this way, or is too long.
            NotHere: the site has no such finished game.
            Unavailable: no judge is connected, or too many reviews are waiting.
        """
        line = await self._replayed(wish, address)
        if len(line.moves) > MAX_MOVES:
            raise BadInput(f"This game has {len(line.moves)} moves; only games of up to {MAX_MOVES} can be reviewed.")
        key = line.key
        kept = await self._store().made(key)
        job = self._jobs.get(key)
        if job:
            job.asked_by.add(address)
            job.is_bound |= bool(wish.game)
        elif key not in self._resuming and (kept is None or self._better(kept)):
            job = _Job(Reviewer(line.last, line.moves, self._judge, address), wish, address)
            if self._judge.chosen(job.reviewer.config) is None:
                raise Unavailable(NO_JUDGE)
            self._queue.make_room(address)
            self._start(key, job)
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
                await self._store().forget(key)
        return await self.state(key, address)

    async def resume(self) -> None:
        """Resume the reviews that an earlier run of the site has begun; raises Unavailable."""
        begun = await self._store().begun()
        self._resuming = {each.key for each in begun}
        self._resumption = asyncio.create_task(self._resume_all(begun), name="resume reviews")

    async def _resume_all(self, all_begun: list[BegunReview]) -> None:
        for begun in all_begun:
            try:
                await self._resume(begun)
            except Unavailable as error:
                _log.info("The review %s waits for the next start: %s", begun.key, error)
            except LudusError as error:
                _log.info("The review %s is given up: %s", begun.key, error)
                await self._store().forget(begun.key)
            self._resuming.discard(begun.key)

    async def _resume(self, begun: BegunReview) -> None:
        address = f"review {begun.key}"  # that of the visitor is not stored
        line = await self._replayed(begun.wish, address)
        reviewer = Reviewer(line.last, line.moves, self._judge, address, begun.found)
        self._start(begun.key, _Job(reviewer, begun.wish, address), wait_s=JUDGE_WAIT_S)

    async def close(self) -> None:
        """Stop all reviews; the next run of the site goes on with them."""
        jobs = dict(self._jobs)
        tasks = [task for task in (self._resumption, *(job.task for job in jobs.values())) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for key, job in jobs.items():
            with suppress(LudusError):
                await self._store().keep(key, job.reviewer.found)

    def _store(self) -> ReviewStore:
        return ReviewStore(self._database())

    async def _replayed(self, wish: WishReview, address: str) -> ReplayedGame:
        if bool(wish.game) == bool(wish.link):
            raise BadInput("Name either the game's id or its link.")
        if wish.link:
            return await self._lines.of_link(wish.link, address)
        return await self._lines.of_row(await finished_game(self._database(), wish.game), address)

    def _start(self, key: str, job: _Job, wait_s: float = 0.0) -> None:
        self._jobs[key] = job
        self._troubles.pop(key, None)
        job.task = asyncio.create_task(self._do(key, job, wait_s), name=f"review {key}")

    async def _do(self, key: str, job: _Job, wait_s: float) -> None:
        """Make a review; before it begins, wait for a judge for up to `wait_s`."""
        try:
            with suppress(Unavailable):  # then a restart ends the review
                await self._store().begin(key, job.wish, job.reviewer.found)
            until = time.monotonic() + wait_s
            while self._judge.chosen(job.reviewer.config) is None and time.monotonic() < until:
                await asyncio.sleep(LOOK_S)
            async with self._queue.place(job.address):
                job.is_running = True
                chosen = self._judge.chosen(job.reviewer.config)
                review = await job.reviewer.run(lambda: self._note_progress(key, job))
                rank = chosen.rank if chosen else []
                await self._store().save(key, KeptReview(review, job.reviewer.config, rank), is_bound=job.is_bound)
        except LudusError as error:
            await self._fail(key, str(error))
        except Exception:  # noqa: BLE001 - viewers must get a message in any case
            _log.exception("The review %s failed.", key)
            await self._fail(key, "Internal error of the site.")
        finally:
            if self._jobs.get(key) is job:
                del self._jobs[key]

    def _better(self, kept: KeptReview[ReviewMade]) -> str:
        """Return the name of the present judge, if it is another one than that of a review and not a weaker one."""
        judge = self._judge.chosen(kept.board)
        return judge.bot.name if judge and judge.bot.name != kept.made.judge and judge.rank >= kept.rank else ""

    async def _note_progress(self, key: str, job: _Job) -> None:
        """Write what a review has found, if it was not written lately."""
        if time.monotonic() - job.kept_at >= KEEP_S:
            job.kept_at = time.monotonic()
            with suppress(Unavailable):
                await self._store().keep(key, job.reviewer.found)

    async def _fail(self, key: str, trouble: str) -> None:
        self._troubles[key] = trouble
        if len(self._troubles) > MAX_TROUBLES:
            self._troubles.popitem(last=False)
        with suppress(LudusError):
            await self._store().forget(key)

    def _ahead(self, job: _Job) -> int:
        """Return how many reviews come before a waiting one."""
        own = [each for each in self._jobs.values() if not each.is_running and each.address == job.address]
        turns = [place for place, address in enumerate(self._queue.order()) if address == job.address]
        number = own.index(job)
        return turns[number] if number < len(turns) else 0
