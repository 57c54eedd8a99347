"""Converts pasted PGN to the characters of the standard: blanks, dashes, figurines, signs and encodings."""

import re

from ludus.files import marked_encoding

COMMENT = re.compile(
    r"""\{[^{}]*\{[^{}]*\}[^{}]*\}  # a brace inside of a comment, which the standard would close at the first }
      | \{[^}]*\} | \{[^}]*\Z | ;[^\n]*""",
    re.VERBOSE,
)
_NOTHING = "\0\x1a\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_BLANKS = "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
_FIGURINES = ("♔♕♖♗♘", "♚♛♜♝♞")
_SIGNS = {"‼": "!!", "⁇": "??", "⁉": "!?", "⁈": "?!", "†": "+", "‡": "#", "½": "1/2", "…": "...", "\u00d7": "x"}
_NUMBERED = {"□": " $7 ", "↑": " $36 ", "→": " $40 ", "∆": " $140 ", "⇆": " $132 ", "⊕": " $138 "}
TABLE = str.maketrans(
    {
        **dict.fromkeys(f"{_NOTHING}♙♟\ufe0e\ufe0f", ""),  # a pawn has no letter; the last two choose a font
        **dict.fromkeys(_BLANKS, " "),
        **dict.fromkeys(_DASHES, "-"),
        **{sign: letter for signs in _FIGURINES for sign, letter in zip(signs, "KQRBN", strict=True)},
        **_SIGNS,
        **_NUMBERED,
    }
)
"""What stands in texts, and what the standard has in its place."""
_PROMOTION = re.compile(r"(?<=[a-h][18])\(([QRBNqrbn])\)")
_LONE_DOLLAR = re.compile(r"\$(?![0-9])")


def decode(raw: bytes) -> str:
    """Return the text of a file: UTF-8 or UTF-16, else Latin-1, the encoding of the original standard."""
    try:
        return raw.decode(marked_encoding(raw, b"[") or "utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def normalised(moves: str) -> str:
    """Convert moves, marks and results to the spelling of the standard; keep the words of comments, and all lines."""
    parts: list[str] = []
    at = 0
    for comment in COMMENT.finditer(moves):
        parts += [_plain(moves[at : comment.start()]), _braced(comment[0])]
        at = comment.end()
    return "".join([*parts, _plain(moves[at:])])


def _plain(text: str) -> str:
    text = text.translate(TABLE)
    return _LONE_DOLLAR.sub("", _PROMOTION.sub(lambda found: f"={found[1].upper()}", text))


def _braced(comment: str) -> str:
    """Return a comment without braces inside, which would end it too early."""
    if not comment.endswith("}"):
        return comment
    return "{" + comment[1:-1].replace("{", "(").replace("}", ")") + "}"
