"""The option for the start position of a game."""

import json
from typing import Annotated, Any

import typer

SetupOption = Annotated[str, typer.Option(help="Start position: a FEN, or JSON, as the game defines.")]


def read_setup(text: str) -> Any:  # noqa: ANN401 - each game has its own setups
    """Return the argument for `start`: parsed JSON, or the text itself if it is not JSON; None if it is empty."""
    if not text:
        return None
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
