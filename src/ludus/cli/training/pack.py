"""`ludus pack` and `ludus export`: write a model for distribution, or for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
import numpy as np
import typer

from ludus.cli.terminal.destination import model_file
from ludus.cli.terminal.game_files import named
from ludus.cli.terminal.screen import announce_compilation
from ludus.cli.training.background import end_with_input
from ludus.errors import BadInput
from ludus.files import ending_of
from ludus.seeding import stream
from ludus.system import lower_priority

if TYPE_CHECKING:
    from ludus.network.checkpoint import Checkpoint, Int8


def pack(
    model: Annotated[Path, typer.Argument(help="A model's path.")],
    out: Annotated[Path, typer.Argument(help="Output: a .safetensors file, or a directory.")],
    name: Annotated[str, typer.Option(help="Name of the model (default: unchanged).")] = "",
    game: Annotated[
        list[str] | None,
        typer.Option(
            callback=named, help="Another game to offer the model for, although it was not trained on it; repeatable."
        ),
    ] = None,
    int8: Annotated[
        bool,
        typer.Option(
            "--int8",
            help="Also prepare the model for the precision int8, and check it on positions of its own games; fails if "
            "its evaluations differ too much from those in f32.",
        ),
    ] = False,
) -> None:
    """Write a model with 16-bit instead of 32-bit weights: half the size, and nearly the same evaluations."""
    from ludus.games.behaviour import behaviour
    from ludus.games.registry import game as find_game
    from ludus.network.checkpoint import halve, load_checkpoint, save_checkpoint
    from ludus.network.config import Shapes
    from ludus.network.int8 import accepted_ranges

    checkpoint = halve(load_checkpoint(model))
    games = [find_game(spec) for spec in game or []]
    if strangers := [each.name for each in games if not checkpoint.info.shapes.fit(Shapes.of(each))]:
        raise BadInput(f"{strangers[0]}: its planes or actions differ from those of {checkpoint.info.name}.")
    widened = {name: np.asarray(array, np.float32) for name, array in checkpoint.arrays.items()}
    as_read = msgspec.structs.replace(checkpoint, arrays=widened)
    kept = checkpoint.info.int8 if accepted_ranges(as_read) else msgspec.UNSET
    info = msgspec.structs.replace(
        checkpoint.info,
        int8=_checked_in_int8(as_read) if int8 else kept,
        name=name or checkpoint.info.name,
        games=checkpoint.info.games | {each.name: behaviour(each) for each in games},
    )
    file = model_file(out, info.games, model)
    save_checkpoint(file, msgspec.structs.replace(checkpoint, info=info))
    print(f"{file}: {file.stat().st_size:,} bytes, for {', '.join(info.games)}")


def _checked_in_int8(checkpoint: Checkpoint) -> Int8:
    """Return how the model computes in int8, after a check on positions of its own games; raises BadModel."""
    from ludus.games.registry import game as find_game
    from ludus.network.backends import open_of
    from ludus.network.int8 import POSITIONS, check_processor, describe, quantise
    from ludus.players.jobs.own_positions import own_positions
    from ludus.selfplay.measure import describe_machine

    check_processor()
    announce_compilation()
    evaluator, info = open_of(checkpoint), checkpoint.info
    games = [find_game(spec, asked_by=f"the model {info.name} was trained on it") for spec in info.games]
    found = [own_positions(evaluator, game, -(-POSITIONS // len(games))) for game in games]
    order = stream(0, "int8").permutation(sum(len(each.planes) for each in found))
    planes = np.concatenate([each.planes for each in found])[order]
    legal = np.concatenate([each.legal for each in found])[order]
    machine = describe_machine()
    record = quantise(checkpoint, planes, legal, processor=machine["processor"], commit=machine["commit"])
    told = describe(record.differences)
    print(f"int8: {len(record.ranges)} convolutions; on {record.positions:,} positions, {told}.")
    return record


def export(
    model: Annotated[Path, typer.Argument(help="A model's folder.")],
    out: Annotated[
        Path,
        typer.Argument(
            help="server: the server's model repository; web: a folder; onnx: the file, or a folder. Created if "
            "missing."
        ),
    ],
    form: Annotated[
        Literal["server", "web", "onnx"],
        typer.Option(
            "--format",
            help="server: a model repository for Triton or OpenVINO Model Server, which engines use with --inference; "
            "web: network, rules and search for browsers; onnx: the network alone, for any program.",
        ),
    ] = "server",
    licence: Annotated[
        str, typer.Option(help="Licence of the weights, for ONNX and browsers (default: what the model's card states).")
    ] = "",
    game: Annotated[
        list[str] | None,
        typer.Option(
            callback=named,
            help="A game to export for browsers (default: those that the model was trained on); repeatable.",
        ),
    ] = None,
    background: Annotated[
        bool,
        typer.Option("--background", help="Yield to other work, and end at the end of standard input."),
    ] = False,
) -> None:
    """Export a model for other programs: inference servers, browsers, or any program that runs ONNX."""
    from ludus.network.card import licence_of
    from ludus.network.checkpoint import load_checkpoint

    if background:
        lower_priority()
        end_with_input()
    checkpoint = load_checkpoint(model)
    if form == "server":
        from ludus.network.repository import lay_out

        folder = lay_out(checkpoint, out)
        print(f"{folder}: the server will load it as {folder.name}.")
        return
    licence = licence or licence_of(model)
    if form == "web":
        _export_web(model, checkpoint, out, licence, game or [*checkpoint.info.games])
        return
    from ludus.network.onnx import write_onnx
    from ludus.network.tensors import served_name

    file = out if ending_of(out) == ".onnx" else out / f"{served_name(checkpoint)}.onnx"
    write_onnx(checkpoint, file, licence=licence)
    print(f"{file}: {file.stat().st_size:,} bytes, for {', '.join(checkpoint.info.games)}")


def _export_web(model: Path, checkpoint: Checkpoint, out: Path, licence: str, specs: list[str]) -> None:
    from ludus.browser.export import export
    from ludus.engine.ladder import read_ladder
    from ludus.games.registry import game as find_game
    from ludus.network.config import Shapes

    games = [find_game(spec, asked_by=f"the model {checkpoint.info.name} was trained on it") for spec in specs]
    if strangers := [each.name for each in games if not checkpoint.info.shapes.fit(Shapes.of(each))]:
        raise BadInput(f"{strangers[0]}: its planes or actions differ from those of {checkpoint.info.name}.")
    made = export(model, checkpoint, games, out, licence=licence, ladder=read_ladder(model, checkpoint))
    for part in made.games:
        print(f"{out / part.module}: {part.bytes:,} bytes, {part.spec}")
    print(f"{out / made.network.file}: {made.network.bytes:,} bytes, the network")
