"""How commands are told where a game begins."""

import json
from typing import Annotated, Any

import typer

SetupOption = Annotated[str, typer.Option(help="Where the game begins: a FEN, or JSON, as the game takes it.")]


def read_setup(text: str) -> Any:  # noqa: ANN401 - each game has its own setups
    """Return what `start` takes: JSON, or the text itself where it is none; None if it is empty."""
    if not text:
        return None
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
