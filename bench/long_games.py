"""Long games, their links, and engines that play them, for the most expensive requests."""

import json
import tempfile
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


def engines_of(specs: tuple[str, ...]) -> Path:
    """Write a folder as `ludus export` does, as far as the site reads it; return the folder."""
    folder = Path(tempfile.mkdtemp(prefix="ludus-engines-"))
    manifest = {"format": 1, "model": {"name": "tiny"}, "games": [{"spec": spec} for spec in specs]}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder
