"""Writes lines of moves with comments, signs and variations, as PGN does."""

from collections.abc import Callable, Iterable, Iterator

from ludus.games.annotations import RecordLine


def written(line: RecordLine, ply: int, spell: Callable[[str], str] = str) -> Iterator[str]:
    r"""Yield the words of a line; a word that ends with `\n` ends its line of text.

    Args:
        line: the line.
        ply: the number of half moves before it.
        spell: returns a move as the format writes it.
    """
    for comment in line.comments:
        yield from _comment(comment)
    is_numbered = True
    for move in line.moves:
        if ply % 2 == 0 or is_numbered:
            yield f"{ply // 2 + 1}." + ("" if ply % 2 == 0 else "..")
        yield spell(move.text)
        yield from (f"${sign}" for sign in move.signs)
        for comment in move.comments:
            yield from _comment(comment)
        for variation in move.variations:
            first, *rest = [*written(variation, ply, spell)] or [""]
            yield from _closed(["(" + first, *rest])
        is_numbered = bool(move.comments or move.variations)
        ply += 1


def _closed(words: list[str]) -> list[str]:
    """Append a variation's closing bracket; after a `;` comment, it goes onto the next line."""
    return [*words, ")"] if words[-1].endswith("\n") else [*words[:-1], words[-1] + ")"]


def _comment(text: str) -> list[str]:
    """Return the words of a comment, which may stand on several lines unless it contains a brace."""
    words = text.split()
    return [f";{' '.join(words)}\n"] if "}" in text else ("{" + " ".join(words) + "}").split(" ")


def wrapped(words: Iterable[str], width: int, reserved: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield lines of text of at most `width` characters, unless a word is longer.

    Args:
        words: the words.
        width: the width.
        reserved: words that begin so do not begin a line.
    """
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width and not word.startswith(reserved):
            yield line
            line = ""
        line += (" " if line else "") + word
        if word.endswith("\n"):
            yield line.rstrip("\n")
            line = ""
    if line:
        yield line
