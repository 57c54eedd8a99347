"""Reads and writes Go rules as KGS and KataGo programs do: by name, or as KataGo's JSON."""

from __future__ import annotations

import msgspec

from ludus.games.go.engines.gtp.protocol import SYNTAX_ERROR, Failure
from ludus.games.go.rulesets import DEFAULT, TAX, RuleSet, rule_set_named, rules_of, rules_text

KATA_NAMES = {"aga-button": "aga:button=yes"}
"""Rule sets that only KataGo names."""
KGS_NAMES = {"chinese": "chinese-kgs"}
"""Rule sets whose names have another meaning on KGS: its Chinese rules use positional superko."""
BOOLEANS = {"true": True, "false": False}
FIELDS = {
    "ko": "ko",
    "scoring": "scoring",
    "suicide": "suicide",
    "hasButton": "button",
    "whiteHandicapBonus": "bonus",
}
"""KataGo's field names and the corresponding fields of a rule set."""


def kata_rules(name: str) -> str:
    """Return the rule set `name` in KataGo's JSON."""
    rules = rules_of(name)
    said = {field: getattr(rules, own) for field, own in FIELDS.items()} | {"tax": TAX[rules.scoring]}
    upper = {field: value.upper() if isinstance(value, str) else value for field, value in said.items()}
    return msgspec.json.encode(upper, order="sorted").decode()


def changed_rules(name: str, field: str, value: str) -> str:
    """Return the rule set `name` with one of KataGo's fields changed; raises Failure.

    Whether eyes in seki count (`tax`) follows from the scoring.
    """
    said: dict[str, str | bool] = msgspec.json.decode(kata_rules(name))
    fields = {known.lower(): known for known in (*said, "friendlyPassOk")}
    if field.lower() not in fields:
        raise Failure(f"unknown rule {field!r}; rules are {', '.join(fields.values())}")
    known = fields[field.lower()]
    if known == "scoring":
        del said["tax"]
    said[known] = BOOLEANS.get(value.lower(), value.upper())
    changed = _read_kata_rules(msgspec.json.encode(said).decode())
    if not changed:
        raise Failure(f"{known} {value} is not played with the other rules")
    return changed


def read_rules(text: str) -> str:
    """Return the name of the rule set that a text gives, by name or as KataGo's JSON; raises Failure."""
    name = _read_kata_rules(text) if text.startswith("{") else rule_set_named(KATA_NAMES.get(text.lower(), text))
    if not name:
        raise Failure(SYNTAX_ERROR)
    return name


def read_kgs_rules(text: str) -> str:
    """Return the name of the rule set that KGS calls `text`; raises Failure."""
    name = read_rules(text)
    return KGS_NAMES.get(name, name)


def _read_kata_rules(text: str) -> str:
    """Return the name of the rule set in KataGo's JSON; empty if it is invalid or not supported.

    Missing fields have the values of the Tromp-Taylor rules.
    """
    try:
        said = msgspec.json.decode(text, type=dict[str, str | bool])
        tax = said.pop("tax", None)
        said.pop("friendlyPassOk", None)  # `final_status_list` tells dead stones under all rules
        lower = {FIELDS[field]: value.lower() if isinstance(value, str) else value for field, value in said.items()}
        rules = msgspec.convert(msgspec.structs.asdict(rules_of(DEFAULT)) | lower, RuleSet)
    except (msgspec.DecodeError, KeyError):
        return ""
    return rule_set_named(rules_text(rules, DEFAULT)) if tax in (None, TAX[rules.scoring].upper()) else ""
