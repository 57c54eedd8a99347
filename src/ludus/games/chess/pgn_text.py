"""Converts pasted PGN to the characters of the standard: blanks, dashes, figurines and signs."""

import re
import unicodedata
from collections.abc import Iterator

_NOTHING = "\0\x1a\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_BLANKS = "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
_FIGURINES = ("♔♕♖♗♘", "♚♛♜♝♞")
_SIGNS = {
    "‼": "!!",
    "⁇": "??",
    "⁉": "!?",
    "⁈": "?!",
    "†": "+",
    "‡": "#",
    "½": "1/2",
    "…": "...",
    "\u00d7": "x",
    ",": " ",
}
_NAGS = {
    "□": 7,
    "⨀": 22,
    "⊙": 22,
    "○": 26,
    "⟳": 32,
    "↑": 36,
    "→": 40,
    "⇆": 132,
    "⇄": 132,
    "⊕": 138,
    "⨁": 138,
    "∆": 140,
    "\u0394": 140,
    "△": 140,
    "∇": 141,
    "⌓": 142,
}
_TABLE = str.maketrans(
    {
        **dict.fromkeys(f"{_NOTHING}♙♟\ufe0e\ufe0f", ""),  # a pawn has no letter; the last two choose a font
        **dict.fromkeys(_BLANKS, " "),
        **dict.fromkeys(_DASHES, "-"),
        **{sign: letter for signs in _FIGURINES for sign, letter in zip(signs, "KQRBN", strict=True)},
        **_SIGNS,
        **{sign: f" ${nag} " for sign, nag in _NAGS.items()},
    }
)
"""What stands in texts, and what the standard has in its place."""
_KEPT = frozenset("±∓⩲⩱∞")
"""Signs that are tokens of their own (`pgn_read.SIGNS`)."""
_PROMOTION = re.compile(r"(?<=[a-h][18])=?\(([QRBNqrbn])\)")
_BETWEEN = r"\s{0,3}[-:]\s{0,3}"
_RESULT = re.compile(
    rf"(?<![\w/.:-])(?:(1){_BETWEEN}0|0{_BETWEEN}(1)|(?:1/2|0\.5){_BETWEEN}(?:1/2|0\.5))(?![\w/:-])", re.ASCII
)
"""A result, also with a colon, blanks or points for its halves."""
_BRACES = re.compile(r"[{}]|;[^\n]*")
_LONE_DOLLAR = re.compile(r"\$(?![0-9])")


def normalised(moves: str) -> str:
    """Return moves with their marks and results as the standard writes them; comments keep their words, lines stay."""
    parts: list[str] = []
    at = 0
    for begin, end in comments(moves):
        parts += [_plain(moves[at:begin]), _braced(moves[begin:end])]
        at = end
    return "".join([*parts, _plain(moves[at:])])


def comments(moves: str) -> Iterator[tuple[int, int]]:
    """Yield begin and end of each comment; one with braces inside ends at the brace that closes it.

    If no brace closes it, then it and all later comments end at their first closing brace, as the standard has it.
    """
    at, nested = 0, True
    while found := _BRACES.search(moves, at):
        begin, at = found.span()
        if found[0] == "{":
            end = _end_of_nested(moves, at) if nested else None
            nested = end is not None
            at = end or moves.find("}", at) + 1 or len(moves)
        if found[0] != "}":
            yield begin, at


def _end_of_nested(moves: str, at: int) -> int | None:
    """Return the end of a comment whose text begins at `at`; None if its braces are not balanced."""
    depth = 1
    for brace in re.compile(r"[{}]").finditer(moves, at):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return None


def _plain(text: str) -> str:
    text = text.translate(_TABLE)
    if not text.isascii():
        text = "".join(each if each.isascii() or each in _KEPT else _usual(each) for each in text)
    text = _PROMOTION.sub(lambda found: f"={found[1].upper()}", text)
    text = _LONE_DOLLAR.sub(" ", text)
    return _RESULT.sub(lambda found: "1-0" if found[1] else "0-1" if found[2] else "1/2-1/2", text)


def _usual(char: str) -> str:
    """Return the usual form of a wide letter, a blank for a sign such as an emoji, nothing for a mark on a sign."""
    usual = unicodedata.normalize("NFKC", char)
    category = unicodedata.category(usual) if len(usual) == 1 else ""
    return " " if category in ("So", "Sm", "Sk") else "" if category in ("Mn", "Cf") else usual


def _braced(comment: str) -> str:
    """Return a comment without braces inside, which would end it too early."""
    if not comment.endswith("}"):
        return comment
    return "{" + comment[1:-1].replace("{", "(").replace("}", ")") + "}"
