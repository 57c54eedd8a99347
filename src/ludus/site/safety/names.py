"""Rules for user names and passwords, and the comparison of names that look alike."""

import re
import unicodedata

from confusable_homoglyphs.confusables import confusables_data

from ludus.errors import BadInput

MIN_NAME, MAX_NAME = 3, 20
MIN_PASSWORD, MAX_PASSWORD = 8, 128
RESERVED = ("guest", "deleted", "admin", "administrator", "moderator", "bot", "ludus", "system", "anonymous", "nobody")
_NAME = re.compile(r"[^\W\d_][\w-]*")


def _lookalikes() -> dict[int, str]:
    """Map code points of letters that look like an English letter to that letter (source: Unicode UTS #39)."""
    found: dict[int, str] = {}
    for char, alike in confusables_data.items():
        letters = [each["c"] for each in alike if re.fullmatch("[A-Za-z]", each["c"])]
        if len(char) == 1 and not char.isascii() and letters:
            # UTS #39 maps every vertical stroke to l; a capital one looks like I
            found[ord(char)] = "I" if char.isupper() and letters[0] == "l" else letters[0]
    return found


_LOOKALIKES = _lookalikes()
_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "m": "rn"})
"""Letters and digits that look alike after `skeleton` (source: Unicode UTS #39)."""
_INVISIBLE = "\u115f\u1160\u3164\uffa0"
"""Letters without a shape."""


def check_name(name: str) -> str:
    """Check a user name and return it in Unicode's form NFC; raises BadInput, which states the broken rule."""
    name = unicodedata.normalize("NFC", name)
    spelt_out = unicodedata.normalize("NFKC", name)  # NFKC expands one character to up to 18
    if len(name) < MIN_NAME or max(len(name), len(spelt_out)) > MAX_NAME:
        raise BadInput(f"A name has {MIN_NAME} to {MAX_NAME} characters.")
    if not _NAME.fullmatch(name):
        raise BadInput("A name begins with a letter and contains only letters, digits, - and _.")
    if skeleton(name).rstrip("0123456789-_") in RESERVED:
        raise BadInput(f"The name {name} is reserved; choose another.")
    return name


def folded(name: str) -> str:
    """Return a name without case and compatibility differences, for comparison."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def skeleton(name: str) -> str:
    """Replace letters that look like English ones by those, so that names that look alike become equal.

    The skeleton depends on upper and lower case: e.g. the Cyrillic letter EN looks like an English H only in upper
    case.
    """
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name)).translate(_LOOKALIKES)
    return unicodedata.normalize("NFKC", plain.casefold().translate(_LOOKALIKES))


def bare(name: str) -> str:
    """Return what remains of a name without case, blanks, signs, accents, and differences between similar letters.

    It compares the free names of bots: `Level 10`, `level-lO` and `Lével I0` are equal.
    """
    letters = unicodedata.normalize("NFD", skeleton("".join(name.split())))
    kept = "".join(each for each in letters if unicodedata.category(each)[0] in "LN" and each not in _INVISIBLE)
    return kept.translate(_ALIKE) or name


def likeness(name: str) -> tuple[str, str]:
    """Return `folded` and `skeleton` of a name, for `are_alike`."""
    return folded(name), skeleton(name)


def are_alike(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Return whether two names, given by their `likeness`, are equal or look alike."""
    return one[0] == other[0] or one[1] == other[1]


def check_password(password: str, name: str = "") -> None:
    """Raise BadInput for a password that is too short, too long, or easy to guess."""
    if not MIN_PASSWORD <= len(password) <= MAX_PASSWORD:
        raise BadInput(f"A password has {MIN_PASSWORD} to {MAX_PASSWORD} characters.")
    if folded(password) == folded(name) or len(set(password)) < MIN_PASSWORD // 2:
        raise BadInput("This password is too easy to guess; choose another.")
