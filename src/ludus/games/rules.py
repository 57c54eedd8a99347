"""The type of a state and the codes of outcomes; `calls.py` declares the rules themselves."""

from typing import Any

from numpy.typing import NDArray

State = NDArray[Any]  # [S] of the game's dtype; the compiler has a separate type for a read-only state
ONGOING, FIRST_WINS, SECOND_WINS, DRAW = 0, 1, 2, 3
