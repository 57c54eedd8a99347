"""Long operations: the callback that reports their progress, and how long to wait for their threads at the end."""

import threading
from collections.abc import Callable

Tell = Callable[[str, int, int], object]  # takes the name of the current step, how many units are done, and the total

LEAVING_S = 5.0
"""Seconds to wait for worker threads after an error: enough for a batch, though perhaps not for a compilation."""


def patience_s(error: type[BaseException] | None) -> float:
    """Return how many seconds to wait for worker threads: few after an error, without limit otherwise."""
    return threading.TIMEOUT_MAX if error is None else LEAVING_S
