"""Long work: how it says how far it is, to whoever shows it, and how long its threads are waited for at its end."""

import threading
from collections.abc import Callable

Tell = Callable[[str, int, int], object]  # what is going on, how much of it is done, of how much

LEAVING_S = 5.0
"""How long work that an error ends waits for its threads: a batch is over by then, what they compile may not be."""


def patience_s(error: type[BaseException] | None) -> float:
    """Return how many seconds to wait for threads whose work ends, with an error or as planned."""
    return threading.TIMEOUT_MAX if error is None else LEAVING_S
