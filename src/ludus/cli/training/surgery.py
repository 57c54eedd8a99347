"""`ludus surgery`: converts a trained network to another form, or for other boards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ludus import config
from ludus.cli.terminal.destination import model_file
from ludus.cli.terminal.game_files import named
from ludus.errors import BadInput

Number = Annotated[
    int | None,
    typer.Option(min=0, max=4096, help="Setting of the new network (default: unchanged).", show_default=False),
]


def surgery(  # noqa: PLR0913 - each option of a command is an argument
    model: Annotated[Path, typer.Argument(help="A model's path.")],
    out: Annotated[Path, typer.Argument(help="Output for the new model: a .safetensors file, or a directory.")],
    preset: Annotated[str, typer.Option(help="Take the games and the network from this preset, by name or path.")] = "",
    game: Annotated[
        list[str] | None, typer.Option(callback=named, help="Spec of a game of the new network; repeatable.")
    ] = None,
    blocks: Number = None,
    channels: Number = None,
    head_channels: Number = None,
    heads: Annotated[str, typer.Option(help="linear or size-free (default: unchanged).")] = "",
    hidden: Number = None,
    pooling_every: Number = None,
    squeeze: Number = None,
    offset: Annotated[
        str, typer.Option(help="Position of the old board in the new planes, for linear heads: ROW,COLUMN.")
    ] = ("0,0"),
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of the new random weights.")] = 0,
    name: Annotated[str, typer.Option(help="Name of the new model (default: unchanged, or the preset's).")] = "",
) -> None:
    """Convert a model into the start of another: deeper, wider, with more planes or actions, for larger boards."""
    from ludus.games.behaviour import behaviour  # imports torch, which takes a second
    from ludus.games.registry import game as find_game
    from ludus.loop.preset import load_preset
    from ludus.network.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
    from ludus.network.config import Shapes
    from ludus.network.surgery import warm_start

    if preset and game:
        raise BadInput("--preset determines the games: leave out --preset or --game.")
    old = load_checkpoint(model)
    before = find_game(next(iter(old.info.games)))
    settings = load_preset(preset) if preset else None
    games = settings.make_games() if settings else [find_game(spec) for spec in game or old.info.games]
    changes = {
        "blocks": blocks,
        "channels": channels,
        "head_channels": head_channels,
        "heads": heads or None,
        "hidden": hidden,
        "pooling_every": pooling_every,
        "squeeze": squeeze,
    }
    changes = {key: value for key, value in changes.items() if value is not None}
    try:
        network = msgspec.convert(
            msgspec.to_builtins(settings.network if settings else old.info.network) | changes, type(old.info.network)
        )
    except msgspec.ValidationError as error:
        raise BadInput(f"The new network is not valid: {config.explain(error, type(old.info.network))}") from error
    shapes = Shapes.of(games[0])
    if strangers := [each.name for each in games if not shapes.fit(Shapes.of(each))]:
        raise BadInput(f"{strangers[0]} and {games[0].name} differ in planes or actions; give the smaller one a frame.")
    start = warm_start(old, network, shapes, source=Shapes.of(before), offset=_offset(offset), seed=seed)
    info = msgspec.structs.replace(
        old.info,
        name=name or (settings.name if settings else old.info.name),
        network=network,
        shapes=shapes,
        games={each.name: behaviour(each) for each in games},
        generation=0,
        preset=settings.name if settings else "",
        ancestors=old.info.lineage(),
        int8=msgspec.UNSET,
    )
    file = model_file(out, info.games, model)
    save_checkpoint(file, Checkpoint(info, start.arrays))
    total = sum(array.size for array in start.arrays.values() if array.dtype.kind == "f")  # counters are not weights
    print(f"{file}: {network.blocks}x{network.channels} for {', '.join(info.games)}")
    print(f"{start.carried} of {total} weights come from {info.ancestors[0]}; the others are random or zero.")


def _offset(text: str) -> tuple[int, int]:
    first, _, second = text.partition(",")
    if not (first.strip().isdecimal() and second.strip().isdecimal()):
        raise BadInput(f"The offset {text!r} is not a pair of whole numbers; write ROW,COLUMN such as 1,2.")
    return int(first), int(second)
