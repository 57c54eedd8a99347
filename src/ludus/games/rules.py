"""What the rules of all games share: the type of a state, and the codes of outcomes.  `calls.py` declares them."""

from typing import Any

from numpy.typing import NDArray

State = NDArray[Any]  # [S] of the game's dtype; to the compiler, one that must not be changed has another type
ONGOING, FIRST_WINS, SECOND_WINS, DRAW = 0, 1, 2, 3
