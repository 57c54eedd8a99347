"""`ludus pack` and `ludus export`: a model as it is handed on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ludus.cli.terminal.destination import model_file
from ludus.errors import BadInput


def pack(
    model: Annotated[Path, typer.Argument(help="A model's path.")],
    out: Annotated[Path, typer.Argument(help="Where it is written: a .safetensors file, or a directory.")],
    name: Annotated[str, typer.Option(help="Of the model (default: as before).")] = "",
    game: Annotated[
        list[str] | None,
        typer.Option(help="A game that it shall be offered for, too, though not trained on: repeatable."),
    ] = None,
) -> None:
    """Write a model with numbers of 16 bits instead of 32: half the size, and nearly the same judgement."""
    from ludus.games.behaviour import behaviour
    from ludus.games.registry import game as find_game
    from ludus.network.checkpoint import halve, load_checkpoint, save_checkpoint
    from ludus.network.config import Shapes

    checkpoint = halve(load_checkpoint(model))
    games = [find_game(spec) for spec in game or []]
    if strangers := [each.name for each in games if not checkpoint.info.shapes.fit(Shapes.of(each))]:
        raise BadInput(f"{strangers[0]}: its planes or actions are not those of {checkpoint.info.name}.")
    info = msgspec.structs.replace(
        checkpoint.info,
        name=name or checkpoint.info.name,
        games=checkpoint.info.games | {each.name: behaviour(each) for each in games},
    )
    file = model_file(out, info.games, model)
    save_checkpoint(file, msgspec.structs.replace(checkpoint, info=info))
    print(f"{file}: {file.stat().st_size:,} bytes, for {', '.join(info.games)}")


def export(
    model: Annotated[Path, typer.Argument(help="A model's folder.")],
    repository: Annotated[Path, typer.Argument(help="The server's model repository; made if there is none.")],
) -> None:
    """Lay a model out for Triton or OpenVINO Model Server, which engines may ask (--inference) as `ludus inference`."""
    from ludus.network.checkpoint import load_checkpoint
    from ludus.network.repository import lay_out

    folder = lay_out(load_checkpoint(model), repository)
    print(f"{folder}: the server will have it as {folder.name}.")
