"""Changes of a preset: which settings of a run may change while it continues."""

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
    """A setting whose value differs between two presets."""

    setting: str
    """Dotted name, such as `learner.batch`."""
    old: Any
    new: Any

    @property
    def is_allowed(self) -> bool:
        """Return whether a run may continue with this change."""
        return self.setting in MAY_CHANGE

    def __str__(self) -> str:
        """Return `generations: 20 -> 30`."""
        return f"{self.setting}: {_as_toml(self.old)} -> {_as_toml(self.new)}"


def turned_back(found: Sequence[Change], done: int) -> str:
    """Return a warning if more generations lower the run's progress, on which schedules depend; empty: no warning.

    Args:
        found: the changed settings.
        done: number of complete generations.
    """
    for setting, old, new in found:
        if setting == "generations" and done:
            before, now = (min(1.0, at / max(1, most - 1)) for at, most in ((done - 1, old), (done, new)))
            if now < before:
                return (
                    f"With {new} generations instead of {old}, the run's progress falls to {now:.0%} from "
                    f"{before:.0%}: scheduled learning rates and visits go back accordingly."
                )
    return ""


class _Setting(msgspec.Struct):
    value: Any


def _as_toml(value: Any) -> str:  # noqa: ANN401 - any value of a preset
    """Format a value as in a preset file; None, which TOML lacks, becomes "nothing"."""
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
