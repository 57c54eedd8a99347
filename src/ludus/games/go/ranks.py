"""Kyu and dan, the ranks of Go: a hundred points of the European Go Federation's ratings each, 2100 for 1 dan."""

POINTS = 100  # of a rank
FIRST_DAN = 21  # ranks above a rating of 0
WEAKEST_KYU = 30


def rank_words(rating: int, error: int) -> str:
    """Return the rank of a rating with its error in ranks: `7 kyu ± 1`, `3 dan ± 2`; 30 kyu is the weakest."""
    number = round(rating / POINTS)
    rank = f"{number - FIRST_DAN + 1} dan" if number >= FIRST_DAN else f"{min(WEAKEST_KYU, FIRST_DAN - number)} kyu"
    return f"{rank} ± {max(1, round(error / POINTS))}"
