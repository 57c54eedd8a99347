"""Rules for names and passwords, and names that look alike."""

import re
import unicodedata

from confusable_homoglyphs.confusables import confusables_data

from ludus.errors import BadInput

MIN_NAME, MAX_NAME = 3, 20
MIN_PASSWORD, MAX_PASSWORD = 8, 128
RESERVED = ("guest", "deleted", "admin", "administrator", "moderator", "bot", "ludus", "system", "anonymous", "nobody")
_NAME = re.compile(r"[^\W\d_][\w-]*")


def _lookalikes() -> dict[int, str]:
    """Return the letters that look like one of English, by code point (Unicode's UTS #39 lists them)."""
    found: dict[int, str] = {}
    for char, alike in confusables_data.items():
        letters = [each["c"] for each in alike if re.fullmatch("[A-Za-z]", each["c"])]
        if len(char) == 1 and not char.isascii() and letters:
            # the list knows one letter for all strokes; of a capital, people read I
            found[ord(char)] = "I" if char.isupper() and letters[0] == "l" else letters[0]
    return found


_LOOKALIKES = _lookalikes()


def check_name(name: str) -> str:
    """Return a normalised user name; raises BadInput with the rule that it breaks."""
    name = unicodedata.normalize("NFC", name)
    spelt_out = unicodedata.normalize("NFKC", name)  # some signs are words, of up to 18 letters
    if len(name) < MIN_NAME or max(len(name), len(spelt_out)) > MAX_NAME:
        raise BadInput(f"A name has {MIN_NAME} to {MAX_NAME} characters.")
    if not _NAME.fullmatch(name):
        raise BadInput("A name begins with a letter and goes on with letters, digits, - and _.")
    if skeleton(name).rstrip("0123456789-_") in RESERVED:
        raise BadInput(f"The name {name} cannot be taken; choose another.")
    return name


def folded(name: str) -> str:
    """Return a name without case and compatibility differences, for comparison."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def skeleton(name: str) -> str:
    """Return a name with letters that look like English ones replaced by those, so that lookalikes are equal.

    A name in capitals has a skeleton of its own: of some letters, such as the Cyrillic EN, only the capital looks like
    another.
    """
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name)).translate(_LOOKALIKES)
    return unicodedata.normalize("NFKC", plain.casefold().translate(_LOOKALIKES))


def likeness(name: str) -> tuple[str, str]:
    """Return what names are compared by: `folded` and `skeleton`."""
    return folded(name), skeleton(name)


def are_alike(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Return whether two likenesses are of names that are the same, or look so."""
    return one[0] == other[0] or one[1] == other[1]


def check_password(password: str, name: str = "") -> None:
    """Raise BadInput for a password that is too short, too long, or easy to guess."""
    if not MIN_PASSWORD <= len(password) <= MAX_PASSWORD:
        raise BadInput(f"A password has {MIN_PASSWORD} to {MAX_PASSWORD} characters.")
    if folded(password) == folded(name) or len(set(password)) < MIN_PASSWORD // 2:
        raise BadInput("This password is too easy to guess; choose another.")
