"""Decodes SGF files: finds the encoding of each game tree, and the end of each value.

In Shift-JIS, Big5 and GBK, the second byte of a character may look like a bracket or a backslash.  Values are therefore
cut out before they are decoded; where such a byte may be half of a character, a value ends only if the following bytes
confirm it.
"""

import codecs
import re
from collections.abc import Iterator

from ludus.files import marked_encoding

_FIRST = r"(?:AP|BR|CA|DT|EV|FF|GC|GM|GN|HA|KM|PB|PC|PW|RE|RO|RU|SO|ST|SZ|TM|US|WR)\s*\["  # only of the first node
GAME = re.compile(rf"\(\s*;?\s*(?={_FIRST})")
"""The beginning of a game tree whose first property tells it from a variation."""
TREE = re.compile(rf"\(\s*(?:;|(?={_FIRST}))")
"""The beginning of a game tree, or of a variation; some programs omit the first semicolon."""
_TREE = re.compile(TREE.pattern.encode())
_SIGN = re.compile(rb"[\[()]")
_CONFIRMED = re.compile(rb"\s*(?:[;)\[]|\(\s*(?:;|[A-Z]{1,2}\s*\[)|[A-Za-z]{1,20}\s*\[|\Z)")
_ESCAPED = re.compile(rb"(?:[^\\\]]|\\.)*", re.DOTALL)
_NAMES_CHARSET = re.compile(rb"\bCA\s*\Z")
_STATEFUL = {"iso2022_jp", "iso2022_kr", "hz"}  # characters are pairs of ASCII bytes between escape sequences
_WIDER = {  # what programs write under these names
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "iso8859-1": "cp1252",
}
_GUESSES = ("gb18030", "cp932", "big5hkscs", "cp949", "euc_jp", "cp1252", "cp1251")
_MOST_DETECTED = 20_000  # bytes used for detection; more take time without better results
_GOOD_FOR_ONE_FAULT = 4  # an encoding must read this many characters for each unreadable one, or it is wrong
_NO_LATIN = re.compile(rb"[\x80-\xbf]|[\x80-\xff]{2}")  # accented Latin letters stand alone among ASCII letters
_UNREADABLE = re.compile("[\ufffd\x80-\x9f]")


def decoded(data: bytes) -> tuple[str, list[str]]:
    """Decode a file; also return one sentence, with the line, for each value whose end is ambiguous.

    Valid UTF-8 is read as UTF-8, whatever the property CA says.  Any other game tree is read in the encoding of its CA
    if that fits its bytes, else in the encoding that fits best.  An unreadable character becomes U+FFFD.
    """
    if name := marked_encoding(data) or _stateful(data):
        return data.decode(name, "replace"), []
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError:
        return _by_trees(data)


def _stateful(data: bytes) -> str | None:
    """Return the encoding of a file that consists of ASCII bytes and escape sequences."""
    if not data.isascii() or (b"\x1b$" not in data and b"~{" not in data):
        return None
    named = re.search(rb"CA\s*\[([\w.:-]{1,40})\]", data)
    name = _codec(named[1]) if named else None
    return name if name in _STATEFUL else None


def _codec(name: bytes) -> str | None:
    """Return Python's name of an encoding, or of one that contains it; None if it is unknown."""
    try:
        found = codecs.lookup(name.decode("ascii").strip()).name
        "".encode(found)
    except (LookupError, ValueError):
        return None
    return _WIDER.get(found, found)


def _by_trees(data: bytes) -> tuple[str, list[str]]:
    """Decode each game tree in its own encoding; also return the ambiguous values."""
    parts: list[str] = []
    doubts: list[str] = []
    at, line = 0, 1
    for values, named in _trees(data):
        codec = _fitting(b"\n".join(data[begin:end] for begin, end in values), named)
        for begin, end in values:
            between, raw = data[at:begin], data[begin:end]
            parts.append(between.decode("ascii", "replace"))
            line += between.count(b"\n")
            value = raw.decode(codec, "replace")
            whole = _closed(value)
            if whole != value and (meant := _escaped_in_bytes(raw, codec)) is not None:
                whole = meant
            elif whole != value:
                doubts.append(f"line {line}: the end of a value in {codec} is ambiguous; a later bracket may close it.")
            parts.append(whole)
            line += raw.count(b"\n")
            at = end
    parts.append(data[at:].decode("ascii", "replace"))
    return "".join(parts), doubts


def _trees(data: bytes) -> Iterator[tuple[list[tuple[int, int]], bytes | None]]:
    """Yield the byte ranges of each game tree's values, and the encoding that the tree names."""
    values: list[tuple[int, int]] = []
    named: bytes | None = None
    at = depth = opened = 0  # `opened`: number of values before the last opening parenthesis
    while True:
        if depth == 0:
            begin = _TREE.search(data, at)
            if values:
                yield values, named
                values, named = [], None
            if not begin:
                return
            at, depth, opened = begin.start() + 1, 1, 0
        sign = _SIGN.search(data, at)
        if not sign:
            depth, at = 0, len(data)
        elif sign[0] == b"[":
            end = _end(data, sign.end())
            if _NAMES_CHARSET.search(data[max(at, sign.start() - 40) : sign.start()]):
                if named is not None:  # the previous tree was not closed
                    yield values[:opened], named
                    values = values[opened:]
                named = data[sign.end() : end]
            values.append((sign.end(), end))
            at = end + 1
        else:
            depth += 1 if sign[0] == b"(" else -1
            opened = len(values)
            at = sign.end()


def _end(data: bytes, begin: int) -> int:
    """Return the index of the bracket that closes a value."""
    at = begin
    while (close := data.find(b"]", at)) >= 0:
        first = close
        while first > begin and data[first - 1] == ord("\\"):
            first -= 1
        if first > begin and data[first - 1] >= 0x80:  # the backslash or bracket may be half of a character
            ends = _CONFIRMED.match(data, close + 1) is not None
        else:
            ends = (close - first) % 2 == 0
        if ends:
            return close
        at = close + 1
    return len(data)


def _fitting(data: bytes, named: bytes | None) -> str:
    """Return the encoding of a game tree's values."""
    own = named and _codec(named)
    for codec in ("utf-8", own) if own else ("utf-8",):
        faults, good = _faults(data, codec)
        if faults * _GOOD_FOR_ONE_FAULT <= good:
            return codec
    if not _NO_LATIN.search(data):
        return "cp1252"
    import charset_normalizer  # takes 20 ms, which a start of an engine or a site does not need

    sample = b"\n".join(re.findall(rb"[^\n]*[\x80-\xff][^\n]*", data))[:_MOST_DETECTED]
    chaos = {each.encoding: each.chaos for each in charset_normalizer.from_bytes(sample, cp_isolation=[*_GUESSES])}
    likely = sorted(_GUESSES, key=lambda codec: chaos.get(codec, 1.0))  # if equal, the more frequent encoding first
    return min([own, *likely] if own else likely, key=lambda codec: _faults(data, codec)[0])


def _faults(data: bytes, codec: str) -> tuple[int, int]:
    """Return the number of characters that an encoding cannot read, and of non-ASCII characters that it can."""
    text = data.decode(codec, "replace")
    faults = len(_UNREADABLE.findall(text))
    return faults, sum(not char.isascii() for char in text) - faults


def _closed(value: str) -> str:
    """Escape the brackets and the last backslash that a wrong encoding may have added to a raw value."""
    value = re.sub(r"(\\.)|\]", lambda found: found[1] or "\\]", value, flags=re.DOTALL)
    backslashes = len(value) - len(value.rstrip("\\"))
    return value + "\\" * (backslashes % 2)


def _escaped_in_bytes(raw: bytes, codec: str) -> str | None:
    """Return a raw value whose writer escaped bytes that are half of a character; None if it did not.

    For such writers, such as sgfmill, escapes come after the encoding; for most, as in the specification, before it.
    """
    if not _ESCAPED.fullmatch(raw):
        return None
    value = re.sub(rb"\\(.)", rb"\1", raw, flags=re.DOTALL).decode(codec, "replace")
    return None if "\ufffd" in value else value.replace("\\", "\\\\").replace("]", "\\]")
