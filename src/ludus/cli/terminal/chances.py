"""What an evaluation means in words and per cent, for people at a terminal; the page has the same in `chances.ts`."""

from collections.abc import Sequence


def chance_of(value: float, side: int) -> str:
    """Return the win chance of a side, such as `54 %`; only a proved win is 100 %.

    Args:
        value: expected outcome from player 0's view, from -1 to 1; exactly -1 or 1 for a proved win.
        side: 0 or 1.
    """
    own = -value if side == 1 else value
    if abs(own) >= 1.0:
        return "100 %" if own > 0 else "0 %"
    return f"{min(99, max(1, round(50 + 50 * own)))} %"


def evaluation_words(names: Sequence[str], you: int | None, value: float) -> str:
    """Return an evaluation as a sentence without its end, such as `You: 54 % win chance` or `Mouse wins for sure`.

    Args:
        names: the names of both sides.
        you: the reader's side, or None.
        value: as in `chance_of`.
    """
    leader = 0 if value >= 0 else 1
    name = "You" if you == leader else names[leader]
    if abs(value) >= 1.0:
        return f"{name} {'win' if you == leader else 'wins'} for sure"
    return f"{name}: {chance_of(value, leader)} win chance"
