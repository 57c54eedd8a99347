"""Prints text that the encoding of a terminal, file or pipe lacks, such as `±` in ASCII: never with an error."""

import codecs
import sys
from io import TextIOWrapper

PLAIN = {
    "±": "+/-",
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "—": "-",
    "…": "...",
    "←": "<-",
    "→": "->",
    "↑": "^",
    "↓": "v",
    "▶": ">",
    "◀": "<",
    "│": "|",
    "┃": "|",
    "║": "|",
    "─": "-",
    "━": "-",
    "═": "=",
    "╸": "-",
    "╺": "-",
    "█": "#",
    "\N{NO-BREAK SPACE}": " ",
}
"""What is printed for signs that an encoding lacks."""
_BOXES, _SPINNERS = range(0x2500, 0x2580), range(0x2800, 0x2900)
_ORIGINAL = range(0xDC80, 0xDD00)  # Python's form of a byte that is no text, as in the name of a file


def use_plain_signs() -> None:
    """Let standard output and standard error print all text, with plain signs instead of those that they lack."""
    codecs.register_error("ludus.plain", _replaced)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="ludus.plain")


def _replaced(error: UnicodeError) -> tuple[bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return b"".join(map(_bytes_of, error.object[error.start : error.end])), error.end


def _bytes_of(sign: str) -> bytes:
    """Return a sign in ASCII; a byte that is no text as it was; other signs as JSON and Python write them."""
    code = ord(sign)
    if code in _ORIGINAL:
        return bytes([code - 0xDC00])
    if sign in PLAIN:
        return PLAIN[sign].encode()
    if code in _BOXES or code in _SPINNERS:
        return b"+" if code in _BOXES else b"."
    units = sign.encode("utf-16-be", "surrogatepass")
    return b"".join(b"\\u" + units[at : at + 2].hex().encode() for at in range(0, len(units), 2))
