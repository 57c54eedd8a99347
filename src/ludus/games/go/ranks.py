"""Kyu and dan, the ranks of Go: a hundred points of the European Go Federation's ratings each, 2100 for 1 dan."""

FIRST_DAN = 21
WEAKEST_KYU = 30


def rank_name(number: int) -> str:
    """Return the rank of `number` hundred rating points: `3 dan`, `7 kyu`; 30 kyu is the weakest."""
    return f"{number - FIRST_DAN + 1} dan" if number >= FIRST_DAN else f"{min(WEAKEST_KYU, FIRST_DAN - number)} kyu"
