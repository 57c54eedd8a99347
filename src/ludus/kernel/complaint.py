"""What the compiler complains about, in one sentence: its message runs over pages, and one line of it matters."""

import re
from pathlib import Path

_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_RAISED = re.compile(r"\. Raised from (.+) \((\d+)\)$")  # how some messages name the line
_WORDING = (
    (re.compile(r"Function\(<(?:built-in )?(?:function|intrinsic) (\w+)[^>]*>\)"), r"\1()"),
    (re.compile(r"found for signature: >>> "), "for "),
    (re.compile(r"Literal\[\w+\]\((\w+)\)"), r"\1"),
    (re.compile(r"<\S*OverloadSelector object at \w+>, \((.*),\)"), r"\1 is no constant"),
)
"""What is said of the compiler's own objects, and how an author would say it."""
_STEP = "Failed in nopython mode pipeline (step"
_AFTERWARDS = re.compile(r"\n\s*(?:During:|There are|Return of:|File )")
_OURS = Path(__file__).parents[1]  # the package's own files
_LONGEST = 240  # characters quoted


def complaint(error: BaseException, function: str = "") -> str:
    """Return what names the fault in a compiler's message, and the user's file and line it lies in.

    A message nests as the calls do, innermost first: the fault is what is said before the first line of a user's file.
    If it mentions none, the place is `function`, where the function being compiled begins.
    """
    message = str(error).removesuffix(". Raised from None").rstrip(".")
    raised = _RAISED.search(message)
    line = raised or next((found for found in _PLACE.finditer(message) if _is_users(found[1])), None)
    said = message[: line.start()] if line else message
    said = said.rpartition(_STEP)[2].partition(")\n")[2] or said
    fault = " ".join(_AFTERWARDS.split(said)[0].split()).rstrip(".")
    for theirs, ours in _WORDING:
        fault = theirs.sub(ours, fault)
    fault = fault[:_LONGEST]
    place = f"{Path(line[1]).name}, line {line[2]}" if line else function
    return f"{fault} ({place})" if place else fault


def _is_users(file: str) -> bool:
    path = Path(file).resolve()
    return "site-packages" not in path.parts and not (path.is_relative_to(_OURS) and path.parent.name == "kernel")
