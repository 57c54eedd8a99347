"""Which settings of a run may change while it goes on, and which would make it another run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import msgspec

from ludus import config

MAY_CHANGE = (
    "generations",
    "workers",
    "processes",
    "device",
    "mode",
    "learner.processes",
    "learner.compile",
    "match.pairs",
    "match.opening_actions",
    "match.previous",
    "match.anchor_every",
    "gate.kind",
    "gate.score",
    "gate.most_pairs",
)


class Change(NamedTuple):
    """A setting that differs."""

    setting: str
    """As in the file: `learner.batch`."""
    old: Any
    new: Any

    @property
    def is_allowed(self) -> bool:
        """Return whether a run may go on with it."""
        return self.setting in MAY_CHANGE

    def __str__(self) -> str:
        """Return `generations: 20 -> 30`."""
        return f"{self.setting}: {_as_toml(self.old)} -> {_as_toml(self.new)}"


def turned_back(found: Sequence[Change], done: int) -> str:
    """Return what is to be said of a run that is further from its end than before, which had `done` generations.

    Args:
        found: the settings that changed.
        done: the generations that it has.
    """
    for setting, old, new in found:
        if setting == "generations" and done:
            before, now = (min(1.0, at / max(1, most - 1)) for at, most in ((done - 1, old), (done, new)))
            if now < before:
                return (
                    f"With {new} generations in place of {old}, the run is at {now:.0%} of its way in place of "
                    f"{before:.0%}: what follows it turns back, a falling learning rate and growing visits."
                )
    return ""


class _Setting(msgspec.Struct):
    value: Any


def _as_toml(value: Any) -> str:  # noqa: ANN401 - whatever a preset holds
    """Return a value as the file says it; None, which no file says, as nothing."""
    return config.dump(_Setting(value)).strip().removeprefix("value = ") or "nothing"


def changes(old: msgspec.Struct, new: msgspec.Struct) -> list[Change]:
    """Return the settings in which two presets differ."""
    before, after = (dict(_flat(msgspec.to_builtins(preset), "")) for preset in (old, new))
    return [
        Change(name, before.get(name), after.get(name))
        for name in dict.fromkeys([*before, *after])
        if before.get(name) != after.get(name)
    ]


def _flat(table: dict[str, Any], prefix: str) -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            rows += _flat(cast(dict[str, Any], value), f"{prefix}{key}.")
        else:
            rows.append((f"{prefix}{key}", value))
    return rows
