"""Texts of games that are expensive to read, for `worst_requests.py`."""

CHARS = 190_000
"""Length of texts, just below the limit."""


def filled(begin: str, piece: str, end: str = "") -> str:
    """Return a text of CHARS characters: a piece again and again between a beginning and an end."""
    return begin + piece * ((CHARS - len(begin) - len(end)) // len(piece)) + end


PGN = '[Event "x"]\n\n'
TEXTS = {
    "rectangles": filled("(;GM[1]SZ[19]", "AB[aa:ss]", ")"),
    "one property of rectangles": filled("(;GM[1]SZ[19]AB", "[aa:ss]", ")"),
    "many nodes": filled("(;GM[1]SZ[19]", ";", ")"),
    "many set-ups": filled("(;GM[1]SZ[19]", ";AB[aa:ss]", ")"),
    "many moves": filled("(;GM[1]SZ[19]", ";B[aa];W[bb]", ")"),
    "many passes": filled("(;GM[1]SZ[19]", ";B[];W[]", ")"),
    "many variations of Go": filled("(;GM[1]SZ[19];B[aa]", "(;W[bb])", ")"),
    "many games of Go": filled("", "(;GM[1];B[aa])"),
    "deep variations of Go": filled("(;GM[1]", "(;B[aa](;W[bb]"),
    "one property of marks": filled("(;GM[1]SZ[19]TR", "[aa:ss]", ")"),
    "marks in many nodes": filled("(;GM[1]SZ[19]", ";TR[aa:ss][aa:ss][aa:ss]", ")"),
    "long comment": filled("(;GM[1]C[", "x]y[", "])"),
    "many variations of chess": filled(PGN + "1. e4 ", "(1. d4) ", "*"),
    "variations that cannot be played": filled(PGN + "1. e4 ", "(1. d5) ", "*"),
    "many moves of chess": filled(PGN, "1. Nf3 Nf6 2. Ng1 Ng8 ", "*"),
    "deep variations of chess": filled(PGN + "1. e4 ", "(1. d4 ", "*"),
    "many tags": filled("", '[a "b"] ', "1. e4 *"),
    "many glyphs": filled(PGN + "1. e4 ", "! ", "*"),
    "blanks in a tag": filled("[a ", " "),
    "many moves of Connect Four": filled('[Game "connect4"]\n\n', "1. 4 4 ", "*"),
    "many brackets": filled('[Game "connect4"]\n\n1. 4 ', "("),
    "many moves of the Wall Game": filled(
        '[Variant "classic"]\n[Board "20x20"]\n[Result "*"]\n\n', "1. Cb1 Cs20 ", "*"
    ),
    "a long set-up": filled(
        '[Game "go:19x19"]\n[Setup "{\\"past\\":[', '[\\"A1\\",\\"A1\\"],', '[\\"A1\\",\\"A1\\"]]}"]\n\n*'
    ),
}
