"""`ludus new NAME`: writes the files of a small game to start from."""

from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.terminal.screen import say
from ludus.errors import BadInput
from ludus.files import write_atomically
from ludus.games import registry

STARTER = Path(__file__).with_name("starter")
FILES = {".py": "game.py.txt", ".toml": "preset.toml", ".lesson.toml": "lesson.toml"}
"""The starter's files, by what follows the name of the new game."""


def new(
    name: Annotated[str, typer.Argument(help="The name of the game, such as mygame, or a path that ends in it.")],
) -> None:
    """Write NAME.py, a small game that passes `ludus check`, with the preset NAME.toml and the lesson NAME.lesson.toml.

    Existing files are never overwritten.
    """
    path = Path(name.removesuffix(".py"))
    if not registry.NAME.fullmatch(path.name):
        raise BadInput(
            f"{path.name!r} cannot be the name of a game; use 1 to 40 small letters, digits, `-` and `_`: my-game."
        )
    if path.name in registry.names():
        raise BadInput(f"{path.name}: there is a game of this name; choose another.")
    files = {path.with_name(path.name + ending): STARTER / source for ending, source in FILES.items()}
    if taken := [str(file) for file in files if file.exists()]:
        raise BadInput(f"{', '.join(taken)}: exists; choose another name, or delete it.")
    for file, source in files.items():
        text = source.read_text(encoding="utf-8").replace("NAME", path.name).replace("TITLE", registry.title(path.name))
        write_atomically(file, text.encode())
    rules, preset, lesson = files
    say(f"{rules}: the rules; change them, and try them with `ludus check {rules}` and `ludus serve --game {rules}`.")
    say(f"{lesson}: the lesson on the page.")
    say(f"{preset}: the settings of a training run, which `ludus train {preset}` begins.")
