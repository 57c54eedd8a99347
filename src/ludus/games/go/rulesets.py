"""Rule sets of Go as combinations of fields, with their usual names; and the points of fixed handicaps."""

import re
from typing import Literal, get_args

import msgspec

from ludus.errors import BadInput
from ludus.games.go.layout import POSITIONAL, SIMPLE, SITUATIONAL

Ko = Literal["simple", "positional", "situational"]
Scoring = Literal["area", "territory"]
Bonus = Literal["0", "n-1", "n"]
YES_NO = ("no", "yes")


class RuleSet(msgspec.Struct, frozen=True):
    """The fields in which rule sets differ, as in KataGo."""

    ko: Ko = "positional"
    """A repeated position: simple forbids it at once, positional always, situational with the same player to move."""
    scoring: Scoring = "area"
    suicide: bool = False
    bonus: Bonus = "0"
    """White's points for N handicap stones."""
    button: bool = False
    """Whether the first pass takes a button that counts half a point, and is no pass towards the end of the game."""

    @property
    def komi(self) -> float:
        """Return White's default komi in an even game."""
        usual = 7.5 if self.scoring == "area" else 6.5
        return usual - 0.5 if self.button else usual

    def compensation(self, handicap: int) -> int:
        """Return White's points for Black's handicap stones."""
        return 0 if not handicap else {"0": 0, "n-1": handicap - 1, "n": handicap}[self.bonus]

    def fields(self) -> dict[str, str]:
        """Return the fields as written in a game's name."""
        suicide, button = YES_NO[self.suicide], YES_NO[self.button]
        return {"ko": self.ko, "scoring": self.scoring, "suicide": suicide, "bonus": self.bonus, "button": button}


KO_RULES: dict[Ko, int] = {"simple": SIMPLE, "positional": POSITIONAL, "situational": SITUATIONAL}
"""Code of each ko rule in a state."""

FIELDS = {
    "ko": get_args(Ko),
    "scoring": get_args(Scoring),
    "suicide": YES_NO,
    "bonus": get_args(Bonus),
    "button": YES_NO,
}
"""The rule fields that a game's name may change, such as `suicide=no`."""


RULE_SETS = {
    "tromp-taylor": RuleSet(suicide=True),
    "button": RuleSet(suicide=True, button=True),
    "chinese": RuleSet(ko="simple", bonus="n"),
    "chinese-ogs": RuleSet(bonus="n"),
    "chinese-kgs": RuleSet(bonus="n"),
    "aga": RuleSet(ko="situational", bonus="n-1"),
    "bga": RuleSet(ko="situational", bonus="n-1"),
    "new-zealand": RuleSet(ko="situational", suicide=True),
    "japanese": RuleSet(ko="simple", scoring="territory"),
    "korean": RuleSet(ko="simple", scoring="territory"),
}
DEFAULT = "tromp-taylor"
SGF_NAMES = {
    "tromp-taylor": "Tromp-Taylor",
    "chinese": "Chinese",
    "aga": "AGA",
    "bga": "BGA",
    "new-zealand": "NZ",
    "japanese": "Japanese",
    "korean": "Korean",
}
HANDICAP_KOMI = 0.5
OTHER_NAMES = {
    "nz": "new-zealand",
    "tt": "tromp-taylor",
    "goe": "chinese-ogs",
    "chinese-rules": "chinese",
    "japanese-rules": "japanese",
    "korean-rules": "korean",
    **dict.fromkeys(("cn", "中国", "中国规则", "中国規則", "中國規則", "중국"), "chinese"),
    **dict.fromkeys(("jp", "日本", "日本规则", "日本規則", "日本ルール", "일본"), "japanese"),
    **dict.fromkeys(("kr", "韩国", "韩国规则", "韓国", "韓国ルール", "韓國規則", "한국"), "korean"),
}
KATAGO = re.compile(
    r"ko(?P<ko>simple|positional|situational)score(?P<scoring>area|territory)tax(?P<tax>none|seki|all)"
    r"sui(?P<suicide>[01])(?:button(?P<button>[01]))?(?:whb(?P<bonus>0|n-1|n))?"
)
"""KataGo's notation of a rule set."""
TAX = {"area": "none", "territory": "seki"}
"""KataGo's `tax` (whether eyes in seki count) for each scoring."""


def rule_set_named(text: str) -> str:
    """Return the options of a game's name for a rule set: `chinese`, `chinese:bonus=0`; empty if it is unknown.

    Args:
        text: the rule set as written in SGF, in GTP or by people.
    """
    plain, *changes = text.strip().lower().replace("_", "-").replace(" ", "-").split(":")
    if (katago := KATAGO.fullmatch(plain)) and not changes:
        return _by_katago(**katago.groupdict())
    plain = OTHER_NAMES.get(plain, plain)
    pairs = [change.partition("=") for change in changes]
    known = all(value in FIELDS.get(field, ()) for field, _, value in pairs)
    once = len({field for field, _, _ in pairs}) == len(pairs)
    return ":".join([plain, *changes]) if plain in RULE_SETS and known and once else ""


def _by_katago(ko: str, scoring: str, tax: str, suicide: str, button: str | None, bonus: str | None) -> str:
    """Return the options for KataGo's fields; empty if no rule set here scores in that way."""
    if tax != TAX[scoring]:
        return ""
    switches = {"suicide": suicide == "1", "button": button == "1"}
    rules = msgspec.convert({"ko": ko, "scoring": scoring, "bonus": bonus or "0", **switches}, RuleSet)
    return _changed("tromp-taylor" if scoring == "area" else "japanese", rules)


def rules_of(name: str) -> RuleSet:
    """Return the rules for a name such as `chinese:bonus=0`, as `rule_set_named` returns it."""
    usual, *changes = name.split(":")
    fields = RULE_SETS[usual].fields() | dict(change.split("=") for change in changes)
    return msgspec.convert(fields | {name: fields[name] == "yes" for name in ("suicide", "button")}, RuleSet)


def rules_text(rules: RuleSet, usual: str) -> str:
    """Return the text for rules in SGF, or one that `rule_set_named` can read.

    Args:
        rules: the rules.
        usual: the rule set to name if several are equal, or if none fits.
    """
    for name in (usual, *RULE_SETS):
        if RULE_SETS[name] == rules:
            return SGF_NAMES.get(name, name)
    return _changed(usual, rules)


def _changed(usual: str, rules: RuleSet) -> str:
    """Return the options that turn the rule set `usual` into `rules`."""
    before = RULE_SETS[usual].fields()
    return ":".join([usual, *(f"{field}={value}" for field, value in rules.fields().items() if value != before[field])])


def most_fixed_handicap(size: int) -> int:
    """Return the maximum number of fixed handicap stones on a board."""
    if size < 7:
        return 0
    return 9 if size % 2 and size >= 9 else 4


def fixed_handicap(size: int, stones: int) -> list[tuple[int, int]]:
    """Return the cells (row from the top, column) of a fixed handicap, in the order of the Go Text Protocol.

    Raises:
        BadInput: the board has no fixed handicap with this number of stones.
    """
    most = most_fixed_handicap(size)
    if not 2 <= stones <= most:
        there_are = f"there are 2 to {most}" if most else "there is none"
        raise BadInput(f"{stones} handicap stones on a board of {size}x{size}: {there_are} at fixed points.")
    edge = 2 if size < 13 else 3
    low, mid, high = edge, size // 2, size - 1 - edge
    rows = {
        2: [(low, high), (high, low)],
        3: [(low, low), (low, high), (high, low)],
    }
    corners = [(low, low), (low, high), (high, low), (high, high)]
    sides = [(mid, low), (mid, high)] if stones >= 6 else []
    ends = [(low, mid), (high, mid)] if stones >= 8 else []
    centre = [(mid, mid)] if stones in (5, 7, 9) else []
    return rows.get(stones) or sorted(corners + sides + ends + centre)
