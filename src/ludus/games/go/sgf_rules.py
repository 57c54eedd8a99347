"""The rules that a game of Go is played by, as SGF writes them: by what its start says, not its name alone."""

from __future__ import annotations

from msgspec.structs import replace

from ludus.games.game import Position
from ludus.games.go.layout import (
    BLACK,
    BONUS,
    HANDICAP,
    KO_RULE,
    KOMI,
    NO_KOMI,
    OPTIONS,
    SUICIDE,
    TERRITORY,
)
from ludus.games.go.rulesets import DEFAULT, FIELDS, KO_RULES, RULE_SETS, Ko, RuleSet, rules_text
from ludus.games.go.view import points_of, rule

KO_NAMES: dict[int, Ko] = {number: name for name, number in KO_RULES.items()}


def rule_properties(start: Position) -> dict[str, str]:
    """Return the properties RU, KM and, with handicap stones, HA.

    Points for a handicap that no rule set gives are written as komi, so that the score is what it was.
    """
    state = start.state
    parts = start.game.name.split(":")
    usual = next((part for part in parts if part in RULE_SETS), DEFAULT)
    rules = RuleSet(
        ko=KO_NAMES[rule(state, KO_RULE)],
        scoring="territory" if rule(state, TERRITORY) else "area",
        suicide=bool(rule(state, SUICIDE)),
        bonus=RULE_SETS[usual].bonus,
    )
    stones, points = rule(state, HANDICAP, OPTIONS), rule(state, BONUS, OPTIONS)
    handicap = stones if stones > 1 and points_of(state, BLACK) else 0  # readers put what does not stand there yet
    said = [part.removeprefix("bonus=") for part in parts if part.startswith("bonus=")]
    likely = [replace(rules, bonus=each) for each in (*said, rules.bonus, *FIELDS["bonus"])]
    rules = next((each for each in likely if each.compensation(handicap) == points), likely[0])
    komi = (rule(state, KOMI, OPTIONS) - NO_KOMI) / 2 + points - rules.compensation(handicap)
    properties = {"KM": f"{komi:g}", "RU": rules_text(rules, usual)}
    return properties | {"HA": str(handicap)} if handicap else properties
