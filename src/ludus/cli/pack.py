"""`ludus pack`: a model as it is handed on, in half precision."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def pack(
    model: Annotated[Path, typer.Argument(help="A model's path.")],
    out: Annotated[Path, typer.Argument(help="Where it is written: a .safetensors file, or a directory.")],
) -> None:
    """Write a model with numbers of 16 bits instead of 32: half the size, and nearly the same judgement."""
    from ludus.network.checkpoint import FILE, halve, load_checkpoint, save_checkpoint

    checkpoint = halve(load_checkpoint(model))
    file = out if out.suffix == ".safetensors" else out / FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    save_checkpoint(file, checkpoint)
    print(f"{file}: {file.stat().st_size:,} bytes")
