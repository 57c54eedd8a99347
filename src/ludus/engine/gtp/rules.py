"""Rules as programs for KGS and KataGo name them: by names, of which one means something else to KGS, or as JSON."""

from __future__ import annotations

import msgspec

from ludus.games.go.rulesets import DEFAULT, RuleSet, rule_set_named, rules_of, rules_text
from ludus.protocol.gtp import SYNTAX_ERROR, Failure

KGS_NAMES = {"chinese": "chinese-kgs"}
"""No position may come back there, which elsewhere is not meant by the name."""
FIELDS = {"ko": "ko", "scoring": "scoring", "suicide": "suicide", "whiteHandicapBonus": "bonus"}
"""KataGo's fields, and those of a rule set."""
TAX = {"area": "NONE", "territory": "SEKI"}
"""What eyes in seki count, which the scoring decides here."""


def kata_rules(name: str) -> str:
    """Return rules, as `rule_set_named` names them, in KataGo's form."""
    rules = rules_of(name)
    said = {field: getattr(rules, own) for field, own in FIELDS.items()}
    upper = {field: value.upper() if isinstance(value, str) else value for field, value in said.items()}
    return msgspec.json.encode({"hasButton": False, **upper, "tax": TAX[rules.scoring]}, order="sorted").decode()


def read_rules(text: str) -> str:
    """Return rules as `rule_set_named` names them; the text is such a name, or in KataGo's form; raises Failure."""
    name = _read_kata_rules(text) if text.startswith("{") else rule_set_named(text)
    if not name:
        raise Failure(SYNTAX_ERROR)
    return name


def read_kgs_rules(text: str) -> str:
    """Return rules, as `rule_set_named` names them, that KGS means; raises Failure."""
    name = read_rules(text)
    return KGS_NAMES.get(name, name)


def _read_kata_rules(text: str) -> str:
    """Return the name of rules in KataGo's form, or nothing if they are none, or not played here.

    What is not said is as Tromp and Taylor have it.
    """
    try:
        said = msgspec.json.decode(text, type=dict[str, str | bool])
        button, tax = said.pop("hasButton", False), said.pop("tax", None)
        said.pop("friendlyPassOk", None)  # what is dead is said by `final_status_list`, whatever the rules
        lower = {FIELDS[field]: value.lower() if isinstance(value, str) else value for field, value in said.items()}
        rules = msgspec.convert(msgspec.structs.asdict(rules_of(DEFAULT)) | lower, RuleSet)
    except (msgspec.DecodeError, KeyError):
        return ""
    is_played = button is False and tax in (None, TAX[rules.scoring])
    return rule_set_named(rules_text(rules, DEFAULT)) if is_played else ""
