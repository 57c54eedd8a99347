"""Long games, their links, and engines that play them, for the most expensive requests."""

import json
from pathlib import Path

from ludus.games.registry import game
from ludus.site.archive.link import write_link


def long_line(spec: str, num_actions: int) -> list[int]:
    """Return actions of a long game: the last legal ones, in the Wall Game mostly walls."""
    position, actions = game(spec).start(), list[int]()
    while position.actions and len(actions) < num_actions:
        choices = position.actions
        actions.append(choices[len(actions) * 7919 % len(choices)])
        position = position.play(actions[-1])
    return actions


def link_of(spec: str, actions: list[int]) -> str:
    """Return the link of a game."""
    position = game(spec).start()
    for action in actions:
        position = position.play(action)
    return write_link(position, names=("a", "b"), winner=None, reason="", ended=None)


def write_engines(specs: tuple[str, ...], folder: Path) -> None:
    """Write an exported model for some games to a folder, as far as a site reads it."""
    manifest = {"format": 1, "model": {"name": "tiny"}, "games": [{"spec": spec} for spec in specs]}
    (folder / "manifest.json").write_text(json.dumps(manifest))
