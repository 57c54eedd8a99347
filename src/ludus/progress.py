"""How long work says how far it is, to whoever shows it."""

from collections.abc import Callable

Tell = Callable[[str, int, int], object]  # what is going on, how much of it is done, of how much
