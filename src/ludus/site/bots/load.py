"""How busy the engines of a bot client are: the time in which questions are open, and how long answers take."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

WINDOW_S = 60.0
_STEP_S = 1.0


class Load:
    """The load of one bot client over the last minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start without questions; `clock` returns seconds, of which only differences matter."""
        self.num_open = 0
        """Questions without an answer."""
        self._clock = clock
        self._began = self._since = clock()
        self._busy_s = 0.0
        self._marks: deque[tuple[float, float]] = deque([(self._began, 0.0)])  # times, and the busy seconds until then
        self._answers: deque[tuple[float, float]] = deque(maxlen=1000)  # times, and how long each answer took

    def asked(self) -> None:
        """Note a question."""
        self._note()
        self.num_open += 1

    def ended(self, seconds: float | None) -> None:
        """Note the end of a question, with the time of its answer; None: there was no answer."""
        self._note()
        self.num_open -= 1
        if seconds is not None:
            self._answers.append((self._clock(), seconds))

    @property
    def share(self) -> float:
        """Return the share of the last minute in which at least one question was open."""
        self._note()
        now = self._clock()
        begin = max(self._began, now - WINDOW_S)
        (before, busy_s), (after, busy_after_s) = self._marks[0], self._marks[min(1, len(self._marks) - 1)]
        if after > begin > before:  # between two marks
            busy_s += (busy_after_s - busy_s) * (begin - before) / (after - before)
        return (self._busy_s - busy_s) / max(now - begin, 1e-9)

    @property
    def answer_ms(self) -> int | None:
        """Return the mean time of the answers of the last minute; None if there were none."""
        after = self._clock() - WINDOW_S
        latest = [seconds for at, seconds in self._answers if at > after]
        return round(1000 * sum(latest) / len(latest)) if latest else None

    def _note(self) -> None:
        now = self._clock()
        if self.num_open:
            self._busy_s += now - self._since
        self._since = now
        if now - self._marks[-1][0] >= _STEP_S:
            self._marks.append((now, self._busy_s))
        while len(self._marks) > 1 and self._marks[1][0] <= now - WINDOW_S:
            self._marks.popleft()
